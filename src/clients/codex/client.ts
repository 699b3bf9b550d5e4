// https://developers.openai.com/codex/hooks
import { ANYTHING } from '../../edit/edit.ts';
import {
  ASKED,
  BLOCK,
  DENY_CALL,
  deciding,
  event,
  events,
  lineOf,
  lowering,
  settingsFile,
  specific,
  wire,
} from '../claude-shaped.ts';
import { type Client, type ConfigFile, UNDER_HOOKS } from '../contract.ts';
import {
  afterCall,
  afterCompaction,
  beforeCall,
  blockedAfterwards,
  blockedOverBudget,
  decided,
  notified,
  overBudget,
} from '../lowerings.ts';
import { words } from '../words.ts';

/** If both contain hooks, Codex runs both and warns at every start. */
export const FILES: readonly [ConfigFile, ConfigFile] = [
  {
    name: 'config.toml',
    format: 'toml',
    layout: UNDER_HOOKS,
    dialect: { ...ANYTHING, otherwise: 'stops Codex CLI from starting' },
  },
  settingsFile('hooks.json', { otherwise: 'makes Codex CLI ignore the whole file' }),
];

export const codex: Client = {
  id: 'codex',
  aliases: [],
  name: 'Codex CLI',
  shortName: 'Codex',
  evidence: { measured: '0.171.0' },
  // The previous version (0.144.6) has no SessionEnd.
  minimum: '0.145.0',
  executable: 'codex',
  npmPackage: '@openai/codex',

  userFolder: (env, home) => env.CODEX_HOME || `${home}/.codex`,
  projectFolder: '.codex',
  placement: { kind: 'shared-file', files: { user: FILES, project: FILES } },
  otherEvents: words('PreModelRequest PostModelRequest Interrupt'),
  readsHooks: 'at start',
  positional: true,

  // Or the user's own shell if it is bash, sh or zsh.
  hookShell: ['bash', '-c'],
  hookTimeUnit: 1000,
  hookVariables: {},
  matching: { lists: '[A-Za-z0-9_|]+', aliases: { apply_patch: ['Edit', 'Write'] } },
  tools: {
    Bash: 'Bash',
    Edit: 'apply_patch',
    MultiEdit: 'apply_patch',
    Write: 'apply_patch',
    Agent: 'spawn_agent',
    Task: 'spawn_agent',
  },
  toolInputs: { apply_patch: { patch: 'command' } },
  otherTools: words(`
    close_agent create_goal followup_task get_goal interrupt_agent list_agents
    list_mcp_resource_templates list_mcp_resources read_mcp_resource request_permissions
    request_user_input resume_agent send_input send_message tool_search update_goal update_plan
    view_image wait_agent`),
  // A longer name ends with a hash. A server whose name has such a character is not started.
  mcpNames: {
    prefix: 'mcp__',
    separator: '__',
    allowed: 'A-Za-z0-9_',
    unpredictable: '.{129}|^mcp__(?:(?!__).)*[^!-~]',
  },
  builtInServers: ['codex_apps__'],
  givenToServers: {
    variables: [
      {
        name: '^(?:HOME|LANG|LC_ALL|LOGNAME|PATH|SHELL|TERM|TMPDIR|TZ|USER|__CF_USER_TEXT_ENCODING)$',
        kept: true,
      },
      { name: '', kept: false },
    ],
  },

  nativeEvents: {
    SessionStart: events.SessionStart,
    SubagentStart: events.SubagentStart,
    SubagentStop: events.SubagentStop,
    // The model reads nothing from hooks on either event. Stopping a compaction would end this turn and every later one.
    PreCompact: event('none'),
    PostCompact: event('none'),
    UserPromptSubmit: deciding('none', { block: BLOCK }),
    PreToolUse: deciding('tool', {
      block: DENY_CALL,
      // A changed input is only accepted with `allow`, and still requires the approval for a call with that input.
      input: specific({ permissionDecision: 'allow', updatedInput: '{input}' }),
    }),
    // The model reads the reason as the result.
    PostToolUse: deciding('tool', { block: BLOCK, output: { ...BLOCK, reason: '{output}' } }),
    Stop: events.Stop,
    // Codex's maximum. It warns about more.
    SessionEnd: { matcher: 'none', timeout: 3, end: true },
    PermissionRequest: ASKED,
  },
  lowering: {
    ...lowering,
    pre_tool_use: {
      ...beforeCall('Codex CLI', 'PreToolUse'),
      decide: {
        block: {
          ...decided(),
          when: 'before the call; what the model types into a command that already runs (write_stdin) is shown to no hook',
        },
        input: decided(),
      },
    },
    post_tool_use: {
      ...afterCall(
        'PostToolUse',
        undefined,
        'Codex CLI runs no hooks after a failed call of an MCP tool.',
        { exceptOf: 'mcp' },
      ),
      decide: {
        block: blockedAfterwards('the model reads the reason instead of the result'),
        output: decided(),
      },
    },
    post_compact: afterCompaction(
      'exact',
      'PostCompact',
      'SessionStart',
      'before the first request after a compaction',
    ),
    tool_error: null,
    budget_exceeded: {
      ...overBudget('PostToolUse', 'UserPromptSubmit'),
      decide: { block: blockedOverBudget('UserPromptSubmit') },
    },
    notification: notified({ permission: 'PermissionRequest', turn: 'Stop' }),
  },

  cannot: {
    tool_error: 'it runs no hooks after a tool that failed, and never shows how a command ended',
  },

  wire: {
    ...wire,
    recurring: ['compact', 'resume'],
    continuing: ['resume'],
    history: {
      said: {
        part: '"role":"developer"',
        keys: { type: 'response_item', 'payload.role': 'developer' },
      },
      anew: lineOf('compacted'),
      inherited: {
        part: '"history_base"',
        keys: { type: 'session_meta', 'payload.history_base': true },
      },
    },
    occasion: ['turn_id', 'agent_id', 'tool_use_id', 'source', 'stop_hook_active', 'reason'],
    toolOutput: ['tool_response'],
    subagent: 'agent_id',
    // 2,500 tokens of four bytes each. In a longer text, it cuts out the middle.
    limit: { bytes: 9900 },
    ask: { decision: 'block', reason: '{text}' },
    agent: 'agent_type',
    // One record with each answer, and one count after its results and after a compaction. The last one counts.
    usage: {
      lines: { part: '"type":"token_', keys: { type: ['token_usage_record', 'event_msg'] } },
      tokens: ['payload.usage.total_tokens', 'payload.info.last_token_usage.total_tokens'],
    },
    record: {
      time: ['timestamp'],
      calls: {
        lines: { part: '_call"', keys: { type: 'response_item', 'payload.type': '*_call' } },
        names: ['payload.call_id', 'payload.id'],
      },
      window: {
        lines: {
          part: '"model_context_window"',
          keys: { type: 'event_msg', 'payload.type': 'token_count' },
        },
        at: 'payload.info.model_context_window',
      },
    },
  },
  entry: {
    shape: 'grouped',
    handler: ({ command, powerShell, timeout }) => ({
      type: 'command',
      command,
      ...(powerShell !== undefined && { commandWindows: powerShell }),
      timeout,
    }),
    commands: ['command', 'commandWindows', 'command_windows'],
  },
};
