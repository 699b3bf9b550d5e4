/** The extended vocabulary of a hook in plain words. Nothing is left out, because users agree to it. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Bound, filesOf, wordsOf } from '../../declaration/command.ts';
import {
  DEFAULT_BUDGET,
  DEFAULT_ORDER,
  type Decision,
  type ExtendedMatcher,
  type HookDeclaration,
  isDeciding,
  type Repeat,
  SESSION_FIELDS,
  TOOL_EVENTS,
} from '../../declaration/declaration.ts';
import { loadedBy } from '../../declaration/loaded.ts';
import { attempt } from '../../system/errors.ts';
import { isInside, realPath } from '../../system/files.ts';
import { sha256 } from '../../system/fingerprint.ts';
import { count } from '../../system/plurals.ts';
import { quoted } from '../../system/strings.ts';
import { inLine, visible } from '../../system/visible.ts';
import { hookWords } from '../messages/hooks.ts';

const whole = (text: string): string => inLine(text, Number.POSITIVE_INFINITY);
const inQuotes = (text: string): string => whole(JSON.stringify(text));

const listed = (words: readonly string[], last: 'or' | 'and'): string =>
  [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(` ${last} `);

/** The conditions under which a hook speaks, and how often, one per line. */
export function conditionsOf(hook: HookDeclaration): string[] {
  const { event, matcher = {}, budget, order, once, cooldown, limit, enabled } = hook;
  const counts = (field: string) => TOOL_EVENTS.includes(event) || SESSION_FIELDS.includes(field);
  const conditions = Object.entries(CONDITIONS).flatMap(([field, words]) =>
    counts(field) ? words(matcher) : [],
  );
  return [
    ...(enabled === false ? [hookWords.off] : []),
    ...conditions,
    ...(budget ? [hookWords.budget({ ...DEFAULT_BUDGET, ...budget })] : []),
    ...(order === undefined || order === DEFAULT_ORDER ? [] : [hookWords.order(order)]),
    ...(once ? [hookWords.once[once]] : []),
    ...(cooldown === undefined ? [] : [hookWords.cooldown(count(cooldown, 'second'))]),
    ...(limit ? [hookWords.limit(limit)] : []),
  ];
}

const globs = (words: readonly string[]): string => listed(words.map(inQuotes), 'or');

const CONDITIONS: Readonly<Record<string, (matcher: ExtendedMatcher) => string[]>> = {
  exclude: ({ exclude: { tools = [], paths = [] } = {} }) => [
    ...(tools.length > 0 ? [hookWords.notTools(globs(tools))] : []),
    ...(paths.length > 0 ? [hookWords.notPaths(globs(paths))] : []),
  ],
  input_matches: ({ input_matches: pattern }) =>
    pattern === undefined ? [] : [hookWords.inputMatches(whole(pattern))],
  output_matches: ({ output_matches: pattern }) =>
    pattern === undefined ? [] : [hookWords.outputMatches(whole(pattern))],
  output_contains: ({ output_contains: text }) =>
    text === undefined ? [] : [hookWords.outputContains(inQuotes(text))],
  failed: ({ failed }) => (failed === undefined ? [] : [hookWords.failed(failed)]),
  repeat: ({ repeat }) => (repeat ? [repeatInWords(repeat)] : []),
  branch: ({ branch }) => (branch === undefined ? [] : [hookWords.branch(inQuotes(branch))]),
  project: ({ project }) => (project === undefined ? [] : [hookWords.project(inQuotes(project))]),
};

const repeatInWords = ({ times, within, same }: Repeat): string =>
  hookWords.repeated[same](times, count(within, 'second'));

/** What a tool or command of the extended vocabulary learns about the event. A call may also exceed a budget. */
export const envelopeInWords = ({ event }: HookDeclaration, who: string): string =>
  hookWords.given(who, TOOL_EVENTS.includes(event) || event === 'budget_exceeded');

/** What becomes of what a hook may decide about, if it fails; nothing for one that decides nothing. */
export function failureOf(hook: HookDeclaration): string[] {
  const { event, on_failure = 'allow' } = hook;
  return isDeciding(hook) ? [hookWords.onFailure[on_failure](event)] : [];
}

/** What still goes on although some hooks deny. */
export const notDenied = (hooks: readonly HookDeclaration[]): string[] =>
  hooks.some((hook) => isDeciding(hook) && hook.on_failure === 'deny') ? [hookWords.notDenied] : [];

/** What the answer of its tool or command may decide, and how soon it must come. */
export function answerOf(hook: HookDeclaration): string[] {
  const { may = [], command, deadline } = hook;
  const allowed = [...new Set<Decision>(may)].map((one) => hookWords.may[one]);
  const read = command ? hookWords.readsAll : hookWords.readsMasks;
  return [
    ...(allowed.length > 0
      ? [hookWords.answerMay(listed(allowed, 'and')), read]
      : [hookWords.answerIsText]),
    ...failureOf(hook),
    ...(deadline === undefined ? [] : [hookWords.deadline(deadline)]),
  ];
}

/** The command of a hook as it runs, with the paths of its files resolved. */
export function commandOf(hook: HookDeclaration, bound: Bound): string[] {
  const { command = [], event } = hook;
  const words = wordsOf(command, bound);
  const [program = ''] = command;
  return [
    hookWords.runs(whole(words.map(quoted).join(' '))),
    ...(loadedBy(command).ofProject ? [hookWords.ofProject] : []),
    ...(program.includes('/') ? [] : [hookWords.foundByPath(inQuotes(program))]),
    envelopeInWords(hook, 'It'),
    ...(event === 'session_end' ? [hookWords.noReader] : []),
    ...answerOf(hook),
  ];
}

/** A file that a command names: a heading, and its text if that is to be shown. */
export interface ShownFile {
  readonly head: string;
  readonly text?: string;
  readonly rest?: string;
}

/** Longer files are shown in part, with the command that shows the rest. */
const LINES = 400;
const CHARACTERS = 40_000;

/**
 * The files of a command. `known`: hashes of files that need no showing, because the user has agreed to them or they are gone.
 */
export const filesInWords = (
  { command = [] }: HookDeclaration,
  bound: Bound,
  known: readonly string[],
): ShownFile[] =>
  Object.entries(filesOf(command, bound)).map(([file, hash]) => {
    const isKnown = known.includes(hash);
    const real = isKnown ? undefined : leadingOut(file, bound.commandsFrom);
    const head = hookWords.file(whole(file), hash.slice(0, 16), real && whole(real));
    return isKnown ? { head } : { head: `${head}:`, ...contentsOf(file, hash) };
  });

/** The target of a link that leaves the folder. */
function leadingOut(file: string, folder = '/'): string | undefined {
  const real = realPath(file);
  return real !== resolve(file) && !isInside(real, realPath(folder)) ? real : undefined;
}

function contentsOf(file: string, hash: string): Pick<ShownFile, 'text' | 'rest'> {
  const bytes = attempt(() => readFileSync(file));
  // Show only what was hashed: the user agrees to exactly that.
  if (!bytes || sha256(bytes) !== hash) return { rest: hookWords.fileChanged };
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes) || text.includes('\0'))
    return { rest: hookWords.fileBinary(bytes.length) };
  if (text.trim() === '') return { rest: hookWords.fileEmpty };
  const lines = text.replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, LINES).join('\n').slice(0, CHARACTERS);
  const left = text.trimEnd().length - shown.trimEnd().length;
  return {
    text: visible(shown, Number.POSITIVE_INFINITY),
    ...(left > 0 && { rest: hookWords.fileRest(left, whole(quoted(file))) }),
  };
}
