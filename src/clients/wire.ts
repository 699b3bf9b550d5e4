/** What a client's payloads look like on one native event, and what it is answered with. */

import type { Client, Wire } from './contract.ts';

/** That of the client, with what the event has of its own. */
export const wireOf = (
  { wire, nativeEvents }: Pick<Client, 'wire' | 'nativeEvents'>,
  native: string,
): Wire => ({ ...wire, ...nativeEvents[native]?.wire });
