// https://docs.factory.ai/cli/configuration/hooks-guide, and its program (0.215.0).
import {
  DENY_CALL,
  deciding,
  event,
  events,
  lowering,
  NOTICE,
  settingsFile,
  specific,
  wire,
} from '../claude-shaped.ts';
import type { Client, ConfigFile, PackageRecords } from '../contract.ts';
import {
  afterCall,
  afterTurn,
  blockedEnd,
  blockedPrompt,
  decided,
  IN_SUBAGENT_TOO,
  NOT_AFTER_FAILURE,
  notified,
  orOfSubagent,
  withPrompt,
} from '../lowerings.ts';
import { words } from '../words.ts';

/** Variables that are only set for hooks. They include every value of the payload, such as the user's prompt. */
const HOOKS_OWN = `^(?:(?:CLAUDE|DROID|FACTORY)_PROJECT_DIR|(?:CLAUDE|DROID)_PLUGIN_ROOT|CLAUDE_ENV_FILE|${words(`
  calling_session_id custom_instructions cwd elapsed_time estimated_tokens has_images hook_event_name
  message message_count message_id notification_type permission_mode previous_session_id prompt reason
  session_duration_ms session_id source stop_hook_active task_error task_name task_result tool_execution_count
  tool_name tool_response transcript_path trigger`).join('|')})$`;

const DIALECT = { comments: true, otherwise: 'makes Factory Droid ignore the whole file' };

/** Events are top-level keys. */
const hooksFile = (name: string): ConfigFile => ({
  ...settingsFile(name, DIALECT),
  layout: { kind: 'lists' },
});

const HOOKS = 'hooks.json';
const FILES: readonly [ConfigFile, ...ConfigFile[]] = [
  hooksFile(HOOKS),
  { ...hooksFile('hooks/hooks.json'), without: HOOKS },
  settingsFile('settings.json', DIALECT),
];

const PACKAGES: PackageRecords = {
  folder: '.factory/plugins/installed_plugins',
  variable: 'FACTORY_HOME_OVERRIDE',
  at: 'entry.installPath',
};

export const droid: Client = {
  id: 'droid',
  aliases: [],
  name: 'Factory Droid',
  shortName: 'Droid',
  evidence: { measured: '0.215.0' },
  // Older versions were not run.
  minimum: '0.215.0',
  executable: 'droid',
  npmPackage: 'droid',

  userFolder: (env, home) => `${env.FACTORY_HOME_OVERRIDE || home}/.factory`,
  projectFolder: '.factory',
  placement: { kind: 'shared-file', files: { user: FILES, project: FILES }, firstFileWins: true },
  readsHooks: 'when changed',
  // After /compress, it continues in another session, and it runs no hook when it compacts by itself.
  otherEvents: ['PreCompact'],
  positional: false,

  hookShell: ['sh', '-c'],
  hookTimeUnit: 1000,
  hookVariables: {
    CLAUDE_PROJECT_DIR: '{cwd}',
    DROID_PROJECT_DIR: '{cwd}',
    FACTORY_PROJECT_DIR: '{cwd}',
  },
  // A matcher that equals the name matches it as a whole, too.
  matching: { otherwise: 'name' },
  tools: {
    AskUserQuestion: 'AskUser',
    Bash: 'Execute',
    Edit: 'Edit',
    MultiEdit: 'Edit',
    Write: 'Create',
    Read: 'Read',
    Grep: 'Grep',
    Glob: 'Glob',
    LS: 'LS',
    WebFetch: 'FetchUrl',
    WebSearch: 'WebSearch',
    TodoWrite: 'TodoWrite',
    BashOutput: 'TaskOutput',
    KillShell: 'TaskStop',
    Agent: 'Task',
    Task: 'Task',
    Skill: 'Skill',
    ExitPlanMode: 'ExitSpecMode',
  },
  toolInputs: {
    ApplyPatch: { patch: 'input' },
    Edit: { keys: { old_str: 'old_string', new_str: 'new_string', change_all: 'replace_all' } },
  },
  otherTools: words(`
    ApplyPatch DismissHandoffItems EndFeatureRun GenerateDroid GenerateImage Loop ProposeMission Script
    StartMissionRun StructuredOutput ToolSearch UpgradeSessionModel WaitForScript
    get_agent_effectiveness_usage render_agent_effectiveness_report slack_archive_code_channel
    slack_create_or_update_code_channel slack_post_file slack_post_message
    store_agent_readiness_report`),
  mcpNames: {
    prefix: '',
    separator: '___',
    allowed: 'A-Za-z0-9_-',
    server: { replacement: '-', length: 32 },
    // Other letters in a server's name are omitted.
    unpredictable: '^mcp__(?:(?!__).)*[^\\x00-\\x7f]',
    limit: { length: 64, kept: 55 },
    // A SHA-256 of a name that had to be cut.
    suffix: '_[0-9a-f]{8}',
  },
  givenToServers: {
    variables: [{ name: HOOKS_OWN, kept: false }],
    // Without a default, a server with an unset variable is not started.
    expansion: {
      pattern: '\\$\\{([A-Za-z_]\\w*)(?::-([^}]*))?\\}',
      onlyValues: true,
      emptyIsUnset: true,
      except: HOOKS_OWN,
    },
    folder: 'FACTORY_PROJECT_DIR',
  },

  nativeEvents: {
    SessionStart: event(
      { fixed: 'startup|resume|clear|compact' },
      { occasion: 'source', wire: { occasion: ['source', 'message_id'] } },
    ),
    SubagentStop: event('none', { wire: { occasion: ['task_name', 'task_result', 'task_error'] } }),
    UserPromptSubmit: deciding(
      'none',
      { block: { continue: false, stopReason: '{reason}' }, alone: true },
      { wire: { firstOnly: PACKAGES } },
    ),
    PreToolUse: deciding('tool', {
      block: DENY_CALL,
      input: specific({ updatedInput: '{input}' }),
    }),
    PostToolUse: event('tool', { wire: { firstOnly: PACKAGES } }),
    Stop: events.Stop,
    SessionEnd: event('none', { end: true, wire: { occasion: ['reason'] } }),
    Notification: event('none', { wire: NOTICE }),
  },
  lowering: {
    ...lowering,
    session_start: {
      text: {
        grade: 'exact',
        when: 'before the first request of a session, again after /clear and /compress, in a resumed session and in each subagent',
        except:
          'What Factory Droid removes when it compacts a session by itself is not shown again.',
        on: [{ native: 'SessionStart', act: 'tell' }],
      },
    },
    pre_request: { ...withPrompt('UserPromptSubmit'), decide: { block: blockedPrompt() } },
    pre_tool_use: {
      text: {
        grade: 'late',
        when: 'after the result of the call: Factory Droid drops the text of hooks before a call',
        except: NOT_AFTER_FAILURE,
        on: [{ native: 'PostToolUse', act: 'tell' }],
      },
      decide: { block: decided('PreToolUse'), input: decided('PreToolUse') },
    },
    post_tool_use: afterCall('PostToolUse', undefined, NOT_AFTER_FAILURE),
    // A subagent is a session of its own, with its own Stop and SessionEnd.
    post_request: {
      ...orOfSubagent(afterTurn('Stop', 'UserPromptSubmit')),
      decide: { block: blockedEnd('Stop', 'the model, or a subagent,') },
    },
    session_end: orOfSubagent(
      lowering.session_end,
      'Each subagent is a session of its own, so it is shown there, too.',
    ),
    pre_compact: null,
    post_compact: null,
    tool_error: null,
    subagent_start: null,
    subagent_end: { text: lowering.subagent_end.text },
    budget_exceeded: null,
    // It reports that it is idle only after the user has stopped it.
    notification: notified({ permission: 'Notification', turn: 'Stop' }, IN_SUBAGENT_TOO),
  },
  cannot: {
    pre_compact: 'it runs no hook before a compaction that it begins by itself',
    post_compact: 'it runs no hook after a compaction that it begins by itself',
    tool_error: 'no hook runs after a call that failed',
    subagent_start: 'a subagent starts as a session of its own, with the texts of session_start',
    budget_exceeded: 'its record of a session does not have the tokens in use',
  },

  wire: {
    ...wire,
    recurring: ['resume', 'clear', 'compact'],
    // None: texts of hooks are not kept for the next process.
    continuing: [],
    history: {
      said: {
        part: '"hookEventName":"SessionStart"',
        keys: { type: 'message', 'message.hookEventName': 'SessionStart' },
      },
      anew: { part: '"type":"compaction_state"', keys: { type: 'compaction_state' } },
    },
    // A call has no id, so two equal calls cannot be told apart.
    occasion: ['message_id'],
    toolOutput: ['tool_response'],
    // The first is the reason of an `ask`, which begins with the runner's heading; the second is a subagent's task.
    ownPrompt: '^Note from the MCP server "|^# Task Tool Invocation',
    limit: {},
    ask: { decision: 'block', reason: '{text}' },
    // Hooks only run after calls that succeeded.
    failed: [],
    record: {
      time: ['timestamp'],
      calls: {
        lines: {
          part: '"type":"tool_use"',
          keys: { type: 'message', 'message.role': 'assistant' },
        },
        names: ['message.content.*.id'],
      },
    },
  },
  entry: {
    shape: 'grouped',
    handler: ({ command, powerShell, timeout }) => ({
      type: 'command',
      command: powerShell ?? command,
      timeout,
    }),
    commands: ['command'],
  },
};
