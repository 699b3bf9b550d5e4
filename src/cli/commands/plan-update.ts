/** Plans an installed label again from what its server declares now, for `update` and `diff <label>`. */

import type { Places } from '../../clients/places.ts';
import { CLIENTS } from '../../clients/registry.ts';
import type { ServerHooks, Source } from '../../declaration/declared.ts';
import { reinstallCommand } from '../../diagnose/doctor/origin.ts';
import { isApproved } from '../../install/consent/approval.ts';
import { isSame } from '../../install/consent/changes.ts';
import type { Install } from '../../install/ledger.ts';
import { isNothing } from '../../install/plan.ts';
import { missingForState } from '../../install/planned-file.ts';
import { scopeFlag, siteOf } from '../../install/site.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { messages } from '../../present/messages/output.ts';
import { sentence } from '../../present/messages/sentence.ts';
import { showChanges, unaskedInWords } from '../../present/render/declared.ts';
import { headed } from '../../present/render/lines.ts';
import { showPlan } from '../../present/render/plan.ts';
import { notUnderstood } from '../../present/render/words.ts';
import { findAgain } from '../../sources/find.ts';
import { SourceError } from '../../sources/messages.ts';
import type { ResolvedServer } from '../../sources/resolved-server.ts';
import { UserError } from '../../system/errors.ts';
import type { Terminal } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import type { Asker } from './carry-out.ts';
import type { Context, Flags } from './command.ts';
import { withCopy } from './copy.ts';
import { approvalIn, changesSince, type Prepared, planWithGrants, whyNone } from './prepare.ts';
import { readFrom, readOrListed } from './read-declaration.ts';

/**
 * Queries the server again and plans the resulting changes. The result has no `plan` if the server no longer declares hooks.
 *
 * @param ask Asks for grants if the declaration changed. For an unchanged one, the user has already decided.
 * @throws UserError if the server cannot be found or queried.
 */
export async function prepareAgain(
  context: Context,
  install: Install,
  places: Places,
  flags: Flags,
  ask?: Asker,
): Promise<Prepared | Pick<Prepared, 'declared'>> {
  const { label, origin, actNow, extraTurns } = install;
  if (!origin)
    throw new UserError<CliMessage>({
      code: 'no-origin',
      label,
      command: reinstallCommand(install),
    });
  const { env, terminal } = context;
  const madeFolders = missingForState(places);
  const target = await findServerAgain({ ...install, origin }, places, {
    cwd: places.project ?? context.cwd,
    env,
    deadline: flags.timeout * 1000,
    headers: flags.header,
  });
  const { consent: _given, ...known } = target;
  const asked = isApproved(target, approvalIn(places, label)) ? known : target;
  const foreign = target.consent !== undefined;
  // The catalogue counts only if these hooks came from it. It must not replace hooks that a server no longer declares.
  const found =
    origin.kind === 'catalogue'
      ? await readOrListed(context, asked, label, flags, places, { foreign, unasked: true })
      : await readFrom(context, asked, label, flags, places);
  if (found.hooks.length === 0) return { declared: found };
  const ofServer = changesSince(found, places);
  const declared = await withCopy(context, found, flags, {
    ...{ places, installed: install },
    isAsked: isToDecide({ changes: ofServer }),
  });
  // A new version of the package is a change, too.
  const changes = declared === found ? ofServer : changesSince(declared, places);
  const clients = CLIENTS.filter(({ id }) => install.clients.includes(id));
  const selection = { clients, found: {}, missing: [] };
  const prepared = await planWithGrants(context, declared, flags, {
    ...{ places, selection, actNow, extraTurns, madeFolders },
    ask: isToDecide({ changes }) || flags.withServer ? ask : undefined,
    introduce: (plan) => {
      const { replaces } = plan;
      const changed = showChanges(terminal, declared, changes, plan);
      const shown = [...unaskedInWords(terminal, declared), changed].join('\n');
      return replaces && origin.kind === 'catalogue'
        ? `${headed(terminal, 'yellow', 'note', messages.declaresItself(label))}\n${shown}`
        : shown;
    },
  });
  return { ...prepared, changes, diff: flags.diff };
}

/** Finds the server at its source, or under the name that its client uses for it now. */
async function findServerAgain(
  install: Install & { readonly origin: Source },
  places: Places,
  around: Parameters<typeof findAgain>[2],
): Promise<ResolvedServer> {
  const { label, origin } = install;
  try {
    return await findAgain(origin, label, around);
  } catch (error) {
    if (!(error instanceof SourceError) || error.problem.code !== 'not-configured') throw error;
    const { renamedSource } = await import('../../install/known-servers.ts');
    const renamed = renamedSource(install, places, around.cwd);
    if (!renamed) throw error;
    return findAgain(renamed, label, around);
  }
}

/** Whether it contains something that the user has not decided about. */
export const isToDecide = ({ changes }: Pick<Prepared, 'changes'>): boolean =>
  !changes || !isSame(changes);

/** Whether neither the server nor a file has changed. */
export const isUnchanged = (one: Prepared): boolean => isNothing(one.plan) && !isToDecide(one);

/** The server's changes, followed by those of the files. Only the server's if there is nothing to do. */
export const shownAgain = (terminal: Terminal, shown: Prepared): string =>
  isUnchanged(shown) && shown.introduce ? shown.introduce() : `${showPlan(terminal, shown)}\n`;

export function noHooksAnyMore(declared: ServerHooks, places: Places): string {
  const { label } = declared;
  const none = whyNone(declared);
  const why: CliMessage = none.code === 'no-hooks' ? { code: 'declares-no-more', label } : none;
  const command = `mcp-hooks uninstall ${label}${scopeFlag(siteOf(places))}`;
  const odd = notUnderstood(declared).map((one) => inLine(one));
  return `${[messages.stays(sentence(why), command), ...odd].join('\n')}\n`;
}
