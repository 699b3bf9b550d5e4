// Secrets in a command line given to init: none is shown or written, and the manifest still starts the same server.
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test } from '../support/world.ts';

const NOTES = join(import.meta.dirname, '../support/servers/notes.sh');
/** No rule recognizes KEY by its form. */
const TOKEN = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
const KEY = 'fc-9f8e7d6c5b4a39281706f5e4d3c2b1a0';
const PASSWORD = 'c0rrect-h0rse-1';

/** The words of the command; the variables that the manifest needs, with their values in the command; the server's name. */
type Case = readonly [
  words: readonly string[],
  needs: Readonly<Record<string, string>>,
  name?: string,
];

/** `fake <words>` is a server, whatever its words; npx, uvx, docker and node are also faked here. */
const CASES: Readonly<Record<string, Case>> = {
  'env before npx': [
    ['env', `FIRECRAWL_API_KEY=${KEY}`, 'npx', '-y', 'firecrawl-mcp'],
    { FIRECRAWL_API_KEY: KEY },
    'firecrawl',
  ],
  'the path of env, two variables': [
    ['/usr/bin/env', `A_TOKEN=${TOKEN}`, `B_KEY=${KEY}`, 'uvx', 'notes-mcp'],
    { A_TOKEN: TOKEN, B_KEY: KEY },
    'notes',
  ],
  'env with a lower case name': [
    ['env', `api_key=${KEY}`, 'npx', '-y', 'notes-mcp'],
    { API_KEY: KEY },
    'notes',
  ],
  'env with an option': [
    ['env', '-u', 'FOO', `API_KEY=${KEY}`, 'npx', '-y', 'notes-mcp'],
    { API_KEY: KEY },
    'notes',
  ],
  'docker -e': [
    ['docker', 'run', '-i', '--rm', '-e', `TOKEN=${TOKEN}`, 'ghcr.io/acme/notes-mcp'],
    { TOKEN },
    'notes',
  ],
  'docker -eX': [
    ['docker', 'run', '-i', '--rm', `-eTOKEN=${TOKEN}`, 'acme/notes-mcp'],
    { TOKEN },
    'notes',
  ],
  'docker --env=X': [
    ['docker', 'run', '-i', `--env=PAT=${KEY}`, 'acme/notes-mcp:1.2'],
    { PAT: KEY },
  ],
  'docker --env X, with options after the image': [
    ['docker', 'run', '--env', `PAT=${KEY}`, 'acme/notes-mcp', '--api-key', KEY],
    { PAT: KEY, API_KEY: KEY },
    'notes',
  ],
  'sh -c': [['sh', '-c', `API_KEY=${KEY} npx -y notes-mcp`], { API_KEY: KEY }, 'notes'],
  'sh -c with quotes and two': [
    ['/bin/sh', '-c', `A_KEY='${KEY}' B_KEY="${TOKEN}" exec npx -y notes-mcp --fast`],
    { A_KEY: KEY, B_KEY: TOKEN },
    'notes',
  ],
  'bash with export': [
    ['bash', '-ec', `export API_KEY=${KEY}; npx -y notes-mcp`],
    { API_KEY: KEY },
    'notes',
  ],
  'sh -c with export and &&': [
    ['sh', '-c', `export API_KEY=${KEY} && npx -y notes-mcp`],
    { API_KEY: KEY },
    'notes',
  ],
  'sh -c that needs a shell': [
    ['sh', '-c', `cd / && API_KEY=${KEY} npx -y notes-mcp 2>/dev/null`],
    { API_KEY: KEY },
  ],
  'an option and its value': [
    ['npx', '-y', 'notes-mcp', '--api-key', PASSWORD],
    { API_KEY: PASSWORD },
    'notes',
  ],
  'an option with =': [
    ['npx', '-y', 'notes-mcp', `--api-key=${PASSWORD}`],
    { API_KEY: PASSWORD },
    'notes',
  ],
  'a token by its form': [['npx', '-y', 'notes-mcp', TOKEN], { ARGUMENT_3: TOKEN }, 'notes'],
  'a header': [
    ['npx', 'mcp-remote', 'https://a.example/mcp', '--header', `Authorization: Bearer ${KEY}`],
    { AUTHORIZATION: `Bearer ${KEY}` },
  ],
  'a header of its own': [
    ['npx', 'mcp-remote', 'https://a.example/mcp', '--header', `X-Api-Key:${PASSWORD}`],
    { X_API_KEY: PASSWORD },
  ],
  'a key in the query of an address': [
    ['npx', 'mcp-remote', `https://a.example/mcp?api_key=${PASSWORD}`],
    { API_KEY: PASSWORD },
  ],
  'two in a query': [
    ['npx', 'mcp-remote', `https://a.example/mcp?api_key=${KEY}&user=${PASSWORD}`],
    { API_KEY: KEY, USER: PASSWORD },
  ],
  'a key in the path of an address': [
    ['npx', 'mcp-remote', `https://a.example/${KEY}/mcp`],
    { SERVER_PATH_1: KEY },
  ],
  'an address with a password': [
    ['npx', 'mcp-remote', `https://ann:${PASSWORD}@a.example/mcp`],
    { SERVER_PASSWORD: PASSWORD },
  ],
  'the address of a database': [
    ['npx', '-y', 'notes-mcp', `postgres://ann:${PASSWORD}@db.example/notes`],
    { POSTGRES_PASSWORD: PASSWORD },
    'notes',
  ],
  'the address of a database as an option': [
    ['npx', '-y', 'notes-mcp', `--dsn=postgres://ann:${PASSWORD}@db.example/notes`],
    { POSTGRES_PASSWORD: PASSWORD },
    'notes',
  ],
  'a package from a private repository': [
    ['uvx', '--from', `git+https://${TOKEN}@github.com/acme/x`, 'notes-mcp'],
    { SERVER_USER: TOKEN },
    'notes',
  ],
  'a variable of the command': [
    ['npx', '-y', 'notes-mcp', `DATABASE_URL=postgres://ann:${PASSWORD}@db.example/n`],
    { DATABASE_URL: `postgres://ann:${PASSWORD}@db.example/n` },
    'notes',
  ],
  'a variable that decides what runs is no secret': [
    ['env', 'NODE_OPTIONS=--no-warnings', `API_KEY=${KEY}`, 'npx', '-y', 'notes-mcp'],
    { API_KEY: KEY },
    'notes',
  ],
};

const SECRETS = [TOKEN, KEY, PASSWORD];

describe.concurrent('init', () => {
  test.for(Object.entries(CASES))('%s', async ([, [words, needs, name]], { world }) => {
    for (const program of ['npx', 'uvx', 'docker'])
      await world.write(join(world.bin, program), `#!/bin/sh\nexec /bin/sh ${NOTES}\n`, 0o755);
    const env = { PATH: `${world.bin}:${process.env.PATH}` };
    const ran = await world.run(['init', '--yes', '--', ...words], { env });
    expect([ran.code, ran.err]).toEqual([0, ran.err]);
    const text = await world.read('mcp-hooks.json');
    for (const secret of SECRETS) expect(text + ran.out + ran.err).not.toContain(secret);
    const manifest = JSON.parse(text);
    if (name !== undefined) expect(manifest.name).toBe(name);
    const json = JSON.stringify(manifest.server);
    const named = [...json.matchAll(/\$\{(\w+)\}/g)].map(([, one]) => one);
    expect([...new Set(named)].sort()).toEqual(Object.keys(needs).sort());
    // With the variables filled in, it is the same command as before.
    const filled = JSON.parse(json.replace(/\$\{(\w+)\}/g, (_, one) => needs[one] ?? ''));
    const all = JSON.stringify([filled.env ?? {}, filled.command, ...(filled.args ?? [])]);
    for (const secret of SECRETS)
      expect(all.includes(secret)).toBe(words.some((word) => word.includes(secret)));
    const validated = await world.run('validate mcp-hooks.json --server --yes', {
      env: { ...env, ...needs },
    });
    expect([validated.code, validated.err]).toEqual([0, validated.err]);
    for (const secret of SECRETS) expect(validated.out + validated.err).not.toContain(secret);
  });

  test('refuses a secret that no variable can replace', async ({ world }) => {
    await world.write(join(world.bin, 'npx'), `#!/bin/sh\nexec /bin/sh ${NOTES}\n`, 0o755);
    const env = { PATH: `${world.bin}:${process.env.PATH}` };
    const script = `cd / && npx -y notes-mcp --token ${TOKEN} 2>/dev/null`;
    const ran = await world.run(['init', '--yes', '--', 'sh', '-c', script], { env });
    expect([ran.code, ran.out + ran.err]).toEqual([2, expect.not.stringContaining(TOKEN)]);
    expect(ran.err).toContain('may be a secret');
  });
});
