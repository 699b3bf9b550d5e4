/** What a client takes from a hook, and nothing else: its answer, or what is wrong with it. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Act, Client } from '../../clients/contract.ts';
import { wireOf } from '../../clients/contract.ts';
import { asksOf } from '../../clients/gaps.ts';
import { bindingsOf } from '../../clients/lowerings.ts';
import type { JsonObject } from '../../edit/edit.ts';
import { EVENTS } from '../../system/package-files.ts';

export type HookAnswer =
  /** Undefined: it says nothing. */
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
  for (const act of actsOn(client, native)) {
    const shapes = act === 'ask' ? asksOf(client) : [wireOf(client, native).tell];
    const text = shapes
      .map((shape) => textIn(shape, answer, { native, payload }))
      .find((one) => one !== undefined);
    if (text === undefined) continue;
    if (/\p{Surrogate}/u.test(text)) return { breach: 'holds half a character' };
    const [breach] = schemaBreaches(client, native, answer);
    return breach === undefined ? { text, act } : { breach: `breaks its schema (${breach})` };
  }
  return { breach: `is not what ${client.name} is to be given there` };
}

/** How something can be said on a native event of the client. */
function actsOn({ lowering }: Client, native: string): Act[] {
  const bindings = Object.values(lowering).flatMap(bindingsOf);
  const acts = bindings.flatMap((one) => (one.native === native ? [one.act] : []));
  return [...new Set(acts)].filter((act) => act === 'tell' || act === 'ask');
}

/** What an answer is made of beside the text. */
interface Known {
  readonly native: string;
  readonly payload: JsonObject;
}

/** The text in an answer that has this shape and not a key more; where it stands twice, it is twice the same. */
function textIn(shape: unknown, answer: unknown, known: Known): string | undefined {
  if (typeof shape === 'string') return between(shape, answer, known);
  const [wanted, got] = [entries(shape), entries(answer)];
  if (!wanted || !got || wanted.length !== got.length) return undefined;
  let text: string | undefined;
  for (const [key, value] of wanted) {
    const found = got.find(([name]) => name === key)?.[1];
    if (typeof value === 'string' && !value.includes(TEXT)) {
      if (found !== filled(value, known)) return undefined;
    } else {
      const here = textIn(value, found, known);
      if (here === undefined || (text ?? here) !== here) return undefined;
      text = here;
    }
  }
  return text;
}

const TEXT = '{text}';

/** What stands in the place of the text. */
function between(shape: string, answer: unknown, known: Known): string | undefined {
  const [before = '', after] = shape.split(TEXT).map((part) => filled(part, known));
  if (after === undefined || typeof answer !== 'string') return undefined;
  const isWhole = answer.startsWith(before) && answer.slice(before.length).endsWith(after);
  return isWhole ? answer.slice(before.length, answer.length - after.length) : undefined;
}

const filled = (text: string, { native, payload }: Known): string =>
  text
    .replace('{event}', native)
    .replace(/\{payload:(\w+)\}/g, (_, key: string) => String(payload[key]));

const entries = (value: unknown): [string, unknown][] | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : undefined;

/** What a client's own schema for the output of its hooks does not allow; nothing where it has none. */
export function schemaBreaches({ id }: Client, native: string, answer: unknown): string[] {
  const name = native.replace(/(?<=.)[A-Z]/g, '-$&').toLowerCase();
  const schema = readSchema(join(EVENTS, id, 'schemas', `${name}.json`));
  return schema ? breaches(schema, answer) : [];
}

function readSchema(path: string): Schema | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined; // the client has none
  }
}

/** As much of JSON Schema as those files use. */
interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

function breaches(schema: Schema, value: unknown, root = schema, path = ''): string[] {
  const found: string[] = [];
  const say = (what: string) => found.push(`${path || '/'}: ${what}`);
  if (schema.$ref) {
    const target = root.definitions?.[schema.$ref.replace('#/definitions/', '')];
    found.push(...(target ? breaches(target, value, root, path) : [`${schema.$ref} is missing`]));
  }
  for (const part of schema.allOf ?? []) found.push(...breaches(part, value, root, path));
  if (schema.const !== undefined && value !== schema.const) say(`not ${schema.const}`);
  if (schema.enum && !schema.enum.includes(value)) say(`none of ${schema.enum}`);
  if (schema.type === 'string' && typeof value !== 'string') say('no string');
  if (schema.type === 'object' && (typeof value !== 'object' || value === null)) say('no object');
  if (typeof value !== 'object' || value === null) return found;
  for (const key of schema.required ?? []) if (!(key in value)) say(`${key} is missing`);
  for (const [key, inner] of Object.entries(value)) {
    const known = schema.properties?.[key];
    if (known) found.push(...breaches(known, inner, root, `${path}/${key}`));
    else if (schema.additionalProperties === false) say(`unknown key ${key}`);
  }
  return found;
}
