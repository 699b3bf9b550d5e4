/** Entries of ours that nobody remembers, and hooks that do what ours do: the same is told twice, or nothing at all. */

import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../../clients/contract.ts';
import type { ConfiguredHook } from '../../clients/entries.ts';
import { commandsAt, handlersIn } from '../../clients/entries.ts';
import { configPath, filesIn, tilde } from '../../clients/places.ts';
import { healthOf } from '../../clients/registry.ts';
import { startedBy } from '../../compile/command.ts';
import { eventsOf } from '../../edit/value.ts';
import { type Install, isInstall } from '../../install/ledger.ts';
import { type Site, scopeFlag, siteOf } from '../../install/site.ts';
import { said } from '../../system/errors.ts';
import type { DiagnoseMessage } from '../messages.ts';
import { type CheckResult, ofClients, ofInstalls } from './check.ts';
import type { DoctorContext } from './context.ts';

/** Each of our commands is in the ledger, and starts a runner of this state folder. */
export const strays = ofClients('strays', 'no-strays', (client, at) => {
  const others = at.label === undefined ? at.hooks(client) : [];
  const found = others.flatMap((hook) => unrecorded(hook, at) ?? foreign(hook, at) ?? []);
  // One label has many entries: one line for all of them.
  return found.filter(
    (one, index) => found.findIndex(({ what }) => isDeepStrictEqual(what, one.what)) === index,
  );
});

function unrecorded(
  { label, client, path }: ConfiguredHook,
  { ledger, scopes }: DoctorContext,
): CheckResult | undefined {
  if (label === undefined) return undefined;
  const places = scopes.find((one) =>
    filesIn(client, one).some((file) => configPath(client, file, one) === path),
  );
  const site = places ? siteOf(places) : { project: null };
  if (ledger.installs.find(isInstall(label, site))?.clients.includes(client.id)) return undefined;
  return {
    level: 'warning',
    what: said<DiagnoseMessage>({ code: 'entries-unrecorded', label }),
    where: path,
    todo: said<DiagnoseMessage>({
      code: 'install-or-uninstall',
      label,
      scopeFlag: scopeFlag(site),
    }),
  };
}

/** Our command, for a state folder that is not ours: the home or MCP_HOOKS_HOME was another then. */
function foreign(
  { label, command, path }: ConfiguredHook,
  { user }: DoctorContext,
): CheckResult | undefined {
  if (label !== undefined || command === undefined) return undefined;
  const stage = startedBy(command);
  const [, state] = /^(.*)\/(?:servers|projects\/[^/]+)\/[^/]+\/[^/]+$/.exec(stage ?? '') ?? [];
  if (stage === undefined || state === undefined) return undefined;
  return existsSync(stage)
    ? {
        level: 'warning',
        what: said<DiagnoseMessage>({
          code: 'other-state-folder',
          own: tilde(user.state, user.home),
          other: tilde(state, user.home),
        }),
        where: path,
        todo: said<DiagnoseMessage>({ code: 'look-at-other-state', state }),
      }
    : {
        level: 'error',
        what: said<DiagnoseMessage>({ code: 'state-folder-gone', state: tilde(state, user.home) }),
        where: path,
        todo: said<DiagnoseMessage>({ code: 'state-folder-moved' }),
        // They are not those of the record.
        blocks: null,
      };
}

export const twice = ofInstalls('told-twice', 'told-by-nobody-else', (install, at) => {
  if (install.project !== null && !existsSync(install.project)) return []; // it tells nothing any more
  const clients = at.clients.filter(({ id }) => install.clients.includes(id));
  return [
    ...inBothScopes(install, at),
    ...sameDeclaration(install, at),
    ...clients.flatMap((client) => sameServer(install, client, at)),
  ];
});

/** Also in a wider scope, which the client reads in the same folder. */
function inBothScopes(install: Install, { ledger, machine }: DoctorContext): CheckResult[] {
  const { label, project } = install;
  if (project === null) return [];
  const wider: readonly Site[] = [{ project: null }, ...(install.local ? [{ project }] : [])];
  return wider.flatMap((site): CheckResult[] => {
    const other = ledger.installs.find(isInstall(label, site));
    const both = other?.clients.filter((id) => install.clients.includes(id)) ?? [];
    if (both.length === 0) return [];
    return [
      {
        level: 'warning',
        what: said<DiagnoseMessage>({
          code: 'in-both-scopes',
          forUser: site.project === null,
          clients: both,
          folder: tilde(project, machine.home),
        }),
        where: project,
        todo: said<DiagnoseMessage>({
          code: 'uninstall-in-folder',
          label,
          scopeFlag: scopeFlag(install),
          otherFlag: scopeFlag(site).trim(),
        }),
      },
    ];
  });
}

/** The same hooks under another label. */
function sameDeclaration(install: Install, at: DoctorContext): CheckResult[] {
  const others = at.ledger.installs.filter(
    (one) =>
      one.label !== install.label &&
      [null, install.project].includes(one.project) &&
      one.clients.some((id) => install.clients.includes(id)),
  );
  if (others.length === 0) return []; // nothing has to be read then
  const own = marksOf(install, at);
  return others.flatMap((other): CheckResult[] => {
    const shared = [...marksOf(other, at)].filter((mark) => own.has(mark));
    if (shared.length === 0 || shared.length < own.size) return [];
    return [
      {
        level: 'warning',
        what: said<DiagnoseMessage>({ code: 'declared-twice', other: at.nameOf(other) }),
        todo: said<DiagnoseMessage>({
          code: 'take-one-out',
          label: install.label,
          other: other.label,
        }),
      },
    ];
  });
}

const marksOf = (install: Install, at: DoctorContext): Set<string> =>
  new Set(at.programs(install).flatMap(({ hooks }) => hooks.map(({ id }) => id)));

/** Hooks of others that start the same server, or go by its name. */
function sameServer(install: Install, client: Client, at: DoctorContext): CheckResult[] {
  const words = serverWords(install, at);
  return [...othersIn(client, at), ...inPlugins(client, at)].flatMap(
    ({ command, where, native }): CheckResult[] => {
      const word = [...words, install.label].find((one) => isIn(one, command));
      if (word === undefined) return [];
      return [
        {
          level: word === install.label ? 'info' : 'warning',
          what: said<DiagnoseMessage>({
            code: 'hook-of-others',
            client: client.name,
            native,
            ...(word === install.label && { name: word }),
          }),
          where,
          todo: said<DiagnoseMessage>({
            code: 'take-either-out',
            label: install.label,
            id: client.id,
          }),
        },
      ];
    },
  );
}

/** What in a server's command is its own: a file or a package, not what runs it. */
function serverWords(install: Install, at: DoctorContext): string[] {
  const server = at.programs(install).find((one) => one.server)?.server;
  if (!server || !('command' in server)) return [];
  return [server.command, ...server.args].filter(
    (word) => /[/@.]/.test(word) && !/^-/.test(word) && word.length > 3,
  );
}

interface Other {
  readonly command: string;
  readonly where: string;
  readonly native: string;
}

const othersIn = (client: Client, at: DoctorContext): Other[] =>
  at
    .hooks(client)
    .flatMap(({ label, command, path: where, native }) =>
      label === undefined && command !== undefined && !command.includes(at.user.state)
        ? [{ command, where, native }]
        : [],
    );

/** Hooks that extensions and plugins bring along. */
function inPlugins(client: Client, at: DoctorContext): Other[] {
  const look = at.trustLook(client);
  return (healthOf(client).plugins?.(look) ?? []).flatMap((where) => {
    if (!existsSync(where)) return [];
    return [...eventsOf(look.json(where))].flatMap(([native, groups]) =>
      groups
        .flatMap((group) => handlersIn(client, group))
        .flatMap(({ handler }) => commandsAt(client.entry.commands, handler))
        .map((command) => ({ command, where, native })),
    );
  });
}

/** A whole word of a command. */
const isIn = (word: string, command: string): boolean =>
  command.split(/[\s'"`;|&()<>=]+/).some((one) => one === word || one.endsWith(`/${word}`));
