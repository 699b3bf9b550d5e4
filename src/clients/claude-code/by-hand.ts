// https://code.claude.com/docs/en/hooks
import type { ByHand, Meaning } from '../by-hand.ts';
import { words } from '../words.ts';

const call = (event: Meaning['event']): Meaning => ({ event, matcher: 'tool', reads: 'json' });
const none = (names: string) => Object.fromEntries(words(names).map((name) => [name, null]));

export const claudeCode: ByHand = {
  events: {
    SessionStart: {
      event: 'session_start',
      // A resumed or cleared session has no event of its own in declarations.
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
    SessionEnd: {
      event: 'session_end',
      matcher: {
        sources: {
          clear: 'session_end',
          logout: 'session_end',
          prompt_input_exit: 'session_end',
          other: 'session_end',
        },
      },
      reads: 'nothing',
    },
    UserPromptSubmit: { event: 'pre_request', matcher: 'ignored', reads: 'text' },
    PreToolUse: call('pre_tool_use'),
    PostToolUse: call('post_tool_use'),
    PostToolUseFailure: call('tool_error'),
    Stop: { event: 'post_request', matcher: 'ignored', reads: 'json' },
    SubagentStart: { event: 'subagent_start', matcher: 'kind', reads: 'json' },
    SubagentStop: { event: 'subagent_end', matcher: 'kind', reads: 'json' },
    PreCompact: {
      event: 'pre_compact',
      matcher: { sources: { manual: 'pre_compact', auto: 'pre_compact' } },
      reads: 'text',
    },
    PostCompact: {
      event: 'post_compact',
      matcher: { sources: { manual: 'post_compact', auto: 'post_compact' } },
      reads: 'nothing',
    },
    ...none(`
      PermissionRequest PostToolBatch Notification UserPromptExpansion StopFailure PreModelSwitch
      PostModelSwitch PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation
      ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged
      FileChanged DirectoryAdded MessageDisplay`),
  },
  files: [
    { path: '\\.claude/settings(?:\\.local)?\\.json', variables: ['CLAUDE_PROJECT_DIR'] },
    { path: 'hooks/hooks\\.json', variables: ['CLAUDE_PLUGIN_ROOT'] },
  ],
  commands: ['command'],
  otherShells: [],
  timeouts: ['timeout'],
};
