/**
 * What the user allows servers: `policy.json` in our state folder. Every rule, its default and its limits are here, once.
 * The runner gets them at install, and reads the file whenever it fires.
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
 * What happens when a hook that may decide fails: what it declares, or something else that the user wants. The later in the
 * alphabet, the stricter, as with numbers.
 */
const FAILURE_RULES = ['allow', 'declared', 'deny'] as const satisfies readonly (
  | OnFailure
  | 'declared'
)[];
type FailureRule = (typeof FAILURE_RULES)[number];

/** Hooks of a label that are muted alone: by their ids, which change with what they declare, what people know them by. */
export type MutedHooks = Readonly<Record<string, string>>;

/** The rules if the user has set and granted nothing. The numbers of characters are below those at which any client cuts. */
const DEFAULTS = {
  /** None of its hooks are shown, and none of its tools are called; for a label, also some of its hooks. */
  muted: false as boolean | MutedHooks,
  /** `required` is honoured; otherwise it counts as `important`. */
  trusted: false,
  /** Its `context_tool` may be called; without a grant the hooks with one are not even installed. */
  contextTool: false,
  /** Its hooks may block what was about to happen. */
  block: false,
  /** Its hooks may change a tool's input, or the output that the model reads. */
  modify: false,
  /** Programs that its manifest names are run; without a grant the hooks with one are not even installed. */
  command: false,
  /** Those programs may run code of the session's folder. */
  projectCode: false,
  /** What happens to what its hooks may decide about, if they fail. `deny` only counts for hooks that may block. */
  onFailure: 'declared' as FailureRule,
  /** Secrets are masked in what its hooks read, and in the log. */
  redact: true,
  /** How many of its hooks count at all, strongest first. */
  hooksPerServer: 64,
  /** How many of its hooks count on one event, strongest first. */
  hooksPerEvent: 16,
  /** Characters of one hook's text. */
  charactersPerHook: 8000,
  /** Characters of all its texts on one event, headings included. */
  charactersPerEvent: 9000,
  /** Characters of one value that is filled into a text, a tool's output for example. */
  charactersPerValue: 2000,
  /** Seconds for which a hook that was shown is not shown again in a session. */
  cooldown: 0,
  /** Seconds that a `context_tool` has for its answer, at most 10. */
  toolSeconds: 5,
  /** The same at the end of a session, while a client waits to quit. */
  sessionEndSeconds: 1,
};
export type Rules = Readonly<typeof DEFAULTS>;
export const RULES: Rules = DEFAULTS;

/** Whether none of the hooks are shown, or not the one with that id. */
export const isMuted = ({ muted }: Pick<Rules, 'muted'>, id?: string): boolean =>
  typeof muted === 'boolean' ? muted : id !== undefined && Object.hasOwn(muted, id);

/** What becomes of what a hook may decide about, if it fails. Only a hook that may block denies. */
export function onFailureOf(
  { block, may = [], on_failure = 'allow' }: HookDeclaration,
  { onFailure }: Pick<Rules, 'onFailure'>,
): OnFailure {
  const wanted = onFailure === 'declared' ? on_failure : onFailure;
  return block !== undefined || may.includes('block') ? wanted : 'allow';
}

/** `policy.json`: rules for every server, and for one by its label. The defaults hold for rules that are left out. */
export type Policy = Partial<Rules> & {
  readonly servers?: Readonly<Record<string, Partial<Rules>>>;
};

/** The maximum of each number; none may be below 0. */
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

/** Rules for which more is stricter. For all others, less is stricter. */
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

/** @throws PolicyRefused with all that is wrong. */
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

/** Made only when there is a file to check. */
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

/** `restricting`: the policy's rules for this label were written for another source, so only stricter ones hold. */
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
      const [one, other] = [strictness(value), strictness(rules[name as keyof Rules])];
      return STRICTER_ABOVE.includes(name) ? one >= other : one <= other;
    }),
  );

/** Comparable with that of the same rule's other values: between no hook that is muted and all of them are some. */
const strictness = (value: Rules[keyof Rules]): boolean | number | string =>
  typeof value === 'object' ? 0.5 : value;

/** What the policy allows a label by its name and would not allow another one, in words: `"trusted": true`. */
export function loosened(policy: Policy, label: string): string[] {
  const { servers: _, ...all } = policy;
  const own = ownRules(policy, label);
  const kept = stricter(own, { ...RULES, ...all });
  return Object.entries(own).flatMap(([name, value]) =>
    Object.hasOwn(kept, name) ? [] : [`"${name}": ${JSON.stringify(value)}`],
  );
}
