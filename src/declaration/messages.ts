/** Messages about declarations, manifests and the policy. */

import type { Message } from '../system/errors.ts';
import { listed } from '../system/plurals.ts';
import { inLine } from '../system/visible.ts';
import {
  type MessageOf,
  mebibytes,
  mistakeInJson,
  placeIn,
  type Say,
  withArticle,
} from '../system/words.ts';
import { LABEL } from './declaration.ts';
import type { SchemaMessage } from './schema-messages.ts';

type Names = readonly string[];

/** A file that is larger than our limit. */
interface TooLarge {
  path: string;
  bytes: number;
  limitBytes: number;
}

/** A place in a file, as far as it is known. */
export interface FilePosition {
  path: string;
  line?: number;
  column?: number;
}

const inQuotes = (names: readonly string[]): string[] => names.map((name) => JSON.stringify(name));

const orList = (names: readonly string[]): string => listed(inQuotes(names), 'or');

const andList = (names: readonly string[]): string => listed(inQuotes(names));

export const extended = {
  'handler-missing': ({ allowed }: { allowed: Names }) => `one of ${orList(allowed)} is needed`,
  'handlers-several': ({ keys }: { keys: Names }) =>
    `${andList(keys)} exclude each other: keep one`,
  /** `of`: the fields of which the hook needs one. */
  'field-without': ({ key, of }: { key: string; of: Names }) => `"${key}" needs ${orList(of)}`,
  'field-elsewhere': '"{key}" belongs to {of}, not to {event}',
  'field-of-event': '"{key}" is missing; {event} needs it',
  'one-of': ({ key, allowed }: { key: string; allowed: Names }) =>
    `"${key}" must have exactly one of ${orList(allowed)}`,
  'deny-without-block':
    '"on_failure": "deny" is only for a hook that may block: one with "block", or with "block" in "may"',
  'answer-unread': ({ key }: { key: string }) =>
    `"${key}" is about an answer, and no answer is read from a command with "async": true`,
  'warns-too-late': ({ warn, fire }: { key: string; warn: number; fire: number }) =>
    `it would warn at ${warn} percent and fire at ${fire}: "budget.warn" must not be above "budget.fire"`,
  /** `text`: the engine's own words, if it has any. */
  'pattern-unusable': '"{key}" cannot be used as a regular expression: {text}',
  'word-with-nul': '"{key}" must not contain a null character',
  'version-elsewhere':
    '"version": {version} does not apply to {form}, where only SEP-2282 counts; put the hooks under "hooks"',
  'command-not-taken':
    'left out: a hook that runs a command is taken only from a manifest whose path you give',
  'command-no-file': ({ word, folder }: Record<'word' | 'folder', string>) =>
    `there is no file ${JSON.stringify(word)} in ${inLine(folder)}, the folder of the manifest`,
  'command-not-executable': ({ word }: Record<'word' | 'folder', string>) =>
    `${JSON.stringify(word)} is not executable: make it so with chmod +x, or name the program that runs it first`,
  'command-unreadable': ({ file, why }: { file: string; why: Message }, say: Say) =>
    `${inLine(file)} cannot be read: ${say(why)}`,
  'command-too-large': ({
    file,
    bytes,
    limitBytes,
  }: {
    file: string;
    bytes: number;
    limitBytes: number;
  }) =>
    `${inLine(file)} has ${mebibytes(bytes)}; a file that a hook runs or reads may have at most ${mebibytes(limitBytes)} (an installed program can be named without its folder)`,
  // Allowed, but probably a mistake.
  'cannot-decide': ({
    decision,
    event,
    events,
  }: Record<'decision' | 'event', string> & { events: Names }) =>
    `nothing can be ${decision === 'block' ? 'blocked' : 'changed'} at ${event}; it can at ${events.join(', ')}`,
  'no-output-yet': '"{key}": a call has no output yet at {event}',
  'only-failed': 'every call at {event} has failed: the hook never fires',
} as const;

export type ExtendedMessage = MessageOf<typeof extended>;

export const declaration = {
  /** `mistake`: the parser's name for it, such as `InvalidSymbol`. */
  'json-mistake': ({ mistake }: { mistake: string }) => `not JSON: ${mistakeInJson(mistake)}`,
  'key-twice': ({ key }: { key: string }) => `the key ${JSON.stringify(key)} appears twice`,
  /** `hook`: its number, if neither the place nor the problem identifies it. */
  'problem-in-file': (
    {
      path,
      line,
      column,
      level,
      problem,
      hook,
    }: FilePosition & { level: 'error' | 'warning' | 'note'; problem: Message; hook?: number },
    say: Say,
  ) =>
    `${placeIn(path, line, column)}: ${level}: ${hook === undefined ? '' : `hook ${hook}: `}${say(problem)}`,
  'too-many-declarations': '{count} declarations; at most {limit} are allowed',
  'too-many-characters': ({
    key,
    characters,
    limit,
  }: {
    key: string;
    characters: number;
    limit: number;
  }) => `${JSON.stringify(key)} has ${characters} characters; at most ${limit} are allowed`,
  'manifest-no-object': ({ found }: { found: string }) =>
    `a manifest must be an object, not ${withArticle(found)}`,
  'name-no-string': '"name" must be a string',
  'hooks-no-object': ({ found }: { found: string }) =>
    `"hooks" must be an object with "declarations", not ${withArticle(found)}`,
  'declarations-no-array': ({ found }: { found: string }) =>
    `"declarations" must be an array, not ${withArticle(found)}`,
  'declarations-missing': '"declarations" is missing; it must be an array',
  'hooks-of-client': (_facts: object, say: Say) =>
    `these are hooks in a client's own form, not a manifest${say.hint('; "mcp-hooks import <file>" makes a manifest of them')}`,
  'manifest-refused': '{path} cannot be used.{nothing}',
  'manifest-too-deep':
    'it is nested too deeply for a manifest: more than {depth} brackets within brackets',
  'manifest-empty': 'the file is empty; a manifest is a JSON object with "hooks"',
  'bad-label': ({ label }: { label: string }, say: Say) => {
    const why = LABEL.test(label)
      ? label.endsWith('.')
        ? 'Windows leaves out a dot at the end'
        : 'Windows reserves this name'
      : 'Use up to 64 letters, digits, "_", "." or "-", starting with a letter or digit';
    return `${JSON.stringify(label)} can't be used as a label. ${why}${say.hint(' (--name gives another)')}`;
  },
  'no-declarations':
    'no hooks in it; expected "hooks": { "declarations": [...] } (or "declarations", "capabilities" or "experimental" as in SEP-2282)',
  'tool-needs-server': ({ tool }: { tool: string }) =>
    `"server" is missing; it says how to reach the tool "${tool}": { "command", "args" } or { "url" }`,
  'tool-left-out': ({ tool, why }: { tool: string; why: Message }, say: Say) =>
    `left out: its tool ${JSON.stringify(tool)} cannot be called: ${say(why)}`,
  'manifest-too-large': ({ path, bytes, limitBytes }: TooLarge, say: Say) =>
    `${path} has ${mebibytes(bytes)}; a manifest may have at most ${mebibytes(limitBytes)}.${say.nothing}`,
  'bundle-too-large': ({ path, bytes, limitBytes }: TooLarge, say: Say) =>
    `${path} has ${mebibytes(bytes)}; a bundle may have at most ${mebibytes(limitBytes)}. Unpack it and give the folder.${say.nothing}`,
  'did-you-mean': 'Did you mean {name}?',
  'not-utf8': '{path} cannot be read: it is not UTF-8 text.{nothing}',
  'policy-too-deep': 'it is nested too deeply for a policy',
  'policy-empty': () => 'the file is empty; a policy is a JSON object, and {} is all defaults',
  'policy-refused': '{path} cannot be used. No hook adds anything until it is fixed.{nothing}',
} as const;

export type DeclarationMessage = SchemaMessage | ExtendedMessage | MessageOf<typeof declaration>;
