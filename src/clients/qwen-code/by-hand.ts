// https://github.com/QwenLM/qwen-code/blob/main/docs/users/features/hooks.md
import {
  anyTime,
  type ByHand,
  COMPACTIONS,
  events,
  inAnyWay,
  notice,
  ofCall,
  ofKind,
} from '../by-hand.ts';
import { words } from '../words.ts';

export const qwenCode: ByHand = {
  events: events({
    SessionStart: {
      event: 'session_start',
      matcher: {
        sources: { startup: 'session_start', resume: null, clear: null, compact: 'post_compact' },
      },
      reads: 'text',
    },
    SessionEnd: inAnyWay(
      'session_end',
      words('clear logout prompt_input_exit bypass_permissions_disabled other'),
      'nothing',
    ),
    UserPromptSubmit: anyTime('pre_request', 'text'),
    PreToolUse: ofCall('pre_tool_use', 'nothing'),
    PostToolUse: ofCall('post_tool_use', 'json'),
    PostToolUseFailure: ofCall('tool_error', 'json'),
    Stop: anyTime('post_request', 'nothing'),
    SubagentStop: ofKind('subagent_end', 'nothing'),
    PreCompact: inAnyWay('pre_compact', COMPACTIONS, 'nothing', { exact: true }),
    PostCompact: inAnyWay('post_compact', COMPACTIONS, 'nothing', { exact: true }),
    Notification: notice('auth_success'),
    'InstructionsLoaded MessageDisplay PermissionDenied PermissionRequest PostToolBatch': null,
    'SessionDelete StopFailure SubagentStart TodoCompleted TodoCreated UserPromptExpansion': null,
  }),
  files: [
    {
      path: '\\.qwen/settings\\.json',
      variables: ['QWEN_PROJECT_DIR', 'CLAUDE_PROJECT_DIR', 'GEMINI_PROJECT_DIR'],
    },
    {
      path: 'hooks/hooks\\.json',
      beside: 'qwen-extension.json',
      variables: ['CLAUDE_PLUGIN_ROOT'],
      isPackage: true,
    },
  ],
  commands: ['command'],
  otherShells: [],
  timeouts: ['timeout'],
};
