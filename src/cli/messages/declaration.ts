/** The words for src/declaration/messages.ts. */

import type { DeclarationMessage } from '../../declaration/messages.ts';
import { schema } from '../../sdk/schema-words.ts';
import { inLine } from '../../system/visible.ts';
import { type Words, withArticle } from '../../system/words.ts';
import { mistakeInJson } from './edit.ts';
import { mebibytes, placeIn } from './words.ts';

const inQuotes = (names: readonly string[]): string[] => names.map((name) => JSON.stringify(name));

const orList = (names: readonly string[]): string => joined(inQuotes(names), 'or');
const andList = (names: readonly string[]): string => joined(inQuotes(names), 'and');

const joined = (names: readonly string[], word: 'or' | 'and'): string =>
  [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(` ${word} `);

export const declaration = {
  ...schema,
  'json-mistake': ({ mistake }) => `not JSON: ${mistakeInJson(mistake)}`,
  'key-twice': ({ key }) => `the key ${JSON.stringify(key)} appears twice`,
  'problem-in-file': ({ path, line, column, level, problem, hook }, say) =>
    `${placeIn(path, line, column)}: ${level}: ${hook === undefined ? '' : `hook ${hook}: `}${say(problem)}`,
  'too-many-declarations': ({ count, limit }) =>
    `${count} declarations; at most ${limit} are allowed`,
  'too-many-characters': ({ key, characters, limit }) =>
    `${JSON.stringify(key)} has ${characters} characters; at most ${limit} are allowed`,
  'manifest-no-object': ({ found }) => `a manifest must be an object, not ${withArticle(found)}`,
  'name-no-string': () => '"name" must be a string',
  'hooks-no-object': ({ found }) =>
    `"hooks" must be an object with "declarations", not ${withArticle(found)}`,
  'declarations-no-array': ({ found }) =>
    `"declarations" must be an array, not ${withArticle(found)}`,
  'declarations-missing': () => '"declarations" is missing; it must be an array',
  'manifest-refused': ({ path }, say) => `${path} cannot be used.${say.nothing}`,
  'manifest-too-deep': ({ depth }) =>
    `it is nested too deeply for a manifest: more than ${depth} brackets within brackets`,
  'manifest-empty': () => 'the file is empty; a manifest is a JSON object with "hooks"',
  'bad-label': ({ label }) =>
    `${JSON.stringify(label)} cannot be a label: letters, digits, "_", "." and "-", a letter or digit first, at most 64 (--name gives another)`,
  'no-declarations': () =>
    'no hooks in it; expected "hooks": { "declarations": [...] } (or "declarations", "capabilities" or "experimental" as in SEP-2282)',
  'tool-needs-server': ({ tool }) =>
    `"server" is missing; it says how to reach the tool "${tool}": { "command", "args" } or { "url" }`,
  'tool-left-out': ({ tool, why }, say) =>
    `left out: its tool ${JSON.stringify(tool)} cannot be called: ${say(why)}`,
  'handler-missing': ({ allowed }) => `one of ${orList(allowed)} is needed`,
  'handlers-several': ({ keys }) => `${andList(keys)} exclude each other: keep one`,
  'field-without': ({ key, of }) => `"${key}" needs ${orList(of)}`,
  'field-elsewhere': ({ key, event, of }) => `"${key}" belongs to ${of}, not to ${event}`,
  'field-of-event': ({ key, event }) => `"${key}" is missing; ${event} needs it`,
  'one-of': ({ key, allowed }) => `"${key}" must have exactly one of ${orList(allowed)}`,
  'deny-without-block': () =>
    '"on_failure": "deny" is only for a hook that may block: one with "block", or with "block" in "may"',
  'warns-too-late': ({ warn, fire }) =>
    `it would warn at ${warn} percent and fire at ${fire}: "budget.warn" must not be above "budget.fire"`,
  'pattern-unusable': ({ key, text }) => `"${key}" cannot be used as a regular expression: ${text}`,
  'word-with-nul': ({ key }) => `"${key}" must not contain a null character`,
  'version-elsewhere': ({ form, version }) =>
    `"version": ${version} does not apply to ${form}, where only SEP-2282 counts; put the hooks under "hooks"`,
  'command-not-taken': () =>
    'left out: a hook that runs a command is taken only from a manifest whose path you give',
  'command-no-file': ({ word, folder }) =>
    `there is no file ${JSON.stringify(word)} in ${inLine(folder)}, the folder of the manifest`,
  'command-not-executable': ({ word }) =>
    `${JSON.stringify(word)} is not executable: make it so with chmod +x, or name the program that runs it first`,
  'command-unreadable': ({ file, why }, say) => `${inLine(file)} cannot be read: ${say(why)}`,
  'command-too-large': ({ file, bytes, limitBytes }) =>
    `${inLine(file)} has ${mebibytes(bytes)}; a file that a hook runs or reads may have at most ${mebibytes(limitBytes)} (an installed program can be named without its folder)`,
  'cannot-decide': ({ decision, event, events }) =>
    `nothing can be ${decision === 'block' ? 'blocked' : 'changed'} at ${event}; it can at ${events.join(', ')}`,
  'no-output-yet': ({ key, event }) => `"${key}": a call has no output yet at ${event}`,
  'only-failed': ({ event }) => `every call at ${event} has failed: the hook never fires`,
  'manifest-too-large': ({ path, bytes, limitBytes }, say) =>
    `${path} has ${mebibytes(bytes)}; a manifest may have at most ${mebibytes(limitBytes)}.${say.nothing}`,
  'bundle-too-large': ({ path, bytes, limitBytes }, say) =>
    `${path} has ${mebibytes(bytes)}; a bundle may have at most ${mebibytes(limitBytes)}. Unpack it and give the folder.${say.nothing}`,
  'did-you-mean': ({ name }) => `Did you mean ${name}?`,
  'not-utf8': ({ path }, say) => `${path} cannot be read: it is not UTF-8 text.${say.nothing}`,
  'policy-too-deep': () => 'it is nested too deeply for a policy',
  'policy-empty': () => 'the file is empty; a policy is a JSON object, and {} is all defaults',
  'policy-refused': ({ path }, say) =>
    `${path} cannot be used. All hooks stay silent until it is fixed.${say.nothing}`,
} satisfies Words<DeclarationMessage>;
