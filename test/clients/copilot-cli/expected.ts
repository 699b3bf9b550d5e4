// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in a server's configuration
import type { Expectations } from '../expectations.ts';

const patch = (...headings: readonly string[]) =>
  ['*** Begin Patch', ...headings, '*** End Patch'].join('\n');
const patched = (...lines: readonly string[]) => ({
  call: { name: 'apply_patch', input: patch(...lines) },
});
const told = (hookEventName: string, additionalContext: string) => ({
  hookSpecificOutput: { hookEventName, additionalContext },
});
const blocked = (_: string, reason: string) => ({ decision: 'block', reason });
const PROMPT = 'userPromptTransformed';

export const EXPECTED: Expectations = {
  folder: '.copilot',
  byHand: '.copilot/hooks/own.json',
  variable: 'COPILOT_HOME',
  managed: 'etc/github-copilot/policy.d/mcp-hooks.annal.json',
  loads: 'copilot --plugin-dir {copilot-cli/annal}',
  tooOld: '1.0.92',

  shell: 'Bash',
  read: 'Read',
  globs: {
    '{?dit,Web*}': {
      yes: ['Edit', 'WebFetch', 'WebSearch'],
      no: ['Bash', 'NotWeb', { server: 'web', tool: 'Web' }],
    },
    'Ba*h': { yes: ['Bash'], no: ['BashOutput', 'GitBash', { server: 'a', tool: 'Bash' }] },
  },
  mcpNames: [
    [{ server: 'my.server-1', tool: 'do it' }, 'my-server-1-do-it'],
    [{ server: 'mcp_tools', tool: 'tüt' }, 'mcp_tools-xn--tt-xka'],
    [{ server: 's'.repeat(40), tool: 't'.repeat(40) }, `${'s'.repeat(40)}-${'t'.repeat(23)}`],
    [{ server: 'my server', tool: 'do.it' }, 'my-server-do-it'],
    [{ server: 'my__server', tool: 'do__it' }, 'my__server-do__it'],
    [{ server: 'My-Server', tool: 'DoIt' }, 'My-Server-DoIt'],
    [{ server: '9lives', tool: '2do' }, '9lives-2do'],
    [{ server: 'naïve', tool: 'tüt' }, 'xn--nave-6pa-xn--tt-xka'],
    [{ server: 'notes', tool: 'a'.repeat(64) }, `notes-${'a'.repeat(58)}`],
    [{ server: 'notes', tool: 'b'.repeat(200) }, `notes-${'b'.repeat(58)}`],
  ],
  cutsNames: 'servers and tools',
  matches: [
    ...[' for Bash', '* for Bash', 'Bash for Bash', 'Edit|Bash for Bash', 'bash for Bash'],
    ...['bash|Read for Bash', '.*ash for Bash', 'annal-.* for annal-lookup', '* for annal-lookup'],
  ],
  excluded: [
    ['Edit', patch('*** Add File: a.lock'), true],
    ['Edit', patch('*** Add File: a.lock', '*** Add File: a.ts'), false],
    ['fs-Edit', { path: 'a.lock' }, false],
  ],

  input: { yes: ['git commit', '","description":"x"}'], no: ['git push', '855a146'] },
  mcpCall: { tool: 'echo', output: '"echo echo: héllo ✓ <&> "' },
  failed: {
    PostToolUse: false,
    'PostToolUse.mcp': false,
    'PostToolUse.shell-exit7': true,
    PostToolUseFailure: true,
    'PostToolUseFailure.mcp': true,
  },
  failedCall: ['Read', '"Path does not exist"'],
  sameFailure: [
    'PostToolUse.shell-exit7',
    '\n<shellId: 2 completed with exit code 7>',
    '\n<shellId: 3 completed with exit code 7>',
  ],
  looksFailed: ['a log: <shellId: 2 completed with exit code 7>'],
  failures: ['PostToolUse', 'PostToolUseFailure'],
  anotherCall: { timestamp: '2026-11-20T17:11:22.415Z' },

  foreignPrompts: ['in-subagent'],
  foreignPrompt: { subagent: 'a' },
  doubtful: ['Note from the MCP server \\"annal\\", x'],

  answers: {
    // One answer for itself and one for VS Code. With a prompt, the text follows the whole prompt.
    tell(event, text) {
      if (event !== PROMPT) return { additionalContext: text, ...told(event, text) };
      const before =
        '<current_datetime>2026-11-22T11:01:47.010+00:00</current_datetime>\n\ndo it\n\n<system_reminder>';
      return { modifiedTransformedPrompt: `${before}\n${text}\n</system_reminder>` };
    },
    ask: blocked,
    deny: (hookEventName, permissionDecisionReason) => ({
      hookSpecificOutput: { hookEventName, permissionDecision: 'deny', permissionDecisionReason },
    }),
    input: (hookEventName, updatedInput) => ({
      hookSpecificOutput: { hookEventName, updatedInput },
    }),
    output: (_, textResultForLlm) => ({
      modifiedResult: { resultType: 'success', textResultForLlm },
    }),
  },
  longest: { characters: 10_000 },

  notices: [
    {
      recording: 'notification',
      waitsFor: 'permission',
      message: 'Path permission needed: /nonexistent/zzz',
    },
    { recording: 'Stop', waitsFor: 'prompt' },
  ],
  decidesBefore: 'PreToolUse',
  compaction: { event: 'PreCompact', next: [PROMPT, PROMPT] },

  transcript: {
    began: '2026-11-23T03:18:09.253Z',
    calls: 3,
    tokens: 5005,
    window: 128_000,
    atEnd: {
      file: 'session-state/{session}/events.jsonl',
      lastLine: { type: 'hook.start', timestamp: '2026-11-22T11:01:48.937Z' },
    },
  },
  writes: {
    answer: (tokens) => ({
      type: 'session.usage_record',
      data: { usage: { model: 'm', inputTokens: tokens - 5, outputTokens: 5 } },
    }),
    compaction: { type: 'session.compaction_complete', data: { success: true } },
    twoCalls: ['a', 'b'].map((toolCallId) => ({
      type: 'tool.execution_start',
      data: { toolCallId },
    })),
    forged: 'data.result.structuredContent',
  },
  otherKinds: [],

  imported: {
    elsewhere: { UserPromptSubmit: PROMPT, userPromptSubmitted: PROMPT },
    starts: [
      ['startup', 'session_start', '["hand-newly-read","SessionStart","GitHub Copilot CLI"]'],
    ],
    matchers: [
      ['bash|edit', '{Bash,Edit}'],
      ['notes-add_note', 'mcp__notes__add_note'],
    ],
    moved: [
      ['userPromptSubmitted', 'text', [PROMPT]],
      ['UserPromptSubmit', 'text', [PROMPT]],
      ['sessionStart', 'text'],
    ],
  },
  published: {
    'agent-hooks-github.json': '1 entries, 1 hooks, 1 commands',
    'hooks-demo.json': '1 entries, 1 hooks, 1 commands',
    'lopen-memory.json': '2 entries, 2 hooks, 2 commands',
    'ralph-github.json': '1 entries, 1 hooks, 1 commands',
    'starter-github.json': '2 entries, 2 hooks, 2 commands',
  },
  endsEachTurn: true,
  real: {
    waiting: { args: ['--no-auto-update', '--no-color', '-i', 'Go.'] },
    program: '@github/copilot/npm-loader.js',
    // It unpacks 235 MB at its first start, so all homes share one.
    cache: 'COPILOT_PKG_CACHE_HOME',
    offline: { COPILOT_OFFLINE: 'true' },
    readsAll: 'UserPromptSubmit',
    tools: 'my-srv-',
    hearsFailedTools: true,
    texts: {
      'failed command': 'read',
      'failed call': 'read',
      'failed MCP call': 'read',
      block: 'dropped',
      change: 'read',
    },
    cookbook: {},
    fileCalls: [
      {
        steps: {
          write: (path) => ({ call: { name: 'create', input: { path, file_text: 'first\n' } } }),
          read: (path) => ({ call: { name: 'view', input: { path } } }),
          edit: (path) => ({
            call: { name: 'edit', input: { path, old_str: 'first', new_str: 'second' } },
          }),
        },
      },
      {
        model: 'gpt-5.4',
        steps: {
          write: () => patched('*** Add File: one.txt', '+first'),
          read: (path) => ({ call: { name: 'view', input: { path } } }),
          edit: () => patched('*** Update File: one.txt', '@@', '-first', '+second'),
          'edit both': () =>
            patched(
              '*** Update File: two.txt',
              '@@',
              '-other',
              '+new',
              '*** Add File: three.txt',
              '+third',
            ),
        },
      },
    ],
    sessions: {
      'one prompt': 'start 1, prompt 1, once 1, call 0, turn 0',
      'a session that is resumed twice': 'start 3, prompt 3, once 1, call 0, turn 2',
      'two sessions at once': 'start 2, prompt 2, once 2, call 0, turn 0',
      'a patch of two files': 'start 1, prompt 1, once 1, call 1, turn 0',
      'a client that the first hook has started': 'start 1, prompt 2, once 2, call 0, turn 0',
    },
    outputs: ['two-value', 'three-value'],
    decided: ['1 block', '4 modify', '5 modify', '6 modify'],
    asks: true,
    subagent: {
      steps: [
        {
          call: {
            name: 'task',
            input: {
              ...{ description: 'd', prompt: 'SUBTASK', mode: 'sync' },
              ...{ agent_type: 'explore', name: 'scout' },
            },
          },
        },
      ],
      isTold: true,
    },
    compaction: {
      session: {
        turns: 'live',
        aside: 'SUMMARY',
        prompts: ['PROMPT-ONE', '/compact', 'PROMPT-TWO', 'PROMPT-THREE'],
        steps: [{ text: 'FIRST-ANSWER' }, { text: 'second' }, { text: 'third' }],
      },
      next: 2,
    },
    forgetsStart: true,
    clears: true,
    runsHooksOf: 'claude-code',
    // Started as by an editor, version 1.0.102 runs no hooks of installed plugins.
    ways: { '--plugin-dir': null, 'a marketplace': 'resume' },
    rare: [
      '1 arrived with the result of the call',
      '2 arrived with the result of the call',
      '3 arrived with the summary',
      '5 arrived with the summary',
      '6 arrived with the summary',
    ],
    live: [
      '1 arrived with the first prompt',
      '2 arrived with the first prompt',
      '3 arrived with the first prompt',
      '4 arrived with the result of the call',
      '5 arrived with the result of the call',
      '6 arrived with the result of the call',
      '7 arrived with the result of the call',
      '8 arrived with the result of the call',
      '9 not-tried no script can trigger this in GitHub Copilot CLI',
      '10 arrived with the next prompt',
      '11 arrived alone, as one more turn',
      '12 called the tool was called when the session ended; its reply is not shown',
    ],
  },
  servers: {
    home: '.copilot/mcp-config.json',
    project: '.github/mcp.json',
    key: 'mcpServers',
    names: ['ANNAL_TOKEN', 'ANNAL_PLAIN'],
    env: {
      PYTHONUNBUFFERED: '1',
      ANNAL_TOKEN: 'hunter2-in-variable',
      ANNAL_PLAIN: 'hunter2-in-env',
    },
    last: '${NOPE}',
    // The folder need not be trusted.
    inSession: true,
    approval: { file: '.copilot/config.json', to: '{ "trustedFolders": [{project}] }' },
  },
  given: {
    set: { CLAUDE_PROJECT_DIR: '/home/you/shop', COPILOT_CLI: '1' },
    expands: {
      $PLAIN: 'plain',
      '${PLAIN}x${PLAIN:-d}': 'plainxplain',
      '${UNSET:-d}': 'd',
      '${EMPTY:-d}': '',
      '${UNSET:-}': '',
      '${NESTED}': '$PLAIN',
      '${my_token}': 'sw0rdfish',
    },
    without: ['CLAUDE_PROJECT_DIR', 'COPILOT_CLI'],
    environment: { PYTHONUNBUFFERED: '1', NODE_OPTIONS: '--trace-warnings' },
    // The session's id.
    adds: ['COPILOT_AGENT_SESSION_ID'],
    elsewhere: 'project',
  },
};
