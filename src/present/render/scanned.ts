/** The result of querying all configured servers, for people and for scripts. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { shellQuote } from '../../compile/command.ts';
import { isLabel } from '../../declaration/declaration.ts';
import type { ServerHooks } from '../../declaration/declared.ts';
import { labelWithScope } from '../../diagnose/doctor/origin.ts';
import type { KnownInstall, NotAnswered, ScanOutcome, Server } from '../../diagnose/scan.ts';
import { scopeOf } from '../../install/site.ts';
import type { Entry } from '../../sources/configurations.ts';
import { howShown } from '../../sources/configured.ts';
import { looksLikePath } from '../../sources/manifests/read.ts';
import { count } from '../../system/plurals.ts';
import { table } from '../../system/table.ts';
import { paint, type Terminal, wrap } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import { messages } from '../messages/output.ts';
import { bare, sentences } from '../messages/sentence.ts';
import { folded } from './lines.ts';
import { notUnderstood } from './words.ts';

export interface Scanned {
  readonly server: Server;
  readonly outcome: ScanOutcome;
  readonly installed?: KnownInstall;
}

export function showScanned(terminal: Terminal, scanned: readonly Scanned[], cwd: string): string {
  const lines = table<Scanned>(
    terminal,
    [
      { head: 'server', cell: ({ server }) => inLine(server.name, 60), style: 'bold' },
      // The file of each server is already listed before the servers are queried.
      { head: 'configured in', cell: whereOf, spare: 1 },
      { head: 'hooks', cell: hooksCell },
    ],
    scanned,
  );
  const columns = terminal.tty ? terminal.columns : Number.POSITIVE_INFINITY;
  // Indented lines are commands to copy, so they are not wrapped.
  const end = closing(scanned, cwd).map((line) =>
    line.startsWith('  ') ? line : wrap(line, columns, ''),
  );
  const more = [
    ...scanned.flatMap((one) => details(terminal, one)),
    ...(end.length > 0 ? [''] : []),
  ];
  return `${[...lines, ...more, ...end].join('\n')}\n`;
}

function details(terminal: Terminal, { server, outcome }: Scanned): string[] {
  if (outcome.kind === 'hooks' || !outcome.details?.length) return [];
  const head = paint(terminal, 'bold', inLine(server.name, 60));
  return ['', head, ...folded(sentences(outcome.details), terminal.columns, '  ')];
}

function closing(scanned: readonly Scanned[], cwd: string): string[] {
  const declaring = scanned.filter(({ outcome }) => countOf(outcome) > 0);
  const toInstall = declaring.filter(({ installed }) => !installed);
  const toUpdate = scanned.flatMap(({ installed }) => (installed?.changed ? [installed] : []));
  const listed = scanned.filter((one) => cataloguedIn(one) && !one.installed);
  const unasked = scanned.filter(({ outcome }) => outcome.kind !== 'hooks').length;
  const offers = scanned.map((one) => offerOf(one, scanned, cwd).kind);
  const installing = (one: Scanned) =>
    `  ${installLine(one, scanned, cwd) ?? messages.scanNameIsFlag(inLine(one.server.name, 60))}`;
  return [
    ...(toInstall.length > 0 ? [messages.scanInstalls] : []),
    ...toInstall.map(installing),
    ...(toUpdate.length > 0 ? [messages.scanUpdates] : []),
    ...toUpdate.map((one) => `  ${updateLine(one)}`),
    ...(declaring.length > 0 && declaring.every(({ installed }) => isUpToDate(installed))
      ? [messages.scanNothingNew]
      : []),
    ...(declaring.length === 0 && unasked < scanned.length && scanned.every((one) => !one.installed)
      ? [messages.noneDeclares(scanned.length - unasked, scanned.length)]
      : []),
    ...(listed.length > 0 ? [messages.scanCatalogued] : []),
    ...listed.map(installing),
    ...(offers.filter((kind) => kind === 'hooks').length > 1
      ? [messages.scanInstallAll, '  mcp-hooks install --all']
      : []),
    ...(offers.includes('none') ? [messages.scanWrites, '  mcp-hooks init <server>'] : []),
    ...(unasked > 0 ? [messages.scanUnasked(unasked, scanned.length)] : []),
  ];
}

/** `scan` never writes, so it does not have to say that nothing was written. */
const reasonUnasked = ({ why }: NotAnswered): string => bare(why);

const isUpToDate = (installed: KnownInstall | undefined): boolean =>
  installed?.same === true && !installed.changed;

/** The catalogue's hooks for a server. If the server could not be queried, its earlier declaration takes precedence. */
const cataloguedIn = ({ outcome, installed }: Scanned): ServerHooks | undefined =>
  outcome.kind === 'hooks' || !installed || installed.install.origin?.kind === 'catalogue'
    ? outcome.catalogued
    : undefined;

const countOf = (outcome: ScanOutcome): number =>
  outcome.kind === 'hooks' ? outcome.declared.hooks.length : 0;

function hooksCell(one: Scanned): string {
  const { server, outcome, installed } = one;
  const listed = cataloguedIn(one);
  const known =
    outcome.kind === 'hooks'
      ? declaredInWords(outcome.declared)
      : // More may follow, so it is no sentence here.
        `${outcome.kind}: ${reasonUnasked(outcome).replace(/\.$/, '')}`;
  const offer = listed ? `; ${messages.inCatalogue(hooksOf(listed))}` : '';
  const more = installed ? ` (${inLine(installedInWords(server.name, installed))})` : '';
  return inLine(known, 300) + offer + more;
}

function declaredInWords(declared: ServerHooks): string {
  const known = declared.hooks.length === 0 ? messages.declaresNone : hooksOf(declared);
  const odd = notUnderstood(declared).length;
  return odd > 0 ? `${known}; ${messages.scanMore(odd)}` : known;
}

const whereOf = ({ server: { entry, also } }: Scanned): string =>
  [...new Set([entry, ...also].map(({ client }) => client.name))].join(', ');

const hooksOf = ({ hooks }: ServerHooks): string =>
  `${count(hooks.length, 'hook')}: ${[...new Set(hooks.map(({ event }) => event))].join(', ')}`;

function installedInWords(name: string, { install, same, changed }: KnownInstall): string {
  if (!same) return messages.scanNameTaken(install.label, install.source);
  const as = install.label === name ? undefined : install.label;
  return messages.scanInstalled(as, install.project !== null, changed);
}

/** How `install --all` treats a server: the hooks that it installs, or why it leaves the server out. */
type Offer =
  | { readonly kind: 'hooks'; readonly hooks: ServerHooks }
  | { readonly kind: 'none' | 'installed' | 'not answered' }
  | { readonly kind: 'other'; readonly why: string };

export function offerOf(one: Scanned, all: readonly Scanned[], cwd: string): Offer {
  const { server, outcome, installed } = one;
  const { name } = server;
  if (installed?.same) return { kind: 'installed' };
  if (installed) {
    const { label, source } = installed.install;
    return { kind: 'other', why: messages.scanNameTaken(label, source) };
  }
  const hooks =
    outcome.kind === 'hooks' && outcome.declared.hooks.length > 0
      ? outcome.declared
      : cataloguedIn(one);
  if (!hooks) return { kind: outcome.kind === 'hooks' ? 'none' : 'not answered' };
  const isClear = isLabel(name) && all.every((it) => it === one || it.server.name !== name);
  if (isClear) return { kind: 'hooks', hooks };
  const line = installLine(one, all, cwd);
  const why = line === undefined ? messages.nameIsFlag : messages.notByAll(line);
  return { kind: 'other', why };
}

/**
 * The shell command that installs the server. The name is untrusted, so it is quoted. Undefined if the name would be a flag of
 * the command.
 */
function installLine(
  { server }: Scanned,
  all: readonly Scanned[],
  cwd: string,
): string | undefined {
  const { name, entry } = server;
  if (name.startsWith('-')) return undefined;
  const isOne = all.every((one) => one.server === server || one.server.name !== name);
  return [
    'mcp-hooks install',
    shellQuote(inLine(name)),
    ...(isOne && !meansOther(name, cwd) ? [] : ['--from', entry.client.id]),
    ...(isLabel(name) ? [] : ['--name <label>']),
  ].join(' ');
}

const updateLine = ({ install }: KnownInstall): string =>
  `mcp-hooks update ${labelWithScope(install)}`;

/** Whether `install` would interpret the name as a file, an address or a package. */
const meansOther = (name: string, cwd: string): boolean =>
  looksLikePath(name) || /^(?:https?|npm):/i.test(name) || existsSync(resolve(cwd, name));

export function scannedJson(one: Scanned, all: readonly Scanned[], cwd: string): object {
  const { server, outcome, installed } = one;
  const { name, entry, also } = server;
  const placeOf = ({ client, file }: Entry) => ({
    client: client.id,
    scope: file.scope,
    file: file.path,
  });
  const declared = outcome.kind === 'hooks' ? outcome.declared : undefined;
  const listed = cataloguedIn(one);
  return {
    name,
    ...placeOf(entry),
    also: also.map(placeOf),
    server: entry.parts ? howShown(entry.parts) : null,
    asked: outcome.kind !== 'not asked',
    hooks: declared?.hooks.length ?? null,
    events: declared?.hooks.map(({ event }) => event),
    notUnderstood: declared && notUnderstood(declared),
    ...(outcome.kind !== 'hooks' && {
      why: reasonUnasked(outcome),
      code: outcome.why.code,
      details: outcome.details?.length ? sentences(outcome.details) : undefined,
    }),
    installed: installed && {
      label: installed.install.label,
      scope: scopeOf(installed.install),
      project: installed.install.project,
      source: installed.install.source,
      sameServer: installed.same,
    },
    catalogue: listed?.source.kind === 'catalogue' ? listed.source.name : undefined,
    install:
      (countOf(outcome) > 0 || listed) && !installed ? installLine(one, all, cwd) : undefined,
    update: installed?.changed ? updateLine(installed) : undefined,
  };
}
