// Whether a real client reads a settings file: shown by a hook in it that runs at a session's start, or reported by the client.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { claudeCode } from '../../src/clients/claude-code/client.ts';
import { withAppServer } from '../../src/clients/codex/app-server.ts';
import { codex, FILES } from '../../src/clients/codex/client.ts';
import { atHome } from '../../src/clients/driver/driver.ts';
import { geminiCli } from '../../src/clients/gemini-cli/client.ts';
import { run } from '../../src/system/child.ts';
import { IDS } from '../support/runner/clients.ts';
import { LAUNCH } from './clients.ts';
import { quietly, reading } from './codex-app-server.ts';
import { isMarked, marked, type Reader } from './reader.ts';
import type { Scratch } from './scratch.ts';

const NOBODY = 'http://127.0.0.1:9';

const grouped = (command: string) => ({ hooks: [{ type: 'command', command, timeout: 15 }] });

const OWN: Readonly<Record<string, Reader>> = {
  "Claude Code's settings.json": {
    file: claudeCode.placement.files.user[0],
    positional: claudeCode.positional,
    path: '.claude/settings.json',
    event: 'SessionStart',
    group: grouped,
    reads: (place, write) =>
      write(() =>
        isMarked(place, () =>
          run(LAUNCH['claude-code'], ['--init-only'], {
            cwd: place.project,
            env: {
              ...atHome({ home: place.home, outer: process.env }),
              HTTPS_PROXY: NOBODY,
              ANTHROPIC_BASE_URL: NOBODY,
              ANTHROPIC_API_KEY: 'dummy',
              CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
              DISABLE_AUTOUPDATER: '1',
              IS_SANDBOX: '1',
            },
            deadline: 60_000,
            onStart: (stdin) => stdin.end(),
          }),
        ),
      ),
  },
  "Gemini CLI's settings.json": {
    file: geminiCli.placement.files.user[0],
    positional: geminiCli.positional,
    path: '.gemini/settings.json',
    event: 'SessionStart',
    group: grouped,
    // If it cannot read its settings, it does not even print its version.
    reads: (place, write) =>
      write(async () => {
        const { exitCode, stderr } = await run(LAUNCH['gemini-cli'], ['--version'], {
          cwd: place.project,
          env: { ...atHome({ home: place.home, outer: process.env }), HTTPS_PROXY: NOBODY },
          deadline: 60_000,
          onStart: (stdin) => stdin.end(),
        });
        if (exitCode !== 0 && exitCode !== 52) throw new Error(stderr);
        return exitCode === 0;
      }),
  },
  "Codex CLI's hooks.json": {
    file: FILES[1],
    isFast: true,
    // It ignores a file with any other key than "hooks" and "description".
    takes: (text) => !/"(typed\d+|a)"/.test(text),
    positional: codex.positional,
    path: '.codex/hooks.json',
    event: 'SessionStart',
    group: grouped,
    reads: async (place, write) => {
      const options = { ...quietly(place.home, place.project), deadline: 110_000 };
      await withAppServer(options, (server) =>
        write(async () => (await reading(server, place.project)).hooks.length > 0),
      );
    },
  },
  "Codex CLI's config.toml": {
    file: FILES[0],
    isFast: true,
    positional: codex.positional,
    path: '.codex/config.toml',
    event: 'SessionStart',
    group: grouped,
    reads: async (place, write) => {
      const options = { ...quietly(place.home, place.project), deadline: 110_000 };
      await withAppServer(options, (server) =>
        write(async () => (await reading(server, place.project)).config !== undefined),
      );
    },
  },
};

/** The readers of other clients are next to their expectations. */
const OTHERS: Readonly<Record<string, Reader>>[] = await Promise.all(
  IDS.filter((id) => existsSync(new URL(`../clients/${id}/readers.ts`, import.meta.url))).map(
    async (id) => (await import(`../clients/${id}/readers.ts`)).READERS,
  ),
);
export const READERS: Readonly<Record<string, Reader>> = Object.assign({}, OWN, ...OTHERS);

/** Whether a client reads each text as its file. */
export async function verdicts(
  { path, reads }: Reader,
  place: Scratch,
  texts: readonly string[],
): Promise<boolean[]> {
  const file = join(place.home, path);
  mkdirSync(dirname(file), { recursive: true });
  const found: boolean[] = [];
  await reads(place, async (ask) => {
    for (const text of texts) {
      writeFileSync(file, text);
      found.push(await ask());
    }
  });
  return found;
}

/** A hook's command that leaves a mark when it runs. */
export const marking = (place: Scratch): string => `touch ${marked(place)}`;
