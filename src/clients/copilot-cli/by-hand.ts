// https://docs.github.com/en/copilot/reference/hooks-reference
import { anyTime, type ByHand, events, notice, ofCall } from '../by-hand.ts';
import { words } from '../words.ts';

export const copilotCli: ByHand = {
  // Most events have two names. The name also determines the form of the payload.
  events: events({
    'sessionStart SessionStart': anyTime('session_start', 'json'),
    'sessionEnd SessionEnd': anyTime('session_end', 'nothing'),
    'userPromptSubmitted UserPromptSubmit': anyTime('pre_request', 'json'),
    'preToolUse PreToolUse': ofCall('pre_tool_use', 'json'),
    'postToolUse PostToolUse': ofCall('post_tool_use', 'json'),
    'postToolUseFailure PostToolUseFailure': anyTime('tool_error', 'json'),
    'agentStop Stop': anyTime('post_request', 'nothing'),
    'subagentStart SubagentStart': anyTime('subagent_start', 'json'),
    'subagentStop SubagentStop': anyTime('subagent_end', 'nothing'),
    'preCompact PreCompact': anyTime('pre_compact', 'nothing'),
    'notification Notification': notice(
      ...words('shell_completed shell_detached_completed agent_completed agent_idle'),
    ),
    'permissionRequest PermissionRequest errorOccurred ErrorOccurred': null,
    'userPromptTransformed preMcpToolCall': null,
  }),
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
  program: 'exec',
  timeouts: ['timeoutSec', 'timeout'],
  // In the payloads of events with camelCase names. In these, the input of a call is JSON in a string.
  keys: {
    toolName: '.tool_name',
    toolArgs: '.tool_input // {} | tojson',
    toolResult:
      '{resultType: (if .tool.success == false then "failure" else "success" end), textResultForLlm: .tool_output}',
    initialPrompt: '.prompt',
    transcriptPath: '.transcript_path',
  },
};
