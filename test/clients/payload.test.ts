/** A client may have the values of its payloads inside objects, as some have a tool's name. */
import { expect, test } from 'vitest';
import { valueAt, withValueAt } from '../../src/clients/payload.ts';
import { fit } from '../../src/diagnose/fire/matching.ts';
import { payloadOf, replayed, unusedFlags, usualCall } from '../../src/diagnose/fire/payload.ts';
import { clientOf } from '../support/runner/clients.ts';

/** Part of what such a client sends after a call. */
const SENT = {
  sessionContext: { rootSessionId: 'recorded' },
  workspaceInfo: { rootPath: '/home/dev/shop', hint: 'proj' },
  tool_result: { name: 'run_commands', input: { commands: ['ls /home/dev/shop'] } },
};

test('a value inside objects is read and replaced', () => {
  expect(valueAt(SENT, 'tool_result.name')).toBe('run_commands');
  expect(valueAt(SENT, 'tool_result.input.none')).toBeUndefined();
  expect(valueAt(SENT, 'tool_result.name.length')).toBeUndefined();
  expect(valueAt(SENT, undefined)).toBeUndefined();
  expect(withValueAt(SENT, 'tool_result.name', 'read_files')).toEqual({
    ...SENT,
    tool_result: { ...SENT.tool_result, name: 'read_files' },
  });
  expect(withValueAt({}, 'a.b', 1)).toEqual({ a: { b: 1 } });
});

test('a value inside a list is read and replaced', () => {
  const image = { type: 'image', text: '' };
  const sent = { prompt: [{ type: 'text', text: 'Do it.' }, image] };
  expect(valueAt(sent, 'prompt.0.text')).toBe('Do it.');
  expect(valueAt(sent, 'prompt.2.text')).toBeUndefined();
  expect(withValueAt(sent, 'prompt.0.text', 'Done.')).toEqual({
    prompt: [{ type: 'text', text: 'Done.' }, image],
  });
});

test('a matcher is compared with a name inside an object', () => {
  const client = clientOf('claude-code');
  const nested = { ...client, wire: { ...client.wire, toolName: 'tool_result.name' } };
  const fits = (matcher: string) =>
    fit({ client: nested, native: 'PostToolUse', matcher }, SENT).fits;
  expect([fits('run_commands'), fits('Bash')]).toEqual([true, false]);
});

test('a recording is replayed in another session and folder', () => {
  const wire = { cwd: 'workspaceInfo.rootPath', session: 'sessionContext.rootSessionId' };
  const scene = { cwd: '/tmp/here', home: '/tmp', session: 'new' };
  expect(replayed(wire, SENT, scene)).toEqual({
    sessionContext: { rootSessionId: 'new' },
    workspaceInfo: { rootPath: '/tmp/here', hint: 'proj' },
    tool_result: { name: 'run_commands', input: { commands: ['ls /tmp/here'] } },
  });
});

test('a call inside objects is found in recordings, and put there', () => {
  const client = clientOf('claude-code');
  // Any values inside objects of the recorded payload will do.
  const wire = { ...client.wire, toolName: 'tool_input.command', toolInput: 'tool_response' };
  const nested = { ...client, wire };
  const { tool, input } = usualCall(nested, 'PostToolUse', {});
  expect([tool, input]).toEqual([
    expect.any(String),
    expect.objectContaining({ stdout: expect.any(String) }),
  ]);
  expect(unusedFlags(nested, 'PostToolUse', { tool: 'x', input: {} })).toEqual([]);
  const scene = { cwd: '/w', home: '/', session: 'abc' };
  const facts = { tool: 'run_commands', input: { commands: ['ls'] } };
  expect(payloadOf(nested, 'PostToolUse', facts, scene)).toMatchObject({
    tool_input: { command: 'run_commands' },
    tool_response: { commands: ['ls'] },
  });
});
