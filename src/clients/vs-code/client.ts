// https://code.visualstudio.com/docs/agent-customization/hooks and
// https://code.visualstudio.com/docs/agents/reference/hooks-reference, in September 2026 (a preview). Not run with our hooks:
// it does not start an agent without a login.
// It reads GitHub Copilot CLI's hooks folder, so a label has one file there for both. Each client runs all of it: each runner
// shows nothing in the other client.
import {
  BLOCK,
  DENY_CALL,
  deciding,
  event,
  lowering,
  settingsFile,
  settingsFolder,
  specific,
  wire,
} from '../claude-shaped.ts';
import { type Client, type EventLowering, type Lowering, NO_HISTORY } from '../contract.ts';
import { given } from '../editor-shaped.ts';
import {
  afterCompaction,
  beforeCall,
  beforeCompaction,
  beforeEnd,
  blockedAfterwards,
  blockedEnd,
  blockedPrompt,
  COSTS_A_TURN,
  decided,
  documented,
  marked,
  NOT_AFTER_FAILURE,
  notified,
  waiting,
} from '../lowerings.ts';
import { words } from '../words.ts';
import { profile } from './profile.ts';

const PAGE = 'https://code.visualstudio.com/docs/agent-customization/hooks';

const DIALECT = { otherwise: 'makes VS Code ignore the whole file' };

/** The first event of a turn that accepts a text. */
const CALL = 'PreToolUse';
const NO_CALL = 'While there are no calls, nothing of it is shown.';
const compacted = 'with the first call after a compaction';

/** The text is marked at a prompt or the end of a turn, and the model reads it with the next call. */
const withCall = (native: string, when: string, more?: Pick<Lowering, 'sooner'>): EventLowering =>
  waiting([native], marked(CALL), when, { except: NO_CALL, ...more });

/** It reads every file of this folder. */
const FILE = settingsFile('hooks/hooks.json', DIALECT);

export const vsCode: Client = {
  id: 'vs-code',
  aliases: ['vscode', 'code'],
  name: 'VS Code',
  shortName: 'VS Code',
  evidence: { documented: PAGE },
  minimum: null,
  executable: 'code',
  npmPackage: null,

  userFolder: (_env, home) => `${home}/.copilot`,
  foundBy: (env, home, platform) => profile({ env, home, platform }),
  projectFolder: '.github',
  placement: {
    kind: 'own-file',
    folder: settingsFolder(DIALECT, ['copilot-cli']),
    files: { user: [FILE], project: [FILE] },
  },
  positional: false,

  // The documentation does not name the shell.
  hookShell: ['/bin/sh', '-c'],
  hookTimeUnit: 1000,
  hookVariables: {},
  // It ignores matchers, so entries have none.
  matching: {},
  // The documentation names create_file and replace_string_in_file; the others are from its source (toolNames.ts of
  // microsoft/vscode-copilot-chat).
  tools: {
    Agent: 'runSubagent',
    AskUserQuestion: 'vscode_askQuestions',
    Bash: 'run_in_terminal',
    BashOutput: 'get_terminal_output',
    Edit: 'replace_string_in_file',
    Glob: 'file_search',
    Grep: 'grep_search',
    KillShell: 'kill_terminal',
    LS: 'list_dir',
    MultiEdit: 'multi_replace_string_in_file',
    NotebookEdit: 'edit_notebook_file',
    Read: 'read_file',
    Skill: 'skill',
    Task: 'runSubagent',
    TodoWrite: 'manage_todo_list',
    WebFetch: 'fetch_webpage',
    Write: 'create_file',
  },
  toolInputs: {
    create_file: { keys: { filePath: 'file_path' } },
    multi_replace_string_in_file: { keys: { filePath: 'file_path' } },
    read_file: { keys: { filePath: 'file_path' } },
    replace_string_in_file: {
      keys: { filePath: 'file_path', oldString: 'old_string', newString: 'new_string' },
    },
    run_in_terminal: { keys: { isBackground: 'run_in_background' } },
  },
  otherTools: words(`
    apply_patch create_and_run_task create_directory create_new_jupyter_notebook
    create_new_workspace edit_files execution_subagent explore_subagent get_changed_files get_errors
    get_task_output github_repo github_text_search insert_edit_into_file install_extension
    list_code_usages read_notebook_cell_output read_project_structure run_notebook_cell
    run_task run_vscode_command runTests search_subagent search_workspace_symbols semantic_search
    send_to_terminal switch_agent terminal_last_command terminal_selection test_search testFailure
    tool_search view_image`),
  // From its source (McpPrefixGenerator and _getValidatedTools in mcpServer.ts of microsoft/vscode): 13 characters of the name
  // that the server announces, in lower case, and a tool's name without dots.
  mcpNames: {
    prefix: 'mcp_',
    separator: '_',
    allowed: 'A-Za-z0-9_.-',
    limit: { length: 64 },
    announced: true,
    unpredictable:
      '^mcp__(?:(?!__).){14}|^mcp__(?:(?!__).)*[^a-z0-9_.*-]|^mcp__(?:(?!__).)*__[^.]*\\.',
  },
  givenToServers: given,

  nativeEvents: {
    SessionStart: event('none'),
    SubagentStart: event('none', { occasion: 'agent_id' }),
    SubagentStop: deciding('none', { block: BLOCK }, { occasion: 'agent_id' }),
    PreCompact: event('none'),
    UserPromptSubmit: deciding('none', {
      block: { continue: false, stopReason: '{reason}' },
      alone: true,
    }),
    PreToolUse: deciding('none', {
      block: DENY_CALL,
      input: specific({ updatedInput: '{input}' }),
    }),
    // Only for calls that succeed.
    PostToolUse: deciding('none', { block: BLOCK }),
    Stop: deciding('none', { block: specific({ decision: 'block', reason: '{reason}' }) }),
  },
  lowering: documented({
    session_start: {
      text: {
        grade: 'exact',
        when: 'before the first request of a session and in each subagent, and after a compaction with the first call',
        on: [
          { native: 'SessionStart', act: 'tell' },
          { native: 'SubagentStart', act: 'tell' },
          { native: 'PreCompact', act: 'mark' },
          marked(CALL),
        ],
      },
    },
    pre_request: {
      ...withCall(
        'UserPromptSubmit',
        'with the first call after a prompt: a hook can only stop the prompt itself',
      ),
      decide: { block: blockedPrompt('UserPromptSubmit') },
    },
    pre_tool_use: {
      ...beforeCall('VS Code', CALL),
      decide: { block: decided(), input: decided() },
    },
    post_tool_use: {
      text: {
        grade: 'exact',
        when: 'together with the result of the call',
        except: NOT_AFTER_FAILURE,
        on: [{ native: 'PostToolUse', act: 'tell' }],
      },
      decide: { block: blockedAfterwards('the model reads the reason') },
    },
    post_request: {
      ...withCall('Stop', `with the first call of the next turn: ${COSTS_A_TURN}`, {
        sooner: true,
      }),
      actNow: {
        grade: 'exact',
        when: 'at the end of each turn, which costs one more turn of the model each time',
        on: [{ native: 'Stop', act: 'ask' }],
        extraTurn: true,
      },
      decide: { block: blockedEnd('Stop', 'the model') },
    },
    session_end: beforeEnd(
      'Stop',
      'Stop',
      'there is no event for it, so the tool is called after each turn',
    ),
    pre_compact: beforeCompaction('PreCompact', CALL, compacted, NO_CALL),
    post_compact: afterCompaction('late', 'PreCompact', CALL, compacted, NO_CALL),
    tool_error: null,
    subagent_start: lowering.subagent_start,
    // The event does not show whose session it belongs to, so the event of the call is used.
    subagent_end: {
      text: {
        grade: 'adapted',
        when: "together with the subagent's answer, which is the result of a call",
        on: [{ native: 'PostToolUse', act: 'tell', tool: 'Task' }],
      },
      decide: { block: blockedEnd('SubagentStop', 'the subagent') },
    },
    budget_exceeded: null,
    notification: notified({ turn: 'Stop' }),
  }),

  cannot: {
    tool_error: 'no hook runs after a call that failed',
    budget_exceeded: 'no payload has the number of tokens in use',
  },

  wire: {
    ...wire,
    session: 'sessionId',
    // The time comes first, so the second stage reads all payloads.
    begins: '{"sessionId":"',
    event: 'hookEventName',
    recurring: [],
    continuing: [],
    history: NO_HISTORY,
    occasion: ['timestamp', 'tool_use_id', 'agent_id'],
    toolOutput: ['tool_response'],
    ownPrompt: '^Note from the MCP server "',
    limit: { characters: 9900 },
    ask: specific({ decision: 'block', reason: '{text}' }),
    agent: 'agent_type',
  },
  hosts: { others: {}, never: ['COPILOT_CLI'] },
  entry: {
    shape: 'flat',
    handler: ({ command, powerShell, timeout }) => ({
      type: 'command',
      command,
      ...(powerShell !== undefined && { windows: powerShell }),
      timeout,
    }),
    commands: ['command', 'windows'],
  },
};
