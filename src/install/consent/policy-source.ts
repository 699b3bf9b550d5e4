/**
 * For which source `policy.json` allows a label something. It names labels, and a label is only a name: what it allows is
 * for the source that had the name first, until the user says `--allow policy` for another one. Pure.
 */

import type { Source } from '../../declaration/declared.ts';
import { loosened, type Policy } from '../../declaration/policy.ts';
import { installedSourceDigest, isSameSource, sourceDigest } from '../../sources/same-source.ts';
import type { Formerly, Install, Ledger } from '../ledger.ts';

/** What policy.json allows a label by its name, and for whom. */
export interface PolicySource {
  /** Only what is stricter than for others holds: the rest was written for another source. */
  readonly restricting: boolean;
  /** What is allowed, a rule each; empty: nothing. */
  readonly allowed: readonly string[];
  readonly other?: string;
}

interface Naming {
  readonly label: string;
  readonly source: Source;
  readonly known: Install | undefined;
  readonly ledger: Ledger;
  readonly policy: Policy;
  readonly allow: boolean;
}

export function policySource(naming: Naming): PolicySource {
  const { label, source, known, ledger, policy, allow } = naming;
  const allowed = loosened(policy, label);
  if (allow) return { restricting: false, allowed };
  const former = ledger.formerly?.[label];
  const holders = ledger.installs.filter((one) => one.label === label && !one.foreignPolicy);
  const other = former?.source ?? holders.find((one) => !isSameSource(one, source))?.source;
  const isOthers = { restricting: true, allowed, ...(other !== undefined && { other }) };
  if (known && isSameSource(known, source))
    return known.foreignPolicy ? isOthers : { restricting: false, allowed };
  if (former?.mark === sourceDigest(source) || holders.some((one) => isSameSource(one, source)))
    return { restricting: false, allowed };
  // In the place of one for which nothing was written.
  const isFree = holders.every((one) => one === known) && allowed.length === 0;
  return former || (holders.length > 0 && !isFree) ? isOthers : { restricting: false, allowed };
}

/** What is remembered once a label is installed. */
export function formerlyAfterInstall(
  { label, known, ledger, policy, source }: Omit<Naming, 'allow'>,
  { restricting }: PolicySource,
): Formerly {
  const { [label]: _, ...others } = ledger.formerly ?? {};
  if (!restricting) return still(others, policy);
  return known && !isSameSource(known, source)
    ? leaving(known, ledger, policy)
    : still(ledger.formerly, policy);
}

/** What is remembered once an install is gone, so that the next source of its name does not come into what it had. */
export const leaving = (gone: Install, { formerly, installs }: Ledger, policy: Policy) => {
  const { label, source } = gone;
  const isHeld = installs.some((one) => one !== gone && one.label === label && !one.foreignPolicy);
  const own = { [label]: { mark: installedSourceDigest(gone) ?? null, source } };
  return still({ ...(gone.foreignPolicy || isHeld ? {} : own), ...formerly }, policy);
};

/** Only where policy.json still allows something. */
export const still = (formerly: Formerly = {}, policy: Policy): Formerly =>
  Object.fromEntries(
    Object.entries(formerly).filter(([label]) => loosened(policy, label).length > 0),
  );
