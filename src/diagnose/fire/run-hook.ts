/** Runs one hook as its client would, and reads its answer: whether it starts, what it adds, or why it adds nothing. */

import { statSync } from 'node:fs';
import { type Act, type Client, wireOf } from '../../clients/contract.ts';
import type { ConfiguredHook } from '../../clients/entries.ts';
import { bindingsOf } from '../../clients/lowerings.ts';
import { logFiles, type Places } from '../../clients/places.ts';
import type { EventProgram, ProgramHook } from '../../compile/program.ts';
import type { RunnerReason } from '../../compile/runner-messages.ts';
import { secondStage } from '../../compile/second-stage.ts';
import { isObject, type JsonObject, type JsonValue } from '../../edit/edit.ts';
import { type Executable, type ProcessOptions, run, TookTooLong } from '../../system/child.ts';
import type { Disk } from '../../system/disk.ts';
import type { Env } from '../../system/env.ts';
import { attempt, codeOf } from '../../system/errors.ts';
import { runnerCode } from '../../system/runner-code.ts';
import { redactor } from '../../system/secrets.ts';
import { type LogEntry, lastLines, parseLog, TRIAL } from '../log.ts';
import type { InstalledEvent } from './installed.ts';
import { fit } from './matching.ts';
import { type Dropped, type Prediction, predict, type Reason } from './predict.ts';
import type { Scene } from './session-memory.ts';

/** The result for one declared hook. */
export interface FiredHook extends Pick<ProgramHook, 'number' | 'event' | 'act'> {
  /** It was shown to the model or changed something. For a `call`: the tool was called. */
  readonly shown: boolean;
  readonly reason?: Reason;
  readonly demoted?: true | undefined;
  /** Its command was only started in the background. */
  readonly background?: true | undefined;
  /** Set if it failed: the effect on the event that it may decide about. */
  readonly failed?: OnFailure | undefined;
}

type OnFailure = NonNullable<LogEntry['onFailure']>[number]['action'];

export interface HookRun {
  readonly native: string;
  readonly payload: JsonObject;
  readonly matcher?: string;
  readonly value?: string;
  readonly started: boolean;
  readonly text?: string;
  /** The text starts one more turn of the model. */
  readonly asks?: true;
  /** The effect of a decision on what was about to happen. */
  readonly decided?: 'blocked' | 'changed';
  /** Why it was blocked. */
  readonly reason?: string;
  readonly milliseconds?: number;
  /** A fault of the command or its answer. The model then reads none of the answer. */
  readonly trouble?: Trouble;
  /** Failures of the whole event, as opposed to those of one hook. */
  readonly why?: readonly RunnerReason[];
  readonly hooks: readonly FiredHook[];
}

export interface Trouble {
  readonly code: 'matcher' | 'timeout' | 'shell' | 'exit' | 'stderr' | 'breach';
  readonly what: string;
}

/** Where and with what hooks are run. */
export interface Range extends Pick<Scene, 'cwd' | 'session'> {
  readonly places: Places;
  readonly disk: Pick<Disk, 'read'>;
  readonly runHook?: RunHook | undefined;
}

/** Runs the command of a hook in a shell. */
export type RunHook = typeof run;

/** Fires the client's event for each entry in its settings. */
export async function fireEvent(
  event: InstalledEvent,
  payload: JsonObject,
  range: Range,
): Promise<HookRun[]> {
  const runs: HookRun[] = [];
  for (const entry of event.entries) runs.push(await fireEntry(entry, event, payload, range));
  return runs;
}

async function fireEntry(
  entry: ConfiguredHook,
  { native, program }: InstalledEvent,
  payload: JsonObject,
  range: Range,
): Promise<HookRun> {
  const { matcher, client, label = '' } = entry;
  const { fits, tooSlow, value } = fit(entry, payload);
  const stdin = JSON.stringify(payload);
  const known = { native, payload, started: fits, matcher, value };
  if (tooSlow) return { ...known, trouble: { code: 'matcher', what: matcher ?? '' }, hooks: [] };
  if (!fits) return { ...known, hooks: [] };
  const predictions = program ? predict(program, stdin) : [];

  const log = watchLog(label, client.id, native, range);
  const ran = await runWritten(entry, stdin, range);
  const answer = readAnswer(client, native, ran.stdout, payload, program?.chain === true);
  const breach: Trouble | undefined =
    'breach' in answer ? { code: 'breach', what: answer.breach } : undefined;
  const trouble = ran.trouble ?? breach;
  const logged = log();
  const actions = logged.flatMap(({ decisions = [] }) => decisions.map(({ action }) => action));
  // Some clients show a changed output as the reason of a block.
  const isChange = actions.length > 0 && !actions.includes('block');
  const said = 'breach' in answer || trouble ? undefined : answer;
  const decided = said?.decided && isChange ? {} : said?.decided;
  const text = said?.text ?? decided?.block;
  const shown = logged.length > 0 ? logged.flatMap(({ hooks }) => hooks) : undefined;
  const all = logged.flatMap(({ why }) => why ?? []);
  const dropped = all.filter((why): why is Dropped => why.code === 'dropped');
  const reasons = all.filter(({ code }) => code !== 'dropped');
  const shared = reasons.filter(isShared);
  const each = logged.flatMap(({ each = [] }) => each);
  const noRoom = each.flatMap((one) => (one.noRoom ? one.hook : []));
  const answered = each.flatMap((one) => (one.failed || one.noRoom ? [] : one.hook));
  const onFailure = new Map(
    logged.flatMap(({ onFailure = [] }) => onFailure.map(({ hook, action }) => [hook, action])),
  );
  const server = calledServer(program);
  const happened = { text, trouble, shown, dropped, decided, server, reasons, noRoom, answered };
  return {
    ...known,
    milliseconds: ran.milliseconds,
    text,
    ...(text !== undefined && said?.act === 'ask' && { asks: true }),
    trouble,
    ...(decided && { decided: decided.block === undefined ? 'changed' : 'blocked' }),
    ...(decided?.block !== undefined && { reason: decided.block }),
    ...(shared.length > 0 && { why: shared }),
    hooks: predictions.map((one) => {
      const hook = hookResult(one, happened);
      const became = onFailure.get(hook.number);
      return became ? { ...hook, failed: became } : hook;
    }),
  };
}

/**
 * On Windows, our entries are for PowerShell. Clients start a newer version if there is one, but every Windows has this one.
 */
const powerShell = (env: Env): Executable => {
  const root = runnerCode('./process-tree.cjs').variable(env, 'SYSTEMROOT') ?? 'C:\\Windows';
  const file = `${root}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`;
  return [file, '-NoProfile', '-NonInteractive', '-Command'];
};

/** A client's timeout in milliseconds if the hook sets none. */
const TIMEOUT = 60_000;

/** The result of a command. */
interface Ran extends Pick<HookRun, 'milliseconds' | 'trouble'> {
  readonly stdout: string;
}

/** The output of a command may contain a secret. */
const mask = redactor({});

/** Runs a hook exactly as written in the client's settings, with the client's shell and environment. */
async function runWritten(entry: ConfiguredHook, payload: string, range: Range): Promise<Ran> {
  const { client, command = '', timeout: deadline = TIMEOUT } = entry;
  const { cwd, places, runHook = run } = range;
  const env = { ...places.env, ...variables(entry, range), ...TRIAL };
  const onStart: ProcessOptions['onStart'] = (stdin) => stdin.end(payload);
  const started = performance.now();
  const since = () => performance.now() - started;
  try {
    const shell = process.platform === 'win32' ? powerShell(env) : client.hookShell;
    const result = await runHook(shell, [command], { cwd, env, deadline, onStart });
    const { stdout, stderr, exitCode } = result;
    const done = { stdout, milliseconds: since() };
    const said = mask(stderr.trim());
    if (exitCode !== 0)
      return { ...done, trouble: { code: 'exit', what: `${exitCode} ${said}`.trim() } };
    return stderr === '' ? done : { ...done, trouble: { code: 'stderr', what: said } };
  } catch (error) {
    if (error instanceof TookTooLong) {
      const milliseconds = since();
      const trouble = { code: 'timeout', what: `${Math.round(milliseconds)} ms` } as const;
      return { stdout: error.stdout, milliseconds, trouble };
    }
    // For example, there is no such shell.
    const what = codeOf(error);
    if (what === undefined) throw error;
    return { stdout: '', trouble: { code: 'shell', what } };
  }
}

/** The command or the host of the server whose tools are called. */
function calledServer(program: EventProgram | undefined): string {
  const server = program?.server;
  if (!server) return 'a server that the program does not name';
  if ('command' in server) return program.label;
  if ('entry' in server) return `${server.entry.path.at(-1)} in ${server.entry.file}`;
  return /^\w+:\/\/([^/?#@]+)(?:[/?#]|$)/.exec(server.url)?.[1] ?? 'its server';
}

/** The variables that the client sets for its hooks. */
function variables({ client }: ConfiguredHook, { cwd, session }: Range): Record<string, string> {
  const values: Readonly<Record<string, string>> = {
    '{cwd}': cwd,
    '{session}': session,
    '{pid}': String(process.pid),
  };
  return Object.fromEntries(
    Object.entries(client.hookVariables).map(([name, value]) => [name, values[value] ?? value]),
  );
}

/** Returns what the runner logs from now on for this event of the client. */
function watchLog(label: string, client: string, native: string, { places }: Range) {
  const [, file] = logFiles(places.state, label);
  const before = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  // If it is shorter than before, the old log was full and the runner has started a new one.
  return (): LogEntry[] =>
    parseLog(label, lastLines(file, { from: before })).entries.filter(
      (entry) => entry.client === client && entry.event === native,
    );
}

const isBlank = (text: string): boolean => secondStage().isBlank(secondStage().plain(text));

interface Outcome extends Pick<HookRun, 'text' | 'trouble'> {
  readonly decided?: Decided | undefined;
  readonly shown?: readonly number[] | undefined;
  readonly dropped: readonly Dropped[];
  /** The server whose tools are called. */
  readonly server: string;
  /** Why hooks showed nothing. */
  readonly reasons: readonly RunnerReason[];
  /** The hooks whose texts did not fit. */
  readonly noRoom: readonly number[];
  /** The hooks that were evaluated without a failure, with or without a text. */
  readonly answered: readonly number[];
}

/** Whether a reason is about the event as a whole. */
const isShared = ({ hook }: RunnerReason): boolean => hook === undefined;

/** Combines the prediction for a hook with the actual result. */
function hookResult({ hook, reason, demoted }: Prediction, happened: Outcome): FiredHook {
  const { text, trouble, shown, decided, server, reasons, noRoom, answered } = happened;
  const { number, event, act } = hook;
  const own = reasons.filter((one) => one.hook === number);
  // If nothing was told, a failure of the whole event is the reason.
  const failure = own.length > 0 || shown?.length !== 0 ? own : reasons.filter(isShared);
  const drop = happened.dropped.find(({ hooks }) => hooks.includes(number));
  const isShown =
    !trouble &&
    (shown ? shown.includes(number) : reason === undefined && text !== undefined) &&
    (act === 'call' || text !== undefined || decided !== undefined);
  const background = hook.extended?.command?.isAsync;
  if (isShown) return { number, event, act, shown: true, demoted, background };
  const why = (): Reason => {
    if (drop) return { code: 'dropped', by: drop.by };
    if (reason) return reason;
    if (trouble) return { code: 'trouble', what: trouble.code };
    if (act === 'keep' && shown?.includes(number)) return { code: 'marked' };
    if (noRoom.includes(number)) return { code: 'no-room' };
    if (failure.length > 0) {
      if (hook.call) return { code: 'tool', tool: hook.call.tool, server, why: failure };
      return { code: hook.extended?.command ? 'command' : 'undecided', why: failure };
    }
    // Its answer may have allowed something, which needs no words.
    if (hook.call && answered.includes(number))
      return {
        code: 'tool',
        tool: hook.call.tool,
        server,
        why: [{ code: 'no-text', hook: number }],
      };
    if (hook.text !== undefined && isBlank(hook.text)) return { code: 'blank' };
    return { code: decided?.block === undefined ? 'nothing-shown' : 'ended' };
  };
  return { number, event, act, shown: false, reason: why() };
}

type HookAnswer =
  | { readonly text: string | undefined; readonly act?: Act; readonly decided?: Decided }
  /** The end of "what it printed ...". */
  | { readonly breach: string };

interface Decided {
  /** The reason of a block; absent: something is changed. */
  readonly block?: string;
}

/**
 * Reads a hook's output as the client would, if it is exactly what we may print there: a text, or a decision if one is possible
 * (`decides`), or both.
 */
export function readAnswer(
  client: Client,
  native: string,
  stdout: string,
  payload: JsonObject = {},
  decides = false,
): HookAnswer {
  if (stdout === '') return { text: undefined };
  if (!/^[\x20-\x7e]*$/.test(stdout)) return { breach: 'is not one line of ASCII' };
  const answer: JsonValue | undefined = attempt(() => JSON.parse(stdout));
  if (answer === undefined) return { breach: 'is no JSON' };
  const fill = (shape: string) =>
    shape
      .replace('{event}', native)
      .replace(/\{payload:(\w+)\}/g, (_, key: string) => String(payload[key]));
  for (const { act, isDecision, shape } of shapesOn(client, native, decides)) {
    const found = foundIn(shape, answer, fill);
    if (!found || (found.text === undefined && !isDecision)) continue;
    const { text, reason } = found;
    if (/\p{Surrogate}/u.test(`${text}${reason}`)) return { breach: 'holds half a character' };
    const decided = { ...(reason !== undefined && { block: reason }) };
    return { text, ...(act && { act }), ...(isDecision && { decided }) };
  }
  return { breach: `is not what ${client.name} expects there` };
}

interface Shape {
  readonly act?: Act;
  readonly isDecision: boolean;
  readonly shape: JsonObject;
}

/** Everything that we may print on a native event: a text, a decision, or both. */
function shapesOn(client: Client, native: string, decides: boolean): Shape[] {
  const { tell, ask, decide } = wireOf(client, native);
  const texts = actsOn(client, native).map((act) => ({
    act,
    isDecision: false,
    shape: act === 'ask' ? ask : tell,
  }));
  if (!decide || !decides) return texts;
  const { block, input, output } = decide;
  const decisions = [
    ...[block, input, output],
    input && output && laidOver(input, output),
    decide.beside ? block && output && laidOver(output, block) : undefined,
  ].filter((shape) => shape !== undefined);
  return [
    ...texts,
    ...decisions.map((shape) => ({ isDecision: true, shape })),
    ...texts.flatMap((one) =>
      decisions.map((shape) => ({ ...one, isDecision: true, shape: laidOver(one.shape, shape) })),
    ),
  ];
}

const laidOver = (below: JsonObject, above: JsonObject): JsonObject => ({
  ...below,
  ...Object.fromEntries(
    Object.entries(above).map(([key, value]) => {
      const under = below[key];
      const both = isObject(value) && isObject(under);
      return [key, both ? laidOver(under, value) : value];
    }),
  ),
});

/** The ways to show something on a native event of the client. */
function actsOn({ lowering }: Client, native: string): Act[] {
  const bindings = Object.values(lowering).flatMap(bindingsOf);
  const acts = bindings.flatMap((one) => (one.native === native ? [one.act] : []));
  return [...new Set(acts)].filter((act) => act === 'tell' || act === 'ask');
}

/** Fills known values into a shape. */
type Fill = (shape: string) => string;

interface Found {
  readonly text?: string;
  readonly reason?: string;
}

/**
 * The text and reason in an answer that has exactly this shape, without extra keys. A placeholder that occurs twice must have
 * the same value both times.
 */
function foundIn(
  shape: JsonValue | undefined,
  answer: JsonValue | undefined,
  fill: Fill,
): Found | undefined {
  if (shape === '{input}' || shape === '{output}') return answer === undefined ? undefined : {};
  if (typeof shape === 'string') return between(shape, answer, fill);
  if (!isObject(shape)) return shape === answer ? {} : undefined;
  if (!isObject(answer)) return undefined;
  const keys = Object.keys(shape);
  if (Object.keys(answer).length !== keys.length) return undefined;
  let found: Found = {};
  for (const key of keys) {
    const here = Object.hasOwn(answer, key) ? foundIn(shape[key], answer[key], fill) : undefined;
    if (!here || differs(found.text, here.text) || differs(found.reason, here.reason))
      return undefined;
    found = { ...found, ...here };
  }
  return found;
}

const differs = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;

/** The value at the placeholder for the text or a reason. */
function between(shape: string, answer: JsonValue | undefined, fill: Fill): Found | undefined {
  if (typeof answer !== 'string') return undefined;
  const [, name] = /\{(text|reason)\}/.exec(shape) ?? [];
  if (name === undefined) return answer === fill(shape) ? {} : undefined;
  const [before = '', after = ''] = shape.split(`{${name}}`).map(fill);
  const isWhole = answer.startsWith(before) && answer.slice(before.length).endsWith(after);
  if (!isWhole) return undefined;
  return { [name]: answer.slice(before.length, answer.length - after.length) };
}
