/**
 * mcp-hooks: facts about the session, for tools and commands, when its history is compacted and when it ends. They come from
 * the client's payload or its own files. A fact that is in neither is omitted.
 */

import { isWhole, usedIn } from './budget.cjs';
import { clockOf } from './clock.cjs';
import { partOf, transcriptOf, withFile } from './files.cjs';
import type { ChainFiring, Firing, JsonObject, ProgramHook, Running, Stage } from './types.cjs';
import { attempt, entryOf, parse } from './values.cjs';

/** The largest transcript, in bytes, that is read completely. Of a longer one, we only read the start time. */
const MOST = 32 * 1024 * 1024;
const BEGINNING = 64 * 1024;

/** A fact, and whether it is estimated rather than counted by the client. */
type Fact = { readonly value: number; readonly estimated?: boolean } | undefined;

interface Lines {
  readonly beginning: readonly string[];
  /** Undefined if the file is too large. */
  readonly all?: readonly string[];
}

/** The sources of facts. */
interface Session {
  readonly hook: ProgramHook;
  readonly program: Running;
  readonly firing: ChainFiring;
  readonly stage: Stage;
  readonly whole: () => boolean;
  readonly lines: () => Lines;
}

const AT_END = { duration_seconds: duration, tool_calls: calls, tokens_used: used };

/** The facts that each event adds, with the functions that find them. */
const FACTS: Readonly<
  Partial<Record<ProgramHook['event'], Readonly<Record<string, (session: Session) => Fact>>>>
> = {
  pre_compact: { remaining_context_tokens: remaining },
  post_request: AT_END,
  session_end: AT_END,
};

/** Facts by their names in the envelope. `estimated` lists those that the client did not count. */
export function factsOf(
  hook: ProgramHook,
  {
    program,
    firing,
    shown,
    stage,
  }: Omit<Session, 'hook' | 'whole' | 'lines'> & { readonly shown: ChainFiring },
): JsonObject {
  const facts = { ...shown.facts };
  const estimated: string[] = [];
  const whole = once(() => isWhole(firing, program));
  const lines = once(() => {
    whole(); // read the lines only after the client has written all of them
    return linesOf(firing, program);
  });
  const session = { hook, program, firing, stage, whole, lines };
  for (const [name, find] of Object.entries(FACTS[hook.event] ?? {})) {
    const found = name in facts ? undefined : find(session);
    if (found === undefined) continue;
    facts[name] = found.value;
    if (found.estimated) estimated.push(name);
  }
  return { ...facts, ...(estimated.length > 0 && { estimated }) };
}

function duration({ program, firing, lines }: Session): Fact {
  for (const line of lines().beginning) {
    clockOf(firing).look();
    const entry = parse(line);
    const times = (program.wire.record?.time ?? []).map((place) => {
      const [time] = valuesAt(entry, place);
      return typeof time === 'number' ? time : Date.parse(String(time));
    });
    const began = times.find((time) => !Number.isNaN(time));
    if (began !== undefined)
      return { value: Math.max(0, Math.round((program.started - began) / 1000)) };
  }
  return undefined;
}

/** A call may be recorded several times, always with the same name. */
function calls({ program, firing, lines, whole }: Session): Fact {
  const { calls: written } = program.wire.record ?? {};
  const { all } = lines();
  if (!written || !all) return undefined;
  const clock = clockOf(firing);
  const names = all
    .flatMap((line) => {
      clock.step(line.length);
      return entryOf(line, written.lines) ?? [];
    })
    .flatMap(
      (entry) =>
        written.names.map((place) => valuesAt(entry, place)).find((some) => some.length > 0) ?? [],
    );
  return { value: new Set(names).size, estimated: !whole() };
}

function used({ program, firing, stage, whole }: Session): Fact {
  const isAll = whole();
  const found = usedIn(firing, program, stage.get);
  return found ? { value: found.tokens, estimated: found.estimated || !isAll } : undefined;
}

/** An estimate: the client counts what it has sent, without anything that came later. */
function remaining(session: Session): Fact {
  const limit = windowIn(session) ?? session.hook.extended?.window;
  if (limit === undefined) return undefined;
  const now = used(session);
  return now && { value: Math.max(0, limit - now.value), estimated: true };
}

/** The model's context window, as the client reports it. */
function windowIn({ program, firing, lines }: Session): number | undefined {
  const { window } = program.wire.record ?? {};
  if (!window) return undefined;
  for (const line of (lines().all ?? []).toReversed()) {
    clockOf(firing).look();
    const entry = entryOf(line, window.lines);
    const [found] = entry ? valuesAt(entry, window.at) : [];
    if (typeof found === 'number') return found;
  }
  return undefined;
}

function linesOf(firing: Firing, program: Running): Lines {
  const lines = attempt(() =>
    withFile(transcriptOf(firing, program), (handle, size) => {
      const beginning = partOf(handle, 0, size > MOST ? BEGINNING : size).split('\n');
      return size > MOST ? { beginning } : { beginning, all: beginning };
    }),
  );
  return lines ?? { beginning: [] };
}

/** The values at a dotted path, in which `*` means each element of a list. */
const valuesAt = (value: unknown, place: string): unknown[] =>
  place.split('.').reduce<unknown[]>(
    (all, key) =>
      all.flatMap((one) => {
        if (key === '*') return Array.isArray(one) ? one : [];
        const next = typeof one === 'object' && one !== null ? Reflect.get(one, key) : undefined;
        return next === undefined ? [] : [next];
      }),
    [value],
  );

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
