/** Messages about what is written, and why it is refused: codes with their facts. src/cli/messages/install.ts has the words. */

import type { PlaceInFile } from '../declaration/messages.ts';
import type { Message, Said } from '../system/errors.ts';

/** One difference; `what` is an entry's native event or the name of a runner's file. */
export interface Drift {
  readonly code:
    | 'runner missing'
    | 'runner altered'
    | 'run interrupted'
    | 'not recorded'
    | 'file missing'
    | 'file refused'
    | 'entry missing'
    | 'entry edited'
    /** Somebody's keys or comments are in it. It stays as it is until they are taken out. */
    | 'entry holds more'
    /** Somebody's hook is in its group. */
    | 'entry shared'
    | 'entry altered'
    | 'entry extended'
    | 'entry moved'
    | 'entry copied';
  readonly what?: string;
  /** Where the first of somebody's keys or comments is, in the file. */
  readonly line?: number;
  /** The client's name for the other file with the entry; absent: it is the file that we wrote to. */
  readonly file?: string;
}

export type InstallMessage =
  | Said<'intact' | 'unknown-here'>
  | Said<'drifted', { drift: readonly Drift[] }>
  | Said<'in-file', PlaceInFile & { problem: Message }>
  | Said<'file-refused', PlaceInFile & { why: Message }>
  | Said<'mend-or-leave-out', { client: string }>
  | Said<'own-link' | 'ledger-newer', { path: string }>
  | Said<'unknown-grant', { grant: string; known: readonly string[] }>
  | Said<'not-writable', { path: string; why: Message }>
  | Said<'not-put-back', { paths: readonly string[] }>
  | Said<'leads-out', { link: string; target: string }>
  | Said<'none-has-local', { clients: readonly string[] }>
  | Said<'two-names', { other: string }>
  /** There is a link in a build's folder. */
  | Said<'build-link', { path: string }>
  | Said<'build-foreign', { out: string; paths: readonly string[] }>
  | Said<'remove-by-hand', { folder: string }>;
