/**
 * The user's rules for servers: `policy.json` in our state folder. Every rule is defined here, with its default and its limits.
 * The runner gets these at install, and reads the file whenever it fires.
 */

import * as z from 'zod/mini';
import { said, UserError } from '../system/errors.ts';
import { within } from '../system/path.ts';
import { type HookDeclaration, LABEL, type OnFailure } from './declaration.ts';
import type { Problem } from './declared.ts';
import { locate, readDocument } from './document.ts';
import { CONTEXT_CHARACTERS, DECLARATIONS } from './limits.ts';
import type { DeclarationMessage } from './messages.ts';
import { breaches } from './schema.ts';

/**
 * What happens when a hook that may decide fails: as it declares, or as the user wants instead. As with numbers, a value that
 * sorts later is stricter.
 */
const FAILURE_RULES = ['allow', 'declared', 'deny'] as const satisfies readonly (
  | OnFailure
  | 'declared'
)[];
type FailureRule = (typeof FAILURE_RULES)[number];

/** Individually muted hooks of a label, by id, with a name for users. A hook's id changes with its declaration. */
export type MutedHooks = Readonly<Record<string, string>>;

/** The rules without a policy or grants. The limits of characters are below those at which any client cuts. */
const DEFAULTS = {
  /** None of the server's hooks are shown and none of its tools are called. For a label, also some of its hooks. */
  muted: false as boolean | MutedHooks,
  /** `required` is honoured; otherwise it counts as `important`. */
  trusted: false,
  /** Its `context_tool` may be called. Without the grant, such hooks are not even installed. */
  contextTool: false,
  /** Its hooks may block what is about to happen. */
  block: false,
  /** Its hooks may change a tool's input, or the output that the model reads. */
  modify: false,
  /** The programs that its manifest names may run. Without the grant, such hooks are not even installed. */
  command: false,
  /** Those programs may run code of the session's folder. */
  projectCode: false,
  /** What happens if a hook that may decide fails. `deny` only applies to hooks that may block. */
  onFailure: 'declared' as FailureRule,
  /** Secrets are masked in the input of its hooks, and in the log. */
  redact: true,
  /** How many of its hooks count at all, by priority. */
  hooksPerServer: 64,
  /** How many of its hooks count on one event, by priority. */
  hooksPerEvent: 16,
  /** The maximum number of characters of one hook's text. */
  charactersPerHook: 8000,
  /** The maximum number of characters of all its texts on one event, including headings. */
  charactersPerEvent: 9000,
  /** The maximum number of characters of a value in a text, such as a tool's output. */
  charactersPerValue: 2000,
  /** Seconds after which a hook that was shown may be shown again in a session. */
  cooldown: 0,
  /** Seconds for the answer of a `context_tool`, at most 10. */
  toolSeconds: 5,
  /** The same at the end of a session, when a client waits to quit. */
  sessionEndSeconds: 1,
};
export type Rules = Readonly<typeof DEFAULTS>;
export const RULES: Rules = DEFAULTS;

/** Whether all hooks are muted, or the hook with this id. */
export const isMuted = ({ muted }: Pick<Rules, 'muted'>, id?: string): boolean =>
  typeof muted === 'boolean' ? muted : id !== undefined && Object.hasOwn(muted, id);

/** What happens if a hook that may decide fails. Only a hook that may block denies. */
export function onFailureOf(
  { block, may = [], on_failure = 'allow' }: HookDeclaration,
  { onFailure }: Pick<Rules, 'onFailure'>,
): OnFailure {
  const wanted = onFailure === 'declared' ? on_failure : onFailure;
  return block !== undefined || may.includes('block') ? wanted : 'allow';
}

/** `policy.json`: rules for all servers, and for single servers by label. Missing rules have their defaults. */
export type Policy = Partial<Rules> & {
  readonly servers?: Readonly<Record<string, Partial<Rules>>>;
};

/** The maximum of each number. The minimum is always 0. */
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

/** Rules for which a higher value is stricter. For all others, a lower value is stricter. */
export const STRICTER_ABOVE: readonly string[] = [
  'muted',
  'onFailure',
  'redact',
  'cooldown',
] satisfies (keyof Rules)[];

export const policyPath = (state: string): string => within(state, 'policy.json');

export class PolicyRefused extends UserError<DeclarationMessage> {
  constructor(
    path: string,
    /** At least one, with line and column. */
    readonly problems: readonly Problem[],
  ) {
    super({ code: 'policy-refused', path }, locate(path, problems));
  }
}

/** @throws PolicyRefused with all problems. */
export function policyIn(text: string, path: string): Policy {
  const document = readDocument(text, {
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

/** Built only if there is a file to check. */
function shape(): z.ZodMiniType {
  const rules = Object.fromEntries(
    Object.entries(RULES).map(([name, value]) => [
      name,
      z.optional(
        typeof value === 'boolean'
          ? z.boolean()
          : typeof value === 'string'
            ? z.enum(FAILURE_RULES)
            : z.number().check(z.gte(0), z.lte(MOST[name as keyof Rules] ?? 0)),
      ),
    ]),
  );
  const label = z.string().check(z.regex(LABEL));
  const muted = z.optional(z.union([z.boolean(), z.record(z.string(), z.string())]));
  const servers = z.record(label, z.strictObject({ ...rules, muted }));
  return z.strictObject({ ...rules, servers: z.optional(servers) });
}

/** `restricting`: the policy's rules for this label were written for another source, so only stricter ones apply. */
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

/** The rules that are no more permissive than the others. */
const stricter = (own: Partial<Rules>, rules: Rules): Partial<Rules> =>
  Object.fromEntries(
    Object.entries(own).filter(([name, value]) => {
      const [one, other] = [strictness(value), strictness(rules[name as keyof Rules])];
      return STRICTER_ABOVE.includes(name) ? one >= other : one <= other;
    }),
  );

/** Comparable with other values of the same rule. A list of muted hooks ranks between none and all. */
const strictness = (value: Rules[keyof Rules]): boolean | number | string =>
  typeof value === 'object' ? 0.5 : value;

/** The rules by which the policy allows this label more than others, as text: `"trusted": true`. */
export function loosened(policy: Policy, label: string): string[] {
  const { servers: _, ...all } = policy;
  const own = ownRules(policy, label);
  const kept = stricter(own, { ...RULES, ...all });
  return Object.entries(own).flatMap(([name, value]) =>
    Object.hasOwn(kept, name) ? [] : [`"${name}": ${JSON.stringify(value)}`],
  );
}
