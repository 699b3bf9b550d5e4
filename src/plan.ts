/**
 * What an install or uninstall would do, to the byte. Pure: it sees the disk only through `Disk`, and whoever
 * shows a plan or applies it does nothing else.
 */

import { basename, dirname, join } from 'node:path';
import type { Client, ConfigFile } from './clients/client.ts';
import { runnersIn } from './compile/command.ts';
import { type Compiled, compile } from './compile/compile.ts';
import type { Declared, Source } from './declaration/declaration.ts';
import { arrange } from './edit/arrange.ts';
import { ANYTHING, type JsonValue, type Placed, Refusal } from './edit/edit.ts';
import { FORMATS } from './edit/formats.ts';
import { decode } from './edit/text.ts';
import { same } from './files.ts';
import {
  filesHolding,
  type Install,
  isInstall,
  type Ledger,
  type LedgerFile,
  ledgerPath,
  readLedger,
  writeLedger,
} from './ledger.ts';
import { configPath, type Places, runnerFolder } from './places.ts';
import { RUNNER, runnerFiles } from './runner.ts';
import { masker } from './secrets.ts';

/** The disk as the planner sees it. */
export interface Disk {
  readonly read: (path: string) => Buffer | null;
  /** The folders that would have to be made for a file, outermost first. */
  readonly missingFolders: (path: string) => readonly string[];
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
}

export interface Plan {
  readonly kind: 'install' | 'uninstall';
  readonly label: string;
  readonly places: Places;
  readonly clients: readonly ClientPlan[];
  /** The runner's files; applied before the clients' when installing, after them when uninstalling. */
  readonly runner: readonly FileChange[];
  readonly ledger: FileChange;
  /** Our own files and folders that go at the end, with all that is in them. */
  readonly discarded: readonly string[];
  /** Folders to remove after that if nothing is in them, outermost first. */
  readonly emptied: readonly string[];
}

export interface PlanOptions {
  readonly places: Places;
  readonly clients: readonly Client[];
  readonly disk: Disk;
}

export interface InstallOptions extends PlanOptions {
  readonly actNow: boolean;
  readonly extraTurns: boolean;
  /** Absolute path of the node that will run the hooks. */
  readonly node: string;
}

/** Nothing would change: the files already are as the plan wants them. */
export const isNothing = (plan: Plan): boolean =>
  changesOf(plan).length === 0 && plan.clients.every(({ refusal }) => !refusal);

/** Every file that differs, the ledger last. */
export function changesOf(plan: Plan): FileChange[] {
  const configs = plan.clients.flatMap(({ change }) => (change ? [change] : []));
  const runner = plan.runner.filter(differs);
  const order = plan.kind === 'install' ? [...runner, ...configs] : [...configs, ...runner];
  return differs(plan.ledger) ? [...order, plan.ledger] : order;
}

export function planInstall(declared: Declared, options: InstallOptions): Plan {
  const { places, disk } = options;
  const { label } = declared;
  const { ledger, bytes } = readLedger(places.state, disk.read);
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

  const known = ledger.installs.find(isInstall(label, places.project ?? null));
  const install: Install = {
    label,
    project: places.project ?? null,
    clients: sorted([...(known?.clients ?? []), ...options.clients.map(({ id }) => id)]),
    source: inWords(declared.source),
    events: [...new Set(declared.hooks.map(({ event }) => event))],
    actNow: options.actNow,
    extraTurns: options.extraTurns,
  };
  const runner = runnerFiles(
    options.node,
    plans.map(({ compiled }) => compiled.program),
  ).map(({ name, bytes: after, mode }) => {
    const path = join(folder, name);
    return { path, before: disk.read(path), after, mode };
  });
  return {
    kind: 'install',
    label,
    places,
    clients: plans,
    runner,
    ledger: ledgerChange(ledger, bytes, plans, options, known, install),
    discarded: [],
    emptied: [],
  };
}

export function planUninstall(label: string, options: PlanOptions): Plan {
  const { places, disk } = options;
  const { ledger, bytes } = readLedger(places.state, disk.read);
  const known = ledger.installs.find(isInstall(label, places.project ?? null));
  const plans = options.clients.flatMap((client) =>
    [...filesOf(client, label, ledger, options)].map(([path, config]) =>
      planFile(client, config, path, label, [], ledger, options),
    ),
  );
  const gone = options.clients.map(({ id }) => id);
  const left = (known?.clients ?? []).filter((id) => !gone.includes(id));

  const folder = runnerFolder(places, label);
  const names = runnerFiles('', []).map(({ name }) => name);
  const runner = [...(left.length === 0 ? names : []), ...gone.map((id) => `${id}.json`)]
    .map((name) => join(folder, name))
    .map((path) => ({ path, before: disk.read(path), after: null, mode: 0o600 }));
  const made = plans.flatMap(({ path, change }) =>
    change?.after === null ? (ledger.files[path]?.madeFolders ?? []) : [],
  );
  const change = ledgerChange(
    ledger,
    bytes,
    plans,
    options,
    known,
    known && left.length > 0 ? { ...known, clients: left } : undefined,
  );
  const { state } = places;
  const log = join(state, 'log');
  return {
    kind: 'uninstall',
    label,
    places,
    clients: plans,
    runner,
    ledger: change,
    discarded: [
      ...(left.length === 0 ? [join(log, `${label}.jsonl`), join(log, `${label}.jsonl.1`)] : []),
      ...(change.after === null ? [join(state, 'sessions')] : []),
    ],
    emptied: [
      ...made,
      ...ledger.madeFolders,
      state,
      log,
      dirname(dirname(folder)),
      dirname(folder),
      folder,
    ],
  };
}

interface FilePlan extends ClientPlan {
  /** What the ledger keeps of the file; null: nothing of ours is left in it. */
  readonly entry?: LedgerFile | null;
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
    const arranged = arrange(before === null ? null : decode(before), {
      format: FORMATS[config.format],
      // What the client thinks of a file is no reason to leave ours in it.
      dialect: want.length === 0 ? ANYTHING : config.dialect,
      record: known?.record,
      ownerOf,
      label,
      want,
      positional: client.positional,
    });
    const after = arranged.text === null ? null : Buffer.from(arranged.text);
    const change = { path, before, after, mode: 0o600 };
    const entry: LedgerFile | null = arranged.record && {
      client: client.id,
      project: places.project ?? null,
      record: arranged.record,
      madeFolders: known?.madeFolders ?? disk.missingFolders(path),
    };
    return { ...base, entry, ...(differs(change) && { change }) };
  } catch (error) {
    if (error instanceof Refusal) return { ...base, refusal: error };
    throw error;
  }
}

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
  const hooksIn = (file: ConfigFile): readonly JsonValue[] => {
    const bytes = disk.read(configPath(client, file, places));
    if (bytes === null) return [];
    try {
      const { hooks } = FORMATS[file.format].read(decode(bytes), file.dialect);
      return typeof hooks === 'object' && hooks !== null
        ? Object.values(hooks).flatMap((groups) => (Array.isArray(groups) ? groups : []))
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

/** Whose a native hook group is: the label whose runner its commands start. */
export function ownership(places: Places): (group: JsonValue) => string | undefined {
  return (group) => {
    if (typeof group !== 'object' || group === null || !('hooks' in group)) return undefined;
    const { hooks } = group;
    if (!Array.isArray(hooks)) return undefined;
    const labels = hooks.map((handler: JsonValue) => {
      if (typeof handler !== 'object' || handler === null || !('command' in handler))
        return undefined;
      const [runner] =
        typeof handler.command === 'string' ? runnersIn(handler.command, places.state) : [];
      if (runner === undefined) return undefined;
      const label = basename(dirname(runner));
      return join(runnerFolder(places, label), RUNNER) === runner ? label : undefined;
    });
    return labels.every((label) => label === labels[0]) ? labels[0] : undefined;
  };
}

function ledgerChange(
  ledger: Ledger,
  before: Buffer | null,
  plans: readonly FilePlan[],
  { places, disk }: PlanOptions,
  known: Install | undefined,
  install: Install | undefined,
): FileChange {
  const path = ledgerPath(places.state);
  const madeFolders = before === null ? disk.missingFolders(path) : ledger.madeFolders;
  const files: Record<string, LedgerFile> = { ...ledger.files };
  for (const { path: file, entry } of plans) {
    if (entry) files[file] = entry;
    else if (entry === null) delete files[file];
  }
  const installs = known
    ? ledger.installs.flatMap((one) => (one === known ? (install ? [install] : []) : [one]))
    : [...ledger.installs, ...(install ? [install] : [])];
  const after = writeLedger({ ...ledger, madeFolders, installs, files });
  return { path, before, after, mode: 0o600 };
}

const differs = ({ before, after }: FileChange): boolean => !same(before, after);

/** Where a declaration came from, for `list`; a token among the arguments is nobody's business. */
const inWords = (source: Source): string =>
  source.kind === 'manifest' ? source.path : masker({})([source.command, ...source.args].join(' '));

const sorted = (names: readonly string[]): string[] => [...new Set(names)].sort();
