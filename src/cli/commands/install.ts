/** `mcp-hooks install`: shows the plan, asks, writes, and reports whether the hooks fire and what is left to do. */

import { trustOf } from '../../clients/registry.ts';
import { GRANTS, type Grant } from '../../declaration/grants.ts';
import { refused } from '../../diagnose/doctor/check.ts';
import { type ClientStatus, statusOf } from '../../diagnose/doctor/status.ts';
import { readInstalled } from '../../diagnose/fire/installed.ts';
import { diskAfter } from '../../install/disk-after.ts';
import type { Plan } from '../../install/plan.ts';
import { isSameSite, siteOf } from '../../install/site.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { ALLOWED, SERVERS } from '../../present/messages/help.ts';
import { messages } from '../../present/messages/output.ts';
import { sentence, sentenceOrText } from '../../present/messages/sentence.ts';
import { trustMessages } from '../../present/messages/trust.ts';
import { showDeclaredTogether } from '../../present/render/declared.ts';
import { folded } from '../../present/render/lines.ts';
import { type Shown, showEffects, showOriginals, showPlan } from '../../present/render/plan.ts';
import { offerOf } from '../../present/render/scanned.ts';
import {
  type Step,
  showBlocked,
  statusJson,
  trustSteps,
  withoutTrustSteps,
} from '../../present/render/status.ts';
import { type Disk, disk } from '../../system/disk.ts';
import { codeOf, Interrupted, type Message, reasonOf, UserError } from '../../system/errors.ts';
import { inLine } from '../../system/visible.ts';
import {
  type Asker,
  askerOf,
  carryOut,
  carryOutAll,
  type Done,
  type Planned,
} from './carry-out.ts';
import {
  ASKED,
  type Command,
  type Context,
  type Flags,
  isQuiet,
  LAUNCH_USAGE,
  OK,
  OTHER_ID,
  option,
  type SourceFlags,
  sourceOptions,
  TROUBLE,
  writingOptions,
} from './command.ts';
import { confirmed } from './confirm.ts';
import { copyPackage } from './copy.ts';
import { doctorContext } from './doctor-context.ts';
import { downloadServers } from './download.ts';
import { replaceObjection, strictObjection } from './objections.ts';
import {
  addedBy,
  openGrants,
  type Prepared,
  plannedNow,
  prepare,
  prepareDeclared,
  twiceIn,
  withGrants,
} from './prepare.ts';
import { eachOf, sayFailed } from './several.ts';

export const install: Command = {
  name: 'install',
  group: 'Start',
  summary: 'install the hooks of one or more servers',
  operands: '[servers...]',
  operandsBeforeLaunch: '[servers...]',
  takesServers: true,
  usage: ['[options] [<server>...]', '[options] --all', LAUNCH_USAGE],
  options: [
    option('--all', 'all configured servers that are not installed yet'),
    ...sourceOptions(),
    ...writingOptions(),
    option('--replace', 'replace what another source installed under this name'),
    option('--trust', trustMessages.help(ASKED)),
  ],
  about: `${SERVERS}

${ALLOWED}`,
  examples: [
    'install ./annal.json',
    'install npm:annal --allow context-tool',
    `install https://mcp.annal.example/mcp --client ${OTHER_ID} --yes`,
    'install --name annal -- uvx annal',
    'install --all',
  ],
  run,
};

/** A server whose hooks are to be installed. */
interface Wanted {
  readonly name: string;
  /** Undefined if the server has no hooks, which was printed. */
  readonly prepare: (context: Context, ask?: Asker) => Promise<Prepared | undefined>;
}

async function run(
  context: Context,
  sources: readonly string[],
  flags: SourceFlags,
): Promise<number> {
  const wanted = (source: string | undefined): Wanted => ({
    name: source ?? '',
    prepare: (at, ask) => prepare(at, source, flags, ask),
  });
  const [first, ...others] = sources;
  if (flags.all && first !== undefined)
    throw new UserError<CliMessage>({ code: 'names-or-all', command: 'install' });
  if (!flags.all && others.length === 0)
    return installOne(context, await wanted(first).prepare(context, askerOf(flags)), flags);
  if (flags.name !== undefined || flags.from !== undefined)
    throw new UserError<CliMessage>({ code: 'one-server-only' });
  // A header is a secret for one server.
  if (flags.header) throw new UserError<CliMessage>({ code: 'header-for-one' });
  if (context.launch) throw new UserError<CliMessage>({ code: 'command-for-one' });
  const all = flags.all ? await offered(context, flags) : [...new Set(sources)].map(wanted);
  if (!flags.json) return installAll(context, all, flags);
  return eachOf(context, all, flags, async (at, one) =>
    installOne(at, await one.prepare(at), flags),
  );
}

/**
 * The configured servers whose hooks are not installed yet, and those that cannot be queried. Prints which others there are.
 */
async function offered(context: Context, flags: Flags): Promise<Wanted[]> {
  const { terminal, cwd } = context;
  const { scanAll } = await import('./scan.ts');
  const { from: _, ...rest } = flags as SourceFlags;
  const { scanned } = await scanAll(context, rest);
  const left: Record<'none' | 'installed', string[]> = { none: [], installed: [] };
  const lines: string[] = [];
  const wanted = scanned.flatMap((one): Wanted[] => {
    const offer = offerOf(one, scanned, cwd);
    const { outcome, server } = one;
    const name = inLine(server.name, 100);
    if (offer.kind === 'hooks')
      return [{ name, prepare: (at) => prepareDeclared(at, offer.hooks, flags) }];
    if (offer.kind === 'other') lines.push(`${name}: ${offer.why}`);
    else if (offer.kind !== 'not answered') left[offer.kind].push(name);
    else if (outcome.kind === 'not asked') lines.push(`${name}: ${sentence(outcome.why)}`);
    else if (outcome.kind === 'failed') {
      const failed = () => Promise.reject(new UserError<Message>(outcome.why, outcome.details));
      return [{ name, prepare: failed }];
    }
    return [];
  });
  if (left.none.length > 0) lines.push(messages.haveNoHooks(left.none));
  if (left.installed.length > 0) lines.push(messages.installedAlready(left.installed));
  if (scanned.length === 0) lines.push(messages.noneConfigured, messages.noneToScan);
  else if (wanted.length === 0) lines.push(messages.nothingToInstall);
  if (!flags.json && !isQuiet(flags) && lines.length > 0)
    terminal.out(`${folded(lines, terminal.columns).join('\n')}\n\n`);
  return wanted;
}

async function installOne(
  context: Context,
  prepared: Prepared | undefined,
  flags: Flags,
): Promise<number> {
  if (!prepared) return OK;
  const shown = { ...prepared, trust: flags.trust, diff: flags.diff };
  const { plan } = shown;
  const { terminal } = context;
  if (!flags.json && !isQuiet(flags)) terminal.out(`${showPlan(terminal, shown)}\n\n`);
  const next = async (written: boolean): Promise<Done | undefined> => {
    const asking = plan.clients.filter(
      ({ change, client, compiled }) => change && compiled && trustOf(client),
    );
    const canAsk = written && !flags.yes && !flags.json && asking.length > 0;
    return afterwards(context, [shown], flags, written, canAsk ? confirmed : undefined);
  };
  const objection = objectionTo(context, shown, flags);
  return carryOut(context, shown, flags, prepared.replan, { objection, next });
}

const objectionTo = (context: Context, shown: Prepared, flags: Flags): string | undefined =>
  replaceObjection(shown, flags, context) ?? (flags.strict ? strictObjection(shown) : undefined);

/**
 * Installs several servers in one plan, with one question. Servers that fail or are refused come first and do not stop the
 * others.
 */
async function installAll(
  context: Context,
  wanted: readonly Wanted[],
  flags: Flags,
): Promise<number> {
  const { terminal } = context;
  const at = { ...context, isOneOfSeveral: true };
  let worst = OK;
  const ready: Prepared[] = [];
  const alone: Prepared[] = [];
  for (const { name, prepare } of wanted)
    try {
      const prepared = await prepare(at);
      if (!prepared) continue;
      const { label } = prepared.plan;
      if ([...ready, ...alone].some(({ plan }) => plan.label.toLowerCase() === label.toLowerCase()))
        throw new UserError<CliMessage>({ code: 'label-twice', label });
      // A plan that replaces an install or adds a server has a question of its own.
      const hasOwn = prepared.plan.replaces || addedBy(prepared.plan).length > 0;
      const isAlone = hasOwn || objectionTo(context, prepared, flags) !== undefined;
      (isAlone ? alone : ready).push(prepared);
    } catch (error) {
      sayFailed(terminal, name, error);
      worst = TROUBLE;
    }
  const asker = askerOf(flags);
  const [only, ...others] = ready;
  if (only && others.length === 0) alone.push(only);
  for (const one of alone)
    try {
      const agreed = await withGrants(at, plannedNow(one), flags, asker);
      worst = Math.max(worst, await installOne(at, agreed, flags));
      if (!isQuiet(flags)) terminal.out('\n');
    } catch (error) {
      sayFailed(terminal, one.plan.label, error);
      worst = TROUBLE;
    }
  if (others.length === 0) return worst;
  const together = await agreedTogether(context, ready, flags, {
    asker,
    show: showDeclaredTogether,
  });
  const [first, ...more] = together;
  if (!first) return worst;
  if (!isQuiet(flags))
    terminal.out(`${showEffects(terminal, [first.shown, ...more.map(({ shown }) => shown)])}\n\n`);
  const next = (written: boolean, done: readonly Shown[]) =>
    afterwards(context, done, flags, written);
  return Math.max(worst, await carryOutAll(context, [first, ...more], flags, { next }));
}

/**
 * Shows what the hooks of all servers do, asks for grants, and plans each install on top of the ones before it.
 *
 * @param isAsked Whether the user has to decide something about one of them.
 */
export async function agreedTogether(
  { terminal }: Context,
  all: readonly Prepared[],
  flags: Flags,
  {
    asker,
    show,
    isAsked = () => true,
  }: {
    readonly asker: Asker | undefined;
    readonly show: typeof showDeclaredTogether;
    readonly isAsked?: (one: Prepared) => boolean;
  },
): Promise<(Planned & { readonly shown: Prepared })[]> {
  if (!isQuiet(flags)) terminal.out(`${show(terminal, all)}\n\n`);
  const ask = terminal.interactive ? asker : undefined;
  const granted = new Map<Prepared, Grant[]>(all.map((one) => [one, []]));
  const open = ask
    ? all.filter(isAsked).map((one) => ({ one, grants: openGrants(one.plan, flags) }))
    : [];
  for (const grant of GRANTS) {
    const asking = open.filter(({ grants }) => grants.includes(grant));
    const labels = asking.map(({ one }) => one.plan.label);
    if (labels.length > 0 && (await ask?.grant(labels, grant)))
      for (const { one } of asking) granted.get(one)?.push(grant);
  }
  if (open.some(({ grants }) => grants.length > 0)) terminal.out('\n');
  const planned = (wishes: { readonly replaceOriginals?: boolean } = {}) => {
    const plans: Plan[] = [];
    return all.map((one) => {
      const replan = (on?: Disk) =>
        one.replan({
          ...(isAsked(one) && wishes),
          granted: granted.get(one) ?? [],
          ...(on && { on }),
        });
      const plan = replan(diskAfter(disk, plans));
      plans.push(plan);
      const { introduce: _, ...rest } = one;
      const shown = { ...rest, plan, trust: flags.trust, diff: flags.diff };
      return { shown, isAsked: isAsked(one), replan: () => replan() };
    });
  };
  const plans = planned();
  const asking = plans.filter((one) => one.isAsked);
  const many = asking.reduce((sum, { shown }) => sum + twiceIn(shown.plan), 0);
  if (!ask || many === 0) return plans;
  const lines = asking.flatMap(({ shown }) => showOriginals(terminal, shown.plan));
  terminal.out(`${lines.join('\n')}\n\n`);
  const replaceOriginals = await ask.originals(many);
  terminal.out('\n');
  return replaceOriginals ? planned({ replaceOriginals }) : plans;
}

/** What follows an install: downloads, trust in clients, and whether the hooks fire. @param ask Asks before trusting. */
export async function afterwards(
  context: Context,
  all: readonly Shown[],
  flags: Flags,
  written: boolean,
  ask?: typeof confirmed,
): Promise<Done> {
  let code = OK;
  let json = {};
  const plans = all.map(({ plan }) => plan);
  for (const plan of plans) await downloadFor(context, plan, written);
  const [first, ...others] = all;
  if (first && (flags.trust || ask)) {
    const { trustPlanned } = await import('./trust.ts');
    const asked = flags.trust ? undefined : ask;
    ({ code, json } = await trustPlanned(context, [first, ...others], flags, asked));
  }
  // What --trust could not do was already printed.
  const shouldReport = ({ client }: ClientStatus) => !flags.trust || !trustOf(client);
  const status = await reportStatus(context, plans, flags, { written, shouldReport });
  return { code, json: { ...json, ...status.json }, steps: status.steps };
}

/**
 * Hooks were just allowed to call tools, so their servers are downloaded while the user is waiting anyway. A missing copy is
 * made again even if nothing else had to be written.
 */
const downloadFor = (context: Context, plan: Plan, written: boolean) =>
  orSay(context, plan, async () => {
    const { label, places, clients } = plan;
    await copyPackage(context, plan);
    if (!written) return;
    const everything = readInstalled(places, disk);
    const installed = clients.flatMap(({ client }) => everything.of(label, client) ?? []);
    return downloadServers(context, installed, places, { always: true });
  });

interface StatusOptions {
  /** Whether files were written. If so, the next steps are shown, too. */
  readonly written: boolean;
  /** By default, every status is reported. */
  readonly shouldReport?: (status: ClientStatus) => boolean;
}

/**
 * Reports whether the hooks fire in the clients of these plans. The status is null if a file cannot be read, which was printed.
 */
async function reportStatus(
  context: Context,
  plans: readonly Plan[],
  { json, quiet }: Flags,
  { written, shouldReport = () => true }: StatusOptions,
): Promise<{ json: { status: object[] | null }; steps: readonly Step[] }> {
  const { terminal } = context;
  const statuses: ClientStatus[] = [];
  for (const plan of plans) {
    const { label, places, clients } = plan;
    const ids = clients.map(({ client }) => client.id);
    const found = await orSay(context, plan, () =>
      statusOf(doctorContext(context, { label, client: ids })),
    );
    if (!found) return { json: { status: null }, steps: [] };
    statuses.push(...found.filter(({ install }) => isSameSite(install, siteOf(places))));
  }
  const reported = statuses.filter(shouldReport);
  const hasSteps = written && !quiet;
  const blocked = showBlocked(terminal, hasSteps ? withoutTrustSteps(reported) : reported);
  for (const line of json ? [] : blocked) terminal.out(`${line}\n`);
  const steps = hasSteps ? trustSteps(reported) : [];
  return { json: { status: statuses.map(statusJson) }, steps };
}

/** Runs `work` after an install. An unreadable file is reported, but the install stands. */
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
