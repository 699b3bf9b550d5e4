/** A user's file as it is in a session of `verify --live`. */
import { type ClientId, driverOf, findClient } from '../../src/clients/registry.ts';
import { settingsFor } from '../../src/diagnose/live/copy.ts';

export const OURS = { type: 'command', command: '/state/servers/annal/x.sh', timeout: 15 };

/** The text of a copied file. `OURS` is a hook of ours in it. */
export async function copied(
  id: ClientId,
  name: string,
  text: string,
  prepared: string | null = null,
) {
  const client = findClient(id);
  const driver = client && (await driverOf(client));
  const file = client?.placement.files.user.find((one) => one.name === name);
  if (!client || !driver || !file) throw new Error(`${id} has no ${name}`);
  const move = (words: string) => words.replace('/state/', '/copy/');
  const at = { client, path: '/settings.json', native: 'Stop', index: 1, handlerIndex: 0 };
  const ours = [{ ...at, command: OURS.command, handler: OURS }];
  return settingsFor(file, { client, driver, bytes: Buffer.from(text), prepared, ours, move });
}
