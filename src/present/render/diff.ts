/** A plan's changes to the clients' files as unified diffs, with the secrets around our lines hidden. */

import { formatPatch, structuredPatch } from 'diff';
import { tilde } from '../../clients/places.ts';
import { ANYTHING } from '../../edit/edit.ts';
import { FORMATS } from '../../edit/formats.ts';
import type { ClientPlan, FileChange } from '../../install/planned-file.ts';
import { redactor } from '../../system/secrets.ts';
import { inLine, visible } from '../../system/visible.ts';

/** Lines around a change. Few, because a settings file may hold things that nobody should read over your shoulder. */
const CONTEXT = 2;

export function diffOf({ change, config }: ClientPlan, home: string): string {
  if (!change) return '';
  const name = inLine(tilde(change.path, home));
  const { before, after } = texts(change);
  const [from, to] = middle(before, after);
  const patch = structuredPatch(
    change.before === null ? '/dev/null' : name,
    change.after === null ? '/dev/null' : name,
    before.slice(from, before.length - to),
    after.slice(from, after.length - to),
    undefined,
    undefined,
    { context: CONTEXT },
  );
  const hide = redactor(
    change.before === null ? {} : FORMATS[config.format].read(before, ANYTHING),
  );
  const skipped = before.slice(0, from).split('\n').length - 1;
  for (const hunk of patch.hunks) {
    hunk.oldStart += skipped;
    hunk.newStart += skipped;
    hunk.lines = hunk.lines.map(
      (line) => `${line.charAt(0)}${visible(hide(line.slice(1).replace(/\r$/, '')), 4000)}`,
    );
  }
  return formatPatch(patch, {
    includeIndex: false,
    includeUnderline: false,
    includeFileHeaders: true,
  });
}

/**
 * The lengths of the common start and the common end of two texts, in whole lines and without the context lines of a change.
 * Comparing only the middle saves time on large files.
 */
function middle(before: string, after: string): [from: number, to: number] {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  let to = 0;
  while (to < shorter - from && before.at(-1 - to) === after.at(-1 - to)) to += 1;
  for (let line = 0; line <= CONTEXT && from > 0; line += 1)
    from = before.lastIndexOf('\n', from - 2) + 1;
  let end = before.length - to;
  for (let line = 0; line <= CONTEXT && end < before.length; line += 1) {
    const next = before.indexOf('\n', end);
    end = next === -1 ? before.length : next + 1;
  }
  return [from, before.length - end];
}

/** Both are text; otherwise nothing would be planned. */
const texts = ({ before, after }: FileChange) => ({
  before: before?.toString() ?? '',
  after: after?.toString() ?? '',
});
