/** Whether the client itself has switched a hand-written hook off. Such a hook must not run again just because it was imported. */

import type { Client } from '../../clients/contract.ts';
import { commandsAt } from '../../clients/entries.ts';
import type { Machine, TrustLook, Whose } from '../../clients/health/health.ts';
import {
  disabledIn,
  filesOfLayer,
  type LayerFile,
  type LayerPlaces,
  nameInList,
  switchedOffIn,
} from '../../clients/health/switched-off.ts';
import {
  configFolder,
  findPlaces,
  isOutside,
  type Places,
  placesHere,
  tilde,
  wayOut,
} from '../../clients/places.ts';
import { healthOf } from '../../clients/registry.ts';
import type { LeftOut } from '../../compile/raise/messages.ts';
import { ANYTHING, type JsonObject, memberAt } from '../../edit/edit.ts';
import { FORMATS } from '../../edit/formats.ts';
import { decode } from '../../edit/text.ts';
import { disk } from '../../system/disk.ts';
import type { Env } from '../../system/env.ts';
import { attempt } from '../../system/errors.ts';
import { read, realPath } from '../../system/files.ts';
import { once } from '../../system/memoize.ts';
import type { HandEntry, HandSettings } from './files.ts';

interface Around {
  readonly env: Env;
  readonly cwd: string;
}

interface Setting {
  readonly whose: Whose;
  readonly path: string;
  readonly document: JsonObject;
}

type WhyOff = (found: HandEntry) => LeftOut | undefined;

/** Why an entry of a file is switched off; undefined: it is not. Each client's settings are read once. */
export function switchedOffHere({ env, cwd }: Around): (file: HandSettings) => WhyOff {
  const user = findPlaces(env, cwd, 'user');
  const root = env.MCP_HOOKS_SYSTEM_ROOT ?? '';
  const machine = { env, home: user.home, cwd: realPath(cwd), root };
  const [, here, local] = placesHere(cwd, user);
  const places = { user, here, local, machine };
  const settingsOf = once((client: Client) =>
    healthOf(client)
      .layers.flatMap((layer) => filesOfLayer(layer, client, places))
      .flatMap((one) => settingIn(client, one)),
  );
  return (file) => whyOff(file, places, settingsOf(file.client));
}

function whyOff(
  file: HandSettings,
  { user, here, machine }: LayerPlaces,
  all: readonly Setting[],
): WhyOff {
  const { client, path } = file;
  const own = all.find((one) => one.path === path);
  const isUsers = file.root === undefined;
  // A project cannot switch off the user's own hooks elsewhere. A file that the client does not read here counts alone.
  const counting = own
    ? all.filter(({ whose }) => !isUsers || (whose !== 'project' && whose !== 'local'))
    : [{ whose: isUsers ? 'user' : 'project', path, document: file.document } as const];
  const shown = (where: string) => tilde(where, user.home);
  const [off] = switchedOffIn(client, counting).filter(({ isLast }) => isLast);
  const isSeen = (where: string) =>
    !isUsers || here === undefined || isOutside(where, machine.cwd, user.home);
  const other = own
    ? healthOf(client)
        .off?.(lookOf(client, user, machine, counting, isSeen))
        .find((one) => one.file === undefined || one.file === path)
    : undefined;
  return ({ handler, notifier }) => {
    // The switches are about hooks.
    if (notifier) return undefined;
    if (off) {
      const { key, value } = off;
      return { code: 'hand-off', key, value: String(value), file: shown(off.file.path) };
    }
    if (other) return { code: 'hand-off-otherwise', why: other.why };
    const [command] = commandsAt(client.entry.commands, handler);
    const { key, files } = disabledIn(client, counting, nameInList(handler, command));
    const [naming] = files;
    return naming && { code: 'hand-off-by-name', key, file: shown(naming.path) };
  };
}

/** The contents of a file that the client can read. */
function settingIn(client: Client, { whose, path, file, places }: LayerFile): Setting[] {
  if (places && wayOut(client, file, places)) return [];
  const document = attempt(() => {
    const bytes = read(path);
    return bytes && FORMATS[file.format].read(decode(bytes), file.dialect, file.layout);
  });
  return document ? [{ whose, path, document }] : [];
}

/** @param isSeen Whether a file counts. */
const lookOf = (
  client: Client,
  user: Places,
  machine: Machine,
  all: readonly Setting[],
  isSeen: (path: string) => boolean,
): TrustLook => ({
  ...machine,
  folder: configFolder(client, user),
  json: (path) =>
    attempt(() => {
      const bytes = isSeen(path) ? read(path) : null;
      return bytes ? FORMATS.json.read(decode(bytes), ANYTHING) : {};
    }) ?? {},
  list: disk.list,
  setting: (...key) =>
    all
      .filter(({ whose }) => whose !== 'project' && whose !== 'local')
      .map(({ document }) => memberAt(document, key))
      .findLast((value) => value !== undefined),
});
