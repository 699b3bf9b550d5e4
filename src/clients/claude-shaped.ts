/**
 * What clients have in common whose hooks are shaped like those of Claude Code. Each of them takes what is the same in it, and
 * says what is different, so a fork is its differences.
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

/** JSON settings with hooks among them. @param dialect How it differs from JSON. */
export const settingsFile = (
  name: string,
  dialect: Partial<ConfigFile['dialect']> & Pick<ConfigFile['dialect'], 'otherwise'>,
): ConfigFile => ({
  name,
  format: 'json',
  layout: UNDER_HOOKS,
  dialect: { ...STRICT, ...dialect },
});

/** A folder of which a client reads any file, so each label has its own. */
export const hooksFolder = (
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

/** What only this event can answer. */
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

/** An event with time for a server's tool. */
export const event = (
  matcher: NativeEvent['matcher'],
  more: Partial<NativeEvent> = {},
): NativeEvent => ({ matcher, timeout: 15, ...more });

/** One on which hooks can decide. */
export const deciding = (
  matcher: NativeEvent['matcher'],
  decide: Wire['decide'],
  { wire, ...more }: Partial<NativeEvent> = {},
): NativeEvent => event(matcher, { ...more, wire: { ...wire, decide } });

/** What the client tells its user, where that is that it waits. A session has several of them that nothing tells apart. */
export const NOTICE = {
  onlyIf: {
    at: 'notification_type',
    like: '^permission_prompt$|^elicitation_dialog$|^idle_prompt$',
  },
  asks: { at: 'notification_type', like: '^permission_prompt$|^elicitation_dialog$' },
  told: ['message', 'title'],
  occasion: [],
} satisfies Partial<Wire>;

/** The user is asked for a permission. A hook that says nothing leaves the question to the user. */
export const ASKED = event('none', { wire: { asks: true, occasion: [] } });

/** A client takes these one by one: their order is that of the entries that are written. */
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
