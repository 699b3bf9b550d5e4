/**
 * The command in a client's config, and whose it is.
 *
 * It has to be harmless when the runner is gone (Gemini CLI blocks every prompt on "command not found"), and
 * must hold no `$` (Gemini CLI expands variables in every string of its settings, also inside quotes).
 */

/** The command that runs the first stage of the runner at `runner`, an absolute path. */
export function hookCommand(runner: string, client: string, native: string): string {
  const path = shellQuote(runner);
  return `[ -r ${path} ] || exit 0; exec /bin/sh ${path} ${client} ${native}`;
}

/** The path of the runner that a command of ours runs; undefined for a command of somebody else. */
export function runnerOf(command: string): string | undefined {
  const [, quoted] = /^\[ -r (.*?) \] \|\| exit 0; exec \/bin\/sh /s.exec(command) ?? [];
  return quoted === undefined ? undefined : shellUnquote(quoted);
}

/** One word for a POSIX shell, without a `$` in it. */
export function shellQuote(text: string): string {
  if (/^[\w/.:@%+=-]+$/.test(text)) return text;
  const quoted = text.replaceAll("'", `'\\''`).replaceAll('$', `'"${DOLLAR}"'`);
  return `'${quoted}'`;
}

/** `$` as the output of a command, because it may not be written. */
const DOLLAR = "`printf '\\044'`";

/** The inverse of `shellQuote`. */
function shellUnquote(word: string): string {
  if (!word.startsWith("'")) return word;
  return word.slice(1, -1).replaceAll(`'"${DOLLAR}"'`, '$').replaceAll(`'\\''`, "'");
}
