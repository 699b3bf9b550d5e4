/** The clients' files of settings: whether they are read at all, and whether they switch hooks off. */

import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import type { Client } from '../clients/client.ts';
import type { Whose } from '../clients/health/health.ts';
import { HEALTH } from '../clients/health/index.ts';
import { LeadsOut } from '../config-file.ts';
import { position } from '../edit/edit.ts';
import { isObject } from '../edit/value.ts';
import type { WrittenHook } from '../written.ts';
import { type At, type Settings, valueAt } from './at.ts';
import { type Found, ofClients } from './check.ts';

export const readable = ofClients('settings-readable', 'settings readable', (client, at): Found[] =>
  at.settings(client).flatMap(({ path, refusal }) => {
    if (!refusal) return [];
    const { message, line, column } = refusal;
    return [
      {
        level: 'error',
        what: message,
        where: line === undefined ? path : `${path}:${line}:${column}`,
        todo:
          refusal instanceof LeadsOut
            ? `Until then nothing of ours is looked for there, and whether ${client.name} follows the link is not known.`
            : `Mend the file: until then ${client.name} has no hook of it, ours or anybody's.`,
      },
    ];
  }),
);

/** What a client's own schema refuses, when that costs more than the entry that is wrong. */
export const valid = ofClients('settings-valid', 'settings valid', (client, at) => {
  const { faults, faulty } = HEALTH[client.id] ?? {};
  if (!faults || !faulty) return [];
  const found = at.settings(client).flatMap((file) =>
    (file.document ? faults(file.document, file.path) : []).map(
      ({ path, what }): Found => ({
        level: 'error',
        what: `${path.join('.')} ${what}: ${faulty(file.path)}`,
        where: placeOf(file, path),
        todo: 'Mend it or take it out; whoever wrote it, our hooks go with it.',
      }),
    ),
  );
  const unread = at.settings(client).some(({ refusal }) => refusal);
  return found.length === 0 && unread ? [{ level: 'ok', what: 'no other file is void' }] : found;
});

/** Where a value is, as exactly as the format tells. */
function placeOf({ path, text }: Settings, keys: readonly (string | number)[]): string {
  if (!path.endsWith('.json')) return path;
  const root = parseTree(text.replace(/^\uFEFF/, ''));
  const node = root && findNodeAtLocation(root, [...keys]);
  if (!node) return path;
  const { line, column } = position(text.replace(/^\uFEFF/, ''), node.offset);
  return `${path}:${line}:${column}`;
}

export const on = ofClients('hooks-on', 'not switched off', (client, at) => [
  ...switchedOff(client, at),
  ...disabledByName(client, at),
]);

/** The last file that says something has the last word. */
function switchedOff(client: Client, at: At): Found[] {
  const { switches = [] } = HEALTH[client.id] ?? {};
  return switches.flatMap(({ key, off, only }) => {
    const saying = at
      .settings(client)
      .filter(({ whose }) => only === undefined || whose === only)
      .filter(({ document }) => valueAt(document, key) !== undefined);
    return saying
      .filter(({ document }) => valueAt(document, key) === off)
      .map(
        (file): Found => ({
          level: file === saying.at(-1) ? 'error' : 'warning',
          what:
            file === saying.at(-1)
              ? `no hook runs: ${WHOSE[file.whose]} say ${key.join('.')} = ${off}`
              : `${WHOSE[file.whose]} say ${key.join('.')} = ${off}; a stronger file switches hooks on again here, but not elsewhere`,
          where: file.path,
          todo:
            file.whose === 'managed' || file.whose === 'defaults'
              ? 'Whoever looks after this machine decides about it.'
              : `Take it out, or set it to ${!off}.`,
        }),
      );
  });
}

const WHOSE: Readonly<Record<Whose, string>> = {
  defaults: "this machine's settings",
  user: 'your settings',
  project: "this project's settings",
  local: 'your own settings of this project',
  managed: 'the managed settings',
};

/** Hooks of ours that are on a list of those that do not run. */
function disabledByName(client: Client, at: At): Found[] {
  const { disabled } = HEALTH[client.id] ?? {};
  if (!disabled) return [];
  return at.settings(client).flatMap(({ path, document }) => {
    const names = valueAt(document, disabled);
    if (!Array.isArray(names)) return [];
    return at
      .hooks(client)
      .filter((hook) => isAsked(hook, at) && names.includes(nameOf(hook)))
      .map(
        (hook): Found => ({
          level: 'error',
          what: `${hook.label}: its hook for ${hook.native} is switched off by its name`,
          where: path,
          todo: `Type /hooks enable ${nameOf(hook)} in ${client.name}, or take it out of ${disabled.join('.')}.`,
        }),
      );
  });
}

/** Ours, and of the label that is asked about. */
export const isAsked = ({ label }: WrittenHook, at: At): boolean =>
  label !== undefined && (at.label === undefined || at.label === label);

const nameOf = ({ handler, command = '' }: WrittenHook): string =>
  isObject(handler) && typeof handler.name === 'string' ? handler.name : command;
