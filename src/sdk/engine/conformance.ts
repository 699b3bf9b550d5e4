/** The conformance suite: cases for any implementation of these hooks, including the engine. */

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Grant } from '../../declaration/grants.ts';
import { CONFORMANCE } from '../../system/package-files.ts';
import { createEngine } from './engine.ts';
import type { EventEnvelope, ResponseEnvelope } from './envelopes.ts';
import type { EngineMessage } from './messages.ts';

/** A case from a file, as described by conformance/schema.json, or its twin. A case passes only together with its twin. */
export interface Case {
  readonly topic: string;
  readonly name: string;
  readonly isTwin: boolean;
  readonly manifest?: object;
  readonly declarations?: readonly object[];
  readonly policy?: object;
  readonly allow?: readonly Grant[];
  /** The answers of its tools, by name. */
  readonly tools?: Readonly<Record<string, object>>;
  readonly folder?: Readonly<Record<string, string | { readonly link: string }>>;
  readonly session?: readonly CaseEvent[];
  readonly event: CaseEvent;
  readonly expected: Expected;
}

type CaseInFile = Omit<Case, 'topic' | 'isTwin'> & { readonly twin?: Partial<Case> };

type CaseEvent = Partial<EventEnvelope> & { readonly pause?: number };

export interface Expected extends Pick<ResponseEnvelope, 'action' | 'reason'> {
  readonly texts: readonly string[];
  readonly absent?: readonly string[];
  readonly modifiedInput?: unknown;
  readonly modifiedOutput?: unknown;
}

/** The input for an implementation: a case without its expected result, with every event complete. */
export interface CaseRequest {
  readonly label: string;
  readonly manifest: object;
  readonly policy: object;
  readonly allow: readonly Grant[];
  /** After each event with a `pause`, this many milliseconds pass. */
  readonly session: readonly (EventEnvelope & { readonly pause?: number })[];
  readonly event: EventEnvelope;
}

export type Evaluate = (request: CaseRequest, folder: string) => Promise<unknown>;

const LABEL_OF_CASES = 'annal';

/** All cases, each followed by its twin. */
export const readCases = (): Case[] =>
  readdirSync(CONFORMANCE)
    .filter((name) => name.endsWith('.json') && name !== 'schema.json')
    .sort()
    .flatMap((name) => {
      const text = readFileSync(join(CONFORMANCE, name), 'utf8');
      const { topic, cases }: { topic: string; cases: CaseInFile[] } = JSON.parse(
        text,
        (_key, value) => writtenOut(value),
      );
      return cases.flatMap(({ twin, ...one }) => [
        { topic, isTwin: false, ...one },
        ...(twin ? [{ topic, isTwin: true, ...one, ...twin }] : []),
      ]);
    });

/** Expands abbreviations: `<3 a>` in a text is `aaa`, and a hook with `copies` is repeated that often. */
function writtenOut(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replace(/<(\d+) (.)>/g, (_all, count, one) => one.repeat(Number(count)));
  if (!Array.isArray(value)) return value;
  return value.flatMap((one) => {
    const { copies, ...hook } = Object(one);
    return copies === undefined ? [one] : Array.from({ length: copies }, () => hook);
  });
}

/** The differences from the expected result; empty if the case passes. Removes the folder that the case needs. */
export async function tryCase(one: Case, evaluate: Evaluate): Promise<EngineMessage[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-hooks-case-'));
  try {
    return differences(one.expected, await evaluate(requestOf(one, folder), folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function requestOf(one: Case, folder: string): CaseRequest {
  const cwd = join(folder, 'shop');
  mkdirSync(cwd);
  for (const [name, text] of Object.entries(one.folder ?? {})) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    if (typeof text === 'string') writeFileSync(join(cwd, name), text);
    else symlinkSync(text.link, join(cwd, name));
  }
  const whole = ({ cwd: below = '', ...event }: CaseEvent) => ({
    sessionId: 's1',
    ...event,
    cwd: join(cwd, below),
  });
  const { declarations, tools, policy = {}, allow = [], session = [] } = one;
  const args = [join(CONFORMANCE, 'tools.cjs'), JSON.stringify(tools)];
  const server = tools && { server: { command: process.execPath, args } };
  const label = LABEL_OF_CASES;
  return {
    label,
    manifest: {
      ...(one.manifest ?? {
        version: 2,
        name: label,
        hooks: { declarations: declarations?.map(located) },
      }),
      ...server,
    },
    policy,
    allow,
    session: session.map(whole),
    event: whole(one.event),
  };
}

const SHOW = 'show.cjs';

/** The same hook, with the path of the suite's own program. */
const located = (hook: object) =>
  'command' in hook && Array.isArray(hook.command)
    ? { ...hook, command: hook.command.map((w) => (w === SHOW ? join(CONFORMANCE, SHOW) : w)) }
    : hook;

/** Evaluates a case with the engine. */
export const byEngine: Evaluate = async ({ session, event, manifest, ...options }, folder) => {
  // Commands are accepted only from a file.
  const file = join(folder, 'manifest.json');
  writeFileSync(file, JSON.stringify(manifest));
  const engine = createEngine({ ...options, manifest: file });
  try {
    for (const { pause, ...before } of session) {
      await engine.fire(before);
      if (pause !== undefined) await wait(pause);
    }
    return await engine.fire(event);
  } finally {
    engine.close();
  }
};

function differences(expected: Expected, given: unknown): EngineMessage[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return [{ code: 'case-no-envelope', found: inJson(given) }];
  const response: { readonly [Key in keyof ResponseEnvelope]?: unknown } = given;
  const { action = 'passThrough', additionalContext = [], reason } = response;
  const found: EngineMessage[] = [];
  if (action !== expected.action)
    found.push({ code: 'case-action', expected: expected.action, found: inJson(action) });
  const context = [additionalContext].flat().join('\n');
  let at = 0;
  for (const text of expected.texts) {
    const place = context.indexOf(text, at);
    if (place === -1) found.push({ code: 'case-text-missing', text: text.slice(0, SHOWN) });
    else at = place + text.length;
  }
  if (expected.texts.length === 0 && context.trim() !== '')
    found.push({ code: 'case-text-unwanted', text: context.slice(0, SHOWN) });
  const read = [context, reason].join('\n');
  for (const text of expected.absent ?? [])
    if (read.includes(text)) found.push({ code: 'case-text-unwanted', text: text.slice(0, SHOWN) });
  if (
    expected.reason !== undefined &&
    !(typeof reason === 'string' && reason.includes(expected.reason))
  )
    found.push({ code: 'case-reason', expected: expected.reason, found: inJson(reason) });
  for (const key of ['modifiedInput', 'modifiedOutput'] as const)
    if (!isDeepStrictEqual(response[key], expected[key]))
      found.push({
        code: 'case-value',
        key,
        expected: inJson(expected[key]),
        found: inJson(response[key]),
      });
  return found;
}

/** Characters of a text or of another implementation's answer that are quoted in a message. */
const SHOWN = 300;

const inJson = (value: unknown): string => (JSON.stringify(value) ?? 'missing').slice(0, SHOWN);
