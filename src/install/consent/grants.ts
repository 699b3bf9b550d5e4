/** What a server may do only after the user has said so in so many words, `--yes` being none. Pure. */

import { steeringMark } from '../../compile/steering.ts';
import type { HookDeclaration } from '../../declaration/declaration.ts';
import type { ServerHooks, ServerLaunch } from '../../declaration/declared.ts';
import {
  type Allowable,
  GRANTS,
  type Grant,
  NEEDS,
  neededBy,
  RULE,
} from '../../declaration/grants.ts';
import { type Policy, RULES, type Rules, rulesFor } from '../../declaration/policy.ts';
import { canonical, sha256 } from '../../system/fingerprint.ts';
import { memoize } from '../../system/memoize.ts';

/** What the user has granted, and to which declaration: another one has to be granted anew. */
export interface GrantRecord {
  /** From `declarationDigest`. */
  readonly declaration: string;
  readonly allowed: readonly Grant[];
}

/** Who allows something: the user in this command, the user before, `policy.json`. */
export type Allower = 'user' | 'before' | 'policy';

export interface Need {
  readonly grant: Grant;
  /** The hooks that need it: their places in the declaration, from 1. */
  readonly hooks: readonly number[];
  /** Absent: nobody allows it. */
  readonly by?: Allower;
  /** The user has allowed it before, of another declaration, which counts no more. */
  readonly lapsed?: true;
}

export interface Decision {
  /** None for a declaration that only has texts told. */
  readonly needs: readonly Need[];
  readonly granted?: GrantRecord;
  readonly defaults: Rules;
  readonly rules: Rules;
}

interface Heard {
  readonly given: readonly Allowable[];
  readonly kept?: GrantRecord | undefined;
  readonly policy: Policy;
  /** What it says of the label was said of another source. */
  readonly restricting?: boolean;
}

/** What a declaration needs, and what of it is allowed. */
export function decide(declared: ServerHooks, heard: Heard): Decision {
  const { given, kept, policy, restricting = false } = heard;
  const wanted = GRANTS.flatMap((grant) => {
    const hooks = declared.hooks.flatMap((hook, index) => (NEEDS[grant](hook) ? [index + 1] : []));
    return hooks.length > 0 ? [{ grant, hooks }] : [];
  });
  // A hash takes its time, and with nothing granted there is nothing to bind.
  const mark = memoize(() => declarationDigest(declared));
  const before = kept && wanted.length > 0 && kept.declaration === mark() ? kept.allowed : [];
  const allowed = wanted.flatMap(({ grant }) =>
    given.includes(grant) || before.includes(grant) ? [grant] : [],
  );
  const defaults: Rules = {
    ...RULES,
    ...Object.fromEntries(allowed.map((grant) => [RULE[grant], true])),
  };
  const rules = rulesFor(policy, declared.label, defaults, restricting);
  const allower = (grant: Grant): Allower | undefined => {
    if (given.includes(grant)) return 'user';
    if (before.includes(grant)) return 'before';
    return rules[RULE[grant]] ? 'policy' : undefined;
  };
  return {
    needs: wanted.map((one) => {
      const by = allower(one.grant);
      const lapsed = by === undefined && kept?.allowed.includes(one.grant);
      return { ...one, ...(by && { by }), ...(lapsed && { lapsed }) };
    }),
    ...(allowed.length > 0 && { granted: { declaration: mark(), allowed } }),
    defaults,
    rules,
  };
}

/**
 * For want of a grant: the hooks that are left out, those that count for less than they say, and those whose decisions are
 * only said.
 */
export function denied(
  hooks: readonly HookDeclaration[],
  decision: Decision | undefined,
): Record<'leftOut' | 'downgraded' | 'undecided', number[]> {
  const open = (decision?.needs ?? []).filter(({ by }) => by === undefined);
  const without = (...grants: Grant[]) =>
    hooks.flatMap((_, index) => {
      const isOpen = open.some(
        (need) => grants.includes(need.grant) && need.hooks.includes(index + 1),
      );
      return isOpen ? [index + 1] : [];
    });
  const leftOut = hooks.flatMap((hook, index) =>
    neededBy(hook).some((grant) => open.some((need) => need.grant === grant)) ? [index + 1] : [],
  );
  const others = (found: number[]) => found.filter((hook) => !leftOut.includes(hook));
  return {
    leftOut,
    downgraded: others(without('required')),
    undecided: others(without('block', 'modify')),
  };
}

/** What a grant is bound to. A server, or a script, is the very one that could mean harm, so no checksum will do. */
export const declarationDigest = ({
  hooks,
  server,
  commandFiles,
}: Pick<ServerHooks, 'hooks' | 'server' | 'commandFiles'>): string =>
  sha256(
    canonical({
      hooks,
      ...(server && { server: placed(server) }),
      ...(commandFiles && { commandFiles }),
    }),
  );

/** Tells a server from any that is started or reached in another way, or stands elsewhere. */
export const serverDigest = (server: ServerLaunch): string => sha256(canonical(placed(server)));

/** The same words in another file may have other values. */
const placed = (server: ServerLaunch): object => {
  const { file, path } = server.configured?.entry ?? {};
  return { ...withoutValues(server), ...(file !== undefined && { file, path }) };
};

/**
 * The names in `env` and `headers`: their values are secrets, and may be others tomorrow. Only what decides what runs counts
 * with its value; a server without such variables has the mark that earlier versions gave it.
 */
function withoutValues(server: ServerLaunch): object {
  // Of one in a client's configuration words are masked here.
  const { configured } = server;
  if (configured) {
    const { seen, names, steering } = configured.entry;
    return { seen, names: names.toSorted(), ...(steering !== undefined && { steering }) };
  }
  const names = (values: object | undefined) => Object.keys(values ?? {}).sort();
  if ('url' in server) return { url: server.url, headers: names(server.headers) };
  const { command, args = [], cwd, env } = server;
  const steering = steeringMark(server);
  return {
    command,
    args,
    ...(cwd !== undefined && { cwd }),
    env: names(env),
    ...(steering !== undefined && { steering }),
  };
}
