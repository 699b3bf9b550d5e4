/** Texts that several tables share. */

import type { JsonValue } from '../../edit/edit.ts';
import { inLine } from '../../system/visible.ts';

export const NOTHING = 'Nothing was written.';
export const UNFIRED = 'Nothing was fired.';

/** A native event, and the tools it applies to. */
export const hookInWords = (native: string, matcher: JsonValue | undefined): string =>
  typeof matcher === 'string' ? `${native} of ${inLine(matcher, 200)}` : native;

/** What to do if a client has no settings for a scope. @param folder Its folder in a project. Absent if it has none there. */
export const otherScopes = (id: string, folder?: string): string => {
  const user = `Run the same command with --client ${id} --scope user, which is for every folder`;
  return folder === undefined
    ? `${user}.`
    : `${user}, or with --client ${id} --scope project, which writes to ${folder} in this one. Others who work on the project get that, too, unless you keep it out of git.`;
};
