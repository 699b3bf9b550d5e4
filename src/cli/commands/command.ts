/**
 * The declaration of a command: its name, arguments and flags, its texts for `--help` and the manual page, and its function.
 */

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

/** The groups of commands, in the order of `--help` and the manual page. */
const GROUPS = ['Start', 'Manage', 'Debug', 'Author', 'Other'] as const;

export interface Command {
  readonly name: string;
  readonly group: (typeof GROUPS)[number];
  readonly summary: string;
  /** In commander's syntax: `<label> [file]`. */
  readonly operands?: string | Argument;
  /** The operands if a server's command follows after `--`. Absent if the command accepts none. */
  readonly operandsBeforeLaunch?: string;
  /** The operands are servers: words that start one without `--` are probably a mistake. */
  readonly takesServers?: true;
  /** The text after the name in `Usage:`. By default, commander generates it from operands and options. */
  readonly usage?: readonly string[];
  readonly options?: readonly Option[];
  /** A paragraph before the examples. */
  readonly about?: string;
  /** Arguments of `mcp-hooks`. */
  readonly examples: readonly string[];
  /** Receives the operands, the flags, and commander's own object. Returns the exit code. */
  readonly run: (context: Context, ...given: Given) => Promise<number>;
}

export const inGroups = (commands: readonly Command[]) =>
  GROUPS.map((group) => ({ group, commands: commands.filter((one) => one.group === group) }));

/** What commander passes to an action, in its own loose type. */
export type Given = Parameters<Parameters<Commander['action']>[0]>;

/** What every command receives. */
export interface Context {
  readonly terminal: Terminal;
  readonly env: Env;
  readonly cwd: string;
  readonly version: string;
  /** The home is temporary and ours, so missing clients or missing consent are not reported. */
  readonly isScratch?: boolean;
  /** With a scratch home: the user's real places, where clients have configured their servers. */
  readonly outside?: Places;
  /** With a scratch home: the hooks that were not installed in it. */
  readonly untried?: readonly Untried[];
  /** Runs the command of a hook. By default through a shell, as in its client. */
  readonly runHook?: RunHook;
  /** The Node that runs the second stages of installed hooks. By default, our own. */
  readonly node?: string;
  /** Several names were given, so the output must say which one it refers to. */
  readonly isOneOfSeveral?: boolean;
  /** Collects the clients whose running sessions do not know the new hooks, for one line at the end. */
  readonly toRestart?: Set<string>;
  /** Milliseconds until a command prints what it is waiting for. By default 1000. */
  readonly patience?: number;
  /** Called with a promise for the exit of a queried server. By default, a command waits for it before it continues. */
  readonly leave?: (gone: Promise<void>) => void;
  /** The command that starts a server: the words after `--`. */
  readonly launch?: readonly string[];
  /** Everything that `man` describes. */
  readonly commands?: readonly Command[];
}

/** The flags of all commands, as commander parses them. */
export interface Flags {
  readonly json?: boolean;
  readonly verbose?: boolean;
  readonly client?: readonly string[];
  readonly scope: Scope;
  /** Ask no questions, and start whatever has to be started. */
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly all?: boolean;
  /** Also show how each file changes. */
  readonly diff?: boolean;
  /** Print only problems. */
  readonly quiet?: boolean;
  /** Seconds. */
  readonly timeout: number;
  readonly name?: string;
  readonly header?: readonly Header[];
  /** False to print the sign-in address and not open a browser. */
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
  /** Also query the manifest's server. */
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
  /** Path of a JSON file. */
  readonly payload?: string;
  readonly live?: boolean;
  /** `out`: the file or folder to write. `target`: IDs of clients and kinds of fragments to build. */
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
  /** The client whose configuration contains the server. */
  readonly from?: string;
}

/** Whether to print only problems. Without `--yes`, the user is asked and has to see the rest. */
export const isQuiet = ({ quiet, yes }: Flags): boolean => quiet === true && yes === true;

export const OK = 0;
export const DIFFERENT = 1;
export const TROUBLE = 2;
/** As in a shell: 128 plus the number of SIGINT. */
export const INTERRUPTED = 130;

/** IDs for examples. */
export const [FIRST_ID = '', OTHER_ID = ''] = CLIENTS.map(({ id }) => id);

/** Clients that report whether they trust hooks, and that we can tell to trust them. */
export const ASKED = TRUSTING.map(({ client }) => client);

/** The usage after a server's label when its command is typed. */
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

/** The options of `install` and `diff`. */
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

/** The options of all commands that carry out a plan. */
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

/** Parses a comma-separated list of known words. */
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

/** For a flag that may be repeated. */
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
