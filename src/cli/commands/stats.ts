/**
 * `mcp-hooks stats`: how often hooks fired, what they added and how long they took. With `--otlp`, sent as metrics to a
 * collector.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { selectClients } from '../../clients/detect.ts';
import { findPlaces, logFiles, logFolder, type Places } from '../../clients/places.ts';
import { rulesFor } from '../../declaration/policy.ts';
import { labelsOf } from '../../diagnose/log.ts';
import { type Counts, countsOf, limitFor, statsOf } from '../../diagnose/stats.ts';
import { metricsUrl, NotSent, sendNew } from '../../diagnose/telemetry/send.ts';
import { readPolicy } from '../../install/policy-file.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { messages } from '../../present/messages/output.ts';
import { errorJson, sentences } from '../../present/messages/sentence.ts';
import { showStats } from '../../present/render/counted.ts';
import { shownAddress } from '../../sources/protocol/http.ts';
import { takeInterrupts } from '../../system/cleanup.ts';
import { disk } from '../../system/disk.ts';
import { UserError } from '../../system/errors.ts';
import { list } from '../../system/files.ts';
import { memoize } from '../../system/memoize.ts';
import { withinTimerLimit } from '../../system/plurals.ts';
import { wrap } from '../../system/terminal.ts';
import { inLine, toJson } from '../../system/visible.ts';
import {
  atMost,
  type Command,
  type Context,
  clientOption,
  DIFFERENT,
  type Flags,
  OK,
  option,
  seconds,
} from './command.ts';
import { labelsFor, tellSkipped } from './log.ts';
import { approvalIn } from './prepare.ts';
import { withProgressAfter } from './progress.ts';

const DAY = 24 * 60 * 60 * 1000;

export const stats: Command = {
  name: 'stats',
  group: 'Debug',
  summary: 'show how often hooks fired and how long they took',
  operands: '[label]',
  options: [
    clientOption(),
    option('--days <number>', 'only the last <number> days, 0 for all').argParser(atMost),
    option('--trials', 'also runs of fire and verify'),
    option(
      '--otlp <endpoint>',
      'send what is new as OpenTelemetry metrics, for example to http://localhost:4318',
    ).conflicts(['client', 'days', 'trials']),
    option('--watch <seconds>', 'with --otlp: send again and again, until ctrl-C')
      .argParser(seconds)
      .conflicts('json'),
  ],
  about:
    'Of 100 firings, 99 took at most the time under "99 %", in milliseconds. A hook that takes longer than "limit" is slow.',
  examples: ['stats annal --days 7', 'stats --json', 'stats --otlp http://localhost:4318'],
  run,
};

async function run(context: Context, label: string | undefined, flags: Flags): Promise<number> {
  const { terminal, env, cwd } = context;
  const { client, days, trials, json, otlp, watch } = flags;
  if (otlp !== undefined) return sendStats(context, label, otlp, flags);
  if (watch !== undefined) throw new UserError<CliMessage>({ code: 'watch-needs-otlp' });
  const places = findPlaces(env, cwd, 'user');
  const ids = client && selectClients(client, places).clients.map(({ id }) => id);
  const labels = labelsFor(terminal, places, label);
  const all = await Promise.all(
    labels.map(async (one) => ({ label: one, ...(await countsOf(places.state, one)) })),
  );
  tellSkipped(
    terminal,
    places,
    all
      .filter(({ skipped }) => skipped > 0)
      .map(({ label, skipped }) => ({ file: logFiles(places.state, label)[1], skipped })),
  );
  const since = days ? dayOf(Date.now() - days * DAY) : undefined; // 0 is all
  const counted = all
    .flatMap((one) => one.counted)
    .filter(
      ({ client, trial, day }) =>
        (ids?.includes(client) ?? true) &&
        (trials || !trial) &&
        (since === undefined || (day !== 'earlier' && day >= since)),
    );
  const found = statsOf(counted, limits(places));
  if (json) terminal.out(toJson({ stats: found }));
  else if (found.length === 0)
    terminal.out(`${wrap(whyNone(all, trials), terminal.columns, '')}\n`);
  else terminal.out(showStats(terminal, found, label !== undefined));
  return OK;
}

/** The day in UTC, as in the counts. A time before 1970 becomes the first day. */
const dayOf = (at: number): string => new Date(Math.max(0, at)).toISOString().slice(0, 10);

function whyNone(all: readonly Counts[], withTrials: boolean | undefined): string {
  const sum = (of: 'entries' | 'trials') => all.reduce((so, one) => so + one[of], 0);
  const [entries, trials] = [sum('entries'), sum('trials')];
  if (entries + trials === 0) return messages.nothingSaid;
  const isTrials = !withTrials && entries === 0;
  return isTrials ? messages.onlyTrials(trials) : messages.noneFits(entries + trials);
}

/** The time limit of each hook, from the declaration that the user agreed to. */
function limits(places: Places) {
  const policy = memoize(() => readPolicy(places.state, disk.read));
  const declared = new Map<string, ReturnType<typeof approvalIn>>();
  return (label: string, number: number): number | undefined => {
    if (!declared.has(label)) declared.set(label, approvalIn(places, label));
    const hook = declared.get(label)?.hooks[number - 1];
    return hook && limitFor(hook, rulesFor(policy(), label));
  };
}

interface Sent {
  readonly label: string;
  readonly firings: number;
}

/** @param endpoint The address as typed by the user. */
async function sendStats(
  context: Context,
  label: string | undefined,
  endpoint: string,
  { watch, json }: Flags,
): Promise<number> {
  const { terminal, env, cwd } = context;
  const places = findPlaces(env, cwd, 'user');
  const url = metricsUrl(endpoint);
  const shown = shownAddress(url);
  if (label !== undefined) labelsFor(terminal, places, label); // throws for an unknown label

  const once = async (): Promise<number> => {
    const logged = labelsOf(list(logFolder(places.state)));
    const sent: Sent[] = [];
    try {
      for (const one of logged.filter((name) => label === undefined || name === label)) {
        const at = { state: places.state, version: context.version, env };
        const { firings, warnings } = await withProgressAfter(
          context,
          messages.sending(one, shown),
          () => sendNew(one, { url, shown }, at),
        );
        if (firings > 0) sent.push({ label: one, firings });
        for (const warning of warnings) terminal.err(`${inLine(warning, 300)}\n`);
      }
    } catch (error) {
      if (!(error instanceof NotSent)) throw error;
      if (json) terminal.out(toJson({ sent, ...errorJson(error) }));
      else tell(sent);
      terminal.err(
        `${sentences([error.problem, ...error.details])
          .map((line) => inLine(line, 500))
          .join('\n')}\n`,
      );
      return DIFFERENT;
    }
    if (json) terminal.out(toJson({ sent }));
    else if (sent.length > 0) tell(sent);
    else if (watch === undefined) terminal.out(`${messages.nothingToSend}\n`);
    return OK;
  };
  const tell = (sent: readonly Sent[]) => {
    for (const one of sent) terminal.out(`${messages.sent(one.label, one.firings, shown)}\n`);
  };
  return watch === undefined ? once() : again(once, withinTimerLimit(watch * 1000));
}

/** Repeats until ctrl-C, but lets a transfer in progress finish. */
async function again(once: () => Promise<number>, milliseconds: number): Promise<number> {
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  const giveBack = takeInterrupts(stop);
  process.once('SIGTERM', stop);
  try {
    for (;;) {
      const code = await once();
      await pause(milliseconds, undefined, { signal: stopped.signal }).catch(() => {});
      if (stopped.signal.aborted) return code;
    }
  } finally {
    giveBack();
    process.off('SIGTERM', stop);
  }
}
