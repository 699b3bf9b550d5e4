/**
 * Which hook groups in a client's file are ours, and for which label. Groups are recognised by value, so formatting does not
 * matter.
 */

import { basename, dirname, join } from 'node:path';
import { type Client, type ConfigFile, HANDLERS } from '../clients/contract.ts';
import type { ConfiguredHook } from '../clients/entries.ts';
import { commandsAt, valuesIn } from '../clients/entries.ts';
import { type Places, runnerFolder } from '../clients/places.ts';
import { byHandOf, CLIENTS } from '../clients/registry.ts';
import {
  clientStartedBy,
  entryCommands,
  firstStageName,
  hookCommand,
  runnersIn,
  slashed,
  startedBy,
} from '../compile/command.ts';
import { LABEL } from '../declaration/declaration.ts';
import type { ItemPath, JsonValue, Path } from '../edit/edit.ts';
import type { FileRecord } from '../edit/record.ts';
import { equal } from '../edit/value.ts';

type Whose = (group: JsonValue) => string | undefined;

/** The label that owns a hook group. If any command differs in a single character from ours, the group is the user's. */
export const ownership = (client: Client, places: Places): Whose =>
  ownershipBy(client, places, commandsIn(client));

/** The label whose runner a hook group starts on this system, regardless of other systems: such an entry may be the user's. */
export const ownershipHere = (client: Client, places: Places): Whose =>
  ownershipBy(client, places, (handler) => commandsHere(client, handler));

/** What a handler runs on this system. */
export function commandsHere(client: Client, handler: JsonValue): string[] {
  const { otherShells = [] } = byHandOf(client) ?? {};
  const keys = client.entry.commands.filter(
    (key) => process.platform === 'win32' || !otherShells.includes(key),
  );
  return commandsAt(keys, handler);
}

/** Who owns a label's groups in a file: the label or, where several clients share the file, `<client>/<label>`. */
export const ownerIn = (
  { id }: Pick<Client, 'id'>,
  label: string,
  { sharedWith }: ConfigFile,
): string => (sharedWith ? `${id}/${label}` : label);

/** A record with these owner names, for a file that was not shared when the record was written. */
export const withWriter = (
  record: FileRecord,
  writer: string,
  { sharedWith }: ConfigFile,
): FileRecord =>
  sharedWith === undefined
    ? record
    : {
        ...record,
        owned: record.owned.map((one) =>
          one.label === null || one.label.includes('/')
            ? one
            : { ...one, label: `${writer}/${one.label}` },
        ),
        ...(record.taken && {
          taken: record.taken.map((one) =>
            one.label.includes('/') ? one : { ...one, label: `${writer}/${one.label}` },
          ),
        }),
      };

/** The owner of a group that is in the file. */
export function ownersIn(client: Client, config: ConfigFile, places: Places): Whose {
  const ownerOf = ownership(client, places);
  const commandsOf = commandsIn(client);
  const { sharedWith = [] } = config;
  return (group) => {
    const label = ownerOf(group);
    if (label === undefined || sharedWith.length === 0) return label;
    const [command = ''] = valuesIn(client, group).flatMap(commandsOf);
    const id = sharedWith.find((other) => other === clientStartedBy(command)) ?? client.id;
    return ownerIn({ id }, label, config);
  };
}

/** The label of a group of this client. Undefined if the group belongs to another client, even one that shares the file. */
export function labelsIn(client: Client, config: ConfigFile, places: Places): Whose {
  const ownerOf = ownersIn(client, config, places);
  return (group) => {
    const owner = ownerOf(group);
    if (owner === undefined || !config.sharedWith) return owner;
    const [id, label] = owner.split('/');
    return id === client.id ? label : undefined;
  };
}

function ownershipBy(
  client: Client,
  places: Places,
  commandsOf: (handler: JsonValue) => string[],
): Whose {
  const ownerOf = (command: string) => {
    const file = startedBy(command);
    return file === undefined ? undefined : labelOf(slashed(file, places.state), places);
  };
  return (group) =>
    common(valuesIn(client, group).map((handler) => common(commandsOf(handler).map(ownerOf))));
}

/** The label, if all are the same. */
const common = (labels: readonly (string | undefined)[]): string | undefined =>
  labels.every((label) => label === labels[0]) ? labels[0] : undefined;

/**
 * Where a label's handlers are in a group that also has others. If trust depends on positions, handlers are taken out only
 * where no other handler moves; otherwise the list is empty.
 */
export function sharedHandlers(client: Client, places: Places) {
  const ownerOf = ownership(client, places);
  return (group: JsonValue, label: string): ItemPath[] => {
    const all = valuesIn(client, group);
    if (all.length < 2 || ownerOf(group) === label) return [];
    const own = [...all.keys()].filter(
      (index) => ownerOf({ [HANDLERS]: [all[index] ?? null] }) === label,
    );
    const moves = client.positional && own.length > 0 && own[0] !== all.length - own.length;
    return moves ? [] : own.map((index) => [HANDLERS, index]);
  };
}

/** Whether we write a key at this place in a client's groups, for any hook and any system. */
export function isKeyOf({ entry }: Client) {
  const words = { label: '', native: '', command: '', powerShell: '', timeout: 0 };
  const keys = Object.keys(entry.handler(words));
  return (path: Path): boolean => {
    const [key, index, inHandler, ...more] = path;
    if (more.length > 0) return false;
    if (path.length === 1 && key === 'matcher') return true;
    if (entry.shape === 'flat') return path.length === 1 && keys.includes(String(key));
    return (
      key === HANDLERS &&
      (index === undefined || typeof index === 'number') &&
      (inHandler === undefined || keys.includes(String(inHandler)))
    );
  };
}

/** The label whose runner is named in a group that is not ours: our entry was edited. */
export function mentioned(client: Client, places: Places): Whose {
  const ownerOf = ownership(client, places);
  const commandsOf = commandsIn(client);
  return (group) => {
    const named = valuesIn(client, group)
      .flatMap(commandsOf)
      .flatMap((command) => runnersIn(command, places.state))
      .map((file) => labelOf(file, places))
      .find((label) => label !== undefined);
    return named === undefined || ownerOf(group) !== undefined ? undefined : named;
  };
}

/** Whether a group has the form that we write for a label, wherever our folder is or was. */
export const isFormOf = (client: Client, label: string, group: JsonValue | undefined): boolean => {
  const commands = valuesIn(client, group ?? null).map(commandsIn(client));
  const isOurs = (command: string) => basename(dirname(startedBy(command) ?? '')) === label;
  return commands.length > 0 && commands.every((all) => all.length > 0 && all.every(isOurs));
};

/**
 * Everything that a handler may run, under the keys of every client. An entry with an additional command for another system is
 * no longer as we wrote it, whether or not its client knows that key.
 */
function commandsIn({ entry }: Client): (handler: JsonValue) => string[] {
  // Computed once for all handlers: a file may have thousands.
  const keys = new Set(
    [entry, ...CLIENTS.map((other) => other.entry)].flatMap((one) => one.commands),
  );
  const all = [...keys];
  return (handler) => commandsAt(all, handler);
}

/** @param file A path with slashes. */
function labelOf(file: string, places: Places): string | undefined {
  const folder = dirname(file);
  const label = basename(folder);
  const ours = LABEL.test(label) && folder === slashed(runnerFolder(places, label), places.state);
  return ours && RUNNER.test(basename(file)) ? label : undefined;
}

/** The runner files that an entry starts: a first stage, or the second. */
const RUNNER = /^(?:[a-z-]+\.\w+\.sh|runner\.cjs)$/;

/**
 * Whether a hook is one that we write for a label. The timeout is ignored, because it does not affect what runs. `andMore`:
 * regardless of keys that we do not write.
 */
export function isOurs(
  { client, native, handler }: ConfiguredHook,
  label: string,
  places: Places,
  andMore = false,
) {
  const folder = runnerFolder(places, label);
  const windows = process.platform === 'win32' ? { node: process.execPath } : undefined;
  const commands = entryCommands(folder, client.id, native, windows);
  const ours = client.entry.handler({ label, native, ...commands, timeout: 0 });
  const kept = Object.entries(handler).filter(([key]) => !andMore || Object.hasOwn(ours, key));
  return equal(ours, { ...Object.fromEntries(kept), timeout: 0 });
}

/** The labels of this scope whose runner a hook names, regardless of who wrote the hook. */
export function labelsNamedBy({ client, handler }: ConfiguredHook, places: Places): string[] {
  const files = commandsIn(client)(handler).flatMap((one) => runnersIn(one, places.state));
  return [...new Set(files.map((file) => dirname(file).replace(/^.*\//, '')))].filter((label) =>
    files.some((file) => dirname(file) === slashed(runnerFolder(places, label), places.state)),
  );
}

/** Whether a hook contains a label's whole command and more. */
export const holdsOurs = (
  { client, native, command = '' }: ConfiguredHook,
  label: string,
  places: Places,
): boolean =>
  command.includes(
    hookCommand(join(runnerFolder(places, label), firstStageName(client.id, native))),
  );
