/** Carries out a plan: the one place that writes. */

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDefault, type Places } from '../clients/places.ts';
import { policyPath } from '../declaration/policy.ts';
import { placeOf } from '../edit/edit.ts';
import { decode } from '../edit/text.ts';
import { type Message, Stale, said, UserError } from '../system/errors.ts';
import {
  confine,
  discard,
  isInside,
  leadsElsewhere,
  makeFolders,
  missingFolders,
  obstacle,
  otherOwner,
  read,
  removeEmptyFolders,
  replace,
  same,
  sweep,
} from '../system/files.ts';
import { isLocked, locked, lockPath } from '../system/lock.ts';
import type { SystemMessage } from '../system/messages.ts';
import { backgroundProcesses, haveEnded } from './background.ts';
import { leftovers } from './leftovers.ts';
import type { InstallMessage } from './messages.ts';
import { removeUnusedCopies } from './package-copies.ts';
import { changesOf, type Plan } from './plan.ts';
import type { FileChange } from './planned-file.ts';

/** How often we try again when a client writes at the same time, before we give up. */
const ATTEMPTS = 10;

/**
 * Carries out a plan, as one transaction in effect. The ledger first says what is coming. Then the runner is written, then
 * the clients' files that name it, and at last the ledger says that it is done. An uninstall goes the other way. So no
 * client's file ever names a runner that is missing, whenever the process is killed, and the same command again finishes the
 * work.
 *
 * @param again Makes the plan anew when a file has changed since the plan was made; without it that throws Stale.
 * @returns The plan that was carried out.
 * @throws UserError when a file cannot be written. Everything is as it was, or the error says what is not.
 */
export async function apply(plan: Plan, again?: () => Plan): Promise<Plan> {
  check(plan);
  const { state } = plan.places;
  const missing = missingFolders(lockPath(state));
  let done = plan;
  try {
    const running = await locked(state, () => {
      sweep(lockPath(state));
      discard(leftovers(plan.places));
      for (let left = ATTEMPTS; ; left--)
        try {
          const ending = carryOut(done);
          removeUnusedCopies(done.places);
          return ending;
        } catch (error) {
          if (!(error instanceof Stale) || !again || left === 0) throw error;
          done = again();
          check(done);
        }
    });
    if (!(await haveEnded(running)))
      throw new UserError<InstallMessage>({ code: 'background-left', label: plan.label });
  } finally {
    removeEmptyFolders([...missing, ...done.stateFolders]);
  }
  return done;
}

/**
 * Rewrites the user's policy, while no other run of ours is at work.
 *
 * @param next Its text after this, from its text now; null: there is no file.
 * @throws UserError when it cannot be read or written; then it is as it was.
 */
export async function applyPolicy(
  { state }: Places,
  next: (text: string | null) => string | null,
): Promise<void> {
  const path = policyPath(state);
  const missing = missingFolders(lockPath(state));
  try {
    await locked(state, () => {
      sweep(path);
      const before = read(path);
      const text = next(before && decode(before));
      replace(path, before, text === null ? null : Buffer.from(text));
    });
  } finally {
    removeEmptyFolders(missing);
  }
}

/**
 * Removes leftovers of killed runs from our folder, and the folder itself if nothing else is in it. Waits for another run
 * that is at work.
 */
export async function removeLeftovers(places: Places): Promise<void> {
  const { state } = places;
  if (!existsSync(state)) return;
  const left = leftovers(places);
  if (!isLocked(state) && left.length === 0) return;
  await locked(state, () => {
    sweep(lockPath(state));
    discard(left);
  });
  const folders = left.map((path) => dirname(path)).filter((folder) => isInside(folder, state));
  const all = new Set(folders.flatMap((folder) => [dirname(folder), folder]));
  const own = [...all].filter((folder) => isInside(folder, state)).sort();
  removeEmptyFolders([...(isDefault(places) ? [state] : []), ...own]);
}

/** Do not begin what is known to fail. */
function check(plan: Plan): void {
  for (const { client, path, refusal } of plan.clients) {
    if (!refusal) continue;
    throw new UserError<InstallMessage>(
      { code: 'file-refused', path, ...placeOf(refusal), why: refusal.problem },
      [{ code: 'mend-or-leave-out', client: client.name }],
    );
  }
  const own = [...plan.first, ...plan.last].find(({ path }) => leadsElsewhere(path));
  if (own) throw new UserError<InstallMessage>({ code: 'own-link', path: own.path });
  const { state } = plan.places;
  const other = otherOwner(state);
  // Clients would run what its owner puts there. Root may do that anywhere, and what is removed is not run.
  if (other && other.uid !== 0 && plan.first.length > 0)
    throw new UserError<InstallMessage>({ code: 'not-writable', path: state, why: other });
  for (const { path } of changesOf(plan)) {
    const why = obstacle(path);
    if (why !== undefined) throw new UserError<InstallMessage>({ code: 'not-writable', path, why });
  }
}

/** @returns The processes that now end what hooks have started in the background. */
function carryOut(plan: Plan): string[] {
  const { path, before, during, after, aside } = plan.ledger;
  const mode = 0o600;
  const work = changesOf(plan).filter((change) => change.path !== path);
  for (const change of [...work, { path, before }])
    if (!same(read(change.path), change.before))
      throw new Stale<SystemMessage>({ code: 'changed-meanwhile', path: change.path });

  const begun = { path, before, after: during, mode };
  const done = { path, before: work.length > 0 ? during : before, after, mode };
  const steps = [...(aside ? [aside] : []), ...(work.length > 0 ? [begun] : []), ...work];
  const tried: FileChange[] = [];
  const made: string[] = [];
  const carry = (step: FileChange) => {
    tried.push(step);
    write(step, made);
  };
  try {
    steps.forEach(carry);
    removeEmptyFolders(plan.emptied);
    carry(done);
  } catch (error) {
    const left = putBack(tried, made);
    if (left.length === 0 || !(error instanceof UserError)) throw error;
    const Same = error instanceof Stale ? Stale : UserError;
    throw new Same<Message>(error.problem, [
      ...error.details,
      said<InstallMessage>({ code: 'not-put-back', paths: left }),
    ]);
  }
  // These files belong to what is gone. They are no reason to undo an uninstall.
  const discarded = plan.discarded().filter((path) => !leadsElsewhere(path));
  const running = backgroundProcesses(discarded);
  discard(discarded);
  return running;
}

function write({ path, before, after, mode, within }: FileChange, made: string[]): void {
  if (same(before, after)) return;
  confine(path, within);
  sweep(path);
  if (after !== null) {
    const folders = missingFolders(path);
    made.push(...folders);
    makeFolders(folders);
  }
  replace(path, before, after, mode, within);
}

/** Undoes the changes, last things first, up to one that cannot be undone: it needs those before it. */
function putBack(tried: readonly FileChange[], made: readonly string[]): string[] {
  const undone = tried.toReversed();
  const stuck = undone.findIndex(({ path, before, after, mode, within }, index) => {
    try {
      confine(path, within);
      const now = read(path);
      // The last change failed. It may have been made anyway, or the file may be somebody else's by now.
      if (same(now, before) || (index === 0 && !same(now, after))) return false;
      if (before !== null) makeFolders(missingFolders(path));
      replace(path, after, before, mode, within);
      return false;
    } catch {
      return true;
    }
  });
  removeEmptyFolders(made);
  return stuck === -1 ? [] : undone.slice(stuck).map(({ path }) => path);
}
