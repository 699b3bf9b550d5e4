/** Reads a server's declaration after the user agreed to the query and, if necessary, signed in. */

import { homeIn, type Places, tilde } from '../../clients/places.ts';
import { type ServerHooks, unkept } from '../../declaration/declared.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { messages } from '../../present/messages/output.ts';
import { sentence } from '../../present/messages/sentence.ts';
import { cataloguedFor, cataloguedUnasked } from '../../sources/catalogue/catalogue.ts';
import type { SourceMessage } from '../../sources/messages.ts';
import {
  authorized,
  type Challenge,
  shownOf,
  signInAddress,
} from '../../sources/oauth/authorized.ts';
import type { SignInOptions } from '../../sources/oauth/sign-in.ts';
import {
  type ReadOptions,
  readTarget,
  readTools,
  withMaskedErrors,
} from '../../sources/protocol/read.ts';
import type { ToolList } from '../../sources/protocol/tools.ts';
import type { ResolvedServer } from '../../sources/resolved-server.ts';
import { launchInWords } from '../../sources/shown-launch.ts';
import { quotes, UserError } from '../../system/errors.ts';
import { paint, type Terminal, wrap, wrapQuoted } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import type { Context, Flags } from './command.ts';
import { confirmed } from './confirm.ts';
import { tellingDownload, withProgressAfter } from './progress.ts';

/** @param name The user's name for the server, escaped. */
export async function readFrom(
  context: Context,
  target: ResolvedServer,
  name: string,
  flags: Flags,
  { state }: Places,
): Promise<ServerHooks> {
  const lost = unkept(target.source);
  if (lost.length > 0) context.terminal.err(`${messages.headerNotKept(lost)}\n`);
  const asked = { context, target, name, flags, state, said: ASKED_FOR.hooks };
  return asking(asked, (options) => readTarget(target, options));
}

/**
 * Like `readFrom`, but returns the catalogue's hooks for a server that declares none.
 *
 * `foreign`: the server is configured in a file that came with a folder. `unasked`: the catalogue also counts if the server
 * cannot be queried.
 */
export async function readOrListed(
  context: Context,
  target: ResolvedServer,
  name: string,
  flags: Flags,
  places: Places,
  { foreign, unasked }: Record<'foreign' | 'unasked', boolean>,
): Promise<ServerHooks> {
  const around = { env: context.env, foreign };
  try {
    const declared = await readFrom(context, target, name, flags, places);
    return cataloguedFor(declared, around) ?? declared;
  } catch (error) {
    const listed = unasked ? cataloguedUnasked(target, error, around) : undefined;
    if (!listed) throw error;
    return listed;
  }
}

/** The tools of a server that has no declaration in a file, after the same consent. */
export const toolsFrom = (
  context: Context,
  target: ResolvedServer,
  name: string,
  flags: Flags,
  { state }: Places,
): Promise<ToolList> =>
  asking({ context, target, name, flags, state, said: ASKED_FOR.tools }, (options) =>
    readTools(target, options),
  );

const ASKED_FOR = {
  hooks: { before: messages.toBeAsked, meanwhile: messages.asking },
  tools: { before: messages.toBeAskedForTools, meanwhile: messages.askingForTools },
} as const;

interface Asked {
  readonly context: Context;
  readonly target: ResolvedServer;
  readonly name: string;
  readonly flags: Flags;
  readonly state: string;
  /** What the server is queried for, in words. */
  readonly said: (typeof ASKED_FOR)[keyof typeof ASKED_FOR];
}

async function asking<T>(
  { context, target, name, flags, state, said }: Asked,
  read: (options: ReadOptions) => Promise<T>,
): Promise<T> {
  const { terminal, version, leave } = context;
  await agreeToAsk(context, target, flags, said.before);
  const deadline = flags.timeout * 1000;
  const onDownload = tellingDownload(terminal, target.label);
  return offeringSignIn(context, target, flags, state, (tokens) =>
    withProgressAfter(context, said.meanwhile(name), () =>
      read({
        ...{ deadline, version, onDownload },
        ...(leave && { leave }),
        ...(tokens !== undefined && { tokens }),
      }),
    ),
  );
}

/**
 * Returns when the target may be queried. @throws UserError when the user does not agree, or cannot be asked.
 *
 * @param heading What is about to be done with a label.
 */
async function agreeToAsk(
  { terminal, env, isOneOfSeveral }: Context,
  target: ResolvedServer,
  flags: Pick<Flags, 'json' | 'yes'>,
  heading: (label: string) => string,
) {
  if (target.declared) return;
  const lines = launchLines(target, homeIn(env));
  const { consent, label, notes = [] } = target;
  if (!flags.json && isOneOfSeveral && consent === undefined) {
    // The user's own servers are listed with a line for each.
    const head = paint(terminal, 'bold', heading(inLine(label)));
    terminal.err(`${wrapQuoted(lines.join(', '), terminal.columns, '  ', `${head} `)}\n`);
  } else if (!flags.json) {
    const shown = lines.map((line) => wrapQuoted(line, terminal.columns, '    ', '  '));
    const why =
      consent === undefined ? [] : [wrap(inLine(sentence(consent)), terminal.columns, '')];
    const head = paint(terminal, 'bold', heading(inLine(label)));
    const also = notes.map((note) => paint(terminal, 'dim', `  ${inLine(sentence(note))}`));
    terminal.err(`${[head, ...shown, ...also, ...why].join('\n')}\n`);
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

/** Everything that determines what runs, including the folder where it would run now. */
function launchLines(
  { server, source, launch }: ResolvedServer,
  home: string | undefined,
): string[] {
  if (!server) return [];
  const now = launch?.();
  const folder = now && 'cwd' in now ? now.cwd : undefined;
  return launchInWords({ server, source }, folder && (home ? tilde(folder, home) : folder));
}

/**
 * Runs `read` with the stored token, and again after the user signed in, if the server requires that. Does neither if the user
 * passed credentials of their own. @throws UserError if the user cannot sign in.
 */
async function offeringSignIn<T>(
  { terminal, env }: Context,
  target: ResolvedServer,
  { browser, yes }: Flags,
  state: string,
  read: (tokens?: string) => Promise<T>,
): Promise<T> {
  const server = signInAddress(target);
  if (server === undefined) return read();
  const offer = async (challenge: Challenge) => {
    const { signIn } = await import('../../sources/oauth/sign-in.ts');
    const question = messages.signInQuestion(shownOf(target, server));
    if (terminal.interactive && !yes && !(await confirmed(question)))
      throw new UserError<SourceMessage>({ code: 'sign-in-first', server });
    await signIn(server, challenge, { ...signInBy(terminal), env, state, browser });
  };
  return withMaskedErrors(target, () => authorized({ state, server, signIn: offer }, read));
}

/** How the terminal takes part in a sign-in. */
export const signInBy = (terminal: Terminal): Pick<SignInOptions, 'interactive' | 'tell'> => ({
  interactive: terminal.interactive,
  tell: (message, page) => terminal.err(`${sentence(message)}\n  ${inLine(page.href, 8000)}\n`),
});
