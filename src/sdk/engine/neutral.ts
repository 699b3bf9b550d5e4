/**
 * The client that represents users of the engine. It is not in the registry, because nothing is installed in it. Its native
 * events are the declared ones, its payload is our event envelope, and its answer is the response envelope.
 */

import {
  type Client,
  type ConfigFile,
  type EventLowering,
  type Lowering,
  type NativeEvent,
  NO_HISTORY,
  STRICT,
  UNDER_HOOKS,
} from '../../clients/contract.ts';
import { decided } from '../../clients/lowerings.ts';
import { DECLARED } from '../../compile/names.ts';
import { byEvent, DECIDABLE, type Event, TOOL_EVENTS } from '../../declaration/declaration.ts';

/** The part of a call that can still change: the input before the call, the output after it. */
const changed = (event: Event) => (event === 'pre_tool_use' ? 'input' : 'output');

const way = (event: Event): Lowering => ({
  grade: 'exact',
  when: 'when it happens',
  on: [{ native: event, act: event === 'notification' ? 'call' : 'tell' }],
});

const lowering = (event: Event): EventLowering => ({
  text: way(event),
  ...(event === 'notification' && { waitsFor: { prompt: way(event), permission: way(event) } }),
  decide: {
    ...(DECIDABLE.block.includes(event) && { block: decided() }),
    ...(DECIDABLE.modify.includes(event) && { [changed(event)]: decided() }),
  },
});

const nativeEvent = (event: Event): NativeEvent => ({
  matcher: TOOL_EVENTS.includes(event) ? 'tool' : 'none',
  timeout: 15,
  ...(event === 'session_end' && { end: true }),
  ...(event === 'post_tool_use' && { wire: { failed: [{ at: 'tool.success', like: '^false$' }] } }),
  ...(event === 'tool_error' && { wire: { failed: true } }),
  ...(event === 'notification' && {
    wire: { asks: { at: 'waits_for', like: '^permission$' }, facts: ['message'] },
  }),
});

const CONTEXT = { action: 'injectContext', additionalContext: ['{text}'] };

const NO_FILE: ConfigFile = {
  name: 'none.json',
  format: 'json',
  layout: UNDER_HOOKS,
  dialect: { ...STRICT, otherwise: '' },
};

export const neutral: Client = {
  id: 'engine',
  aliases: [],
  name: 'the engine',
  shortName: 'the engine',
  evidence: { measured: '0.0.0' },
  minimum: '0.0.0',
  executable: '',
  npmPackage: '',

  userFolder: (_env, home) => home,
  projectFolder: '.',
  placement: { kind: 'shared-file', files: { user: [NO_FILE] } },
  positional: false,

  hookShell: ['sh', '-c'],
  hookTimeUnit: 1000,
  hookVariables: {},
  matching: {},
  tools: {},
  otherTools: [],
  mcpNames: DECLARED,
  givenToServers: { variables: [] },

  nativeEvents: byEvent(nativeEvent),
  lowering: byEvent(lowering),

  wire: {
    session: 'sessionId',
    begins: '{"event":"{event}","sessionId":"',
    event: 'event',
    cwd: 'cwd',
    source: 'source',
    recurring: [],
    continuing: [],
    transcript: 'transcript_path',
    history: NO_HISTORY,
    occasion: [],
    prompt: 'prompt',
    toolName: 'tool.name',
    toolInput: 'tool.input',
    toolOutput: ['tool.output'],
    serverName: 'tool.server',
    serverTool: 'tool.name',
    continued: 'continued',
    limit: {},
    tell: CONTEXT,
    ask: CONTEXT,
    decide: {
      block: { action: 'block', reason: '{reason}' },
      input: { action: 'modify', modifiedInput: '{input}' },
      output: { action: 'modify', modifiedOutput: '{output}' },
      outputText: 'any',
    },
    agent: 'agent',
    duration: 'tool.durationMs',
    used: { tokens: 'budget.usedTokens', window: 'budget.compactions' },
    facts: [
      'conversation_summary',
      'key_decisions',
      'remaining_context_tokens',
      'duration_seconds',
      'tool_calls',
      'tokens_used',
    ],
  },
  entry: {
    shape: 'grouped',
    handler: ({ command, timeout }) => ({ type: 'command', command, timeout }),
    commands: ['command'],
  },
};
