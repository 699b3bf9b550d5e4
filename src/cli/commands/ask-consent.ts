/** Before a server is started or reached to be asked: what exactly, and where nobody has said so yet, whether. */

import { homeIn } from '../../clients/find-places.ts';
import { tilde } from '../../clients/places.ts';
import type { SourceMessage } from '../../sources/messages.ts';
import type { ResolvedServer } from '../../sources/resolved-server.ts';
import { launchInWords } from '../../sources/shown-launch.ts';
import { quotes, UserError } from '../../system/errors.ts';
import { paint, wrap } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import type { CliMessage } from '../messages/cli.ts';
import { messages } from '../messages/output.ts';
import { sentence } from '../messages/sentence.ts';
import { confirmed } from './confirm.ts';
import type { Context } from './context.ts';

/**
 * Returns when the target may be asked. A target whose hooks are written down is not asked.
 *
 * @throws UserError when the user does not agree, or cannot be asked.
 */
export async function agreeToAsk(
  { terminal, env }: Context,
  target: ResolvedServer,
  flags: { readonly yes?: boolean; readonly json?: boolean },
): Promise<void> {
  if (target.declared) return;
  const lines = inWords(target, homeIn(env));
  const { consent, label, notes = [] } = target;
  if (!flags.json) {
    const said = lines.map((line) => wrap(line, terminal.columns, '    ', '  '));
    const why =
      consent === undefined ? [] : [wrap(inLine(sentence(consent)), terminal.columns, '')];
    const head = paint(terminal, 'bold', messages.toBeAsked(inLine(label)));
    const also = notes.map((note) => paint(terminal, 'dim', `  ${inLine(sentence(note))}`));
    terminal.err(`${[head, ...said, ...also, ...why].join('\n')}\n`);
  }
  if (consent === undefined || flags.yes) return;
  if (!terminal.interactive || flags.json)
    throw new UserError<CliMessage | SourceMessage>(
      { code: 'start-needs-yes' },
      flags.json ? [consent, ...quotes(lines)] : [],
    );
  if (!(await confirmed(messages.startQuestion)))
    throw new UserError<CliMessage>({ code: 'not-started' });
}

/** All that decides what runs, in the folder where that is now. */
function inWords({ server, source, launch }: ResolvedServer, home: string | undefined): string[] {
  if (!server) return [];
  const now = launch?.();
  const folder = now && 'cwd' in now ? now.cwd : undefined;
  return launchInWords({ server, source }, folder && (home ? tilde(folder, home) : folder));
}
