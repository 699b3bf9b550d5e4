/** Breaches of a client's own schema for the output of its hooks (fixtures/events). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../../../src/clients/contract.ts';
import { EVENTS } from '../../../src/system/package-files.ts';

/** Empty if the client has no schema. */
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

/** The part of JSON Schema that those files use. */
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
