/** How our files and entries changed since the install. Pure: it compares the ledger with the current files. */

import { join } from 'node:path';
import { bytesOf } from '../clients/config-bytes.ts';
import type { Client, ConfigFile } from '../clients/contract.ts';
import { configPath, fileNamed, type Places, runnerFolder, usualFile } from '../clients/places.ts';
import { findClient } from '../clients/registry.ts';
import { clientOf } from '../compile/runner-files.ts';
import { type Format, type JsonValue, Refusal } from '../edit/edit.ts';
import { FORMATS } from '../edit/formats.ts';
import { type FileRecord, valueMark } from '../edit/record.ts';
import { decode } from '../edit/text.ts';
import { whyKept } from '../edit/tree.ts';
import { eventsOf } from '../edit/value.ts';
import { attempt, type Message, said } from '../system/errors.ts';
import { fingerprint } from '../system/fingerprint.ts';
import { holding } from './client-file.ts';
import { refuseWayOut } from './config-file.ts';
import { filesHolding, type Install, type Ledger } from './ledger.ts';
import type { Drift, InstallMessage } from './messages.ts';
import {
  isKeyOf,
  mentioned,
  ownerIn,
  ownershipHere,
  ownersIn,
  sharedHandlers,
  withWriter,
} from './ownership.ts';

export const drifted = (drift: readonly Drift[]): InstallMessage =>
  drift.length > 0 ? { code: 'drifted', drift } : { code: 'intact' };

/** Compares the runner files of a label with the recorded fingerprints. */
export function runnerDrift({ label, runner }: Install, places: Places, read: Reads): Drift[] {
  const folder = runnerFolder(places, label);
  return Object.entries(runner).flatMap(([what, written]): Drift[] => {
    const bytes = read(join(folder, what));
    if (bytes === null) return [{ code: 'runner-missing', what }];
    return fingerprint(bytes.toString()) === written ? [] : [{ code: 'runner-altered', what }];
  });
}

type Reads = (path: string) => Buffer | null;

/** Compares a label's entries in a file with the record. @throws Refusal when the file cannot be read. */
function entryDrift(
  bytes: Buffer | null,
  record: FileRecord,
  label: string,
  { client, config, places }: { client: Client; config: ConfigFile; places: Places },
): Drift[] {
  const ownerOf = ownersIn(client, config, places);
  const owner = ownerIn(client, label, config);
  const mentions = mentioned(client, places);
  const handlersOf = sharedHandlers(client, places);
  const runs = ownershipHere(client, places);
  if (bytes === null) return [{ code: 'file-missing' }];
  const source = decode(bytes);
  const format: Format = FORMATS[config.format];
  const { dialect, layout, start } = config;
  const events = eventsOf(format.read(source, dialect, layout), layout);
  const mine = (event: string) =>
    (events.get(event) ?? []).flatMap((group, index) =>
      ownerOf(group) === owner ? [{ group, index }] : [],
    );
  // What an older version has left is not edited: an update renews it.
  const isAsLeft = fingerprint(source) === record.after;
  const isEdited =
    !isAsLeft && start !== undefined && (format.renewed?.(source, start) ?? source) !== source;
  const entries = record.owned
    .filter((one) => one.label === owner)
    .flatMap(({ event: what, index, value }): Drift[] => {
      const [first, second] = mine(what);
      if (!first) {
        const groups = events.get(what) ?? [];
        const isOne = (test: (group: JsonValue) => boolean) => groups.some(test);
        const code = isOne((group) => handlersOf(group, label).length > 0)
          ? 'entry-shared'
          : isOne((group) => runs(group) === label)
            ? 'entry-extended'
            : isOne((group) => mentions(group) === label)
              ? 'entry-altered'
              : 'entry-missing';
        return [{ code, what }];
      }
      const spot = { event: what, index: first.index };
      // A file that can be read may still be too large to find places in. In that case nothing inside it is changed, either.
      const more = attempt(() =>
        whyKept(source, spot, { format, layout, isOurKey: isKeyOf(client) }),
      );
      return [
        ...(second ? [{ code: 'entry-copied', what } as const] : []),
        ...(more
          ? [{ code: 'entry-holds-more', what, ...lineOf(more) } as const]
          : valueMark(first.group) === value
            ? []
            : [{ code: 'entry-edited', what } as const]),
        ...(first.index === index ? [] : [{ code: 'entry-moved', what } as const]),
      ];
    });
  return isEdited ? [{ code: 'program-edited' }, ...entries] : entries;
}

const lineOf = ({ line }: Refusal) => ({ ...(line !== undefined && { line }) });

type Others = ReturnType<typeof holding>;

/** Adds entries in other files that the client also reads: it runs all of them. */
function withOthers(own: readonly Drift[], others: Others): Drift[] {
  const missing = own.flatMap(({ code, what }) => (code === 'entry-missing' ? [what] : []));
  const found = others.flatMap(({ config: { name: file }, events }) =>
    events.map((what): Drift => {
      const code = missing.includes(what) ? 'entry-moved' : 'entry-copied';
      return { code, what, file };
    }),
  );
  const isMoved = ({ code, what }: Drift) =>
    code === 'entry-missing' && found.some((one) => one.what === what);
  return [...own.filter((one) => !isMoved(one)), ...found];
}

export interface InstalledClient {
  readonly id: string;
  readonly file: string;
  readonly state: Message;
  readonly drift: readonly Drift[];
  /** The file as it was before our first change; null if it did not exist. */
  readonly backup: string | null;
}

/** The client's file, and how our entries in it changed. */
export function lookAt(
  id: string,
  install: Install,
  places: Places,
  ledger: Ledger,
  { runner, read }: { readonly runner: readonly Drift[]; readonly read: Reads },
): InstalledClient {
  const { label } = install;
  const client = findClient(id);
  const unknown = said<InstallMessage>({ code: 'unknown-here' });
  if (!client) return { id, file: '', state: unknown, drift: [], backup: null };
  // The file that was written. In a changed environment, the client may read another one now.
  const usual = usualFile(client, label, places);
  const files = filesHolding(ledger, id, install, label);
  const [file, known] = files[0] ?? [configPath(client, usual, places)];
  const drift = runner.filter(({ what = '' }) => [undefined, id].includes(clientOf(what)));
  const backup = known?.backup ?? null;
  const seen = (more: readonly Drift[], why?: Message): InstalledClient => {
    const all = [...drift, ...more];
    return { id, file, state: why ?? drifted(all), drift: all, backup };
  };
  if (known?.next !== undefined) return seen([{ code: 'run-interrupted' }]);
  // Nothing was written, because the client supports none of the hooks.
  if (!known?.record) return seen([]);
  try {
    const own = files.flatMap(([path, { file: name, record, client: writer }]) => {
      const config = fileNamed(client, name, label, places) ?? usual;
      if (path === configPath(client, config, places)) refuseWayOut(client, config, places);
      if (!record) return [];
      const named = withWriter(record, writer, config);
      return entryDrift(bytesOf(path, read), named, label, { client, config, places });
    });
    const paths = files.map(([path]) => path);
    return seen(withOthers(own, holding(client, label, { places, disk: { read } }, paths)));
  } catch (error) {
    if (error instanceof Refusal) return seen([{ code: 'file-refused' }], error.problem);
    throw error;
  }
}
