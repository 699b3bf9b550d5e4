// The real Claude Code reads faulty settings files: it drops from each what the table says, and therefore what our own checks
// say. `--init-only` runs the hooks of a session's start and ends; no model is asked.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { atHome } from '../../src/clients/driver/driver.ts';
import { isObject, type JsonObject } from '../../src/edit/edit.ts';
import { run } from '../../src/system/child.ts';
import { ALL, type Verdict } from '../support/claude-settings.ts';
import { LAUNCH } from './clients.ts';
import { type Scratch, scratch } from './scratch.ts';

const NOBODY = 'http://127.0.0.1:9';
/** Two at a time: an answer takes half a second of one processor. */
const LANES = 2;

test('Claude Code drops from each file what the table says', { timeout: 300_000 }, async () => {
  const left = [...ALL];
  const seen: { name: string; verdict: Verdict }[] = [];
  const lane = async () => {
    for (let one = left.shift(); one; one = left.shift()) {
      const place = scratch();
      const verdict = await ask(place, one.settings).finally(() => place.remove());
      seen.push({ name: one.name, verdict });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const byName = (list: readonly { name: string; verdict: Verdict }[]) =>
    Object.fromEntries(list.map(({ name, verdict }) => [name, verdict]));
  expect(byName(seen)).toEqual(byName(ALL));
});

/** The settings are the user's. A hook of the project shows whether one of their variables arrived. */
async function ask(
  { home, project, files }: Scratch,
  settings: (ours: JsonObject) => JsonObject,
): Promise<Verdict> {
  const write = (path: string, value: JsonObject) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(value));
  };
  const group = (command: string) => ({ hooks: [{ type: 'command', command, timeout: 15 }] });
  const document = settings(group(`touch ${files}/ours`));
  // No case about `env` is one in which only the hook is dropped.
  const env = isObject(document.env) || document.env === undefined;
  write(join(home, '.claude/settings.json'), {
    ...document,
    ...(env && { env: { ...(isObject(document.env) && document.env), SEEN_HERE: 'yes' } }),
  });
  const witness = group(`printf %s "$SEEN_HERE" > ${files}/witness`);
  write(join(project, '.claude/settings.json'), { hooks: { SessionStart: [witness] } });
  await run(LAUNCH['claude-code'], ['--init-only'], {
    cwd: project,
    env: {
      ...atHome({ home, outer: process.env }),
      HTTPS_PROXY: NOBODY,
      ANTHROPIC_BASE_URL: NOBODY,
      ANTHROPIC_API_KEY: 'dummy',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      IS_SANDBOX: '1',
    },
    deadline: 60_000,
    onStart: (stdin) => stdin.end(),
  });
  if (existsSync(join(files, 'ours'))) return 'fine';
  // Fails if there is no witness: the client has not come so far, and the verdict is unknown.
  return readFileSync(join(files, 'witness'), 'utf8') === 'yes' ? 'dropped' : 'void';
}
