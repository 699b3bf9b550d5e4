/** Violations of a declaration's schema. These sentences are read by authors of servers and by users. */

import { type MessageOf, meant, withArticle } from '../system/words.ts';

type Names = readonly string[];

/**
 * Violations of a declaration's schema. `key`: the field, relative to the hook (`matcher.exclude.tools[0]`); absent: the value
 * itself. `found`: JSON, shortened.
 */
export const schema = {
  'url-with-user':
    '"url" contains a user name or a password; put what authorises you into "headers"',
  'context-and-tool': '"context" and "context_tool" exclude each other: keep one',
  'context-or-tool': 'one of "context" (a text) and "context_tool" (the name of a tool) is needed',
  'args-need-tool': '"context_tool_args" needs "context_tool"',
  'too-many-wildcards': ({ limit, key }: { limit: number; key: string }) =>
    `${named(key)} has more than ${limit} "*"`,
  /** `instead`: the field that applies to this event. */
  'matcher-ignored': ({
    key = 'matcher',
    event,
    toolEvents,
    instead,
  }: {
    key?: string;
    event: string;
    toolEvents: Names;
    instead?: string;
  }) =>
    `${named(key)} is ignored: ${event} is not about a tool call (${toolEvents.join(', ')} are)${instead === undefined ? '' : `; use ${named(instead)}`}`,
  /** `addVersion`: a manifest of this version may have the key. */
  'unknown-key': ({
    key,
    allowed,
    near,
    addVersion,
  }: {
    key: string;
    allowed: Names;
    near?: string;
    addVersion?: number;
  }) =>
    `unknown key ${JSON.stringify(key)}${allowed.length > 0 ? `; allowed: ${allowed.join(', ')}${meant(near)}` : ''}${later(addVersion)}`,
  'value-missing': ({ key, allowed }: { key?: string; allowed: Names }) =>
    `${named(key)} is missing; allowed: ${allowed.join(', ')}`,
  'value-unknown': ({
    key,
    found,
    allowed,
    near,
    addVersion,
  }: {
    key?: string;
    found: string;
    allowed: Names;
    near?: string;
    addVersion?: number;
  }) =>
    `${named(key)} is ${found}; allowed: ${allowed.join(', ')}${meant(near)}${later(addVersion)}`,
  'field-missing': ({ key, expected }: { key?: string; expected: string }) =>
    `${named(key)} is missing; it must be ${kind(expected)}`,
  'wrong-type': ({
    key,
    expected,
    found,
  }: Record<'expected' | 'found', string> & { key?: string }) =>
    `${named(key)} must be ${kind(expected)}, not ${kind(found)}`,
  'not-http': ({ key, found }: { key?: string; found: string }) =>
    `${named(key)} must be an http or https address, not ${found}`,
  'above-maximum': ({ key, maximum }: { key?: string; maximum: number }) =>
    `${named(key)} must not be above ${maximum}`,
  'below-minimum': ({ key, minimum }: { key?: string; minimum: number }) =>
    `${named(key)} must not be below ${minimum}`,
  'too-many-entries': ({ key, maximum }: { key?: string; maximum: number }) =>
    `${named(key)} has more than ${maximum} entries`,
  'not-whole': ({ key, found }: { key?: string; found: string }) =>
    `${named(key)} must be a whole number, not ${found}`,
  'value-empty': ({ key }: { key?: string }) => `${named(key)} must not be empty`,
  'no-label': ({ key }: { key?: string }) => `${named(key)} cannot be the label of a server`,
  /** `text`: the schema library's own words. */
  'not-right': ({ key, text }: { key?: string; text: string }) =>
    `${named(key)} is not right: ${text}`,
} as const;

export type SchemaMessage = MessageOf<typeof schema>;

const later = (version: number | undefined): string =>
  version === undefined ? '' : `; add "version": ${version}, which allows it`;

const named = (key: string | undefined): string =>
  key === undefined ? 'this' : JSON.stringify(key);

/** The schema library calls an object with any keys a record. */
const kind = (type: string): string => withArticle(type === 'record' ? 'object' : type);
