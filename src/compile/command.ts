/**
 * The command in a client's config, and which label it belongs to.
 *
 * It has to be harmless when the runner is gone (a client may block every prompt on "command not found"), and must not contain
 * `$` (a client may expand variables in every string of its settings, even in quotes).
 */

import { within } from '../system/path.ts';

/** The runner's file that an event's command names. */
export const firstStageName = (client: string, native: string): string => `${client}.${native}.sh`;

/**
 * The command makes the client's own shell read the runner's first stage, because starting another shell would cost more than
 * the whole first stage.
 *
 * Whatever state the runner is in (missing, a folder, broken), the shell exits with 0 and prints nothing, not even under `set
 * -x`. The backslashes bypass the user's aliases. The comment names the label. This form is frozen: a client's trust is bound
 * to the text of the command, so any change requires every user's approval again.
 *
 * @param file Absolute path of the first stage, in the folder that has the label's name.
 */
export function hookCommand(file: string): string {
  return `{ \\trap '\\exit 0' EXIT; \\. ${shellQuote(file)}; } 2>/dev/null # mcp-hooks: ${labelIn(file)}`;
}

/** How a shipped runner finds itself when it fires: by a variable of the client, or at a fixed path. */
export type ShippedPlace =
  | {
      /** The variable that the client sets to its plugin's folder. */
      readonly variable: string;
      /** The runner's folder relative to that, with slashes. */
      readonly below: string;
    }
  | { readonly path: string };

/**
 * The same for a shipped runner. If a variable names its folder, the command contains a `$`, so the package must be for a
 * client that handles it well.
 */
export function shippedCommand(place: ShippedPlace, label: string, name: string): string {
  const file = shippedPath(place, name);
  return `{ \\trap '\\exit 0' EXIT; \\. ${file}; } 2>/dev/null # mcp-hooks: ${label}`;
}

/**
 * The command for PowerShell in place of that one, which does nothing. A shipped runner does not find a state folder on Windows
 * yet, and the other command would be an error in PowerShell. According to the clients' documentation; not run.
 */
export const shippedPowerShell = (label: string): string => `exit 0 # mcp-hooks: ${label}`;

const SHIPPED =
  /^(?:(?:(\w+)="\$\{\1\}"; )?\{ \\trap '\\exit 0' EXIT; \\\. "[^"\n]+"; \} 2>\/dev\/null|exit 0) # mcp-hooks: (\S+)$/;

/**
 * The label whose runner such a command starts or would start; undefined: some other command. For a client that only fills in
 * the name of its folder, the command sets the variable first.
 */
export const shippedLabel = (command: string): string | undefined => SHIPPED.exec(command)?.[2];

/** A path in a shipped runner's folder, as one word for a POSIX shell; the folder itself if there is no name. */
export const shippedPath = (place: ShippedPlace, name = ''): string =>
  'path' in place
    ? shellQuote(name === '' ? place.path : within(place.path, name, false)) // it may be for another machine
    : `"\${${place.variable}}/${[place.below, name].filter(Boolean).join('/')}"`;

const labelIn = (file: string): string => file.split(/[\\/]/).at(-2) ?? '';

/**
 * The commands with which an entry of a client's settings starts a runner. @param folder Absolute path of the runner's folder.
 */
export const entryCommands = (
  folder: string,
  client: string,
  native: string,
  windows?: { readonly node: string },
): { readonly command: string; readonly powerShell?: string } => ({
  command: hookCommand(within(folder, firstStageName(client, native))),
  ...(windows && {
    powerShell: powerShellCommand(windows.node, within(folder, 'runner.cjs', true), client, native),
  }),
});

/** Looks for another node if the one from the install is gone. */
export function powerShellCommand(
  node: string,
  runner: string,
  client: string,
  native: string,
): string {
  const [quotedNode, quotedRunner] = [powerShellQuote(node), powerShellQuote(runner)];
  const start = (program: string) => `& ${program} ${quotedRunner} ${client} ${native}`;
  return `try { if (Test-Path -LiteralPath ${quotedRunner}) { if (Test-Path -LiteralPath ${quotedNode}) { ${start(quotedNode)} } else { ${start('node')} } } } catch { }; exit 0`;
}

/** Longer than any of our commands, because paths have at most 4096 bytes. */
const MAX_COMMAND = 100_000;

/** The forms of our commands. */
const POSIX = /^\{ \\trap '\\exit 0' EXIT; \\\. (.+?); \} 2>\/dev\/null # mcp-hooks: /s;
const POWER_SHELL =
  /^try \{ if \(Test-Path -LiteralPath (.+?)\) \{ if \(Test-Path -LiteralPath (.+?)\) \{ & \2 \1 ([a-z-]+ \w+) \} else \{ & node \1 \3 \} \} \} catch \{ \}; exit 0$/s;

/** The file that a command starts, if the whole command is one of ours; undefined otherwise. */
export function startedBy(command: string): string | undefined {
  if (command.length > MAX_COMMAND) return undefined;
  const [, word] = POSIX.exec(command) ?? [];
  const file = word === undefined ? '' : shellUnquote(word);
  // A line end in the label would end the comment, and the shell would run the rest.
  const isOneLine = !labelIn(file).includes('\n');
  if (isOneLine && hookCommand(file) === command) return file;
  const [, runner, node] = POWER_SHELL.exec(command) ?? [];
  if (runner === undefined || node === undefined) return undefined;
  const isWord = (word: string) => powerShellQuote(powerShellUnquote(word)) === word;
  return isWord(runner) && isWord(node) ? powerShellUnquote(runner) : undefined;
}

/** The client whose hook a command of ours starts. */
export const clientStartedBy = (command: string): string | undefined =>
  /(?:^|[\\/])([a-z-]+)\.\w+\.sh$/.exec(startedBy(command) ?? '')?.[1] ??
  POWER_SHELL.exec(command)?.[3]?.split(' ')[0];

/** The label whose runner a command starts, whether installed or shipped; undefined: the command is not exactly one of ours. */
export function labelStartedBy(command: string): string | undefined {
  const file = startedBy(command);
  return file === undefined ? shippedLabel(command) : labelIn(file);
}

/**
 * The paths of runner files below the state folder that a command names, with slashes. The rest of the command does not matter.
 */
export function runnersIn(command: string, state: string): string[] {
  if (!/\.(?:sh|cjs)/.test(command)) return []; // a client may have thousands of other commands
  const folder = slashed(state, state);
  const read = (plain: string) =>
    slashed(plain, state)
      .split(`${folder}/`)
      .slice(1)
      .flatMap((rest) => RUNNER_FILE.exec(rest) ?? [])
      .map((path) => `${folder}/${path}`);
  const posix = command.replaceAll(`'"${DOLLAR}"'`, '$').replaceAll(`'\\''`, "'");
  const powerShell = command
    .replaceAll(`'+${CHAR_DOLLAR}+'`, '$')
    .replaceAll(/(['\u2018-\u201b])\1/g, '$1');
  const found = read(posix);
  return found.length > 0 ? found : read(powerShell);
}

/** A path or a command with slashes, if the state folder is on Windows. */
export const slashed = (text: string, state: string): string =>
  /^(?:[A-Za-z]:|\\\\)/.test(state) ? text.replaceAll('\\', '/') : text;

const RUNNER_FILE = /^(?:servers|projects\/[^/]+)\/[^/]+\/[\w.-]+\.(?:sh|cjs)/;

/** One word for a POSIX shell, without a `$` in it. */
export function shellQuote(text: string): string {
  if (/^[\w/.:@%+=-]+$/.test(text)) return text;
  const quoted = text.replaceAll("'", `'\\''`).replaceAll('$', `'"${DOLLAR}"'`);
  return `'${quoted}'`;
}

export const shellUnquote = (word: string): string =>
  word.startsWith("'")
    ? word.slice(1, -1).replaceAll(`'"${DOLLAR}"'`, '$').replaceAll(`'\\''`, "'")
    : word;

/** A command that prints `$`, because we must not write that character. */
const DOLLAR = "`printf '\\044'`";

/** One value for PowerShell, which also treats four other characters as apostrophes. */
export const powerShellQuote = (text: string): string => {
  const quoted = `'${text.replace(/['\u2018-\u201b]/g, '$&$&').replaceAll('$', `'+${CHAR_DOLLAR}+'`)}'`;
  return text.includes('$') ? `(${quoted})` : quoted;
};

const powerShellUnquote = (word: string): string =>
  word
    .replace(/^\(?'|'\)?$/g, '')
    .replaceAll(`'+${CHAR_DOLLAR}+'`, '$')
    .replace(/(['\u2018-\u201b])\1/g, '$1');

const CHAR_DOLLAR = '[char]36';
