// Printed text has none of the secrets that the runner masks.
import { expect, test } from 'vitest';
import { redactor } from '../../src/system/secrets.ts';
import { FORMS } from '../runner/forms.ts';

const hide = redactor({});

test('no token of a service is printed', () => {
  const left = FORMS.filter(([, , text, secret]) => hide(`said ${text}`).includes(secret));
  expect(left.map(([name]) => name)).toEqual([]);
});

test('the password of a command is not printed', () => {
  expect(hide('mysql -pS3cretPw123 -u root')).toBe('mysql -p*** -u root');
  expect(hide('curl --proxy-user ann:correcthorse https://example.com')).not.toContain('horse');
});

test('of a line of thousands of tokens, none is printed', () => {
  const keys = Array.from({ length: 4000 }, (_, at) => `ghp_${1e12 + at}${'aB3d'.repeat(6)}`);
  expect(hide(keys.join(' '))).not.toContain('ghp_');
});

test('a user and a host stay in the output, whatever the password', () => {
  expect(hide('http://ann:pw@proxy.example:8080')).toBe('http://ann:***@proxy.example:8080');
});
