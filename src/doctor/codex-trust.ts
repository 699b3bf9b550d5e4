/** Whether Codex runs what is written in its settings: it skips what nobody has agreed to without a word. */

import { codex } from '../clients/codex.ts';
import { trustOf } from '../codex/findings.ts';
import { readTrust } from '../codex/trust.ts';
import { readWritten } from '../written.ts';
import { type Check, ofInstalls } from './check.ts';
import { again } from './origin.ts';

export const codexTrust: Check = ofInstalls(
  'codex-trust',
  'Codex trusts its hooks',
  async (install, at) => {
    const places = at.placesOf(install);
    const hooks = readWritten(codex, places, at).hooks.filter(
      ({ label }) => label === install.label,
    );
    if (hooks.length === 0) return [];
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
