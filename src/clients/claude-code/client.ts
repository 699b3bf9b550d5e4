// https://code.claude.com/docs/en/hooks
import { type Client, type ConfigFile, STRICT, UNDER_HOOKS } from '../contract.ts';
import {
  afterCall,
  afterCompaction,
  afterFailure,
  afterSubagent,
  afterTurn,
  atStart,
  beforeCall,
  beforeCompaction,
  beforeEnd,
  blockedAfterwards,
  blockedEnd,
  blockedOverBudget,
  blockedPrompt,
  decided,
  inSubagent,
  overBudget,
  withPrompt,
} from '../lowerings.ts';
import { identityMap, words } from '../words.ts';

/** A decision on most events. */
const BLOCK = { decision: 'block', reason: '{reason}' };
/** Only the payload of a failed call has this key. */
const FAILED = [{ at: 'error' }];
const BESIDE = blockedAfterwards('the model reads the reason beside the result');

const settings = (name: string): ConfigFile => ({
  name,
  format: 'json',
  layout: UNDER_HOOKS,
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
  // Before it (2.1.284), a block of an automatic compaction is tried again at once, and then let through.
  minimum: '2.1.285',
  executable: 'claude',
  npmPackage: '@anthropic-ai/claude-code',

  userFolder: (env, home) => env.CLAUDE_CONFIG_DIR || `${home}/.claude`,
  projectFolder: '.claude',
  placement: {
    kind: 'shared-file',
    files: {
      user: [settings('settings.json')],
      project: [settings('settings.json')],
      local: [settings('settings.local.json')],
    },
  },
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
    // All of them, except those that it sets for hooks alone.
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
    // Includes `resume`, because a resumed session may be older than the hooks. A fork brings the text along.
    SessionStart: {
      matcher: { fixed: 'startup|resume|clear|compact' },
      timeout: 15,
      occasion: 'source',
    },
    SubagentStart: { matcher: 'none', timeout: 15, occasion: 'agent_id' },
    SubagentStop: {
      matcher: 'none',
      timeout: 15,
      occasion: 'agent_id',
      wire: { decide: { block: BLOCK } },
    },
    // The model reads nothing that a hook says here.
    PreCompact: { matcher: 'none', timeout: 15, wire: { decide: { block: BLOCK } } },
    UserPromptSubmit: {
      matcher: 'none',
      timeout: 15,
      wire: { decide: { block: BLOCK, alone: true } },
    },
    PreToolUse: {
      matcher: 'tool',
      timeout: 15,
      wire: {
        decide: {
          block: {
            hookSpecificOutput: {
              hookEventName: '{event}',
              permissionDecision: 'deny',
              permissionDecisionReason: '{reason}',
            },
          },
          // Without a `permissionDecision`, the user is asked or not, as for any call with this input.
          input: { hookSpecificOutput: { hookEventName: '{event}', updatedInput: '{input}' } },
        },
      },
    },
    PostToolUse: {
      matcher: 'tool',
      timeout: 15,
      wire: {
        failed: FAILED,
        decide: {
          block: BLOCK,
          output: {
            hookSpecificOutput: { hookEventName: '{event}', updatedToolOutput: '{output}' },
          },
          // For Bash and for Read. It ignores an output that does not have the tool's own shape.
          outputText: ['stdout', 'file.content'],
          outputRest: ['stderr'],
          beside: true,
        },
      },
    },
    PostToolUseFailure: {
      matcher: 'tool',
      timeout: 15,
      wire: { failed: FAILED, decide: { block: BLOCK } },
    },
    Stop: { matcher: 'none', timeout: 15, wire: { decide: { block: BLOCK } } },
    // Without a timeout of our own we would get 1.5 s.
    SessionEnd: { matcher: 'none', timeout: 5, end: true },
  },
  lowering: {
    session_start: atStart('SessionStart', 'SubagentStart'),
    pre_request: { ...withPrompt('UserPromptSubmit'), decide: { block: blockedPrompt() } },
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
    post_request: {
      ...afterTurn('Stop', 'UserPromptSubmit'),
      decide: { block: blockedEnd('Stop', 'the model') },
    },
    session_end: beforeEnd('Stop', 'SessionEnd'),
    pre_compact: {
      ...beforeCompaction('PreCompact', 'SessionStart', 'as soon as the history is compacted'),
      decide: {
        block: {
          ...decided('PreCompact'),
          when: 'leaves the history as it is, and you are shown the reason',
        },
      },
    },
    // A SessionStart with the source compact comes before PostCompact, where a hook cannot say anything.
    post_compact: afterCompaction(
      'exact',
      'PreCompact',
      'SessionStart',
      'before the first request after a compaction',
    ),
    tool_error: { ...afterFailure(['PostToolUseFailure']), decide: { block: BESIDE } },
    subagent_start: inSubagent('SubagentStart'),
    subagent_end: {
      ...afterSubagent('SubagentStop', ['PostToolUse', 'UserPromptSubmit']),
      decide: { block: blockedEnd('SubagentStop', 'the subagent') },
    },
    budget_exceeded: {
      ...overBudget('PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit'),
      decide: { block: blockedOverBudget('UserPromptSubmit') },
    },
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
    // Nothing names the parent of a fork, but the parent was told.
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
