/** What a command declares: its name, arguments and flags, what `--help` and the manual page say of it, and what it does. */

import { type Argument, type Command as Commander, InvalidArgumentError, Option } from 'commander';
import { SCOPES, type Scope } from '../../clients/contract.ts';
import type { Places } from '../../clients/places.ts';
import { CLIENTS, TRUSTING } from '../../clients/registry.ts';
import type { Header } from '../../declaration/declared.ts';
import { ALLOWABLE, type Allowable, GRANTS, type Grant } from '../../declaration/grants.ts';
import type { RunHook } from '../../diagnose/fire/run-hook.ts';
import type { Untried } from '../../diagnose/live/delivery.ts';
import { trustMessages } from '../../present/messages/trust.ts';
import { parseHeader } from '../../sources/headers.ts';
import type { SourceMessage } from '../../sources/messages.ts';
import type { Env } from '../../system/env.ts';
import { UserError } from '../../system/errors.ts';
import type { Terminal } from '../../system/terminal.ts';

/** What commands are for, in the order of `--help` and the manual page. */
const GROUPS = ['Start', 'Manage', 'Debug', 'Author', 'Other'] as const;

export interface Command {
  readonly name: string;
  readonly group: (typeof GROUPS)[number];
  readonly summary: string;
  /** As commander reads it: `<label> [file]`. */
  readonly operands?: string | Argument;
  /** The same if a server's command follows after `--`; absent: the command takes none. */
  readonly operandsBeforeLaunch?: string;
  /** The operands are servers: words that start one are hardly meant without `--`. */
  readonly takesServers?: true;
  /** What follows the name in `Usage:`; by default what commander makes of operands and options. */
  readonly usage?: readonly string[];
  readonly options?: readonly Option[];
  /** A paragraph before the examples. */
  readonly about?: string;
  /** What follows `mcp-hooks`. */
  readonly examples: readonly string[];
  /** Gets the operands, the flags, and commander's own object; returns the exit code. */
  readonly run: (context: Context, ...given: Given) => Promise<number>;
}

export const inGroups = (commands: readonly Command[]) =>
  GROUPS.map((group) => ({ group, commands: commands.filter((one) => one.group === group) }));

/** What commander gives an action, in its own loose type. */
export type Given = Parameters<Parameters<Commander['action']>[0]>;

/** What every command is given. */
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
  /** Gathers the clients whose running sessions don't know what was written, for one line at the end. */
  readonly toRestart?: Set<string>;
  /** Milliseconds until a command prints what it is waiting for. By default a second. */
  readonly patience?: number;
  /** Called with the end of a server that has been asked. By default, a command waits for it before it goes on. */
  readonly leave?: (gone: Promise<void>) => void;
  /** The command that starts a server: what comes after `--`. */
  readonly launch?: readonly string[];
  /** All that `man` describes. */
  readonly commands?: readonly Command[];
}

/** The flags of all commands, as commander gives them. */
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
  readonly replaceOriginals?: boolean;
  readonly withServer?: boolean;
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

/** Flags of commands that look for a server. */
export interface SourceFlags extends Flags {
  /** The client in whose configuration the server is. */
  readonly from?: string;
}

/** Whether to print only what went wrong. Without `--yes`, the user is asked and has to see the rest. */
export const isQuiet = ({ quiet, yes }: Flags): boolean => quiet === true && yes === true;

export const OK = 0;
export const DIFFERENT = 1;
export const TROUBLE = 2;
/** As in a shell: 128 plus the number of SIGINT. */
export const INTERRUPTED = 130;

/** Ids for examples. */
export const [FIRST_ID = '', OTHER_ID = ''] = CLIENTS.map(({ id }) => id);

/** Clients that we ask about trust and can tell to trust hooks. */
export const ASKED = TRUSTING.map(({ client }) => client);

/** What comes after a server's label, where its command is typed. */
export const LAUNCH_USAGE = '--name <label> [options] -- <command> [args...]';

export const option = (flags: string, words: string): Option => new Option(flags, words);

export const clientOption = () =>
  option(
    '--client <ids>',
    `only these clients: ${CLIENTS.map(({ id }) => id).join(', ')}`,
  ).argParser(idsIn);
export const scopeOption = () =>
  option('--scope <scope>', "your settings, the project's, or your own for the project")
    .choices(SCOPES)
    .default('user');
export const allowOption = () =>
  option(
    '--allow <grants>',
    'give these grants: required, context-tool, block, modify, command, project-code, policy (comma-separated)',
  ).argParser(someOf(ALLOWABLE));
export const revokeOption = () =>
  option('--revoke <grants>', 'revoke grants (the same names, except policy)').argParser(
    someOf(GRANTS),
  );
export const originalsOption = () =>
  option(
    '--replace-originals',
    'take out the hand-written hooks that a manifest was imported from',
  );
export const withServerOption = () =>
  option('--with-server', 'also add the server to the clients that lack it');
export const noBrowserOption = (words = 'print the sign-in address instead of opening it') =>
  option('--no-browser', words);
export const headerOption = () =>
  option(
    '--header <header>',
    `'Name: value' for a server at an address; \${VARIABLE} is filled in`,
  ).argParser((typed: string, before: readonly Header[] = []) => {
    const parsed = parseHeader(typed);
    if ('code' in parsed) throw new UserError<SourceMessage>(parsed); // commander would print the value
    return [...before, parsed];
  });
export const turnOptions = () => [
  option(
    '--act-now',
    'show post_request texts at the end of each turn; costs a model turn each time',
  ),
  option('--no-extra-turns', 'leave out hooks that cost a model turn'),
];
export const timeoutOption = (words: string, byDefault: number) =>
  option('--timeout <seconds>', words).argParser(seconds).default(byDefault);
export const launchedNameOption = () =>
  option('--name <label>', 'the label of the server whose command is given');
export const fromOption = () =>
  option('--from <client>', 'the client that has the server configured');
export const yesOption = (words = 'do not ask') => option('-y, --yes', words);

/** What `install` and `diff` take. */
export const sourceOptions = () => [
  clientOption(),
  scopeOption(),
  allowOption(),
  revokeOption(),
  headerOption(),
  noBrowserOption(),
  option('--name <label>', 'the label to install it under'),
  fromOption(),
  originalsOption(),
  withServerOption(),
  option('--strict', 'fail unless every hook is "exact"'),
  ...turnOptions(),
  timeoutOption(trustMessages.timeoutHelp(ASKED), 20),
];

/** What all commands take that write what is planned. */
export const writingOptions = () => [
  yesOption(),
  option('--dry-run', 'write nothing'),
  option('--diff', 'also show the changes of each file'),
  option('-q, --quiet', 'print only problems; what you approve is always shown'),
];

export function idsIn(value: string, before: readonly string[] = []): string[] {
  const names = value.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('Give ids, separated by commas.');
  return [...before, ...names];
}

/** Reads words of a list, separated by commas. */
export const someOf =
  <Word extends string>(known: readonly Word[]) =>
  (value: string, before: readonly Word[] = []): Word[] => {
    const given = value.split(',').map((typed) => {
      const word = known.find((one) => one === typed.trim());
      if (!word) throw new InvalidArgumentError(`Known: ${known.join(', ')}.`);
      return word;
    });
    return [...before, ...given];
  };

/** For a flag that may be given several times. */
export const collect = (value: string, before: readonly string[] = []): string[] => [
  ...before,
  value,
];

export function seconds(value: string): number {
  const number = Number(value);
  if (!(number > 0)) throw new InvalidArgumentError('Give a number of seconds.');
  return number;
}

export function atMost(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('Give a whole number, 0 for all.');
  return Number(value);
}
