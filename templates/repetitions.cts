/** mcp-hooks: repeated calls. If a hook asks for it, the calls of a session are recorded as hashes. */

import { hashOf, partOf, withFile } from './files.cjs';
import type { Condition, NotedCall, ProgramHook, Running } from './types.cjs';
import { attempt, isObject, parse } from './values.cjs';

type Conditions = NonNullable<NonNullable<ProgramHook['extended']>['when']>;
type Repeat = NonNullable<Conditions['repeat']>;

/** How many of a session's calls count, and the bytes at the end of their file that are read for them. */
const CALLS = 200;
const PART = 64 * 1024;

/** The record of this call: only hashes, no contents. */
export function noted({ program, firing }: Condition, hasFailed: boolean): NotedCall {
  const { occasion, tool, input, output = '' } = firing;
  return {
    at: program.started,
    moment: occasion.length === 0 ? '' : short(occasion),
    tool: short(tool),
    input: short(input),
    ...(hasFailed && { error: short(withoutVarying(output, program.wire)) }),
  };
}

const short = (value: unknown): string => hashOf(value).slice(0, 16);

/** An output without the parts that differ in each call. */
const withoutVarying = (output: unknown, { varying }: Running['wire']): unknown =>
  varying === undefined || typeof output !== 'string'
    ? output
    : output.replace(new RegExp(varying, 'g'), '');

/**
 * The calls up to and including this one. This call is recorded before the others are read, so that of simultaneous calls, each
 * finds those before it. Indistinguishable calls, and records of the same call by several of our runners, count as one. The file
 * only grows, because a call that is recorded while it is rewritten would be lost; the cleanup removes one that is huge.
 */
function written(file: string, call: NotedCall, { append }: Condition['stage']): NotedCall[] {
  const read = () =>
    attempt(() => withFile(file, (handle, size) => partOf(handle, Math.max(0, size - PART), size)));
  let former = callsIn(read());
  if (call.moment !== '' && former.some(({ moment }) => moment === call.moment))
    return upTo(call, former);
  attempt(() => {
    append(file, `${JSON.stringify(call)}\n`);
    if (call.moment !== '') former = callsIn(read());
  });
  return upTo(call, former);
}

/** The most recent recorded calls, without duplicates. */
function callsIn(text = ''): NotedCall[] {
  const moments = new Set<string>();
  const isFirst = ({ moment }: NotedCall) =>
    moment === '' || (!moments.has(moment) && moments.add(moment));
  return text.split('\n').flatMap(callIn).filter(isFirst).slice(-CALLS);
}

/** A call and those before it. */
function upTo(call: NotedCall, calls: readonly NotedCall[]): NotedCall[] {
  const at = call.moment === '' ? -1 : calls.findIndex(({ moment }) => moment === call.moment);
  return at === -1 ? [...calls, call] : calls.slice(0, at + 1);
}

function callIn(line: string): NotedCall[] {
  const call = parse(line);
  return isObject(call) ? [call as unknown as NotedCall] : [];
}

/** Counts the calls that meet all the hook's other conditions. Calls that do not match the hook are ignored. */
export function isRepeated(
  { times, within, same }: Repeat,
  hook: ProgramHook,
  { program, firing, stage, call }: Condition,
): boolean {
  if (!call || (same.endsWith('error') && call.error === undefined)) return false;
  const recent = written(stage.memory(hook, firing, program, 'calls'), call, stage).filter(
    (one) => one.at > program.started - 1000 * within,
  );
  const isSame = (a?: NotedCall, b?: NotedCall) =>
    (!same.endsWith('error') || a?.error === b?.error) &&
    (['error', 'event'].includes(same) ||
      (a?.tool === b?.tool && (ANY_INPUT.includes(same) || a?.input === b?.input)));
  if (!same.startsWith('alternating'))
    return recent.filter((one) => isSame(one, call)).length >= times;
  const turns = recent.slice(-2 * times);
  const [a, b] = turns;
  return (
    turns.length === 2 * times &&
    !isSame(a, b) &&
    turns.every((one, index) => isSame(one, index % 2 === 0 ? a : b))
  );
}
const ANY_INPUT = ['tool', 'alternating_tools'];
