/**
 * The source for which `policy.json` allows a label something. The policy refers to labels, and any source can use a label. The
 * permissions apply to the source that used the label first, until the user passes `--allow policy` for another one. Pure.
 */

import type { Source } from '../../declaration/declared.ts';
import { loosened, type Policy } from '../../declaration/policy.ts';
import { installedSourceDigest, isSameSource, sourceDigest } from '../../sources/same-source.ts';
import type { Formerly, Install, Ledger } from '../ledger.ts';

/** What policy.json allows a label by name, and for which source. */
export interface PolicySource {
  /** Only rules stricter than the general ones hold, because the others were written for another source. */
  readonly restricting: boolean;
  /** What is allowed, one entry per rule; empty if nothing is. */
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
  const isFormer = former !== undefined && former.mark === sourceDigest(source);
  if (isFormer || holders.some((one) => isSameSource(one, source)))
    return { restricting: false, allowed };
  // The new source replaces a source for which no rules were written.
  const isFree = holders.every((one) => one === known) && allowed.length === 0;
  return former || (holders.length > 0 && !isFree) ? isOthers : { restricting: false, allowed };
}

/** What to remember after a label is installed. */
export function formerlyAfterInstall(
  { label, known, ledger, policy, source }: Omit<Naming, 'allow'>,
  { restricting }: PolicySource,
): Formerly {
  const { [label]: _, ...others } = ledger.formerly ?? {};
  if (!restricting) return pruneFormerSources(others, policy);
  return known && !isSameSource(known, source)
    ? formerlyAfterUninstall(known, ledger, policy)
    : pruneFormerSources(ledger.formerly, policy);
}

/** What to remember after an uninstall, so that the next source with the same label does not inherit its permissions. */
export const formerlyAfterUninstall = (
  gone: Install,
  { formerly, installs }: Ledger,
  policy: Policy,
) => {
  const { label, source } = gone;
  const isHeld = installs.some((one) => one !== gone && one.label === label && !one.foreignPolicy);
  const own = { [label]: { mark: installedSourceDigest(gone) ?? null, source } };
  return pruneFormerSources({ ...(gone.foreignPolicy || isHeld ? {} : own), ...formerly }, policy);
};

/** Keeps only labels that policy.json still allows something. */
export const pruneFormerSources = (formerly: Formerly = {}, policy: Policy): Formerly =>
  Object.fromEntries(
    Object.entries(formerly).filter(([label]) => loosened(policy, label).length > 0),
  );
