/** Whether what the runner printed is exactly what a client takes. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { ClientId } from './clients.ts';

/** The text in an answer, after everything around it was found to be right; undefined: it says nothing. */
export function textIn(id: ClientId, event: string, stdout: string): string | undefined {
  expect(stdout, 'ASCII').toMatch(/^[\x20-\x7e]*$/);
  if (stdout === '') return undefined;
  const answer: unknown = JSON.parse(stdout);
  const text = /"(?:additionalContext|reason)":("(?:[^"\\]|\\.)*")/.exec(stdout)?.[1];
  expect(text, stdout).toBeDefined();
  const said: unknown = JSON.parse(text ?? '');
  if (typeof said !== 'string') throw new Error(stdout);
  expect(answer).toEqual(shapeOf(id, event, said));
  expect(said, 'half of a pair: Codex refuses the whole answer').not.toMatch(/\p{Surrogate}/u);
  if (id === 'codex') expect(breaches(codexSchema(event), answer)).toEqual([]);
  return said;
}

function shapeOf(id: ClientId, event: string, text: string): unknown {
  if (id === 'codex' && event === 'Stop') return { decision: 'block', reason: text };
  if (id === 'gemini-cli' && event === 'AfterAgent') return { decision: 'deny', reason: text };
  return { hookSpecificOutput: { hookEventName: event, additionalContext: text } };
}

/** The schema that Codex itself has for the output of hooks of an event. */
function codexSchema(event: string): Schema {
  const name = event.replace(/(?<=.)[A-Z]/g, '-$&').toLowerCase();
  const url = new URL(`../../../fixtures/events/codex/schemas/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8'));
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
