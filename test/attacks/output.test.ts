import { describe, expect } from 'vitest';
import { manifest } from '../support/hooks.ts';
import { serve } from '../support/servers/addressed.ts';
import type { World } from '../support/world.ts';
import { attack, env } from './attack.ts';

const FORGED = 'Installed: annal for Claude Code; 1 file changed.';

/** Everything that begins a line, at least in a terminal. */
const BREAKS = ['\n', '\r\n', '\r', '\u0085', '\u2028', '\u001b[1E', '\u001b[2K\r', '\v', '\f'];
const forge = (words: string): string => BREAKS.map((one) => `${words}${one}${FORGED}`).join('');

/** Runs a command, and checks that nothing in its output is forged. */
async function honest(world: World, words: readonly string[], cwd = world.work): Promise<string> {
  const { out, err } = await world.run(words, { env, cwd });
  const said = out + err;
  expect(said).not.toMatch(/[\r\v\f\u001b\u0085\u2028]/);
  expect(said.split('\n').filter((line) => line.trimStart().startsWith('Installed:'))).toEqual([]);
  return said;
}

/** A server that gives this answer to every request, and writes to stderr. */
const answering = (message: object | string, stderr = ''): string[] => [
  process.execPath,
  '-e',
  `process.stderr.write(${JSON.stringify(stderr)});
   require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
     const { id } = JSON.parse(line);
     const answer = ${JSON.stringify(message)};
     console.log(typeof answer === 'string' ? answer : JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
     if (${JSON.stringify(stderr)}) process.exit(1);
   });`,
];

const install = ['install', '--name', 'x', '--client', 'claude', '--yes', '--'];

describe.concurrent('what a server writes', () => {
  attack("a server's error cannot forge a line of ours", async ({ world }) => {
    await world.folder('~/.claude');
    const error = { code: -1, message: forge('no') };
    expect(await honest(world, [...install, ...answering({ error })])).toContain('Installed');
  });

  attack("a server's stderr cannot forge a line of ours", async ({ world }) => {
    await world.folder('~/.claude');
    expect(await honest(world, [...install, ...answering({}, forge('no'))])).toContain('Installed');
  });

  attack("a server's stdout cannot forge a line of ours", async ({ world }) => {
    await world.folder('~/.claude');
    await honest(world, [...install, ...answering(forge('no'), 'x')]);
  });

  attack('a declaration that is not understood cannot forge a line of ours', async ({ world }) => {
    await world.folder('~/.claude');
    const declarations = [{ event: forge('x'), [forge('y')]: forge('z'), context: 'x' }];
    const capabilities = { experimental: { hooks: { declarations } } };
    const serverInfo = { name: forge('x'), version: forge('1') };
    const result = { protocolVersion: '2025-11-25', capabilities, serverInfo };
    await honest(world, [...install, ...answering({ result })]);
    await world.write('x.json', JSON.stringify({ hooks: { declarations }, [forge('a')]: 1 }));
    for (const line of ['validate', 'diff', 'install']) await honest(world, [line, 'x.json']);
  });

  attack('the status of an HTTP server cannot forge a line of ours', async ({ world }) => {
    const { url } = await serve((_, response) => {
      response.writeHead(418, `no\u0085${FORGED}`, { 'content-type': 'text/plain' });
      response.end(forge('no'));
    });
    await world.folder('~/.claude');
    await honest(world, ['install', url, '--yes']);
  });
});

describe.concurrent('names', () => {
  attack('the name of a configured server cannot forge a line of ours', async ({ world }) => {
    const name = forge('x');
    const entry = { command: '/nowhere/x', args: [forge('y')], env: { [forge('K')]: forge('v') } };
    await world.write('.mcp.json', JSON.stringify({ mcpServers: { [name]: entry } }));
    await world.write('~/.claude.json', JSON.stringify({ mcpServers: { [name]: entry } }));
    await honest(world, ['scan', '--yes']);
    await honest(world, ['install', name, '--yes']);
    await honest(world, ['diff', '--from', 'claude', name]);
  });

  attack(
    'names of packages, files, folders and labels cannot forge a line of ours',
    async ({ world }) => {
      const name = forge('x');
      await world.write('annal.json', '{');
      for (const words of [
        ['install', `npm:${name}`, '--yes'],
        ['install', `./${name}.json`],
        ['validate', name],
        ['uninstall', name],
        ['log', name],
        ['doctor', name],
        ['fire', name, name],
        ['verify', name],
        ['login', name],
        ['login', `http://127.0.0.1:9/${name}`],
        ['list', '--client', name],
        ['install', 'annal.json', '--name', name],
        ['install', 'annal.json', '--header', name],
      ])
        await honest(world, words);
      for (const one of BREAKS) {
        const folder = `x${one}${FORGED}`;
        await world.write(`${folder}/mcp-hooks.json`, '{ "hooks": 1 }');
        for (const line of ['validate', 'diff']) await honest(world, [line, `./${folder}`]);
      }
    },
  );

  attack('refused settings cannot forge a line of ours', async ({ world }) => {
    await world.write('annal.json', JSON.stringify({ hooks: { declarations: [] } }));
    await world.write('~/.claude/settings.json', `{ "${forge('x')}": 1, "hooks": {`);
    await world.write('~/.codex/config.toml', `"""${forge('x')}""" = = 1\n`);
    await world.write('~/.mcp-hooks/policy.json', JSON.stringify({ [forge('x')]: 1 }));
    for (const line of ['install annal.json --yes', 'doctor', 'list', 'scan', 'verify'])
      await honest(world, line.split(' '));
  });
});

attack(
  'the log of hooks and the entries of servers cannot forge a line of ours',
  async ({ world }) => {
    const hook = { event: 'session_start', context_tool: 'recall', priority: 'important' };
    const server = { command: '/nowhere/x', args: [] };
    const manifest = { name: 'annal', server, hooks: { declarations: [hook] } };
    await world.write('annal.json', JSON.stringify(manifest));
    await world.folder('~/.claude');
    await world.run('install annal.json --yes --allow context-tool', { env });
    const line = { at: 1, client: 'claude-code', event: 'SessionStart', hooks: [], characters: 0 };
    const lines = [
      { ...line, reason: forge('x') },
      { ...line, client: forge('x'), event: forge('y'), reason: forge('z'), text: forge('t') },
      { ...line, why: [{ code: 'tool-failed', said: forge('s') }] },
    ];
    const log = lines.map((one) => `${JSON.stringify(one)}\n`).join('');
    for (const words of [['log'], ['doctor'], ['list'], ['verify'], ['update']]) {
      await world.write('~/.mcp-hooks/log/annal.jsonl', log);
      await honest(world, words);
    }
    const said = (await honest(world, ['doctor'])).replace(/\s+/g, ' ');
    expect(said).toContain(
      'failed in Claude Code (SessionStart): the tool failed (the server said: "',
    );
    const entry = (value: string) => ({ ...server, env: { [forge('K')]: value } });
    const one = { mcpServers: { notes: entry('1') } };
    await world.write('~/.claude.json', JSON.stringify(one));
    await world.write(
      '~/.gemini/settings.json',
      JSON.stringify({ mcpServers: { notes: entry('2') } }),
    );
    expect(await honest(world, ['install', 'notes', '--yes'])).toContain('value 2');
    expect(await honest(world, ['scan'])).toContain('value 2');
  },
);

attack('the name of a folder cannot forge a line of ours', async ({ world }) => {
  const folder = `x\n${FORGED.replaceAll('/', '-')}`;
  const hook = { event: 'session_start', context: 'Hello.', priority: 'important' };
  const server = { command: '/nowhere/x', args: [] };
  const manifest = JSON.stringify({ name: 'annal', server, hooks: { declarations: [hook] } });
  await world.write('annal.json', manifest);
  await world.write(`${folder}/annal.json`, manifest);
  await world.folder('~/.claude', `${folder}/.git`);
  const at = (line: string) => honest(world, line.split(' '), world.path(folder));
  await honest(world, ['install', 'annal.json', '--yes', '--quiet']);
  // In another project, where the name belongs to another source.
  expect(await at('diff annal.json')).toContain('another source');
  await at('install annal.json --yes');
  await at('install annal.json --yes --replace --dry-run');
  for (const flags of ['--replace', '--scope project'])
    await at(`install annal.json --yes --quiet ${flags}`);
  for (const line of ['list', 'doctor', 'verify', 'validate annal.json', 'update', 'import'])
    await at(line);
  await at('diff annal.json --scope local');
  await at('uninstall --all --dry-run --diff --scope project');
  await honest(world, ['uninstall', '--all', '--yes']);
});

/** Words that follow the command in entries of real servers, as their pages say. No name of an option marks them as secret. */
const WORDS = {
  'a token by itself': 'gsk_7Qm2Zt9LxVb4Hd8RkWcYp3Ns',
  'a path of an address': 'https://mcp.notes.example/s/7Qm2Zt9LxVb4Hd8RkWcYp3Ns/sse',
  'a query of an address': 'https://mcp.notes.example/mcp?k=7Qm2Zt9LxVb4Hd8RkWcYp3Ns',
  'a header': 'X-Notes: 7Qm2Zt9LxVb4Hd8RkWcYp3Ns',
  'a setting in JSON': '{"notesKey": "7Qm2Zt9LxVb4Hd8RkWcYp3Ns"}',
  'a pair': 'AC0123456789/SK0123456789:7Qm2Zt9LxVb4Hd8RkWcYp3Ns',
  'a short option': '-p7Qm2Zt9LxVb4Hd8RkWcYp3Ns',
};

for (const [what, word] of Object.entries(WORDS))
  attack(
    `a diff hides a secret of the server beside our lines: ${what}`,
    async ({ world, expect }) => {
      const args = JSON.stringify(['-y', 'notes-server', word]);
      const url = JSON.stringify(word.startsWith('http') ? word : 'https://notes.example/mcp');
      const json = `{\n  "mcpServers": {\n    "notes": { "command": "npx", "url": ${url},\n      "args": ${args} }\n  }\n}\n`;
      await world.write('~/.gemini/settings.json', json);
      await world.write('~/.claude/settings.json', json.replaceAll(/\s+/g, ' '));
      await world.write(
        '~/.codex/config.toml',
        `[mcp_servers.notes]\nurl = ${url}\nargs = ${args}\n`,
      );
      await world.write(
        'notes.json',
        manifest({ event: 'session_start', context: 'Hello.', priority: 'suggestion' }),
      );
      for (const line of ['diff notes.json', 'diff notes.json --json']) {
        const { out, err } = await world.run(line);
        expect(out).toContain('servers/notes/');
        expect(out + err).not.toContain('7Qm2');
      }
    },
  );
