/** The parts of OpenTelemetry that we use. Bundled into a separate file, and loaded only when something is sent. */

import { DiagLogLevel, diag, type HrTime, ValueType } from '@opentelemetry/api';
import { OTLPMetricExporter as JsonExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  InstrumentType,
  type MetricData,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import type { Env } from '../../system/env.ts';
import type { Series } from './totals.ts';

/** The counts, and since when they were made, in milliseconds since 1970. */
interface Counted {
  readonly since: number;
  readonly series: readonly Series[];
}

export interface Metrics {
  readonly url: string;
  readonly label: string;
  readonly version: string;
  /** The environment. The exporter itself reads most of OpenTelemetry's variables. */
  readonly env: Env;
  readonly now: number;
  readonly total: Counted;
  /** For collectors that add up deltas themselves. */
  readonly fresh: Counted;
  /** The upper bounds of the histogram's buckets, in milliseconds. */
  readonly bounds: readonly number[];
}

/**
 * Sends metrics once. The exporter retries for as long as OTEL_EXPORTER_OTLP_TIMEOUT allows.
 *
 * @returns The exporter's warnings, in its own words.
 * @throws The exporter's error.
 */
export async function send({
  url,
  label,
  version,
  env,
  now,
  total,
  fresh,
  bounds,
}: Metrics): Promise<string[]> {
  const warnings: string[] = [];
  const ignore = () => {};
  const warn = (...words: unknown[]) => warnings.push(words.join(' '));
  diag.setLogger(
    { error: ignore, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const exporter: PushMetricExporter = isJson(env)
    ? new JsonExporter({ url })
    : new OTLPMetricExporter({ url });
  const temporality =
    exporter.selectAggregationTemporality?.(InstrumentType.COUNTER) ??
    AggregationTemporality.CUMULATIVE;
  const counted = temporality === AggregationTemporality.DELTA ? fresh : total;
  const window = { startTime: timeOf(counted.since), endTime: timeOf(now) };
  const points = <T>(value: (series: Series) => T): DataPoint<T>[] =>
    counted.series.map((series) => ({
      ...window,
      attributes: {
        label,
        client: series.client,
        event: series.event,
        hook: series.hooks.join(','),
      },
      value: value(series),
    }));
  const counter = (
    name: string,
    unit: string,
    description: string,
    value: (series: Series) => number,
  ): MetricData => ({
    descriptor: { name, unit, description, valueType: ValueType.INT },
    aggregationTemporality: temporality,
    dataPointType: DataPointType.SUM,
    isMonotonic: true,
    dataPoints: points(value),
  });
  const metrics: MetricData[] = [
    counter('mcp_hooks.firings', '{firing}', 'Firings', ({ firings }) => firings),
    counter('mcp_hooks.failures', '{firing}', 'Firings that failed', ({ failures }) => failures),
    counter('mcp_hooks.characters', '{character}', 'Characters added', (one) => one.characters),
    {
      descriptor: {
        name: 'mcp_hooks.duration',
        unit: 'ms',
        description: 'Time of firings that were timed',
        valueType: ValueType.DOUBLE,
      },
      aggregationTemporality: temporality,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: points(({ milliseconds: { count, sum, buckets } }) => ({
        count,
        sum,
        buckets: { boundaries: [...bounds], counts: buckets },
      })),
    },
  ];
  // Resource attributes from the environment take precedence, as in any program that uses OpenTelemetry.
  const resource = resourceFromAttributes({
    'service.name': 'mcp-hooks',
    'service.version': version,
  }).merge(detectResources({ detectors: [envDetector] }));
  const scopeMetrics = [{ scope: { name: 'mcp-hooks', version }, metrics }];
  try {
    await new Promise<void>((done, fail) => {
      exporter.export({ resource, scopeMetrics }, ({ error, code }) => {
        if (code === 0) done();
        else fail(error ?? new Error('the exporter gives no reason'));
      });
    });
  } finally {
    await exporter.shutdown();
  }
  return warnings;
}

/** As the standard variables say. The default is protobuf, which every collector accepts. */
function isJson({
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: own,
  OTEL_EXPORTER_OTLP_PROTOCOL: all,
}: Env): boolean {
  return (own || all) === 'http/json';
}

/** Seconds, and the remaining nanoseconds. */
const timeOf = (milliseconds: number): HrTime => [
  Math.floor(milliseconds / 1000),
  Math.round((milliseconds % 1000) * 1e6),
];
