/** What every command is given, and what several of them do. */

import { isDefault, type Places, type Scope } from '../../clients/places.ts';
import type { Header } from '../../declaration/declared.ts';
import type { Allowable, Grant } from '../../declaration/grants.ts';
import { gather, type Question } from '../../diagnose/doctor/context.ts';
import type { RunHook } from '../../diagnose/fire/run-hook.ts';
import type { Untried } from '../../diagnose/live/delivery.ts';
import type { DiagnoseMessage } from '../../diagnose/messages.ts';
import { shippedAs } from '../../diagnose/shipped.ts';
import type { Ledger } from '../../install/ledger.ts';
import { labelAt, siteInWords, siteOf } from '../../install/site.ts';
import type { Downloading } from '../../sources/protocol/conversation.ts';
import { disk } from '../../system/disk.ts';
import type { Env } from '../../system/env.ts';
import { UserError } from '../../system/errors.ts';
import { missingFolders } from '../../system/files.ts';
import { lockPath } from '../../system/lock.ts';
import type { Terminal } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import type { CliMessage } from '../messages/cli.ts';
import { messages } from '../messages/output.ts';
import { launchText } from '../render/words.ts';

export interface Context {
  readonly terminal: Terminal;
  readonly env: Env;
  readonly cwd: string;
  readonly version: string;
  /** The home is ours and soon gone: what clients there have not agreed to, or are missing, says nothing. */
  readonly isScratch?: boolean;
  /** There: the user's own places, where clients have configured their servers. */
  readonly outside?: Places;
  /** Of what is tried in a scratch home: the hooks that are not in it. */
  readonly untried?: readonly Untried[];
  /** What runs the command of a hook; absent: a shell, as in its client. */
  readonly runHook?: RunHook;
  /** What runs the second stages of what is installed; absent: the node that runs us. */
  readonly node?: string;
  /** One of several is at work: what is said of it names it. */
  readonly isOneOfSeveral?: boolean;
  /** The command that starts a server: what comes after `--`. */
  readonly launch?: readonly string[];
}

/** The flags of all commands, as commander gives them; program.ts says which command has which. */
export interface Flags {
  readonly json?: boolean;
  readonly verbose?: boolean;
  readonly client?: readonly string[];
  readonly scope: Scope;
  /** Nothing is asked: what has to be started is started. */
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly all?: boolean;
  /** How each file changes is shown, too. */
  readonly diff?: boolean;
  /** Only what went wrong is printed. */
  readonly quiet?: boolean;
  /** Seconds. */
  readonly timeout: number;
  readonly name?: string;
  readonly header?: readonly Header[];
  /** False: for signing in an address is printed, and none opened. */
  readonly browser: boolean;
  readonly strict?: boolean;
  readonly actNow?: boolean;
  readonly extraTurns: boolean;
  readonly allow?: readonly Allowable[];
  readonly revoke?: readonly Grant[];
  readonly replace?: boolean;
  readonly trust?: boolean;
  readonly servers?: boolean;
  /** The server of the manifest is asked, too. */
  readonly server?: boolean;
  /** Findings are printed as SARIF. */
  readonly sarif?: boolean;
  readonly failed?: true;
  readonly decisions?: boolean;
  readonly trials?: boolean;
  readonly last?: number;
  readonly days?: number;
  /** The address of a collector of metrics. */
  readonly otlp?: string;
  /** Seconds. */
  readonly watch?: number;
  /** One after the other. */
  readonly tool?: readonly string[];
  readonly input?: readonly string[];
  /** How often an event is fired. */
  readonly times?: number;
  readonly prompt?: string;
  /** A file of JSON. */
  readonly payload?: string;
  readonly live?: boolean;
  /** The file or folder that is written, and what is built: ids of clients and kinds of fragments. */
  readonly out?: string;
  readonly target?: readonly string[];
  readonly check?: boolean;
  readonly force?: boolean;
  readonly packageVersion?: string;
  /** Where runners are on the machines of a fleet. */
  readonly runnerFolder?: string;
  /** Of the conformance suite. */
  readonly topic?: string;
}

/** Where `init` writes, by default: a folder's manifest is called so. */
export const MANIFEST = 'mcp-hooks.json';

/** How many firings `log` shows by default. */
export const LAST = 50;

/** What a command does with its operands and flags; it returns the exit code. */
export type Command<Operands extends readonly unknown[] = []> = (
  context: Context,
  ...given: [...Operands, flags: Flags]
) => Promise<number>;
/** Whether only what went wrong is to be printed. Who is asked is shown what it is about. */
export const isQuiet = ({ quiet, yes }: Flags): boolean => quiet === true && yes === true;

export const OK = 0;
export const DIFFERENT = 1;
export const TROUBLE = 2;
/** As a shell has it: 128 and the number of SIGINT. */
export const INTERRUPTED = 130;

/** The folders that are still to be made for our own; `~/.mcp-hooks` needs no remembering. */
export const missingForState = (places: Places): string[] =>
  missingFolders(lockPath(places.state)).filter(
    (folder) => folder !== places.state || !isDefault(places),
  );

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

export async function patiently<T>(terminal: Terminal, sentence: string, work: () => Promise<T>) {
  const timer = setTimeout(() => terminal.err(`${inLine(sentence)}\n`), 1000);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}

/** Seconds between two lines about one download. */
const AGAIN = 10;

/** What says on stderr how long something has been downloaded: after a second, and then now and then. */
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

/** What `doctor` looks at, for every command that says whether hooks fire. Throws UserError for a label that is not installed. */
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
