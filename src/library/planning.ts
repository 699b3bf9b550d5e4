/** Plans for the disk of this machine. */

import type { Client } from '../clients/contract.ts';
import { installedVersion, selectClients } from '../clients/detect.ts';
import type { ClientMessage } from '../clients/messages.ts';
import type { Places } from '../clients/places.ts';
import { CLIENTS } from '../clients/registry.ts';
import { LABEL } from '../declaration/declaration.ts';
import type { ServerHooks } from '../declaration/declared.ts';
import { GRANTS, type Grant } from '../declaration/grants.ts';
import type { DeclarationMessage } from '../declaration/messages.ts';
import { serversOf } from '../install/known-servers.ts';
import type { InstallMessage } from '../install/messages.ts';
import { type InstallPlan, type Plan, planInstall, planUninstall } from '../install/plan.ts';
import { missingForState } from '../install/planned-file.ts';
import { launchText } from '../present/render/words.ts';
import { startedAt } from '../sources/launch.ts';
import { disk } from '../system/disk.ts';
import { UserError } from '../system/errors.ts';
import { template } from '../system/package-files.ts';

export interface Here {
  readonly places: Places;
  /** By default: the clients found on this machine. */
  readonly clients?: readonly Client[] | undefined;
}

export interface InstallHere extends Here {
  readonly actNow?: boolean;
  readonly extraTurns?: boolean;
  readonly allow?: readonly Grant[];
  readonly node?: string;
}

export function installHere(declared: ServerHooks, request: InstallHere): InstallPlan {
  const { places, clients = foundClients(places), node = process.execPath } = request;
  const { actNow = false, extraTurns = true, allow = [] } = request;
  for (const grant of allow)
    if (!GRANTS.includes(grant))
      throw new UserError<InstallMessage>({ code: 'unknown-grant', grant, known: GRANTS });
  return planInstall(startedAt(declared, places.home), {
    ...{ places, clients, actNow, extraTurns, allow, node },
    platform: process.platform,
    template,
    serversOf: serversOf(declared, places, places.project ?? places.home),
    describeLaunch: launchText,
    versionOf: (client) => installedVersion(client, places, disk.read),
    ...seen(places),
  });
}

/** Leaves out clients that have nothing under this label. */
export function uninstallHere(label: string, { places, clients = CLIENTS }: Here): Plan {
  // The label becomes part of paths, and files there are removed.
  if (!LABEL.test(label)) throw new UserError<DeclarationMessage>({ code: 'bad-label', label });
  const removal = planUninstall(label, { places, clients, ...seen(places) });
  const holding = removal.clients.filter(
    ({ change, refusal, foreign = [] }) => change || refusal || foreign.length > 0,
  );
  return { ...removal, clients: holding };
}

function foundClients(places: Places): readonly Client[] {
  const { clients, missing } = selectClients(undefined, places);
  if (clients.length > 0) return clients;
  const names = missing.map(({ client }) => client.name);
  throw new UserError<ClientMessage>({ code: 'no-client-found', names });
}

const seen = (places: Places) => ({ disk, madeFolders: missingForState(places) });
