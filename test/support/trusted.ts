/** Codex's own record that the user trusts hooks, as its terminal interface writes it. */

import { codex } from '../../src/clients/codex/client.ts';
import { stateKey, trustHash } from '../../src/clients/codex/trust-hash.ts';
import { findPlaces } from '../../src/clients/places.ts';
import { readWritten } from '../../src/install/configured-hooks.ts';
import { disk } from '../../src/system/disk.ts';
import type { World } from './world.ts';

const CONFIG = '~/.codex/config.toml';
const STATE = /\n\[hooks\.state\."(?:\\.|[^"\\])*"\]\ntrusted_hash = "[^"]*"\n/g;

/** Trusts every hook in the user's settings, or in those of the current project together with that project. */
export async function trustInCodex(
  world: World,
  scope: 'user' | 'project' = 'user',
): Promise<void> {
  const { hooks } = readWritten(codex, findPlaces(world.env(), world.work, scope), disk);
  const states = hooks.map(
    (hook) =>
      `\n[hooks.state.${JSON.stringify(stateKey(hook.path, hook))}]\ntrusted_hash = "${trustHash(hook)}"\n`,
  );
  const project = `\n[projects.${JSON.stringify(world.work)}]\ntrust_level = "trusted"\n`;
  if (scope === 'project') states.push(project);
  const before = disk.read(world.path(CONFIG))?.toString() ?? '';
  const config = before.replace(project, '');
  if (states.length > 0) await world.write(CONFIG, config.replace(STATE, '') + states.join(''));
}
