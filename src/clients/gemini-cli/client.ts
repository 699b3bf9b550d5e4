// https://github.com/google-gemini/gemini-cli/blob/main/docs/hooks/reference.md
import { deciding, event, NOTICE, settingsFile, wire } from '../claude-shaped.ts';
import type { Client } from '../contract.ts';
import {
  afterCall,
  afterCompaction,
  afterFailure,
  afterTurn,
  beforeCompaction,
  beforeEnd,
  blockedAfterwards,
  blockedEnd,
  blockedOverBudget,
  blockedPrompt,
  decided,
  notified,
  overBudget,
  withPrompt,
} from '../lowerings.ts';
import { words } from '../words.ts';

/** Variables that are only set for hooks. */
const HOOKS_OWN = '^(?:GEMINI_(?:CWD|PLANS_DIR|PROJECT_DIR|SESSION_ID)|CLAUDE_PROJECT_DIR)$';

/** From its environmentSanitization.ts: variables that look like secrets, by name or by value. */
const SECRET_NAMES = [
  'TOKEN|SECRET|PASSWORD|PASSWD|KEY|AUTH|CREDENTIAL|CREDS|PRIVATE|CERT',
  '^(?:CLIENT_ID|DB_URI|CONNECTION_STRING|DATABASE_URL|AWS_DEFAULT_REGION|AZURE_CLIENT_ID|AZURE_TENANT_ID)$',
  '^(?:SLACK_WEBHOOK_URL|TWILIO_ACCOUNT_SID|GOOGLE_CLOUD_PROJECT|GOOGLE_CLOUD_ACCOUNT|FIREBASE_PROJECT_ID)$',
].join('|');
const SECRET_VALUES = [
  '-----BEGIN (?:RSA|OPENSSH|EC|PGP) PRIVATE KEY-----',
  '-----BEGIN CERTIFICATE-----',
  '(?:https?|ftp|smtp)://[^:\\s]{1,1024}:[^@\\s]{1,1024}@',
  '(?:ghp|gho|ghu|ghs|ghr|github_pat)_[a-z0-9_]{36,}',
  'AIzaSy[a-z0-9_\\\\-]{33}',
  'AKIA[A-Z0-9]{16}',
  'eyJ[a-z0-9_-]{0,10240}\\.[a-z0-9_-]{0,10240}\\.[a-z0-9_-]{0,10240}',
  '[sr]k_(?:live|test)_[0-9a-z]{24}',
  'xox[abpr]-[a-z0-9-]+',
].join('|');

const DENY = { decision: 'deny', reason: '{reason}' };
/** It drops the texts of hooks after a call that fails. A command's exit code is part of a result. */
const FAILED = {
  except: 'After a failed call, only if it was a shell command.',
  exceptOf: 'not-shell',
} as const;
const BY_COMMAND =
  'Works for /compress only: Gemini CLI sends no separate event for automatic compression.';
/** The model reads the reason of a denial instead of the call's result. */
const REPLACED = {
  block: blockedAfterwards(
    'the model reads the reason instead of the result, and no text beside it',
  ),
  output: { grade: 'adapted', when: 'is read as an error of the tool, and no text beside it' },
} as const;

const SETTINGS = settingsFile('settings.json', {
  comments: true,
  otherwise: 'stops Gemini CLI from starting',
});

export const geminiCli: Client = {
  id: 'gemini-cli',
  aliases: ['gemini'],
  name: 'Gemini CLI',
  shortName: 'Gemini',
  evidence: { measured: '0.61.0' },
  // The previous version (0.43.0) ignores NO_PROXY, so `verify --live` cannot keep it off the network.
  minimum: '0.44.0',
  executable: 'gemini',
  npmPackage: '@google/gemini-cli',

  userFolder: (env, home) => `${env.GEMINI_CLI_HOME || home}/.gemini`,
  projectFolder: '.gemini',
  placement: { kind: 'shared-file', files: { user: [SETTINGS], project: [SETTINGS] } },
  readsHooks: 'at start',
  positional: false,

  hookShell: ['bash', '-c'],
  hookTimeUnit: 1,
  hookVariables: {
    CLAUDE_PROJECT_DIR: '{cwd}',
    GEMINI_CWD: '{cwd}',
    GEMINI_PROJECT_DIR: '{cwd}',
    GEMINI_SESSION_ID: '{session}',
  },
  matching: { otherwise: 'name' },
  tools: {
    Bash: 'run_shell_command',
    Edit: 'replace',
    MultiEdit: 'replace',
    Write: 'write_file',
    Read: 'read_file',
    Grep: 'grep_search',
    Glob: 'glob',
    LS: 'list_directory',
    WebFetch: 'web_fetch',
    WebSearch: 'google_web_search',
    TodoWrite: 'write_todos',
    Agent: 'invoke_agent',
    Task: 'invoke_agent',
    Skill: 'activate_skill',
    EnterPlanMode: 'enter_plan_mode',
  },
  toolInputs: {
    activate_skill: { keys: { name: 'skill' } },
    glob: { keys: { dir_path: 'path' } },
    grep_search: { keys: { dir_path: 'path', include_pattern: 'glob' } },
    invoke_agent: { keys: { agent_name: 'subagent_type' } },
    list_directory: { keys: { dir_path: 'path' } },
    replace: { keys: { allow_multiple: 'replace_all' } },
    run_shell_command: { keys: { is_background: 'run_in_background' } },
  },
  otherTools: words(`
    ask_user complete_task exit_plan_mode get_internal_docs list_background_processes
    list_mcp_resources read_background_output read_many_files read_mcp_resource save_memory
    search_file_content take_snapshot tracker_add_dependency tracker_create_task tracker_get_task
    tracker_list_tasks tracker_update_task tracker_visualize update_topic`),
  mcpNames: {
    prefix: 'mcp_',
    separator: '_',
    allowed: 'A-Za-z0-9_.:-',
    limit: { length: 63, first: 30 },
  },
  givenToServers: {
    variables: [
      { name: HOOKS_OWN, kept: false },
      { name: '^GEMINI_CLI_', anyCase: true, kept: true },
      { value: SECRET_VALUES, anyCase: true, kept: false },
      { name: '^GIT_CONFIG_', anyCase: true, kept: true },
      { name: SECRET_NAMES, anyCase: true, kept: false },
    ],
    set: { GEMINI_CLI: '1' },
    // From the same file: variables that could make the start of a server run something else.
    refused: `^(?:${[
      '(?:_FORCE_)?NODE_OPTIONS|NODE_CLI_FLAGS|NODE_PATH|ELECTRON_RUN_AS_NODE',
      'PYTHONPATH|PYTHONSTARTUP|RUBYOPT|RUBYLIB|PERL5OPT|PERL5LIB|PERL5DB',
      'LD_(?:PRELOAD|AUDIT|DEBUG|PROFILE|LIBRARY_PATH)',
      'DYLD_(?:INSERT_LIBRARIES|FORCE_FLAT_NAMESPACE|(?:FALLBACK_)?(?:LIBRARY|FRAMEWORK)_PATH)',
      'BASH_ENV|ENV|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|CLASSPATH|DOTNET_STARTUP_HOOKS',
      'CORECLR_PROFILER_PATH|CORECLR_ENABLE_PROFILING',
    ].join('|')})$`,
    // First in the settings, then again in the values.
    expansion: {
      pattern: '\\$(?:(\\w+)|\\{([^}]+?)(?::-([^}]*))?\\})',
      except: HOOKS_OWN,
      again: '(?<!\\\\)\\$(?:([A-Za-z_]\\w*)|\\{((?:[^{}:+-]|:(?![+-]))+)(?::?-([^{}]*))?\\})',
    },
    folder: 'GEMINI_PROJECT_DIR',
  },

  // Its SessionStart is not used anyway (test/real-clients/editor.test.ts).
  inEditor: { command: 'gemini --acp', lacks: ['BeforeTool', 'AfterTool'] },
  nativeEvents: {
    BeforeAgent: deciding('none', { block: DENY, alone: true }),
    // The model reads nothing from hooks here. The user is asked or not, as for any call with the changed input.
    BeforeTool: deciding('tool', {
      block: DENY,
      input: { hookSpecificOutput: { tool_input: '{input}' } },
    }),
    AfterTool: event('tool', {
      wire: {
        // An error of the tool, or a command that ended with one: after its output, there are only lines with a name.
        failed: [
          { at: 'tool_response.error' },
          {
            at: 'tool_response.llmContent',
            like: '\\nExit Code: [1-9][0-9]*(?:\\n[A-Z][A-Za-z ]+: .*)*(?:\\n</untrusted_context>)?\\s*$',
            tools: ['run_shell_command'],
          },
        ],
        drops: 'tool_response.error',
        varying: '\\n(?:Background PIDs|Process Group PGID): .*',
        decide: { block: DENY, output: { decision: 'deny', reason: '{output}' }, alone: true },
      },
    }),
    // Its automatic event fires before every request, whether anything is compressed or not.
    PreCompress: event({ fixed: 'manual' }, { wire: { source: 'trigger' } }),
    AfterAgent: deciding('none', { block: DENY }),
    // It fires three times when it quits, each time with another timestamp.
    SessionEnd: event('none', { end: true, wire: { occasion: ['reason'] } }),
    // It has no other types (0.61.0).
    Notification: event('none', {
      wire: {
        ...NOTICE,
        onlyIf: { at: 'notification_type', like: '^ToolPermission$' },
        asks: true,
      },
    }),
  },
  lowering: {
    session_start: {
      text: {
        grade: 'adapted',
        when: "with the session's first prompt: a SessionStart hook has no effect after /clear or in an editor, and on --resume its text is lost",
        except:
          'Subagents do not get it. What a compression removed is shown again with the next prompt.',
        on: [{ native: 'BeforeAgent', act: 'tell', once: true }],
      },
    },
    pre_request: { ...withPrompt('BeforeAgent'), decide: { block: blockedPrompt() } },
    pre_tool_use: {
      text: {
        grade: 'late',
        when: 'with the result of the call: before a call, a hook of Gemini CLI can only block it',
        ...FAILED,
        on: [{ native: 'AfterTool', act: 'tell' }],
      },
      decide: {
        block: decided('BeforeTool'),
        input: {
          ...decided('BeforeTool'),
          when: 'is used, and the model is told that a hook has changed it',
        },
      },
    },
    post_tool_use: {
      ...afterCall('AfterTool', undefined, FAILED.except, FAILED),
      decide: REPLACED,
    },
    post_request: {
      ...afterTurn('AfterAgent', 'BeforeAgent'),
      decide: { block: blockedEnd('AfterAgent', 'the model') },
    },
    session_end: beforeEnd('AfterAgent', 'SessionEnd'),
    pre_compact: beforeCompaction(
      'PreCompress',
      'BeforeAgent',
      'with the first prompt after /compress',
      BY_COMMAND,
    ),
    post_compact: afterCompaction(
      'adapted',
      'PreCompress',
      'BeforeAgent',
      'with the first prompt after /compress',
      BY_COMMAND,
    ),
    tool_error: {
      ...afterFailure(
        ['AfterTool'],
        'It is shown after a command that ended with an error, and dropped if the tool itself failed.',
      ),
      decide: REPLACED,
    },
    subagent_start: null,
    subagent_end: {
      text: {
        grade: 'adapted',
        when: "together with the subagent's answer: Gemini CLI has no event for it except that of the call",
        on: [{ native: 'AfterTool', act: 'tell', tool: 'Agent' }],
      },
    },
    budget_exceeded: {
      ...overBudget('AfterTool', 'BeforeAgent'),
      decide: { block: blockedOverBudget('BeforeAgent') },
    },
    notification: notified({ permission: 'Notification', turn: 'AfterAgent' }),
  },

  cannot: {
    subagent_start: 'a subagent can be shown something only with the results of its calls',
  },

  wire: {
    ...wire,
    recurring: [],
    continuing: [],
    // An unanswered prompt, a compression and a resumed session all make it rewrite the messages.
    history: {
      said: { part: '<hook_context>', keys: { type: 'user' } },
      anew: { part: '{"$set":{"messages":[', keys: { '$set.messages': true } },
      back: { part: '{"$rewindTo":', keys: { $rewindTo: true } },
      html: true,
    },
    // Several calls of a turn may have the same time.
    occasion: ['timestamp', 'tool_name', 'tool_input'],
    toolOutput: ['tool_response.error', 'tool_response.llmContent'],
    serverName: 'mcp_context.server_name',
    serverTool: 'mcp_context.tool_name',
    // The reason of an `ask` comes back as a prompt that begins with the runner's heading. Without a terminal, the command that
    // compresses the history is a prompt, too, and a text shown with it is compressed away.
    ownPrompt: '^Note from the MCP server "|^/compress\\s*$|^/compact\\s*$|^/summarize\\s*$',
    promptPrefix: '^<hook_context>[^]*?</hook_context>\\s*',
    // Our text comes at the end of a tool's output, of which Gemini CLI only keeps the first 8,000 and the last 32,000
    // characters.
    limit: { characters: 30_000 },
    ask: { decision: 'deny', reason: '{text}' },
    usage: {
      lines: { part: '"tokens":{', keys: { type: 'gemini' } },
      tokens: ['tokens.total'],
      // The model answers the summary in these words (0.61.0). Rewritten messages keep their ids.
      compaction: {
        list: '$set.messages',
        keys: { type: 'gemini', 'content.0.text': 'Got it. Thanks for the additional context!*' },
        id: 'id',
      },
    },
    record: {
      time: ['startTime'],
      calls: {
        lines: { part: '"toolCalls":[', keys: {} },
        names: ['toolCalls.*.id', '$set.messages.*.toolCalls.*.id'],
      },
    },
  },
  entry: {
    shape: 'grouped',
    expands: true,
    // Named, because Gemini CLI runs hooks with the same name and command only once, and /hooks lists the names.
    handler: ({ label, native, command, powerShell, timeout }) => ({
      name: `mcp-hooks ${label} ${native}`,
      type: 'command',
      command: powerShell ?? command,
      timeout: timeout * 1000, // milliseconds
    }),
    commands: ['command'],
  },
};
