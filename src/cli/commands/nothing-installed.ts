/** Messages for commands whose subject is not installed. */

import type { Places } from '../../clients/places.ts';
import type { DiagnoseMessage } from '../../diagnose/messages.ts';
import type { Install, Ledger } from '../../install/ledger.ts';
import { labelAt, scopeFlag, siteInWords, siteOf } from '../../install/site.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { messages } from '../../present/messages/output.ts';
import { UserError } from '../../system/errors.ts';
import { inLine } from '../../system/visible.ts';
import type { Context } from './command.ts';
import { fromElsewhere } from './doctor-context.ts';

export const notInstalled = (
  context: Context,
  label: string,
  places: Places,
  { installs }: Ledger,
): UserError =>
  new UserError<CliMessage | DiagnoseMessage>(
    {
      code: 'not-installed',
      label,
      where: siteInWords(siteOf(places), places.home),
      others: installs.map((one) => labelAt(one, places.home)),
    },
    fromElsewhere(context, label),
  );

/**
 * The message for a command that has nothing to work on. In a folder with installs of its own, it names the command for them.
 *
 * @param command The command's name; absent: the command itself says what to run.
 */
export function nothingIn(
  places: Places,
  elsewhere: readonly Install[],
  { command, cwd, broken = false }: { command?: string; cwd: string; broken?: boolean },
): string {
  if (broken) return messages.installedUnknown;
  if (elsewhere.length === 0) return messages.nothingInstalledYet;
  const others = elsewhere.map((one) => inLine(labelAt(one, places.home)));
  const here = elsewhere.find(({ project }) => [null, cwd].includes(project));
  const where = inLine(siteInWords(siteOf(places), places.home));
  return messages.nothingInstalledIn(
    where,
    others,
    here && command !== undefined
      ? {
          place: here.project === null ? 'user scope' : 'this project',
          line: `mcp-hooks ${command}${scopeFlag(here)}`,
        }
      : undefined,
  );
}
