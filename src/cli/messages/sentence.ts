/** Turns codes into sentences. Nothing else does. */

import type { TrustTrouble } from '../../clients/trust.ts';
import type { Message, UserError } from '../../system/errors.ts';
import type { Say, Words } from '../../system/words.ts';
import { cli } from './cli.ts';
import { clients } from './clients.ts';
import { compile } from './compile.ts';
import { declaration } from './declaration.ts';
import { diagnose } from './diagnose.ts';
import { edit } from './edit.ts';
import { engine } from './engine.ts';
import { byHand } from './import.ts';
import { install } from './install.ts';
import { lint } from './lint.ts';
import { runner } from './runner.ts';
import { sources } from './sources.ts';
import { system } from './system.ts';
import { lastWords, trust } from './trust.ts';
import { NOTHING, UNFIRED } from './words.ts';

/**
 * Each table has a sentence for every code of its layer; later tables win. Merging them into one table would take longer than
 * everything a command prints.
 */
const tables: readonly Readonly<Record<string, unknown>>[] = [
  system,
  edit,
  declaration,
  clients,
  compile,
  runner,
  sources,
  install,
  byHand,
  engine,
  diagnose,
  lint,
  trust,
  cli,
];

const wordsFor = (code: string): unknown =>
  tables.findLast((table) => Object.hasOwn(table, code))?.[code];

/** @param others Words that replace ours. */
export function saying(nothing: string, others: Readonly<Record<string, unknown>> = {}): Say {
  const say = (message: Message): string => {
    // Every message is made as one that a layer declares, and each layer has its words. Only the type is lost on the way here.
    // A message without words must not break a command: its code is better than nothing.
    const found = others[message.code] ?? wordsFor(message.code);
    const own = found as Words<Message>[string] | undefined;
    return own ? own(message, speaker) : message.code;
  };
  const speaker: Say = Object.assign(say, {
    nothing,
    bare: nothing === '' ? say : saying('', others),
  });
  return speaker;
}

export const sentence: (message: Message) => string = saying(` ${NOTHING}`);

/** Without "Nothing was written", for commands that never write. */
export const bare: (message: Message) => string = saying('');

const unfired: (message: Message) => string = saying(` ${UNFIRED}`);

/** The wording for the errors of a command: those that never write need not say so. */
export const speakerOf = (command: string | undefined): ((message: Message) => string) =>
  command === 'fire' ? unfired : command === 'validate' || command === 'verify' ? bare : sentence;

export const sentences = (messages: readonly Message[]): string[] => messages.map(sentence);

/** Reasons on one line. */
export const listed = (messages: readonly Message[]): string => sentences(messages).join(', ');

/** Why a client did not answer, and what it said last. */
export const troubleSentences = (trouble: TrustTrouble): readonly string[] => [
  sentence(trouble),
  ...(trouble.said === undefined ? [] : [lastWords(trouble.said)]),
];

export const errorJson = ({ problem, details }: UserError, say = sentence) => ({
  error: say(problem),
  details: details.map((one) => say(one)),
  code: problem.code,
});

/** For what may already be in words, such as a client's own message. */
export const inWords = (said: Message | string): string =>
  typeof said === 'string' ? said : sentence(said);
