import { describe } from 'vitest';
import { env } from '../../support/fired.ts';
import { COMMITTED } from '../../support/hooks.ts';
import { test, type World } from '../../support/world.ts';

interface Firing {
  readonly event: string;
  readonly text: string | null;
}

async function fired(world: World, event: string): Promise<readonly Firing[]> {
  const { out } = await world.run(`fire annal ${event} --json`, { env });
  return JSON.parse(out).clients.flatMap(({ firings }: { firings: Firing[] }) => firings);
}

describe.concurrent('what the model would read', () => {
  test('is listed with the usual event first if a client has several, each for the same call', async ({
    world,
    expect,
  }) => {
    const declarations = [{ event: 'session_start' }, COMMITTED].map((hook) => ({
      context: 'Hello.',
      priority: 'important',
      ...hook,
    }));
    await world.write('annal.json', JSON.stringify({ hooks: { declarations } }));
    await world.run('install annal.json --yes --client copilot', { env });
    const events = async (event: string) =>
      (await fired(world, event)).map(
        ({ event, text }) => `${event}: ${text === null ? 'nothing' : 'told'}`,
      );
    expect(await events('session_start')).toEqual([
      'SessionStart: told',
      'SubagentStart: told',
      'PreCompact: nothing',
      'userPromptTransformed: told',
    ]);
    expect(await events('post_tool_use')).toEqual([
      'PostToolUse: told',
      'PostToolUseFailure: told',
    ]);
  });

  test('comes with another event if its own event only marks the hook, and verify says so', async ({
    world,
    expect,
  }) => {
    const declarations = [{ event: 'session_start', context: 'Hello.', priority: 'important' }];
    await world.write('annal.json', JSON.stringify({ hooks: { declarations } }));
    await world.run('install annal.json --yes --client copilot', { env });
    const { code, out } = await world.run('verify annal', { env });
    expect({ code, out }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "out": "annal
        GitHub Copilot CLI  fires   SessionStart, SubagentStart, userPromptTransformed
                            later   PreCompact shows nothing itself; the text comes with
                                    userPromptTransformed

      Everything fires: 1 hook in 1 client.
      ",
      }
    `);
    const { verified } = JSON.parse((await world.run('verify annal --json', { env })).out);
    expect(
      verified[0].events.flatMap(({ event, marks }: { event: string; marks?: unknown }) =>
        marks ? event : [],
      ),
    ).toEqual(['PreCompact']);
  });
});
