// https://github.com/google-gemini/gemini-cli/blob/main/docs/hooks/reference.md
import type { ByHand } from '../by-hand.ts';

export const geminiCli: ByHand = {
  events: {
    SessionStart: {
      event: 'session_start',
      matcher: { sources: { startup: 'session_start', resume: null, clear: null }, exact: true },
      reads: 'json',
    },
    SessionEnd: {
      event: 'session_end',
      matcher: {
        sources: {
          exit: 'session_end',
          clear: 'session_end',
          logout: 'session_end',
          prompt_input_exit: 'session_end',
          other: 'session_end',
        },
        exact: true,
      },
      reads: 'nothing',
    },
    BeforeAgent: { event: 'pre_request', matcher: 'ignored', reads: 'json' },
    BeforeTool: { event: 'pre_tool_use', matcher: 'tool', reads: 'nothing' },
    AfterTool: { event: 'post_tool_use', matcher: 'tool', reads: 'json' },
    AfterAgent: { event: 'post_request', matcher: 'ignored', reads: 'nothing' },
    PreCompress: {
      event: 'pre_compact',
      matcher: { sources: { manual: 'pre_compact', auto: 'pre_compact' }, exact: true },
      reads: 'nothing',
    },
    BeforeModel: null,
    AfterModel: null,
    BeforeToolSelection: null,
    Notification: null,
  },
  files: [
    {
      path: '\\.gemini/settings\\.json',
      variables: ['GEMINI_PROJECT_DIR', 'GEMINI_CWD', 'CLAUDE_PROJECT_DIR'],
    },
    {
      path: 'hooks/hooks\\.json',
      beside: 'gemini-extension.json',
      variables: ['extensionPath'],
    },
  ],
  commands: ['command'],
  otherShells: [],
  timeouts: ['timeout'],
};
