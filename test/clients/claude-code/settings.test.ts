// Our own checks of settings whose effect on the real Claude Code is known.

import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../../src/clients/claude-code/client.ts';
import type { Places } from '../../../src/clients/places.ts';
import { readWritten } from '../../../src/install/configured-hooks.ts';
import type { Message } from '../../../src/system/errors.ts';
import { ALL, type Verdict } from '../../support/claude-settings.ts';

const OURS = { hooks: [{ type: 'command', command: 'ours', timeout: 15 }] };

/** The whole file is ignored. */
const isLost = (problem: Message): boolean =>
  problem.code === 'settings-fault' && 'lost' in problem && problem.lost === 'file';

describe('our check of a settings file', () => {
  test('covers at least 60 cases', () => expect(ALL.length).toBeGreaterThanOrEqual(60));

  test.each(ALL)('agrees with Claude Code: $verdict: $name', ({ verdict, settings }) => {
    const text = Buffer.from(JSON.stringify(settings(OURS)));
    const places: Places = { env: {}, home: '/h', state: '/h/.mcp-hooks', scope: 'user' };
    const { hooks, refused } = readWritten(claudeCode, places, { read: () => text });
    const mine: Verdict = refused.some(({ why }) => isLost(why.problem))
      ? 'void'
      : hooks.some(({ command }) => command === 'ours')
        ? 'fine'
        : 'dropped';
    expect(mine).toBe(verdict);
  });
});
