/** Messages about the engine and the conformance suite: codes with their facts. src/cli/messages/engine.ts has the words. */

import type { Said, SystemReason } from '../../system/errors.ts';

export type EngineMessage =
  | Said<'engine-closed' | 'nothing-to-evaluate'>
  | Said<'engine-event-unknown', { event: string; allowed: readonly string[] }>
  | Said<'grant-unknown', { grant: string; allowed: readonly string[] }>
  | Said<'envelope-without', { key: string }>
  | Said<'case-action' | 'case-reason', { expected: string; found: string }>
  | Said<'case-text-missing' | 'case-text-unwanted', { text: string }>
  | Said<'case-value', { key: string; expected: string; found: string }>
  | Said<'case-no-envelope', { found: string }>
  | Said<'case-exit', { exitCode: number; text: string }>
  | Said<'case-too-long', { seconds: number }>
  | Said<'implementation-not-started', { command: string; why: SystemReason }>
  | Said<'topic-unknown', { topic: string; allowed: readonly string[] }>;
