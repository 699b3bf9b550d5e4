/** `mcp-hooks doctor`: runs every check, and tells how to fix each problem. It writes nothing itself. */

import { LEVELS } from '../../diagnose/doctor/check.ts';
import {
  allFire,
  CHECKS,
  type CheckFinding,
  type ClientStatus,
  findAll,
  notFiringIn,
  statusFrom,
} from '../../diagnose/doctor/status.ts';
import { siteJson } from '../../install/site.ts';
import { trustMessages } from '../../present/messages/trust.ts';
import { showFindings } from '../../present/render/findings.ts';
import { statusJson, whyJson } from '../../present/render/status.ts';
import { toJson } from '../../system/visible.ts';
import {
  ASKED,
  type Command,
  type Context,
  clientOption,
  DIFFERENT,
  type Flags,
  OK,
  option,
  timeoutOption,
} from './command.ts';
import { doctorContext } from './doctor-context.ts';
import { withProgressAfter } from './progress.ts';

export const doctor: Command = {
  name: 'doctor',
  group: 'Debug',
  summary: 'check whether hooks can fire, and say what to do if not',
  operands: '[label]',
  options: [
    clientOption(),
    option('--servers', 'also start the servers and ask for their hooks'),
    timeoutOption(trustMessages.doctorTimeoutHelp(ASKED), 20),
  ],
  examples: ['doctor', 'doctor annal --servers'],
  run,
};

async function run(context: Context, label: string | undefined, flags: Flags): Promise<number> {
  const { terminal } = context;
  const { client, servers = false, timeout } = flags;
  const asked = { label, client, servers, asksClients: true, deadline: timeout * 1000 };
  const at = doctorContext(context, asked);
  const doing = at.servers ? 'Starting the servers ...' : trustMessages.looking(ASKED);
  const found = await withProgressAfter(context, doing, () => findAll(CHECKS, at));
  const worst = LEVELS.findLast((level) => found.some((one) => one.level === level)) ?? 'ok';
  const statuses = statusFrom(found, at);
  const fires = allFire(statuses);
  if (flags.json) {
    const [findings, status] = [found.map(findingJson), statuses.map(installJson)];
    // With a broken ledger, the installed hooks are unknown, so they do not count as firing.
    terminal.out(toJson({ worst, fires: fires && !at.broken, findings, status }));
  } else
    terminal.out(
      showFindings(terminal, found, at, {
        notFiringIn: fires ? undefined : notFiringIn(statuses),
        verbose: flags.verbose === true,
      }),
    );
  return worst === 'error' ? DIFFERENT : OK;
}

export const installJson = (status: ClientStatus) => ({
  label: status.install.label,
  ...siteJson(status.install),
  ...statusJson(status),
});

export function findingJson(found: CheckFinding) {
  const { check, ...rest } = whyJson(found);
  return { check, level: found.level, about: found.about, ...rest };
}
