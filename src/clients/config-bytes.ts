import { Refusal } from '../edit/edit.ts';
import { Unreadable } from '../system/files.ts';
import type { SystemMessage } from '../system/messages.ts';

/**
 * The bytes of a client's file; null: there is none. A file that cannot be read is refused like one that cannot be parsed, so
 * that all others are still shown.
 * @throws Refusal
 */
export function bytesOf(path: string, read: (path: string) => Buffer | null): Buffer | null {
  try {
    return read(path);
  } catch (error) {
    throw error instanceof Unreadable ? new Refusal<SystemMessage>(error.why) : error;
  }
}
