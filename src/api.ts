/** Planning for a caller who has a declaration and a place, and leaves disk and formats to us. */

import type { Client } from './clients/client.ts';
import { disk, missingForState } from './commands/context.ts';
import type { Grant } from './consent/grants.ts';
import type { Declared } from './declaration/declared.ts';
import type { Places } from './places.ts';
import { type Plan, planInstall, planUninstall } from './plan.ts';

export interface PlanRequest {
  /** From `findPlaces`: user or project scope, with HOME and the clients' own variables. */
  readonly places: Places;
  readonly clients: readonly Client[];
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
 * @throws UserError when the ledger or a file cannot be read. A config file that must not be edited is a
 *   `refusal` in the plan.
 */
export function plan(declared: Declared, request: PlanRequest): Plan {
  return planInstall(declared, {
    actNow: false,
    extraTurns: true,
    allow: [],
    node: process.execPath,
    ...request,
    ...seen(request.places),
  });
}

/** What uninstalling `label` would change, to the byte. */
export function planRemoval(label: string, request: Pick<PlanRequest, 'places' | 'clients'>): Plan {
  return planUninstall(label, { ...request, ...seen(request.places) });
}

const seen = (places: Places) => ({ disk, madeFolders: missingForState(places) });
