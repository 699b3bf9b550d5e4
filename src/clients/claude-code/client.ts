// https://code.claude.com/docs/en/hooks
import { type Client, type ConfigFile, STRICT } from '../contract.ts';
import { afterCall, afterTurn, atStart, beforeCall, beforeEnd, withPrompt } from '../lowerings.ts';
import { itself, words } from '../words.ts';

/** An answer that older versions of it understand at the end of a turn, too. */
const BLOCK = { decision: 'block', reason: '{text}' };

const settings = (name: string): ConfigFile => ({
  name,
  format: 'json',
  dialect: {
    ...STRICT,
    bom: true,
    empty: true,
    otherwise: 'makes Claude Code silently ignore the whole file',
  },
});

export const claudeCode: Client = {
  id: 'claude-code',
  aliases: ['claude'],
  name: 'Claude Code',
  shortName: 'Claude Code',
  verified: '2.1.329',
  hooksSince: '2.0.76',
  gaps: [
    // The model reads neither before the result of the call.
    {
      until: '2.1.9',
      native: 'PreToolUse',
      act: 'tell',
      instead: { on: ['PostToolUse', 'PostToolUseFailure'] },
    },
    { until: '2.1.163', native: 'Stop', act: 'ask', instead: { ask: BLOCK } },
  ],
  executable: 'claude',
  npmPackage: '@anthropic-ai/claude-code',

  userFolder: (env, home) => env.CLAUDE_CONFIG_DIR || `${home}/.claude`,
  projectFolder: '.claude',
  files: [settings('settings.json')],
  localFiles: [settings('settings.local.json')],
  positional: false,

  hookShell: ['/bin/sh', '-c'],
  hookTimeUnit: 1000,
  hookVariables: {
    CLAUDECODE: '1',
    CLAUDE_CODE_SESSION_ID: '{session}',
    CLAUDE_PID: '{pid}',
    CLAUDE_PROJECT_DIR: '{cwd}',
  },
  matching: { lists: '[A-Za-z0-9_\\- ,|]+' },
  // The names of SEP-2282 are these.
  tools: itself(`
    Agent AskUserQuestion Bash BashOutput Edit EnterPlanMode ExitPlanMode Glob Grep KillShell LS
    MultiEdit NotebookEdit Read Skill Task TodoWrite WebFetch WebSearch Write`),
  otherTools: words(`
    Artifact Brief ClaudeDesign Config CronCreate CronDelete CronList DesignSync EnterWorktree
    ExitWorktree KillBash ListMcpResourcesTool LSP Monitor NotebookRead PowerShell Projects
    ProposeGoal PushNotification ReadMcpResourceDirTool ReadMcpResourceTool ReadNotifications
    RefreshMcpTools RemoteTrigger ReportFindings ScheduleWakeup SendFeedback SendMessage
    SendUserFile SendUserMessage SlashCommand StructuredOutput TaskCreate TaskGet TaskList
    TaskOutput TaskStop TaskUpdate TeamCreate TeamDelete ToolSearch WaitForMcpServers Workflow`),
  mcpNames: { prefix: 'mcp__', separator: '__', allowed: 'A-Za-z0-9_-', plugin: 'plugin_.*_' },
  builtInServers: ['plugin_', 'claude_ai_', 'claude_in_chrome__', 'computer_use__', 'ide__'],
  givenToServers: {
    // All, but what it sets for hooks alone.
    variables: [
      {
        name: '^CLAUDE_(?:PID|EFFORT|ENV_FILE|CODE_SESSION_ATTENDED|CODE_CHILD_SESSION)$',
        kept: false,
      },
    ],
    expansion: {
      pattern: '\\$\\{([A-Za-z_]\\w*)(?::-([^}]*))?\\}',
      except: '^(?:CLAUDECODE|CLAUDE_(?:PROJECT_DIR|PID|EFFORT|ENV_FILE|CODE_SESSION_\\w+))$',
    },
    folder: 'CLAUDE_PROJECT_DIR',
  },

  nativeEvents: {
    // A session that is resumed may be older than the hooks; a fork brings the text along.
    SessionStart: {
      matcher: { fixed: 'startup|resume|clear|compact' },
      timeout: 15,
      occasion: 'source',
    },
    SubagentStart: { matcher: 'none', timeout: 15, occasion: 'agent_id' },
    UserPromptSubmit: { matcher: 'none', timeout: 15 },
    PreToolUse: { matcher: 'tool', timeout: 15 },
    PostToolUse: { matcher: 'tool', timeout: 15 },
    PostToolUseFailure: { matcher: 'tool', timeout: 15 },
    Stop: { matcher: 'none', timeout: 15 },
    // Without one of our own we would get 1.5 s.
    SessionEnd: { matcher: 'none', timeout: 5, end: true },
  },
  lowering: {
    session_start: atStart('SessionStart', 'SubagentStart'),
    pre_request: withPrompt('UserPromptSubmit'),
    pre_tool_use: beforeCall('Claude Code', 'PreToolUse'),
    post_tool_use: afterCall('PostToolUse', 'PostToolUseFailure'),
    post_request: afterTurn('Stop', 'UserPromptSubmit'),
    session_end: beforeEnd('Stop', 'SessionEnd'),
    pre_compact: null,
    post_compact: null,
    tool_error: null,
    subagent_start: null,
    subagent_end: null,
    budget_exceeded: null,
  },

  wire: {
    session: 'session_id',
    begins: '{"session_id":"',
    event: 'hook_event_name',
    cwd: 'cwd',
    source: 'source',
    recurring: ['compact', 'resume'],
    continuing: ['resume'],
    transcript: 'transcript_path',
    // The parent of a fork is not named anywhere; it has been told.
    history: { said: '"hook_additional_context"', anew: '"subtype":"compact_boundary"' },
    occasion: ['prompt_id', 'agent_id', 'tool_use_id', 'source', 'stop_hook_active', 'reason'],
    prompt: 'prompt',
    toolName: 'tool_name',
    toolInput: 'tool_input',
    toolOutput: ['tool_response', 'error'],
    serverName: 'mcp_server.name',
    continued: 'stop_hook_active',
    // The end of a background task arrives as a prompt.
    ownPrompt: '^<task-notification>',
    // Above 10,000 characters it writes a file and shows the model a preview.
    limit: { characters: 9900 },
    tell: { hookSpecificOutput: { hookEventName: '{event}', additionalContext: '{text}' } },
    ask: { hookSpecificOutput: { hookEventName: '{event}', additionalContext: '{text}' } },
  },
  // Each of these sets CLAUDE_PROJECT_DIR as well.
  hosts: {
    own: 'CLAUDE_PID',
    others: {
      'copilot-cli': ['COPILOT_CLI', 'COPILOT_PROJECT_DIR', 'COPILOT_HOOK_DIR'],
      cursor: ['CURSOR_VERSION'],
      devin: ['DEVIN_PROJECT_DIR'],
      droid: ['FACTORY_PROJECT_DIR', 'DROID_PROJECT_DIR'],
      grok: ['GROK_SESSION_ID', 'GROK_HOOK_EVENT'],
      'qwen-code': ['QWEN_PROJECT_DIR'],
    },
  },
  entry: {
    shape: 'grouped',
    handler: ({ command, powerShell, timeout }) => ({
      type: 'command',
      ...(powerShell !== undefined && { shell: 'powershell' }),
      command: powerShell ?? command,
      timeout,
    }),
    commands: ['command'],
  },
};
