// https://moonshotai.github.io/kimi-code/en/customization/hooks, and its program (2.1.0).
import { ANYTHING } from '../../edit/edit.ts';
import { fnv1a } from '../../system/fingerprint.ts';
import {
  ASKED,
  DENY_CALL,
  deciding,
  event,
  lineOf,
  lowering,
  specific,
  wire,
} from '../claude-shaped.ts';
import type { Client, ConfigFile, EventLowering } from '../contract.ts';
import {
  afterCompaction,
  beforeCompaction,
  beforeEnd,
  blockedEnd,
  blockedOverBudget,
  decided,
  IN_SUBAGENT_TOO,
  marked,
  notified,
  orOfSubagent,
  waiting,
} from '../lowerings.ts';
import { identityMap, words } from '../words.ts';

// A single row with an unknown event or key makes it drop all rows, with a message on stderr.
const CONFIG: ConfigFile = {
  name: 'config.toml',
  format: 'toml',
  layout: { kind: 'rows', list: 'hooks', eventKey: 'event' },
  dialect: { ...ANYTHING, bom: false, otherwise: 'makes Kimi Code ignore the whole file' },
};

/** The only event on which the model reads a text. */
const PROMPT = 'UserPromptSubmit';

/** The first result that blocks counts, and the other results are dropped. */
const STOP = deciding('none', { block: DENY_CALL }, { firstHookOnly: true });

const FAILED = [{ at: 'error' }];
const CALL = event('tool', { wire: { failed: FAILED } });

const WITH_PROMPT = 'with the first prompt after a compaction';

const WAITS = 'only prompts take texts';

/** A text of another event waits for the next prompt, or for the end of the turn. */
const withNext = (...natives: readonly string[]): EventLowering => ({
  ...waiting(natives, marked(PROMPT), `with the next prompt: ${WAITS}`),
  actNow: {
    grade: 'late',
    when: `at the end of the turn, which costs one more turn of the model each time: ${WAITS}`,
    on: [
      ...natives.map((native) => ({ native, act: 'keep' }) as const),
      { ...marked('Stop'), act: 'ask' },
    ],
    extraTurn: true,
  },
});

/** The payload does not show whose turn ends. */
const OF_SUBAGENTS = 'If a subagent is the first to end a turn, it is shown there.';

/** Measured with 2.1.0: a turn that the answer of Stop continues ends without another Stop. */
const TURN_END =
  'It also runs at the end of a subagent, but not after a turn that another hook continued.';

const ENDING = beforeEnd(
  'Stop',
  'SessionEnd',
  'the tool is called when a session in a terminal or an editor ends, and never after `kimi -p`',
);

export const kimiCode: Client = {
  id: 'kimi-code',
  aliases: ['kimi'],
  name: 'Kimi Code',
  shortName: 'Kimi',
  evidence: { measured: '2.1.0' },
  // Older versions were not run.
  minimum: '2.1.0',
  executable: 'kimi',
  npmPackage: '@moonshot-ai/kimi-code',

  userFolder: (env, home) => env.KIMI_CODE_HOME || `${home}/.kimi-code`,
  projectFolder: '.kimi-code',
  placement: { kind: 'shared-file', files: { user: [CONFIG] } },
  otherEvents: words(`
    Interrupt Notification PermissionResult SessionHeartbeat SessionStart StopFailure SubagentStart TaskStarted
    TurnStarted UserPromptQueued`),
  positional: false,

  hookShell: ['/bin/sh', '-c'],
  hookTimeUnit: 1000,
  hookVariables: {},
  matching: { noStar: true },
  tools: {
    ...identityMap(`
      Agent AskUserQuestion Bash Edit EnterPlanMode ExitPlanMode Glob Grep Read Skill WebSearch
      Write`),
    BashOutput: 'TaskOutput',
    KillShell: 'TaskStop',
    MultiEdit: 'Edit',
    Task: 'Agent',
    TodoWrite: 'TodoList',
    WebFetch: 'FetchURL',
  },
  toolInputs: {
    Edit: { keys: { path: 'file_path' } },
    Read: { keys: { path: 'file_path' } },
    Write: { keys: { path: 'file_path' } },
  },
  otherTools: words(`
    AgentSwarm CreateGoal CronCreate CronDelete CronList GetGoal NotifyUser ReadMediaFile
    SetGoalBudget TaskList TowerInit TowerStatus TowerTeardown UpdateGoal WaitFor`),
  mcpNames: {
    prefix: 'mcp__',
    separator: '__',
    allowed: 'A-Za-z0-9_-',
    // A longer name ends with its hash: a hexadecimal number, possibly negative.
    limit: { length: 64, kept: 54 },
    suffix: '[\\w-][_-][0-9a-f-]{8}',
    suffixOf: (name) => shortened(name).slice(54),
    // Several underscores in the name of a server or a tool become one.
    unpredictable:
      '^mcp__(?:(?![^A-Za-z0-9*-]{2}).)*[^A-Za-z0-9*-]{2}(?:(?![^A-Za-z0-9*-]{2}).)*[^A-Za-z0-9*-]{2}',
  },
  givenToServers: { variables: [], unproxied: ['localhost', '127.0.0.1', '::1', '[::1]'] },

  nativeEvents: {
    [PROMPT]: deciding('none', { block: DENY_CALL, alone: 'block' }),
    PreToolUse: deciding('tool', { block: DENY_CALL }),
    // It does not wait for hooks on these two.
    PostToolUse: CALL,
    PostToolUseFailure: CALL,
    SubagentStop: event('none'),
    PreCompact: event('none'),
    PostCompact: event('none'),
    Stop: STOP,
    SessionEnd: event('none', { end: true }),
    PermissionRequest: ASKED,
  },
  lowering: {
    ...lowering,
    session_start: {
      text: {
        grade: 'exact',
        when: "with the session's first prompt, before the first request, and again after /new and with the first prompt after a compaction",
        except: 'Subagents do not get it.',
        on: [{ native: PROMPT, act: 'tell', once: true }],
      },
    },
    pre_request: {
      ...lowering.pre_request,
      decide: {
        block: {
          grade: 'adapted',
          when: 'blocks the prompt: prompt and reason reach the model with your next prompt',
        },
      },
    },
    pre_tool_use: { ...withNext('PreToolUse'), decide: { block: decided('PreToolUse') } },
    post_tool_use: withNext('PostToolUse', 'PostToolUseFailure'),
    post_request: {
      ...orOfSubagent(lowering.post_request, undefined, TURN_END),
      decide: { block: blockedEnd('Stop', 'the model, or a subagent,') },
    },
    session_end: { ...ENDING, text: { ...ENDING.text, except: OF_SUBAGENTS } },
    pre_compact: beforeCompaction('PreCompact', PROMPT, WITH_PROMPT),
    post_compact: afterCompaction('late', 'PostCompact', PROMPT, WITH_PROMPT),
    subagent_start: null,
    subagent_end: withNext('SubagentStop'),
    tool_error: withNext('PostToolUseFailure'),
    budget_exceeded: {
      text: {
        grade: 'adapted',
        when: 'with the next prompt after that: the tokens are estimated from the transcript',
        on: [{ native: PROMPT, act: 'tell' }],
      },
      decide: { block: blockedOverBudget(PROMPT) },
    },
    // Its own notifications inform the model about tasks.
    notification: notified({ permission: 'PermissionRequest', turn: 'Stop' }, IN_SUBAGENT_TOO),
  },

  cannot: { subagent_start: 'a subagent reads nothing from hooks when it starts' },

  wire: {
    ...wire,
    begins: '{"hook_event_name":"{event}","session_id":"',
    recurring: [],
    continuing: [],
    // No payload contains its path.
    transcriptFile: {
      variable: 'KIMI_CODE_HOME',
      folder: '.kimi-code',
      name: 'sessions/*/{session}/agents/main/wire.jsonl',
    },
    history: {
      said: {
        part: '"kind":"hook_result"',
        keys: { type: 'context.append_message', 'message.origin.kind': 'hook_result' },
      },
      anew: lineOf('context.apply_compaction'),
    },
    occasion: ['tool_call_id', 'tool_input', 'reason'],
    // The first of several parts. Later parts may be images.
    prompt: 'prompt.0.text',
    // Hooks get only the first 2,000 characters of a call's result.
    toolOutput: ['tool_output', 'error.message'],
    limit: {},
    tell: { message: '{text}' },
    ask: specific({ permissionDecision: 'deny', permissionDecisionReason: '{text}' }),
    agent: 'agent_name',
    usage: { lines: lineOf('token_counting.measured'), tokens: ['tokens'] },
    record: {
      time: ['created_at'],
      calls: {
        lines: {
          part: '"type":"tool.call"',
          keys: { type: 'context.append_loop_event', 'event.type': 'tool.call' },
        },
        names: ['event.uuid'],
      },
    },
  },
  entry: {
    shape: 'flat',
    // It accepts no other keys. On Windows, cmd.exe reads the command.
    handler: ({ command, powerShell, timeout }) => ({
      command:
        powerShell === undefined ? command : `powershell -NoProfile -Command "${powerShell}"`,
      timeout,
    }),
    commands: ['command'],
  },
};

/** The name under which a tool is offered, from its program. */
function shortened(full: string): string {
  const name = full.replace(/[^A-Za-z0-9_-]/g, '_');
  if (name.length <= 64) return name;
  const hash = (fnv1a(name) | 0).toString(16).padStart(8, '0');
  return `${name.slice(0, 63 - hash.length)}_${hash}`;
}
