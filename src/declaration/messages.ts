/** What can be said of declarations, manifests and the policy: codes with their facts. src/cli/messages/declaration.ts has the words. */

import type { Message } from '../system/errors.ts';

/** What is wrong with a declaration by its schema. */
export type SchemaMessage =
  | { readonly code: 'url-with-user' }
  | { readonly code: 'context-and-tool' }
  | { readonly code: 'context-or-tool' }
  | { readonly code: 'args-need-tool' }
  | { readonly code: 'too-many-wildcards'; readonly limit: number }
  | {
      readonly code: 'matcher-ignored';
      readonly event: string;
      readonly toolEvents: readonly string[];
    }
  | {
      readonly code: 'unknown-key';
      readonly key: string;
      readonly allowed: readonly string[];
      readonly near?: string;
    }
  | { readonly code: 'value-missing'; readonly key?: Key; readonly allowed: readonly string[] }
  /** `found`: JSON, cut short. */
  | {
      readonly code: 'value-unknown';
      readonly key?: Key;
      readonly found: string;
      readonly allowed: readonly string[];
      readonly near?: string;
    }
  | { readonly code: 'field-missing'; readonly key?: Key; readonly expected: string }
  | {
      readonly code: 'wrong-type';
      readonly key?: Key;
      readonly expected: string;
      readonly found: string;
    }
  /** `found`: JSON, cut short. */
  | { readonly code: 'not-http'; readonly key?: Key; readonly found: string }
  | { readonly code: 'above-maximum'; readonly key?: Key; readonly maximum: number }
  | { readonly code: 'below-minimum'; readonly key?: Key; readonly minimum: number }
  | { readonly code: 'value-empty'; readonly key?: Key }
  | { readonly code: 'no-label'; readonly key?: Key }
  /** `text`: the words of the schema library. */
  | { readonly code: 'not-right'; readonly key?: Key; readonly text: string };

export type DeclarationMessage =
  | SchemaMessage
  | { readonly code: 'manifest-refused'; readonly path: string }
  | { readonly code: 'manifest-too-deep'; readonly depth: number }
  | { readonly code: 'manifest-empty' }
  | { readonly code: 'bad-label'; readonly label: string }
  | { readonly code: 'no-declarations' }
  | { readonly code: 'tool-needs-server'; readonly tool: string }
  | { readonly code: 'tool-left-out'; readonly tool: string; readonly why: Message }
  | TooLarge
  /** `mistake`: the parser's name for it, `InvalidSymbol` for example. */
  | { readonly code: 'json-mistake'; readonly mistake: string }
  | { readonly code: 'key-twice'; readonly key: string }
  | {
      readonly code: 'problem-in-file';
      readonly path: string;
      readonly line?: number;
      readonly column?: number;
      readonly level: 'error' | 'warning';
      readonly problem: Message;
    }
  | { readonly code: 'too-many-declarations'; readonly count: number; readonly limit: number }
  | {
      readonly code: 'too-many-characters';
      readonly key: string;
      readonly characters: number;
      readonly limit: number;
    }
  | { readonly code: 'manifest-no-object'; readonly found: string }
  | { readonly code: 'name-no-string' }
  | { readonly code: 'hooks-no-object'; readonly found: string }
  | { readonly code: 'declarations-no-array'; readonly found: string }
  | { readonly code: 'declarations-missing' }
  | { readonly code: 'did-you-mean'; readonly name: string }
  | { readonly code: 'not-utf8'; readonly path: string }
  | { readonly code: 'policy-too-deep' }
  | { readonly code: 'policy-empty' }
  | { readonly code: 'policy-refused'; readonly path: string };

/** A file of more bytes than are read. */
export interface TooLarge {
  readonly code: 'manifest-too-large' | 'bundle-too-large';
  readonly path: string;
  readonly bytes: number;
  readonly limitBytes: number;
}

/** Of a value in JSON: the last key or index on the way to it; absent: the document itself. */
type Key = string | number;
