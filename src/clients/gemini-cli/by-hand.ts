// https://github.com/google-gemini/gemini-cli/blob/main/docs/hooks/reference.md
import { anyTime, type ByHand, COMPACTIONS, inAnyWay, ofCall } from '../by-hand.ts';
import { words } from '../words.ts';

export const geminiCli: ByHand = {
  events: {
    SessionStart: {
      event: 'session_start',
      matcher: { sources: { startup: 'session_start', resume: null, clear: null }, exact: true },
      reads: 'json',
    },
    SessionEnd: inAnyWay(
      'session_end',
      words('exit clear logout prompt_input_exit other'),
      'nothing',
      { exact: true },
    ),
    BeforeAgent: anyTime('pre_request', 'json'),
    BeforeTool: ofCall('pre_tool_use', 'nothing'),
    AfterTool: ofCall('post_tool_use', 'json'),
    AfterAgent: anyTime('post_request', 'nothing'),
    PreCompress: inAnyWay('pre_compact', COMPACTIONS, 'nothing', { exact: true }),
    BeforeModel: null,
    AfterModel: null,
    BeforeToolSelection: null,
    Notification: {
      event: 'notification',
      matcher: { waitsFor: { ToolPermission: 'permission' } },
      reads: 'nothing',
    },
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
      isPackage: true,
    },
  ],
  commands: ['command'],
  otherShells: [],
  timeouts: ['timeout'],
  values: { GEMINI_SESSION_ID: '.session_id // empty' },
};
