/** Turns codes into sentences. Nothing else does. */

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
 * Each table has a sentence for every code of its layer, and no two have the same code. Merging them into one table would take
 * longer than everything a command prints.
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
    // Every message is made as one that a layer declares, and each layer has its words. Only the type is lost on the way here.
    // A message without words must not break a command: its code is better than nothing.
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

/** For callers of the library, who have no flags and no commands of ours. */
export const librarySentence: Say = saying(` ${NOTHING}`, withoutHints);

/** For callers of the engine, which writes no settings. */
export const engineSentence: Say = saying('', withoutHints);

const unfired: Say = saying(` ${UNFIRED}`);

/** The wording for the errors of a command: those that never write need not say so. */
export const wordingOf = (command: string | undefined): Say =>
  command === 'fire' ? unfired : command === 'validate' || command === 'verify' ? bare : sentence;

export const sentences = (messages: readonly Message[]): string[] => messages.map(sentence);

/** Reasons on one line, each once: several hooks may have the same. */
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

/** For what may already be in words, such as a client's own message. */
export const sentenceOrText = (said: Message | string): string =>
  typeof said === 'string' ? said : sentence(said);
