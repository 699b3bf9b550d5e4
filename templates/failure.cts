/**
 * mcp-hooks: what happens to an event when a hook that may decide about it fails. The event is let through or blocked, as the
 * user has agreed (`on_failure`); a session is blocked for ten minutes at most. This file is loaded only after such a failure.
 */

import fs = require('node:fs');

import { answerWith, attributed } from './answer.cjs';
import type { Evaluation } from './chain/evaluation.cjs';
import { hashOf, withFile } from './files.cjs';
import type { Firing, ProgramHook, Rules, Running, Why } from './types.cjs';
import { attempt, reasonOf } from './values.cjs';

/** The maximum time for which failures block a session, in milliseconds, so that no user is locked out. */
const LONGEST = 10 * 60 * 1000;
/** When that time starts again if the session is unknown, because several sessions then share the file. */
const ANEW = 60 * 60 * 1000;

/** Whether a hook blocks when it fails, by the rules or otherwise by its declaration. */
const isDenying = ({ extended }: ProgramHook, { onFailure = 'declared' }: Rules): boolean =>
  (onFailure === 'declared' ? extended?.onFailure : onFailure) === 'deny';

/** Whether a hook may make any decision here that the client carries out. */
export const decides = (
  { extended }: Pick<ProgramHook, 'extended'>,
  { block = false, modify = false }: Pick<Rules, 'block' | 'modify'>,
): boolean => {
  const { may = [], can = [] } = extended ?? {};
  const isOne = (decision: 'block' | 'modify', ...what: readonly (typeof can)[number][]) =>
    may.includes(decision) && what.some((one) => can.includes(one));
  return (block && isOne('block', 'block')) || (modify && isOne('modify', 'input', 'output'));
};

/** A function of chain.cjs that returns why a hook cannot make a decision here. */
type WhyNot = (
  hook: ProgramHook,
  decision: 'block',
  what: 'block',
  evaluation: Evaluation,
) => string | undefined;

/**
 * Settles the decision of a failed hook.
 *
 * @param why What went wrong, as a code.
 */
export function settle(hook: ProgramHook, why: Why, evaluation: Evaluation, whyNot: WhyNot): void {
  const { program, rules, firing, outcome, failures } = evaluation;
  if (outcome.decision || !decides(hook, rules)) return;
  const { number } = hook;
  const isMeant =
    isDenying(hook, rules) && whyNot(hook, 'block', 'block', evaluation) === undefined;
  const action = !isMeant ? 'allow' : isOver(evaluation) ? 'allow-again' : 'deny';
  failures.settled.push({ hook: number, action });
  if (action !== 'deny') return;
  const reason = reasonFor(hook, why, program);
  outcome.decision = { action: 'block', reason, hook: number };
  outcome.shownReason = reason;
  outcome.decisions.push({
    hook: number,
    action: 'block',
    reason,
    before: hashOf(firing.output ?? firing.input),
  });
}

/** The failure in our words, without a text of the hook's, which may hold a secret. */
const reasonFor = ({ number }: ProgramHook, why: Why, { label }: Pick<Running, 'label'>): string =>
  `hook ${number} failed (${wordsOf(why)}), so this was blocked. To see more: mcp-hooks log ${label}`;

/** For users who do not see a log. Like the reason of a block, it has no text of the hook's. */
export const warningOf = (why: Parameters<typeof wordsOf>[0]): string =>
  `Hook failed: ${wordsOf(why)}`;

/** The words for a reason, without its facts. The words with facts, for the log, are in src/present/messages/runner.ts. */
export function wordsOf({
  code,
  name,
}: {
  readonly code: string;
  readonly name?: unknown;
}): string {
  const known = own(WORDS, code) ?? own(ERRORS, String(name));
  if (known !== undefined) return known;
  const isName = typeof name === 'string' && /^\w{1,40}$/.test(name);
  return isName ? `an unexpected error, ${name}` : 'an unexpected error';
}

const own = (words: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(words, key) ? words[key] : undefined;

/** By code (src/compile/runner-messages.ts). */
const WORDS = {
  'no-text': 'no text',
  'wants-more': 'the server asked for more input',
  'no-answer-in-time': 'no answer in time',
  'no-answer': 'no answer',
  'answer-too-long': 'the answer is too long',
  'moved-elsewhere': 'moved elsewhere',
  'not-signed-in': 'not signed in',
  'address-unusable': 'no address',
  'entry-gone': 'it is no longer configured',
  'entry-changed': 'its configuration has changed',
  'entry-unread': 'the configuration cannot be read',
  'env-file-unread': 'its envFile cannot be read',
  'manifest-unread': 'the manifest cannot be read',
  'variable-changed': 'a variable that decides what runs has changed',
  'passing-changed': 'it passes on other variables of the user than were agreed to',
  'policy-invalid': 'policy.json is not valid',
  'payload-invalid': 'what the client sent is not a JSON object',
  'answer-unknown': 'its answer has only unknown keys',
  'answer-invalid': 'its answer is not valid',
  'modify-not-possible': 'the client lets no hook change this',
  'answer-hides': 'the new input has invisible characters',
  'answer-masked': 'the new input contains a masked secret (***)',
  'cannot-ask': 'it wants the user to be asked, which no hook can do',
  'pattern-refused': 'this node cannot run its regular expression',
  'out-of-time': 'the event was too large to check in time',
  'background-full': 'too many commands of its server run in the background',
  'background-ended': 'its program was ended at its deadline',
  'state-of-another': "the folder of the session's memory belongs to another user",
  'within-itself': 'it has started this client itself',
  'node-missing': 'Node.js was not found, or the runner is damaged',
  unmasked: 'the rules for secrets failed',
  'tool-failed': 'the tool failed',
  'call-refused': 'the server refused the call',
  'tool-missing': 'the server has no such tool',
  ended: 'the server ended',
  'http-status': 'the server answered with an error',
  'type-unknown': 'its server has an unknown type',
  'client-fills-in': 'only the client can fill in the configuration of its server',
  'variable-unset': 'a variable that it needs is not set',
  'command-failed': 'its program failed',
  'command-changed': 'a file of its program is not the one that was allowed',
};

/** By the system's error code. */
const ERRORS = {
  ENOENT: 'a program or file that it needs is missing',
  EACCES: 'permission denied for a program or file that it needs',
  EPERM: 'the system did not allow it',
  ENOSPC: 'the disk is full',
  EMFILE: 'too many files are open',
  ENOMEM: 'out of memory',
};

/**
 * Whether the session has been blocked long enough. The first stage uses the same file for a session that it can name, with the
 * time of the first block in seconds.
 */
function isOver({ firing, program, stage }: Evaluation): boolean {
  const file = stage.memory({ id: '0' }, firing, program, 'denied');
  const now = Date.now();
  const first = firstIn(file);
  const isAnew = firing.session === '' && now - first > ANEW;
  if (first <= now && !isAnew) return now - first > LONGEST;
  // If we cannot write our memory, we cannot log either, and it would go unseen that calls are let through.
  attempt(() => {
    const handle = stage.open(file, 'w');
    fs.writeSync(handle, `${Math.trunc(now / 1000)}\n`);
    fs.closeSync(handle);
  });
  return false;
}

/** Not a number: there was no earlier block. */
function firstIn(file: string): number {
  const text = attempt(() => withFile(file, (handle) => fs.readFileSync(handle, 'utf8'))) ?? '';
  return /^\d{1,12}\n?$/.test(text) ? 1000 * Number(text) : Number.NaN;
}

/**
 * Settles an event whose evaluation was cut short by `error`: the decisions so far count, and then those of hooks that fail.
 *
 * @param isRead Whether the payload could be read. If not, the event may be for any hook.
 * @param chain Functions of chain.cjs.
 */
export function settleAll(
  error: unknown,
  isRead: boolean,
  evaluation: Evaluation,
  {
    isAllowed,
    isSpent,
    orderOf,
    whyNot,
  }: {
    readonly isAllowed: (hook: ProgramHook, rules: Rules) => boolean;
    readonly isSpent: (hook: ProgramHook, evaluation: Evaluation) => boolean;
    readonly orderOf: (hook: ProgramHook) => number;
    readonly whyNot: WhyNot;
  },
): void {
  const { program, rules, outcome, failures } = evaluation;
  const why = reasonOf(error);
  outcome.reasons.push(why);
  const isMeant = (hook: ProgramHook) =>
    hook.act !== 'mark' &&
    !hook.marked &&
    !failures.over.has(hook) &&
    isAllowed(hook, rules) &&
    decides(hook, rules) &&
    (!isRead || (mayFit(hook, evaluation) && !isSpent(hook, evaluation)));
  const failed = program.hooks.filter(isMeant);
  const ordered = failed.toSorted((a, b) => orderOf(a) - orderOf(b) || a.number - b.number);
  // As in a normal evaluation, the first hook that blocks ends the chain.
  for (const hook of ordered) {
    failures.failed.add(hook);
    settle(hook, why, evaluation, whyNot);
  }
}

/** Whether an event may be for a hook. There may be no time left to find out. */
const mayFit = (hook: ProgramHook, { firing, program, stage }: Evaluation): boolean =>
  attempt(() => stage.fits(hook, firing, program)) ?? true;

/** The answer that the first stage prints by itself if node does not run (src/compile/denial.ts). */
export function denial(
  hook: ProgramHook,
  program: Pick<Running, 'label' | 'native' | 'wire'>,
): { readonly answer: string; readonly reason: string } {
  const reason = reasonFor(hook, { code: 'node-missing' }, program);
  const decision = { reason: attributed(program.label, reason) };
  return { answer: answerWith(program, 'tell', '', { decision }, NOTHING), reason };
}

/** An event of which nothing is known. */
export const NOTHING: Firing = {
  payload: {},
  session: '',
  cwd: '',
  names: [],
  occasion: [],
  claimed: new Map(),
  source: undefined,
  transcript: undefined,
  continued: false,
  until: Number.POSITIVE_INFINITY,
  tool: undefined,
  isName: false,
  server: undefined,
  input: undefined,
  output: undefined,
};
