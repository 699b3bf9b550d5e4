/** Rules about folders. They only get the user's own settings, because a project's settings could trust the project itself. */

import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, memberAt } from '../../edit/edit.ts';
import { attempt } from '../../system/errors.ts';
import { isInside } from '../../system/files.ts';
import type { ServerLook } from '../servers/servers.ts';
import type { Health, TrustLook } from './health.ts';

export const settingIn =
  (settings: JsonObject): TrustLook['setting'] =>
  (...keys) =>
    memberAt(settings, keys);

/** Whether a client trusts the folder. @param folder The folder of the user's configuration, which contains a settings.json. */
export function isTrusted({ trust }: Health, look: ServerLook, folder: string): boolean {
  const decided = trust?.decide({
    ...look,
    folder,
    json: (path) => look.document(path, 'json'),
    setting: settingIn(look.document(join(folder, 'settings.json'), 'json')),
  });
  return decided?.state === 'trusted';
}

/** Whether a folder is the one in a rule, or below it. Links in the rule are resolved. */
export function isUnder(folder: string, rule: string): boolean {
  // If the folder does not exist, nothing is below it either.
  const above = attempt(() => realpathSync.native(rule)) ?? rule;
  return folder === above || isInside(folder, above);
}
