/** What the tests of the CLI install, and how they read and run what was installed. */
import { randomUUID } from 'node:crypto';
import { execa } from 'execa';
import { parse } from 'smol-toml';
import type { World } from './world.ts';

export const COMMITTED = {
  event: 'post_tool_use',
  matcher: { tool_name: 'Bash', input_contains: 'git commit' },
  context: 'You just committed work. What did you learn?',
  priority: 'suggestion',
};

export const manifest = (...declarations: readonly object[]): string =>
  `${JSON.stringify({ hooks: { declarations } }, null, 2)}\n`;

/** What a scripted server answers when it is asked for its hooks. */
export const answer = (capabilities: object): string => {
  const serverInfo = { name: 'it', version: '1' };
  return JSON.stringify({
    body: { result: { protocolVersion: '2025-11-25', capabilities, serverInfo } },
  });
};

/** The clients: where their settings are, and a finished `git commit` as each reports it. */
export const CLIENTS = [
  {
    id: 'claude-code',
    config: '~/.claude/settings.json',
    event: 'PostToolUse',
    payload: { tool_name: 'Bash', tool_input: { command: 'git commit' }, tool_response: {} },
  },
  {
    id: 'codex',
    config: '~/.codex/config.toml',
    event: 'PostToolUse',
    payload: { tool_name: 'Bash', tool_input: { command: 'git commit' }, tool_response: '' },
  },
  {
    id: 'gemini-cli',
    config: '~/.gemini/settings.json',
    event: 'AfterTool',
    payload: {
      tool_name: 'run_shell_command',
      tool_input: { command: 'git commit' },
      tool_response: { llmContent: '' },
    },
  },
] as const;
export type ClientUnderTest = (typeof CLIENTS)[number];

interface Settings {
  readonly hooks?: Readonly<Record<string, readonly { hooks: readonly { command: string }[] }[]>>;
}

/** The commands under an event, as the client reads them. */
export async function commands(world: World, { config, event }: ClientUnderTest) {
  const text = await world.read(config);
  const settings: Settings = config.endsWith('.toml') ? parse(text) : JSON.parse(text);
  return (settings.hooks?.[event] ?? []).flatMap(({ hooks }) => hooks.map((hook) => hook.command));
}

/** Runs a hook command as the client does, with a finished `git commit`. */
export async function fire(
  world: World,
  client: ClientUnderTest,
  shell: string,
  command: string | undefined,
) {
  if (command === undefined) throw new Error(`no command under ${client.event}`);
  const input = JSON.stringify({
    session_id: 's-1',
    cwd: world.work,
    hook_event_name: client.event,
    // A new moment each time, as the clients send it. The same moment would be answered only once.
    tool_use_id: randomUUID(),
    timestamp: randomUUID(),
    ...client.payload,
  });
  const { exitCode, stdout, stderr } = await execa(shell, ['-c', command], {
    cwd: world.work,
    input,
    env: { HOME: world.home },
    reject: false,
  });
  return { code: exitCode, out: stdout, err: stderr };
}
