/** Messages about a hook that was written by hand: codes with their facts. src/cli/messages/import.ts has the words. */

import type { Message, Said } from '../../system/errors.ts';

/** Why nothing is declared for it. */
export type LeftOut =
  | Said<'hand-ours', { label: string }>
  | Said<'hand-no-event', { native: string; client: string; near?: string }>
  | Said<'hand-no-moment', { native: string; client: string }>
  | Said<'hand-no-hook'>
  | Said<'hand-too-many', { limit: number; bytes: number }>
  | Said<'hand-asks-model' | 'hand-unknown-kind', { kind: string }>
  | Said<'hand-sends'>
  | Said<'hand-condition', { condition: string }>
  | Said<'hand-sources', { native: string; sources: readonly string[] }>
  | Said<'hand-subagents', { matcher: string }>
  | Said<'hand-matcher' | 'hand-no-tool', { matcher: string; client: string }>
  | Said<'hand-other-shell' | 'hand-no-command'>
  | Said<'hand-needs-shell', { part: string }>
  | Said<'hand-moving', { word: string }>
  | Said<'hand-variable', { reference: string }>
  | Said<'hand-outside' | 'hand-no-file' | 'hand-large-file' | 'hand-no-text', { word: string }>
  | Said<'hand-silent' | 'hand-for-user' | 'hand-approves' | 'hand-several-answers'>
  | Said<'hand-unread', { native: string; client: string }>
  | Said<'hand-no-block', { event: string }>
  | Said<'hand-variables', { names: readonly string[] }>
  | Said<'hand-elsewhere', { folder: string }>
  | Said<'hand-secret'>
  | Said<'hand-tool-unknown' | 'hand-tool-values' | 'hand-tool-other', { server: string }>
  | Said<'hand-tool-input', { reference: string }>
  | Said<'hand-refused', { problem: Message }>;

/** How the declared hook differs from it. */
export type Difference =
  | Said<'hand-newly-read', { native: string; client: string }>
  | Said<'hand-moved', { native: string; now: readonly string[]; client: string; when: string }>
  | Said<'hand-more-sources', { sources: readonly string[] }>
  | Said<'hand-names-dropped', { names: readonly string[]; client: string }>
  | Said<'hand-shorter', { seconds: number }>
  | Said<'hand-waits'>
  | Said<'hand-looser', { text: string }>
  | Said<'hand-copied', { file: string }>
  | Said<'hand-filled-in', { name: string }>
  | Said<'hand-keys', { keys: readonly string[] }>
  | Said<'hand-ignored-there', { problem: Message }>
  | Said<'hand-doubtful', { problem: Message }>;

export type HandMessage = LeftOut | Difference;
