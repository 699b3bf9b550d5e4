/** What a client takes from a hook, and nothing else: its answer, or what is wrong with it. */

import type { Act, Client } from '../../clients/contract.ts';
import { wireOf } from '../../clients/contract.ts';
import { asksOf } from '../../clients/gaps.ts';
import { bindingsOf } from '../../clients/lowerings.ts';
import type { JsonObject } from '../../edit/edit.ts';

export type HookAnswer =
  | { readonly text: string | undefined; readonly act?: Act }
  /** The end of "what it printed ...". */
  | { readonly breach: string };

/** Reads what a hook printed as the client would, if it is exactly what we may say there: a text, and no decision. */
export function readAnswer(
  client: Client,
  native: string,
  stdout: string,
  payload: JsonObject = {},
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
  for (const act of actsOn(client, native)) {
    const shapes = act === 'ask' ? asksOf(client) : [wireOf(client, native).tell];
    const text = shapes
      .map((shape) => textIn(shape, answer, fill))
      .find((one) => one !== undefined);
    if (text === undefined) continue;
    if (/\p{Surrogate}/u.test(text)) return { breach: 'holds half a character' };
    return { text, act };
  }
  return { breach: `is not what ${client.name} is to be given there` };
}

/** How something can be said on a native event of the client. */
function actsOn({ lowering }: Client, native: string): Act[] {
  const bindings = Object.values(lowering).flatMap(bindingsOf);
  const acts = bindings.flatMap((one) => (one.native === native ? [one.act] : []));
  return [...new Set(acts)].filter((act) => act === 'tell' || act === 'ask');
}

/** Puts into a shape what is known beside the text. */
type Fill = (shape: string) => string;

/** The text in an answer that has this shape and not a key more; where it is there twice, it is twice the same. */
function textIn(shape: unknown, answer: unknown, fill: Fill): string | undefined {
  if (typeof shape === 'string') return between(shape, answer, fill);
  const [wanted, got] = [entries(shape), entries(answer)];
  if (!wanted || !got || wanted.length !== got.length) return undefined;
  let text: string | undefined;
  for (const [key, value] of wanted) {
    const found = got.find(([name]) => name === key)?.[1];
    if (typeof value === 'string' && !value.includes(TEXT)) {
      if (found !== fill(value)) return undefined;
    } else {
      const here = textIn(value, found, fill);
      if (here === undefined || (text ?? here) !== here) return undefined;
      text = here;
    }
  }
  return text;
}

const TEXT = '{text}';

/** What is in the place of the text. */
function between(shape: string, answer: unknown, fill: Fill): string | undefined {
  const [before = '', after] = shape.split(TEXT).map(fill);
  if (after === undefined || typeof answer !== 'string') return undefined;
  const isWhole = answer.startsWith(before) && answer.slice(before.length).endsWith(after);
  return isWhole ? answer.slice(before.length, answer.length - after.length) : undefined;
}

const entries = (value: unknown): [string, unknown][] | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : undefined;
