/** Why a plan is not carried out: a file is refused, another source has the label, or `--strict` rejects it. */

import type { Client } from '../../clients/contract.ts';
import type { ServerHooks } from '../../declaration/declared.ts';
import { denied } from '../../install/consent/grants.ts';
import { type Plan, sourceInWords } from '../../install/plan.ts';
import { messages } from '../../present/messages/output.ts';
import { sentence } from '../../present/messages/sentence.ts';
import type { Shown } from '../../present/render/plan.ts';
import { inLine } from '../../system/visible.ts';
import type { Context, Flags } from './command.ts';

/** The objection if a file is refused. */
export function refusedIn(
  { clients }: Plan,
  choosesClients: boolean,
  writes = true,
): string | undefined {
  const many = clients.filter(({ refusal }) => refusal).length;
  if (many === 0) return undefined;
  const others = clients.filter(({ refusal }) => !refusal).map(({ client }) => shortest(client));
  return messages.refused(many, choosesClients ? others : [], writes);
}

/** The shortest name that `--client` accepts, because ten IDs are too long for a line. */
const shortest = ({ id, aliases }: Client): string =>
  [id, ...aliases].reduce((best, one) => (one.length < best.length ? one : best));

/** Marks a plan as an error, for scripts. */
export const refusedJson = (stop: string, objection: string | undefined): object => ({
  error: stop,
  details: [],
  code: objection === undefined ? 'file-refused' : 'plan-refused',
});

/** The plan cannot replace an install from another source, because some clients would keep the old hooks. */
export function partObjection({ plan, behind = [] }: Shown): string | undefined {
  const { replaces, label } = plan;
  if (!replaces || behind.length === 0) return undefined;
  const clients = behind.map(({ name }) => name).join(', ');
  return messages.replacesPart(label, inLine(replaces.source), clients);
}

/** The plan does not replace the install under this label. The user is never asked without seeing the plan. */
export function replaceObjection(
  shown: Shown & { readonly declared: ServerHooks },
  { replace, yes, json, dryRun }: Flags,
  { terminal }: Context,
): string | undefined {
  const { plan, declared } = shown;
  const { replaces, label } = plan;
  if (!replaces || dryRun) return undefined;
  const part = partObjection(shown);
  if (part !== undefined || replace || (terminal.interactive && !yes && !json)) return part;
  return messages.needsReplace(
    label,
    inLine(replaces.source),
    inLine(sourceInWords(declared.source)),
  );
}

/** The reason why `--strict` rejects the plan. */
export function strictObjection({ plan, declared }: Shown): string | undefined {
  if (declared && isLeftOut(declared)) return sentence({ code: 'strict-left-out' });
  if (declared?.problems.some(({ doubtful }) => doubtful)) return messages.strictDoubtful;
  for (const { client, compiled } of plan.clients)
    if (compiled?.tooOld !== undefined) return messages.strictTooOld(client, compiled.tooOld);
  const lossy = plan.clients.some(({ compiled }) =>
    compiled?.hooks.some(({ grade }) => grade !== 'exact'),
  );
  // A hook has less effect than declared, or may show its text but decide nothing.
  const { downgraded, undecided } = denied(declared?.hooks ?? [], plan.grants);
  return lossy || downgraded.length + undecided.length > 0 ? messages.strictRefused : undefined;
}

/** Something is left out, or part of a server's answer was not understood. Mistakes in a file are refused anyway. */
export const isLeftOut = ({ found, problems, unsupported = [] }: ServerHooks): boolean =>
  problems.some(({ leftOut }) => leftOut) ||
  // A problem without a path is not about the declaration.
  (found !== undefined &&
    unsupported.length + problems.filter(({ path }) => path.length > 0).length > 0);
