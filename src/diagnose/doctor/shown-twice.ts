/** Texts that the model reads twice, and other hooks that keep it from reading ours. */

import { existsSync } from 'node:fs';
import type { Client } from '../../clients/contract.ts';
import { wireOf } from '../../clients/contract.ts';
import { commandsIn } from '../../clients/entries.ts';
import { layoutsOf, tilde } from '../../clients/places.ts';
import { healthOf, nameOfClient } from '../../clients/registry.ts';
import { shippedLabel, startedBy } from '../../compile/command.ts';
import type { ProgramHook } from '../../compile/program.ts';
import { type Install, isInstall } from '../../install/ledger.ts';
import { canMeet, folderOf, type Site, scopeFlag } from '../../install/site.ts';
import { type CheckResult, ofInstalls } from './check.ts';
import type { DoctorContext } from './context.ts';

export const duplicateHooks = ofInstalls('shown-twice', 'declared-by-no-other', (install, at) => {
  if (install.project !== null && !existsSync(install.project)) return []; // its hooks no longer show anything
  const clients = at.clients.filter(({ id }) => install.clients.includes(id));
  return [
    ...inBothScopes(install, at),
    ...sameDeclaration(install, at),
    ...clients.flatMap((client) => sameServer(install, client, at)),
    ...clients.flatMap((client) => alsoByHand(install, client, at)),
    ...clients.flatMap((client) => alsoShipped(install, client, at)),
    ...clients.flatMap((client) => lastAnswerOnly(install, client, at)),
  ];
});

/** The same label in a wider scope, which the client also reads in this folder. */
function inBothScopes(install: Install, { ledger, machine }: DoctorContext): CheckResult[] {
  const { label, project } = install;
  if (project === null) return [];
  const wider: readonly Site[] = [{ project: null }, ...(install.local ? [{ project }] : [])];
  return wider.flatMap((site): CheckResult | [] => {
    const other = ledger.installs.find(isInstall(label, site));
    if (!other || !canMeet(project, folderOf(other))) return [];
    const ids = other.clients.filter((id) => install.clients.includes(id));
    const clients = ids.map((id) => nameOfClient(id));
    if (clients.length === 0) return [];
    const folder = tilde(project, machine.home);
    const flags = { scopeFlag: scopeFlag(install), otherFlag: scopeFlag(site).trim() };
    return {
      level: 'warning',
      what: { code: 'in-both-scopes', forUser: site.project === null, clients, folder },
      where: project,
      todo: { code: 'uninstall-in-folder', label, ...flags },
    };
  });
}

/** The same hooks under another label. */
function sameDeclaration(install: Install, at: DoctorContext): CheckResult[] {
  const { label } = install;
  const others = at.ledger.installs.filter(
    (one) =>
      one.label !== label &&
      [null, install.project].includes(one.project) &&
      canMeet(folderOf(install), folderOf(one)) &&
      one.clients.some((id) => install.clients.includes(id)),
  );
  if (others.length === 0) return []; // saves reading the declarations
  const own = marksOf(install, at);
  return others.flatMap((other): CheckResult | [] => {
    const marks = marksOf(other, at);
    if (own.size === 0 || ![...own].every((mark) => marks.has(mark))) return [];
    return {
      level: 'warning',
      what: { code: 'declared-twice', other: at.nameOf(other) },
      todo: { code: 'take-one-out', label, other: other.label },
    };
  });
}

const marksOf = (install: Install, at: DoctorContext): Set<string> =>
  new Set(at.programs(install).flatMap(({ hooks }) => hooks.map(({ id }) => id)));

/** Other hooks that start the same server, or have its name. */
function sameServer(install: Install, client: Client, at: DoctorContext): CheckResult[] {
  const { label } = install;
  const words = [...serverWords(install, at), label];
  const packed = inPlugins(client, at).filter(({ command }) => shippedLabel(command) !== label);
  return [...othersIn(client, at), ...packed].flatMap(
    ({ command, where, native }): CheckResult | [] => {
      const word = words.find((one) => isIn(one, command));
      if (word === undefined) return [];
      const name = word === label ? label : undefined;
      return {
        level: name === undefined ? 'warning' : 'info',
        what: { code: 'hook-of-others', client: client.name, native, name },
        where,
        todo: { code: 'take-either-out', label, id: client.id },
      };
    },
  );
}

/** The handwritten entry that `import` drafted our hook from. It stays in its file until the user removes it. */
function alsoByHand(install: Install, client: Client, at: DoctorContext): CheckResult[] {
  const { label } = install;
  const ours = at.programs(install).filter((program) => program.client === client.id);
  return othersIn(client, at).flatMap(({ command, where, native }): CheckResult | [] => {
    const hooks = ours.flatMap((program) => (program.native === native ? program.hooks : []));
    const same = hooks.find((hook) => repeatsHook(hook, command));
    if (!same) return [];
    return {
      level: 'warning',
      what: { code: 'by-hand-too', client: client.name, native, isText: same.text !== undefined },
      where,
      todo: { code: 'take-by-hand-out', label, id: client.id },
    };
  });
}

/** Shorter texts and words may be in a command by coincidence. */
const TELLING = 12;

/**
 * Whether a command contains a hook's text or its program's arguments. The program alone is not enough, because it may be a
 * common one such as `python3`. A command made by `import` ends with the original one, or has the scripts that it names.
 */
function repeatsHook({ text, extended }: ProgramHook, command: string): boolean {
  const all = extended?.command?.words ?? [];
  const [program = '', ...words] = all;
  const [option, line = ''] = words;
  const own = command.trim();
  const ends = [`; ${own}`, `{ ${own}; }`, `{\n${own}\n}`];
  if (option === '-c' && (line === own || ends.some((end) => line.endsWith(end)))) return true;
  if (pathsIn(command).some((path) => all.some((word) => word.endsWith(`/${path}`)))) return true;
  const parts = text?.split('\n') ?? (words.length > 0 ? words : [program]);
  const [longest = ''] = parts.toSorted((one, other) => other.length - one.length);
  return longest.length >= TELLING && command.includes(longest);
}

/** The paths in a command, without a leading variable or home folder. */
const pathsIn = (command: string): string[] =>
  partsOf(command)
    .map((part) => part.replace(/^(?:~|\.|\$\w{1,100}|\$\{\w{1,100}\})?\//, ''))
    .filter((path) => path.includes('/') && path.length >= TELLING);

/** The same label in one of the client's plugins. Its hooks do nothing while the label is installed. */
function alsoShipped({ label }: Install, client: Client, at: DoctorContext): CheckResult[] {
  const own = inPlugins(client, at).filter(({ command }) => shippedLabel(command) === label);
  return [...new Set(own.map(({ where }) => where))].map((where) => ({
    level: 'info',
    what: { code: 'shipped-too', client: client.name },
    where,
    todo: { code: 'keep-or-leave-to-plugin', label, id: client.id },
  }));
}

/** Other hooks on an event for which the client uses only the last hook's answer. */
function lastAnswerOnly(install: Install, client: Client, at: DoctorContext): CheckResult[] {
  const { name } = client;
  const ours = at.programs(install).filter((program) => program.client === client.id);
  const natives = ours
    .filter(({ hooks }) => hooks.some(({ act }) => act === 'tell'))
    .flatMap(({ native }) => (wireOf(client, native).repeats === undefined ? [] : native));
  return othersIn(client, at)
    .filter(({ native }) => natives.includes(native))
    .map(({ native, where }) => ({
      level: 'warning',
      what: { code: 'only-one-shown', client: name, native },
      where,
      todo: { code: 'hook-elsewhere', native },
    }));
}

/** The words of a server's command that identify it: files or packages, not the launcher. */
function serverWords(install: Install, at: DoctorContext): string[] {
  const server = at.serverOf(install);
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
  at.hooks(client).flatMap(({ label, command, path: where, native }) =>
    label === undefined &&
    command !== undefined &&
    !command.includes(at.user.state) &&
    startedBy(command) === undefined // our runner in another place, which `orphanedEntries` reports
      ? [{ command, where, native }]
      : [],
  );

/** Hooks that come with extensions and plugins. */
function inPlugins(client: Client, at: DoctorContext): Other[] {
  const look = at.trustLook(client);
  return (healthOf(client).plugins?.(look) ?? []).flatMap((where) => {
    if (!existsSync(where)) return [];
    const document = look.json(where);
    // A package may have its hooks in the layout of any of the client's files.
    return layoutsOf(client).flatMap((layout) =>
      commandsIn(client, document, layout).map((one) => ({ ...one, where })),
    );
  });
}

/** Whether the word is a whole word of the command, or the end of a path in it. */
const isIn = (word: string, command: string): boolean =>
  partsOf(command).some((one) => one === word || one.endsWith(`/${word}`));

const partsOf = (command: string): string[] => command.split(/[\s'"`;|&()<>=]+/);
