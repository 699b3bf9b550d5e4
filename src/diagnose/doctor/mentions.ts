/** Tools of servers that hooks name, and that the client has not configured under that name. */

import { unknownServersNamed } from '../../install/known-servers.ts';
import type { Install } from '../../install/ledger.ts';
import type { Check, Finding } from './check.ts';
import type { DoctorContext } from './context.ts';

/** Where all is well nothing is said. */
export const mentions: Check = {
  name: 'mentions',
  look: async (at) =>
    (await Promise.all(at.installs.map((install) => findingsOf(install, at)))).flat(),
};

async function findingsOf(install: Install, at: DoctorContext): Promise<Finding[]> {
  const hooks = at.approval(install)?.hooks ?? [];
  const about = { hooks, install, programs: at.programs(install) };
  const clients = at.clients.filter(({ id }) => install.clients.includes(id));
  const named = await unknownServersNamed(about, clients, at.placesOf(install), at.machine.cwd);
  return named.map(({ client, message }) => ({
    level: 'warning',
    about: at.nameOf(install),
    what: message,
    todo: { code: 'configure-server', client: client.name },
  }));
}
