// https://code.claude.com/docs/en/hooks
import {
  BLOCK,
  deciding,
  events,
  lowering,
  NOTICE,
  settingsFile,
  specific,
  wire,
} from '../claude-shaped.ts';
import { type Client, NOT_EMPTY } from '../contract.ts';
import {
  afterCall,
  afterCompaction,
  afterFailure,
  beforeCall,
  blockedAfterwards,
  blockedOverBudget,
  decided,
  notified,
  overBudget,
} from '../lowerings.ts';
import { identityMap, words } from '../words.ts';

/** Only the payload of a failed call has this key. */
const FAILED = [{ at: 'error' }];
const BESIDE = blockedAfterwards('the model reads the reason beside the result');

const DIALECT = {
  bom: true,
  empty: true,
  otherwise: 'makes Claude Code silently ignore the whole file',
};
const SETTINGS = settingsFile('settings.json', DIALECT);

export const claudeCode: Client = {
  id: 'claude-code',
  aliases: ['claude'],
  name: 'Claude Code',
  shortName: 'Claude Code',
  evidence: { measured: '2.1.332' },
  // The previous version (2.1.284) immediately retries a blocked automatic compaction, and then lets it through.
  minimum: '2.1.285',
  executable: 'claude',
  npmPackage: '@anthropic-ai/claude-code',

  userFolder: (env, home) => env.CLAUDE_CONFIG_DIR || `${home}/.claude`,
  projectFolder: '.claude',
  placement: {
    kind: 'shared-file',
    files: {
      user: [SETTINGS],
      project: [SETTINGS],
      local: [settingsFile('settings.local.json', DIALECT)],
    },
  },
  readsHooks: 'when changed',
  otherEvents: ['PermissionRequest'],
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
  // SEP-2282 uses these names.
  tools: identityMap(`
    Agent AskUserQuestion Bash BashOutput Edit EnterPlanMode ExitPlanMode Glob Grep KillShell LS
    MultiEdit NotebookEdit Read Skill Task TodoWrite WebFetch WebSearch Write`),
  // Without Git Bash, there is no Bash (2.1.329).
  windowsTools: { Bash: 'PowerShell' },
  otherTools: words(`
    Artifact Brief ClaudeDesign Config CronCreate CronDelete CronList DesignSync EnterWorktree
    ExitWorktree KillBash ListMcpResourcesTool LSP Monitor NotebookRead PowerShell Projects
    ProposeGoal PushNotification ReadMcpResourceDirTool ReadMcpResourceTool ReadNotifications
    RefreshMcpTools RemoteTrigger ReportFindings ScheduleWakeup SendFeedback SendMessage
    SendUserFile SendUserMessage SlashCommand StructuredOutput TaskCreate TaskGet TaskList
    TaskOutput TaskStop TaskUpdate TeamCreate TeamDelete ToolSearch WaitForMcpServers Workflow`),
  // A tool with a longer name is not offered.
  mcpNames: {
    prefix: 'mcp__',
    separator: '__',
    allowed: 'A-Za-z0-9_-',
    plugin: 'plugin_.*_',
    unpredictable: '.{129}',
  },
  builtInServers: ['plugin_', 'claude_ai_', 'claude_in_chrome__', 'computer_use__', 'ide__'],
  givenToServers: {
    // All except those that it only sets for hooks.
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
    // A fork of a session inherits the text.
    SessionStart: events.SessionStart,
    SubagentStart: events.SubagentStart,
    // The agent that sums up a history for a compaction ends with it, too. It has no name and is no subagent of the model.
    SubagentStop: deciding(
      'none',
      { block: BLOCK },
      { occasion: 'agent_id', wire: { onlyIf: { at: 'agent_type', like: NOT_EMPTY } } },
    ),
    // The model does not read hooks' texts here.
    PreCompact: deciding('none', { block: BLOCK }),
    UserPromptSubmit: deciding('none', { block: BLOCK, alone: true }),
    PreToolUse: events.PreToolUse,
    PostToolUse: deciding(
      'tool',
      {
        block: BLOCK,
        output: specific({ updatedToolOutput: '{output}' }),
        // For Bash and for Read. An output without the tool's own shape is ignored.
        outputText: ['stdout', 'file.content'],
        outputRest: ['stderr'],
        beside: true,
      },
      { wire: { failed: FAILED } },
    ),
    PostToolUseFailure: deciding('tool', { block: BLOCK }, { wire: { failed: FAILED } }),
    Stop: events.Stop,
    // Without our own timeout, we would get 1.5 s.
    SessionEnd: { matcher: 'none', timeout: 5, end: true },
    Notification: { matcher: 'none', timeout: 15, wire: NOTICE },
  },
  lowering: {
    ...lowering,
    pre_tool_use: {
      ...beforeCall('Claude Code', 'PreToolUse'),
      decide: { block: decided(), input: decided() },
    },
    post_tool_use: {
      ...afterCall('PostToolUse', 'PostToolUseFailure'),
      decide: {
        block: BESIDE,
        output: {
          grade: 'adapted',
          when: 'reaches the model for Bash, Read and the tools of MCP servers: what other tools return, and failed calls, stay as they are',
          on: 'PostToolUse',
        },
      },
    },
    pre_compact: {
      ...lowering.pre_compact,
      decide: {
        block: {
          ...decided('PreCompact'),
          when: 'leaves the history as it is, and you are shown the reason',
        },
      },
    },
    // A SessionStart with the source compact comes before PostCompact, and only there can a hook add a text.
    post_compact: afterCompaction(
      'exact',
      'PreCompact',
      'SessionStart',
      'before the first request after a compaction',
    ),
    tool_error: { ...afterFailure(['PostToolUseFailure']), decide: { block: BESIDE } },
    budget_exceeded: {
      ...overBudget('PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit'),
      decide: { block: blockedOverBudget('UserPromptSubmit') },
    },
    notification: notified(
      { permission: 'Notification', prompt: 'Notification' },
      'Claude Code says so when you have not answered for 6 seconds, or not typed for a minute.',
    ),
  },

  wire: {
    ...wire,
    recurring: ['compact', 'resume'],
    continuing: ['resume'],
    // A fork's parent is not named, but the parent was told.
    history: {
      said: {
        part: '"hook_additional_context"',
        keys: { type: 'attachment', 'attachment.type': 'hook_additional_context' },
      },
      anew: {
        part: '"subtype":"compact_boundary"',
        keys: { type: 'system', subtype: 'compact_boundary' },
      },
    },
    occasion: ['prompt_id', 'agent_id', 'tool_use_id', 'source', 'stop_hook_active', 'reason'],
    toolOutput: ['tool_response', 'error'],
    serverName: 'mcp_server.name',
    // The end of a background task arrives as a prompt.
    ownPrompt: '^<task-notification>',
    // Texts of more than 10,000 characters are written to a file, and the model gets a preview.
    limit: { characters: 9900 },
    ask: wire.tell,
    agent: 'agent_type',
    duration: 'duration_ms',
    usage: {
      lines: { part: '"usage":{"input_tokens"', keys: { type: 'assistant' } },
      tokens: [
        'message.usage.input_tokens',
        'message.usage.cache_creation_input_tokens',
        'message.usage.cache_read_input_tokens',
        'message.usage.output_tokens',
      ],
    },
    record: {
      time: ['timestamp'],
      calls: {
        lines: { part: '"type":"tool_use"', keys: { type: 'assistant' } },
        names: ['message.content.*.id'],
      },
    },
  },
  // Each of these clients also sets CLAUDE_PROJECT_DIR.
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
    // Measured with 1.0.102.
    tell: { 'copilot-cli': { additionalContext: '{text}' } },
    // According to its documentation.
    payloads: { 'vs-code': 'hookEventName' },
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
