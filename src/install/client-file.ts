/** Chooses the file of a client to write, and plans how it changes. */

import { basename } from 'node:path';
import { bytesOf } from '../clients/config-bytes.ts';
import { type Client, type ConfigFile, knownEvents } from '../clients/contract.ts';
import { EMPTY_GROUP } from '../clients/entries.ts';
import {
  configPath,
  fileNamed,
  filesIn,
  ownFile,
  type Places,
  runnerFolder,
  wayOut,
} from '../clients/places.ts';
import { byHandOf, CLIENTS } from '../clients/registry.ts';
import { ANYTHING, type JsonObject, type Placed, Refusal } from '../edit/edit.ts';
import { FORMATS } from '../edit/formats.ts';
import { arrange, type FileRecord, type Options } from '../edit/reconcile.ts';
import type { TakenOut } from '../edit/record.ts';
import { decode } from '../edit/text.ts';
import { equal, eventsOf, groupsOf } from '../edit/value.ts';
import type { Disk } from '../system/disk.ts';
import { attempt, said } from '../system/errors.ts';
import { isInside } from '../system/files.ts';
import { fingerprint } from '../system/fingerprint.ts';
import { once } from '../system/memoize.ts';
import type { SystemMessage } from '../system/messages.ts';
import { LeadsOut, readConfig, whyIgnored, whyNoneFires } from './config-file.ts';
import { filesHolding, type Ledger, type LedgerFile, madeOnTheWay, recordOf } from './ledger.ts';
import { backupOf } from './ledger-change.ts';
import type { InstallMessage } from './messages.ts';
import { arrangeAround, type Moved, NO_WISHES, type Wishes } from './originals.ts';
import {
  isFormOf,
  isKeyOf,
  labelsIn,
  mentioned,
  ownerIn,
  ownersIn,
  sharedHandlers,
  withWriter,
} from './ownership.ts';
import { differs, type FileEdit, type FilePlan, type PlanOptions } from './planned-file.ts';
import { isSameSite, siteInWords, siteOf } from './site.ts';

interface Looking {
  readonly places: Places;
  readonly disk: Pick<Disk, 'read'>;
}

/** The label to plan for, and everything that is already known. */
export interface Planning extends Pick<PlanOptions, 'places' | 'disk'> {
  readonly label: string;
  readonly ledger: Ledger;
  /** What happens to originals in a client's file. By default, all of them are put back. */
  readonly wishesFor?: (client: Client, path: string) => Wishes;
  /** Other changes to files that also contain hooks. */
  readonly edits?: readonly FileEdit[];
}

/** Plans a client's file so that it has `want` and nothing else of `label`. */
function planFile(
  client: Client,
  config: ConfigFile,
  path: string,
  want: readonly Placed[],
  { label, ledger, places, disk, wishesFor = () => NO_WISHES, edits = [] }: Planning,
): FilePlan {
  const ownerOf = once(ownersIn(client, config, places));
  const owner = ownerIn(client, label, config);
  const handlersOf = sharedHandlers(client, places);
  const known = ledger.files[path];
  const base = { client, config, path };
  const out = wayOut(client, config, places);
  // Entries that were written through the link earlier are recorded under the target's own path, and may be removed.
  if (out?.path === path) return { ...base, refusal: new LeadsOut(out, places) };
  try {
    const before = bytesOf(path, disk.read);
    const other = otherUser(client, config, known, places);
    if (other !== undefined) throw new Refusal<InstallMessage>({ code: 'two-names', other });
    const source = before === null ? null : decode(before);
    const { dialect, layout } = config;
    // Removing our entries must work even in a file that the client cannot read.
    const readAs = want.length === 0 ? ANYTHING : dialect;
    const document = source === null ? {} : FORMATS[config.format].read(source, readAs, layout);
    const noted = recordOf(known, source);
    const named = known && noted && withWriter(noted, known.client, config);
    const record = believable(client, config, named, source, document);
    const options: Options = {
      format: FORMATS[config.format],
      dialect,
      layout,
      ...(config.start !== undefined && { start: config.start }),
      record,
      ownerOf,
      handlersOf: (group) => handlersOf(group, label),
      isOurKey: isKeyOf(client),
      label: owner,
      want,
      ...(client.positional && { placeholder: EMPTY_GROUP }),
    };
    // Otherwise the environment has changed since, or we did not place the file there: it and its folders may not be ours.
    const isToday = path === configPath(client, config, places);
    const hasGroups = groupsOf(document, layout).some((group) => ownerOf(group) !== undefined);
    const taken = (named?.taken ?? []).filter(isTakenFrom(client, config));
    if (taken.length > 0 && !isToday && !hasGroups)
      throw new Refusal<InstallMessage>({ code: 'taken-elsewhere', client: client.name });
    const wishes = wishesFor(client, path);
    const edit = edits.find((one) => one.client === client && one.path === path)?.apply;
    const around = { client, path, taken, wishes };
    const arranged: Moved & Pick<FilePlan, 'added'> = edit
      ? arrangeWith(edit, source, options, around)
      : arrangeAround(source, options, around);
    const after = arranged.text === null ? null : Buffer.from(arranged.text);
    const { project } = places;
    const within = project !== undefined && isInside(path, project) ? { within: project } : {};
    const change = { path, before, after, mode: 0o600, ...within };
    const why = differs(change) ? disk.obstacle(path) : undefined;
    if (why !== undefined) throw new Refusal<SystemMessage>(why);
    const parsed = source === null ? undefined : { path, text: source, document };
    const unread = want.length > 0 ? whyNoneFires(client, parsed, places, disk) : undefined;
    if (unread) return { ...base, refusal: unread };
    const backup = backupOf(path, places, known);
    const hasOurs =
      hasGroups || record?.owned.some((own) => own.label === null) || taken.length > 0;
    const copy = before !== null && !hasOurs && arranged.record !== null && differs(change);
    const entry = (known || arranged.record || differs(change)) && {
      client: known?.client ?? client.id,
      ...siteOf(places),
      file: config.name,
      record: record ?? null,
      next: arranged.record,
      madeFolders: known
        ? madeOnTheWay(isToday ? path : '', known.madeFolders, [places.home, places.project])
        : disk.missingFolders(path),
      backup: copy || disk.read(backup) !== null ? backup : null,
    };
    const left =
      arranged.text === null ? {} : FORMATS[config.format].read(arranged.text, ANYTHING, layout);
    const foreign = mentioning(client, label, eventsOf(left, layout), places);
    const git = project !== undefined && want.length > 0 ? disk.git(path, places) : undefined;
    return {
      ...base,
      source,
      copy,
      ...(entry && { entry }),
      ...(differs(change) && { change }),
      ...(foreign.length > 0 && { foreign }),
      ...(arranged.originals.length > 0 && { originals: arranged.originals }),
      ...(arranged.added && { added: arranged.added }),
      ...(git && { git }),
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const folder = `${runnerFolder(places, label)}/`;
    const remove = said<InstallMessage>({ code: 'remove-by-hand', folder });
    // Removing a hook by hand would also remove the user's additions to it.
    const isByHand = want.length === 0 && error.problem.code !== 'not-ours-inside';
    return { ...base, refusal: error, ...(isByHand && { byHand: remove }) };
  }
}

/**
 * Arranges a file in which more than hooks changes. Our hooks are removed first, so that the server is added to the user's
 * text.
 */
function arrangeWith(
  edit: FileEdit['apply'],
  source: string | null,
  options: Options,
  around: Parameters<typeof arrangeAround>[2],
): Moved & Pick<FilePlan, 'added'> {
  const bare = arrange(source, { ...options, want: [] });
  const { text, added, isMade } = edit(bare.text, options.start);
  // The fingerprint is that of the earlier text, so the other labels' entries have to be found again.
  const others = bare.record ? { ...bare.record, after: '' } : undefined;
  const arranged = arrangeAround(text, { ...options, record: others }, around);
  const record =
    arranged.record && isMade ? { ...arranged.record, existed: false } : arranged.record;
  return { ...arranged, record, added };
}

/** Plans one file after another. For a file that several clients share, each plan starts from the result of the one before. */
export function filePlanner({ disk, ledger, ...planning }: Planning) {
  const texts = new Map<string, Buffer | null>();
  const files = { ...ledger.files };
  const read = (path: string) => texts.get(path) ?? (texts.has(path) ? null : disk.read(path));
  const now = { ...planning, disk: { ...disk, read }, ledger: { ...ledger, files } };
  return (client: Client, config: ConfigFile, path: string, want: readonly Placed[]): FilePlan => {
    const plan = planFile(client, config, path, want, now);
    if (!config.sharedWith || !plan.entry) return plan;
    if (plan.change) texts.set(path, plan.change.after);
    const { next, ...rest } = plan.entry;
    if (next) files[path] = { ...rest, record: next };
    else delete files[path];
    return plan;
  };
}

/** Ignores a record that claims a hook that we would never write. */
function believable(
  client: Client,
  { layout }: ConfigFile,
  record: FileRecord | undefined,
  source: string | null,
  document: JsonObject,
): FileRecord | undefined {
  if (!record || source === null || fingerprint(source) !== record.after) return record;
  const events = eventsOf(document, layout);
  const right = record.owned.every(({ label, event, index }) => {
    const group = events.get(event)?.[index];
    return label === null ? equal(group, EMPTY_GROUP) : isFormOf(client, basename(label), group);
  });
  return right ? record : undefined;
}

/** Whether a record can belong to an entry in a file of these clients. `import` makes hooks only of events that they know. */
function isTakenFrom({ id }: Client, { sharedWith = [] }: ConfigFile) {
  const readers = CLIENTS.filter((one) => one.id === id || sharedWith.includes(one.id));
  return ({ event, isKey }: TakenOut): boolean =>
    readers.some((one) => {
      const known = byHandOf(one);
      const names = Object.keys((isKey ? known?.notifiers : known?.events) ?? {});
      return names.includes(event);
    });
}

function mentioning(
  client: Client,
  label: string,
  events: ReturnType<typeof eventsOf>,
  places: Places,
): string[] {
  const mentions = mentioned(client, places);
  return [...events]
    .filter(([, groups]) => groups.some((group) => mentions(group) === label))
    .map(([event]) => event);
}

/** Every file of a client that may hold a label's entries: the current one, former ones, and copies that the user made. */
export function filesOf(
  client: Client,
  planning: Planning,
  here = chooseFile(client, planning),
): [string, ConfigFile][] {
  const { label, ledger, places } = planning;
  const files = new Map<string, ConfigFile>();
  for (const [path, { file }] of filesHolding(ledger, client.id, siteOf(places), label)) {
    const config = fileNamed(client, file, label, places);
    if (config) files.set(path, config);
  }
  // A link that leads out of the project was created later. Our entries are where the ledger says.
  if (here && (files.size === 0 || !wayOut(client, here, places)))
    files.set(configPath(client, here, places), here);
  const chosen = here ? [configPath(client, here, places)] : [];
  for (const { path, config } of holding(client, label, planning, chosen)) files.set(path, config);
  return [...files].filter(
    ([path, config]) => otherUser(client, config, ledger.files[path], places) === undefined,
  );
}

/** The client's current files with entries of a label, other than the files that get entries: a copy would fire as well. */
export function otherFilesOf(client: Client, used: readonly ConfigFile[], planning: Planning) {
  const { places } = planning;
  const pathOf = (file: ConfigFile) => configPath(client, file, places);
  const paths = used.map(pathOf);
  const others = filesIn(client, places)
    .map(pathOf)
    .filter((path) => !paths.includes(path));
  if (others.length === 0) return []; // nothing has to be read
  return filesOf(client, planning, used[0]).filter(([path]) => others.includes(path));
}

/**
 * The file that has our entries; otherwise the first file that holds hooks and is read by the client; otherwise the first file.
 * A file that has to be refused takes precedence over all of them.
 */
export function chooseFile(client: Client, planning: Planning): ConfigFile | undefined {
  const { label, ledger, places, disk } = planning;
  const own = ownFile(client, label, places);
  if (own) return own;
  const choice = filesIn(client, places);
  const [first, ...others] = choice;
  if (others.length === 0) return first;
  const out = choice.find((file) => wayOut(client, file, places));
  if (out) return out;
  const all = withOwners(client, planning);
  const holders = all.filter(({ owners }) => [...owners.values()].flat().includes(label));
  const recorded = filesHolding(ledger, client.id, siteOf(places), label).map(([path]) => path);
  const found =
    // The user may have copied the entries to another file.
    holders.find(({ path }) => recorded.includes(path)) ??
    holders[0] ??
    all.find(({ path }) => ledger.files[path]) ??
    // Hooks in a file that the client ignores never fire.
    all.find(
      ({ config, owners }) =>
        [...owners.values()].flat().length > 0 && !whyIgnored(client, config, places, disk),
    );
  return found?.config ?? first;
}

export type GroupsByFile = readonly (readonly [ConfigFile, readonly Placed[]])[];

/**
 * The files that get a label's groups, each with its own groups. All groups go to the chosen file unless the event requires
 * another.
 */
export function groupsByFile(
  client: Client,
  groups: readonly Placed[],
  chosen: ConfigFile,
  planning: Planning,
): readonly [GroupsByFile[number], ...GroupsByFile] {
  const files = new Map<ConfigFile, Placed[]>();
  const fileOf = fileForEvent(client, chosen, planning);
  for (const one of groups) {
    const file = fileOf(one.event);
    files.set(file, [...(files.get(file) ?? []), one]);
  }
  const [first = [chosen, []] as const, ...others] = files;
  return [first, ...others];
}

function fileForEvent(
  client: Client,
  chosen: ConfigFile,
  planning: Planning,
): (event: string) => ConfigFile {
  const { placement } = client;
  if (placement.kind === 'own-file' || !placement.firstFileWins) return () => chosen;
  const { label, places, disk } = planning;
  const files = filesIn(client, places);
  const all = withOwners(client, planning);
  return (event) => {
    const present = all.flatMap(({ config, owners }) => {
      const own = files.includes(config) ? owners.get(event) : undefined;
      return own ? [{ config, isOthers: own.length === 0 || own.includes(undefined), own }] : [];
    });
    const found =
      present.find(
        ({ config, isOthers }) => isOthers && !whyIgnored(client, config, places, disk),
      ) ?? present.find(({ own }) => own.includes(label));
    return found?.config ?? chosen;
  };
}

/** Whether a file of the client has entries of a label, regardless of the ledger. */
export const holds = (client: Client, label: string, at: Looking): boolean =>
  holding(client, label, at).length > 0;

/**
 * A client's files with entries of a label, regardless of the ledger, and the events of these entries.
 *
 * @param besides Paths of files to skip.
 */
export const holding = (
  client: Client,
  label: string,
  at: Looking,
  besides: readonly string[] = [],
) =>
  withOwners(client, at, besides).flatMap(({ owners, ...file }) => {
    const events = [...owners].flatMap(([event, own]) => (own.includes(label) ? event : []));
    return events.length > 0 ? [{ ...file, events }] : [];
  });

/**
 * A client's files, with the owners of the hooks for each event that the client knows. A file that cannot be read has no
 * owners; it is refused only when it is the file to write.
 */
function withOwners(client: Client, { places, disk }: Looking, besides: readonly string[] = []) {
  const known = knownEvents(client);
  return filesIn(client, places).flatMap((config) => {
    const path = configPath(client, config, places);
    if (besides.includes(path)) return [];
    const { format, layout } = config;
    const ownerOf = labelsIn(client, config, places);
    const document = attempt(() => {
      const bytes = readConfig(client, config, places, disk);
      return bytes === null ? {} : FORMATS[format].read(decode(bytes), ANYTHING, layout);
    });
    const owners = [...eventsOf(document ?? {}, layout)]
      .filter(([event]) => known.includes(event))
      .map(([event, groups]) => [event, groups.map(ownerOf)] as const);
    return [{ path, config, owners: new Map(owners) }];
  });
}

/** The other user of our entries in the same file if the file is not shared: another client, or another scope. */
export function otherUser(
  client: Client,
  { sharedWith = [] }: ConfigFile,
  known: LedgerFile | undefined,
  places: Places,
) {
  if (!known) return undefined;
  if (![client.id, ...sharedWith].includes(known.client)) return known.client;
  if (isSameSite(known, siteOf(places))) return undefined;
  return known.project === null ? 'the user' : siteInWords(known, places.home);
}
