/** The ledger: what is installed, and what of each config file is ours. One JSON file in the state folder. */

import { join } from 'node:path';
import * as z from 'zod/mini';
import type { FileRecord } from './edit/arrange.ts';
import { UserError } from './errors.ts';
import { messages } from './messages.ts';

/** One label in one scope. */
export interface Install {
  readonly label: string;
  /** Absolute path of the project; null in user scope. */
  readonly project: string | null;
  /** Ids. */
  readonly clients: readonly string[];
  /** Where the declaration came from, in words. */
  readonly source: string;
  /** The declared events, in order, once each. */
  readonly events: readonly string[];
  /** What `--act-now` and `--no-extra-turns` were. */
  readonly actNow: boolean;
  readonly extraTurns: boolean;
}

/** One config file that holds something of ours. */
export interface LedgerFile {
  readonly client: string;
  readonly project: string | null;
  readonly record: FileRecord;
  /** Folders that we made for it, outermost first. */
  readonly madeFolders: readonly string[];
}

export interface Ledger {
  readonly version: 1;
  /** Folders that we made for the state folder and it itself, outermost first. */
  readonly madeFolders: readonly string[];
  readonly installs: readonly Install[];
  /** By absolute path. */
  readonly files: Readonly<Record<string, LedgerFile>>;
}

export const EMPTY: Ledger = { version: 1, madeFolders: [], installs: [], files: {} };

/** Made only when there is a ledger to check. */
function makeShape(): z.ZodMiniType<Ledger> {
  const text = z.string();
  const owner = z.nullable(text);
  const span = z.object({ offset: z.number(), text, gap: z.optional(text) });
  return z.object({
    version: z.literal(1),
    madeFolders: z.array(text),
    installs: z.array(
      z.object({
        label: text,
        project: owner,
        clients: z.array(text),
        source: text,
        events: z.array(text),
        actNow: z.boolean(),
        extraTurns: z.boolean(),
      }),
    ),
    files: z.record(
      text,
      z.object({
        client: text,
        project: owner,
        madeFolders: z.array(text),
        record: z.object({
          existed: z.boolean(),
          after: text,
          inserted: z.nullable(z.array(span)),
          owned: z.array(z.object({ label: owner, event: text, index: z.number() })),
          created: z.object({ hooks: z.boolean(), events: z.array(text) }),
        }),
      }),
    ),
  });
}

export const ledgerPath = (state: string): string => join(state, 'ledger.json');

/** Reads the ledger; an empty one when there is none. */
export function readLedger(
  state: string,
  read: (path: string) => Buffer | null,
): { ledger: Ledger; bytes: Buffer | null } {
  const path = ledgerPath(state);
  const bytes = read(path);
  if (bytes === null) return { ledger: EMPTY, bytes };
  try {
    const value: unknown = JSON.parse(bytes.toString());
    // The value itself and not zod's copy: written again it gives the same bytes.
    if (makeShape().safeParse(value).success) return { ledger: value as Ledger, bytes };
  } catch {}
  throw new UserError(messages.ledgerBroken(path));
}

/** The ledger as bytes; null when nothing is left to remember. */
export const writeLedger = (ledger: Ledger): Buffer | null =>
  ledger.installs.length === 0 && Object.keys(ledger.files).length === 0
    ? null
    : Buffer.from(`${JSON.stringify(ledger, null, 2)}\n`);

/** The config files of a client in which a label has entries, by path. */
export const filesHolding = (
  { files }: Ledger,
  client: string,
  project: string | null,
  label: string,
): [path: string, file: LedgerFile][] =>
  Object.entries(files).filter(
    ([, file]) =>
      file.client === client &&
      file.project === project &&
      file.record.owned.some((owned) => owned.label === label),
  );

export const isInstall =
  (label: string, project: string | null) =>
  (install: Install): boolean =>
    install.label === label && install.project === project;
