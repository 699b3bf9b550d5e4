/** A plan's changes to the clients' files as unified diffs, with the secrets around our lines hidden. */

import { formatPatch, structuredPatch } from 'diff';
import { ANYTHING } from './edit/edit.ts';
import { FORMATS } from './edit/formats.ts';
import { decode } from './edit/text.ts';
import { tilde } from './places.ts';
import type { ClientPlan, FileChange } from './plan.ts';
import { masker } from './secrets.ts';
import { visible } from './visible.ts';

/** Lines around a change. Few: a settings file may hold what nobody should see over a shoulder. */
const CONTEXT = 2;

/** The diff of one client's file; empty when it does not change. */
export function diffOf({ change, config }: ClientPlan, home: string): string {
  if (!change) return '';
  const name = tilde(change.path, home);
  const { before, after } = texts(change);
  const patch = structuredPatch(
    change.before === null ? '/dev/null' : name,
    change.after === null ? '/dev/null' : name,
    before,
    after,
    undefined,
    undefined,
    { context: CONTEXT },
  );
  const hide = masker(change.before === null ? {} : FORMATS[config.format].read(before, ANYTHING));
  for (const hunk of patch.hunks)
    hunk.lines = hunk.lines.map(
      (line) => `${line.charAt(0)}${visible(hide(line.slice(1).replace(/\r$/, '')), 4000)}`,
    );
  return formatPatch(patch, {
    includeIndex: false,
    includeUnderline: false,
    includeFileHeaders: true,
  });
}

const texts = ({ before, after }: FileChange) => ({
  before: before === null ? '' : decode(before),
  after: after === null ? '' : decode(after),
});
