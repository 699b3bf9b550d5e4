/** The rest of an install, update or uninstall once its plan is made: ask, write, report. */

import { isDeepStrictEqual } from 'node:util';
import { stopped } from '../../clients/detect.ts';
import type { Grant } from '../../declaration/grants.ts';
import { apply } from '../../install/apply.ts';
import { leftovers } from '../../install/leftovers.ts';
import { isNothing, type Plan } from '../../install/plan.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { messages } from '../../present/messages/output.ts';
import { sentence } from '../../present/messages/sentence.ts';
import { wrapTold } from '../../present/render/lines.ts';
import {
  diffOf,
  nextSteps,
  planJson,
  type Shown,
  shortcomings,
  showDiffs,
  showPlan,
  summary,
} from '../../present/render/plan.ts';
import type { Step } from '../../present/render/status.ts';
import { UserError } from '../../system/errors.ts';
import { isLocked } from '../../system/lock.ts';
import { wrap } from '../../system/terminal.ts';
import { inLine, toJson } from '../../system/visible.ts';
import { type Context, type Flags, isQuiet, OK, TROUBLE } from './command.ts';
import { confirmed, page } from './confirm.ts';
import { refusedIn, refusedJson } from './objections.ts';
import { withProgressAfter } from './progress.ts';

export interface Asker {
  readonly grant: (label: string, grant: Grant) => Promise<boolean>;
  /** Whether to take out this many originals. */
  readonly originals: (many: number) => Promise<boolean>;
  /** Whether to add the server to these clients. */
  readonly server: (clients: readonly string[]) => Promise<boolean>;
}

/** Asks what is to be agreed to apart from the plan. Undefined if nobody would answer or nothing is written. */
export const askerOf = ({ yes, json, dryRun }: Flags): Asker | undefined =>
  yes || json || dryRun
    ? undefined
    : {
        grant: (label, grant) => confirmed(messages.grantQuestion[grant](label)),
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
  /** Receives the result as JSON. By default it is printed. */
  readonly print?: (json: object) => void;
  /** Whether the command takes --client; by default it does. */
  readonly choosesClients?: boolean;
  readonly objection?: string | undefined;
  /** The command that shows what would change; by default `mcp-hooks diff`. */
  readonly review?: string;
  /** Runs once the files are as they should be; `written` says whether they had to change. */
  readonly next?: (written: boolean) => Promise<Done | undefined>;
}

const diffs = ({ clients, servers = [], places }: Plan) =>
  [...clients, ...servers].map((one) => [one.path, diffOf(one, places.home)]);

export async function carryOut(
  context: Context,
  shown: Shown,
  flags: Flags,
  replan: () => Plan,
  {
    objection,
    next,
    print = (json) => context.terminal.out(toJson(json)),
    choosesClients = true,
    review = 'mcp-hooks diff',
  }: CarryOutOptions = {},
): Promise<number> {
  const { terminal } = context;
  const { errColumns = Number.POSITIVE_INFINITY } = terminal;
  const { plan } = shown;
  const say = async (written: boolean, after?: CarryOutOptions['next']): Promise<number> => {
    if (!flags.json && flags.quiet)
      for (const line of shortcomings(shown, !isQuiet(flags), written))
        terminal.err(`${wrapTold(inLine(line, 1000), errColumns, '  ', '')}\n`);
    else if (!flags.json)
      terminal.out(`${wrapTold(summary(shown, written), terminal.columns, '')}\n`);
    const done = await after?.(written);
    if (written && !flags.json && !flags.quiet) {
      terminal.out(nextSteps(terminal, shown, done?.steps ?? []));
      for (const { client, change } of plan.clients)
        if (change && client.readsHooks === 'at start') context.toRestart?.add(client.shortName);
    }
    if (flags.json) print({ ...planJson(shown, written), ...done?.json });
    return done?.code ?? OK;
  };
  const stop = objection ?? refusedIn(plan, choosesClients);
  if (stop !== undefined) {
    if (flags.json) print({ ...planJson(shown, false), ...refusedJson(stop, objection) });
    // The plan names the refused file and the reason.
    else if (isQuiet(flags)) terminal.out(`${showPlan(terminal, shown)}\n\n`);
    terminal.err(`${wrap(stop, errColumns, '')}\n`);
    return TROUBLE;
  }
  // With --json nobody can be asked, so this is only a look.
  const isLook = flags.dryRun || (flags.json && !flags.yes);
  if (isNothing(plan) || isLook) {
    // Applying even an empty plan cleans up after a run that was killed.
    const left = () => isLocked(plan.places.state) || leftovers(plan.places).length > 0;
    if (!isLook && left()) await apply(plan, replan);
    if (flags.json && isLook && !flags.dryRun && !isNothing(plan))
      terminal.err(`${messages.onlyPlanned}\n`);
    return say(false, isLook ? undefined : next);
  }
  if (!flags.yes) {
    if (!terminal.interactive) throw new UserError<CliMessage>({ code: 'needs-yes', review });
    const files = [...plan.clients, ...(plan.servers ?? [])].filter(({ change }) => change).length;
    const question = plan.replaces
      ? messages.replaceQuestion(plan.label)
      : messages.applyQuestion(files);
    const showDiff =
      flags.diff || files === 0
        ? undefined
        : () => page(terminal, context.env, showDiffs(terminal, shown).join('\n\n'));
    if (!(await confirmed(question, showDiff))) {
      const of = context.isOneOfSeveral ? `${plan.label}: ` : '';
      terminal.out(`${of}${sentence({ code: 'declined' })}\n`);
      return TROUBLE;
    }
  }
  await refuseIfStopped(context, plan);
  await apply(plan, () => {
    const again = replan();
    // Nobody was asked about another source, and --yes does not cover it.
    const isOther = again.replaces?.source !== plan.replaces?.source;
    // Without --yes, write only what the user has agreed to.
    if (isOther || (!flags.yes && !isDeepStrictEqual(diffs(again), diffs(plan))))
      throw new UserError<CliMessage>({ code: 'changed-while-asked' });
    return again;
  });
  return say(true, next);
}

/** Throws UserError if hooks would be written for a client that reports that it does not start. */
async function refuseIfStopped(context: Context, { kind, places, clients }: Plan) {
  if (kind !== 'install') return;
  for (const { client, change, compiled } of clients) {
    if (!change || !compiled?.groups.length) continue;
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
