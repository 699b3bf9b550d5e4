/**
 * What an install or uninstall would do, to the byte. Pure: it sees the disk only through `Disk`, and whoever
 * shows a plan or applies it does nothing else.
 */

import { basename, dirname, join } from 'node:path';
import {
  BACKUPS,
  backupOf,
  backups,
  type LedgerChange,
  ledgerChange,
  madeFor,
  staleBackups,
} from './bookkeeping.ts';
import type { Client, ConfigFile } from './clients/client.ts';
import { type Compiled, compile } from './compile/compile.ts';
import type { Declared, Source } from './declaration/declaration.ts';
import { arrange } from './edit/arrange.ts';
import { ANYTHING, type JsonValue, type Placed, Refusal, splice } from './edit/edit.ts';
import { FORMATS } from './edit/formats.ts';
import { decode } from './edit/text.ts';
import { same } from './files.ts';
import { fingerprint } from './fingerprint.ts';
import {
  filesHolding,
  type Install,
  isInstall,
  type Ledger,
  type LedgerFile,
  readLedger,
  recordOf,
} from './ledger.ts';
import { ownership } from './ownership.ts';
import { configPath, type Places, runnerFolder } from './places.ts';
import { clientFiles, RUNNER, runnerFiles } from './runner.ts';
import { masker } from './secrets.ts';

/** The disk as the planner sees it. */
export interface Disk {
  readonly read: (path: string) => Buffer | null;
  /** The folders that would have to be made for a file, outermost first. */
  readonly missingFolders: (path: string) => readonly string[];
  /** Why a file is not to be written, in words. */
  readonly obstacle: (path: string) => string | undefined;
}

/** One file, as it is and as it will be. */
export interface FileChange {
  readonly path: string;
  readonly before: Buffer | null;
  /** Null: it goes. */
  readonly after: Buffer | null;
  readonly mode: number;
}

export interface ClientPlan {
  readonly client: Client;
  /** The config file that holds our entries, or will. */
  readonly path: string;
  readonly config: ConfigFile;
  /** What becomes of each declared hook; absent when uninstalling. */
  readonly compiled?: Compiled;
  /** Absent when the file stays as it is. */
  readonly change?: FileChange;
  /** Why the file cannot be edited; then nothing is. */
  readonly refusal?: Refusal;
  /** What the user can put in, or take out, by hand instead. */
  readonly byHand?: string;
}

export interface Plan {
  readonly kind: 'install' | 'uninstall';
  readonly label: string;
  readonly places: Places;
  readonly clients: readonly ClientPlan[];
  /** Our own files that are written before any client's: backups, and the runner that the clients will start. */
  readonly first: readonly FileChange[];
  /** Our own files that go once no client's file needs them. */
  readonly last: readonly FileChange[];
  readonly ledger: LedgerChange;
  /** Our own files and folders that go then, with all that is in them. */
  readonly discarded: readonly string[];
  /** Folders to remove after that if nothing is in them, outermost first. */
  readonly emptied: readonly string[];
  /** The same for those around the ledger, at the very end. */
  readonly stateFolders: readonly string[];
}

export interface PlanOptions {
  readonly places: Places;
  readonly clients: readonly Client[];
  readonly disk: Disk;
  /** The folders that were missing around the state folder when the command began, outermost first. */
  readonly madeFolders: readonly string[];
}

export interface InstallOptions extends PlanOptions {
  readonly actNow: boolean;
  readonly extraTurns: boolean;
  /** Absolute path of the node that will run the hooks. */
  readonly node: string;
}

/** Nothing would change: the files already are as the plan wants them. */
export const isNothing = (plan: Plan): boolean =>
  plan.clients.every(({ change, refusal }) => !change && !refusal) && changesOf(plan).length === 0;

/** Every file that differs, in the order in which they are written; the ledger last. */
export function changesOf(plan: Plan): FileChange[] {
  const { path, before, after } = plan.ledger;
  const ledger = { path, before, after, mode: 0o600 };
  const configs = plan.clients.flatMap(({ change }) => (change ? [change] : []));
  return [...plan.first, ...configs, ...plan.last, ledger].filter(differs);
}

export function planInstall(declared: Declared, options: InstallOptions): Plan {
  const { places, disk } = options;
  const { label } = declared;
  const found = readLedger(places.state, disk.read);
  const { ledger } = found;
  const folder = runnerFolder(places, label);
  const plans = options.clients.map((client) => {
    const compiled = compile(declared, client, {
      ...options,
      runner: join(folder, RUNNER),
      state: places.state,
    });
    const config = chooseFile(client, label, ledger, options);
    const path = configPath(client, config, places);
    return { compiled, ...planFile(client, config, path, label, compiled.groups, ledger, options) };
  });

  const files = runnerFiles(
    options.node,
    plans.map(({ compiled }) => compiled.program),
  );
  const known = ledger.installs.find(isInstall(label, places.project ?? null));
  const install = (): Install => ({
    label,
    project: places.project ?? null,
    clients: sorted([...(known?.clients ?? []), ...options.clients.map(({ id }) => id)]),
    source: inWords(declared.source),
    events: [...new Set(declared.hooks.map(({ event }) => event))],
    actNow: options.actNow,
    extraTurns: options.extraTurns,
    runner: {
      ...known?.runner,
      ...Object.fromEntries(files.map(({ name, bytes }) => [name, fingerprint(bytes.toString())])),
    },
  });
  const runner = files.map(({ name, bytes: after, mode }) => {
    const path = join(folder, name);
    return { path, before: disk.read(path), after, mode };
  });
  return {
    kind: 'install',
    label,
    places,
    clients: plans,
    first: [...backups(plans, disk), ...runner],
    last: staleBackups(plans, disk),
    ledger: ledgerChange(found, plans, options, known, install),
    discarded: [],
    emptied: [...madeFor(plans), join(places.state, BACKUPS)],
    stateFolders: [],
  };
}

export function planUninstall(label: string, options: PlanOptions): Plan {
  const { places, disk } = options;
  const { state } = places;
  const found = readLedger(state, disk.read);
  const { ledger } = found;
  const known = ledger.installs.find(isInstall(label, places.project ?? null));
  const plans = options.clients.flatMap((client) =>
    [...filesOf(client, label, ledger, options)].map(([path, config]) =>
      planFile(client, config, path, label, [], ledger, options),
    ),
  );
  const gone = options.clients.map(({ id }) => id);
  const left = (known?.clients ?? []).filter((id) => !gone.includes(id));

  const folder = runnerFolder(places, label);
  const common = left.length === 0 ? runnerFiles('', []) : [];
  const own = gone.flatMap(clientFiles);
  const programs = own.map((name) => ({ name, mode: 0o600 }));
  const runner = [...common, ...programs].map(({ name, mode }) => {
    const path = join(folder, name);
    return { path, before: disk.read(path), after: null, mode };
  });
  const change = ledgerChange(found, plans, options, known, () =>
    known && left.length > 0
      ? {
          ...known,
          clients: left,
          runner: Object.fromEntries(
            Object.entries(known.runner).filter(([name]) => !own.includes(name)),
          ),
        }
      : undefined,
  );
  const log = join(state, 'log');
  // Another folder may have been named as ours by mistake.
  const isOurs = known !== undefined || runner.some(({ before }) => before !== null);
  return {
    kind: 'uninstall',
    label,
    places,
    clients: plans,
    first: backups(plans, disk),
    last: [...runner, ...staleBackups(plans, disk)],
    ledger: change,
    discarded: [
      ...(left.length === 0 ? [join(log, `${label}.jsonl`), join(log, `${label}.jsonl.1`)] : []),
      ...(isOurs && change.after === null ? [join(state, 'sessions')] : []),
    ],
    emptied: [
      ...madeFor(plans),
      log,
      join(state, BACKUPS),
      dirname(dirname(folder)),
      dirname(folder),
      folder,
    ],
    stateFolders: [...(change.after === null ? ledger.madeFolders : []), state],
  };
}

export interface FilePlan extends ClientPlan {
  /** What the ledger keeps of the file while the run is under way; absent: nothing of ours was or will be in it. */
  readonly entry?: Required<Omit<LedgerFile, 'found'>>;
  /** The text of the file as it is. */
  readonly source?: string | null;
}

/** A file of a client, after `want` is all that `label` has in it. */
function planFile(
  client: Client,
  config: ConfigFile,
  path: string,
  label: string,
  want: readonly Placed[],
  ledger: Ledger,
  { places, disk }: PlanOptions,
): FilePlan {
  const ownerOf = ownership(places);
  const known = ledger.files[path];
  const before = disk.read(path);
  const base = { client, config, path };
  try {
    const source = before === null ? null : decode(before);
    const record = recordOf(known, source);
    const arranged = arrange(source, {
      format: FORMATS[config.format],
      // What the client thinks of a file is no reason to leave ours in it.
      dialect: want.length === 0 ? ANYTHING : config.dialect,
      record,
      ownerOf,
      label,
      want,
      positional: client.positional,
    });
    const after = arranged.text === null ? null : Buffer.from(arranged.text);
    const change = { path, before, after, mode: 0o600 };
    const why = differs(change) ? disk.obstacle(path) : undefined;
    if (why !== undefined) throw new Refusal(why);
    const entry = (known || arranged.record || differs(change)) && {
      client: client.id,
      project: places.project ?? null,
      record: record ?? null,
      next: arranged.record,
      madeFolders: known?.madeFolders ?? disk.missingFolders(path),
      backup: known ? known.backup : backupOf(path, before, places),
    };
    return { ...base, source, ...(entry && { entry }), ...(differs(change) && { change }) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...base, refusal: error, byHand: byHand(config, want, runnerFolder(places, label)) };
  }
}

/** What we may not do, for the user to do. */
const byHand = (config: ConfigFile, want: readonly Placed[], folder: string): string =>
  want.length === 0
    ? `every hook whose command names ${folder}/`
    : splice('', FORMATS[config.format].insert('', want)).trim();

/** Every file of a client that may hold entries of a label: where it is now, and where it was. */
function filesOf(
  client: Client,
  label: string,
  ledger: Ledger,
  options: PlanOptions,
): Map<string, ConfigFile> {
  const { places } = options;
  const here = chooseFile(client, label, ledger, options);
  const files = new Map([[configPath(client, here, places), here]]);
  for (const [path] of filesHolding(ledger, client.id, places.project ?? null, label)) {
    const config = client.files.find(({ name }) => name === basename(path));
    if (config) files.set(path, config);
  }
  return files;
}

/** The file that has our entries, else the first that holds hooks, else the first. */
function chooseFile(
  client: Client,
  label: string,
  ledger: Ledger,
  { places, disk }: PlanOptions,
): ConfigFile {
  const [first, ...others] = client.files;
  if (others.length === 0) return first;
  const known = [...Object.keys(client.nativeEvents), ...(client.otherEvents ?? [])];
  const hooksIn = (file: ConfigFile): readonly JsonValue[] => {
    const bytes = disk.read(configPath(client, file, places));
    if (bytes === null) return [];
    try {
      const { hooks } = FORMATS[file.format].read(decode(bytes), file.dialect);
      return typeof hooks === 'object' && hooks !== null
        ? Object.entries(hooks).flatMap(([event, groups]) =>
            known.includes(event) && Array.isArray(groups) ? groups : [],
          )
        : [];
    } catch {
      return []; // it is refused when it is the one to be written
    }
  };
  const ownerOf = ownership(places);
  return (
    client.files.find((file) => hooksIn(file).some((group) => ownerOf(group) === label)) ??
    client.files.find((file) => ledger.files[configPath(client, file, places)]) ??
    client.files.find((file) => hooksIn(file).length > 0) ??
    first
  );
}

const differs = ({ before, after }: FileChange): boolean => !same(before, after);

/** Where a declaration came from, for `list`; a token among the arguments is nobody's business. */
const inWords = (source: Source): string =>
  source.kind === 'manifest' ? source.path : masker({})([source.command, ...source.args].join(' '));

const sorted = (names: readonly string[]): string[] => [...new Set(names)].sort();
