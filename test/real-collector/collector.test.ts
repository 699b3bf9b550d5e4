// `mcp-hooks stats --otlp` into Prometheus and VictoriaMetrics: what is sent can be asked for there.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { firing, log } from '../support/firings.ts';
import { test, type World } from '../support/world.ts';

interface Collector {
  /** A variable that says where the program is; without it the PATH does. */
  readonly variable: string;
  readonly program: string;
  readonly args: (port: number, world: World) => string[];
  /** Below the address that it listens at. */
  readonly endpoint: string;
  /** Answers 200 once it takes metrics. */
  readonly ready: string;
  /** The names under which it keeps ours. */
  readonly names: Readonly<
    Record<'firings' | 'failures' | 'characters' | 'count' | 'bucket', string>
  >;
}

const PROMETHEUS_CONFIG = 'prometheus.yml';

const COLLECTORS: readonly Collector[] = [
  {
    variable: 'MCP_HOOKS_PROMETHEUS',
    program: 'prometheus',
    args: (port, world) => [
      `--config.file=${world.path(PROMETHEUS_CONFIG)}`,
      `--storage.tsdb.path=${world.path('data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      // Its name until version 3.
      isOld(programOf('MCP_HOOKS_PROMETHEUS', 'prometheus'))
        ? '--enable-feature=otlp-write-receiver'
        : '--web.enable-otlp-receiver',
    ],
    endpoint: '/api/v1/otlp',
    ready: '/-/ready',
    names: {
      firings: 'mcp_hooks_firings_total',
      failures: 'mcp_hooks_failures_total',
      characters: 'mcp_hooks_characters_total',
      count: 'mcp_hooks_duration_milliseconds_count',
      bucket: 'mcp_hooks_duration_milliseconds_bucket',
    },
  },
  {
    variable: 'MCP_HOOKS_VICTORIA_METRICS',
    program: 'victoria-metrics',
    args: (port, world) => [
      `-storageDataPath=${world.path('data')}`,
      `-httpListenAddr=127.0.0.1:${port}`,
      '-search.latencyOffset=0s',
    ],
    endpoint: '/opentelemetry',
    ready: '/health',
    names: {
      firings: 'mcp_hooks.firings',
      failures: 'mcp_hooks.failures',
      characters: 'mcp_hooks.characters',
      count: 'mcp_hooks.duration_count',
      bucket: 'mcp_hooks.duration_bucket',
    },
  },
];

const programOf = (variable: string, program: string): string => process.env[variable] ?? program;
const isThere = (program: string): boolean => !spawnSync(program, ['--version']).error;
const isOld = (program: string): boolean =>
  / version 2\./.test(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Ends with an error where it does not come true within half a minute. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let left = 150; left > 0; left -= 1) {
    const found = await look().catch(() => undefined);
    if (found !== undefined) return found;
    await pause(200);
  }
  throw new Error('half a minute was not enough');
}

const withCollector = test.extend<{ start: (collector: Collector) => Promise<string> }>({
  start: async ({ world }, use) => {
    const running: ChildProcess[] = [];
    await use(async ({ variable, program, args, ready }) => {
      const port = await freePort();
      await world.write(PROMETHEUS_CONFIG, '');
      running.push(
        spawn(programOf(variable, program), args(port, world), {
          cwd: world.work,
          stdio: 'ignore',
        }),
      );
      const address = `http://127.0.0.1:${port}`;
      await until(async () => (await fetch(`${address}${ready}`)).ok || undefined);
      return address;
    });
    for (const one of running) {
      const ended = new Promise((done) => one.once('exit', done));
      one.kill('SIGKILL');
      await ended;
    }
  },
});

/** The value of a metric with these labels. */
async function asked(address: string, name: string, labels: object): Promise<number | undefined> {
  const chosen = Object.entries({ __name__: name, ...labels });
  const query = `{${chosen.map(([key, value]) => `${key}="${value}"`).join(',')}}`;
  const answer = await fetch(`${address}/api/v1/query?query=${encodeURIComponent(query)}`);
  const { data } = (await answer.json()) as { data: { result: { value: [number, string] }[] } };
  const [first] = data.result;
  return first && Number(first.value[1]);
}

describe.each(COLLECTORS)('$program', (collector) => {
  withCollector('has what was sent, added up over two runs', async ({ world, start, skip }) => {
    const { variable, program, endpoint, names } = collector;
    if (!isThere(programOf(variable, program)))
      return skip(`${program} is not on this machine (${variable} can say where it is)`);
    const address = await start(collector);
    const send = () => world.runProcess(['stats', '--otlp', address + endpoint]);
    const ours = { label: 'annal', client: 'codex', event: 'Stop', hook: '1' };
    const is = (name: string, value: number, more: object = {}) =>
      until(async () => (await asked(address, name, { ...ours, ...more })) === value || undefined);

    await log(world, 'annal', firing(), firing({ milliseconds: 70, why: [{ code: 'no-text' }] }));
    expect(await send()).toMatchObject({ code: 0, err: '' });
    await is(names.firings, 2);
    await is(names.failures, 1);

    await log(world, 'annal', firing({ milliseconds: undefined }));
    expect(await send()).toMatchObject({ code: 0, err: '' });
    await is(names.firings, 3);
    await is(names.characters, 27);
    await is(names.count, 2);
    await is(names.bucket, 1, { le: '50' });
  });
});
