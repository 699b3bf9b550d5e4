/** Servers that want somebody to have signed in: whether that has been done, and still holds. */

import { statSync } from 'node:fs';
import { parseLog } from '../log.ts';
import { tokensFile } from '../oauth/address.ts';
import { keeper } from '../oauth/keeper.ts';
import { serversOf } from '../oauth/uses.ts';
import { logFiles } from '../places.ts';
import { type Found, ofInstalls } from './check.ts';
import { tail } from './own.ts';

/** What the runner writes down when a server does not know who asks (templates/call.cjs). */
const NOT_SIGNED_IN = 'not signed in';

export const signIn = ofInstalls('sign-in', 'no sign-in missing', (install, at): Found[] => {
  const { state } = at.user;
  const programs = at.programs(install);
  const calls = programs.some(({ server }) => server && 'url' in server);
  return serversOf(install, programs).flatMap((server): Found[] => {
    const file = tokensFile(state, server);
    const isThere = statSync(file, { throwIfNoEntry: false }) !== undefined;
    const missing = (what: string): Found => ({
      level: calls ? 'error' : 'warning',
      what,
      ...(isThere && { where: file }),
      todo: `mcp-hooks login ${server}`,
    });
    if (!isThere)
      return lastReason(install.label, state).includes(NOT_SIGNED_IN)
        ? [missing(`${server} wants you to sign in, and its tools are not called until then`)]
        : [];
    const { read, isUsable, isRenewable } = keeper();
    const kept = read(file, server);
    if (!kept) return [missing(`what is kept of signing in to ${server} cannot be read`)];
    if (isUsable(kept) || isRenewable(kept)) return [];
    return [missing(`you are no longer signed in to ${server}`)];
  });
});

/** Why the last firing of a label that failed did so; '' when none did. */
function lastReason(label: string, state: string): string {
  const [, file] = logFiles(state, label);
  const { entries } = parseLog(label, tail(file));
  return entries.findLast(({ reason }) => reason !== undefined)?.reason ?? '';
}
