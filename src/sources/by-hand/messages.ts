/** Messages about files with hand-written hooks. */

import type { Message } from '../../system/errors.ts';
import { inLine } from '../../system/visible.ts';
import { type MessageOf, mebibytes, placeIn, type Say } from '../../system/words.ts';

type Names = readonly string[];

export const handFile = {
  'hand-linked-out': 'a symbolic link points outside the project',
  'hand-not-there': 'no such file',
  'hand-no-client': 'unknown client: name it with --client, or check the names of the events',
  'hand-large': ({ bytes, limitBytes }: Record<'bytes' | 'limitBytes', number>) =>
    `it is ${mebibytes(bytes)} large, and at most ${mebibytes(limitBytes)} are read`,
  'hand-no-hooks': 'no hooks in it',
  'hand-file': (
    { path, line, column, why }: { path: string; line?: number; column?: number; why: Message },
    say: Say,
  ) => `${placeIn(inLine(path, 500), line, column)}: ${say(why)}`,
  'hand-nowhere': ({ clients, unread }: Record<'clients' | 'unread', Names>) =>
    clients.length + unread.length === 0
      ? 'No client was found here, so no file was read. To read a file: mcp-hooks import <file>'
      : [
          ...(clients.length > 0
            ? [`No hooks were found in the files of ${clients.join(', ')}.`]
            : []),
          ...(unread.length > 0
            ? [`Hooks of ${unread.join(', ')} are programs, which mcp-hooks does not read.`]
            : []),
          'To read another file: mcp-hooks import <file>',
        ].join(' '),
  'hand-out-there': ({ path }: { path: string }, say: Say) =>
    `${inLine(path, 500)} already exists: --force overwrites it.${say.nothing}`,
  'hand-force-needs-out': '--force is for --out <file>.',
} as const;

export type HandFileMessage = MessageOf<typeof handFile>;
