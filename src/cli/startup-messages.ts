/** The sentences about a client that does not start with its configuration. */

import type { Client } from '../clients/contract.ts';
import { messages } from './messages.ts';

type Named = Pick<Client, 'shortName'>;

export const startupMessages = {
  asking: ({ shortName: name }: Named) => `Asking ${name} whether it starts ...`,
  stops: ({ shortName: name }: Named, why: string) =>
    `${name} does not start with its configuration: ${why}`,
  /** @param program The command with which the user sees for himself. */
  mend: (program: string) =>
    `Mend that in its configuration; until then no hook runs. ${program} says whether it is enough.`,
  stopsHere: ({ shortName: name }: Named, why: string) =>
    `${name} does not start with its configuration, so no hook would run: ${why}. ${messages.declined}`,
  leaveOut: ({ shortName: name }: Named) =>
    `Mend it and run this again, or leave ${name} out with --client.`,
} as const;
