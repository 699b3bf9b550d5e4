// What a hook costs: each client's command as it is in its settings, in the shell that the client uses.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { compare, table } from './measure.mjs';

const COMMIT = {
  event: 'post_tool_use',
  matcher: { tool_name: 'Bash', input_contains: 'git commit' },
  context: 'You just committed work. What did you learn?',
  priority: 'suggestion',
};
/** Claude Code runs a command with /bin/sh, the others with bash. */
const CLIENTS = [
  {
    id: 'claude-code',
    file: '.claude/settings.json',
    event: 'PostToolUse',
    tool: 'Bash',
    shell: 'sh',
  },
  { id: 'codex', file: '.codex/config.toml', event: 'PostToolUse', tool: 'Bash', shell: 'bash' },
  {
    id: 'gemini-cli',
    file: '.gemini/settings.json',
    event: 'AfterTool',
    tool: 'run_shell_command',
    shell: 'bash',
  },
];

/** Prints two tables: ours, and what people do today. */
export function benchRunner({ scratch, cli, node }) {
  const home = join(scratch, 'runner');
  mkdirSync(home, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home };
  const at = { cwd: home, env };
  const install = (name, declarations) => {
    const manifest = join(home, `${name}.json`);
    writeFileSync(manifest, JSON.stringify({ name, hooks: { declarations } }));
    const args = [cli, 'install', manifest, '--yes', '--client', 'claude,codex,gemini'];
    const { status, stderr } = spawnSync(node, args, { ...at, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  };
  install('commit', [COMMIT]);
  const many = Array.from({ length: 50 }, (_, index) => ({
    ...COMMIT,
    matcher: { tool_name: 'Bash', input_contains: `needle number ${index}` },
  }));
  install('many', many);

  const commandOf = ({ file, event }, label) => {
    const text = readFileSync(join(home, file), 'utf8');
    const { hooks } = file.endsWith('.toml') ? parse(text) : JSON.parse(text);
    const commands = hooks[event].flatMap((group) => group.hooks.map(({ command }) => command));
    return commands.find((command) => command.includes(`/${label}/`));
  };
  const payload = (client, command) => {
    const stdin = join(home, `payload-${client.id}-${command.length}-${command.slice(0, 3)}`);
    const tool = { tool_name: client.tool, tool_input: { command }, tool_response: '' };
    writeFileSync(
      stdin,
      JSON.stringify({ session_id: 's', cwd: home, hook_event_name: client.event, ...tool }),
    );
    return stdin;
  };
  const words = (bytes) => 'ls -la src '.repeat(Math.ceil(bytes / 11)).slice(0, bytes);
  const rows = CLIENTS.flatMap((client) => {
    const one = (name, label, text, limit, times) => ({
      name: `${client.id.padEnd(11)}  ${name}`,
      command: [client.shell, '-c', commandOf(client, label)],
      stdin: payload(client, text),
      limit,
      times,
      ...at,
    });
    return [
      one('nothing to say, 2 kB', 'commit', words(2000), 0.1, 10),
      one('nothing to say, 1 MB', 'commit', words(1_000_000), 0.3, 5),
      one('50 hooks, nothing to say', 'many', words(2000), 0.12, 10),
      one('a text that is told', 'commit', 'git commit -m x', 1.15, 1),
    ];
  });
  const baseline = { command: [node, '-e', '0'], ...at };
  console.log('\nWhat a hook costs, as ratios to `node -e 0`, medians of 20.\n');
  console.log(table(compare(rows, { baseline })));

  const stdin = payload(CLIENTS[0], words(2000));
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
  console.log('\nWhat people do today, with nothing to say, 2 kB.\n');
  console.log(table(compare(others, { runs: 10, baseline })));
  if (!jq) console.log('(a bash script with jq: there is no jq here)');
}
