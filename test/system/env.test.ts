import { expect, test } from 'vitest';
import { outsideFolder } from '../../src/system/env.ts';

test.skipIf(process.platform === 'win32').each([
  ['/usr/bin:/bin', '/usr/bin:/bin'],
  ['.:/usr/bin::./bin:bin:/bin', '/usr/bin:/bin'],
  ['.', undefined],
  ['', undefined],
  [undefined, undefined],
])('of the PATH %s, only absolute folders are kept', (PATH, expected) => {
  expect(outsideFolder({ PATH, HOME: '/home/me' })).toEqual({ PATH: expected, HOME: '/home/me' });
});
