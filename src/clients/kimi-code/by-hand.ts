// https://moonshotai.github.io/kimi-code/en/customization/hooks
import { anyTime, type ByHand, COMPACTIONS, events, inAnyWay, ofCall, ofKind } from '../by-hand.ts';
import { words } from '../words.ts';

export const kimiCode: ByHand = {
  events: events({
    SessionStart: {
      event: 'session_start',
      matcher: { sources: { startup: 'session_start', resume: null } },
      reads: 'nothing',
    },
    SessionEnd: inAnyWay('session_end', words('exit archive'), 'nothing'),
    UserPromptSubmit: ofKind('pre_request', 'text'),
    PreToolUse: ofCall('pre_tool_use', 'nothing'),
    PostToolUse: ofCall('post_tool_use', 'nothing'),
    PostToolUseFailure: ofCall('tool_error', 'nothing'),
    Stop: anyTime('post_request', 'nothing'),
    SubagentStop: ofKind('subagent_end', 'nothing'),
    PreCompact: inAnyWay('pre_compact', COMPACTIONS, 'nothing'),
    PostCompact: inAnyWay('post_compact', COMPACTIONS, 'nothing'),
    'Interrupt Notification PermissionRequest PermissionResult SessionHeartbeat StopFailure': null,
    'SubagentStart TaskStarted TurnStarted UserPromptQueued': null,
  }),
  files: [{ path: '\\.kimi-code/config\\.toml', variables: [] }],
  commands: ['command'],
  otherShells: [],
  timeouts: ['timeout'],
};
