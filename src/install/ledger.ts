/** The ledger: what is installed, and what of each config file is ours. One JSON file in the state folder. */

import { dirname, join, resolve, sep } from 'node:path';
import * as z from 'zod/mini';
import { LABEL } from '../declaration/declaration.ts';
import type { Source } from '../declaration/declared.ts';
import { GRANTS } from '../declaration/grants.ts';
import type { FileRecord } from '../edit/reconcile.ts';
import { UserError } from '../system/errors.ts';
import { fingerprint } from '../system/fingerprint.ts';
import type { GrantRecord } from './consent/grants.ts';
import type { InstallMessage } from './messages.ts';
import { isSameSite, type Site } from './site.ts';

/** One label in one scope. */
export interface Install extends Site {
  readonly label: string;
  readonly clients: readonly string[];
  readonly source: string;
  /** The same, so that it can be read again; absent where it would hold a secret. */
  readonly origin?: Source;
  /** What tells it from other sources, where `origin` may not be kept; from `sourceDigest`. */
  readonly sourceMark?: string;
  /** What `policy.json` allows the label was written for another source. */
  readonly foreignPolicy?: true;
  /** The declared events, in order, once each. */
  readonly events: readonly string[];
  readonly actNow: boolean;
  readonly extraTurns: boolean;
  /** Where a hook says `{server}`: what each client called the server, and a hash of how it starts it, by which it is known when it is renamed. */
  readonly servers?: Readonly<Record<string, { readonly name: string; readonly seen?: string }>>;
  /** What the user has granted, and to which declaration; absent: nothing. */
  readonly grants?: GrantRecord;
  /** Fingerprints of the runner's files, by name. */
  readonly runner: Readonly<Record<string, string>>;
}

/** One config file that holds something of ours, or is about to. */
export interface LedgerFile extends Site {
  readonly client: string;
  /** The client's name for it; the path has another when it is reached by a link. */
  readonly file: string;
  /** What we left in it; null: nothing yet. */
  readonly record: FileRecord | null;
  /** What the run that is under way, or was killed, leaves in it; null: nothing. Absent when no run is. */
  readonly next?: FileRecord | null;
  /** Fingerprint of the text that this run has found; null: there was no file. */
  readonly found?: string | null;
  /** Folders that we made for it, outermost first. */
  readonly madeFolders: readonly string[];
  /** Absolute path of the file as it was before us; null: it was not there. */
  readonly backup: string | null;
}

export interface Ledger {
  readonly version: 1;
  /** Folders that we made on the way to the state folder, and it itself if it has a name of its own; outermost first. */
  readonly madeFolders: readonly string[];
  readonly installs: readonly Install[];
  readonly files: Readonly<Record<string, LedgerFile>>;
  /** By label: the source that is gone, for which `policy.json` allows the label something. */
  readonly formerly?: Formerly;
}

export type Formerly = Readonly<
  Record<string, { readonly mark: string | null; readonly source: string }>
>;

const EMPTY: Ledger = { version: 1, madeFolders: [], installs: [], files: {} };

/** Made only when there is a ledger to check. */
function makeShape(): z.ZodMiniType<Ledger> {
  const text = z.string();
  // These become part of paths: what leads elsewhere was not written by us.
  const label = text.check(z.regex(LABEL));
  const word = text.check(z.regex(/^[\w-]+$/));
  const file = text.check(z.regex(CONFIG_FILE));
  const path = text.check(z.refine((path) => resolve(path) === path));
  const pathOrNull = z.nullable(path);
  const local = z.optional(z.literal(true));
  const span = z.object({ offset: z.number(), text, gap: z.optional(text) });
  const texts = z.array(text);
  const orNot = z.optional(text);
  const headers = z.optional(z.record(text, z.nullable(text)));
  const kind = <K extends Source['kind']>(name: K) => z.literal(name);
  const server = z.discriminatedUnion('kind', [
    z.object({ kind: kind('manifest'), path: text }),
    z.object({ kind: kind('command'), command: text, args: texts, cwd: orNot }),
    z.object({ kind: kind('url'), url: text, headers }),
    z.object({ kind: kind('npm'), spec: text }),
    z.object({
      kind: kind('configured'),
      client: text,
      name: text,
      file: text,
      path: texts,
      tokens: orNot,
    }),
  ]);
  const origin = z.union([server, z.object({ kind: kind('catalogue'), name: word, of: server })]);
  const record = z.object({
    existed: z.boolean(),
    after: text,
    inserted: z.nullable(z.array(span)),
    owned: z.array(
      z.object({ label: z.nullable(label), event: text, index: z.number(), value: text }),
    ),
    created: z.object({ hooks: z.boolean(), events: z.array(text) }),
  });
  return z.object({
    version: z.literal(1),
    madeFolders: z.array(path),
    installs: z.array(
      z.object({
        label,
        project: pathOrNull,
        local,
        clients: z.array(word),
        source: text,
        origin: z.optional(origin),
        sourceMark: z.optional(text),
        foreignPolicy: z.optional(z.literal(true)),
        events: z.array(word),
        actNow: z.boolean(),
        extraTurns: z.boolean(),
        servers: z.optional(z.record(word, z.object({ name: text, seen: orNot }))),
        grants: z.optional(z.object({ declaration: text, allowed: z.array(z.enum(GRANTS)) })),
        runner: z.record(text, text),
      }),
    ),
    files: z.record(
      path,
      z.object({
        client: word,
        project: pathOrNull,
        local,
        file,
        madeFolders: z.array(path),
        backup: pathOrNull,
        record: z.nullable(record),
        next: z.optional(z.nullable(record)),
        found: z.optional(z.nullable(text)),
      }),
    ),
    formerly: z.optional(z.record(label, z.object({ mark: z.nullable(text), source: text }))),
  });
}

export const ledgerPath = (state: string): string => join(state, 'ledger.json');

/** What was found where the ledger is kept. */
export interface LedgerOnDisk {
  readonly ledger: Ledger;
  readonly bytes: Buffer | null;
  /** The bytes are no ledger; entries of ours are still known by their commands. */
  readonly broken: boolean;
}

/** What was read last: a command asks several times. */
let checked: LedgerOnDisk | undefined;

/** The ledger, empty when there is none that can be read. Throws UserError when a newer mcp-hooks has written it. */
export function readLedger(state: string, read: (path: string) => Buffer | null): LedgerOnDisk {
  const path = ledgerPath(state);
  const bytes = read(path);
  if (bytes === null) return { ledger: EMPTY, bytes, broken: false };
  if (checked?.bytes?.equals(bytes)) return checked;
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    return { ledger: EMPTY, bytes, broken: true };
  }
  // The value itself and not zod's copy: written again it gives the same bytes.
  if (isLedger(value)) {
    checked = { ledger: withOwnNames(value as Ledger), bytes, broken: false };
    return checked;
  }
  const version = typeof value === 'object' && value !== null && Reflect.get(value, 'version');
  if (typeof version === 'number' && version > EMPTY.version)
    throw new UserError<InstallMessage>({ code: 'ledger-newer', path });
  return { ledger: EMPTY, bytes, broken: true };
}

/** Nothing is installed, and nothing of ours is in any file. */
export const isBare = ({ installs, files }: Ledger): boolean =>
  installs.length === 0 && Object.keys(files).length === 0;

function isLedger(value: unknown): boolean {
  try {
    return makeShape().safeParse(value).success;
  } catch (error) {
    if (error instanceof RangeError) return false; // more is wrong than can be listed
    throw error;
  }
}

/** The name of a file, and nothing that leads into another folder. */
const FILE = /^[\w-][\w.-]*$/;

/** The same below a client's config folder, perhaps in a folder of its own. */
const CONFIG_FILE = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)?$/;

/** Without names of a runner's files that are not in its folder: another version of us may have files that we do not know. */
function withOwnNames(ledger: Ledger): Ledger {
  const installs = ledger.installs.map((install) => {
    const files = Object.entries(install.runner).filter(([name]) => FILE.test(name));
    return { ...install, runner: Object.fromEntries(files) };
  });
  return { ...ledger, installs };
}

/**
 * Those of the folders that the ledger names which we can have made: on the way to `path`, and neither a folder that has
 * to be there for a command to run at all nor one around it.
 */
export const madeOnTheWay = (
  path: string,
  folders: readonly string[],
  given: readonly (string | undefined)[],
): string[] =>
  folders.filter(
    (folder) =>
      isAround(folder, path) &&
      !given.some((one) => one !== undefined && (one === folder || isAround(folder, one))),
  );

const isAround = (folder: string, path: string): boolean =>
  path.startsWith(dirname(folder) === folder ? folder : folder + sep);

/** The ledger as bytes; null when nothing is left to remember. */
export const writeLedger = (ledger: Ledger): Buffer | null =>
  isBare(ledger) && Object.keys(ledger.formerly ?? {}).length === 0
    ? null
    : Buffer.from(`${JSON.stringify(ledger, null, 2)}\n`);

/** What of a file is ours. After a run that was killed the text tells whether it is as before that run, or as left by it. */
export function recordOf(
  file: LedgerFile | undefined,
  text: string | null,
): FileRecord | undefined {
  if (!file) return undefined;
  const { record, next, found } = file;
  if (next === undefined) return record ?? undefined;
  const now = text === null ? null : fingerprint(text);
  // Somebody may have changed it since: then what is ours in it is what was written last.
  return (now === found ? record : (next ?? record)) ?? undefined;
}

/** The config files of a client in which a label has entries, by path. */
export const filesHolding = ({ files }: Ledger, client: string, site: Site, label: string) =>
  Object.entries(files).filter(
    ([, file]) =>
      file.client === client &&
      isSameSite(file, site) &&
      [file.record, file.next].some((one) => one?.owned.some((owned) => owned.label === label)),
  );

/** Whether all that is left of ours in a client's file are empty groups that keep others in their places. */
export const keepsPlaces = ({ files }: Ledger, client: string, site: Site): boolean =>
  Object.values(files).some(
    (file) =>
      file.client === client &&
      isSameSite(file, site) &&
      file.record?.owned.every(({ label }) => label === null),
  );

export const isInstall =
  (label: string, site: Site) =>
  (install: Install): boolean =>
    install.label === label && isSameSite(install, site);
