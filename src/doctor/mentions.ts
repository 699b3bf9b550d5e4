/** Tools of servers that hooks name, and that the client has not configured under that name. */

import { serversOf, startedAs, unknownServersInWords } from '../finding/known-servers.ts';
import type { Check } from './check.ts';

/** Where all is well nothing is said. */
export const mentions: Check = {
  name: 'mentions',
  look: (at) =>
    at.installs.flatMap((install) => {
      const { label, origin, clients } = install;
      const server = at.programs(install).find((one) => one.server)?.server;
      const own = { label, ...(origin && { source: origin }), ...startedAs(server) };
      const of = serversOf(own, at.placesOf(install), at.machine.cwd);
      return at.clients
        .filter(({ id }) => clients.includes(id))
        .flatMap((client) =>
          unknownServersInWords(at.agreed(install)?.hooks ?? [], client, of).map((what) => ({
            level: 'warning' as const,
            about: at.nameOf(install),
            what,
            todo: `Configure the server in ${client.name} under that name, or have the declaration name it as it is called there.`,
          })),
        );
    }),
};
