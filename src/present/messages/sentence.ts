/** Turns codes into sentences. This is the only module that does. */

import type { TrustTrouble } from '../../clients/trust.ts';
import { compile } from '../../compile/messages.ts';
import { difference, leftOut } from '../../compile/raise/messages.ts';
import { declaration, extended } from '../../declaration/messages.ts';
import { schema } from '../../declaration/schema-messages.ts';
import { lint } from '../../diagnose/lint/messages.ts';
import { diagnose, telemetry } from '../../diagnose/messages.ts';
import { install } from '../../install/messages.ts';
import { engine } from '../../sdk/engine/messages.ts';
import { handFile } from '../../sources/by-hand/messages.ts';
import { sources } from '../../sources/messages.ts';
import type { Message, UserError } from '../../system/errors.ts';
import { system } from '../../system/messages.ts';
import { type Say, sentenceIn, type Words } from '../../system/words.ts';
import { cli } from './cli.ts';
import { clients } from './clients.ts';
import { edit } from './edit.ts';
import { runner } from './runner.ts';
import { lastWords, trust } from './trust.ts';
import { NOTHING, UNFIRED } from './words.ts';

/**
 * Each table has a sentence for every code of its layer, and no code is in two tables. Merging them into one table would take
 * longer than printing everything a command prints.
 */
export const TABLES: readonly Readonly<Record<string, unknown>>[] = [
  system,
  edit,
  schema,
  extended,
  declaration,
  clients,
  compile,
  runner,
  sources,
  install,
  leftOut,
  difference,
  handFile,
  engine,
  diagnose,
  telemetry,
  lint,
  trust,
  cli,
];

const wordsFor = (code: string): unknown =>
  TABLES.findLast((table) => Object.hasOwn(table, code))?.[code];

function saying(nothing: string, hint: Say['hint'] = (text) => text): Say {
  const say = (message: Message): string => {
    // Every message is declared by a layer, and each layer has its texts; the cast only restores the lost type. A message
    // without a text must not break a command, so its code is printed instead.
    const own = wordsFor(message.code) as Words<Message>[string] | undefined;
    return own === undefined ? message.code : sentenceIn(own, message, wording);
  };
  const wording: Say = Object.assign(say, {
    nothing,
    hint,
    bare: nothing === '' ? say : saying('', hint),
  });
  return wording;
}

export const sentence: Say = saying(` ${NOTHING}`);

/** Without "Nothing was written", for commands that never write. */
export const bare: Say = saying('');

const withoutHints = (): string => '';

/** For callers of the library, who use neither our flags nor our commands. */
export const librarySentence: Say = saying(` ${NOTHING}`, withoutHints);

/** For callers of the engine, which does not write settings. */
export const engineSentence: Say = saying('', withoutHints);

const unfired: Say = saying(` ${UNFIRED}`);

/** The wording for the errors of a command. Commands that never write do not have to say so. */
export const wordingOf = (command: string | undefined): Say =>
  command === 'fire' ? unfired : command === 'validate' || command === 'verify' ? bare : sentence;

export const sentences = (messages: readonly Message[]): string[] => messages.map(sentence);

/** Reasons on one line, without duplicates: several hooks may have the same reason. */
export const joinedSentences = (messages: readonly Message[]): string =>
  [...new Set(sentences(messages))].join(', ');

/** Why a client did not answer, and its last output. */
export const troubleSentences = (trouble: TrustTrouble): readonly string[] => [
  sentence(trouble),
  ...(trouble.said === undefined ? [] : [lastWords(trouble.said)]),
];

export const errorJson = (
  { problem, details }: UserError,
  say: (message: Message) => string = sentence,
) => ({
  error: say(problem),
  details: details.map((one) => say(one)),
  code: problem.code,
});

/** For values that may already be text, such as a client's own message. */
export const sentenceOrText = (said: Message | string): string =>
  typeof said === 'string' ? said : sentence(said);
