// https://code.claude.com/docs/en/hooks
import type { Client } from './client.ts';
import { afterTurn, atStart, beforeEnd, withPrompt } from './lowerings.ts';

const itself = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, name]));

export const claudeCode: Client = {
  id: 'claude-code',
  aliases: ['claude'],
  name: 'Claude Code',
  docs: 'https://code.claude.com/docs/en/hooks',
  verified: '2.1.329',
  executable: 'claude',

  userFolder: (env, home) => env.CLAUDE_CONFIG_DIR || `${home}/.claude`,
  projectFolder: '.claude',
  files: [
    {
      name: 'settings.json',
      format: 'json',
      dialect: {
        comments: false,
        trailingCommas: false,
        bom: true,
        empty: true,
        otherwise: 'is ignored as a whole by Claude Code, silently',
      },
    },
  ],
  positional: false,

  matcherStyle: 'exact-or-regex',
  // The names of SEP-2282 are these.
  tools: itself(
    'Agent',
    'AskUserQuestion',
    'Bash',
    'BashOutput',
    'Edit',
    'EnterPlanMode',
    'ExitPlanMode',
    'Glob',
    'Grep',
    'KillShell',
    'LS',
    'MultiEdit',
    'NotebookEdit',
    'Read',
    'Skill',
    'Task',
    'TodoWrite',
    'WebFetch',
    'WebSearch',
    'Write',
  ),
  mcpNames: { prefix: 'mcp__', separator: '__', allowed: 'A-Za-z0-9_-' },

  nativeEvents: {
    // Not `resume` and `fork`: the text is still in the history that they bring along.
    SessionStart: { matcher: { fixed: 'startup|clear|compact' }, timeout: 15 },
    SubagentStart: { matcher: 'none', timeout: 15 },
    UserPromptSubmit: { matcher: 'none', timeout: 15 },
    PreToolUse: { matcher: 'tool', timeout: 15 },
    PostToolUse: { matcher: 'tool', timeout: 15 },
    PostToolUseFailure: { matcher: 'tool', timeout: 15 },
    Stop: { matcher: 'none', timeout: 15 },
    // Without one of our own we would get 1.5 s.
    SessionEnd: { matcher: 'none', timeout: 5 },
  },
  lowering: {
    session_start: atStart('SessionStart', 'SubagentStart'),
    pre_request: withPrompt('UserPromptSubmit'),
    pre_tool_use: {
      text: {
        grade: 'late',
        when: 'together with the result of the call: Claude Code shows the model nothing between a call and its result',
        on: [{ native: 'PreToolUse', act: 'tell' }],
      },
    },
    post_tool_use: {
      text: {
        grade: 'exact',
        when: 'together with the result of the call, also of a failed one',
        on: [
          { native: 'PostToolUse', act: 'tell' },
          { native: 'PostToolUseFailure', act: 'tell' },
        ],
      },
    },
    post_request: afterTurn('Stop', 'UserPromptSubmit'),
    session_end: beforeEnd('Stop', 'SessionEnd'),
  },

  wire: {
    session: 'session_id',
    cwd: 'cwd',
    prompt: 'prompt',
    toolName: 'tool_name',
    toolInput: 'tool_input',
    toolOutput: ['tool_response', 'error'],
    serverName: 'mcp_server.name',
    continued: 'stop_hook_active',
    // The end of a background task arrives as a prompt.
    ownPrompt: '^<task-notification>',
    tell: { hookSpecificOutput: { hookEventName: '{event}', additionalContext: '{text}' } },
    ask: { hookSpecificOutput: { hookEventName: '{event}', additionalContext: '{text}' } },
  },
  group: ({ matcher, command, timeout }) => ({
    ...(matcher !== undefined && { matcher }),
    hooks: [{ type: 'command', command, timeout }],
  }),
};
