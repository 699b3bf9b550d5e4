// https://code.visualstudio.com/docs/agents/reference/hooks-reference
import { anyTime, type ByHand, events } from '../by-hand.ts';

export const vsCode: ByHand = {
  events: events({
    SessionStart: anyTime('session_start', 'json'),
    UserPromptSubmit: anyTime('pre_request', 'nothing'),
    PreToolUse: anyTime('pre_tool_use', 'json'),
    PostToolUse: anyTime('post_tool_use', 'json'),
    Stop: anyTime('post_request', 'nothing'),
    SubagentStart: anyTime('subagent_start', 'json'),
    SubagentStop: anyTime('subagent_end', 'nothing'),
    PreCompact: anyTime('pre_compact', 'nothing'),
  }),
  files: [{ path: '\\.(?:github|copilot)/hooks/[^/]+\\.json', variables: [] }],
  commands: ['command', 'linux'],
  otherShells: ['windows'],
  timeouts: ['timeout'],
};
