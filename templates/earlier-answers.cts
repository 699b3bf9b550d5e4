/**
 * mcp-hooks: for clients that take only the last answer when several hooks run for one event. The client runs them one after
 * the other, and each of our runners repeats what those before it have said.
 */

import fs = require('node:fs');
import path = require('node:path');

import { textOf } from './files.cjs';

/**
 * The others' texts, followed by our own, which is written down for the runners that come after us.
 *
 * @param kept The text as it is written down.
 * @param at `file`: absolute path of the texts for this event so far; `former`: how the paths for the session's earlier
 *   events begin; `open` of runner.cjs.
 */
export function withEarlier(
  text: string,
  kept: string,
  {
    file,
    former,
    open,
  }: {
    readonly file: string;
    readonly former: string;
    readonly open: (file: string, how: 'a') => number;
  },
): string {
  if (!fs.existsSync(file)) forget(former);
  const said = open(file, 'a');
  const others = textOf(file) ?? '';
  fs.writeSync(said, `${kept}\n\n`);
  fs.closeSync(said);
  return `${others}${text}`.trimEnd();
}

/** Removes the texts of the session's earlier events, which nobody needs any more. */
function forget(former: string): void {
  const [folder, beginning] = [path.dirname(former), path.basename(former)];
  for (const name of fs.readdirSync(folder))
    if (name.startsWith(beginning)) fs.rmSync(path.join(folder, name), { force: true });
}
