/** The texts that hooks show for a recorded payload. */
import { type ClientId, MOMENTS, type Moment, type Payload, recorded } from './clients.ts';
import { textIn } from './shape.ts';
import { bodies, type World } from './world.ts';

type Env = Readonly<Record<string, string>>;

/** The texts for the payload of a moment, with changes. */
export const shownAt = (
  world: World,
  id: ClientId,
  moment: Moment,
  changes: Payload = {},
  env?: Env,
) => shownOn(world, id, MOMENTS[moment][id].file, changes, env);

/** The same for any recording. */
export async function shownOn(
  world: World,
  id: ClientId,
  file: string,
  changes: Payload = {},
  env?: Env,
) {
  const [event = ''] = file.split('.');
  const payload = recorded(id, file, { cwd: world.cwd, ...changes });
  const stdout = await world.fire(id, event, payload, {
    ...(env && { env: { PATH: process.env.PATH ?? '', ...env } }),
  });
  return bodies(textIn(id, event, stdout));
}
