/** What has happened to ours since it was installed. Pure: it compares what the ledger remembers with what is there. */

import { type FileRecord, type Options, valueMark } from '../edit/record.ts';
import { decode } from '../edit/text.ts';
import { eventsOf } from '../edit/value.ts';
import { fingerprint } from '../system/fingerprint.ts';
import type { Install } from './ledger.ts';
import type { Drift, InstallMessage } from './messages.ts';

/** What has happened to ours. */
export const drifted = (drift: readonly Drift[]): InstallMessage =>
  drift.length > 0 ? { code: 'drifted', drift } : { code: 'intact' };

/** The runner's files of a label, compared with what was written. `read` is given their names. */
export function runnerDrift({ runner }: Install, read: (name: string) => Buffer | null): Drift[] {
  return Object.entries(runner).flatMap(([what, written]): Drift[] => {
    const bytes = read(what);
    if (bytes === null) return [{ code: 'runner missing', what }];
    return fingerprint(bytes.toString()) === written ? [] : [{ code: 'runner altered', what }];
  });
}

type Reading = Pick<Options, 'format' | 'dialect' | 'ownerOf'> & {
  /** The label whose runner is named in a group that is not ours. */
  readonly mentions: Options['ownerOf'];
};

/**
 * A label's entries in a file, compared with what was written.
 *
 * @throws Refusal when the file cannot be read.
 */
export function entryDrift(
  bytes: Buffer | null,
  record: FileRecord,
  label: string,
  { format, dialect, ownerOf, mentions }: Reading,
): Drift[] {
  if (bytes === null) return [{ code: 'file missing' }];
  const events = eventsOf(format.read(decode(bytes), dialect));
  const mine = (event: string) =>
    (events.get(event) ?? []).flatMap((group, index) =>
      ownerOf(group) === label ? [{ group, index }] : [],
    );
  return record.owned
    .filter((owned) => owned.label === label)
    .flatMap(({ event: what, index, value }): Drift[] => {
      const [first, second] = mine(what);
      const isAltered = (events.get(what) ?? []).some((group) => mentions(group) === label);
      if (!first) return [{ code: isAltered ? 'entry altered' : 'entry missing', what }];
      return [
        ...(second ? [{ code: 'entry copied', what } as const] : []),
        ...(valueMark(first.group) === value ? [] : [{ code: 'entry edited', what } as const]),
        ...(first.index === index ? [] : [{ code: 'entry moved', what } as const]),
      ];
    });
}
