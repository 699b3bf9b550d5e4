// `mcp-hooks stats --otlp`: what is sent to a collector, and what of it is remembered.

import { readFileSync, renameSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test as pure } from 'vitest';
import { LATENCY } from '../../src/diagnose/stats.ts';
import { metricsUrl } from '../../src/diagnose/telemetry/send.ts';
import { added, BOUNDS, countedIn, sinceThen } from '../../src/diagnose/telemetry/totals.ts';
import { countsIn, firing, log } from '../support/firings.ts';
import { listening } from '../support/servers/listening.ts';
import { test as plain, type World } from '../support/world.ts';

interface Point {
  readonly attributes: { readonly key: string; readonly value: { readonly stringValue: string } }[];
  readonly startTimeUnixNano: string;
  readonly asInt?: number;
  readonly count?: number;
  readonly sum?: number;
  readonly bucketCounts?: number[];
  readonly explicitBounds?: number[];
}
interface Data {
  readonly aggregationTemporality: number;
  readonly dataPoints: Point[];
}
interface Request {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A stand-in for a collector. */
class Collector {
  readonly requests: Request[] = [];
  status = 200;
  answer = '{}';
  /** Milliseconds. */
  delay = 0;
  endpoint = '';
}

const test = plain.extend<{ collector: Collector }>({
  collector: async ({ onTestFinished }, use) => {
    const collector = new Collector();
    const server = createServer();
    server.on('request', async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      const { url, headers } = request;
      collector.requests.push({ url, headers, text: Buffer.concat(parts).toString() });
      response.writeHead(collector.status, { 'content-type': 'application/json' });
      setTimeout(() => response.end(collector.answer), collector.delay);
    });
    collector.endpoint = await listening(server, { finished: onTestFinished });
    await use(collector);
  },
});

const JSON_ENV = { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_EXPORTER_OTLP_TIMEOUT: '500' };
const send = (world: World, { endpoint }: Collector, args = '', env: object = {}) =>
  world.runProcess(`stats ${args} --otlp ${endpoint}`, { env: { ...JSON_ENV, ...env } });

/** The metrics of a request, by name. */
function metricsOf(request: Request | undefined): Record<string, Data> {
  const { resourceMetrics } = JSON.parse(request?.text ?? '');
  const all: { name: string; sum?: Data; histogram?: Data }[] =
    resourceMetrics[0].scopeMetrics[0].metrics;
  return Object.fromEntries(
    all.flatMap(({ name, sum, histogram }) => {
      const data = sum ?? histogram;
      return data ? [[name, data]] : [];
    }),
  );
}

/** Firings by label, client, event and hook. */
const firingsOf = (request: Request | undefined): Record<string, number | undefined> =>
  Object.fromEntries(
    (metricsOf(request)['mcp_hooks.firings']?.dataPoints ?? []).map((point) => [
      point.attributes.map(({ key, value }) => `${key}=${value.stringValue}`).join(' '),
      point.asInt,
    ]),
  );
const ANNAL = 'label=annal client=codex event=Stop hook=1';
const CURSOR = '~/.mcp-hooks/log/annal.sent.json';

describe('where metrics go', () => {
  pure.each([
    ['http://localhost:4318', 'http://localhost:4318/v1/metrics'],
    ['http://localhost:4318/', 'http://localhost:4318/v1/metrics'],
    ['https://a.example/otlp?key=1#x', 'https://a.example/otlp/v1/metrics?key=1'],
    ['HTTP://a.example/otlp/v1/metrics', 'http://a.example/otlp/v1/metrics'],
  ])('%s', (endpoint, url) => expect(metricsUrl(endpoint)).toBe(url));

  pure.each([
    ['localhost:4318', 'endpoint-unfit'],
    ['4318', 'endpoint-unfit'],
    ['grpc://localhost:4317', 'endpoint-unfit'],
    ['file:///etc/passwd', 'endpoint-unfit'],
    ['http://', 'endpoint-unfit'],
    ['http://ann:secret@localhost:4318', 'endpoint-with-user'],
    ['http://@localhost:4318', 'endpoint-with-user'],
    ['http:///ann:secret@localhost', 'endpoint-with-user'],
  ])('not to %s', (endpoint, code) =>
    expect(() => metricsUrl(endpoint)).toThrow(expect.objectContaining({ message: code })),
  );
});

const totals = (...entries: object[]) =>
  countedIn(
    countsIn('a', entries.map((entry) => firing({ client: 'c', event: 'e', ...entry })).join('')),
  );

pure(
  'the limits of stats are bounds of the histogram, and a time equal to a bound counts as below it',
  () => {
    expect(BOUNDS).toEqual(expect.arrayContaining(Object.values(LATENCY)));
    const { series } = totals(...[5, 5.1, 30_001].map((milliseconds) => ({ milliseconds })));
    const { buckets } = series[0]?.milliseconds ?? {};
    expect(buckets?.slice(0, 3)).toEqual([1, 1, 0]);
    expect(buckets?.at(-1)).toBe(1);
  },
);

pure('each client, event and hook has totals of its own', () => {
  const entry = { characters: 2 };
  const each = [
    { hook: 1, characters: 5, milliseconds: 3 },
    { hook: 7, characters: 0, milliseconds: 40_000, failed: true } as const,
  ];
  const others = [{ client: 'other' }, { event: 'other' }, { hooks: [2] }, { each }];
  const before = totals(entry);
  const now = totals(entry, entry, ...others.map((other) => ({ ...entry, ...other })));
  const { series, entries } = sinceThen(now, before);
  expect(entries).toBe(5);
  expect(series.map(({ firings, characters }) => [firings, characters])).toEqual([
    [2, 7],
    [1, 2],
    [1, 2],
    [1, 2],
    [1, 0],
  ]);
  expect(series.at(-1)).toMatchObject({ hooks: [7], failures: 1, milliseconds: { count: 1 } });
  expect(added(before.series, series)).toEqual(now.series);
  expect(sinceThen(now, now)).toEqual({ entries: 0, series: [] });
  // The entries that were counted before are deleted, so all entries are new.
  expect(sinceThen(before, now)).toBe(before);
});

test('a request has counts and times, and no text, path, session or reason', async ({
  world,
  collector,
}) => {
  const secrets = {
    text: 'SECRET',
    session: 'SECRET',
    decisions: [{ hook: 1, action: 'block', reason: 'SECRET' }],
  };
  const each = [1, 2].map((hook) => ({ hook, characters: 5 }));
  await log(
    world,
    'annal',
    firing({ at: 1_700_000_000_000, ...secrets }),
    firing({ milliseconds: 70, why: [{ code: 'quote', text: 'SECRET /SECRET' }] }),
    firing({ event: 'SessionStart', hooks: [1, 2], each, milliseconds: undefined }),
    firing({ trial: true }),
    'SECRET, no JSON\n',
  );
  const env = {
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=42',
    // The variable for metrics takes precedence over the general one.
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'http/json',
    OTEL_RESOURCE_ATTRIBUTES: 'team=blue',
  };
  expect(await send(world, collector, '', env)).toMatchObject({
    code: 0,
    out: `Sent 3 firings of annal to ${collector.endpoint}/v1/metrics.\n`,
    err: '',
  });
  const [request, ...more] = collector.requests;
  expect(more).toEqual([]);
  expect(request?.url).toBe('/v1/metrics');
  expect(request?.headers).toMatchObject({ 'x-key': '42', 'content-type': 'application/json' });
  expect(request?.text).not.toMatch(/SECRET/);
  expect(request?.text).not.toContain(world.home);
  expect(request?.text).toContain('"blue"');
  expect(firingsOf(request)).toEqual({
    [ANNAL]: 2,
    'label=annal client=codex event=SessionStart hook=1': 1,
    'label=annal client=codex event=SessionStart hook=2': 1,
  });
  const all = metricsOf(request);
  const first = (name: string) => all[name]?.dataPoints[0];
  expect(Object.keys(all).toSorted()).toEqual([
    'mcp_hooks.characters',
    'mcp_hooks.duration',
    'mcp_hooks.failures',
    'mcp_hooks.firings',
  ]);
  const page = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8');
  const shown = Array.from(page.matchAll(/^\| `(mcp_hooks\.\w+)`/gm), ([, name]) => name);
  expect(shown.toSorted()).toEqual(Object.keys(all).toSorted());
  expect(first('mcp_hooks.failures')?.asInt).toBe(1);
  expect(first('mcp_hooks.characters')?.asInt).toBe(18);
  expect(first('mcp_hooks.duration')).toMatchObject({
    count: 2,
    sum: 90,
    explicitBounds: [...BOUNDS],
    bucketCounts: [0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    startTimeUnixNano: '1700000000000000000',
  });
});

test('new firings are added to those sent before, and nothing is sent without new ones', async ({
  world,
  collector,
}) => {
  await log(world, 'annal', firing({ at: 1_700_000_000_000 }));
  await log(world, 'notes', firing());
  expect(JSON.parse((await send(world, collector, 'annal --json')).out)).toMatchObject({
    sent: [{ label: 'annal', firings: 1 }],
  });
  const nothing = await send(world, collector, 'annal');
  expect(nothing).toMatchObject({ code: 0, out: expect.stringMatching(/^Nothing was sent/) });
  expect(collector.requests).toHaveLength(1);

  await log(world, 'annal', firing());
  const path = world.path('~/.mcp-hooks/log/annal.jsonl');
  renameSync(path, `${path}.1`);
  await log(world, 'annal', firing({ at: 1_700_000_000_001 }));
  expect((await send(world, collector)).out).toMatch(/2 firings of annal.*\n.*1 firing of notes/);
  expect(firingsOf(collector.requests[1])).toEqual({ [ANNAL]: 3 });

  const { sentAt } = JSON.parse(await world.read(CURSOR));
  await log(world, 'annal', firing());
  await send(world, collector, '', { OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'delta' });
  expect(firingsOf(collector.requests[3])).toEqual({ [ANNAL]: 1 });
  const firings = (at: number) => metricsOf(collector.requests[at])['mcp_hooks.firings'];
  expect([1, 3].map((at) => firings(at)?.aggregationTemporality)).toEqual([2, 1]);
  // A total counts since the first firing, a delta since the last request.
  const since = (at: number) => firings(at)?.dataPoints[0]?.startTimeUnixNano;
  expect([since(1), since(3)]).toEqual(['1700000000000000000', `${sentAt}000000`]);
});

test('two runs at once send once', async ({ world, collector }) => {
  await log(world, 'annal', firing());
  collector.delay = 300;
  const ran = await Promise.all([send(world, collector), send(world, collector)]);
  expect(ran.map(({ code }) => code)).toEqual([0, 0]);
  expect(collector.requests).toHaveLength(1);
});

describe('a request that fails', () => {
  test('is quoted without the secrets that the collector was sent', async ({
    world,
    collector,
  }) => {
    await log(world, 'annal', firing());
    collector.status = 401;
    collector.answer = `${'x'.repeat(180)} bad keys: hunter2hunter2 correct-horse`;
    const refused = await send(world, collector, '', {
      OTEL_EXPORTER_OTLP_HEADERS: 'x-id=hunter2hunter2,x-login=Basic%20correct-horse',
    });
    expect(refused.err).toMatch(/HTTP 401.*\nx{180} bad keys: \*\*\* \*\*\*\n$/);
  });

  test('is made again in full after a refused connection and an HTTP error', async ({
    world,
    collector,
  }) => {
    await log(world, 'annal', firing());
    // A sender was killed while it wrote.
    const half = `${CURSOR}.mcp-hooks-999999999.abc.tmp`;
    await world.write(half, '');
    const nobody = await world.runProcess('stats --otlp http://localhost:9', { env: JSON_ENV });
    expect(nobody).toMatchObject({ code: 1, out: '' });
    expect(nobody.err).toMatch(/annal could not be sent to .*ECONNREFUSED.*run this again/s);
    collector.status = 400;
    collector.answer = 'no metrics here '.repeat(20);
    const refused = await send(world, collector, '--json');
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/HTTP 400.*\n(?:no metrics here ){12}no metri\n$/);
    expect(JSON.parse(refused.out)).toMatchObject({ sent: [], code: 'not-sent' });
    await expect(world.read(CURSOR)).rejects.toThrow('ENOENT');
    collector.status = 200;
    collector.answer = '{}';
    expect((await send(world, collector)).code).toBe(0);
    expect(firingsOf(collector.requests.at(-1))).toEqual({ [ANNAL]: 1 });
    await expect(world.read(half)).rejects.toThrow('ENOENT');
  });

  test('is not even made if the record of the last one cannot be read', async ({
    world,
    collector,
  }) => {
    await log(world, 'annal', firing());
    await world.write(CURSOR, '{"version":1}');
    const ran = await send(world, collector);
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.err).toMatch(/annal\.sent\.json.*Delete it/s);
    expect(collector.requests).toEqual([]);
    rmSync(world.path(CURSOR));
    expect((await send(world, collector)).code).toBe(0);
  });

  test('is not even made with an invalid address, a password in it, or --watch alone', async ({
    world,
  }) => {
    for (const args of ['--otlp localhost:4318', '--otlp http://a:b@localhost', '--watch 5']) {
      const ran = await world.run(`stats ${args}`);
      expect([args, ran.code, ran.out]).toEqual([args, 2, '']);
    }
    expect((await world.run('stats --otlp http://ann:hunter2@localhost')).err).not.toContain(
      'hunter2',
    );
  });
});

test('what a collector rejected is printed', async ({ world, collector }) => {
  await log(world, 'annal', firing());
  collector.answer = '{"partialSuccess":{"rejectedDataPoints":"1","errorMessage":"too old"}}';
  const ran = await send(world, collector);
  expect([ran.code, ran.err]).toEqual([0, expect.stringContaining('too old')]);
});

test('--watch sends again until ctrl-C', async ({ world, collector }) => {
  await log(world, 'annal', firing());
  const line = `stats --watch 0.1 --otlp ${collector.endpoint}`;
  const watching = world.start(line, { env: JSON_ENV });
  await expect.poll(() => collector.requests.length, { timeout: 10_000 }).toBe(1);
  await log(world, 'annal', firing());
  await expect.poll(() => collector.requests.length, { timeout: 10_000 }).toBe(2);
  watching.kill('SIGINT');
  expect((await watching).exitCode).toBe(0);
  expect(firingsOf(collector.requests[1])).toEqual({ [ANNAL]: 2 });
});

test('an uninstall removes the record of what was sent', async ({ world, collector }) => {
  await world.folder('~/.codex');
  const hooks = [{ event: 'post_request', context: 'Bye.', priority: 'suggestion' }];
  await world.write('annal.json', JSON.stringify({ hooks: { declarations: hooks } }));
  await world.run('install annal.json --yes');
  await log(world, 'annal', firing());
  await send(world, collector);
  expect(JSON.parse(await world.read(CURSOR))).toMatchObject({ version: 1 });
  expect((await world.run('uninstall annal --yes')).code).toBe(0);
  await expect(world.read(CURSOR)).rejects.toThrow('ENOENT');
});

pure('OpenTelemetry is in a file of its own', () => {
  const dist = join(import.meta.dirname, '..', '..', 'dist');
  const has = (file: string) =>
    readFileSync(join(dist, file), 'utf8').includes('OTel-OTLP-Exporter');
  expect(['main.cjs', 'cli.cjs', 'index.js', 'otlp.cjs'].filter(has)).toEqual(['otlp.cjs']);
});
