// What a plugin for Codex says of its server. Codex 0.169.0 reads these keys of a plugin, and no "headers" (`codex mcp get`).
import { expect, test } from 'vitest';
import { bundle } from '../../../src/clients/codex/shipping.ts';

const facts = { name: 'annal', version: '1.0.0', description: '', author: '', hooks: {} };

test('a server at an address has its headers under the keys that Codex reads', () => {
  const url = 'https://annal.example/mcp';
  const headers = {
    'X-Client': 'notes',
    'X-Key': `\${NOTES_KEY}`,
    Authorization: `Bearer \${TOKEN}`,
    'X-Both': `v1 \${NOTES_KEY}`,
  };
  const files = bundle.files({ ...facts, label: 'annal', server: { url, headers } });
  expect(files.find(([path]) => path === 'annal/.mcp.json')?.[1]).toEqual({
    mcpServers: {
      annal: {
        url,
        http_headers: { 'X-Client': 'notes' },
        env_http_headers: { 'X-Key': 'NOTES_KEY' },
        bearer_token_env_var: 'TOKEN',
      },
    },
  });
});

// Measured with `codex mcp get`: "env" is passed on as it stands, and "env_vars" names variables of the user.
test('a server that is started has its variables by name, and none that would stay unfilled', () => {
  const env = { PLAIN: 'yes', TOKEN: `\${TOKEN}`, OTHER: `\${X}` };
  const server = { command: 'npx', args: ['-y', 'annal'], env };
  const files = bundle.files({ ...facts, label: 'annal', server });
  expect(files.find(([path]) => path === 'annal/.mcp.json')?.[1]).toEqual({
    mcpServers: {
      annal: { command: 'npx', args: ['-y', 'annal'], env: { PLAIN: 'yes' }, env_vars: ['TOKEN'] },
    },
  });
});
