// https://docs.cline.bot/customization/plugins, and its program (3.0.65). Of the programs that it runs as hooks
// (https://docs.cline.bot/customization/hooks), it only reads the output of those before and after a call, and a hook that
// stops a call ends the turn. So ours is a plugin: plugin.ts.
import { deciding, event, lowering } from '../claude-shaped.ts';
import type { Client } from '../contract.ts';
import {
  afterCall,
  afterFailure,
  beforeCall,
  blockedAfterwards,
  decided,
  marked,
  notified,
  waiting,
} from '../lowerings.ts';
import {
  BLOCK,
  overCountedBudget,
  pluginEntry,
  pluginEvents,
  pluginWire,
} from '../program-file.ts';
import { words } from '../words.ts';
import { PLUGIN, STARTED_IN } from './plugin.ts';

const PROMPT = 'UserPromptSubmit';
const RESULT = 'PostToolUse';
const AFTER_COMPACTION = [{ native: 'PostCompact', act: 'tell' }] as const;

// `--act-now` does not make it sooner, because nothing makes Cline continue at the end of a turn.
const { sooner: _, ...afterSubagent } = lowering.subagent_end.text;

export const cline: Client = {
  id: 'cline',
  aliases: [],
  name: 'Cline',
  shortName: 'Cline',
  evidence: { measured: '3.0.65' },
  // Older versions were not run.
  minimum: '3.0.65',
  executable: 'cline',
  npmPackage: 'cline',

  userFolder: (env, home) => env.CLINE_DIR || `${home}/.cline`,
  projectFolder: '.cline',
  placement: { kind: 'shared-file', files: { user: [PLUGIN], project: [PLUGIN] } },
  readsHooks: 'at start',
  positional: false,

  // The plugin's shell.
  hookShell: ['/bin/sh', '-c'],
  hookTimeUnit: 1000,
  hookVariables: {},
  matching: { anchored: true, noStar: true },
  tools: {
    Agent: 'spawn_agent',
    AskUserQuestion: 'ask_question',
    Bash: 'run_commands',
    Edit: 'editor',
    Grep: 'search_codebase',
    MultiEdit: 'editor',
    Read: 'read_files',
    Skill: 'skills',
    Task: 'spawn_agent',
    WebFetch: 'fetch_web_content',
    // The plugin's name for a call of the editor that writes a whole file.
    Write: 'Write',
  },
  toolInputs: {
    // Our plugin uses this name for apply_patch, which models of OpenAI get in place of the editor.
    editor: { patch: 'input' },
    spawn_agent: { keys: { task: 'prompt' } },
  },
  otherTools: words(`
    submit_and_exit team_attach_outcome_fragment team_await_runs team_broadcast
    team_cancel_run team_cleanup team_create_outcome team_finalize_outcome team_list_outcomes
    team_list_runs team_mission_log team_read_mailbox team_review_outcome_fragment team_run_task
    team_send_message team_shutdown_teammate team_spawn_teammate team_status team_task`),
  mcpNames: {
    prefix: '',
    separator: '__',
    allowed: 'A-Za-z0-9_-',
    limit: { length: 64, kept: 55 },
    suffix: '_[\\da-f]{8}',
    suffixOf: (name) => `_${sha1(name).slice(0, 8)}`,
    // A run of several other characters becomes one underscore.
    unpredictable: '[^A-Za-z0-9_*-]{2}',
  },
  givenToServers: {
    // Set for plugins alone.
    variables: [{ name: `^(?:CLINE_BUILD_ENV|${STARTED_IN})$`, kept: false }],
    folder: STARTED_IN,
  },

  nativeEvents: {
    ...pluginEvents,
    // The plugin does not wait longer, and a later decision does not count.
    PreToolUse: deciding('tool', { block: BLOCK, input: { input: '{input}' } }, { timeout: 3 }),
    [RESULT]: deciding(
      'tool',
      { block: BLOCK, output: { output: '{output}' } },
      {
        wire: { failed: [{ at: 'is_error' }] },
      },
    ),
    PostCompact: event('none'),
    Stop: event('none'),
    SessionEnd: event('none', { end: true }),
  },
  lowering: {
    ...lowering,
    session_start: {
      text: {
        ...lowering.session_start.text,
        when: 'before the first request of a session, in each subagent, and in a resumed session',
      },
    },
    pre_request: {
      ...lowering.pre_request,
      decide: {
        block: {
          grade: 'adapted',
          when: 'ends the turn: you do not see the reason, and the model reads the prompt with your next one',
        },
      },
    },
    pre_tool_use: {
      ...beforeCall('Cline', 'PreToolUse'),
      decide: { block: decided(), input: decided() },
    },
    post_tool_use: {
      ...afterCall(RESULT),
      decide: {
        block: blockedAfterwards('the model reads the reason instead of the result'),
        output: decided(),
      },
    },
    post_request: waiting(
      ['Stop'],
      marked(PROMPT),
      'with the next prompt: no hook has Cline go on at the end of a turn',
    ),
    session_end: {
      text: {
        grade: 'late',
        when: "with the session's second prompt: no text at the end of a session reaches a model, and no hook has Cline go on at the end of a turn",
        on: [
          { native: 'Stop', act: 'mark' },
          { ...marked(PROMPT), once: true },
        ],
      },
      tool: lowering.session_end.tool,
    },
    pre_compact: {
      text: {
        grade: 'late',
        when: 'with the first request after a compaction, by which it is noticed',
        on: AFTER_COMPACTION,
      },
    },
    post_compact: {
      text: {
        grade: 'exact',
        when: 'with the first request after a compaction',
        on: AFTER_COMPACTION,
      },
    },
    tool_error: afterFailure([RESULT]),
    subagent_end: { text: afterSubagent },
    budget_exceeded: {
      text: overCountedBudget(RESULT, PROMPT),
      decide: {
        block: {
          grade: 'adapted',
          when: 'ends the next turn, once: you do not see the reason',
          on: PROMPT,
        },
      },
    },
    notification: notified({ turn: 'Stop' }),
  },

  wire: {
    ...pluginWire,
    recurring: ['resume'],
    occasion: ['turn_id', 'tool_use_id', 'agent_id', 'compactions', 'source'],
    toolOutput: ['tool_response'],
    ask: { context: '{text}' },
  },
  entry: pluginEntry,
};

function sha1(text: string): string {
  // Only needed here, and commands should start without it.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha1').update(text).digest('hex');
}
