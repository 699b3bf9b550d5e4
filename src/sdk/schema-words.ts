/** The words for breaches of a declaration's schema. Authors of servers read them, and so do their users. */

import type { SchemaMessage } from '../declaration/messages.ts';
import { meant, type Words, withArticle } from '../system/words.ts';

export const schema = {
  'url-with-user': () =>
    '"url" has a user or password in it; put what authorises you into "headers"',
  'context-and-tool': () => '"context" and "context_tool" exclude each other: keep one',
  'context-or-tool': () =>
    'one of "context" (a text) and "context_tool" (the name of a tool) is needed',
  'args-need-tool': () => '"context_tool_args" needs "context_tool"',
  'too-many-wildcards': ({ limit, key }) => `${named(key)} has more than ${limit} "*"`,
  'matcher-ignored': ({ key = 'matcher', event, toolEvents }) =>
    `${named(key)} is ignored: ${event} is not about a tool call (${toolEvents.join(', ')} are)`,
  'unknown-key': ({ key, allowed, near, addVersion }) =>
    `unknown key ${JSON.stringify(key)}${allowed.length > 0 ? `; allowed: ${allowed.join(', ')}${meant(near)}` : ''}${later(addVersion)}`,
  'value-missing': ({ key, allowed }) => `${named(key)} is missing; allowed: ${allowed.join(', ')}`,
  'value-unknown': ({ key, found, allowed, near, addVersion }) =>
    `${named(key)} is ${found}; allowed: ${allowed.join(', ')}${meant(near)}${later(addVersion)}`,
  'field-missing': ({ key, expected }) => `${named(key)} is missing; it must be ${kind(expected)}`,
  'wrong-type': ({ key, expected, found }) =>
    `${named(key)} must be ${kind(expected)}, not ${kind(found)}`,
  'not-http': ({ key, found }) => `${named(key)} must be an http or https address, not ${found}`,
  'above-maximum': ({ key, maximum }) => `${named(key)} must not be above ${maximum}`,
  'below-minimum': ({ key, minimum }) => `${named(key)} must not be below ${minimum}`,
  'too-many-entries': ({ key, maximum }) => `${named(key)} has more than ${maximum} entries`,
  'not-whole': ({ key, found }) => `${named(key)} must be a whole number, not ${found}`,
  'value-empty': ({ key }) => `${named(key)} must not be empty`,
  'no-label': ({ key }) => `${named(key)} is no label of a server`,
  'not-right': ({ key, text }) => `${named(key)} is not right: ${text}`,
} satisfies Words<SchemaMessage>;

const later = (version: number | undefined): string =>
  version === undefined ? '' : `; add "version": ${version}, which allows it`;

const named = (key: string | undefined): string =>
  key === undefined ? 'this' : JSON.stringify(key);

/** The schema library calls an object with any keys a record. */
const kind = (type: string): string => withArticle(type === 'record' ? 'object' : type);
