// The contract for running a real client headless and offline, against a scripted model.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonObject as Settings } from '../../edit/edit.ts';
import { pair } from '../../edit/toml-value.ts';
import type { Executable, ProcessOptions, ProcessResult } from '../../system/child.ts';
import { run } from '../../system/child.ts';
import type { Env } from '../../system/env.ts';
import { attempt } from '../../system/errors.ts';
import { getPath, type Json, parse } from '../../system/json.ts';
import type { Client } from '../contract.ts';
import type { ServerClient } from '../servers/servers.ts';
import type { ModelApi } from './apis/model-api.ts';
import { Model } from './model.ts';
import type { Answers, Step } from './script.ts';

export interface Place {
  /** The scratch HOME. The real one is never used. */
  home: string;
  project: string;
  /** The creator's environment. Clients only get the variables that they need. */
  outer: Env;
}

export interface Session extends Place, Answers {
  launch: Executable;
  /** One turn each, all in one session (one session id). */
  prompts: string[];
  model?: string;
  /** Added to the environment, which otherwise contains only what the client needs. */
  env?: Record<string, string>;
  /** The id of a session to continue, begun with `resume`. */
  resume?: string;
  /** Default: the first of the client's `turns`. */
  turns?: Turns;
  /** Milliseconds after which the rest of the session is killed, with all its child processes. */
  deadline?: number;
}

/**
 * How the prompts of a session reach the client. The session id is the same for all prompts in either way.
 *
 * `live`: one process for all prompts, as in a terminal: session start and session end fire once.
 * - Claude Code 2.1.329: `--input-format=stream-json`; about 1 s for two prompts.
 * - Codex 0.169.0: `codex app-server`, the engine of its terminal interface; about 0.7 s.
 * - Gemini CLI 0.61.0 has none: its `--acp` fires no SessionStart, the rest needs a terminal.
 *
 * `resume`: one process for each prompt, the later ones resume the session. Session end fires after each, and session start
 * again with the source `resume`.
 * - Claude Code: `--print --resume=<id>`; about 1.5 s for two prompts.
 * - Codex: `codex exec` and `codex exec resume <id>`; about 1 s.
 * - Gemini CLI: `--prompt --resume=<id>`; about 4 s. Its history then differs from what the model saw before: tool results come
 *   twice, and a prompt that carried SessionStart context is missing.
 */
export type Turns = 'live' | 'resume';

export type SessionResult = ProcessResult &
  Pick<Model, 'conversation' | 'side' | 'stepsLeft' | 'refused'>;

export interface StdioServer {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

/** Steps that call a tool with a word in its input; undefined: the tool's input cannot contain the word. */
export type Calling = (word: string, project: string) => Step[] | undefined;

/** How `verify --live` and the tests run a client: headless, offline, in a separate home. */
export interface ClientDriver {
  api: ModelApi;
  /** The environment variables with which it uses the scripted model. */
  env(session: Session, model: Model): Record<string, string>;
  /** The supported ways, best first. */
  turns: readonly Turns[];
  /** Writes the settings without which the client does not run, as a user would have them. */
  prepare(place: Place): void;
  /**
   * The user's settings besides hooks that our session keeps, so that we notice if the client drops the file. Settings that
   * would change where requests go are left out. Absent: none are kept. @param file Its name.
   */
  keeps?(settings: Settings, file: string): Settings | undefined;
  addServers(place: Place, servers: Record<string, StdioServer>): void;
  /** Trusts the hooks in the scratch home, for a client that asks its user before new hooks run. */
  trust?(
    place: Place,
    launch: Executable,
    options?: Pick<Session, 'env' | 'deadline'>,
  ): Promise<void>;
  /** Native names of the tools that a script can call and that need only the project. The first is the shell. */
  tools: Readonly<Record<string, Calling>>;
  /**
   * How a script makes the client compact its history, in a session of these turns (absent: the first of its own): a prompt
   * (absent: the client does it by itself during the next one), the model's answers then, and its answer to a request outside
   * the conversation. Absent: unknown.
   */
  compaction?: {
    readonly turns?: Turns;
    readonly prompt?: string;
    readonly steps: readonly Step[];
    readonly aside?: string;
    /** The event of a compaction whose hooks the client does not wait for. The model waits for them before it answers. */
    readonly unawaited?: string;
  };
  /** The id of the session that a `resume` run has begun, from its stdout; '' before that. */
  sessionIn(stdout: string): string;
  run(session: Session): Promise<SessionResult>;
}

/** The parts of a driver that differ between clients. */
interface Headless extends Omit<ClientDriver, 'run' | 'turns' | 'addServers'> {
  client: Client;
  /** Null: it is unknown where the client stores servers, so no hook can call one. */
  servers: ServerClient | null;
  /**
   * The arguments for one prompt of `resume`; absent: it is `live` with only this prompt. @param id The session's id; '' for
   * the first prompt.
   */
  args?(session: Session, model: Model, prompt: string, id: string): string[];
  /** The client does not wait for hooks after a call, and stops them when it ends. So the model waits before each text. */
  unawaited?: boolean;
  /** Absent: the client does not support it. */
  live?(session: Session, model: Model, options: ProcessOptions): Promise<ProcessResult>;
}

/** Whether the client's file contains our hooks for an event, in the home or the project. */
export const hasHooks = (client: Client, { home, project }: Place, event: string): boolean =>
  [client.userFolder({}, home, process.platform), join(project, client.projectFolder)]
    .map((folder) => join(folder, client.placement.files.user[0].name))
    .some((file) => existsSync(file) && readFileSync(file, 'utf8').includes(`"${event}": [`));

export function driverFor(headless: Headless): ClientDriver {
  const { client, api, servers, env, args, unawaited, live, ...driver } = headless;
  const optionsOf = (session: Session, model: Model): ProcessOptions => ({
    cwd: session.project,
    env: {
      ...environment(session, model),
      ...env(session, model),
      ...session.env,
    },
    deadline: session.deadline,
  });
  /** One process per prompt, in order, until one fails. */
  const oneByOne = async (session: Session, model: Model): Promise<ProcessResult> => {
    const all: ProcessResult = { stdout: '', stderr: '', exitCode: 0 };
    const { deadline = Infinity, ...options } = optionsOf(session, model);
    const until = Date.now() + deadline;
    for (const prompt of session.prompts) {
      const id = session.resume ?? driver.sessionIn(all.stdout);
      const left = Number.isFinite(until) ? Math.max(1, until - Date.now()) : undefined;
      const how = { ...options, deadline: left };
      const one = args
        ? await run(session.launch, args(session, model, prompt, id), how)
        : await live?.({ ...session, prompts: [prompt], resume: id }, model, how);
      if (!one) throw new Error(`it is not known how ${client.name} is started`);
      all.stdout += one.stdout;
      all.stderr += one.stderr;
      all.exitCode = one.exitCode;
      if (one.exitCode !== 0) break;
    }
    return all;
  };
  return {
    ...driver,
    api,
    env,
    addServers: (place, added) => addServers(servers, place, added),
    turns: live ? ['live', 'resume'] : ['resume'],
    async run(session) {
      if (session.turns === 'live' && !live)
        throw new Error(
          `${client.name} has no headless way to give a running session a second prompt`,
        );
      const model = await Model.start(api, { ...session, ...(unawaited && { unawaited }) });
      try {
        const result =
          live && session.turns !== 'resume'
            ? await live(session, model, optionsOf(session, model))
            : await oneByOne(session, model);
        const { conversation, side, stepsLeft, refused } = model;
        return { ...result, conversation, side, stepsLeft, refused };
      } finally {
        await model.close();
      }
    },
  };
}

/** The environment without a model. */
export const atHome = ({ home, outer }: Omit<Place, 'project'>): Record<string, string> => ({
  PATH: outer.PATH ?? '',
  HOME: home,
  // On Windows, HOME is not the home folder.
  ...(process.platform === 'win32' && { USERPROFILE: home }),
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
});

/** The environment of a client, with nothing of ours except the path to git, node and the shell. */
const environment = (place: Place, model: Model) => ({
  ...atHome(place),
  // All requests to the internet end at the scripted model.
  HTTPS_PROXY: model.url,
  NO_PROXY: '127.0.0.1,localhost',
});

export function writeJson(file: string, value: object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** Adds servers to the user's file, in the client's own form. */
function addServers(
  client: ServerClient | null,
  { home, project: cwd }: Place,
  servers: Readonly<Record<string, StdioServer>>,
): void {
  if (Object.keys(servers).length === 0) return;
  const files = client?.files({ env: {}, home, cwd, platform: process.platform });
  const file = files?.find(({ scope }) => scope === 'user');
  const written = client?.written;
  if (!file || !written) throw new Error('it is not known how a server is added');
  const { path, keys, format } = file;
  const added = Object.entries(servers).map(([name, one]) => [name, written.entry(one)] as const);
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (format === 'toml') {
    const tables = added.map(([name, entry]) => {
      const lines = Object.entries(entry).map(([key, value]) => pair(key, value));
      return `\n[${[...keys, JSON.stringify(name)].join('.')}]\n${lines.join('\n')}\n`;
    });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, before + tables.join(''));
  } else {
    const [key = ''] = keys;
    const document: Json = before === '' ? {} : parse(before);
    const all = { ...Object(getPath(document, key)), ...Object.fromEntries(added) };
    writeJson(path, { ...Object(document), [key]: all });
  }
}

/** Claude Code's protocol for programs: one process that gets a prompt on stdin at the end of each turn. */
export function turnByTurn(
  { launch, prompts }: Session,
  flags: readonly string[],
  options: ProcessOptions,
): Promise<ProcessResult> {
  const waiting = [...prompts];
  const next = (stdin: NodeJS.WritableStream): void => {
    const content = waiting.shift();
    if (content === undefined) stdin.end();
    else stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`);
  };
  return run(launch, [...flags, '--input-format=stream-json'], {
    ...options,
    onStart: next,
    onLine(line, stdin) {
      if (isResult(line)) next(stdin);
    },
  });
}

/** The end of a turn. A line that cannot be parsed is not an end; the exit code will report the problem. */
const isResult = (line: string): boolean =>
  attempt(() => getPath(parse(line), 'type')) === 'result';

/** The first line of stdout that contains a text, parsed as JSON; undefined: there is none. */
export function lineWith(text: string, stdout: string): Json | undefined {
  const line = stdout.split('\n').find((one) => one.includes(text));
  return line === undefined ? undefined : parse(line);
}
