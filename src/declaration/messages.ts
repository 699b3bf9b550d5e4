/** Messages about declarations, manifests and the policy: codes with their facts. src/cli/messages/declaration.ts has the words. */

import type { Message, Said } from '../system/errors.ts';

/**
 * Breaches of a declaration's schema. `key`: the field, seen from the hook (`matcher.exclude.tools[0]`); absent: the value
 * itself. `found`: JSON, cut short.
 */
export type SchemaMessage =
  | Said<'url-with-user' | 'context-and-tool' | 'context-or-tool' | 'args-need-tool'>
  | Said<'too-many-wildcards', { limit: number; key: string }>
  | Said<'matcher-ignored', { key?: string; event: string; toolEvents: readonly string[] }>
  /** `addVersion`: a manifest of this version may say it. */
  | Said<
      'unknown-key',
      { key: string; allowed: readonly string[]; near?: string; addVersion?: number }
    >
  | Said<'value-missing', { key?: string; allowed: readonly string[] }>
  | Said<
      'value-unknown',
      {
        key?: string;
        found: string;
        allowed: readonly string[];
        near?: string;
        addVersion?: number;
      }
    >
  | Said<'field-missing', { key?: string; expected: string }>
  | Said<'wrong-type', { key?: string; expected: string; found: string }>
  | Said<'not-http', { key?: string; found: string }>
  | Said<'above-maximum', { key?: string; maximum: number }>
  | Said<'below-minimum', { key?: string; minimum: number }>
  | Said<'too-many-entries', { key?: string; maximum: number }>
  | Said<'not-whole', { key?: string; found: string }>
  | Said<'value-empty' | 'no-label', { key?: string }>
  /** `text`: the words of the schema library. */
  | Said<'not-right', { key?: string; text: string }>;

/** The same for what only a manifest of version 2 has. */
export type ExtendedMessage =
  | Said<'handler-missing', { allowed: readonly string[] }>
  | Said<'handlers-several', { keys: readonly string[] }>
  /** `of`: the fields of which the hook needs one. */
  | Said<'field-without', { key: string; of: readonly string[] }>
  | Said<'field-elsewhere', { key: string; event: string; of: string }>
  | Said<'field-of-event', { key: string; event: string }>
  | Said<'one-of', { key: string; allowed: readonly string[] }>
  | Said<'deny-without-block'>
  | Said<'warns-too-late', { key: string; warn: number; fire: number }>
  /** `text`: the engine's own words, where it has any. */
  | Said<'pattern-unusable', { key: string; text: string }>
  | Said<'word-with-nul', { key: string }>
  | Said<'version-elsewhere', { form: string; version: number }>
  | Said<'command-not-taken'>
  | Said<'command-no-file' | 'command-not-executable', { word: string; folder: string }>
  | Said<'command-unreadable', { file: string; why: Message }>
  | Said<'command-too-large', { file: string; bytes: number; limitBytes: number }>
  // Things that were hardly meant.
  | Said<'cannot-decide', { decision: string; event: string; events: readonly string[] }>
  | Said<'no-output-yet', { key: string; event: string }>
  | Said<'only-failed', { event: string }>;

export type DeclarationMessage =
  | SchemaMessage
  | ExtendedMessage
  | Said<'manifest-empty' | 'no-declarations' | 'name-no-string' | 'declarations-missing'>
  | Said<'policy-too-deep' | 'policy-empty'>
  | Said<'manifest-refused' | 'not-utf8' | 'policy-refused', { path: string }>
  | Said<'manifest-too-deep', { depth: number }>
  | Said<'bad-label', { label: string }>
  | Said<'tool-needs-server', { tool: string }>
  | Said<'tool-left-out', { tool: string; why: Message }>
  | Said<'manifest-too-large' | 'bundle-too-large', TooLarge>
  /** `mistake`: the parser's name for it, `InvalidSymbol` for example. */
  | Said<'json-mistake', { mistake: string }>
  | Said<'key-twice', { key: string }>
  /** `hook`: its number, where neither the place nor the problem says which one is meant. */
  | Said<
      'problem-in-file',
      PlaceInFile & { level: 'error' | 'warning' | 'note'; problem: Message; hook?: number }
    >
  | Said<'too-many-declarations', { count: number; limit: number }>
  | Said<'too-many-characters', { key: string; characters: number; limit: number }>
  | Said<'manifest-no-object' | 'hooks-no-object' | 'declarations-no-array', { found: string }>
  | Said<'did-you-mean', { name: string }>;

/** A file with more bytes than we read. */
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
