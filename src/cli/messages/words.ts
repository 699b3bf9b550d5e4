/** Words that several tables share. */

import type { JsonValue } from '../../edit/edit.ts';
import { inLine } from '../../system/visible.ts';
import { meant } from '../../system/words.ts';

export const NOTHING = 'Nothing was written.';
export const UNFIRED = 'Nothing was fired.';

export const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

export const installed = (near: readonly string[], all: readonly string[]): string => {
  if (near.length > 0) return `Did you mean ${near.join(' or ')}?`;
  return all.length > 0 ? `Installed: ${all.join(', ')}.` : NOTHING_INSTALLED;
};

export const NOTHING_INSTALLED = 'Nothing is installed.';

/** A place in a file, as compilers write it. */
export const placeIn = (
  file: string,
  line: number | undefined,
  column: number | undefined,
): string => `${file}${line === undefined ? '' : `:${line}:${column}`}`;

/** A native event, and the tools it is about. */
export const hookInWords = (native: string, matcher: JsonValue | undefined): string =>
  typeof matcher === 'string' ? `${native} of ${inLine(matcher, 200)}` : native;

/** What to do where a client has nothing for `--scope local`. */
export const otherScopes = (id: string, folder: string): string =>
  `Run the same command with --client ${id} --scope user, which is for every folder, or with --client ${id} --scope project, which writes to ${folder} in this one. Others who work on the project get that, too, unless you keep it out of git.`;

export const noSuchTool = (tool: string, near: string | undefined): string =>
  `the server has no tool ${JSON.stringify(tool)}${meant(near)}`;
