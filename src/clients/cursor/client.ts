// https://cursor.com/docs/hooks and https://cursor.com/docs/reference/third-party-hooks, in November 2026. Not run with our
// hooks: it does not start an agent without a login.
import { deciding, event, settingsFile } from '../claude-shaped.ts';
import { type Client, type EventLowering, type Lowering, NO_HISTORY } from '../contract.ts';
import { given } from '../editor-shaped.ts';
import {
  afterCompaction,
  beforeCompaction,
  beforeEnd,
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

const PAGE = 'https://cursor.com/docs/hooks';

const DENY = { permission: 'deny', user_message: '{reason}', agent_message: '{reason}' };

/**
 * The only event during a turn that accepts a text. Users report that the prompt event accepts one, too, but the documentation
 * only has a block there, so nothing relies on it.
 */
const RESULT = 'postToolUse';

const NO_CALL = 'While no call succeeds, nothing of it is shown.';

const FAILURE = 'postToolUseFailure';

/** The text is marked at a prompt, the end of a turn or a compaction, and the model reads it with the next result. */
const withResult = (native: string, when: string, more?: Pick<Lowering, 'sooner'>): EventLowering =>
  waiting([native], marked(RESULT), when, { except: NO_CALL, ...more });

const HOOKS = {
  ...settingsFile('hooks.json', { otherwise: 'makes Cursor ignore the whole file' }),
  start: '{\n  "version": 1\n}\n',
};

const compacted = 'with the result of the first call after a compaction';

export const cursor: Client = {
  id: 'cursor',
  aliases: ['cursor-agent'],
  name: 'Cursor',
  shortName: 'Cursor',
  evidence: { documented: PAGE },
  minimum: null,
  executable: 'cursor',
  npmPackage: null,

  userFolder: (_env, home) => `${home}/.cursor`,
  projectFolder: '.cursor',
  placement: { kind: 'shared-file', files: { user: [HOOKS], project: [HOOKS] } },
  otherEvents: words(`
    afterAgentResponse afterAgentThought afterFileEdit afterMCPExecution afterShellExecution
    afterTabFileEdit beforeMCPExecution beforeReadFile beforeShellExecution beforeTabFileRead
    subagentStart subagentStop workspaceOpen`),
  positional: false,

  // The documentation does not name the shell.
  hookShell: ['/bin/sh', '-c'],
  hookTimeUnit: 1000,
  hookVariables: {
    CLAUDE_PROJECT_DIR: '{cwd}',
    CURSOR_PROJECT_DIR: '{cwd}',
    CURSOR_VERSION: '1.7.2',
  },
  matching: {},
  tools: {
    Agent: 'Task',
    Bash: 'Shell',
    Edit: 'Write',
    Grep: 'Grep',
    MultiEdit: 'Write',
    Read: 'Read',
    Task: 'Task',
    Write: 'Write',
  },
  otherTools: ['Delete'],
  mcpNames: { prefix: 'MCP:', separator: '', allowed: 'A-Za-z0-9_.:-', withoutServer: true },
  givenToServers: given,

  nativeEvents: {
    sessionStart: event('none'),
    beforeSubmitPrompt: deciding('none', {
      block: { continue: false, user_message: '{reason}' },
      alone: true,
    }),
    // Accepts a permission and another input, but no text. Without a permission, the user is asked or not, as for any call.
    preToolUse: deciding('tool', { block: DENY, input: { updated_input: '{input}' } }),
    [RESULT]: deciding('tool', {
      // Only for tools of servers.
      output: {
        updated_mcp_tool_output: { content: [{ type: 'text', text: '{output}' }] },
      },
    }),
    // Accepts nothing.
    [FAILURE]: event('tool', { wire: { failed: true } }),
    preCompact: event('none'),
    stop: deciding('none', { block: { followup_message: '{reason}' } }),
    sessionEnd: event('none', { end: true, wire: { occasion: ['reason'] } }),
  },
  lowering: documented({
    session_start: {
      text: {
        grade: 'exact',
        when: 'before the first request of a conversation',
        except:
          'Cursor does not wait for the hook, so a prompt that is sent at once may be faster. Subagents and cloud agents do not get it, and a compaction may remove it.',
        on: [{ native: 'sessionStart', act: 'tell' }],
      },
    },
    pre_request: {
      ...withResult(
        'beforeSubmitPrompt',
        'with the result of the first call after a prompt: a hook can only block the prompt itself',
      ),
      decide: { block: blockedPrompt('beforeSubmitPrompt') },
    },
    pre_tool_use: {
      text: {
        grade: 'late',
        when: 'with the result of the call: before it, a hook can only block or change it',
        except: NOT_AFTER_FAILURE,
        on: [{ native: RESULT, act: 'tell' }],
      },
      decide: { block: decided('preToolUse'), input: decided('preToolUse') },
    },
    post_tool_use: {
      text: {
        grade: 'exact',
        when: 'together with the result of the call',
        except: NOT_AFTER_FAILURE,
        on: [{ native: RESULT, act: 'tell' }],
      },
      decide: {
        output: {
          grade: 'adapted',
          when: 'reaches the model for the tools of MCP servers: what other tools return, and failed calls, stay as they are',
        },
      },
    },
    post_request: {
      ...withResult('stop', `with the result of the first call of the next turn: ${COSTS_A_TURN}`, {
        sooner: true,
      }),
      actNow: {
        grade: 'exact',
        when: 'at the end of each turn, as one more prompt, which costs one more turn of the model each time',
        on: [{ native: 'stop', act: 'ask' }],
        extraTurn: true,
      },
      decide: { block: blockedEnd('stop', 'the model') },
    },
    session_end: beforeEnd('stop', 'sessionEnd'),
    pre_compact: beforeCompaction('preCompact', RESULT, compacted, NO_CALL),
    post_compact: afterCompaction('late', 'preCompact', RESULT, compacted, NO_CALL),
    tool_error: waiting(
      [FAILURE],
      { ...marked(RESULT), ofAnyCall: true },
      'with the result of the next call that succeeds: after one that failed, no text is taken',
      { except: 'The page does not say whether a command that ends with an error has failed.' },
    ),
    subagent_start: null,
    // What subagentStop returns becomes another prompt, and the documentation does not say whose.
    subagent_end: {
      text: {
        grade: 'adapted',
        when: "together with the subagent's answer, which is the result of a call",
        except: 'A subagent in the background is still at work then.',
        on: [{ native: RESULT, act: 'tell', tool: 'Task' }],
      },
    },
    budget_exceeded: null,
    notification: notified({ turn: 'stop' }),
  }),

  cannot: {
    subagent_start: 'a hook can only keep a subagent from starting',
    budget_exceeded: 'no payload has the number of tokens in use before the history is compacted',
  },

  wire: {
    session: 'conversation_id',
    begins: '{"conversation_id":"',
    event: 'hook_event_name',
    // A call has its own folder, and other events have none.
    cwdVariable: 'CURSOR_PROJECT_DIR',
    source: 'source',
    recurring: [],
    continuing: [],
    transcript: 'transcript_path',
    history: NO_HISTORY,
    occasion: ['generation_id', 'tool_use_id', 'loop_count'],
    prompt: 'prompt',
    toolName: 'tool_name',
    toolInput: 'tool_input',
    toolOutput: ['tool_output', 'error_message'],
    continued: 'loop_count',
    // The text of an `ask` comes back as a prompt that begins with the runner's heading.
    ownPrompt: '^Note from the MCP server "',
    // Users report that a longer text is written to a file (3.20.17).
    limit: { characters: 9900 },
    tell: { additional_context: '{text}' },
    ask: { followup_message: '{text}' },
    duration: 'duration',
  },
  // Grok Build runs the hooks of Claude Code, too, and then gets the texts from those.
  hosts: { others: { 'claude-code': ['GROK_SESSION_ID', 'GROK_HOOK_EVENT'] } },
  entry: {
    shape: 'flat',
    // Users report that it rejects other keys, and that it starts hooks with PowerShell on Windows.
    handler: ({ command, powerShell, timeout }) => ({ command: powerShell ?? command, timeout }),
    commands: ['command'],
  },
};
