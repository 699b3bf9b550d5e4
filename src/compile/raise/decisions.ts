/**
 * The decisions that a hook's program may make, judged by its text: the exit code that blocks, and the words of an answer. A
 * program whose text cannot be read is assumed to decide nothing, so that no unnecessary grant is requested.
 */

import type { Decision } from '../../declaration/declaration.ts';

/** The known facts about the code that a command starts. */
export interface Code {
  /** The command itself, and the scripts that it names. */
  readonly texts: readonly string[];
  /** A script or program of it could not be read. */
  readonly isUnread: boolean;
  /** Whether something is printed, as far as is known. */
  readonly prints: boolean;
}

/** `exit 2`, `sys.exit(2 if ...)`, `process.exitCode = 2`. */
const EXITS = /\bexit(?:Code)?\s{0,3}[(=]?\s{0,3}["']?2\b/;
const DENIES =
  /(?:decision|action|permission)[\\"']{0,4}\s{0,3}[:=][\\"'\s]{0,6}(?:block|deny)\b|\bcontinue[\\"']{0,4}\s{0,3}[:=]\s{0,3}false\b/i;
const CHANGES = /\b(?:updatedInput|updatedToolOutput|modifiedInput|modifiedOutput)\b/;
/** Its answer or exit code is computed elsewhere. */
const WORKED_OUT =
  /\bexit\s{0,3}(?:\(\s{0,3}[A-Za-z_]|["']?\$)|permissionDecision|["']decision["']|\bdecision\s{0,3}:/;
const ANSWERS =
  /hookSpecificOutput|additionalContext|systemMessage|["']reason["']|suppressOutput|stopReason/;

export const decidesIn = ({ texts }: Code): Decision[] => {
  const some = (form: RegExp) => texts.some((text) => form.test(text));
  return [
    ...(some(EXITS) || some(DENIES) ? (['block'] as const) : []),
    ...(some(CHANGES) ? (['modify'] as const) : []),
  ];
};

/** Whether it may decide more than its text shows. */
export const isUncertain = (code: Code): boolean =>
  code.isUnread ||
  (decidesIn(code).length === 0 && code.texts.some((text) => WORKED_OUT.test(text)));

/** Whether it prints no JSON answer of which the client would read anything. */
export const isSilent = (code: Code): boolean =>
  !isUncertain(code) && !code.texts.some((text) => ANSWERS.test(text) || DENIES.test(text));
