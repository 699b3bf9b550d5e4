// https://developers.openai.com/codex/hooks
import { anyTime, type ByHand, COMPACTIONS, inAnyWay, ofCall, ofKind } from '../by-hand.ts';

export const codex: ByHand = {
  events: {
    SessionStart: {
      event: 'session_start',
      matcher: {
        sources: { startup: 'session_start', resume: null, clear: null, compact: 'post_compact' },
      },
      reads: 'text',
    },
    SessionEnd: anyTime('session_end', 'nothing'),
    UserPromptSubmit: anyTime('pre_request', 'text'),
    PreToolUse: ofCall('pre_tool_use', 'json'),
    PostToolUse: ofCall('post_tool_use', 'json'),
    Stop: anyTime('post_request', 'nothing'),
    SubagentStart: ofKind('subagent_start', 'text'),
    SubagentStop: ofKind('subagent_end', 'nothing'),
    PreCompact: inAnyWay('pre_compact', COMPACTIONS, 'nothing'),
    PostCompact: inAnyWay('post_compact', COMPACTIONS, 'nothing'),
    PreModelRequest: null,
    PostModelRequest: null,
    PermissionRequest: null,
    Interrupt: null,
  },
  files: [
    { path: '\\.codex/(?:config\\.toml|hooks\\.json)', variables: [] },
    {
      path: 'hooks/hooks\\.json',
      beside: '.codex-plugin',
      variables: ['PLUGIN_ROOT', 'CLAUDE_PLUGIN_ROOT', 'CODEX_PLUGIN_ROOT'],
      isPackage: true,
    },
  ],
  commands: ['command'],
  otherShells: ['commandWindows', 'command_windows'],
  timeouts: ['timeout'],
  // https://developers.openai.com/codex/config-reference: it is started at the end of a turn.
  notifiers: {
    notify: {
      file: 'config.toml',
      native: 'Stop',
      word: '{type: "agent-turn-complete", "thread-id": .session_id, cwd}',
      lacks: ['turn-id', 'input-messages', 'last-assistant-message'],
    },
  },
};
