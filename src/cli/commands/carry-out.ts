/** What follows once the plan of an install, update or uninstall is made: ask, write, report. */

import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../../clients/contract.ts';
import { stopped } from '../../clients/detect.ts';
import type { Grant } from '../../declaration/grants.ts';
import { apply } from '../../install/apply.ts';
import { readLedger } from '../../install/ledger.ts';
import { leftovers } from '../../install/leftovers.ts';
import { isNothing, type Plan } from '../../install/plan.ts';
import { isSameSite, siteOf } from '../../install/site.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { messages } from '../../present/messages/output.ts';
import { sentence } from '../../present/messages/sentence.ts';
import { wrapMessage } from '../../present/render/lines.ts';
import {
  diffOf,
  nextSteps,
  planJson,
  type Shown,
  shortcomings,
  showDiffs,
  showPlan,
  summaryOfAll,
} from '../../present/render/plan.ts';
import type { Step } from '../../present/render/status.ts';
import { disk } from '../../system/disk.ts';
import { UserError } from '../../system/errors.ts';
import { isLocked } from '../../system/lock.ts';
import { listed } from '../../system/plurals.ts';
import { wrap } from '../../system/terminal.ts';
import { inLine, toJson } from '../../system/visible.ts';
import { type Context, type Flags, isQuiet, OK, TROUBLE } from './command.ts';
import { confirmed, page } from './confirm.ts';
import { refusedIn, refusedJson } from './objections.ts';
import { withProgressAfter } from './progress.ts';
import { sayFailed } from './several.ts';

export interface Asker {
  readonly grant: (labels: readonly string[], grant: Grant) => Promise<boolean>;
  /** Whether to take out this many originals. */
  readonly originals: (many: number) => Promise<boolean>;
  /** Whether to add the server to these clients. */
  readonly server: (clients: readonly string[]) => Promise<boolean>;
}

/** Asks the questions that are separate from the plan. Undefined if no one can answer or nothing is written. */
export const askerOf = ({ yes, json, dryRun }: Flags): Asker | undefined =>
  yes || json || dryRun
    ? undefined
    : {
        grant: (labels, grant) =>
          confirmed(
            messages.grantQuestion[grant](listed(labels), labels.length > 1 ? 'their' : 'its'),
          ),
        originals: (many) => confirmed(messages.originalsQuestion(many)),
        server: (clients) => confirmed(messages.servers.question(clients)),
      };

export interface Done {
  readonly code: number;
  readonly json: object;
  /** What to run next. */
  readonly steps?: readonly Step[];
}

interface CarryOutOptions {
  /** Receives the result as JSON. By default, it is printed. */
  readonly print?: (json: object) => void;
  /** Whether the command takes --client. By default, it does. */
  readonly choosesClients?: boolean;
  readonly objection?: string | undefined;
  /** The command that shows what would change. By default `mcp-hooks diff`. */
  readonly review?: string;
  /** Runs once the files are as planned. `written` tells whether they had to change, and `done` which plans succeeded. */
  readonly next?: (written: boolean, done: readonly Shown[]) => Promise<Done | undefined>;
}

/** A plan, and how to make it again. */
export interface Planned {
  readonly shown: Shown;
  readonly replan: () => Plan;
}

const diffs = ({ clients, servers = [], places }: Plan) =>
  [...clients, ...servers].map((one) => [one.path, diffOf(one, places.home)]);

const changedFiles = ({ clients, servers = [] }: Plan) =>
  [...clients, ...servers].flatMap(({ change }) => change?.path ?? []);

export async function carryOut(
  context: Context,
  shown: Shown,
  flags: Flags,
  replan: () => Plan,
  { print = (json) => context.terminal.out(toJson(json)), ...options }: CarryOutOptions = {},
): Promise<number> {
  return carryOutAll(context, [{ shown, replan }], flags, { ...options, print });
}

/**
 * The same for several labels after a single question. Each plan starts from the files as the plans before it leave them. Each
 * is a transaction of its own: if one fails, the failure is reported, and the others stay.
 */
export async function carryOutAll(
  context: Context,
  all: readonly [Planned, ...Planned[]],
  flags: Flags,
  {
    objection,
    next,
    print,
    choosesClients = true,
    review = 'mcp-hooks diff',
  }: CarryOutOptions = {},
): Promise<number> {
  const { terminal } = context;
  const { errColumns = Number.POSITIVE_INFINITY } = terminal;
  const [first, ...others] = all;
  const plans = all.map(({ shown }) => shown.plan);
  const isNothingToDo = plans.every(isNothing);
  /** Reports what was carried out, and what follows. If it is only a look, nothing was. */
  const report = async (done: readonly Shown[], isLook = false): Promise<number> => {
    const written = isLook ? [] : done.filter(({ plan }) => !isNothing(plan));
    const isWritten = written.length > 0;
    const told = isWritten ? written : done;
    const [one, ...more] = told;
    if (one && !flags.json && !flags.quiet)
      terminal.out(
        `${wrapMessage(summaryOfAll([one, ...more], isWritten), terminal.columns, '')}\n`,
      );
    for (const line of !flags.json && flags.quiet
      ? told.flatMap((shown) => shortcomings(shown, !isQuiet(flags), isWritten))
      : [])
      terminal.err(`${wrapMessage(inLine(line, 1000), errColumns, '  ', '')}\n`);
    const after = isLook ? undefined : await next?.(isWritten, done);
    if (isWritten && !flags.json && !flags.quiet) {
      terminal.out(nextSteps(terminal, written, after?.steps ?? [], isEverything(written)));
      for (const { client, change } of written.flatMap(({ plan }) => plan.clients))
        if (change && client.readsHooks === 'at start') context.toRestart?.add(client.shortName);
    }
    if (flags.json) print?.({ ...planJson(first.shown, isWritten), ...after?.json });
    return after?.code ?? OK;
  };
  const everything = all.map(({ shown }) => shown);
  const stop = objection ?? plans.map((plan) => refusedIn(plan, choosesClients)).find((one) => one);
  if (stop !== undefined) {
    if (flags.json) print?.({ ...planJson(first.shown, false), ...refusedJson(stop, objection) });
    // The plan names the refused file and the reason.
    else if (isQuiet(flags))
      for (const shown of everything) terminal.out(`${showPlan(terminal, shown)}\n\n`);
    terminal.err(`${wrap(stop, errColumns, '')}\n`);
    return TROUBLE;
  }
  // With --json the user cannot be asked, so the plan is only shown.
  const isLook = flags.dryRun === true || (flags.json === true && !flags.yes);
  if (isNothingToDo || isLook) {
    // Applying even an empty plan cleans up after a killed run.
    const { plan } = first.shown;
    const left = () => isLocked(plan.places.state) || leftovers(plan.places).length > 0;
    if (!isLook && left()) await apply(plan, first.replan);
    if (flags.json && isLook && !flags.dryRun && !isNothingToDo)
      terminal.err(`${messages.onlyPlanned}\n`);
    return report(everything, isLook);
  }
  if (!flags.yes) {
    if (!terminal.interactive) throw new UserError<CliMessage>({ code: 'needs-yes', review });
    const files = new Set(plans.flatMap(changedFiles)).size;
    const question =
      others.length === 0 && first.shown.plan.replaces
        ? messages.replaceQuestion(first.shown.plan.label)
        : messages.applyQuestion(files);
    const showDiff =
      flags.diff || files === 0
        ? undefined
        : () =>
            page(
              terminal,
              context.env,
              everything.flatMap((shown) => showDiffs(terminal, shown)).join('\n\n'),
            );
    if (!(await confirmed(question, showDiff))) {
      const of = context.isOneOfSeveral ? `${first.shown.plan.label}: ` : '';
      terminal.out(`${of}${sentence({ code: 'declined' })}\n`);
      return TROUBLE;
    }
  }
  await refuseIfStopped(context, plans);
  if (others.length === 0) {
    await applyAsShown(first, flags);
    return report(everything);
  }
  const done: Shown[] = [];
  for (const one of all)
    try {
      await applyAsShown(one, flags);
      done.push(one.shown);
    } catch (error) {
      sayFailed(terminal, one.shown.plan.label, error);
    }
  const code = await report(done);
  return done.length < all.length ? TROUBLE : code;
}

/** Whether these are all the installs of their scope. */
function isEverything(written: readonly Shown[]): boolean {
  const [first] = written;
  if (!first) return false;
  const { places } = first.plan;
  return readLedger(places.state, disk.read).ledger.installs.every(
    (one) =>
      !isSameSite(one, siteOf(places)) || written.some(({ plan }) => plan.label === one.label),
  );
}

async function applyAsShown({ shown: { plan }, replan }: Planned, flags: Flags): Promise<void> {
  await apply(plan, () => {
    const again = replan();
    // The user was not asked about another source, and --yes does not cover it.
    const isOther = again.replaces?.source !== plan.replaces?.source;
    // Without --yes, write only what the user has agreed to.
    if (isOther || (!flags.yes && !isDeepStrictEqual(diffs(again), diffs(plan))))
      throw new UserError<CliMessage>({ code: 'changed-while-asked' });
    return again;
  });
}

/** @throws UserError if hooks would be written for a client that reports that it does not start. */
async function refuseIfStopped(context: Context, plans: readonly Plan[]) {
  const asked = new Set<Client>();
  for (const { kind, places, clients } of plans)
    for (const { client, change, compiled } of clients) {
      if (kind !== 'install' || !change || !compiled?.groups.length || asked.has(client)) continue;
      asked.add(client);
      const found = await withProgressAfter(
        context,
        messages.askingWhetherItStarts(client.name),
        () => stopped(client, { places, cwd: context.cwd }),
      );
      if (found)
        throw new UserError<CliMessage>(
          { code: 'client-stops-here', client: client.name, why: found.why },
          [{ code: 'leave-client-out', client: client.name }],
        );
    }
}
