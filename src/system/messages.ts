/** Messages about files, folders and locks. */

import type { Quote, SystemReason } from './errors.ts';
import type { MessageOf, Say } from './words.ts';

/** Why the system refuses an operation, by error code. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EBUSY: 'another program may have it open',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EFBIG: 'it is larger than 256 MB',
  ELOOP: 'its links go in a circle',
};

export const system = {
  quote: ({ text }: Quote) => text,

  'system-reason': ({ errno, text }: SystemReason) =>
    errno === undefined ? text : (REASONS[errno] ?? errno),
  'cannot-use': ({ path, why }: { path: string; why: SystemReason }, say: Say) =>
    `${path} cannot be used: ${say(why)}. The file was not changed.`,
  'no-folder': 'it is not a folder',
  'no-plain-file': 'it is not a file',
  'dangling-link': 'it is a link to a file that is not there',
  'link-to-nothing': '{path} is a link to a file that is not there.{nothing}',
  'not-a-file': '{path} is not a file.{nothing}',
  'cannot-read': ({ path, why }: { path: string; why: SystemReason }, say: Say) =>
    `${path} cannot be read: ${say(why)}.${say.nothing}`,
  'changed-meanwhile': ({ path }: { path: string }, say: Say) =>
    `${path} was changed in the meantime. The file was not changed: ${say.hint('run the same command again') || 'make a new plan'}.`,
  'cannot-write': ({ path, why }: { path: string; why: SystemReason }, say: Say) =>
    `${path} cannot be written: ${say(why)}. The file was not changed.`,
  'no-regular-file': 'it is not a regular file',
  'owned-by-another': 'it belongs to another user ({uid})',
  'read-only': 'it is read-only (chmod u+w makes it writable)',
  'folder-read-only': 'the folder {folder} is read-only (chmod u+w makes it writable)',
  'folder-not-writable': 'you may not write in the folder {folder}',
  'hard-link': 'it has a second name (a hard link), which would keep the old text',
  'not-our-lock': '{path} is not an mcp-hooks lock: move it.{nothing}',
  locked: 'Another mcp-hooks (process {pid}) is running and holds {path}.{nothing}',
} as const;

export type SystemMessage = MessageOf<typeof system>;
