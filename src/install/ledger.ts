/** The ledger: what is installed, and which parts of each config file are ours. One JSON file in the state folder. */

import { dirname, join, resolve, sep } from 'node:path';
import * as z from 'zod/mini';
import { LABEL } from '../declaration/declaration.ts';
import type { Source } from '../declaration/declared.ts';
import { GRANTS } from '../declaration/grants.ts';
import { isObject, type JsonValue } from '../edit/edit.ts';
import type { FileRecord } from '../edit/reconcile.ts';
import { attempt, UserError, unless } from '../system/errors.ts';
import { realPath } from '../system/files.ts';
import { fingerprint } from '../system/fingerprint.ts';
import { memoize } from '../system/memoize.ts';
import type { InstallMessage } from './messages.ts';
import { isSameSite, type Site } from './site.ts';

/** Names that become part of paths. A name that points outside of its folder is never ours. */
const FILE = /^[\w-][\w.-]*$/;
/** A file name below a client's config folder, with at most one folder in between. */
const CONFIG_FILE = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)?$/;

/** The schema of the ledger, from which its type is inferred. Built only when there is a ledger to check. */
const schema = memoize(() => {
  const text = z.string();
  const texts = z.array(text);
  const orNot = z.optional(text);
  const isSet = z.optional(z.literal(true));
  const label = text.check(z.regex(LABEL));
  const word = text.check(z.regex(/^[\w-]+$/));
  const path = text.check(z.refine((path) => resolve(path) === path));
  const pathOrNull = z.nullable(path);
  /** A site: the absolute path of the project, or null in user scope. With `local`, the user's own settings of the project. */
  const site = { project: pathOrNull, local: isSet };

  // Where a declaration came from (`Source`).
  const kind = <K extends Source['kind']>(name: K) => z.literal(name);
  const headers = z.optional(z.record(text, z.nullable(text)));
  const server = z.discriminatedUnion('kind', [
    z.object({ kind: kind('manifest'), path: text, onlyIn: z.optional(path) }),
    z.object({ kind: kind('command'), command: text, args: texts, cwd: orNot }),
    z.object({ kind: kind('url'), url: text, headers }),
    z.object({ kind: kind('npm'), spec: text }),
    z.object({
      ...{ kind: kind('configured'), client: text, name: text, file: text },
      ...{ path: texts, tokens: orNot },
    }),
  ]);
  const origin = z.union([server, z.object({ kind: kind('catalogue'), name: word, of: server })]);

  /** What we left in a file (`FileRecord`). */
  const owner = text.check(z.refine((one) => LABEL.test(one.replace(/^[\w-]+\//, ''))));
  const side = z.object({ length: z.number(), mark: text });
  const taken = z.object({
    ...{ label: owner, event: text, isKey: isSet, key: text },
    group: text.check(z.refine((one) => isObject(attempt((): JsonValue => JSON.parse(one))))),
    items: z.nullable(z.array(z.number())),
    isHeld: isSet,
    cut: z.object({ before: side, was: text, now: text, after: side }),
    hooks: z.array(z.object({ hook: text, moment: text })),
  });
  const span = z.object({ offset: z.number(), text, gap: orNot });
  const record = z.object({
    existed: z.boolean(),
    after: text,
    inserted: z.nullable(z.array(span)),
    owned: z.array(
      z.object({ label: z.nullable(owner), event: text, index: z.number(), value: text }),
    ),
    created: z.object({ object: z.boolean(), lists: texts }),
    taken: z.optional(z.array(taken)),
  });
  return z.object({
    version: z.literal(1),
    /**
     * Folders that we created on the way to the state folder, outermost first. Includes the state folder itself if it is not
     * the default.
     */
    madeFolders: z.array(path),
    /** One entry per label and scope. */
    installs: z.array(
      z.object({
        label,
        ...site,
        clients: z.array(word),
        source: text,
        /** The source in a machine-readable form; absent if it would contain a secret. */
        origin: z.optional(origin),
        /** Identifies the source if `origin` may not be stored; from `sourceDigest`. */
        sourceMark: orNot,
        /** The policy's rules for this label were written for another source. */
        foreignPolicy: isSet,
        /** The declared events, in order and without repetition. */
        events: z.array(word),
        actNow: z.boolean(),
        extraTurns: z.boolean(),
        /**
         * If a hook uses `{server}`: each client's name for the server, and a hash of how it starts, which identifies it after
         * a renaming.
         */
        servers: z.optional(z.record(word, z.object({ name: text, seen: orNot }))),
        /** What the user granted, and for which declaration; absent if nothing was granted. */
        grants: z.optional(z.object({ declaration: text, allowed: z.array(z.enum(GRANTS)) })),
        /** The copy of a package that hooks start instead of npx (`PackageCopy`), with the name of its folder. */
        copy: z.optional(
          z.object({
            ...{ spec: text, exact: text, others: z.number() },
            folder: text.check(z.regex(FILE)),
          }),
        ),
        /** Fingerprints of the runner's files, by name. */
        runner: z.record(text, text),
        /** The server in the clients' files (`AddedMember`), with the folders that we created for these files. */
        added: z.optional(
          z.array(
            z.object({
              ...{ client: word, file: path, format: z.enum(['json', 'toml']), at: texts },
              ...{ value: text, inserted: z.array(span), existed: z.boolean(), made: z.boolean() },
              madeFolders: z.array(path),
            }),
          ),
        ),
      }),
    ),
    /** Config files that contain something of ours, or soon will, by path. */
    files: z.record(
      path,
      z.object({
        client: word,
        ...site,
        /** The client's name for the file. The path differs if it is reached through a link. */
        file: text.check(z.regex(CONFIG_FILE)),
        /** Folders that we created for the file, outermost first. */
        madeFolders: z.array(path),
        /** A copy of the file from before our first change; null if the file did not exist. */
        backup: pathOrNull,
        /** What we wrote to the file; null if nothing yet. */
        record: z.nullable(record),
        /** What a run in progress, or a killed one, leaves in the file; null if nothing. Absent if there is no such run. */
        next: z.optional(z.nullable(record)),
        /** Fingerprint of the text that this run found; null if there was no file. */
        found: z.optional(z.nullable(text)),
      }),
    ),
    /** By label: the former source, for which `policy.json` allows the label something. */
    formerly: z.optional(z.record(label, z.object({ mark: z.nullable(text), source: text }))),
  });
});

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;
export type Ledger = Frozen<z.infer<ReturnType<typeof schema>>>;
export type Install = Ledger['installs'][number];
/** A server that we have added. */
export type AddedServer = NonNullable<Install['added']>[number];
export type LedgerFile = Ledger['files'][string];
export type Formerly = NonNullable<Ledger['formerly']>;

const EMPTY: Ledger = { version: 1, madeFolders: [], installs: [], files: {} };

export const ledgerPath = (state: string): string => join(state, 'ledger.json');

/** The file at the ledger's path. */
export interface LedgerOnDisk {
  readonly ledger: Ledger;
  readonly bytes: Buffer | null;
  /** The bytes are not a ledger. Our entries can still be recognised by their commands. */
  readonly broken: boolean;
}

/** Caches the last ledger, because a command reads it several times. */
let checked: LedgerOnDisk | undefined;

/** The ledger; empty if there is none or it cannot be parsed. @throws UserError when a newer mcp-hooks wrote it. */
export function readLedger(state: string, read: (path: string) => Buffer | null): LedgerOnDisk {
  const path = ledgerPath(state);
  const bytes = read(path);
  if (bytes === null) return { ledger: EMPTY, bytes, broken: false };
  if (checked?.bytes?.equals(bytes)) return withNamesOfToday(checked);
  const value: unknown = attempt(() => JSON.parse(bytes.toString()));
  // Keeps the value itself and not zod's copy, so that writing it again gives the same bytes.
  if (isLedger(value)) {
    checked = { ledger: withOwnNames(value as Ledger), bytes, broken: false };
    return withNamesOfToday(checked);
  }
  const version = typeof value === 'object' && value !== null && Reflect.get(value, 'version');
  if (typeof version === 'number' && version > EMPTY.version)
    throw new UserError<InstallMessage>({ code: 'ledger-newer', path });
  return { ledger: EMPTY, bytes, broken: true };
}

/** Whether nothing is installed, and nothing of ours is in any file. */
export const isEmptyLedger = ({ installs, files }: Ledger): boolean =>
  installs.length === 0 && Object.keys(files).length === 0;

const isLedger = (value: unknown): boolean =>
  unless(
    RangeError, // too many problems to list
    () => schema().safeParse(value).success,
    () => false,
  );

/**
 * Drops recorded names that are not plain file names. Another version of mcp-hooks may have runner files that we do not know.
 */
function withOwnNames(ledger: Ledger): Ledger {
  const installs = ledger.installs.map((install) => {
    const files = Object.entries(install.runner).filter(([name]) => FILE.test(name));
    return { ...install, runner: Object.fromEntries(files) };
  });
  return { ...ledger, installs };
}

/**
 * The user may have moved a file since, and replaced it with a link. Its entry then becomes the entry of the link's target. In
 * a project, the link may come from another author and is not followed.
 */
function withNamesOfToday(found: LedgerOnDisk): LedgerOnDisk {
  const files = new Map(Object.entries(found.ledger.files));
  for (const [path, file] of files) {
    const now = file.project === null ? realPath(path) : path;
    if (now === path || files.has(now)) continue;
    files.delete(path);
    files.set(now, file);
  }
  return { ...found, ledger: { ...found.ledger, files: Object.fromEntries(files) } };
}

/**
 * The folders in the ledger that we may have created: those on the way to `path` that are not needed, directly or through a
 * folder in them, for any command to run.
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

/** The ledger as bytes; null if there is nothing left to record. */
export const writeLedger = (ledger: Ledger): Buffer | null =>
  isEmptyLedger(ledger) && Object.keys(ledger.formerly ?? {}).length === 0
    ? null
    : Buffer.from(`${JSON.stringify(ledger, null, 2)}\n`);

/** Which parts of a file are ours. After a killed run, the text shows whether that run had already written the file. */
export function recordOf(
  file: LedgerFile | undefined,
  text: string | null,
): FileRecord | undefined {
  if (!file) return undefined;
  const { record, next, found } = file;
  if (next === undefined) return record ?? undefined;
  const now = text === null ? null : fingerprint(text);
  // The file may have been edited since. In that case, the last text that we wrote counts.
  return (now === found ? record : (next ?? record)) ?? undefined;
}

/** The config files of a client in which a label has entries, or from which it removed some, by path. */
export const filesHolding = ({ files }: Ledger, client: string, site: Site, label: string) =>
  Object.entries(files).filter(
    ([, file]) =>
      isSameSite(file, site) &&
      [file.record, file.next].some((one) =>
        [...(one?.owned ?? []), ...(one?.taken ?? [])].some(
          (owned) =>
            (owned.label === label && file.client === client) ||
            owned.label === `${client}/${label}`,
        ),
      ),
  );

/** Whether all that is left of ours in a client's file is empty groups that preserve the positions of others. */
export const keepsPlaces = ({ files }: Ledger, client: string, site: Site): boolean =>
  Object.values(files).some(
    (file) =>
      file.client === client &&
      isSameSite(file, site) &&
      file.record?.taken === undefined &&
      file.record?.owned.every(({ label }) => label === null),
  );

export const isInstall =
  (label: string, site: Site) =>
  (install: Install): boolean =>
    install.label === label && isSameSite(install, site);
