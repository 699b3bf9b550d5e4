/** What can be said of declarations, manifests and the policy: codes with their facts. src/cli/messages/declaration.ts has the words. */

import type { Bare, Message, MessagesOf } from '../system/errors.ts';

/** What is wrong with a declaration by its schema. `found`: JSON, cut short. */
export type SchemaMessage =
  | Bare<'url-with-user' | 'context-and-tool' | 'context-or-tool' | 'args-need-tool'>
  | MessagesOf<{
      'too-many-wildcards': { limit: number };
      'matcher-ignored': { event: string; toolEvents: readonly string[] };
      'unknown-key': { key: string; allowed: readonly string[]; near?: string };
      'value-missing': { key?: Key; allowed: readonly string[] };
      'value-unknown': { key?: Key; found: string; allowed: readonly string[]; near?: string };
      'field-missing': { key?: Key; expected: string };
      'wrong-type': { key?: Key; expected: string; found: string };
      'not-http': { key?: Key; found: string };
      'above-maximum': { key?: Key; maximum: number };
      'below-minimum': { key?: Key; minimum: number };
      'value-empty': { key?: Key };
      'no-label': { key?: Key };
      /** `text`: the words of the schema library. */
      'not-right': { key?: Key; text: string };
    }>;

export type DeclarationMessage =
  | SchemaMessage
  | Bare<'manifest-empty' | 'no-declarations' | 'name-no-string' | 'declarations-missing'>
  | Bare<'policy-too-deep' | 'policy-empty'>
  | MessagesOf<{
      'manifest-refused': { path: string };
      'manifest-too-deep': { depth: number };
      'bad-label': { label: string };
      'tool-needs-server': { tool: string };
      'tool-left-out': { tool: string; why: Message };
      'manifest-too-large': TooLarge;
      'bundle-too-large': TooLarge;
      /** `mistake`: the parser's name for it, `InvalidSymbol` for example. */
      'json-mistake': { mistake: string };
      'key-twice': { key: string };
      'problem-in-file': PlaceInFile & { level: 'error' | 'warning'; problem: Message };
      'too-many-declarations': { count: number; limit: number };
      'too-many-characters': { key: string; characters: number; limit: number };
      'manifest-no-object': { found: string };
      'hooks-no-object': { found: string };
      'declarations-no-array': { found: string };
      'did-you-mean': { name: string };
      'not-utf8': { path: string };
      'policy-refused': { path: string };
    }>;

/** A file of more bytes than are read. */
export interface TooLarge {
  path: string;
  bytes: number;
  limitBytes: number;
}

/** Where something is in a file, as far as that can be told. */
export interface PlaceInFile {
  path: string;
  line?: number;
  column?: number;
}

/** Of a value in JSON: the last key or index on the way to it; absent: the document itself. */
type Key = string | number;
