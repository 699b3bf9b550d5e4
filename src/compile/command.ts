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

/**
 * The paths of runners that a command names, also when somebody has edited the command since.
 *
 * @param state Absolute path of the state folder, where all runners are.
 */
export function runnersIn(command: string, state: string): string[] {
  const plain = command.replaceAll(`'"${DOLLAR}"'`, '$').replaceAll(`'\\''`, "'");
  return plain
    .split(`${state}/`)
    .slice(1)
    .flatMap((rest) => /^(?:servers|projects\/[^/]+)\/[^/]+\/run\.sh/.exec(rest) ?? [])
    .map((path) => `${state}/${path}`);
}

/** One word for a POSIX shell, without a `$` in it. */
export function shellQuote(text: string): string {
  if (/^[\w/.:@%+=-]+$/.test(text)) return text;
  const quoted = text.replaceAll("'", `'\\''`).replaceAll('$', `'"${DOLLAR}"'`);
  return `'${quoted}'`;
}

/** `$` as the output of a command, because it may not be written. */
const DOLLAR = "`printf '\\044'`";
