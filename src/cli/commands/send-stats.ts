/** `mcp-hooks stats --otlp`: sends to a collector of metrics what hooks have done since the last time. */

import { setTimeout as pause } from 'node:timers/promises';
import { findPlaces, logFolder } from '../../clients/places.ts';
import { labelsOf } from '../../diagnose/log.ts';
import { metricsUrl, NotSent, sendNew } from '../../diagnose/telemetry/send.ts';
import { messages } from '../../present/messages/output.ts';
import { errorJson, sentences } from '../../present/messages/sentence.ts';
import { shownAddress } from '../../sources/protocol/http.ts';
import { takeInterrupts } from '../../system/cleanup.ts';
import { list } from '../../system/files.ts';
import { inLine, toJson } from '../../system/visible.ts';
import { type Context, DIFFERENT, type Flags, OK } from './command.ts';
import { withProgressAfter } from './common.ts';
import { labelsFor } from './read-logs.ts';

/** Milliseconds. With more than this, node does not wait at all. */
const LONGEST = 2 ** 31 - 1;

interface Sent {
  readonly label: string;
  readonly firings: number;
}

/** @param endpoint As it was typed. */
export async function sendStats(
  context: Context,
  label: string | undefined,
  endpoint: string,
  { watch, json }: Flags,
): Promise<number> {
  const { terminal, env, cwd } = context;
  const places = findPlaces(env, cwd, 'user');
  const url = metricsUrl(endpoint);
  const shown = shownAddress(url);
  if (label !== undefined) labelsFor(terminal, places, label); // throws if nobody knows the label

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
  return watch === undefined ? once() : again(once, Math.min(watch * 1000, LONGEST));
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
