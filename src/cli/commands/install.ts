/** `mcp-hooks install`: show everything, ask, write, show whether it fires now and what is left to do. */

import { trustOf } from '../../clients/registry.ts';
import { refused } from '../../diagnose/doctor/check.ts';
import { type ClientStatus, statusOf } from '../../diagnose/doctor/status.ts';
import { readInstalled } from '../../diagnose/fire/installed.ts';
import type { Plan } from '../../install/plan.ts';
import { isSameSite, siteOf } from '../../install/site.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { SERVERS } from '../../present/messages/help.ts';
import { messages } from '../../present/messages/output.ts';
import { sentenceOrText } from '../../present/messages/sentence.ts';
import { trustMessages } from '../../present/messages/trust.ts';
import { showPlan } from '../../present/render/plan.ts';
import {
  type Step,
  showBlocked,
  statusJson,
  trustSteps,
  withoutTrustSteps,
} from '../../present/render/status.ts';
import { disk } from '../../system/disk.ts';
import { codeOf, Interrupted, reasonOf, UserError } from '../../system/errors.ts';
import { inLine } from '../../system/visible.ts';
import { askerOf, carryOut, type Done } from './carry-out.ts';
import {
  ASKED,
  type Command,
  type Context,
  FIRST_ID,
  type Flags,
  isQuiet,
  LAUNCH_USAGE,
  OK,
  OTHER_ID,
  option,
  type SourceFlags,
  sourceOptions,
  writingOptions,
} from './command.ts';
import { confirmed } from './confirm.ts';
import { doctorContext } from './doctor-context.ts';
import { downloadServers } from './download.ts';
import { replaceObjection, strictObjection } from './objections.ts';
import { prepare } from './prepare.ts';
import { eachOf } from './several.ts';

export const install: Command = {
  name: 'install',
  group: 'Start',
  summary: 'install the hooks of one or more servers',
  operands: '[servers...]',
  operandsBeforeLaunch: '[servers...]',
  takesServers: true,
  usage: ['[options] [<server>...]', LAUNCH_USAGE],
  options: [
    ...sourceOptions(),
    ...writingOptions(),
    option('--replace', 'replace what another source installed under this name'),
    option('--trust', trustMessages.help(ASKED)),
  ],
  about: SERVERS,
  examples: [
    'install ./annal.json',
    'install npm:annal --allow context-tool',
    `install https://mcp.annal.example/mcp --client ${FIRST_ID},${OTHER_ID} --yes`,
    'install --name annal -- uvx annal',
  ],
  run,
};

/** One source after the other: each is shown, confirmed and written separately. */
async function run(
  context: Context,
  sources: readonly string[],
  flags: SourceFlags,
): Promise<number> {
  const [first, ...others] = sources;
  if (others.length === 0) return installOne(context, first, flags);
  if (flags.name !== undefined || flags.from !== undefined)
    throw new UserError<CliMessage>({ code: 'one-server-only' });
  // A header is a secret for one server.
  if (flags.header) throw new UserError<CliMessage>({ code: 'header-for-one' });
  if (context.launch) throw new UserError<CliMessage>({ code: 'command-for-one' });
  return eachOf(context, sources, flags, 'install', (at, source) => installOne(at, source, flags));
}

async function installOne(
  context: Context,
  source: string | undefined,
  flags: SourceFlags,
): Promise<number> {
  const prepared = await prepare(context, source, flags, askerOf(flags));
  if (!prepared) return OK;
  const shown = { ...prepared, trust: flags.trust, diff: flags.diff };
  const { plan } = shown;
  const { terminal } = context;
  const objection =
    replaceObjection(prepared, flags, context) ??
    (flags.strict ? strictObjection(shown) : undefined);
  if (!flags.json && !isQuiet(flags)) terminal.out(`${showPlan(terminal, shown)}\n\n`);
  const next = async (written: boolean): Promise<Done | undefined> => {
    if (written) await downloadFor(context, plan);
    const asking = plan.clients.filter(
      ({ change, client, compiled }) => change && compiled && trustOf(client),
    );
    const canAsk = written && !flags.yes && !flags.json && asking.length > 0;
    let done: Done | undefined;
    if (flags.trust || canAsk) {
      const { trustPlanned } = await import('./trust.ts');
      done = await trustPlanned(context, shown, flags, flags.trust ? undefined : confirmed);
    }
    // What --trust could not do was printed.
    const isUnsaid = ({ client }: ClientStatus) => !flags.trust || !trustOf(client);
    const { json, steps } = await tellStatus(context, plan, flags, { written, isUnsaid });
    return { code: done?.code ?? OK, json: { ...done?.json, ...json }, steps };
  };
  return carryOut(context, shown, flags, prepared.replan, { objection, next });
}

/** Hooks have just been allowed to call tools, so download their servers while somebody is there to wait. */
export const downloadFor = (context: Context, plan: Plan): Promise<void> =>
  orSay(context, plan, () => {
    const { label, places, clients } = plan;
    const everything = readInstalled(places, disk);
    const installed = clients.flatMap(({ client }) => everything.of(label, client) ?? []);
    return downloadServers(context, installed, places, { always: true });
  });

interface Told {
  /** Whether files were written: then the next steps are shown, too. */
  readonly written: boolean;
  /** By default, every status is reported. */
  readonly isUnsaid?: (status: ClientStatus) => boolean;
}

/** Reports whether the hooks fire in the clients of this plan. The status is null if a file cannot be read; that was printed. */
export async function tellStatus(
  context: Context,
  plan: Plan,
  { json, quiet }: Flags,
  { written, isUnsaid = () => true }: Told,
): Promise<{ json: { status: object[] | null }; steps: readonly Step[] }> {
  const { terminal } = context;
  const { label, places, clients } = plan;
  const ids = clients.map(({ client }) => client.id);
  const told = await orSay(context, plan, async () => {
    const all = await statusOf(doctorContext(context, { label, client: ids }));
    const statuses = all.filter(({ install }) => isSameSite(install, siteOf(places)));
    const unsaid = statuses.filter(isUnsaid);
    const hasSteps = written && !quiet;
    const blocked = showBlocked(terminal, hasSteps ? withoutTrustSteps(unsaid) : unsaid);
    for (const line of json ? [] : blocked) terminal.out(`${line}\n`);
    const steps = hasSteps ? trustSteps(unsaid) : [];
    return { json: { status: statuses.map(statusJson) }, steps };
  });
  return told ?? { json: { status: null }, steps: [] };
}

/** Runs `work` after an install. If a file cannot be read, this is reported, but the install still stands. */
async function orSay<T>(
  { terminal }: Context,
  { label }: Plan,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    const why = codeOf(error) === undefined ? refused(error).what : reasonOf(error);
    terminal.err(`${inLine(messages.statusUnknown(label, sentenceOrText(why)), 10_000)}\n`);
    return undefined;
  }
}
