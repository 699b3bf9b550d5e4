// https://opencode.ai/docs/plugins, and its program (1.18.33). It does not run commands as hooks, only plugins: ours is in
// plugin.ts.
import { deciding, event, lowering } from '../claude-shaped.ts';
import type { Client } from '../contract.ts';
import {
  afterCall,
  afterCompaction,
  afterFailure,
  beforeCall,
  blockedAfterwards,
  blockedEnd,
  blockedOverBudget,
  decided,
  notified,
} from '../lowerings.ts';
import {
  BLOCK,
  overCountedBudget,
  pluginEntry,
  pluginEvents,
  pluginWire,
} from '../program-file.ts';
import { words } from '../words.ts';
import { PLUGIN } from './plugin.ts';

const PROMPT = 'UserPromptSubmit';
const CALLS = ['PostToolUse', 'PostToolUseFailure'] as const;

/** For sessions that are continued in another process. */
const FAILED_CALL = 'After a failed call, only the process that made the call shows the text.';

const IN_RUN = '`opencode run` exits after one turn.';

/** What the model reads after the call. */
const INSTEAD = {
  block: {
    ...blockedAfterwards(
      'the model reads the reason instead of the result; it has no effect if the tool itself failed',
    ),
    on: 'PostToolUse',
  },
  output: {
    grade: 'adapted',
    when: 'reaches the model, unless the tool itself failed',
    on: 'PostToolUse',
  },
} as const;

const { text: ending, tool: called } = lowering.session_end;
const { actNow } = lowering.post_request;

export const opencode: Client = {
  id: 'opencode',
  aliases: [],
  name: 'OpenCode',
  shortName: 'OpenCode',
  evidence: { measured: '1.18.33' },
  // Older versions were not run.
  minimum: '1.18.33',
  executable: 'opencode',
  npmPackage: 'opencode-ai',

  userFolder: (env, home) => `${env.XDG_CONFIG_HOME || `${home}/.config`}/opencode`,
  projectFolder: '.opencode',
  placement: { kind: 'shared-file', files: { user: [PLUGIN], project: [PLUGIN] } },
  readsHooks: 'at start',
  positional: false,

  hookShell: ['/bin/sh', '-c'],
  hookTimeUnit: 1000,
  hookVariables: {},
  matching: { anchored: true, noStar: true },
  tools: {
    AskUserQuestion: 'question',
    Bash: 'bash',
    Edit: 'edit',
    MultiEdit: 'edit',
    Write: 'write',
    Read: 'read',
    Grep: 'grep',
    Glob: 'glob',
    WebFetch: 'webfetch',
    WebSearch: 'websearch',
    TodoWrite: 'todowrite',
    Agent: 'task',
    Task: 'task',
    Skill: 'skill',
    ExitPlanMode: 'plan_exit',
  },
  toolInputs: {
    edit: {
      keys: {
        filePath: 'file_path',
        oldString: 'old_string',
        newString: 'new_string',
        replaceAll: 'replace_all',
      },
      // Our plugin uses this name for apply_patch, which models of OpenAI get in place of edit and write.
      patch: 'patchText',
    },
    read: { keys: { filePath: 'file_path' } },
    write: { keys: { filePath: 'file_path' } },
  },
  otherTools: words(`
    StructuredOutput invalid list_mcp_resource_templates list_mcp_resources lsp
    read_mcp_resource`),
  mcpNames: { prefix: '', separator: '_', allowed: 'A-Za-z0-9_-' },
  givenToServers: {
    variables: [],
    // It expands the text of the whole file: first variables, then files. An unset variable is empty. What begins a reference
    // in one string ends with the next brace of the file.
    expansion: {
      pattern: '\\{env:([^{}]+)()\\}',
      except: '^(?:AGENT|OPENCODE|OPENCODE_(?:CLIENT|PID))$',
      unknown: '\\{(?:file:[^{}]*|env:(?![^{}]+\\}))',
    },
  },

  nativeEvents: {
    ...pluginEvents,
    PreToolUse: deciding('tool', { block: BLOCK, input: { input: '{input}' } }),
    PostToolUse: deciding(
      'tool',
      { block: BLOCK, output: { output: '{output}' } },
      { wire: { failed: [{ at: 'exit_code', like: '^[1-9]\\d*' }] } },
    ),
    PostToolUseFailure: event('tool', { wire: { failed: true } }),
    PreCompact: event('none'),
    PostCompact: event('none'),
    Stop: deciding('none', { block: BLOCK }),
    SessionEnd: event('none', { end: true }),
  },
  lowering: {
    ...lowering,
    session_start: {
      text: {
        ...lowering.session_start.text,
        when: 'in the system prompt, with every request of a session, of each subagent and of a resumed session',
      },
    },
    pre_request: {
      ...lowering.pre_request,
      decide: {
        block: {
          grade: 'adapted',
          when: 'ends the prompt: the model does not read it, and you are shown an error of OpenCode without the reason',
        },
      },
    },
    pre_tool_use: {
      ...beforeCall('OpenCode', 'PreToolUse'),
      decide: { block: decided(), input: decided() },
    },
    post_tool_use: {
      ...afterCall(CALLS[0], CALLS[1]),
      decide: INSTEAD,
    },
    post_request: {
      ...lowering.post_request,
      actNow: actNow && { ...actNow, except: IN_RUN },
      decide: { block: blockedEnd('Stop', 'the model') },
    },
    session_end: { text: { ...ending, except: IN_RUN }, tool: called },
    post_compact: afterCompaction(
      'exact',
      'PostCompact',
      'SessionStart',
      'before the first request after a compaction',
    ),
    tool_error: { ...afterFailure(CALLS, FAILED_CALL), decide: INSTEAD },
    subagent_end: { text: lowering.subagent_end.text },
    budget_exceeded: {
      text: {
        ...overCountedBudget(...CALLS, PROMPT),
        // The plugin knows only the counts of answers that its own process has seen.
        except: 'After OpenCode has been started again, a session counts from its first answer on.',
      },
      decide: { block: blockedOverBudget(PROMPT) },
    },
    notification: notified({ turn: 'Stop' }),
  },

  wire: {
    ...pluginWire,
    recurring: ['resume', 'compact'],
    occasion: ['message_id', 'tool_use_id', 'agent_id', 'compactions', 'source'],
    toolOutput: ['tool_response', 'error'],
    ask: { ask: '{text}' },
    agent: 'agent_type',
  },
  entry: pluginEntry,
};
