// The cost of a hook: each client's command as in its settings, in the shell that the client uses.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clients, commandIn, filesIn, recorded } from '../scripts/installed.mjs';
import { compare, compareOver, table } from './measure.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const COMMIT = {
  event: 'post_tool_use',
  matcher: { tool_name: 'Bash', input_contains: 'git commit' },
  context: 'You just committed work. What did you learn?',
  priority: 'suggestion',
};
/** The event that runs after a call: where its text is only noted for a later event, the one that notes it. */
const callOf = ({ eventsOf }) => {
  const { tells, notes } = eventsOf('post_tool_use');
  return notes ?? tells;
};

/** Prints three tables: our hooks, what people do today, and tool calls. */
export async function benchRunner({ scratch, cli, node, LANG }) {
  const home = join(scratch, 'runner');
  mkdirSync(home, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, LANG };
  const at = { cwd: home, env };
  const files = {};
  const install = (name, declarations, server) => {
    const manifest = join(home, `${name}.json`);
    writeFileSync(manifest, JSON.stringify({ name, server, hooks: { declarations } }));
    const ids = clients.map(({ id }) => id).join(',');
    const flags = ['--yes', '--json', '--allow', 'context-tool', '--client', ids];
    const args = [cli, 'install', manifest, ...flags];
    const { status, stdout, stderr } = spawnSync(node, args, { ...at, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    files[name] = filesIn(stdout, home);
  };
  install('commit', [COMMIT]);
  const many = Array.from({ length: 50 }, (_, index) => ({
    ...COMMIT,
    matcher: { tool_name: 'Bash', input_contains: `needle number ${index}` },
  }));
  install('many', many);
  install('start', [{ event: 'session_start', context: 'Welcome.', priority: 'important' }]);

  const commandOf = (client, native, label) =>
    commandIn(files[label][client.id], client, native, label);
  /** A recorded shell call with another command, also where the client repeats it in the tool's reply. */
  const payload = (client, command, changes) => {
    const { input } = client.payload;
    const sent = recorded(client, callOf(client));
    const { command: ran } = sent[input];
    const other = JSON.parse(
      JSON.stringify(sent).replaceAll(JSON.stringify(ran).slice(1, -1), 'ls'),
    );
    return JSON.stringify({ ...other, [input]: { ...other[input], command }, ...changes });
  };
  const file = (client, name, text) => {
    const stdin = join(home, `${name}-${client.id}`);
    writeFileSync(stdin, text);
    return stdin;
  };
  const words = (bytes) => 'ls -la src '.repeat(Math.ceil(bytes / 11)).slice(0, bytes);
  const rows = clients.flatMap((client) => {
    const call = callOf(client);
    const begin = client.nativeOf('session_start');
    const one = (name, label, stdin, limit, times) => ({
      name: `${client.id.padEnd(11)}  ${name}`,
      command: [...client.shell, commandOf(client, call, label)],
      stdin,
      limit,
      times,
      ...at,
    });
    const [small, large] = [2000, 1_000_000].map((bytes) =>
      file(client, `${bytes}`, payload(client, words(bytes))),
    );
    /** Makes that many new files each time, because what was shown once is not shown again. */
    const anew = (name, count, make) => {
      const stdin = join(home, `${name}-${client.id}`);
      mkdirSync(stdin, { recursive: true });
      const before = () => {
        for (let i = 0; i < count; i += 1)
          writeFileSync(join(stdin, `${i}`), make(`${process.hrtime.bigint()}-a`));
      };
      before();
      return { stdin, before };
    };
    const calls = anew('calls', 5, (own) =>
      payload(client, 'git commit -m x', { tool_use_id: own, timestamp: own }),
    );
    const { session, prompt } = client.payload;
    const sessions = anew('sessions', 10, (own) =>
      JSON.stringify({ ...recorded(client, begin), [session]: own }),
    );
    const start = {
      command: [...client.shell, commandOf(client, begin, 'start')],
      stdin: sessions.stdin,
      limit: 0.12,
      times: 10,
      ...at,
    };
    // The prompt without the path of its history. A shell would have to search all of it for that path.
    const { [client.payload.transcript]: _, ...unknown } = recorded(client, begin);
    const fieldless = () => {
      const stdin = file(
        client,
        'fieldless',
        JSON.stringify({ ...unknown, [session]: 'told', [prompt]: words(1_000_000) }),
      );
      const shells = ['sh', 'bash', 'zsh', 'ksh', 'busybox'].filter(
        (shell) => spawnSync(shell, ['-c', ':']).error === undefined,
      );
      return shells.map((shell) => ({
        ...start,
        name: `${client.id.padEnd(11)}  1 MB, a field missing, in ${shell}`,
        command: [...(shell === 'busybox' ? [shell, 'sh'] : [shell]), '-c', start.command.at(-1)],
        stdin,
        limit: 3,
        times: 1,
      }));
    };
    const name = `${client.id.padEnd(11)}  what a session starts with`;
    return [
      client.answersAlone
        ? { ...start, name, before: sessions.before }
        : { ...start, name: `${name}, told before`, limit: undefined },
      one('nothing to show, 2 kB', 'commit', small, 0.13, 10),
      one('nothing to show, 1 MB', 'commit', large, 0.3, 5),
      one('50 hooks, nothing to show', 'many', small, 0.14, 10),
      // Otherwise the text waits for another event.
      ...(call === client.nativeOf('post_tool_use')
        ? [
            {
              ...one('a text that is told', 'commit', calls.stdin, undefined, 3),
              before: calls.before,
              over: one('', 'commit', small),
            },
          ]
        : []),
      ...(client.answersAlone ? [] : fieldless()),
    ];
  });
  for (const { name, command, stdin, before } of rows.filter((row) => row.before)) {
    before();
    const input = readFileSync(join(stdin, '0'));
    const { stdout } = spawnSync(command[0], command.slice(1), { ...at, input });
    if (stdout.length === 0) throw new Error(`${name}: nothing was shown`);
  }
  const baseline = { command: [node, '-e', '0'], ...at };
  console.log('\nWhat a hook costs, as ratios to `node -e 0`, medians of 20.\n');
  console.log(table(await compare(rows, { baseline })));

  console.log(
    '\nA text that is shown: what it costs above its shell, which is that of a hook with nothing to show.\n',
  );
  const told = rows.filter(({ over }) => over).map((row) => ({ ...row, limit: 1.05 }));
  const more = ['', 'its shell', 'more: cpu', 'more: wall', 'at most', 'cpu ms'];
  console.log(table(await compareOver(told, { baseline }), more));

  const [client] = clients;
  const shells = { dash: 1.25, bash: 1.6, zsh: 1.6 };
  const sizes = { '2 kB': 2000, '8 kB': 8000, '60 kB': 60_000, '1 MB': 1_000_000 };
  const searched = Object.entries(shells)
    .filter(([shell]) => spawnSync(shell, ['-c', ':']).error === undefined)
    .flatMap(([shell, limit]) =>
      Object.entries(sizes).map(([size, bytes]) => ({
        name: `${shell.padEnd(4)}  ${size}`,
        command: [shell, '-c', commandOf(client, client.nativeOf('post_tool_use'), 'commit')],
        beside: { command: [shell, '-c', 'grep -qF x'] },
        stdin: file(client, `${bytes}`, payload(client, words(bytes))),
        limit,
        times: 10,
        ...at,
      })),
    );
  console.log(
    '\nNothing to show, as ratios to `grep -qF x` in the same shell with the same payload (at most), and to `node -e 0`, medians of 20.\n',
  );
  const beside = ['', 'to grep', 'cpu', 'wall', 'at most', 'cpu ms'];
  console.log(table(await compare(searched, { baseline }), beside));

  const stdin = file(client, 'call', payload(client, words(2000)));
  const script = join(home, 'hook.mjs');
  writeFileSync(
    script,
    "import { readFileSync } from 'node:fs';\nif (JSON.parse(readFileSync(0)).tool_input.command.includes('git commit')) console.log('{}');\n",
  );
  mkdirSync(join(home, 'node_modules/.bin'), { recursive: true });
  writeFileSync(join(home, 'package.json'), '{}');
  writeFileSync(join(home, 'node_modules/.bin/a-hook'), `#!/bin/sh\nexec node ${script}\n`, {
    mode: 0o755,
  });
  const jq = spawnSync('jq', ['--version']).status === 0;
  const others = [
    { name: 'a Node script with a check of its own', command: [node, script], times: 1 },
    { name: 'npx of an installed package', command: ['npx', '--no-install', 'a-hook'], times: 1 },
    ...(jq
      ? [
          {
            name: 'a bash script with jq',
            command: ['bash', '-c', "jq -r .tool_input.command | grep -q 'git commit'"],
            times: 5,
          },
        ]
      : []),
  ].map((one) => ({ ...one, stdin, ...at }));
  console.log('\nWhat people do today, with nothing to show, 2 kB.\n');
  console.log(table(await compare(others, { runs: 10, baseline })));
  if (!jq) console.log('(a bash script with jq: there is no jq here)');

  await benchTools({ home, node, at, install, commandOf, baseline });
}

/** The cost of a tool call, above that of a client that does nothing else. */
async function benchTools({ home, node, at, install, commandOf, baseline }) {
  const [local, remote] = [join(root, 'fixtures/servers/plain.mjs'), join(root, 'bench/http.mjs')];
  const serving = spawn(node, [remote], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = await once(serving.stdout.setEncoding('utf8'), 'data');
  const recall = [{ event: 'pre_request', context_tool: 'recall', priority: 'suggestion' }];
  const bare = join(root, 'bench/bare.cjs');
  const stdin = join(home, 'prompt');
  const [client] = clients;
  const native = client.nativeOf('pre_request');
  // The prompts have no ids, so none counts as shown before, and each is answered.
  const prompt = { session_id: 's', cwd: home, hook_event_name: native, prompt: 'Hi.' };
  writeFileSync(stdin, JSON.stringify(prompt));
  const row = (name, label, server, words, limit) => {
    install(label, recall, server);
    const command = [...client.shell, commandOf(client, native, label)];
    const { stdout } = spawnSync(command[0], command.slice(1), {
      ...at,
      input: JSON.stringify(prompt),
    });
    if (!String(stdout).includes('The build needs Node 20.'))
      throw new Error(`${label}: no answer`);
    const over = { command: [node, bare, 'recall', ...words], ...at };
    return { name, command, stdin, over, limit, ...at };
  };
  const rows = [
    // 0.05 of it is the shells that mark the server's processes and end them with the hook.
    row('a server over stdio', 'local', { command: node, args: [local] }, [node, local], 0.35),
    row('a server over HTTP', 'remote', { url: url.trim() }, [url.trim()], 0.3),
  ];
  const hello = { protocolVersion: '2025-11-25', capabilities: {} };
  const lines = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'recall', arguments: {} } },
  ].map((line) => `${JSON.stringify(line)}\n`);
  const said = join(home, 'said');
  writeFileSync(said, lines.join(''));
  const alone = { name: 'the server over stdio alone, fed by a file', stdin: said, ...at };
  console.log('\nA tool is called: what its server costs by itself, as a ratio to `node -e 0`.\n');
  console.log(table(await compare([{ ...alone, command: [node, local] }], { baseline })));
  console.log(
    '\nWhat the hook costs above a bare client written by hand (bench/bare.cjs), in units of `node -e 0`.\n',
  );
  const columns = ['', 'bare client', 'more: cpu', 'more: wall', 'at most', 'cpu ms'];
  console.log(table(await compareOver(rows, { baseline }), columns));
  serving.kill();
}
