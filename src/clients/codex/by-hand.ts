// https://developers.openai.com/codex/hooks
import type { ByHand } from '../by-hand.ts';

export const codex: ByHand = {
  events: {
    SessionStart: {
      event: 'session_start',
      matcher: {
        sources: { startup: 'session_start', resume: null, clear: null, compact: 'post_compact' },
      },
      reads: 'text',
    },
    SessionEnd: { event: 'session_end', matcher: 'ignored', reads: 'nothing' },
    UserPromptSubmit: { event: 'pre_request', matcher: 'ignored', reads: 'text' },
    PreToolUse: { event: 'pre_tool_use', matcher: 'tool', reads: 'json' },
    PostToolUse: { event: 'post_tool_use', matcher: 'tool', reads: 'json' },
    Stop: { event: 'post_request', matcher: 'ignored', reads: 'nothing' },
    SubagentStart: { event: 'subagent_start', matcher: 'kind', reads: 'text' },
    SubagentStop: { event: 'subagent_end', matcher: 'kind', reads: 'nothing' },
    PreCompact: {
      event: 'pre_compact',
      matcher: { sources: { manual: 'pre_compact', auto: 'pre_compact' } },
      reads: 'nothing',
    },
    PostCompact: {
      event: 'post_compact',
      matcher: { sources: { manual: 'post_compact', auto: 'post_compact' } },
      reads: 'nothing',
    },
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
    },
  ],
  commands: ['command'],
  otherShells: ['commandWindows', 'command_windows'],
  timeouts: ['timeout'],
};
