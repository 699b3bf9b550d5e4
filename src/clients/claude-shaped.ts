/**
 * The common parts of clients with hooks in the shape of Claude Code's. Each client uses what is the same and defines the rest,
 * so a fork consists of its differences.
 */

import {
  type Client,
  type ConfigFile,
  type HooksFolder,
  type NativeEvent,
  STRICT,
  UNDER_HOOKS,
  type Wire,
} from './contract.ts';
import {
  afterSubagent,
  afterTurn,
  atStart,
  beforeCompaction,
  beforeEnd,
  blockedEnd,
  blockedPrompt,
  inSubagent,
  withPrompt,
} from './lowerings.ts';

/** JSON settings that contain hooks. @param dialect How the dialect differs from JSON. */
export const settingsFile = (
  name: string,
  dialect: Partial<ConfigFile['dialect']> & Pick<ConfigFile['dialect'], 'otherwise'>,
): ConfigFile => ({
  name,
  format: 'json',
  layout: UNDER_HOOKS,
  dialect: { ...STRICT, ...dialect },
});

/** A folder in which a client reads every file, so each label has its own file. */
export const settingsFolder = (
  dialect: Parameters<typeof settingsFile>[1],
  sharedWith: HooksFolder['sharedWith'],
): HooksFolder => ({
  ...settingsFile('hooks', dialect),
  fileOf: (label) => `mcp-hooks.${label}.json`,
  ending: '.json',
  sharedWith,
});

/** Stops what was about to happen, on most events. */
export const BLOCK = { decision: 'block', reason: '{reason}' };

/** An answer that only this event accepts. */
export const specific = (answer: Readonly<Record<string, string>>) => ({
  hookSpecificOutput: { hookEventName: '{event}', ...answer },
});

/** Stops a call. */
export const DENY_CALL = specific({
  permissionDecision: 'deny',
  permissionDecisionReason: '{reason}',
});

/** A line of a session's record. */
export const lineOf = (type: string) => ({ part: `"type":"${type}"`, keys: { type } });

/** An event with enough time for a server's tool. */
export const event = (
  matcher: NativeEvent['matcher'],
  more: Partial<NativeEvent> = {},
): NativeEvent => ({ matcher, timeout: 15, ...more });

/** An event on which hooks can decide. */
export const deciding = (
  matcher: NativeEvent['matcher'],
  decide: Wire['decide'],
  { wire, ...more }: Partial<NativeEvent> = {},
): NativeEvent => event(matcher, { ...more, wire: { ...wire, decide } });

/** A notification that the client waits for its user. A session may have several that cannot be told apart. */
export const NOTICE = {
  onlyIf: {
    at: 'notification_type',
    like: '^permission_prompt$|^elicitation_dialog$|^idle_prompt$',
  },
  asks: { at: 'notification_type', like: '^permission_prompt$|^elicitation_dialog$' },
  facts: ['message', 'title'],
  occasion: [],
} satisfies Partial<Wire>;

/** The user is asked for a permission. If hooks add nothing, the question is left to the user. */
export const ASKED = event('none', { wire: { asks: true, occasion: [] } });

/** Each client picks from these. Their order is the order of the written entries. */
export const events = {
  // Includes `resume`, because a resumed session may be older than the hooks.
  SessionStart: event({ fixed: 'startup|resume|clear|compact' }, { occasion: 'source' }),
  SubagentStart: event('none', { occasion: 'agent_id' }),
  SubagentStop: deciding('none', { block: BLOCK }, { occasion: 'agent_id' }),
  PreToolUse: deciding('tool', {
    block: DENY_CALL,
    // Without a `permissionDecision`, the user is asked or not, as for any call with this input.
    input: specific({ updatedInput: '{input}' }),
  }),
  Stop: deciding('none', { block: BLOCK }),
};

export const lowering = {
  session_start: atStart('SessionStart', 'SubagentStart'),
  pre_request: { ...withPrompt('UserPromptSubmit'), decide: { block: blockedPrompt() } },
  post_request: {
    ...afterTurn('Stop', 'UserPromptSubmit'),
    decide: { block: blockedEnd('Stop', 'the model') },
  },
  session_end: beforeEnd('Stop', 'SessionEnd'),
  pre_compact: beforeCompaction(
    'PreCompact',
    'SessionStart',
    'as soon as the history is compacted',
  ),
  subagent_start: inSubagent('SubagentStart'),
  subagent_end: {
    ...afterSubagent('SubagentStop', ['PostToolUse', 'UserPromptSubmit']),
    decide: { block: blockedEnd('SubagentStop', 'the subagent') },
  },
} satisfies Partial<Client['lowering']>;

export const wire = {
  session: 'session_id',
  begins: '{"session_id":"',
  event: 'hook_event_name',
  cwd: 'cwd',
  source: 'source',
  transcript: 'transcript_path',
  prompt: 'prompt',
  toolName: 'tool_name',
  toolInput: 'tool_input',
  continued: 'stop_hook_active',
  tell: specific({ additionalContext: '{text}' }),
} satisfies Partial<Client['wire']>;
