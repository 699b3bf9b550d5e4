/** What several commands do. */

import type { Places } from '../../clients/places.ts';
import type { ProgramServer } from '../../compile/program.ts';
import { gather, type Question } from '../../diagnose/doctor/context.ts';
import { sessionFolder } from '../../diagnose/fire/fire-client.ts';
import type { Installed } from '../../diagnose/fire/installed.ts';
import type { DiagnoseMessage } from '../../diagnose/messages.ts';
import { shippedAs } from '../../diagnose/shipped.ts';
import type { Install, Ledger } from '../../install/ledger.ts';
import { labelAt, siteInWords, siteOf } from '../../install/site.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { messages } from '../../present/messages/output.ts';
import { bare, errorJson } from '../../present/messages/sentence.ts';
import { inLines } from '../../present/render/lines.ts';
import { launchText } from '../../present/render/words.ts';
import { downloadAhead } from '../../sources/launchers/ahead.ts';
import type { Downloading } from '../../sources/protocol/conversation.ts';
import { commandInWords } from '../../sources/shown-launch.ts';
import { disk } from '../../system/disk.ts';
import { Interrupted, UserError } from '../../system/errors.ts';
import { asUserError } from '../../system/files.ts';
import type { Terminal } from '../../system/terminal.ts';
import { inLine, toJson } from '../../system/visible.ts';
import { type Context, type Flags, isQuiet, OK, TROUBLE } from './command.ts';

export const notInstalled = (label: string, places: Places, { installs }: Ledger): UserError =>
  new UserError<CliMessage | DiagnoseMessage>(
    {
      code: 'not-installed',
      label,
      where: siteInWords(siteOf(places), places.home),
      others: installs.map((one) => labelAt(one, places.home)),
    },
    shippedAs(label, places.state, disk),
  );

/** Says what it is waiting for, if that takes longer than users are patient. */
export async function withProgressAfter<T>(
  { terminal, patience = 1000 }: Pick<Context, 'terminal' | 'patience'>,
  sentence: string,
  work: () => Promise<T>,
) {
  const timer = setTimeout(() => terminal.err(`${inLine(sentence)}\n`), patience);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}

/** Seconds between two lines about one download. */
const AGAIN = 10;

/** Reports on stderr how long a download has been running: after a second, then at intervals. */
export function tellingDownload(
  terminal: Terminal,
  name: string,
): (downloading: Downloading) => void {
  let next = 1;
  return ({ launcher, packages, seconds }) => {
    if (seconds < next) return;
    next = seconds + AGAIN;
    terminal.err(`${inLine(messages.downloading(name, launcher, packages, seconds))}\n`);
  };
}

/**
 * The facts for `doctor`, and for every command that says whether hooks fire. Throws UserError for a label that is not
 * installed.
 */
export const doctorContext = ({ terminal, env, cwd, version }: Context, question?: Question) =>
  gather(
    {
      env,
      cwd,
      version,
      describeLaunch: launchText,
      onDownload: (label) => tellingDownload(terminal, label),
    },
    question,
  );

/**
 * Runs a command for several names, one after the other, each as if it were the only one. A failure is reported and does not
 * stop the rest. Returns the highest exit code.
 */
export async function eachOf(
  context: Context,
  names: readonly string[],
  flags: Flags,
  command: string,
  run: (context: Context, name: string) => Promise<number>,
): Promise<number> {
  const { terminal } = context;
  const { json } = flags;
  const results: object[] = [];
  const collected = {
    ...terminal,
    out: (text: string) => {
      const { schemaVersion: _, ...result } = JSON.parse(text);
      results.push(result);
    },
  };
  const at = { ...context, isOneOfSeveral: names.length > 1, ...(json && { terminal: collected }) };
  let worst = OK;
  for (const [index, name] of [...new Set(names)].entries()) {
    if (index > 0 && !json && !isQuiet(flags)) terminal.out('\n');
    try {
      worst = Math.max(worst, await run(at, name));
    } catch (error) {
      results.push({ name, ...sayFailed(terminal, name, error) });
      worst = TROUBLE;
    }
  }
  if (json) terminal.out(toJson({ command, results }));
  return worst;
}

/**
 * Reports the failure of one of several, and returns it as JSON.
 *
 * @throws what ends the whole command: ctrl-C, and bugs of ours.
 */
export function sayFailed({ err }: Context['terminal'], name: string, thrown: unknown) {
  const error = asUserError(thrown);
  if (!(error instanceof UserError) || error instanceof Interrupted) throw error;
  const said = errorJson(error);
  err(inLines([`${name}: ${said.error}`, ...said.details]));
  return said;
}

/** That there is nothing to do a command's work on. */
export function nothingIn(places: Places, elsewhere: readonly Install[], broken = false): string {
  if (broken) return messages.installedUnknown;
  if (elsewhere.length === 0) return messages.nothingInstalled;
  const others = elsewhere.map((one) => inLine(labelAt(one, places.home)));
  return messages.nothingInstalledIn(inLine(siteInWords(siteOf(places), places.home)), others);
}

/** Milliseconds for a server to answer once it is there. */
const DEADLINE = 20_000;

/**
 * Downloads the servers of hooks that call tools. Errors are reported and stop nothing.
 *
 * @param always Also start servers if only their launcher knows whether something is missing.
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
      // Whoever runs the hooks says why it cannot be started at all.
      if (words.length === 0) return;
      const why = [error.problem, ...error.details].map(bare).join(' ');
      terminal.err(`${inLine(messages.notDownloaded(label, why, commandInWords(words)), 2000)}\n`);
      return;
    }
  }
}

const calledServer = ({ events }: Installed): ProgramServer | undefined =>
  events.find(({ program }) => program?.server && program.hooks.some(({ call }) => call))?.program
    ?.server;
