/** What a client's rule about folders is given: nothing but the user's own settings, as a project's would trust themselves. */

import { join } from 'node:path';
import type { JsonObject } from '../../edit/edit.ts';
import { isObject } from '../../edit/value.ts';
import type { Health, TrustLook } from '../health/health.ts';
import type { ServerLook } from './servers.ts';

/** A user's settings, by keys one in the other. */
export const settingIn =
  (settings: JsonObject): TrustLook['setting'] =>
  (...keys) =>
    keys.reduce<JsonObject[string] | undefined>(
      (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      settings,
    );

/** Whether a client trusts the folder. @param folder Of the user's configuration, with a settings.json in it. */
export function isTrusted({ trust }: Health, look: ServerLook, folder: string): boolean {
  const decided = trust?.decide({
    ...look,
    root: '',
    folder,
    json: (path) => look.document(path, 'json'),
    list: () => [],
    setting: settingIn(look.document(join(folder, 'settings.json'), 'json')),
  });
  return decided?.state === 'trusted';
}
