// https://docs.factory.ai/reference/hooks-reference
import { anyTime, type ByHand, events, inAnyWay, notice, ofCall } from '../by-hand.ts';
import { words } from '../words.ts';

export const droid: ByHand = {
  events: events({
    SessionStart: {
      event: 'session_start',
      matcher: {
        sources: { startup: 'session_start', resume: null, clear: null, compact: null },
      },
      reads: 'text',
    },
    SessionEnd: inAnyWay('session_end', words('clear logout prompt_input_exit other'), 'nothing'),
    UserPromptSubmit: anyTime('pre_request', 'text'),
    PreToolUse: ofCall('pre_tool_use', 'nothing'),
    PostToolUse: ofCall('post_tool_use', 'json'),
    Stop: anyTime('post_request', 'nothing'),
    SubagentStop: anyTime('subagent_end', 'nothing'),
    Notification: notice(),
    PreCompact: null,
  }),
  files: [
    {
      path: '\\.factory/(?:hooks/)?hooks\\.json|\\.factory/settings\\.json',
      variables: ['FACTORY_PROJECT_DIR', 'DROID_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'],
    },
    {
      path: 'hooks/hooks\\.json',
      beside: '.factory-plugin/plugin.json',
      variables: ['DROID_PLUGIN_ROOT', 'CLAUDE_PLUGIN_ROOT'],
      isPackage: true,
    },
  ],
  commands: ['command'],
  otherShells: [],
  timeouts: ['timeout'],
};
