/** Carries out a plan: the one place that writes. */

import { rmSync } from 'node:fs';
import { UserError } from './errors.ts';
import {
  checkWritable,
  locked,
  makeFolders,
  missingFolders,
  read,
  removeEmptyFolders,
  replace,
  same,
} from './files.ts';
import { messages } from './messages.ts';
import { changesOf, type Plan } from './plan.ts';

/** A file is no longer what the plan was made for. Nothing was written; a new plan may be. */
export class Stale extends UserError {}

/**
 * Writes every file of the plan, each whole and only if it is still as the plan saw it. Installing: the runner
 * before the configs that name it, then the ledger; uninstalling: the configs first.
 *
 * @throws Stale when a file was changed since the plan was made; nothing was written then.
 * @throws UserError when a file cannot be written; running the command again is safe.
 */
export async function apply(plan: Plan): Promise<void> {
  if (plan.clients.some(({ refusal }) => refusal)) throw new UserError(messages.refused);
  for (const { path } of changesOf(plan)) checkWritable(path);
  const { state } = plan.places;
  const missing = missingFolders(`${state}/lock`);
  try {
    await locked(state, () => {
      for (const { path, before } of changesOf(plan))
        if (!same(read(path), before)) throw new Stale(messages.changedMeanwhile(path));
      for (const { path, before, after, mode } of changesOf(plan)) {
        if (after !== null) makeFolders(missingFolders(path));
        replace(path, before, after, mode);
      }
      for (const path of plan.discarded) rmSync(path, { recursive: true, force: true });
    });
  } finally {
    removeEmptyFolders([...missing, ...plan.emptied]);
  }
}
