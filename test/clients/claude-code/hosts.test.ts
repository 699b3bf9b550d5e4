import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MOMENTS, recorded } from '../../support/runner/clients.ts';
import { shownAt } from '../../support/runner/shown.ts';
import { type Hook, install } from '../../support/runner/world.ts';

const start: Hook = { event: 'session_start', context: 'Welcome.' };

describe('another client that runs the hooks of Claude Code', () => {
  const hooks: Hook[] = [{ event: 'post_tool_use', context: 'After.' }, start];
  const markers: [string, string][] = [
    ['copilot-cli', 'COPILOT_CLI'],
    ['cursor', 'CURSOR_VERSION'],
    ['devin', 'DEVIN_PROJECT_DIR'],
    ['droid', 'FACTORY_PROJECT_DIR'],
    ['grok', 'GROK_SESSION_ID'],
    ['qwen-code', 'QWEN_PROJECT_DIR'],
  ];

  test.each(markers)('%s, recognised by %s: our texts are shown once', async (id, marker) => {
    const world = install({ hooks });
    for (const name of readdirSync(world.runner))
      if (name.startsWith(`${id}.`)) rmSync(join(world.runner, name));
    const env = { [marker]: '1', CLAUDE_PROJECT_DIR: world.cwd };
    expect(await shownAt(world, 'claude-code', 'start', {}, env)).toEqual(['Welcome.']);
    // It has no hooks of its own from us, so those of Claude Code are shown in it.
    expect(await shownAt(world, 'claude-code', 'after', {}, env)).toEqual(['After.']);
    // It has, so those of Claude Code show nothing in it.
    writeFileSync(join(world.runner, `${id}.postToolUse.json`), '{}');
    const other = { tool_use_id: 'other' };
    expect(await shownAt(world, 'claude-code', 'after', other, env)).toEqual([]);
    expect(await shownAt(world, 'claude-code', 'start', { session: 'x' }, env)).toEqual([]);
    expect(await shownAt(world, 'claude-code', 'after', other)).toEqual(['After.']);
    // Hooks of the other clients mean nothing to it.
    expect(await shownAt(world, 'codex', 'after', {}, env)).toEqual(['After.']);
  });

  test('Claude Code itself, started from a terminal in one, gets the texts', async () => {
    const world = install({ hooks });
    writeFileSync(join(world.runner, 'cursor.postToolUse.json'), '{}');
    const { event, file } = MOMENTS.after['claude-code'];
    const fire = (line: string) =>
      world.fire('claude-code', event, recorded('claude-code', file), {
        env: {
          PATH: process.env.PATH ?? '',
          CURSOR_VERSION: '3',
          COMMAND: world.command('claude-code', event) ?? '',
        },
        line: () => line,
      });
    // The one that has this process id is the parent of the shell that runs the hook.
    expect(await fire('CLAUDE_PID=1 sh -c "$COMMAND"; :')).toBe('');
    expect(await fire('export CLAUDE_PID=$$; sh -c "$COMMAND"; :')).toContain('After.');
  });
});
