/** Whether a client trusts the folder, as far as the user's own settings say it: a project's would trust themselves. */

import type { JsonObject } from '../../edit/edit.ts';
import { isObject } from '../../edit/value.ts';
import type { Health } from '../health/health.ts';
import type { ServerLook } from './servers.ts';

/**
 * @param folder Of the user's configuration.
 * @param settings The user's, by value.
 */
export function isTrusted(
  { trust }: Health,
  look: ServerLook,
  folder: string,
  settings: JsonObject,
): boolean {
  const decided = trust?.decide({
    ...look,
    root: '',
    folder,
    json: (path) => look.document(path, 'json'),
    list: () => [],
    setting: (...keys) =>
      keys.reduce<JsonObject[string] | undefined>(
        (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
        settings,
      ),
  });
  return decided?.state === 'trusted';
}
