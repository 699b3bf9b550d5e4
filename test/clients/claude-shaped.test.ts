// A client that works like Claude Code, such as a fork of it, is defined by its differences.
import { execFileSync } from 'node:child_process';
import { expect, test as plainTest } from 'vitest';
import { claudeCode } from '../../src/clients/claude-code/client.ts';
import {
  BLOCK,
  event,
  events,
  lowering,
  settingsFile,
  wire,
} from '../../src/clients/claude-shaped.ts';
import type { Client } from '../../src/clients/contract.ts';
import { bindingsOf } from '../../src/clients/lowerings.ts';
import { CLIENTS } from '../../src/clients/registry.ts';
import { hookCommand } from '../../src/compile/command.ts';
import { apply } from '../../src/install/apply.ts';
import { installHere, uninstallHere } from '../../src/library/planning.ts';
import { declaring, placesOf } from '../support/declaring.ts';
import { test } from '../support/world.ts';

const { PostToolUse = event('tool') } = claudeCode.nativeEvents;

/** Sends Claude Code's payloads, except for the result of a call. Compacts without an event, and sends empty prompts itself. */
const fork: Client = {
  ...claudeCode,
  id: 'quux',
  name: 'Quux',
  userFolder: (env, home) => env.QUUX_HOME || `${home}/.quux`,
  projectFolder: '.quux',
  placement: {
    kind: 'shared-file',
    files: { user: [settingsFile('settings.json', { comments: true, otherwise: '' })] },
  },
  tools: { Bash: 'run_shell_command' },
  nativeEvents: {
    SessionStart: events.SessionStart,
    UserPromptSubmit: event('none', { wire: { decide: { block: BLOCK } } }),
    PostToolUse: { ...PostToolUse, wire: { toolOutput: ['tool_response.llmContent'] } },
    Stop: events.Stop,
    SessionEnd: event('none', { end: true }),
  },
  lowering: {
    ...claudeCode.lowering,
    ...lowering,
    session_start: {
      text: { grade: 'exact', when: 'first', on: [{ native: 'SessionStart', act: 'tell' }] },
    },
    pre_tool_use: null,
    post_tool_use: {
      text: { grade: 'exact', when: 'then', on: [{ native: 'PostToolUse', act: 'tell' }] },
    },
    pre_compact: null,
    post_compact: null,
    tool_error: null,
    subagent_start: null,
    subagent_end: null,
    budget_exceeded: null,
    notification: null,
  },
  wire: { ...claudeCode.wire, ...wire, limit: { characters: 2000 } },
};

plainTest.each([...CLIENTS, fork])(
  '$id lowers events only to native events that it has',
  (client) => {
    for (const [declared, cell] of Object.entries(client.lowering)) {
      const decided = Object.values(cell?.decide ?? {}).flatMap(({ on }) => on ?? []);
      for (const native of [...bindingsOf(cell).map((one) => one.native), ...decided])
        expect(Object.keys(client.nativeEvents), declared).toContain(native);
    }
  },
);

test('a fork gets the texts that Claude Code would get, with its own names', async ({
  world,
  expect,
}) => {
  const places = placesOf(world);
  const clients = [fork];
  const matcher = { tool_name: 'Bash', input_contains: 'git commit' };
  const declared = declaring([
    { event: 'pre_request', context: 'A prompt.' },
    { event: 'post_tool_use', matcher, context: 'A commit.' },
  ]);
  await world.write('~/.quux/settings.json', '{\n  // mine\n  "a": 1\n}\n');
  const before = await world.snapshot();
  await apply(installHere(declared, { places, clients }));
  const written = JSON.parse((await world.read('~/.quux/settings.json')).replace('// mine', ''));
  expect(written.hooks.PostToolUse).toMatchObject([{ matcher: 'run_shell_command' }]);
  const fire = (native: string, payload: object) => {
    const command = hookCommand(`${places.state}/servers/annal/quux.${native}.sh`);
    const input = JSON.stringify({ session_id: 'abc', hook_event_name: native, ...payload });
    const said = execFileSync('/bin/sh', ['-c', command], { input, encoding: 'utf8' });
    return said && JSON.parse(said).hookSpecificOutput.additionalContext;
  };
  expect(fire('UserPromptSubmit', { prompt: 'Do it.' })).toContain('A prompt.');
  expect(fire('UserPromptSubmit', { prompt: '' })).toBe('');
  const call = (tool_name: string) =>
    fire('PostToolUse', { tool_name, tool_input: { command: 'git commit' }, tool_use_id: '1' });
  expect(call('Read')).toBe('');
  expect(call('run_shell_command')).toContain('A commit.');
  await apply(uninstallHere('annal', { places, clients }));
  expect(await world.snapshot()).toEqual(before);
});
