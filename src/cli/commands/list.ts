/** `mcp-hooks list`: shows what is installed, where, for which events, and whether it fires. */

import { join } from 'node:path';
import { copiesFolder, type Places, tilde, tildeInWords } from '../../clients/places.ts';
import { CLIENTS, nameOfClient } from '../../clients/registry.ts';
import { onlyIn } from '../../declaration/declared.ts';
import { type ManagedHooks, managedHooks } from '../../diagnose/doctor/managed.ts';
import { mistyped } from '../../diagnose/doctor/policy.ts';
import { allFire, type ClientStatus, statusOf } from '../../diagnose/doctor/status.ts';
import { shippedIn } from '../../diagnose/shipped.ts';
import { type AddedNow, addedNow, addedTo } from '../../install/added-servers.ts';
import { type InstalledClient, lookAt, runnerDrift } from '../../install/drift.ts';
import { type AddedServer, type Install, isInstall, ledgerPath } from '../../install/ledger.ts';
import { readPolicy } from '../../install/policy-file.ts';
import { siteInWords, siteJson } from '../../install/site.ts';
import { messages } from '../../present/messages/output.ts';
import { sentence, sentences } from '../../present/messages/sentence.ts';
import { inLines } from '../../present/render/lines.ts';
import { installedPart, narrowed, notFiring, statusJson } from '../../present/render/status.ts';
import { disk } from '../../system/disk.ts';
import { type Message, mapTexts, UserError } from '../../system/errors.ts';
import { paint, type Terminal, wrap } from '../../system/terminal.ts';
import { inLine, toJson } from '../../system/visible.ts';
import { type Command, type Context, type Flags, OK } from './command.ts';
import { doctorContext } from './doctor-context.ts';
import { notInstalled } from './nothing-installed.ts';

interface Listed {
  readonly install: Install;
  /** The events of hooks that are installed in any client, in order, without duplicates. */
  readonly events: readonly string[];
  readonly clients: readonly {
    readonly entries: InstalledClient;
    /** Undefined for a client that this version does not know. */
    readonly status: ClientStatus | undefined;
  }[];
  /** The server in clients' files, added by `--with-server`. */
  readonly added: readonly (Pick<AddedServer, 'client' | 'file'> & AddedNow)[];
}

export const list: Command = {
  name: 'list',
  group: 'Manage',
  summary: 'show what is installed, where, and whether it fires',
  operands: '[label]',
  examples: ['list', 'list annal --json'],
  run,
};

async function run(context: Context, label: string | undefined, flags: Flags): Promise<number> {
  const { terminal } = context;
  const at = doctorContext(context);
  const { user, ledger } = at;
  if (at.broken)
    terminal.err(inLines([messages.ledgerUnread(tilde(ledgerPath(user.state), user.home))]));
  try {
    const policy = readPolicy(user.state, at.read);
    for (const one of mistyped(policy, ledger))
      terminal.err(inLines([`warning: ${sentence(one)}`]));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const short = (text: string) => tildeInWords(text, user.home);
    const said = [error.problem, ...error.details].map((one) => mapTexts(one, short));
    terminal.err(inLines(sentences(said)));
  }
  const meant = ledger.installs.filter((one) => label === undefined || one.label === label);
  const managed = CLIENTS.flatMap((client) => managedHooks(client, at)).filter(
    (one) => label === undefined || one.label === label,
  );
  const isManaged = (name: string) => managed.some((one) => one.label === name);
  const shipped = (label === undefined ? shippedIn(user.state, disk) : []).filter(
    (one) => !isManaged(one.label),
  );
  if (label !== undefined && meant.length === 0 && managed.length === 0)
    throw notInstalled(context, label, user, ledger);
  const statuses = await statusOf(at);
  const listed = meant.map((install): Listed => {
    const places = at.placesOf(install);
    const runner = runnerDrift(install, places, at.read);
    const own = statuses.filter((one) => isInstall(install.label, install)(one.install));
    const events = [...new Set(own.flatMap(({ hooks }) => hooks.map(({ event }) => event)))];
    const known = CLIENTS.map(({ id }) => id).filter((id) => install.clients.includes(id));
    // Clients that this version does not know come last.
    const clients = [...new Set([...known, ...install.clients])].map((id) => ({
      entries: lookAt(id, install, places, ledger, { runner, read: at.read }),
      status: own.find(({ client }) => client.id === id),
    }));
    const added = addedTo(install, at).map((one) => ({ ...one, ...addedNow(one, at.read) }));
    return { install, events, clients, added };
  });
  if (flags.json) {
    const installed = listed.map(listedJson);
    const others = shipped.map(({ label: name, clients }) => ({ label: name, clients }));
    terminal.out(
      toJson({
        readable: !at.broken,
        installed,
        managed: managed.map(managedJson),
        shipped: others,
      }),
    );
    return OK;
  }
  if (at.broken) terminal.out(`${messages.installedUnknown}\n`);
  else if (listed.length + managed.length === 0) {
    const isNone = shipped.length === 0;
    terminal.out(`${isNone ? messages.nothingInstalledYet : messages.onlyShipped}\n`);
  }
  const isShort = listed.length > 1 && !flags.verbose;
  for (const one of listed) terminal.out(showListed(context, one, user, { ...flags, isShort }));
  for (const one of managed) terminal.out(showManaged(terminal, one));
  for (const one of shipped)
    terminal.out(`${wrap(inLine(sentence({ code: 'shipped', ...one })), terminal.columns, '')}\n`);
  return OK;
}

/** For a client that this version does not know, only the ID is known. */
const nameOf = (id: string): string => inLine(nameOfClient(id), 60);

function showListed(
  { terminal }: Context,
  { install, events, clients, added }: Listed,
  at: Places,
  { verbose, isShort }: Pick<Flags, 'verbose'> & { readonly isShort: boolean },
): string {
  const { home } = at;
  const short = (path: string) => inLine(tilde(path, home));
  const { label, project, source } = install;
  const columns = terminal.tty ? terminal.columns : Number.POSITIVE_INFINITY;
  const own = onlyIn(install.origin);
  const folder =
    project === null ? own && `only in ${tilde(own, home)}` : `in ${siteInWords(install, home)}`;
  const where = folder === undefined ? '' : `  ${inLine(folder)}`;
  const width = Math.max(...clients.map(({ entries: { id } }) => nameOf(id).length));
  const parts = clients.map(({ status }) => status && installedPart(status));
  const isCommon = clients.length > 1 && events.length > 0 && new Set(parts).size === 1;
  const common = isCommon ? parts[0] : undefined;
  const shown = clients.map(({ entries: { id, file, state, backup }, status }, at) => {
    const part = common === undefined ? parts[at] : undefined;
    const words = [...(part === undefined ? [] : [part]), ...stateOf(state, status)].join('; ');
    const fires = status !== undefined && allFire([status]);
    const isFine = fires && state.code === 'intact' && !hasNone(status);
    const copy = verbose && backup !== null ? `  (before: ${short(backup)})` : '';
    const first = `  ${nameOf(id).padEnd(width)}  `;
    const under = ' '.repeat(first.length);
    const paints = (text: string) => paint(terminal, isFine ? 'green' : 'red', text);
    const before = copy && paint(terminal, 'dim', copy);
    const place = short(file);
    const above = wrap(inLine(words), columns, under).slice(under.length);
    const line =
      `${first}${inLine(words)}  ${place}${copy}`.length <= columns
        ? `${first}${paints(inLine(words))}  ${place}${before}\n`
        : `${first}${paints(above)}\n${wrap(place + copy, columns, under)}\n`;
    return { line, isIntact: isFine && words === sentence(state) };
  });
  const intact = shown.filter(({ isIntact }) => isIntact);
  const inOneLine = isShort && intact.length > 1;
  const lines = shown.flatMap(({ line, isIntact }) => (inOneLine && isIntact ? [] : line));
  if (inOneLine) lines.unshift(`  ${paint(terminal, 'green', messages.intactIn(intact.length))}\n`);
  if (install.copy) {
    const { exact, folder } = install.copy;
    const place = short(join(copiesFolder(at.state), folder));
    lines.push(`${wrap(messages.copyListed(inLine(exact), place), columns, '    ', '  ')}\n`);
  }
  if (added.length > 0) {
    const all = added.map(({ client, name, state }) => ({ client: nameOf(client), name, state }));
    lines.push(`${wrap(inLine(messages.serversListed(all), 2000), columns, '    ', '  ')}\n`);
  }
  const said = [events.join(', ') || messages.noHookInstalled, common ?? []].flat().join('; ');
  const head = `${paint(terminal, 'bold', label)}  `;
  return `${wrap(`${said}${where}  (from ${inLine(tildeInWords(source, home))})`, columns, '  ', head)}\n${lines.join('')}`;
}

/** One line, because the user cannot change it. */
function showManaged(terminal: Terminal, { client, label, path, isGone }: ManagedHooks): string {
  const words = isGone ? messages.managedGone : messages.managed;
  const head = `${paint(terminal, 'bold', inLine(label))}  `;
  const columns = terminal.tty ? terminal.columns : Number.POSITIVE_INFINITY;
  return `${wrap(`${words(client.name)}  ${inLine(path)}`, columns, '  ', head)}\n`;
}

export const managedJson = ({ client, label, path, events, isGone }: ManagedHooks) => ({
  label,
  client: client.id,
  file: path,
  events,
  fires: !isGone,
});

/** What happened to the entries, or why intact entries do not fire. */
function stateOf(state: Message, status: ClientStatus | undefined): string[] {
  // If all hooks are left out, there are no entries to be intact.
  if (status && state.code === 'intact' && hasNone(status)) return [];
  if (!status) return [sentence(state)];
  if (state.code === 'intact')
    return [
      status.blockers.length > 0 ? messages.installedBut(notFiring(status)) : sentence(state),
    ];
  const others = narrowed(
    status,
    () => true,
    ({ check }) => check !== 'entries' && check !== 'runner', // both say what the state says
  );
  return [
    sentence(state),
    ...(others.blockers.length > 0 ? [messages.notFiring(notFiring(others))] : []),
  ];
}

const hasNone = ({ hooks, hooksLeftOut }: ClientStatus): boolean =>
  hooks.length === 0 && hooksLeftOut.length > 0;

export const listedJson = ({ install, events, clients, added }: Listed) => ({
  label: install.label,
  ...siteJson(install),
  onlyIn: onlyIn(install.origin),
  source: install.source,
  copy: install.copy?.exact,
  ...(added.length > 0 && {
    servers: added.map(({ client, name, file, state }) => ({ client, name, file, state })),
  }),
  events,
  clients: clients.map(({ entries, status }) => ({
    ...entries,
    state: sentence(entries.state),
    code: entries.state.code,
    ...(status && statusJson(status)),
  })),
});
