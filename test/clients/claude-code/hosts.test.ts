import { readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MOMENTS, type Moment, type Payload, recorded } from '../../support/runner/clients.ts';
import { shownAt } from '../../support/runner/shown.ts';
import { bodies, type Hook, install, type World } from '../../support/runner/world.ts';

const start: Hook = { event: 'session_start', context: 'Welcome.' };

/** What a client with this environment is told, in Claude Code's shape. */
async function toldIn(
  env: Readonly<Record<string, string>>,
  world: World,
  moment: Moment,
  changes: Payload = {},
): Promise<string[]> {
  const { event, file } = MOMENTS[moment]['claude-code'];
  const payload = recorded('claude-code', file, { cwd: world.cwd, ...changes });
  const stdout = await world.fire('claude-code', event, payload, {
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  return stdout === '' ? [] : bodies(JSON.parse(stdout).hookSpecificOutput.additionalContext);
}

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
    expect(await toldIn(env, world, 'start')).toEqual(['Welcome.']);
    // We have installed no hooks for the other client, so those of Claude Code are shown in it.
    expect(await toldIn(env, world, 'after')).toEqual(['After.']);
    // With hooks of its own, those of Claude Code show nothing in it.
    writeFileSync(join(world.runner, `${id}.postToolUse.json`), '{}');
    const other = { tool_use_id: 'other' };
    expect(await toldIn(env, world, 'after', other)).toEqual([]);
    expect(await toldIn(env, world, 'start', { session: 'x' })).toEqual([]);
    expect(await shownAt(world, 'claude-code', 'after', other)).toEqual(['After.']);
    // The hooks of a third client are not affected.
    expect(await shownAt(world, 'codex', 'after', {}, env)).toEqual(['After.']);
  });

  test('without hooks of its own: a text is in a shape that it reads', async () => {
    const world = install({ hooks: [start] });
    for (const name of readdirSync(world.runner))
      if (name.startsWith('copilot-cli.')) rmSync(join(world.runner, name));
    const { event, file } = MOMENTS.start['claude-code'];
    const payload = recorded('claude-code', file, { cwd: world.cwd });
    const env = { PATH: process.env.PATH ?? '', COPILOT_CLI: '1' };
    const answer = JSON.parse(await world.fire('claude-code', event, payload, { env }));
    expect(answer.additionalContext).toContain('Welcome.');
    expect(answer.hookSpecificOutput).toEqual({
      hookEventName: event,
      additionalContext: answer.additionalContext,
    });
  });

  test('with hooks of its own in another scope: our texts are not shown', async () => {
    const world = install({ hooks });
    for (const name of readdirSync(world.runner))
      if (name.startsWith('cursor.')) rmSync(join(world.runner, name));
    let call = 0;
    const shown = () => {
      call += 1;
      const changes = { tool_use_id: `call-${call}` };
      return shownAt(world, 'claude-code', 'after', changes, { CURSOR_VERSION: '3' });
    };
    const record = (label: string, client: string, project: string | null) =>
      writeFileSync(
        join(world.state, 'ledger.json'),
        JSON.stringify({ installs: [{ label, clients: [client], project }], files: {} }),
      );
    expect(await shown()).toEqual(['After.']);
    const cwd = realpathSync(world.cwd);
    for (const [label, client, project] of [
      ['annal', 'claude-code', null],
      ['other', 'cursor', null],
      ['annal', 'cursor', join(cwd, 'elsewhere')],
    ] as const) {
      record(label, client, project);
      expect([label, client, project, await shown()]).toEqual([label, client, project, ['After.']]);
    }
    for (const project of [null, cwd]) {
      record('annal', 'cursor', project);
      expect([project, await shown()]).toEqual([project, []]);
    }
    writeFileSync(join(world.state, 'ledger.json'), '{');
    expect(await shown()).toEqual(['After.']);
  });

  test('does not hide the texts from Claude Code in its own terminal', async () => {
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
    // The process with this ID has to be the parent of the shell that runs the hook.
    expect(await fire('CLAUDE_PID=1 sh -c "$COMMAND"; :')).toBe('');
    expect(await fire('export CLAUDE_PID=$$; sh -c "$COMMAND"; :')).toContain('After.');
  });
});
