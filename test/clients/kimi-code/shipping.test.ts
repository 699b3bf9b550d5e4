// What a plugin for Kimi Code says of its server. Its program (2.1.0) fills in no variables, and passes those of the user on.
import { expect, test } from 'vitest';
import { bundle } from '../../../src/clients/kimi-code/shipping.ts';

const facts = { name: 'annal', version: '1.0.0', description: '', author: '', hooks: {} };

test.each([
  [
    { command: 'npx', args: ['annal'], env: { PLAIN: 'yes', TOKEN: `\${TOKEN}` } },
    { command: 'npx', args: ['annal'], env: { PLAIN: 'yes' } },
  ],
  [
    {
      url: 'https://annal.example',
      headers: { 'X-Client': 'notes', authorization: `Bearer \${TOKEN}` },
    },
    {
      url: 'https://annal.example',
      headers: { 'X-Client': 'notes' },
      bearerTokenEnvVar: 'TOKEN',
    },
  ],
])('no variable of a server stays unfilled: %j', (server, entry) => {
  const [[, contents] = []] = bundle.files({ ...facts, label: 'annal', server });
  expect(contents).toMatchObject({ mcpServers: { annal: entry } });
  expect(JSON.stringify(contents)).not.toContain('${');
});
