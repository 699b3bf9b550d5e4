/** `mcp-hooks verify`: sends sample events through the settings as written, and names every hook that does not fire. */

import { selectClients } from '../../clients/detect.ts';
import { findPlaces, type Places, tilde } from '../../clients/places.ts';
import { CLIENTS } from '../../clients/registry.ts';
import { type ClientStatus, statusAt, statusOf } from '../../diagnose/doctor/status.ts';
import { folderTrust } from '../../diagnose/doctor/trust.ts';
import { sessionFolder } from '../../diagnose/fire/fire-client.ts';
import { type Installed, readInstalled } from '../../diagnose/fire/installed.ts';
import { type Failure, type VerifiedClient, verifyClient } from '../../diagnose/fire/verify.ts';
import { siteOf } from '../../install/site.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { messages } from '../../present/messages/output.ts';
import { sentence } from '../../present/messages/sentence.ts';
import { inLines } from '../../present/render/lines.ts';
import { distinct, skippedIn } from '../../present/render/status.ts';
import {
  allFine,
  showUntried,
  showVerified,
  untriedJson,
  verdict,
  verifiedJson,
  type Waiting,
} from '../../present/render/verified.ts';
import { disk } from '../../system/disk.ts';
import { UserError } from '../../system/errors.ts';
import { toJson } from '../../system/visible.ts';
import {
  allowOption,
  type Command,
  type Context,
  clientOption,
  DIFFERENT,
  type Flags,
  LAUNCH_USAGE,
  launchedNameOption,
  OK,
  option,
  scopeOption,
  timeoutOption,
} from './command.ts';
import { doctorContext } from './doctor-context.ts';
import { downloadServers } from './download.ts';
import { requireLabel, whereOf } from './fire.ts';
import { nothingIn } from './nothing-installed.ts';
import { withProgressAfter } from './progress.ts';
import { asInstalled, TRIED } from './scratch-install.ts';
import {
  type ServerWarning,
  serverWarnings,
  showServerWarnings,
  warningJson,
} from './server-warnings.ts';

export const verify: Command = {
  name: 'verify',
  group: 'Start',
  summary: 'prove that installed hooks fire',
  operands: '[label]',
  operandsBeforeLaunch: '[label]',
  usage: ['[options] [label]', LAUNCH_USAGE],
  options: [
    clientOption(),
    scopeOption(),
    allowOption(),
    launchedNameOption(),
    option('--live', 'use the real clients, headless, with a scripted model'),
    timeoutOption('how long a client may take with --live', 25),
  ],
  about: TRIED,
  examples: [
    'verify annal',
    'verify annal --live',
    `verify ./annal.json --live --allow context-tool`,
    'verify --name annal -- uvx annal',
  ],
  run,
};

async function run(context: Context, named: string | undefined, flags: Flags): Promise<number> {
  // Loaded only when needed, because it loads servers and clients, too.
  const { verifyLive } = flags.live ? await import('./verify-live.ts') : { verifyLive: verifyHere };
  if (named === undefined && !context.launch) return verifyLive(context, named, flags);
  return asInstalled(context, named, flags, verifyLive);
}

async function verifyHere(
  context: Context,
  label: string | undefined,
  flags: Flags,
): Promise<number> {
  const { terminal, env, cwd, runHook, untried = [] } = context;
  const places = findPlaces(env, cwd, flags.scope);
  const clients = flags.client ? selectClients(flags.client, places).clients : CLIENTS;
  const everything = readInstalled(places, disk);
  if (everything.broken)
    terminal.err(inLines([messages.ledgerUnread(tilde(everything.broken, places.home))]));

  const verified: VerifiedClient[] = [];
  const warnings: ServerWarning[] = [];
  const labels = label === undefined ? everything.labels : [label];
  for (const [index, one] of labels.entries()) {
    const known = requireLabel(one, everything, places, context);
    const installed = clients.flatMap((client) => known(client) ?? []);
    const where = whereOf(places);
    if (installed.length === 0 && label !== undefined)
      throw new UserError<CliMessage>({ code: 'not-installed-there', label, where });
    await downloadServers(context, installed, places, { always: false });
    // Clients run in parallel. The entries of one client run one after another, because only their order tells their log lines
    // apart.
    const proven = (client: Installed) => {
      const folder = sessionFolder(client, places, cwd);
      return verifyClient(client, { places, disk, cwd: folder, runHook });
    };
    const work = () => Promise.all(installed.map(proven));
    const doing = messages.verifying(one, index + 1, labels.length);
    verified.push(...(await withProgressAfter(context, doing, work)));
    warnings.push(...(await serverWarnings(one, installed, places, context, flags)));
  }
  const found = everything.broken ? [] : await statusOf(doctorContext(context));
  const statuses = context.isScratch ? [] : found;
  const { scope } = places;
  const site = siteOf(places);
  const skipped = verified.flatMap((one) => {
    const status = statusAt(found, { ...one, site });
    return status ? skippedIn(status, context.isScratch) : [];
  });
  const results = verified.map((one) => withBlockers(one, statusAt(statuses, { ...one, site })));

  const fires = untried.length === 0 && allFine(results);
  const waiting = context.isScratch ? [] : await notTrusted(context, places);
  if (flags.json)
    terminal.out(
      toJson({
        scope,
        fires,
        verified: results.map((one) => verifiedJson(one, waiting)),
        warnings: warnings.map(warningJson),
        skipped: distinct(skipped),
        ...(untried.length > 0 && { untried: untried.map(untriedJson) }),
      }),
    );
  else if (results.length === 0)
    terminal.out(
      `${nothingIn(places, everything.elsewhere, { command: 'verify', cwd, broken: everything.broken !== undefined })}\n`,
    );
  else {
    const shown = [
      showVerified(terminal, results, waiting),
      ...showUntried(terminal, untried),
      ...showServerWarnings(terminal, warnings, verified),
    ];
    terminal.out(`${shown.join('\n')}\n${verdict(terminal, results, skipped, untried, waiting)}\n`);
  }
  return fires ? OK : DIFFERENT;
}

/** The clients that run none of these hooks in this folder until the user trusts it, as `doctor` reports them. */
async function notTrusted(context: Context, { project }: Places): Promise<Waiting[]> {
  const found = await folderTrust.look(doctorContext(context));
  return found.flatMap(({ level, about, todo, blocks }) => {
    const isMeant = blocks?.install === undefined || blocks.install.project === (project ?? null);
    return level === 'ok' || !isMeant ? [] : { client: about, todo: todo ? sentence(todo) : '' };
  });
}

/** A hook that fires when we run it may still not fire in the client, which may not trust it or may have switched it off. */
function withBlockers(verified: VerifiedClient, status: ClientStatus | undefined): VerifiedClient {
  const failureOf = (number: number, native: string): Failure | undefined => {
    const first = status?.hooks
      .find((hook) => hook.number === number)
      ?.blockers.find(
        ({ blocks, level }) => level !== 'info' && (blocks?.natives?.includes(native) ?? true),
      );
    if (!first) return undefined;
    const { check, brief, what, todo } = first;
    return { kind: 'blocked', check, brief, what, todo };
  };
  return {
    ...verified,
    events: verified.events.map((event) => ({
      ...event,
      hooks: event.hooks.map((hook) => {
        // The user's policy switches the hook off, so it should not fire, regardless of other problems.
        if (hook.isOff) return hook;
        const blocked = failureOf(hook.number, event.native);
        const failure = hook.failure ? withTodo(hook.failure, blocked) : blocked;
        const { until: _, ...rest } = hook;
        return failure ? { ...rest, failure } : hook;
      }),
    })),
  };
}

/** An entry that starts on too few events was edited, and a check knows the fix. */
const withTodo = (failure: Failure, blocked: Failure | undefined): Failure =>
  failure.kind === 'not-started' && blocked?.kind === 'blocked' && blocked.todo
    ? { ...failure, todo: blocked.todo }
    : failure;
