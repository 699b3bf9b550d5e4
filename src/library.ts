/** Planning for a caller who has a declaration and a place, and leaves disk and formats to us. */

import { missingForState } from './cli/commands/context.ts';
import { messages } from './cli/messages.ts';
import { launchText } from './cli/render/words.ts';
import type { Client } from './clients/contract.ts';
import { installedVersion, selectClients } from './clients/detect.ts';
import type { Places } from './clients/places.ts';
import { CLIENTS } from './clients/registry.ts';
import type { Declared } from './declaration/declared.ts';
import type { Grant } from './install/consent/grants.ts';
import { serversOf } from './install/known-servers.ts';
import { type Plan, planInstall, planUninstall } from './install/plan.ts';
import { disk } from './system/disk.ts';
import { UserError } from './system/errors.ts';
import { template } from './system/package-files.ts';

export interface PlanRequest {
  /** From `findPlaces`: user or project scope, with HOME and the clients' own variables. */
  readonly places: Places;
  /** Default: those that are on this machine, as `detectClients` finds them. */
  readonly clients?: readonly Client[];
  /** `post_request` texts are told at the end of each turn, at the cost of a turn. Default false. */
  readonly actNow?: boolean;
  /** False leaves out what costs a turn of the model. Default true. */
  readonly extraTurns?: boolean;
  /** What the user has granted: `required`, `context-tool`. What needs a grant and has none is downgraded or left out. */
  readonly allow?: readonly Grant[];
  /** Absolute path of the node that will run the hooks. Default: the one that runs this. */
  readonly node?: string;
}

/**
 * What installing `declared` would change, to the byte. Nothing is written; give it to `apply` for that.
 *
 * @throws UserError when the ledger or a file cannot be read, or no client is found and none was given. A config file
 *   that must not be edited is a `refusal` in the plan.
 */
export function plan(declared: Declared, request: PlanRequest): Plan {
  const { clients = foundClients(request.places) } = request;
  return planInstall(declared, {
    actNow: false,
    extraTurns: true,
    allow: [],
    node: process.execPath,
    platform: process.platform,
    template,
    serversOf: serversOf(declared, request.places, process.cwd()),
    describeLaunch: launchText,
    versionOf: (client) => installedVersion(client, request.places, disk.read),
    ...request,
    clients,
    ...seen(request.places),
  });
}

/** What uninstalling `label` would change, to the byte; by default in every client that has it. */
export function planRemoval(label: string, request: Pick<PlanRequest, 'places' | 'clients'>): Plan {
  const { places, clients = CLIENTS } = request;
  return planUninstall(label, { places, clients, ...seen(places) });
}

/** The clients that are on this machine: those with a folder of settings, or with an executable on the PATH. */
export const detectClients = (places: Places): readonly Client[] =>
  selectClients(undefined, places).clients;

function foundClients(places: Places): readonly Client[] {
  const { clients, missing } = selectClients(undefined, places);
  if (clients.length > 0) return clients;
  throw new UserError(messages.noClientFound(missing.map(({ client }) => client.name)));
}

const seen = (places: Places) => ({ disk, madeFolders: missingForState(places) });
