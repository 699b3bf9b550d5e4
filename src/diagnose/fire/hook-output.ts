/** Reads a hook's output as a client would, and no more: its answer, or what is wrong with it. */

import type { Act, Client } from '../../clients/contract.ts';
import { wireOf } from '../../clients/contract.ts';
import { bindingsOf } from '../../clients/lowerings.ts';
import type { JsonObject } from '../../edit/edit.ts';

export type HookAnswer =
  | { readonly text: string | undefined; readonly act?: Act; readonly decided?: Decided }
  /** The end of "what it printed ...". */
  | { readonly breach: string };

export interface Decided {
  /** Why what was about to happen must not; absent: something is changed. */
  readonly block?: string;
}

/**
 * Reads what a hook printed as the client would, if it is exactly what we may print there: a text or, if something may be
 * decided (`decides`), a decision, or both.
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
  let answer: unknown;
  try {
    answer = JSON.parse(stdout);
  } catch {
    return { breach: 'is no JSON' };
  }
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

/** How something can be said on a native event of the client. */
function actsOn({ lowering }: Client, native: string): Act[] {
  const bindings = Object.values(lowering).flatMap(bindingsOf);
  const acts = bindings.flatMap((one) => (one.native === native ? [one.act] : []));
  return [...new Set(acts)].filter((act) => act === 'tell' || act === 'ask');
}

/** Fills what is already known into a shape. */
type Fill = (shape: string) => string;

interface Found {
  readonly text?: string;
  readonly reason?: string;
}

/**
 * The text and reason in an answer that has exactly this shape, without extra keys. A placeholder that occurs twice must have
 * the same value twice.
 */
function foundIn(shape: unknown, answer: unknown, fill: Fill): Found | undefined {
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

/** What is in the place of the text or of a reason. */
function between(shape: string, answer: unknown, fill: Fill): Found | undefined {
  if (typeof answer !== 'string') return undefined;
  const [, name] = /\{(text|reason)\}/.exec(shape) ?? [];
  if (name === undefined) return answer === fill(shape) ? {} : undefined;
  const [before = '', after = ''] = shape.split(`{${name}}`).map(fill);
  const isWhole = answer.startsWith(before) && answer.slice(before.length).endsWith(after);
  if (!isWhole) return undefined;
  return { [name]: answer.slice(before.length, answer.length - after.length) };
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
