/** mcp-hooks: `policy.json`, the user's rules (src/declaration/policy.ts). It is read whenever a hook fires, if it exists. */

import { textOf } from './files.cjs';
import type { JsonObject, Rules, Running } from './types.cjs';
import { fault, isObject, parse } from './values.cjs';

/** The rules for a label. Throws if they cannot be understood. Nothing is shown then, because the rules may forbid it. */
export function rulesFor({
  state,
  label,
  policy,
}: Pick<Running, 'state' | 'label' | 'policy'>): Rules {
  const json = withoutComments(textOf(`${state}/policy.json`) ?? '');
  const given = parse(json);
  const { servers = {}, ...all }: JsonObject = isObject(given) ? given : { servers: 0 };
  const known: JsonObject = { ...DECIDING, ...policy.rules };
  const most: Readonly<Record<string, number>> = policy.most;
  const isRule = ([name, value]: [string, unknown]) =>
    Object.hasOwn(known, name) &&
    (typeof value === typeof known[name] || (name === 'muted' && areNames(value))) &&
    (typeof value !== 'number' || (value >= 0 && value <= (most[name] ?? 0))) &&
    (typeof value !== 'string' || ['allow', 'declared', 'deny'].includes(value));
  const isLabel = new RegExp(policy.label);
  const areRules = (rules: unknown): rules is JsonObject =>
    isObject(rules) && Object.entries(rules).every(isRule);
  const keys = (value: unknown): number =>
    isObject(value) ? Object.values(value).reduce<number>((sum, one) => sum + keys(one) + 1, 0) : 0;
  const isValid =
    areRules(all) &&
    isObject(servers) &&
    !isObject(all.muted) &&
    Object.entries(servers).every(([name, rules]) => isLabel.test(name) && areRules(rules)) &&
    // A duplicate key would be ambiguous.
    (json.match(/"(?:\\.|[^"\\])*"\s*:/g) ?? []).length === keys(given);
  if (!isValid) throw fault('policy-invalid');
  const own = Object.entries(Object.hasOwn(servers, label) ? Object(servers[label]) : {});
  const rules: JsonObject = { ...policy.rules, ...all };
  const { restricting } = policy;
  // These may be meant for another source that had this label. What they allow that source is not allowed to us.
  const holds = ([name, value]: [string, unknown]) =>
    !restricting ||
    (restricting.includes(name) ? isAtLeast(value, rules[name]) : isAtLeast(rules[name], value));
  return { ...policy.rules, ...rules, ...Object.fromEntries(own.filter(holds)) };
}

/** Compares numbers, words or answers of the same kind. No value is as strict as a missing rule. */
const isAtLeast = (one: unknown, other: unknown): boolean =>
  one !== undefined && other !== undefined && comparable(one) >= comparable(other);

/** A list of muted hooks ranks between none and all. */
const comparable = (value: unknown): object => Object(isObject(value) ? 0.5 : value);

const areNames = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((name) => typeof name === 'string');

/** Rules that are missing from programs without decisions. */
const DECIDING = {
  block: false,
  modify: false,
  command: false,
  projectCode: false,
  onFailure: 'declared',
  redact: true,
};

/** Turns JSON with comments and trailing commas into strict JSON. */
export function withoutComments(text: string): string {
  const strings = '"(?:\\\\.|[^"\\\\])*"';
  const keep = (_all: string, kept?: string) => kept ?? '';
  return text
    .replace(new RegExp(`(${strings})|//[^\\n]*|/\\*[\\s\\S]*?\\*/|^\\uFEFF`, 'g'), keep)
    .replace(new RegExp(`(${strings})|,(?=\\s*[}\\]])`, 'g'), keep);
}
