/** Hooks for all that a client may also send at the end of a subagent. */
import { env } from './fired.ts';
import type { World } from './world.ts';

/** The plan of a client for hooks at the ends of turns and sessions, as JSON. */
export async function endingsPlanned(world: World, client: string, flags = ''): Promise<string> {
  const commands = ['post_request', 'session_end', 'notification'].map((event) => ({
    event,
    command: ['none'],
  }));
  const texts = ['post_request', 'session_end'].map((event) => ({ event, context: 'A.' }));
  const hooks = { declarations: [...commands, ...texts] };
  await world.write('annal.json', JSON.stringify({ version: 2, name: 'annal', hooks }));
  const line = `diff annal.json --client ${client} --allow command --json ${flags}`;
  return (await world.run(line.trim(), { env })).out;
}
