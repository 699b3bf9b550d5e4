// The history of GitHub Copilot CLI does not have the texts of a session's start.
import { describe, expect, test } from 'vitest';
import type { Payload } from '../../support/runner/clients.ts';
import { shownOn } from '../../support/runner/shown.ts';
import { type Hook, install, type World } from '../../support/runner/world.ts';

const start: Hook = { event: 'session_start', context: 'Welcome.' };

describe("a text at a session's start in Copilot", () => {
  const copilot = (world: World) => (file: string, changes?: Payload) =>
    shownOn(world, 'copilot-cli', file, changes);

  test('is shown in each process that resumes a session', async () => {
    const fire = copilot(install({ hooks: [start] }));
    expect(await fire('SessionStart')).toEqual(['Welcome.']);
    for (const timestamp of ['2026-11-22T12:00:00.001Z', '2026-11-22T12:00:00.002Z'])
      expect(await fire('SessionStart.resume', { timestamp })).toEqual(['Welcome.']);
  });

  test('is shown with the next prompt after a compaction, once', async () => {
    const fire = copilot(install({ hooks: [start] }));
    const prompt = (timestamp: number) => fire('userPromptTransformed', { timestamp });
    expect(await prompt(1)).toEqual([]);
    expect(await fire('PreCompact')).toEqual([]);
    expect(await prompt(2)).toEqual(['Welcome.']);
    expect(await prompt(3)).toEqual([]);
  });
});
