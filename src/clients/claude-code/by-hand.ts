// https://code.claude.com/docs/en/hooks
import {
  anyTime,
  type ByHand,
  COMPACTIONS,
  events,
  FILE,
  inAnyWay,
  notice,
  ofCall,
  ofCalls,
  ofKind,
  PATHS,
} from '../by-hand.ts';
import { words } from '../words.ts';

export const claudeCode: ByHand = {
  events: events({
    SessionStart: {
      event: 'session_start',
      // Declarations have no event for a resumed or cleared session.
      matcher: {
        sources: {
          startup: 'session_start',
          resume: null,
          clear: null,
          compact: 'post_compact',
          fork: null,
        },
      },
      reads: 'text',
    },
    SessionEnd: inAnyWay('session_end', words('clear logout prompt_input_exit other'), 'nothing'),
    UserPromptSubmit: anyTime('pre_request', 'text'),
    PreToolUse: ofCall('pre_tool_use', 'json'),
    PostToolUse: ofCall('post_tool_use', 'json'),
    PostToolUseFailure: ofCall('tool_error', 'json'),
    Stop: anyTime('post_request', 'json'),
    SubagentStart: ofKind('subagent_start', 'json'),
    SubagentStop: ofKind('subagent_end', 'json'),
    PreCompact: inAnyWay('pre_compact', COMPACTIONS, 'text'),
    PostCompact: inAnyWay('post_compact', COMPACTIONS, 'nothing'),
    Notification: notice(
      ...words(
        'auth_success elicitation_complete elicitation_response agent_needs_input agent_completed',
      ),
    ),
    [`PermissionRequest PostToolBatch UserPromptExpansion StopFailure PreModelSwitch
      PostModelSwitch PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation
      ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged
      FileChanged DirectoryAdded MessageDisplay`]: null,
  }),
  files: [
    { path: '\\.claude/settings(?:\\.local)?\\.json', variables: ['CLAUDE_PROJECT_DIR'] },
    { path: 'hooks/hooks\\.json', variables: ['CLAUDE_PLUGIN_ROOT'], isPackage: true },
  ],
  commands: ['command'],
  otherShells: [],
  timeouts: ['timeout'],
  // None of these is documented, and 2.1 sets none for hooks, but users' hooks refer to them.
  values: {
    ...ofCalls('CLAUDE'),
    CLAUDE_FILE_PATHS: PATHS,
    CLAUDE_FILE_PATH: FILE,
    CLAUDE_TOOL_FILE_PATH: FILE,
    CLAUDE_SESSION_ID: '.session_id // empty',
    CLAUDE_USER_PROMPT: '.prompt // empty',
  },
};
