/** Whether Codex runs what is written in its settings: it skips what nobody has agreed to without a word. */

import { codex } from '../clients/codex.ts';
import { trustInFile } from '../codex/trust-file.ts';
import { Refusal } from '../edit/edit.ts';
import type { Places } from '../places.ts';
import { readWritten, type WrittenHook } from '../written.ts';
import type { At } from './at.ts';
import { type Check, type Found, ofInstalls } from './check.ts';
import { installedVersion } from './executables.ts';
import { again } from './origin.ts';

export const codexTrust: Check = ofInstalls(
  'codex-trust',
  'Codex trusts its hooks',
  async (install, at): Promise<Found[]> => {
    const places = at.placesOf(install);
    const hooks = readWritten(codex, places, at).hooks.filter(
      ({ label }) => label === install.label,
    );
    if (hooks.length === 0 || isSaidInFile(hooks, places, at)) return [];
    // Only now, because it brings along what starts programs.
    const { readTrust } = await import('../codex/trust.ts');
    const { trustOf } = await import('../codex/findings.ts');
    const trust = await readTrust(hooks, { places, cwd: at.machine.cwd });
    return trustOf(trust, places, again(install))
      .filter(({ level }) => level !== 'ok')
      .map(({ level, text, todo, hook }) => ({
        level,
        what: text,
        ...(todo !== undefined && { todo }),
        ...(hook && { where: hook.path }),
      }));
  },
  codex.id,
);

/**
 * Whether the file in which Codex keeps trust says it of all, in the version whose way of saying so we know: then Codex
 * itself, which takes half a second to start, need not be asked.
 */
function isSaidInFile(hooks: readonly WrittenHook[], places: Places, at: At): boolean {
  if (installedVersion(codex, at) !== codex.verified) return false;
  try {
    return trustInFile(hooks, places, at).every((trust) => trust === 'trusted');
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
