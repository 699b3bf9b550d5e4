// https://docs.github.com/en/copilot/reference/hooks-reference
import { anyTime, type ByHand, ofCall } from '../by-hand.ts';

const SESSION_START = anyTime('session_start', 'json');
const SESSION_END = anyTime('session_end', 'nothing');
const PROMPT = anyTime('pre_request', 'json');
const BEFORE_CALL = ofCall('pre_tool_use', 'json');
const AFTER_CALL = ofCall('post_tool_use', 'json');
const AFTER_FAILURE = anyTime('tool_error', 'json');
const END = anyTime('post_request', 'nothing');
const SUBAGENT_START = anyTime('subagent_start', 'json');
const SUBAGENT_END = anyTime('subagent_end', 'nothing');
const BEFORE_COMPACTION = anyTime('pre_compact', 'nothing');

export const copilotCli: ByHand = {
  // Each event has two names. The name also decides how the client writes the payload.
  events: {
    sessionStart: SESSION_START,
    SessionStart: SESSION_START,
    sessionEnd: SESSION_END,
    SessionEnd: SESSION_END,
    userPromptSubmitted: PROMPT,
    UserPromptSubmit: PROMPT,
    userPromptTransformed: null,
    preToolUse: BEFORE_CALL,
    PreToolUse: BEFORE_CALL,
    postToolUse: AFTER_CALL,
    PostToolUse: AFTER_CALL,
    postToolUseFailure: AFTER_FAILURE,
    PostToolUseFailure: AFTER_FAILURE,
    agentStop: END,
    Stop: END,
    subagentStart: SUBAGENT_START,
    SubagentStart: SUBAGENT_START,
    subagentStop: SUBAGENT_END,
    SubagentStop: SUBAGENT_END,
    preCompact: BEFORE_COMPACTION,
    PreCompact: BEFORE_COMPACTION,
    permissionRequest: null,
    PermissionRequest: null,
    notification: null,
    Notification: null,
    errorOccurred: null,
    ErrorOccurred: null,
    preMcpToolCall: null,
  },
  files: [
    {
      path: '\\.(?:github|copilot)/hooks/[^/]+\\.json',
      variables: ['COPILOT_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'],
    },
    {
      path: '(?:\\.github/copilot|\\.copilot)/settings(?:\\.local)?\\.json',
      variables: ['COPILOT_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'],
    },
  ],
  commands: ['command', 'bash'],
  otherShells: ['powershell', 'windows'],
  timeouts: ['timeoutSec', 'timeout'],
};
