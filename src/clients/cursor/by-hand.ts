// https://cursor.com/docs/hooks
import { anyTime, type ByHand, events, ofCall, ofKind } from '../by-hand.ts';

export const cursor: ByHand = {
  events: events({
    sessionStart: anyTime('session_start', 'json'),
    sessionEnd: anyTime('session_end', 'nothing'),
    beforeSubmitPrompt: anyTime('pre_request', 'nothing'),
    preToolUse: ofCall('pre_tool_use', 'nothing'),
    postToolUse: ofCall('post_tool_use', 'json'),
    postToolUseFailure: ofCall('tool_error', 'nothing'),
    stop: anyTime('post_request', 'nothing'),
    subagentStop: ofKind('subagent_end', 'nothing'),
    preCompact: anyTime('pre_compact', 'nothing'),
    // For these, the matcher is about a command, or the answer is about a file or a completion.
    'beforeShellExecution afterShellExecution beforeMCPExecution afterMCPExecution': null,
    'beforeReadFile afterFileEdit beforeTabFileRead afterTabFileEdit': null,
    'afterAgentResponse afterAgentThought subagentStart workspaceOpen': null,
  }),
  files: [
    { path: '\\.cursor/hooks\\.json', variables: ['CURSOR_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'] },
  ],
  commands: ['command'],
  otherShells: [],
  timeouts: ['timeout'],
};
