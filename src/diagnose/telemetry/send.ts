/** Sends the new part of a label's log as metrics, and remembers its position. */

import * as z from 'zod/mini';
import { sentFiles } from '../../clients/places.ts';
import { hasUser } from '../../declaration/schema.ts';
import type { Env } from '../../system/env.ts';
import { attempt, codeOf, type Quote, quotes, reasonOf, UserError } from '../../system/errors.ts';
import { cannotWrite, read, replace, sweep } from '../../system/files.ts';
import { memoize } from '../../system/memoize.ts';
import type { SystemMessage } from '../../system/messages.ts';
import { processes } from '../../system/process-id.ts';
import { redactor } from '../../system/secrets.ts';
import type { TelemetryMessage } from '../messages.ts';
import { countsOf } from '../stats.ts';
import { added, BOUNDS, countedIn, seriesShape, sinceThen, totalsShape } from './totals.ts';

/** Milliseconds to wait while another process is sending. */
const PATIENCE = 30_000;

/** The collector, or something in its place, did not accept the metrics. */
export class NotSent extends UserError<TelemetryMessage> {}

/**
 * A record of what was sent, next to the log. The collector receives totals, which is OpenTelemetry's default, so a duplicate
 * message counts once.
 */
const shape = memoize(() =>
  z.object({
    version: z.literal(1),
    /** In milliseconds since 1970: the time of the first counted firing, and the last time that something was sent. */
    since: z.number(),
    sentAt: z.number(),
    /** Everything that was sent, and the counts at that time. */
    series: z.array(seriesShape()),
    counted: totalsShape(),
  }),
);
type Sent = z.infer<ReturnType<typeof shape>>;

/** The URL for metrics below a collector's URL, as defined for OTEL_EXPORTER_OTLP_ENDPOINT. @throws UserError */
export function metricsUrl(endpoint: string): string {
  if (!/^https?:\/\//i.test(endpoint) || !URL.canParse(endpoint))
    throw new UserError<TelemetryMessage>({ code: 'endpoint-unfit' });
  const url = new URL(endpoint);
  if (hasUser(endpoint) || hasUser(url.href))
    throw new UserError<TelemetryMessage>({ code: 'endpoint-with-user' });
  url.pathname = url.pathname
    .replace(/(?<!\/)\/*$/, '')
    .replace(/(?:\/v1\/metrics)?$/, '/v1/metrics');
  url.hash = '';
  return url.href;
}

/**
 * @param shown The endpoint as it is shown in messages.
 * @returns The number of new firings, and the exporter's warnings.
 * @throws NotSent, in which case nothing has changed.
 */
export async function sendNew(
  label: string,
  to: { readonly url: string; readonly shown: string },
  { state, version, env }: { readonly state: string; readonly version: string; readonly env: Env },
): Promise<{ firings: number; warnings: string[] }> {
  const [file, lock] = sentFiles(state, label);
  const hide = redactor({ headers: headersIn(env) });
  const sending = async () => {
    try {
      return { done: await alone() };
    } catch (error) {
      return { error };
    }
  };

  const alone = async () => {
    const bytes = read(file);
    const before = bytes && sentIn(file, bytes);
    const counts = await countsOf(state, label, true);
    const counted = countedIn(counts);
    const fresh = sinceThen(counted, before?.counted);
    const firings = fresh.entries;
    if (firings === 0) return { firings, warnings: [] };
    const now = Date.now();
    const first = Math.min(counts.since ?? now, now);
    const since = before?.since ?? first;
    const series = added(before?.series ?? [], fresh.series);
    const { send } = await import('./otlp.ts');
    const warnings = await send({
      ...{ url: to.url, label, version, env, now, bounds: BOUNDS },
      total: { since, series },
      fresh: { since: before?.sentAt ?? first, series: fresh.series },
    }).catch((error: unknown) => {
      throw new NotSent(
        { code: 'not-sent', label, endpoint: to.shown, why: reasonNotSent(error) },
        wordsOf(error, hide),
      );
    });
    const sent: Sent = { version: 1, since, sentAt: now, series, counted };
    sweep(file);
    replace(file, bytes, Buffer.from(`${JSON.stringify(sent)}\n`));
    return { firings, warnings: warnings.map(hide) };
  };
  const result = await processes()
    .locked(lock, Date.now() + PATIENCE, sending)
    .catch((error: unknown) => {
      throw cannotWrite(lock, error);
    });
  if (!result) throw new UserError<TelemetryMessage>({ code: 'sent-by-another', label });
  if ('error' in result) throw result.error;
  return result.done;
}

function sentIn(path: string, bytes: Buffer): Sent {
  const { data } = shape().safeParse(attempt(() => JSON.parse(bytes.toString())));
  if (!data) throw new UserError<TelemetryMessage>({ code: 'sent-unread', path });
  return data;
}

const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'number'
    ? error.code
    : undefined;

function reasonNotSent(error: unknown): TelemetryMessage | SystemMessage {
  const status = statusOf(error);
  if (status !== undefined) return { code: 'collector-refused', status };
  const code = codeOf(error);
  // Node tries each address of a host, and then reports only the code.
  return error instanceof Error && error.message === '' && code !== undefined
    ? { code: 'system-reason', errno: code, text: code }
    : reasonOf(error);
}

/** The collector's own words for its refusal, if they are text. They may repeat the credentials that we sent. */
function wordsOf(error: unknown, hide: (text: string) => string): Quote[] {
  const data = error instanceof Error && 'data' in error ? String(error.data).trim() : '';
  return /^[\x20-\x7e\s]+$/.test(data) ? quotes([hide(data).slice(0, 200)]) : [];
}

/** The values of headers for the collector: as written, as sent, and without `Bearer`. */
function headersIn({
  OTEL_EXPORTER_OTLP_HEADERS: all = '',
  OTEL_EXPORTER_OTLP_METRICS_HEADERS: own = '',
}: Env): string[] {
  return `${all},${own}`.split(',').flatMap((header) => {
    const written = header.slice(header.indexOf('=') + 1).trim();
    const sent = attempt(() => decodeURIComponent(written)) ?? written;
    return [written, sent, sent.replace(/^\w+ /, '')];
  });
}
