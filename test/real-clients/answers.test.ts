// The findings of `verify --live` in the real clients, and of `doctor` with them on the PATH, agree with every other
// command about the same home (test/diagnose/answers.test.ts).
import { describe, expect, test } from 'vitest';
import { run } from '../../src/system/child.ts';
import { IDS, type Id } from '../support/fired.ts';
import { furnish, HOMES, pathOf } from '../support/homes.ts';
import { World } from '../support/world.ts';
import { startLine } from './clients.ts';
import { CLI } from './ours.ts';

const EXECUTABLE = { 'claude-code': 'claude', codex: 'codex', 'gemini-cli': 'gemini' } as const;

interface Answer {
  readonly client: Id;
  readonly fires: boolean | null;
}

/** The clients in which not everything fires; a client that is not there proves nothing. */
const notFiringIn = (answers: readonly Answer[]): Id[] =>
  answers.filter(({ fires }) => fires === false).map(({ client }) => client);

describe('verify --live and doctor report the same about a home in which', () => {
  for (const home of HOMES)
    test(home.title, async () => {
      const world = await World.make();
      try {
        const path = `${await pathOf(world, home)}:${world.path('~/clients')}`;
        for (const id of IDS.filter((one) => !home.missing?.includes(one))) {
          await world.write(`~/clients/${EXECUTABLE[id]}`, `#!/bin/sh\n${startLine(id)}\n`, 0o755);
        }
        const mcpHooks = async (line: string) => {
          const { exitCode, stdout, stderr } = await run([process.execPath, CLI], line.split(' '), {
            cwd: world.work,
            env: { ...world.env(), PATH: path },
          });
          return { code: exitCode ?? undefined, out: stdout, err: stderr };
        };
        await furnish(world, home, mcpHooks);
        const notFiring = Object.keys(home.notFiring);

        const proven = await mcpHooks('verify annal --live --json');
        const { live, fires }: { live: Answer[]; fires: boolean } = JSON.parse(proven.out);
        const fails = notFiring.length > 0 && !home.isWanted;
        expect({ code: proven.code, fires, notFiring: notFiringIn(live) }).toEqual({
          code: fails ? 1 : 0,
          fires: !fails,
          notFiring,
        });
        // Whether a tool fails is known only after a call.
        await mcpHooks('verify annal --json');
        const looked = await mcpHooks('doctor annal --json');
        const { status }: { status: Answer[] } = JSON.parse(looked.out);
        expect({ code: looked.code, notFiring: notFiringIn(status) }).toEqual({
          code: fails ? 1 : 0,
          notFiring,
        });
      } finally {
        await world.remove();
      }
    });
});
