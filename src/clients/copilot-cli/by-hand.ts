// https://docs.github.com/en/copilot/reference/hooks-reference
import type { ByHand, Meaning } from '../by-hand.ts';

const SESSION_START: Meaning = { event: 'session_start', matcher: 'ignored', reads: 'json' };
const SESSION_END: Meaning = { event: 'session_end', matcher: 'ignored', reads: 'nothing' };
const PROMPT: Meaning = { event: 'pre_request', matcher: 'ignored', reads: 'json' };
const BEFORE_CALL: Meaning = { event: 'pre_tool_use', matcher: 'tool', reads: 'json' };
const AFTER_CALL: Meaning = { event: 'post_tool_use', matcher: 'tool', reads: 'json' };
const AFTER_FAILURE: Meaning = { event: 'tool_error', matcher: 'ignored', reads: 'json' };
const END: Meaning = { event: 'post_request', matcher: 'ignored', reads: 'nothing' };
const SUBAGENT_START: Meaning = { event: 'subagent_start', matcher: 'ignored', reads: 'json' };
const SUBAGENT_END: Meaning = { event: 'subagent_end', matcher: 'ignored', reads: 'nothing' };
const BEFORE_COMPACTION: Meaning = { event: 'pre_compact', matcher: 'ignored', reads: 'nothing' };

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
