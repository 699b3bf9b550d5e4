/**
 * What the user allows servers: `policy.json` in our state folder. Every rule, its default and its bounds stand here,
 * once; the runner is given them at install, and reads the file whenever it fires.
 */

import { join } from 'node:path';
import * as z from 'zod/mini';
import { said, UserError } from '../system/errors.ts';
import { LABEL } from './declaration.ts';
import type { Problem } from './declared.ts';
import { locate, readDocument } from './document.ts';
import { CONTEXT_CHARACTERS, DECLARATIONS } from './limits.ts';
import type { DeclarationMessage } from './messages.ts';
import { breaches } from './schema.ts';

/** What holds where the user says nothing and has granted nothing. The characters stay below the least that a client cuts. */
const DEFAULTS = {
  /** Nothing of it is told, and no tool of it is called. */
  muted: false,
  /** `required` is honoured; from others it counts as `important`. */
  trusted: false,
  /** Its `context_tool` may be called; without a grant the hooks with one are not even installed. */
  contextTool: false,
  /** Its hooks may block what was about to happen. */
  block: false,
  /** Its hooks may change what a tool is given, or what the model reads of it. */
  modify: false,
  /** Programs that its manifest names are run; without a grant the hooks with one are not even installed. */
  command: false,
  /** Secrets are masked in what its hooks are given, and in what is logged. */
  redact: true,
  /** Hooks of it that are heard at all, strongest first. */
  hooksPerServer: 64,
  /** Hooks of it that are heard on one event, strongest first. */
  hooksPerEvent: 16,
  /** Characters of one hook's text. */
  charactersPerHook: 8000,
  /** Characters of all its texts on one event, headings included. */
  charactersPerEvent: 9000,
  /** Characters of one value that is filled into a text, a tool's output for example. */
  charactersPerValue: 2000,
  /** Seconds for which a hook is silent in a session after it has spoken there. */
  cooldown: 0,
  /** Seconds in which a `context_tool` has to answer, at most 10. */
  toolSeconds: 5,
  /** The same at the end of a session, while a client waits to quit. */
  sessionEndSeconds: 1,
};
export type Rules = Readonly<typeof DEFAULTS>;
export const RULES: Rules = DEFAULTS;

/** `policy.json`: rules for every server, and for one by its label. What is left out is as by default. */
export type Policy = Partial<Rules> & {
  readonly servers?: Readonly<Record<string, Partial<Rules>>>;
};

/** The most that each number may be; none is below 0. */
export const MOST: Readonly<Partial<Record<keyof Rules, number>>> = {
  hooksPerServer: DECLARATIONS,
  hooksPerEvent: DECLARATIONS,
  charactersPerHook: CONTEXT_CHARACTERS,
  charactersPerEvent: 1_000_000,
  charactersPerValue: 1_000_000,
  cooldown: 31_536_000,
  toolSeconds: 10,
  sessionEndSeconds: 10,
};

/** Rules of which more is stricter; of the others less is. */
export const STRICTER_ABOVE: readonly string[] = [
  'muted',
  'redact',
  'cooldown',
] satisfies (keyof Rules)[];

export const policyPath = (state: string): string => join(state, 'policy.json');

export class PolicyRefused extends UserError<DeclarationMessage> {
  constructor(
    path: string,
    /** With line and column, at least one. */
    readonly problems: readonly Problem[],
  ) {
    super({ code: 'policy-refused', path }, locate(path, problems));
  }
}

/** As by default when there is no file. @throws PolicyRefused with all that is wrong; UserError when it cannot be read. */
export function readPolicy(state: string, read: (path: string) => Buffer | null): Policy {
  const path = policyPath(state);
  const bytes = read(path);
  if (bytes === null) return {};
  const document = readDocument(bytes.toString(), {
    tooDeep: said<DeclarationMessage>({ code: 'policy-too-deep' }),
    empty: said<DeclarationMessage>({ code: 'policy-empty' }),
  });
  const problems = document.place([
    ...document.problems,
    ...(document.value === undefined ? [] : breaches(shape(), document.value)),
  ]);
  if (problems.length > 0) throw new PolicyRefused(path, problems);
  return document.value as Policy;
}

/** Made only when there is a file to check. */
function shape(): z.ZodMiniType {
  const rules = Object.fromEntries(
    Object.entries(RULES).map(([name, value]) => [
      name,
      z.optional(
        typeof value === 'boolean'
          ? z.boolean()
          : z.number().check(z.gte(0), z.lte(MOST[name as keyof Rules] ?? 0)),
      ),
    ]),
  );
  const label = z.string().check(z.regex(LABEL));
  return z.strictObject({ ...rules, servers: z.optional(z.record(label, z.strictObject(rules))) });
}

/** `restricting`: what the policy says of the label was said of another source, and only what is stricter holds. */
export function rulesFor(
  policy: Policy,
  label: string,
  defaults: Rules = RULES,
  restricting = false,
): Rules {
  const { servers: _, ...all } = policy;
  const rules = { ...defaults, ...all };
  const own = ownRules(policy, label);
  return { ...rules, ...(restricting ? stricter(own, rules) : own) };
}

const ownRules = ({ servers = {} }: Policy, label: string): Partial<Rules> =>
  (Object.hasOwn(servers, label) ? servers[label] : undefined) ?? {};

/** Those rules that allow no more than others do. */
const stricter = (own: Partial<Rules>, rules: Rules): Partial<Rules> =>
  Object.fromEntries(
    Object.entries(own).filter(([name, value]) => {
      const other = rules[name as keyof Rules];
      return STRICTER_ABOVE.includes(name) ? value >= other : value <= other;
    }),
  );

/** What the policy allows a label by its name and would not allow another one, in words: `"trusted": true`. */
export function loosened(policy: Policy, label: string): string[] {
  const { servers: _, ...all } = policy;
  const own = ownRules(policy, label);
  const kept = stricter(own, { ...RULES, ...all });
  return Object.entries(own).flatMap(([name, value]) =>
    Object.hasOwn(kept, name) ? [] : [`"${name}": ${value}`],
  );
}
