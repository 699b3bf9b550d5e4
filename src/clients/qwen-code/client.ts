// https://github.com/QwenLM/qwen-code/blob/main/docs/users/features/hooks.md, and its program (0.24.4).
import { fnv1a } from '../../system/fingerprint.ts';
import {
  BLOCK,
  DENY_CALL,
  deciding,
  event,
  events,
  lowering,
  NOTICE,
  settingsFile,
  wire,
} from '../claude-shaped.ts';
import { type Client, NOT_EMPTY } from '../contract.ts';
import {
  afterCall,
  afterCompaction,
  afterFailure,
  beforeCompaction,
  beforeEnd,
  blockedAfterwards,
  blockedOverBudget,
  decided,
  notified,
  overBudget,
} from '../lowerings.ts';
import { words } from '../words.ts';

/** Variables that are only set for hooks, or for a command that it runs. */
const HOOKS_OWN = '^(?:(?:CLAUDE|GEMINI|QWEN)_PROJECT_DIR|QWEN_CODE_(?:AGENT_ID|PROMPT_ID))$';

/** Only the payload of a failed call has this key. */
const FAILED = [{ at: 'error' }];

/** The only decision that it carries out after a call. The model reads it as an error of the tool. */
const STOPPED = (reason: string) => ({ continue: false, stopReason: reason });

const WITH_PROMPT = 'with the first prompt after a compaction';

const SETTINGS = settingsFile('settings.json', {
  comments: true,
  bom: true,
  otherwise: 'stops Qwen Code from starting',
});

export const qwenCode: Client = {
  id: 'qwen-code',
  aliases: ['qwen'],
  name: 'Qwen Code',
  shortName: 'Qwen',
  evidence: { measured: '0.24.4' },
  // Older versions were not run.
  minimum: '0.24.4',
  executable: 'qwen',
  npmPackage: '@qwen-code/qwen-code',

  userFolder: (env, home) => env.QWEN_HOME || `${home}/.qwen`,
  projectFolder: '.qwen',
  placement: { kind: 'shared-file', files: { user: [SETTINGS], project: [SETTINGS] } },
  readsHooks: 'at start',
  otherEvents: words(`
    InstructionsLoaded MessageDisplay PermissionDenied PermissionRequest PostToolBatch SessionDelete StopFailure
    SubagentStart TodoCompleted TodoCreated UserPromptExpansion`),
  positional: false,

  hookShell: ['bash', '-c'],
  hookTimeUnit: 1000,
  hookVariables: {
    CLAUDE_PROJECT_DIR: '{cwd}',
    GEMINI_PROJECT_DIR: '{cwd}',
    QWEN_PROJECT_DIR: '{cwd}',
    QWEN_CODE_SESSION_ID: '{session}',
  },
  // A tool's display name matches as a whole. Any other matcher is a regular expression for the tool's own name.
  matching: { otherwise: 'name' },
  tools: {
    AskUserQuestion: 'ask_user_question',
    Bash: 'run_shell_command',
    Edit: 'edit',
    MultiEdit: 'edit',
    Write: 'write_file',
    Read: 'read_file',
    Grep: 'grep_search',
    Glob: 'glob',
    LS: 'list_directory',
    NotebookEdit: 'notebook_edit',
    WebFetch: 'web_fetch',
    WebSearch: 'web_search',
    TodoWrite: 'todo_write',
    Agent: 'agent',
    Task: 'agent',
    Skill: 'skill',
    EnterPlanMode: 'enter_plan_mode',
    ExitPlanMode: 'exit_plan_mode',
  },
  toolInputs: { run_shell_command: { keys: { is_background: 'run_in_background' } } },
  otherTools: words(`
    artifact create_sub_session cron_create cron_delete cron_list display_image enter_worktree exec
    exit_worktree get_goal image_gen list_agents loop_wakeup lsp monitor omni_caption_audio
    omni_caption_image omni_clip_audio omni_clip_image omni_clip_video omni_convert_image
    omni_downsample_audio omni_downsample_image omni_downscale_video omni_extract_audio
    omni_extract_keyframes omni_ocr_image omni_recall_media_memory omni_transcribe_audio
    omni_understand_video_segments propose_goal read_mcp_resource record_artifact record_source
    report_findings request_shutdown save_memory send_message structured_output task_create
    task_list task_stop task_update team_create team_delete team_plan_approval tool_call tool_search
    update_goal workflow zoom_image`),
  mcpNames: {
    prefix: 'mcp__',
    separator: '__',
    allowed: 'A-Za-z0-9_-',
    limit: { length: 63, kept: 55 },
    // A hash of a name that had to be changed: 32 bits in base 36.
    suffix: '_[01][0-9a-z]{6}',
    suffixOf: (name) => `_${fnv1a(name).toString(36).padStart(7, '0')}`,
  },
  givenToServers: {
    variables: [{ name: HOOKS_OWN, kept: false }],
    // The last group is for a default, which Qwen Code does not support.
    expansion: { pattern: '\\$(?:(\\w+)|\\{([^{}]+)\\})((?!))?', except: HOOKS_OWN },
    folder: 'QWEN_PROJECT_DIR',
  },

  nativeEvents: {
    SessionStart: event({ fixed: 'startup|resume|clear' }, { occasion: 'source' }),
    SubagentStop: events.SubagentStop,
    // The model of the conversation reads nothing from hooks on either event.
    PreCompact: event('none'),
    PostCompact: event('none'),
    // Also fires after each tool call, with an empty prompt.
    UserPromptSubmit: deciding(
      'none',
      { block: BLOCK, alone: true },
      { wire: { onlyIf: { at: 'prompt', like: NOT_EMPTY } } },
    ),
    PreToolUse: deciding('tool', { block: DENY_CALL }),
    PostToolUse: event('tool', {
      wire: {
        failed: FAILED,
        decide: { block: STOPPED('{reason}'), output: STOPPED('{output}'), alone: true },
      },
    }),
    PostToolUseFailure: event('tool', {
      wire: { failed: FAILED, varying: '\\n(?:Background PIDs|Process Group PGID): .*' },
    }),
    Stop: events.Stop,
    SessionEnd: event('none', { end: true, wire: { occasion: ['reason'] } }),
    Notification: event('none', { wire: NOTICE }),
  },
  lowering: {
    ...lowering,
    session_start: {
      text: {
        grade: 'exact',
        when: 'before the first request of a session, again after /clear and in a resumed session: it is in the system prompt, where a compaction does not remove it',
        except: 'Subagents do not get it.',
        on: [{ native: 'SessionStart', act: 'tell' }],
      },
    },
    pre_tool_use: {
      text: {
        grade: 'late',
        when: 'with the result of the call: Qwen Code drops the text of hooks before a call',
        on: [
          { native: 'PostToolUse', act: 'tell' },
          { native: 'PostToolUseFailure', act: 'tell' },
        ],
      },
      decide: { block: decided('PreToolUse') },
    },
    post_tool_use: {
      ...afterCall('PostToolUse', 'PostToolUseFailure'),
      decide: {
        block: {
          ...blockedAfterwards(
            'the model reads the reason instead of the result, and no text beside it; it has no effect if the tool itself failed',
          ),
          on: 'PostToolUse',
        },
        output: {
          grade: 'adapted',
          when: 'is read as an error of the tool, and no text beside it; it has no effect if the tool itself failed',
          on: 'PostToolUse',
        },
      },
    },
    session_end: beforeEnd(
      'Stop',
      'SessionEnd',
      'the tool is called when a session in a terminal ends, and never after `qwen -p`',
    ),
    pre_compact: beforeCompaction('PreCompact', 'UserPromptSubmit', WITH_PROMPT),
    // A SessionStart with the source compact would replace the texts of all others in the system prompt.
    post_compact: afterCompaction('late', 'PostCompact', 'UserPromptSubmit', WITH_PROMPT),
    subagent_start: null,
    tool_error: afterFailure(['PostToolUseFailure']),
    budget_exceeded: {
      ...overBudget('PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit'),
      decide: { block: blockedOverBudget('UserPromptSubmit') },
    },
    notification: notified({ permission: 'Notification', prompt: 'Notification' }),
  },

  cannot: { subagent_start: 'a subagent reads nothing from hooks when it starts' },

  wire: {
    ...wire,
    recurring: ['resume', 'clear'],
    // None: the system prompt is not part of the history.
    continuing: [],
    history: {
      said: { part: '"hookContext":', keys: { type: 'user', 'systemPayload.hookContext': true } },
      anew: {
        part: '"subtype":"chat_compression"',
        keys: { type: 'system', subtype: 'chat_compression' },
      },
      html: true,
    },
    // All hooks of an event have the same time, but so may parallel calls.
    occasion: ['timestamp', 'tool_use_id', 'agent_id'],
    toolOutput: ['tool_response.llmContent', 'error'],
    // The reason of an `ask` comes back as a prompt that begins with the runner's heading.
    ownPrompt: '^Note from the MCP server "',
    limit: { characters: 9900 },
    ask: { decision: 'block', reason: '{text}' },
    agent: 'agent_type',
    duration: 'duration_ms',
    usage: {
      lines: { part: '"usageMetadata":', keys: { type: 'assistant' } },
      tokens: ['usageMetadata.totalTokenCount'],
    },
    record: {
      time: ['timestamp'],
      calls: {
        lines: { part: '"functionCall":', keys: { type: 'assistant' } },
        names: ['message.parts.*.functionCall.id'],
      },
    },
  },
  entry: {
    shape: 'grouped',
    expands: true,
    handler: ({ label, native, command, powerShell, timeout }) => ({
      // It shows the name while the hook runs.
      name: `mcp-hooks ${label} ${native}`,
      type: 'command',
      ...(powerShell !== undefined && { shell: 'powershell' }),
      command: powerShell ?? command,
      // Seconds: 1,000 and more are taken for milliseconds.
      timeout,
    }),
    commands: ['command'],
  },
};
