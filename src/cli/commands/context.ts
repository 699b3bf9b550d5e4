/** What every command is given, and what several of them do. */

import type { Scope } from '../../clients/contract.ts';
import type { Places } from '../../clients/places.ts';
import type { Header } from '../../declaration/declared.ts';
import type { Allowable, Grant } from '../../declaration/grants.ts';
import { gather, type Question } from '../../diagnose/doctor/context.ts';
import type { RunHook } from '../../diagnose/fire/run-hook.ts';
import type { Untried } from '../../diagnose/live/delivery.ts';
import type { DiagnoseMessage } from '../../diagnose/messages.ts';
import { shippedAs } from '../../diagnose/shipped.ts';
import type { Ledger } from '../../install/ledger.ts';
import { labelAt, siteInWords, siteOf } from '../../install/site.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { messages } from '../../present/messages/output.ts';
import { launchText } from '../../present/render/words.ts';
import type { Downloading } from '../../sources/protocol/conversation.ts';
import { disk } from '../../system/disk.ts';
import type { Env } from '../../system/env.ts';
import { UserError } from '../../system/errors.ts';
import type { Terminal } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';

export interface Context {
  readonly terminal: Terminal;
  readonly env: Env;
  readonly cwd: string;
  readonly version: string;
  /** The home is ours and short-lived, so missing clients or missing agreement there mean nothing. */
  readonly isScratch?: boolean;
  /** With a scratch home: the user's real places, where clients have configured their servers. */
  readonly outside?: Places;
  /** With a scratch home: the hooks that were not installed in it. */
  readonly untried?: readonly Untried[];
  /** Runs the command of a hook. By default a shell does, as in its client. */
  readonly runHook?: RunHook;
  /** The node that runs the second stages of installed hooks. By default, the one that runs us. */
  readonly node?: string;
  /** Several names were given, so the output must say which one it is about. */
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
  /** Ask nothing, and start whatever has to be started. */
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly all?: boolean;
  /** Also show how each file changes. */
  readonly diff?: boolean;
  /** Print only what went wrong. */
  readonly quiet?: boolean;
  /** Seconds. */
  readonly timeout: number;
  readonly name?: string;
  readonly header?: readonly Header[];
  /** False: print the address for signing in, and open no browser. */
  readonly browser: boolean;
  readonly strict?: boolean;
  readonly actNow?: boolean;
  readonly extraTurns: boolean;
  readonly allow?: readonly Allowable[];
  readonly revoke?: readonly Grant[];
  readonly replace?: boolean;
  readonly trust?: boolean;
  readonly servers?: boolean;
  /** Also ask the manifest's server. */
  readonly server?: boolean;
  /** Print findings as SARIF. */
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
  /** Used in turn. */
  readonly tool?: readonly string[];
  readonly input?: readonly string[];
  /** How often an event is fired. */
  readonly times?: number;
  readonly prompt?: string;
  /** A file of JSON. */
  readonly payload?: string;
  readonly live?: boolean;
  /** The file or folder to write, and what to build: ids of clients and kinds of fragments. */
  readonly out?: string;
  readonly target?: readonly string[];
  readonly check?: boolean;
  readonly force?: boolean;
  readonly packageVersion?: string;
  /** The runners' folder on the machines of a fleet. */
  readonly runnerFolder?: string;
  /** A topic of the conformance suite. */
  readonly topic?: string;
}

/** The file that `init` writes by default. Commands that get a folder look for this name. */
export const MANIFEST = 'mcp-hooks.json';

/** How many firings `log` shows by default. */
export const LAST = 50;

/** What a command does with its operands and flags; it returns the exit code. */
export type Command<Operands extends readonly unknown[] = []> = (
  context: Context,
  ...given: [...Operands, flags: Flags]
) => Promise<number>;
/** Whether to print only what went wrong. Without `--yes`, the user is asked and has to see the rest. */
export const isQuiet = ({ quiet, yes }: Flags): boolean => quiet === true && yes === true;

export const OK = 0;
export const DIFFERENT = 1;
export const TROUBLE = 2;
/** As in a shell: 128 plus the number of SIGINT. */
export const INTERRUPTED = 130;

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

export async function withProgressAfter<T>(
  terminal: Terminal,
  sentence: string,
  work: () => Promise<T>,
) {
  const timer = setTimeout(() => terminal.err(`${inLine(sentence)}\n`), 1000);
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
