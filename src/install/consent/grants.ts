/** What a server may do only with the user's explicit permission; `--yes` does not count. Pure. */

import { basename } from 'node:path';
import { passingMark, steeringMark } from '../../compile/steering.ts';
import type { HookDeclaration } from '../../declaration/declaration.ts';
import type { ServerHooks, ServerLaunch } from '../../declaration/declared.ts';
import {
  type Allowable,
  GRANTS,
  type Grant,
  neededBy,
  needs,
  RULE,
} from '../../declaration/grants.ts';
import { type Policy, RULES, type Rules, rulesFor } from '../../declaration/policy.ts';
import { canonical, sha256 } from '../../system/fingerprint.ts';
import { memoize } from '../../system/memoize.ts';
import type { Install } from '../ledger.ts';

/** What the user granted, and for which declaration (`declarationDigest`). Another declaration needs a new grant. */
type GrantRecord = NonNullable<Install['grants']>;

/** The same, and the package that would have been run. Another version needs a new grant, too. */
type Kept = GrantRecord & Pick<Install, 'copy'>;

/** Where a permission comes from: this command, an earlier command, or `policy.json`. */
type Allower = 'user' | 'before' | 'policy';

export interface Need {
  readonly grant: Grant;
  /** The hooks that need it, by their positions in the declaration, counted from 1. */
  readonly hooks: readonly number[];
  /** Absent if it is not allowed. */
  readonly by?: Allower;
  /** The user allowed it earlier for a different declaration, so the permission no longer counts. */
  readonly lapsed?: true;
}

export interface Decision {
  /** Empty for a declaration that only has texts. */
  readonly needs: readonly Need[];
  readonly granted?: GrantRecord;
  readonly defaults: Rules;
  readonly rules: Rules;
}

interface Known {
  readonly given: readonly Allowable[];
  readonly kept?: Kept | undefined;
  readonly policy: Policy;
  /** The policy's rules for this label were written for another source. */
  readonly restricting?: boolean;
}

/** What a declaration needs, and which of these needs are allowed. */
export function decide(declared: ServerHooks, known: Known): Decision {
  const { given, kept, policy, restricting = false } = known;
  const wanted = GRANTS.flatMap((grant) => {
    const hooks = declared.hooks.flatMap((hook, index) => (needs(hook, grant) ? [index + 1] : []));
    return hooks.length > 0 ? [{ grant, hooks }] : [];
  });
  // Hashing takes time, and without a grant there is nothing to bind.
  const mark = memoize(() => declarationDigest(declared));
  const holds =
    kept && wanted.length > 0 && !isOther(declared, kept) && kept.declaration === mark();
  const before = holds ? kept.allowed : [];
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

/** Whether npx would start a different package than before. Before copies existed, npx ran any version. */
const isOther = ({ server }: ServerHooks, { copy }: Kept): boolean =>
  copy !== undefined && server?.copy !== undefined && basename(server.copy.folder) !== copy.folder;

/**
 * The effects of missing grants: hooks that are left out, hooks with less effect than declared, and hooks whose decisions
 * become mere texts.
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

/** What a grant is bound to. The server or a script may itself be malicious, so a checksum alone is not enough. */
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

/** Distinguishes a server from any other that is started or reached differently, or that is configured elsewhere. */
export const serverDigest = (server: ServerLaunch): string => sha256(canonical(placed(server)));

/** The same words in another file may have other values. */
const placed = (server: ServerLaunch): object => {
  const { file, path } = server.configured?.entry ?? {};
  const { deciding } = server;
  return {
    ...withoutValues(server),
    ...(file !== undefined && { file, path }),
    ...given({ deciding: deciding?.mark }),
  };
};

/**
 * The names in `env` and `headers`, without the values: those are secrets and may change. A variable that decides what runs
 * counts with its value, as does one that passes on variables of the user.
 */
function withoutValues(server: ServerLaunch): object {
  // For a server from a client's configuration, these words are masked.
  const { configured } = server;
  if (configured) {
    const { seen, names, steering, passing } = configured.entry;
    return { seen, names: names.toSorted(), ...given({ steering, passing }) };
  }
  const names = (values: object | undefined) => Object.keys(values ?? {}).sort();
  if ('url' in server) {
    const passing = passingMark(server.headers);
    return { url: server.url, headers: names(server.headers), ...given({ passing }) };
  }
  const { command, args = [], cwd, env } = server;
  return {
    command,
    args,
    ...(cwd !== undefined && { cwd }),
    env: names(env),
    ...given({ steering: steeringMark(server), passing: passingMark(env) }),
  };
}

const given = (marks: Readonly<Record<string, string | undefined>>): object =>
  Object.fromEntries(Object.entries(marks).filter(([, mark]) => mark !== undefined));
