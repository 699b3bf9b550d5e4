/** A codex for the PATH of a test, whose app-server answers what the test wants. */
import { eventName, trustHash } from '../../src/clients/codex/trust-hash.ts';
import type { ConfiguredHook } from '../../src/clients/entries.ts';
import type { World } from './world.ts';

/** The answers to a method, one after the other. The last one repeats; with none, it never answers. */
export type Answers = Readonly<
  Record<string, readonly ({ result: unknown } | { error: { code: number; message: string } })[]>
>;

const INITIALIZED = { result: { userAgent: 'mcp-hooks/0.171.0 (Debian 12.0.0; x86_64) unknown' } };

/** Puts it on the PATH. Its requests are in `~/asked.jsonl`. */
export async function fakeCodex(world: World, answers: Answers): Promise<void> {
  const all = JSON.stringify({ initialize: [INITIALIZED], ...answers });
  await onPath(
    world,
    `#!${process.execPath}
const { appendFileSync } = require('node:fs');
const answers = ${all};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  appendFileSync(${JSON.stringify(world.path('~/asked.jsonl'))}, line + '\\n');
  const { id, method } = JSON.parse(line);
  const [first, ...others] = answers[method] ?? [];
  if (others.length > 0) answers[method] = others;
  if (id !== undefined && first) console.log(JSON.stringify({ id, ...first }));
});
`,
  );
}

/** Puts any other program in its place. */
export const onPath = (world: World, program: string): Promise<void> =>
  world.write(`${world.bin}/codex`, program, 0o755);

/** The parameters of all requests with one method. */
export async function asked(world: World, method: string): Promise<unknown[]> {
  const lines = (await world.read('~/asked.jsonl')).trimEnd().split('\n');
  return lines
    .map((line): { method: string; params?: unknown } => JSON.parse(line))
    .flatMap((one) => (one.method === method ? [one.params] : []));
}

/** The key under which Codex knows a hook. */
export const keyOf = ({ path, native, index, handlerIndex }: ConfiguredHook): string =>
  `${path}:${eventName(native)}:${index}:${handlerIndex}`;

/** Hooks as Codex lists them: an answer to `hooks/list`. */
export const listing = (hooks: readonly ConfiguredHook[], trustStatus: string) => ({
  result: {
    data: [
      {
        hooks: hooks.map((hook) => ({
          key: keyOf(hook),
          eventName: hook.native,
          command: hook.command,
          currentHash: trustHash(hook),
          trustStatus,
          enabled: true,
        })),
      },
    ],
  },
});
