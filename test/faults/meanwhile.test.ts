// A client saves its settings after we read and before we replace them. A signal stops our process at a given call, so this
// happens at the same point each time, and no test depends on timing.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { describe } from 'vitest';
import { test, type World } from '../support/world.ts';
import { ours, type Started } from './processes.ts';
import {
  CLAUDE_SETTINGS,
  CODEX_CONFIG,
  CONFIGS,
  configOf,
  INSTALL,
  UNINSTALL,
  undisturbed,
} from './scene.ts';
import { type Call, disturb, logOf, readLog, record, SAMPLE, STRACE } from './trace.ts';
import { capture, differences, restore } from './tree.ts';

/** The text that the client writes, given the current text. */
type Change = (text: string | null) => string;

const CHANGES: Readonly<Record<keyof typeof CONFIGS, Change>> = {
  'claude-code': (text) => (text ?? CLAUDE_SETTINGS).replace('"opus"', '"sonnet"'),
  codex: (text) => (text ?? CODEX_CONFIG).replace('"gpt-5"', '"gpt-6"'),
  // Clients save all the settings that they know.
  'gemini-cli': (text) =>
    text === null
      ? '{\n  "ui": { "theme": "Dark" }\n}\n'
      : text.replace('{\n', '{\n  "ui": { "theme": "Dark" },\n'),
};

/** The two ways in which clients save a file. */
const SAVES: Readonly<Record<string, (path: string, text: string) => void>> = {
  'writes in place': writeFileSync,
  'replaces the file': (path, text) => {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  },
};

/**
 * The calls after which another program may write: from the first look at the file until it is replaced. Between the
 * last look and the rename there is a gap that no program can close, because no call replaces a file only if it is
 * still the same. But our code may do nothing slow in that gap, such as writing the new bytes.
 */
function between(calls: readonly Call[], path: string): Call[] {
  const replaced = calls.findIndex((call) => call.changes && call.paths.at(-1) === path);
  const whole = calls.slice(0, replaced);
  const written = whole.findLastIndex(({ changes }) => changes);
  const isLook = ({ paths }: Call, index: number) => index > written && paths.includes(path);
  const opened = whole.findLastIndex(
    (call, index) => isLook(call, index) && /^open/.test(call.name),
  );
  const looked = opened === -1 ? whole.findLastIndex(isLook) : opened;
  const first = whole.findIndex(({ paths }) => paths.includes(path));
  return whole
    .slice(first, looked === -1 ? undefined : looked)
    .filter(({ changes, paths }) => changes || paths.includes(path));
}

describe.concurrent('when a client saves its settings in the middle of our run', () => {
  const cases = Object.keys(CONFIGS).flatMap((client) =>
    Object.keys(SAVES).map((how) => [client, how] as const),
  );

  test.for(cases)(
    '%s, which %s: the file has both changes',
    async ([id, how], { world, expect, skip }) => {
      if (!STRACE) return skip('strace is not on this machine');
      const client = id as keyof typeof CONFIGS;
      const path = configOf(world, client);
      const save = SAVES[how];
      if (!save) throw new Error(how);
      const { install } = await undisturbed(world);
      // The expected result is the same as if the client had saved first.
      restore(world.home, install.before);
      const change = () =>
        save(path, CHANGES[client](existsSync(path) ? readFileSync(path, 'utf8') : null));
      change();
      const changed = capture(world.home);
      expect(await ours(world, INSTALL)).toMatchObject({ code: 0, err: '' });
      const wanted = capture(world.home);
      expect(await ours(world, UNINSTALL)).toMatchObject({ code: 0, err: '' });
      expect(differences(capture(world.home), changed)).toEqual([]);

      restore(world.home, install.before);
      const calls = between(await record(world, INSTALL), world.tidy(path));
      expect(calls.length).toBeGreaterThan(20);
      const lost: string[] = [];
      for (const call of calls.filter((_, index) => index % SAMPLE === 0)) {
        restore(world.home, install.before);
        const wrong = await tryAfter(world, call, change);
        for (const what of differences(capture(world.home), wanted)) wrong.push(what);
        await ours(world, UNINSTALL);
        for (const what of differences(capture(world.home), changed))
          wrong.push(`after uninstall ${what}`);
        if (wrong.length > 0)
          lost.push(
            `after ${call.name} ${call.nth} of ${call.paths.join(' -> ')}: ${wrong.join('; ')}`,
          );
      }
      console.log(`${client}, ${how}: ${calls.length} places`);
      expect(lost).toEqual([]);
    },
  );
});

/** Runs the install, makes the change right after `call`, and returns complaints. */
async function tryAfter(world: World, call: Call, change: () => void): Promise<string[]> {
  const run = disturb(world, INSTALL, call, 'signal=STOP');
  const held = await holdOf(run, world);
  if (held === undefined) return ['it was not stopped'];
  change();
  process.kill(held, 'SIGCONT');
  const { code, err, late } = await run.ended;
  if (late) return ['it hangs'];
  return code === 0 ? [] : [`exit ${code}: ${err}`];
}

/** The id of our process once it is stopped; undefined if it ends without a stop. */
async function holdOf(run: Started, world: World): Promise<number | undefined> {
  let over = false;
  run.ended.then(() => {
    over = true;
  });
  while (!over) {
    if (readLog(logOf(world)).some((line) => line.startsWith('--- stopped by SIGSTOP')))
      return Number(readFileSync(`/proc/${run.pid}/task/${run.pid}/children`, 'utf8'));
    await new Promise((done) => setTimeout(done, 5));
  }
  return undefined;
}
