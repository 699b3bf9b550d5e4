/** What an install or uninstall would do, to the byte. Pure: it accesses the disk only through `Disk`. */

import { basename, dirname, join } from 'node:path';
import type { Client } from '../clients/contract.ts';
import {
  configPath,
  countFiles,
  filesIn,
  hasProjects,
  isDefault,
  logFiles,
  logFolder,
  type Places,
  runnerFolder,
  sentFiles,
  sessionsFolder,
  tokensFolder,
} from '../clients/places.ts';
import { CLIENTS } from '../clients/registry.ts';
import { type Compiled, compile } from '../compile/compile.ts';
import { namesServers } from '../compile/mentions.ts';
import {
  clientOf,
  type RunnerHost,
  runnerFiles,
  runnerNames,
  SHARED,
} from '../compile/runner-files.ts';
import type { HookDeclaration } from '../declaration/declaration.ts';
import { onlyIn, type ServerHooks, type Source, serverSource } from '../declaration/declared.ts';
import type { Allowable, Grant } from '../declaration/grants.ts';
import type { Policy } from '../declaration/policy.ts';
import { Refusal } from '../edit/edit.ts';
import { savedSignIn } from '../sources/oauth/address.ts';
import { isSameSource, sourceDigest } from '../sources/same-source.ts';
import type { Disk } from '../system/disk.ts';
import { UserError, unless } from '../system/errors.ts';
import { fingerprint, inKeyOrder } from '../system/fingerprint.ts';
import { memoize } from '../system/memoize.ts';
import { redactor } from '../system/secrets.ts';
import {
  changeOf,
  type PlannedServer,
  type PlannedServers,
  planAdding,
  planRemoval,
  planReplacing,
  serversWith,
} from './added-servers.ts';
import { backgroundRecords } from './background.ts';
import {
  chooseFile,
  filePlanner,
  filesOf,
  type GroupsByFile,
  groupsByFile,
  holds,
  otherFilesOf,
  otherUser,
  type Planning,
} from './client-file.ts';
import { readWritten } from './configured-hooks.ts';
import { type DescribeLaunch, writeApproval } from './consent/approval.ts';
import { type Decision, decide, denied } from './consent/grants.ts';
import {
  formerlyAfterInstall,
  formerlyAfterUninstall,
  type PolicySource,
  policySource,
  pruneFormerSources,
} from './consent/policy-source.ts';
import type { NamesKept, ServersOf } from './known-servers.ts';
import {
  type AddedServer,
  type Install,
  isInstall,
  type Ledger,
  madeOnTheWay,
  readLedger,
} from './ledger.ts';
import {
  BACKUPS,
  backups,
  type LedgerChange,
  ledgerChange,
  madeFor,
  memories,
  staleBackups,
} from './ledger-change.ts';
import type { InstallMessage } from './messages.ts';
import {
  marksOf,
  type Original,
  type PlannedOriginal,
  plannedOf,
  type Wishes,
} from './originals.ts';
import {
  type ClientPlan,
  differs,
  type FileChange,
  type FilePlan,
  type PlanOptions,
} from './planned-file.ts';
import { readPolicy } from './policy-file.ts';
import type { ServerToAdd } from './server-to-add.ts';
import { canMeet, folderOf, siteOf } from './site.ts';
import { unusedSignIns } from './tokens-in-use.ts';
import { type Forgetting, type PlannedTrust, recordsOf, withoutRecords } from './trust-records.ts';

export interface Plan {
  readonly kind: 'install' | 'uninstall';
  readonly label: string;
  readonly places: Places;
  readonly clients: readonly ClientPlan[];
  /** What to install; absent when uninstalling. */
  readonly declared?: ServerHooks;
  /** Absent when uninstalling. */
  readonly grants?: Decision;
  /** An install under the same label from another source, which will be removed. */
  readonly replaces?: Install;
  readonly isNew?: boolean;
  /** The same label in another scope, for the same clients and folder, where its hooks would run twice. */
  readonly twice?: readonly Install[];
  /** Clients without settings for the scope, for which nothing is planned. */
  readonly withoutScope?: readonly Client[];
  /** What `policy.json` allows the label by its name; absent when uninstalling. */
  readonly policy?: PolicySource;
  /** Hooks written by hand that this label's hooks replace, or replaced. */
  readonly originals?: readonly PlannedOriginal[];
  /** What happens to the server in the clients' files. */
  readonly servers?: readonly PlannedServer[];
  /** Trust in the hooks that clients forget. */
  readonly trust?: readonly PlannedTrust[];
  /** Our own files that are written before those of the clients: backups, and the runner that the clients will start. */
  readonly first: readonly FileChange[];
  /** Our own files that are removed once no client file needs them. */
  readonly last: readonly FileChange[];
  readonly ledger: LedgerChange;
  /** Folders to remove afterwards if they are empty, outermost first. */
  readonly emptied: readonly string[];
  /**
   * Our files that are unused once the ledger is written: state and logs of removed hooks. Hooks may write to them until then.
   */
  readonly discarded: () => readonly string[];
  /** Folders to remove last if they are empty, outermost first. */
  readonly stateFolders: readonly string[];
}

/** An install's plan also lists what needs a grant, and whether it is granted. */
export type InstallPlan = Plan & { readonly grants: Decision };

interface InstallOptions extends PlanOptions, RunnerHost {
  readonly actNow: boolean;
  readonly extraTurns: boolean;
  readonly allow: readonly Allowable[];
  /** Grants to take back. */
  readonly revoke?: readonly Grant[];
  /** Absent to omit messages about servers that a client has not configured. */
  readonly serversOf?: ServersOf;
  /** The hooks that this manifest was imported from, if they are still in the clients' files. */
  readonly originals?: readonly Original[];
  /** Takes the originals out. By default, they stay and run as well. */
  readonly replaceOriginals?: boolean;
  /** The server for clients that lack it, or why it cannot be added. Absent if that was not requested. */
  readonly server?: ServerToAdd | InstallMessage;
  /** Adds the server. By default, the plan only lists where it is missing. */
  readonly withServer?: boolean;
  /** The version of a client, if it is known without starting the client. */
  readonly versionOf: (client: Client) => string | undefined;
  readonly describeLaunch: DescribeLaunch;
}

/** Why nothing can be installed in clients that have no settings for the scope. */
export const noneHas = (clients: readonly Client[]): InstallMessage => ({
  code: clients.some(hasProjects) ? 'none-has-local' : 'none-has-project',
  clients: clients.map(({ name }) => name),
});

/** Whether nothing would change because the files are already as planned. */
export const isNothing = (plan: Plan): boolean =>
  plan.clients.every(({ change, refusal }) => !change && !refusal) && changesOf(plan).length === 0;

/** Whether anything would change for one client: its own file, or its runner files. */
export const wouldChange = (plan: Plan, client: Client): boolean =>
  plan.clients.some((one) => one.client === client && (one.change || one.refusal)) ||
  [...plan.first, ...plan.last].some(
    (one) => differs(one) && clientOf(basename(one.path)) === client.id,
  );

/** Every file that changes, in the order of writing; the ledger last. */
export function changesOf(plan: Plan): FileChange[] {
  const { path, before, after } = plan.ledger;
  const ledger = { path, before, after, mode: 0o600 };
  const all = [plan.clients, plan.servers ?? [], plan.trust ?? []].flat();
  const configs = all.flatMap(({ change }) => change ?? []);
  const whole = new Map<string, FileChange>();
  for (const change of configs) {
    const { before } = whole.get(change.path) ?? change;
    whole.set(change.path, { ...change, before });
  }
  return [...plan.first, ...whole.values(), ...plan.last, ledger].filter(differs);
}

/** A label is the name of a folder, and file names are case-insensitive on most systems other than Linux. */
export function refuseOtherCase(label: string, { installs }: Ledger): void {
  const other = installs.find(
    (one) => one.label !== label && one.label.toLowerCase() === label.toLowerCase(),
  );
  if (other)
    throw new UserError<InstallMessage>({ code: 'label-in-other-case', label, other: other.label });
}

/** Everything that is known about a label before anything is planned. */
function begin(label: string, { places, disk }: PlanOptions) {
  const found = readLedger(places.state, disk.read);
  const { ledger } = found;
  const known = ledger.installs.find(isInstall(label, siteOf(places)));
  const planning: Planning = { label, ledger, places, disk };
  return { found, ledger, known, planning };
}
type Begun = ReturnType<typeof begin>;

export function planInstall(declared: ServerHooks, options: InstallOptions): InstallPlan {
  const { places, disk } = options;
  const { label, source } = declared;
  const begun = begin(label, options);
  const { found, ledger, known, planning } = begun;

  refuseOtherCase(label, ledger);
  // Naming: the owner of the label, and what the user has allowed it.
  const policy = readPolicy(places.state, disk.read);
  const naming = { label, source, known, ledger, policy };
  const allowed = policySource({ ...naming, allow: options.allow.includes('policy') });
  const replaces = known && !isSameSource(known, source) ? known : undefined;
  // The user's grants, and the clients' names for the server, applied to the former source.
  const kept = replaces ? undefined : known;
  const isKept = (grant: Grant) => !options.revoke?.includes(grant);
  const grants = decide(declared, {
    given: options.allow,
    kept: kept?.grants && {
      ...{ ...kept.grants, copy: kept.copy },
      allowed: kept.grants.allowed.filter(isKept),
    },
    policy,
    restricting: allowed.restricting,
  });

  // Clients: what each of them runs, and in which of its files.
  const servers = serversIn(options, begun, kept);
  const { serversOf } = options;
  const withOwn = serversOf && { serversOf: serversWith(servers.planned, serversOf) };
  const wanted = options.clients.flatMap((client) =>
    wantedIn(client, declared, { ...options, ...withOwn }, { planning, kept, grants, allowed }),
  );
  const withoutScope = options.clients.filter((client) =>
    wanted.every((one) => one.client !== client),
  );
  if (wanted.length === 0 && withoutScope.length > 0)
    throw new UserError<InstallMessage>(noneHas(withoutScope));

  const records = recordsOf(label, options, (client, native) =>
    wanted.some(
      (one) => one.client === client && one.compiled.groups.some(({ event }) => event === native),
    ),
  );
  const edits = withoutRecords(servers.edits, records);
  const meant = originalsIn(wanted, declared, grants, options, begun);
  const now = { ...planning, wishesFor: meant.wishesFor, edits };
  const plans = planFiles(wanted, now, meant.ready);
  const added = addedIn({ ...servers, edits }, plans, options);
  const originals = [...meant.others, ...plans.flatMap((plan) => plan.originals ?? [])];
  const runner = planRunner(declared, wanted, options, known);
  const names = inKeyOrder([
    ...Object.entries(kept?.servers ?? {}).filter(([id]) =>
      wanted.every((one) => one.client.id !== id),
    ),
    ...wanted.flatMap(({ client, called }) => (called ? [[client.id, called] as const] : [])),
  ]);
  const ids = new Set([...(known?.clients ?? []), ...plans.map(({ client }) => client.id)]);
  const install = (isUnderWay: boolean): Install => ({
    label,
    ...siteOf(places),
    clients: [...ids].sort(),
    source: sourceInWords(source),
    ...originOf(source),
    ...(allowed.restricting && { foreignPolicy: true }),
    events: [...new Set(declared.hooks.map(({ event }) => event))],
    actNow: options.actNow,
    extraTurns: options.extraTurns,
    ...(Object.keys(names).length > 0 && { servers: names }),
    ...(grants.granted && { grants: grants.granted }),
    ...copyIn(declared, wanted),
    runner: runner.recorded(),
    ...added.recorded(isUnderWay),
  });
  const first = memoize(() => [...backups(plans, disk), ...runner.written()]);
  const formerly = formerlyAfterInstall(naming, allowed);
  const twice = alsoElsewhere(wanted, declared, begun);
  return {
    kind: 'install',
    ...(twice.length > 0 && { twice }),
    ...(originals.length > 0 && { originals }),
    ...(added.servers.length > 0 && { servers: added.servers }),
    ...forgotten(records, added),
    label,
    declared,
    places,
    clients: plans,
    grants,
    policy: allowed,
    isNew: known === undefined,
    ...(withoutScope.length > 0 && { withoutScope }),
    ...(replaces && { replaces }),
    get first() {
      return first();
    },
    last: [...runner.removed, ...staleBackups(plans, disk)],
    ledger: ledgerChange(found, plans, options, known, install, formerly),
    discarded: () => [
      ...(replaces && isOnly(replaces, ledger) ? logged(places.state, label) : []),
      // Commands that still run were started by another runner.
      ...([...first(), ...runner.removed].some(differs)
        ? backgroundRecords(places.state, label, disk)
        : []),
    ],
    emptied: [...madeFor(plans), ...added.emptied, join(places.state, BACKUPS)],
    stateFolders: [],
  };
}

/** The copy of the server's package, if a hook calls a tool. */
function copyIn({ server }: ServerHooks, wanted: readonly Wanted[]): Pick<Install, 'copy'> {
  const isCalled = wanted.some(({ compiled: { program } }) =>
    Object.values(program.events).some(({ hooks }) => hooks.some(({ call }) => call)),
  );
  if (!server?.copy || !isCalled) return {};
  const { spec, exact, others, folder } = server.copy;
  return { copy: { spec, exact, others, folder: basename(folder) } };
}

/** Plans what happens to the server in the files in which clients keep their servers. */
function serversIn(
  { clients, places, disk, server, withServer = false, serversOf }: InstallOptions,
  { known, ledger }: Begun,
  kept: Install | undefined,
): PlannedServers {
  const plan = kept ? planAdding : planReplacing;
  return plan(clients, {
    ...{ places, disk, server, withServer, serversOf, names: kept?.servers },
    added: known?.added ?? [],
    all: ledger.installs.flatMap((one) => one.added ?? []),
  });
}

/** The changes to files with servers but none of our hooks, and the ledger's records of all servers. */
function addedIn(
  { planned, edits, kept, leaving }: PlannedServers,
  plans: readonly FilePlan[],
  options: PlanOptions,
) {
  const isIn = (path: string) => plans.some((plan) => plan.path === path && plan.added);
  const apart = edits.flatMap((edit) =>
    isIn(edit.path) ? [] : [{ edit, ...changeOf(edit, options) }],
  );
  const made = [...plans, ...apart].flatMap((one) => one.added ?? []);
  const recorded = (isUnderWay: boolean): { added?: readonly AddedServer[] } => {
    const all = [...kept, ...(isUnderWay ? leaving : []), ...made];
    return all.length > 0 ? { added: all } : {};
  };
  const withChange = <T extends { client: Client; path?: string }>(one: T): T => {
    const own = apart.find(({ edit }) => edit.path === one.path && edit.client === one.client);
    return own?.change ? { ...one, change: own.change } : one;
  };
  const emptied = leaving.flatMap(({ madeFolders }) => madeFolders);
  return { servers: planned.map(withChange), withChange, recorded, emptied };
}

const forgotten = (
  records: readonly Forgetting[],
  { withChange }: ReturnType<typeof addedIn>,
): Pick<Plan, 'trust'> =>
  records.length > 0 ? { trust: records.map(({ without, ...one }) => withChange(one)) } : {};

/** What a client is to run. */
interface Wanted {
  readonly client: Client;
  readonly compiled: Compiled;
  /** The value of `{server}`, if a hook uses it. */
  readonly called: NamesKept[string] | undefined;
  /** The groups for each of its files. */
  readonly files: GroupsByFile;
}

/** Empty for a client without settings for the scope. */
function wantedIn(
  client: Client,
  declared: ServerHooks,
  options: InstallOptions,
  named: Pick<Begun, 'planning'> & {
    readonly kept: Install | undefined;
    readonly grants: Decision;
    readonly allowed: PolicySource;
  },
): Wanted[] {
  const { planning, kept, grants, allowed } = named;
  const config = chooseFile(client, planning);
  if (!config) return [];
  const { places } = options;
  const others = memoize(() => othersOn(client, planning));
  const isNamed = declared.hooks.some(namesServers);
  const servers = isNamed ? options.serversOf?.(client, kept?.servers) : undefined;
  const before = kept?.servers?.[client.id];
  const compiled = compile(declared, client, {
    ...options,
    ...(servers && { servers }),
    serverName: servers?.own ?? before?.name,
    othersOn: (native) => others().has(native),
    version: options.versionOf(client),
    runner: runnerFolder(places, declared.label),
    state: places.state,
    tokens: savedSignIn(declared, places.state),
    defaults: grants.defaults,
    rules: grants.rules,
    restricting: allowed.restricting,
    ...(options.platform === 'win32' && { windows: { node: options.node } }),
  });
  const { serverName: name, groups } = compiled;
  // Hashing an entry loads node:crypto.
  const seen =
    name === undefined ? undefined : servers?.own === undefined ? before?.seen : servers.seen;
  const called = name === undefined ? undefined : { name, ...(seen !== undefined && { seen }) };
  return [{ client, compiled, called, files: groupsByFile(client, groups, config, planning) }];
}

/** The native events for which a client's settings have hooks that are not ours. */
function othersOn(client: Client, { places, disk }: Planning): ReadonlySet<string> {
  const { hooks } = readWritten(client, places, disk);
  return new Set(hooks.flatMap(({ label, native }) => (label === undefined ? native : [])));
}

/** Which originals can be taken out, and what to report about the others. */
function originalsIn(
  wanted: readonly Wanted[],
  { hooks }: ServerHooks,
  grants: Decision,
  { originals = [], replaceOriginals = false, places }: InstallOptions,
  { ledger }: Begun,
) {
  const { leftOut, undecided } = denied(hooks, grants);
  const runsIn = ({ compiled }: Wanted, hook: HookDeclaration, index: number) =>
    ![...leftOut, ...undecided].includes(index + 1) &&
    compiled.hooks.some(({ declaration, grade }) => declaration === hook && grade !== 'none');
  const all = wanted.flatMap((one) =>
    originals
      .filter(({ client }) => client === one.client)
      .map((original) => ({ original, why: whyLeft(one, original) })),
  );
  function whyLeft(one: Wanted, { client, path, hook }: Original): InstallMessage | undefined {
    const declared = hooks[hook];
    if (!declared || !runsIn(one, declared, hook))
      return { code: 'original-not-installed', client: client.name };
    const config = configAt(client, path, places);
    if (!config) return { code: 'original-of-scope' };
    const other = otherUser(client, config, ledger.files[path], places);
    return other === undefined ? undefined : { code: 'original-of-other', other };
  }
  const ready = all.flatMap(({ original, why }) => (why ? [] : original));
  const others = all.flatMap(({ original, why }): PlannedOriginal[] => {
    if (why) return [{ ...plannedOf(original), action: 'stays', why }];
    return replaceOriginals ? [] : [{ ...plannedOf(original), action: 'twice' }];
  });
  const take = replaceOriginals ? ready : [];
  const wishesFor = (client: Client, path: string): Wishes => ({
    hooks,
    take: take.filter((one) => one.client === client && one.path === path),
    runs: () =>
      wanted
        .filter((one) => one.client === client)
        .flatMap((one) => hooks.filter((hook, index) => runsIn(one, hook, index)).map(marksOf)),
  });
  return { wishesFor, ready: take, others };
}

const configAt = (client: Client, path: string, places: Places) =>
  filesIn(client, places).find((file) => configPath(client, file, places) === path);

/** The clients' files: those that get groups, those that lose copies of our groups, and those with originals. */
function planFiles(
  wanted: readonly Wanted[],
  planning: Planning,
  originals: readonly Original[],
): FilePlan[] {
  const { places } = planning;
  const planFile = filePlanner(planning);
  const own = wanted.flatMap(({ client, compiled, files }) =>
    files.map(([config, groups], index): FilePlan => {
      const plan = planFile(client, config, configPath(client, config, places), groups);
      // Notes about the client are reported with its first file.
      const said = index > 0 && { tooOld: undefined, hooks: [], notes: [] };
      return { ...plan, compiled: { ...compiled, groups, ...said } };
    }),
  );
  const copies = wanted.flatMap(({ client, files }) => {
    const used = files.map(([config]) => config);
    const others = otherFilesOf(client, used, planning);
    return others.map(([path, config]) => planFile(client, config, path, []));
  });
  const done = [...own, ...copies];
  const apart = originals.filter(
    ({ client, path }) => !done.some((one) => one.client === client && one.path === path),
  );
  const emptied = wanted.flatMap(({ client }) =>
    [...new Set(apart.flatMap((one) => (one.client === client ? one.path : [])))].flatMap(
      (path) => {
        const config = configAt(client, path, places);
        return config ? [planFile(client, config, path, [])] : [];
      },
    ),
  );
  const all = [...done, ...emptied];
  // If two clients use the same settings file without sharing it, each would undo the other's changes.
  return all.map((plan) => {
    const first = all.find(({ path }) => path === plan.path) ?? plan;
    if (first === plan || plan.config.sharedWith?.includes(first.client.id)) return plan;
    const refusal = new Refusal<InstallMessage>({ code: 'two-names', other: first.client.name });
    return { ...plan, refusal };
  });
}

/** The runner files. They are generated on demand, because diff does not need them when a client file changes. */
function planRunner(
  declared: ServerHooks,
  wanted: readonly Wanted[],
  options: InstallOptions,
  known: Install | undefined,
) {
  const { places, disk } = options;
  const folder = runnerFolder(places, declared.label);
  const programs = wanted.map(({ compiled }) => compiled.program);
  const files = memoize(() =>
    runnerFiles(options, folder, programs, writeApproval(declared, options.describeLaunch)),
  );
  // Files for events that are no longer used, or of an older runner.
  const names = runnerNames(programs);
  const present = disk.list(folder);
  const isReplaced = (name: string) =>
    clientOf(name) === undefined ? recorded(known).includes(name) : isOwn(name, options);
  const old = present.filter((name) => !names.includes(name) && isReplaced(name));
  return {
    written: () =>
      files().map(({ name, bytes: after, mode }): FileChange => {
        const path = join(folder, name);
        return { path, before: present.includes(name) ? disk.read(path) : null, after, mode };
      }),
    // In the same order after any install or update, so that the ledger changes only with the files.
    recorded: () =>
      inKeyOrder([
        ...Object.entries(known?.runner ?? {}).filter(([name]) => !isReplaced(name)),
        ...files().map(({ name, bytes }) => [name, fingerprint(bytes.toString())] as const),
      ]),
    removed: without(folder, old, disk),
  };
}

/** The same label in another scope, for the same clients and folder. */
function alsoElsewhere(
  wanted: readonly Wanted[],
  { source }: ServerHooks,
  { ledger, known, planning }: Begun,
): Install[] {
  const { label, places } = planning;
  const folder = places.project ?? onlyIn(source);
  const ids = wanted.flatMap(({ client, compiled }) =>
    compiled.groups.length > 0 ? client.id : [],
  );
  return ledger.installs.filter((one) => {
    if (one.label !== label || one === known) return false;
    const isHere =
      one.project === null
        ? places.project !== undefined
        : places.project === undefined || one.project === places.project;
    return isHere && canMeet(folder, folderOf(one)) && ids.some((id) => one.clients.includes(id));
  });
}

export function planUninstall(label: string, options: PlanOptions): Plan {
  const { places, disk } = options;
  const { state } = places;
  const { found, ledger, known, planning } = begin(label, options);
  const servers = planRemoval(options.clients, { places, disk, added: known?.added ?? [] });
  const records = recordsOf(label, options);
  const edits = withoutRecords(servers.edits, records);
  const planFile = filePlanner({ ...planning, edits });
  const plans = options.clients.flatMap((client) =>
    filesOf(client, planning).map(([path, config]) => planFile(client, config, path, [])),
  );
  const originals = plans.flatMap((plan) => plan.originals ?? []);
  const added = addedIn({ ...servers, edits }, plans, options);
  const gone = options.clients.map(({ id }) => id);
  // Includes clients whose record was lost.
  const left = CLIENTS.filter(({ id }) => !gone.includes(id)).filter(
    (client) => known?.clients.includes(client.id) || holds(client, label, options),
  );

  const folder = runnerFolder(places, label);
  const own = disk.list(folder).filter((name) => isOwn(name, options));
  const shared = left.length === 0 ? [...SHARED, ...recorded(known)] : [];
  const runner = without(folder, [...new Set([...shared, ...own])], disk);
  const remaining = Object.entries(known?.runner ?? {}).filter(([name]) => !isOwn(name, options));
  const next = (isUnderWay: boolean): Install | undefined => {
    if (!known || left.length === 0) return undefined;
    const { added: _, ...rest } = known;
    return {
      ...rest,
      clients: left.map(({ id }) => id),
      runner: Object.fromEntries(remaining),
      ...added.recorded(isUnderWay),
    };
  };
  const formerly =
    known && left.length === 0
      ? formerlyAfterUninstall(known, ledger, policyFor([label], options))
      : pruneFormerSources(ledger.formerly, policyFor(Object.keys(ledger.formerly ?? {}), options));
  const change = ledgerChange(found, plans, options, known, next, formerly);
  const isLast = left.length === 0 && isOnly(known ?? { label }, ledger);
  const signIns = unusedSignIns(ledger, left.length === 0 ? known : undefined, options);
  const given = [places.home, places.project];
  return {
    kind: 'uninstall',
    label,
    places,
    clients: plans,
    ...(originals.length > 0 && { originals }),
    ...(added.servers.length > 0 && { servers: added.servers }),
    ...forgotten(records, added),
    first: [],
    last: [...runner, ...staleBackups(plans, disk)],
    ledger: change,
    discarded: () => [
      ...(isLast ? logged(state, label) : []),
      ...backgroundRecords(state, label, disk),
      ...signIns,
      ...memories(sessionsFolder(state), change.isBare ? disk : undefined),
    ],
    emptied: [
      ...madeFor(plans),
      ...added.emptied,
      join(state, BACKUPS),
      ...(places.project === undefined ? [] : [dirname(dirname(folder))]),
      dirname(folder),
      folder,
    ],
    stateFolders: [
      ...(change.after === null ? madeOnTheWay(change.path, ledger.madeFolders, given) : []),
      ...(isDefault(places) ? [state] : []),
      ...[logFolder(state), sessionsFolder(state), tokensFolder(state)],
    ],
  };
}

/** The files with the log of a label's firings. */
const logged = (state: string, label: string): string[] => [
  ...logFiles(state, label),
  ...countFiles(state, label),
  ...sentFiles(state, label),
];

/** Whether the label is installed in no other scope. */
const isOnly = (install: Pick<Install, 'label'>, { installs }: Ledger): boolean =>
  !installs.some((one) => one.label === install.label && one !== install);

/** The policy. An unreadable policy may allow these labels anything, so it is treated as if it did. */
const policyFor = (labels: readonly string[], { places, disk }: PlanOptions): Policy =>
  unless(
    UserError,
    () => readPolicy(places.state, disk.read),
    () => ({ servers: Object.fromEntries(labels.map((label) => [label, { trusted: true }])) }),
  );

/** Whether a runner file is only for these clients. */
const isOwn = (name: string, { clients }: PlanOptions): boolean =>
  clients.some(({ id }) => id === clientOf(name));

/** The runner files at install, perhaps written by another version of mcp-hooks. */
const recorded = (install: Install | undefined): string[] => Object.keys(install?.runner ?? {});

const without = (folder: string, names: readonly string[], disk: Disk): FileChange[] =>
  names.map((name) => {
    const path = join(folder, name);
    return { path, before: disk.read(path), after: null, mode: 0o600 };
  });

/** Where a declaration came from, for `list`. A token among the arguments is masked. */
export function sourceInWords(source: Source): string {
  if (source.kind === 'catalogue')
    return `mcp-hooks' catalogue (${source.name}), for ${sourceInWords(source.of)}`;
  if (source.kind === 'manifest') return source.path;
  if (source.kind === 'url') return redactor({})(source.url);
  if (source.kind === 'npm') return `npm:${source.spec}`;
  if (source.kind === 'configured') return `${source.name} in ${source.file}`;
  return redactor({})([source.command, ...source.args].join(' '));
}

/** The source in a machine-readable form; not stored if it contains a secret. */
function originOf(source: Source): Pick<Install, 'origin' | 'sourceMark'> {
  // Headers are stored only if they are not secret.
  const from = serverSource(source);
  // These are only names and paths, including that of the file with the sign-in.
  if (from.kind === 'configured' || onlyIn(from) !== undefined) return { origin: source };
  const text = JSON.stringify(from.kind === 'url' ? from.url : from);
  return redactor({})(text) === text ? { origin: source } : { sourceMark: sourceDigest(source) };
}
