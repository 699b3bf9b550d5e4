/** The words for src/declaration/messages.ts. */

import type { DeclarationMessage } from '../../declaration/messages.ts';
import { schema } from '../../sdk/schema-words.ts';
import { type Words, withArticle } from '../../system/words.ts';
import { mistakeInJson } from './edit.ts';
import { mebibytes, placeIn } from './words.ts';

export const declaration = {
  ...schema,
  'json-mistake': ({ mistake }) => `not JSON: ${mistakeInJson(mistake)}`,
  'key-twice': ({ key }) => `the key ${JSON.stringify(key)} is here twice`,
  'problem-in-file': ({ path, line, column, level, problem }, say) =>
    `${placeIn(path, line, column)}: ${level}: ${say(problem)}`,
  'too-many-declarations': ({ count, limit }) =>
    `${count} declarations; at most ${limit} are allowed`,
  'too-many-characters': ({ key, characters, limit }) =>
    `"${key}" has ${characters} characters; at most ${limit} are allowed`,
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
  'manifest-too-large': ({ path, bytes, limitBytes }, say) =>
    `${path} is ${mebibytes(bytes)} large; a manifest is at most ${mebibytes(limitBytes)}.${say.nothing}`,
  'bundle-too-large': ({ path, bytes, limitBytes }, say) =>
    `${path} is ${mebibytes(bytes)} large; a bundle of at most ${mebibytes(limitBytes)} is read: unpack it and give the folder.${say.nothing}`,
  'did-you-mean': ({ name }) => `Did you mean ${name}?`,
  'not-utf8': ({ path }, say) => `${path} cannot be read: it is not UTF-8 text.${say.nothing}`,
  'policy-too-deep': () => 'it is nested too deeply for a policy',
  'policy-empty': () =>
    'the file is empty; a policy is a JSON object, {} for all that is by default',
  'policy-refused': ({ path }, say) =>
    `${path} cannot be used. All hooks stay silent until it is fixed.${say.nothing}`,
} satisfies Words<DeclarationMessage>;
