/** A runner with hooks of the extended vocabulary, fired as whole processes, and a client that can decide everything. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Client, EventLowering } from '../../../src/clients/contract.ts';
import { type Compiled, compile } from '../../../src/compile/compile.ts';
import { runnerFiles } from '../../../src/compile/runner-files.ts';
import { RULES, type Rules } from '../../../src/declaration/policy.ts';
import { parseManifest } from '../../../src/sources/manifests/read.ts';
import { template } from '../../../src/system/package-files.ts';
import { clientOf } from './clients.ts';
import { root, scratch } from './world.ts';

const claude = clientOf('claude-code');

const told = (native: string, decide: EventLowering['decide']): EventLowering => ({
  text: { grade: 'exact', when: 'at once', on: [{ native, act: 'tell' }] },
  ...(decide && { decide }),
});
const waits = (native: string, later: string): EventLowering => ({
  text: {
    grade: 'late',
    when: 'later',
    on: [
      { native, act: 'mark' },
      { native: later, act: 'tell', marked: true },
    ],
  },
  tool: {
    grade: 'late',
    when: 'later',
    on: [
      { native, act: 'keep' },
      { native: later, act: 'tell', marked: true },
    ],
  },
});
const exact = { grade: 'exact' } as const;
const none = { matcher: 'none', timeout: 10 } as const;

/** The fields next to the name of the event. */
const specific = (answer: object) => ({
  hookSpecificOutput: { hookEventName: '{event}', ...answer },
});

/** Claude Code, as if every event could be decided. What real clients can decide is in their own folders. */
export const DECISIVE: Client = {
  ...claude,
  nativeEvents: {
    ...claude.nativeEvents,
    PreToolUse: {
      matcher: 'tool',
      timeout: 10,
      wire: {
        decide: {
          block: specific({
            permissionDecision: 'deny',
            permissionDecisionReason: '{reason}',
          }),
          input: specific({ permissionDecision: 'allow', updatedInput: '{input}' }),
        },
      },
    },
    PostToolUse: {
      matcher: 'tool',
      timeout: 10,
      wire: {
        decide: {
          block: { decision: 'block', reason: '{reason}' },
          output: specific({ updatedToolOutput: '{output}' }),
          outputText: ['stdout'],
        },
        failed: [{ at: 'tool_response.interrupted' }],
        duration: 'duration_ms',
      },
    },
    PostToolUseFailure: { matcher: 'tool', timeout: 10, wire: { failed: true } },
    PreCompact: none,
    SubagentStop: {
      ...none,
      wire: { decide: { block: { decision: 'block', reason: '{reason}' } } },
    },
  },
  lowering: {
    ...claude.lowering,
    pre_tool_use: told('PreToolUse', { block: exact, input: exact }),
    post_tool_use: {
      text: {
        grade: 'exact',
        when: 'at once',
        on: [
          { native: 'PostToolUse', act: 'tell' },
          { native: 'PostToolUseFailure', act: 'tell' },
        ],
      },
      decide: { block: exact, output: exact },
    },
    tool_error: told('PostToolUseFailure', undefined),
    pre_compact: waits('PreCompact', 'UserPromptSubmit'),
    post_compact: null,
    subagent_start: told('SubagentStart', undefined),
    subagent_end: told('SubagentStop', { block: exact }),
    budget_exceeded: {
      ...told('PreToolUse', { block: exact }),
    },
  },
  wire: {
    ...claude.wire,
    agent: 'agent_type',
    usage: {
      lines: { part: '"usage"', keys: { type: 'assistant' } },
      tokens: ['message.usage.input_tokens', 'message.usage.output_tokens'],
    },
  },
};

/** The same, with three seconds for hooks before a call. */
export const HURRIED: Client = {
  ...DECISIVE,
  nativeEvents: {
    ...DECISIVE.nativeEvents,
    PreToolUse: { matcher: 'tool', ...DECISIVE.nativeEvents.PreToolUse, timeout: 3 },
  },
};

/** A client that decides before a call, and shows the text afterwards. */
export const SPLIT: Client = {
  ...DECISIVE,
  lowering: {
    ...DECISIVE.lowering,
    pre_tool_use: {
      text: { grade: 'late', when: 'later', on: [{ native: 'PostToolUse', act: 'tell' }] },
      decide: {
        block: { ...exact, on: 'PreToolUse' },
        input: { ...exact, on: 'PreToolUse' },
      },
    },
  },
};

export interface Chain {
  /** As in a manifest of version 2. */
  readonly hooks: readonly object[];
  readonly client?: Client;
  readonly server?: unknown;
  /** Files of the manifest's folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** The user's grants; by default all of them. */
  readonly rules?: Partial<Rules>;
  readonly policy?: unknown;
}

export interface Fired {
  readonly stdout: string;
  readonly answer: unknown;
  readonly milliseconds: number;
}

export interface ChainWorld {
  readonly folder: string;
  readonly cwd: string;
  readonly state: string;
  readonly compiled: Compiled;
  /** @param payload As it arrives, if it is a text. */
  readonly fire: (native: string, payload?: object | string, env?: object) => Promise<Fired>;
  /** The lines of the log. */
  readonly log: () => Record<string, unknown>[];
}

const ALL = { contextTool: true, block: true, modify: true, command: true, projectCode: true };

export function chain(setup: Chain): ChainWorld {
  const folder = scratch();
  const [state, runner, cwd] = ['state', 'runner', 'shop'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const made of [state, runner, cwd]) mkdirSync(made);
  for (const [name, text] of Object.entries(setup.files ?? {})) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  }
  const { client = DECISIVE, server = { command: 'none' } } = setup;
  const manifest = { version: 2, name: 'annal', server, hooks: { declarations: setup.hooks } };
  const declared = parseManifest(JSON.stringify(manifest), join(folder, 'm.json'));
  const errors = declared.problems.filter(({ level }) => level === 'error');
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  if (setup.policy !== undefined)
    writeFileSync(join(state, 'policy.json'), JSON.stringify(setup.policy));
  const defaults = { ...RULES, ...(setup.rules ?? ALL) };
  const compiled = compile(declared, client, { runner, state, defaults });
  const host = { node: process.execPath, platform: process.platform, template };
  for (const { name, bytes, mode } of runnerFiles(
    host,
    runner,
    [compiled.program],
    Buffer.from('{}'),
  ))
    writeFileSync(join(runner, name), bytes, { mode });
  const fire: ChainWorld['fire'] = async (native, payload = {}, env = {}) => {
    const started = performance.now();
    const child = spawn(
      process.execPath,
      [join(runner, 'runner.cjs'), client.id, native, 'whole'],
      { cwd, env: { PATH: process.env.PATH, HOME: folder, ...env } },
    );
    const said: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text) => said.push(text));
    child.stderr.setEncoding('utf8').on('data', (text) => said.push(`stderr: ${text}`));
    child.stdin.on('error', () => {});
    const whole = () => JSON.stringify({ ...payloadOf(native, cwd), ...Object(payload) });
    child.stdin.end(typeof payload === 'string' ? payload : whole());
    await once(child, 'close');
    const stdout = said.join('');
    const milliseconds = performance.now() - started;
    return { stdout, answer: stdout === '' ? undefined : JSON.parse(stdout), milliseconds };
  };
  const log = () => {
    const file = join(state, 'log', 'annal.jsonl');
    if (!existsSync(file)) return [];
    return readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line));
  };
  return { folder, cwd, state, compiled, fire, log };
}

let fired = 0;
const payloadOf = (native: string, cwd: string) => ({
  session_id: 'one',
  hook_event_name: native,
  cwd,
  transcript_path: join(cwd, 'transcript.jsonl'),
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_use_id: `use-${fired++}`,
  prompt_id: `prompt-${fired}`,
  ...(native === 'UserPromptSubmit' && { prompt: 'do it' }),
  ...(native === 'PostToolUse' && { tool_response: { stdout: 'a.txt', stderr: '' } }),
  ...(native === 'PostToolUseFailure' && { error: 'Exit code 3' }),
});

/** A server that runs `server.cjs` with these instructions. */
export const serverTold = (told: object) => ({
  command: process.execPath,
  args: [join(root, 'test/support/runner/server.cjs'), JSON.stringify(told)],
});

/** The codes in the log for texts that were not shown and decisions that did not count. */
export const reasonsOf = (world: ChainWorld): unknown[] =>
  world.log().flatMap(({ why }) => (Array.isArray(why) ? why.map(({ code }) => code) : []));

/** The lines of hooks in the text for the model, without headings. */
export const linesIn = (answer: unknown): string[] =>
  textsIn(answer).flatMap((text) =>
    text.split('\n').flatMap((line) => (line.startsWith('| ') ? line.slice(2) : [])),
  );

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};
