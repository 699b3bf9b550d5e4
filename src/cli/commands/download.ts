/** Downloads servers before their hooks need them. */

import type { Places } from '../../clients/places.ts';
import type { ProgramServer } from '../../compile/program.ts';
import { sessionFolder } from '../../diagnose/fire/fire-client.ts';
import type { Installed } from '../../diagnose/fire/installed.ts';
import { messages } from '../../present/messages/output.ts';
import { bare } from '../../present/messages/sentence.ts';
import { folded } from '../../present/render/lines.ts';
import { showProblems } from '../../present/render/problems.ts';
import { downloadAhead } from '../../sources/launchers/ahead.ts';
import { commandInWords } from '../../sources/shown-launch.ts';
import { UserError } from '../../system/errors.ts';
import { inLine } from '../../system/visible.ts';
import type { Context } from './command.ts';
import { tellingDownload } from './progress.ts';

/** Milliseconds for a server to answer after its download. */
const DEADLINE = 20_000;

/**
 * Downloads the servers of hooks that call tools. Errors are reported but not fatal.
 *
 * @param always Also starts servers for which only their launcher knows whether something is missing.
 */
export async function downloadServers(
  { terminal, env, cwd, version }: Context,
  installed: readonly Installed[],
  places: Places,
  { always }: { readonly always: boolean },
): Promise<void> {
  for (const one of installed) {
    const { label } = one;
    const server = calledServer(one);
    if (!server) continue;
    let words: readonly string[] = [];
    try {
      await downloadAhead(
        server,
        {
          ...{ label, version, env, always, deadline: DEADLINE },
          cwd: sessionFolder(one, places, cwd),
          onDownload: tellingDownload(terminal, label),
        },
        (started) => {
          words = started;
        },
      );
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      // A server that cannot be started at all is reported when its hooks run.
      if (words.length === 0) return;
      const { errColumns = Number.POSITIVE_INFINITY } = terminal;
      const lines = [
        ...folded([messages.notDownloaded(label, bare(error.problem))], errColumns),
        ...showProblems(terminal, errColumns, error.details, bare),
        ...folded([messages.withoutDownload], errColumns),
        // Not wrapped, so that it can be copied.
        inLine(messages.tryDownload(commandInWords(words)), 2000),
      ];
      terminal.err(`${lines.join('\n')}\n`);
      return;
    }
  }
}

const calledServer = ({ events }: Installed): ProgramServer | undefined =>
  events.find(({ program }) => program?.server && program.hooks.some(({ call }) => call))?.program
    ?.server;
