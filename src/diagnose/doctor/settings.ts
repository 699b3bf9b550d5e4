/** The clients' files of settings: whether they are read at all, and whether they switch hooks off. */

import type { Client } from '../../clients/contract.ts';
import type { ConfiguredHook } from '../../clients/entries.ts';
import type { Fault } from '../../clients/health/health.ts';
import { stopsAt, unread } from '../../clients/health/reading.ts';
import { configPath } from '../../clients/places.ts';
import { healthOf } from '../../clients/registry.ts';
import type { JsonObject, Refusal } from '../../edit/edit.ts';
import { isObject } from '../../edit/value.ts';
import { LeadsOut } from '../../install/config-file.ts';
import { said } from '../../system/errors.ts';
import type { DiagnoseMessage } from '../messages.ts';
import { type CheckResult, ofClients } from './check.ts';
import { type DoctorContext, type Settings, valueAt } from './context.ts';
import { whyStopped } from './startup.ts';

export const readable = ofClients(
  'settings-readable',
  'settings-readable',
  (client, at): CheckResult[] =>
    at.settings(client).flatMap((file): CheckResult[] => {
      if (!file.refusal) return [];
      const { level, blocks } = costOf(client, file, at);
      return [
        {
          level,
          ...(blocks && { blocks }),
          what: file.refusal.problem,
          where: placed(file.path, file.refusal),
          todo:
            file.refusal instanceof LeadsOut
              ? said<DiagnoseMessage>({ code: 'link-unknown', client: client.name })
              : level === 'error'
                ? said<DiagnoseMessage>({ code: 'mend-for-hooks', client: client.name })
                : said<DiagnoseMessage>({ code: 'ours-elsewhere', client: client.name }),
        },
      ];
    }),
);

/** What a client's own schema refuses, when that costs more than the entry that is wrong. */
export const valid = ofClients('settings-valid', 'settings-valid', async (client, at) => {
  const found = at.settings(client).flatMap((file): CheckResult[] => {
    const { path, text, document } = file;
    if (!document) return [];
    const { level, blocks } = costOf(client, file, at);
    // An entry that is dropped alone matters where it is one of ours.
    const counts = (fault: Fault) => fault.lost !== 'entry' || isOurs(fault, document, at);
    return unread(client, { path, text, document }, counts).map((why) => ({
      level,
      ...(blocks && { blocks }),
      what: why.problem,
      where: placed(path, why),
      todo:
        level === 'error'
          ? said<DiagnoseMessage>({ code: 'mend-settings' })
          : said<DiagnoseMessage>({ code: 'ours-elsewhere', client: client.name }),
    }));
  });
  // Where we know of nothing, the client itself may.
  const stopped = found.length === 0 ? await whyStopped(client, at) : undefined;
  if (stopped)
    return [
      {
        level: 'error',
        what: said<DiagnoseMessage>({
          code: 'client-stops',
          client: client.shortName,
          why: stopped.why,
        }),
        where: configPath(client, client.files[0], at.user),
        todo: said<DiagnoseMessage>({ code: 'mend-startup', program: stopped.program }),
      },
    ];
  const unparsed = at.settings(client).some(({ refusal }) => refusal);
  return found.length === 0 && unparsed
    ? [{ level: 'ok', what: said<DiagnoseMessage>({ code: 'no-other-void' }) }]
    : found;
});

function isOurs(
  { path: [, event, index] }: Fault,
  document: JsonObject,
  { user }: DoctorContext,
): boolean {
  const groups = valueAt(document, ['hooks', String(event)]);
  const group = Array.isArray(groups) && index !== undefined ? groups[Number(index)] : groups;
  return JSON.stringify(group ?? null).includes(user.state);
}

/** An error where hooks of ours are lost: those in the file, or all of them where the client does not start. */
function costOf(
  client: Client,
  { path, text, whose }: Settings,
  at: DoctorContext,
): Pick<CheckResult, 'level' | 'blocks'> {
  const holdsOurs =
    text.includes(at.user.state) ||
    at.ledger.files[path]?.record?.owned.some(({ label }) => label !== null) === true;
  const anywhere =
    at.broken || at.ledger.installs.some(({ clients }) => clients.includes(client.id));
  // What becomes of the others where the machine's own file is wrong is not known.
  const stops = stopsAt(client, path) || whose === 'managed';
  if (!(stops ? anywhere : holdsOurs)) return { level: 'warning' };
  return { level: 'error', ...(!stops && { blocks: { file: path } }) };
}

const placed = (path: string, { line, column }: Refusal): string =>
  line === undefined ? path : `${path}:${line}:${column}`;

export const on = ofClients('hooks-on', 'not-switched-off', (client, at) => [
  ...switchedOff(client, at),
  ...disabledByName(client, at),
]);

/** The last file that says something has the last word. */
function switchedOff(client: Client, at: DoctorContext): CheckResult[] {
  const { switches = [] } = healthOf(client);
  return switches.flatMap(({ key, off, only }) => {
    const saying = at
      .settings(client)
      .filter(({ whose }) => only === undefined || whose === only)
      .filter(({ document }) => valueAt(document, key) !== undefined);
    return saying
      .filter(({ document }) => valueAt(document, key) === off)
      .map(
        (file): CheckResult => ({
          level: file === saying.at(-1) ? 'error' : 'warning',
          what:
            file === saying.at(-1)
              ? said<DiagnoseMessage>({
                  code: 'switched-off',
                  whose: file.whose,
                  key: key.join('.'),
                  value: off,
                })
              : said<DiagnoseMessage>({
                  code: 'switched-off-elsewhere',
                  whose: file.whose,
                  key: key.join('.'),
                  value: off,
                }),
          where: file.path,
          todo:
            file.whose === 'managed' || file.whose === 'defaults'
              ? said<DiagnoseMessage>({ code: 'ask-administrator' })
              : said<DiagnoseMessage>({ code: 'take-out-or-set', value: !off }),
        }),
      );
  });
}

/** Hooks of ours that are on a list of those that do not run. */
function disabledByName(client: Client, at: DoctorContext): CheckResult[] {
  const { disabled } = healthOf(client);
  if (!disabled) return [];
  return at.settings(client).flatMap(({ path, document }) => {
    const names = valueAt(document, disabled);
    if (!Array.isArray(names)) return [];
    return at
      .hooks(client)
      .filter((hook) => isAsked(hook, at) && names.includes(nameOf(hook)))
      .map(
        (hook): CheckResult => ({
          level: 'error',
          what: said<DiagnoseMessage>({
            code: 'switched-off-by-name',
            label: hook.label ?? '',
            native: hook.native,
          }),
          where: path,
          todo: said<DiagnoseMessage>({
            code: 'enable-hook',
            hook: nameOf(hook),
            client: client.name,
            key: disabled.join('.'),
          }),
        }),
      );
  });
}

/** Ours, and of the label that is asked about. */
export const isAsked = ({ label }: ConfiguredHook, at: DoctorContext): boolean =>
  label !== undefined && (at.label === undefined || at.label === label);

const nameOf = ({ handler, command = '' }: ConfiguredHook): string =>
  isObject(handler) && typeof handler.name === 'string' ? handler.name : command;
