/** Carries out a plan. No other module writes a client's file or the ledger. */

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDefault, type Places } from '../clients/places.ts';
import { policyPath } from '../declaration/policy.ts';
import { decode } from '../edit/text.ts';
import { type Message, Stale, said, UserError } from '../system/errors.ts';
import {
  confine,
  discard,
  followMany,
  isInside,
  leadsElsewhere,
  makeFolders,
  missingFolders,
  missingOnTheWay,
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
import { type FileChange, fileRefused } from './planned-file.ts';

/** How often we retry when a client writes at the same time. */
const ATTEMPTS = 10;

/**
 * Carries out a plan, in effect as one transaction. The ledger first records what is about to happen. Then the runner is
 * written, then the client files that name it, and finally the ledger records that the work is done. An uninstall runs in the
 * opposite order. No client file ever names a missing runner, whenever the process is killed, and running the same command
 * again completes the work.
 *
 * @param again Makes a new plan when a file has changed since the plan was made. Without it, such a change throws Stale.
 * @returns The plan that was carried out.
 * @throws UserError when a file cannot be written. Everything is as it was before, or the error names what is not.
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
 * Rewrites the user's policy while holding the lock against other mcp-hooks processes.
 *
 * @param next Returns the new text for the current one. Null means that there is no file.
 * @throws UserError when the file cannot be read or written. It is then unchanged.
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
 * Removes the leftovers of killed runs from our folder, and the folder itself if it is otherwise empty. Waits for another run
 * that is in progress.
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

/** Rejects a plan that is known to fail, before anything is written. */
function check(plan: Plan): void {
  for (const { client, path, refusal } of plan.clients) {
    if (refusal) throw fileRefused(client, path, refusal);
  }
  const follow = followMany();
  const own = [...plan.first, ...plan.last].find(({ path }) => leadsElsewhere(path, follow));
  if (own) throw new UserError<InstallMessage>({ code: 'own-link', path: own.path });
  const { state } = plan.places;
  const other = otherOwner(state);
  // Clients would run whatever the owner puts there. Root can do that anywhere, and a removal does not run anything.
  if (other && other.uid !== 0 && plan.first.length > 0)
    throw new UserError<InstallMessage>({ code: 'not-writable', path: state, why: other });
  for (const { path } of changesOf(plan)) {
    const why = obstacle(path, follow);
    if (why !== undefined) throw new UserError<InstallMessage>({ code: 'not-writable', path, why });
  }
}

/** Returns the processes that now end the background commands of hooks. */
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
  // These files belong to removed hooks. A failure to delete them is no reason to undo an uninstall.
  const discarded = plan.discarded().filter((path) => !leadsElsewhere(path));
  const running = backgroundProcesses(discarded);
  discard(discarded);
  return running;
}

function write({ path, before, after, mode, within }: FileChange, made: string[]): void {
  if (same(before, after)) return;
  const target = confine(path, within);
  if (after !== null) {
    const folders = missingOnTheWay(target);
    made.push(...folders);
    makeFolders(folders);
  }
  replace(path, before, after, mode, within);
}

/** Undoes the changes in reverse order. Stops at a change that cannot be undone, because that change needs the earlier ones. */
function putBack(tried: readonly FileChange[], made: readonly string[]): string[] {
  const undone = tried.toReversed();
  const stuck = undone.findIndex(({ path, before, after, mode, within }, index) => {
    try {
      confine(path, within);
      const now = read(path);
      // The last change failed. It may have been made anyway, or another program may have written the file since.
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
