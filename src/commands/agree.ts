/** Before a server is started or reached to be asked: what exactly, and where nobody has said so yet, whether. */

import { UserError } from '../errors.ts';
import type { Target } from '../finding/target.ts';
import { messages } from '../messages.ts';
import { homeIn, tilde } from '../places.ts';
import { masker } from '../secrets.ts';
import { commandInWords, inWhole } from '../showing/command.ts';
import { paint, wrap } from '../terminal.ts';
import { inLine, visible } from '../visible.ts';
import { confirmed } from './confirm.ts';
import type { Context } from './context.ts';

/**
 * Returns when the target may be asked. A target whose hooks are written down is not asked.
 *
 * @throws UserError when the user does not agree, or cannot be asked.
 */
export async function agreeToAsk(
  { terminal, env }: Context,
  target: Target,
  flags: { readonly yes?: boolean; readonly json?: boolean },
): Promise<void> {
  if (target.declared) return;
  const lines = inWords(target, homeIn(env));
  const { consent, label, notes = [] } = target;
  if (!flags.json) {
    const said = lines.map((line) => wrap(line, terminal.columns, '    ', '  '));
    const why = consent === undefined ? [] : [wrap(visible(consent), terminal.columns, '')];
    const head = paint(terminal, 'bold', messages.toBeAsked(visible(label)));
    const also = notes.map((note) => paint(terminal, 'dim', `  ${visible(note)}`));
    terminal.err(`${[head, ...said, ...also, ...why].join('\n')}\n`);
  }
  if (consent === undefined || flags.yes) return;
  if (!terminal.interactive || flags.json)
    throw new UserError(messages.startNeedsYes, flags.json ? [consent, ...lines] : []);
  if (!(await confirmed(messages.startQuestion))) throw new UserError(messages.notStarted);
}

/** The command with its folder, or the address; of values only the names. */
function inWords({ server, launch, words }: Target, home: string | undefined): string[] {
  if (!server) return [];
  const values = Object.keys(('url' in server ? server.headers : server.env) ?? {});
  const names = values.map((name) => inLine(name, 100)).join(', ');
  if ('url' in server) {
    const headers = names === '' ? [] : [`headers: ${names}`];
    return [inLine(masker({})(server.url), 2000), ...headers];
  }
  const command = words
    ? inWhole(words())
    : commandInWords([server.command, ...(server.args ?? [])]);
  const now = launch?.();
  const folder = server.cwd ?? (now && 'cwd' in now ? now.cwd : undefined);
  return [
    inLine(command, Number.POSITIVE_INFINITY),
    ...(folder === undefined ? [] : [`in ${inLine(home ? tilde(folder, home) : folder, 1000)}`]),
    ...(names === '' ? [] : [`environment: ${names}`]),
  ];
}
