// `mcp-hooks stats --otlp` into VictoriaMetrics, whose OTLP receiver is not ours: the metrics sent can be queried there.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { firing, log } from '../support/firings.ts';
import { freePort } from '../support/free-port.ts';
import { test } from '../support/world.ts';

/** Its path may be set in a variable; otherwise it is found in the PATH. Debian's build of Prometheus does not accept OTLP. */
const PROGRAM = process.env.MCP_HOOKS_COLLECTOR ?? 'victoria-metrics';
const isThere = !spawnSync(PROGRAM, ['--version']).error;

/** Throws if `look` finds nothing within half a minute. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let left = 150; left > 0; left -= 1) {
    const found = await look().catch(() => undefined);
    if (found !== undefined) return found;
    await pause(200);
  }
  throw new Error('half a minute was not enough');
}

const withCollector = test.extend<{ start: () => Promise<string> }>({
  start: async ({ world }, use) => {
    const running: ChildProcess[] = [];
    await use(async () => {
      const port = await freePort();
      const args = [
        `-storageDataPath=${world.path('data')}`,
        `-httpListenAddr=127.0.0.1:${port}`,
        '-search.latencyOffset=0s',
      ];
      running.push(spawn(PROGRAM, args, { cwd: world.work, stdio: 'ignore' }));
      const address = `http://127.0.0.1:${port}`;
      await until(async () => (await fetch(`${address}/health`)).ok || undefined);
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

withCollector(
  'the collector has the metrics that were sent, added up over two runs',
  async ({ world, start, skip }) => {
    if (!isThere)
      return skip(`${PROGRAM} is not on this machine (MCP_HOOKS_COLLECTOR can say where it is)`);
    const address = await start();
    const send = () => world.runProcess(['stats', '--otlp', `${address}/opentelemetry`]);
    const ours = { label: 'annal', client: 'codex', event: 'Stop', hook: '1' };
    const becomes = (name: string, value: number, more: object = {}) =>
      until(async () => {
        const found = await asked(address, `mcp_hooks.${name}`, { ...ours, ...more });
        return found === value || undefined;
      });

    await log(world, 'annal', firing(), firing({ milliseconds: 70, why: [{ code: 'no-answer' }] }));
    expect(await send()).toMatchObject({ code: 0, err: '' });
    await becomes('firings', 2);
    await becomes('failures', 1);

    await log(world, 'annal', firing({ milliseconds: undefined }));
    expect(await send()).toMatchObject({ code: 0, err: '' });
    await becomes('firings', 3);
    await becomes('characters', 27);
    await becomes('duration_count', 2);
    await becomes('duration_bucket', 1, { le: '50' });
  },
);
