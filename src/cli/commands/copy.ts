/** Decides whether hooks may start a copy of their server's package instead of npx, and which version. */

import { join } from 'node:path';
import { copiesFolder, type Places } from '../../clients/places.ts';
import type { PackageCopy, ServerHooks } from '../../declaration/declared.ts';
import { needs, RULE } from '../../declaration/grants.ts';
import { rulesFor } from '../../declaration/policy.ts';
import type { Install } from '../../install/ledger.ts';
import { makeCopy, stateOfCopy } from '../../install/package-copies.ts';
import type { Plan } from '../../install/plan.ts';
import { readPolicy } from '../../install/policy-file.ts';
import { messages } from '../../present/messages/output.ts';
import { bare } from '../../present/messages/sentence.ts';
import { folded } from '../../present/render/lines.ts';
import { isGlobal, modulesOfNpx } from '../../sources/launchers/npx.ts';
import type { SourceMessage } from '../../sources/messages.ts';
import { findPackage, npxStart } from '../../sources/npm/copy.ts';
import { disk } from '../../system/disk.ts';
import { UserError } from '../../system/errors.ts';
import type { Terminal } from '../../system/terminal.ts';
import { type Context, type Flags, isQuiet } from './command.ts';
import { withProgressAfter } from './progress.ts';

/** Milliseconds for npm to resolve the versions of all packages (`DEADLINE`), and to download them (`DOWNLOAD`). */
const DEADLINE = 20_000;
const DOWNLOAD = 5 * 60_000;

interface Around {
  readonly places: Places;
  /** The install under the label. */
  readonly installed: Install | undefined;
  /** Whether the user is asked for grants, if the terminal is interactive. */
  readonly isAsked: boolean;
}

/** The same hooks. If they call a server that npx starts, with the copy that replaces npx. */
export async function withCopy(
  context: Context,
  declared: ServerHooks,
  flags: Flags,
  around: Around,
): Promise<ServerHooks> {
  const { server, label } = declared;
  const start = npxStart(server);
  // A trial in a scratch home is not worth a copy.
  if (!server || !start || context.isScratch || !mayCall(context, declared, flags, around))
    return declared;
  const { places, installed } = around;
  const { env } = context;
  // npx prefers a globally installed package.
  if (isGlobal(start.wanted, { env })) return declared;
  const npx = modulesOfNpx({ packages: [start.spec] }, { env });
  const placed = (copy: Omit<PackageCopy, 'after' | 'npx'>) => ({
    ...copy,
    npx,
    after: start.after,
    folder: join(copiesFolder(places.state), copy.folder),
  });
  const known = installed?.copy?.spec === start.spec ? placed(installed.copy) : undefined;
  const kept = known && stateOfCopy(known.folder) === 'whole' ? known : undefined;
  const copied = (copy: PackageCopy) => ({ ...declared, server: { ...server, copy } });
  try {
    const found = await withProgressAfter(context, messages.lookingUp(start.spec), () =>
      findPackage(start.wanted, { env, deadline: DEADLINE }),
    );
    // Like npx, we get newer dependencies only together with a newer version of the package.
    if (kept?.exact === found.exact) return copied(kept);
    return copied(placed({ ...found, spec: start.spec }));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { code } = error.problem;
    if (kept && UNKNOWN.includes(code)) return copied(kept);
    // Without npm there is no npx, which is reported when the server is started.
    if (code !== 'npm-missing' && !isQuiet(flags)) sayNotCopied(context.terminal, label, error);
    return declared;
  }
}

/** Errors after which it is unknown whether there are newer versions. */
const UNKNOWN: readonly string[] = [
  'npm-missing',
  'npm-offline',
  'npm-timeout',
] satisfies SourceMessage['code'][];

/** Whether a hook calls a tool and is allowed to, or will be if the user agrees. */
function mayCall(
  { terminal }: Context,
  { hooks, label }: ServerHooks,
  { allow = [], revoke = [], yes, json, dryRun }: Flags,
  { places, installed, isAsked }: Around,
): boolean {
  if (!hooks.some((hook) => needs(hook, GRANT)) || revoke.includes(GRANT)) return false;
  if (allow.includes(GRANT) || installed?.grants?.allowed.includes(GRANT)) return true;
  if (isAsked && terminal.interactive && !yes && !json && !dryRun) return true;
  return rulesFor(readPolicy(places.state, disk.read), label)[RULE[GRANT]];
}

const GRANT = 'context-tool';

/** The hooks still work, only more slowly. */
function sayNotCopied(
  { errColumns = Number.POSITIVE_INFINITY, ...terminal }: Terminal,
  label: string,
  { problem }: UserError,
): void {
  const words = messages.notCopied(label, bare(problem));
  terminal.err(`${folded([words], errColumns).join('\n')}\n`);
}

/** Makes the copy that a plan names. Errors are reported but not fatal: npx starts the server instead. */
export async function copyPackage(
  context: Context,
  { places, declared, label }: Plan,
): Promise<void> {
  const copy = declared?.server?.copy;
  if (!copy) return;
  try {
    await withProgressAfter(context, messages.copying(label, copy.exact), () =>
      makeCopy(places, copy, { env: context.env, deadline: DOWNLOAD }),
    );
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    sayNotCopied(context.terminal, label, error);
  }
}
