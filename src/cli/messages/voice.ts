/** The wording of a plan, where it depends on the reader: on the command line it names the flags to give. */

import type { Grant } from '../../declaration/grants.ts';
import type { Message } from '../../system/errors.ts';
import { messages } from './output.ts';
import { sentence } from './sentence.ts';

export interface Voice {
  readonly say: (message: Message) => string;
  readonly notGranted: Readonly<Record<Grant, string>>;
  /** @param installed The label and its scope, as commands take them; undefined: it is not installed yet. */
  readonly toAllow: (installed: string | undefined, grants: readonly Grant[]) => string;
  /** @param command The command that removes it there. */
  readonly alsoInstalled: (label: string, there: string, folder: string, command: string) => string;
  readonly policyOfOther: (rules: string, other: string) => string;
  readonly noLocal: (client: string, id: string, folder: string) => string;
  readonly noLocalInstead: (client: string) => string;
  readonly useLocal: (file: string) => string;
}

export const COMMAND_LINE: Voice = {
  say: sentence,
  notGranted: messages.notGranted,
  toAllow: messages.toAllow,
  alsoInstalled: messages.alsoInstalled,
  policyOfOther: messages.policyOfOther,
  noLocal: messages.noLocal,
  noLocalInstead: messages.noLocalInstead,
  useLocal: messages.useLocal,
};
