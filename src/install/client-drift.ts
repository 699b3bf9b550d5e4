/** What is installed in a client, and what has happened to it since: for all who tell of it. */

import { configPath, fileNamed, type Places, usualFile } from '../clients/places.ts';
import { findClient } from '../clients/registry.ts';
import { clientOf } from '../compile/runner-files.ts';
import { Refusal } from '../edit/edit.ts';
import { FORMATS } from '../edit/formats.ts';
import { type Message, said } from '../system/errors.ts';
import { refuseWayOut } from './config-file.ts';
import { drifted, entryDrift } from './drift.ts';
import { filesHolding, type Install, type Ledger } from './ledger.ts';
import type { Drift, InstallMessage } from './messages.ts';
import { mentioned, ownership } from './ownership.ts';

export interface InstalledClient {
  readonly id: string;
  readonly file: string;
  /** `drift` in words. */
  readonly state: Message;
  readonly drift: readonly Drift[];
  /** The file as it was before us; null: it was not there. */
  readonly backup: string | null;
}

interface Given {
  /** What has happened to the label's runner. */
  readonly runner: readonly Drift[];
  readonly read: (path: string) => Buffer | null;
}

/** The client's file, and what has happened to our entries in it. */
export function lookAt(
  id: string,
  install: Install,
  places: Places,
  ledger: Ledger,
  { runner, read }: Given,
): InstalledClient {
  const { label } = install;
  const client = findClient(id);
  if (!client)
    return {
      id,
      file: '',
      state: said<InstallMessage>({ code: 'unknown-here' }),
      drift: [],
      backup: null,
    };
  // Where it was put, which is not where the client looks today when the environment has changed.
  const usual = usualFile(client, label, places);
  const [file, known] = filesHolding(ledger, id, install, label)[0] ?? [
    configPath(client, usual, places),
  ];
  const config = fileNamed(client, known?.file, label, places) ?? usual;
  const drift = runner.filter(({ what = '' }) => [undefined, id].includes(clientOf(what)));
  const backup = known?.backup ?? null;
  const seen = (more: readonly Drift[], why?: Message): InstalledClient => {
    const all = [...drift, ...more];
    return { id, file, state: why ?? drifted(all), drift: all, backup };
  };
  if (known?.next !== undefined) return seen([{ code: 'run interrupted' }]);
  // Nothing was put into it, because the client can do none of the hooks.
  if (!known?.record) return seen([]);
  try {
    if (file === configPath(client, config, places)) refuseWayOut(client, config, places);
    return seen(
      entryDrift(read(file), known.record, label, {
        format: FORMATS[config.format],
        dialect: config.dialect,
        ownerOf: ownership(client, places),
        mentions: mentioned(client, places),
      }),
    );
  } catch (error) {
    if (error instanceof Refusal) return seen([{ code: 'file refused' }], error.problem);
    throw error;
  }
}
