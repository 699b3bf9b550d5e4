// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in a server's configuration
import type { Expectations } from '../expectations.ts';

const told = (hookEventName: string, additionalContext: string) => ({
  hookSpecificOutput: { hookEventName, additionalContext },
});

export const EXPECTED: Expectations = {
  folder: '.claude',
  byHand: '.claude/settings.json',
  variable: 'CLAUDE_CONFIG_DIR',
  managed: 'etc/claude-code/managed-settings.d/mcp-hooks.annal.json',
  loads: 'claude --plugin-dir {claude-code/annal}',
  tooOld: '2.1.284',

  shell: 'Bash',
  read: 'Read',
  globs: {
    '{?dit,Web*}': { yes: ['Edit', 'WebFetch', 'WebSearch'], no: ['Bash', 'MultiEdit', 'NotWeb'] },
    'Ba*h': { yes: ['Bash'], no: ['BashOutput', 'GitBash', { server: 'a', tool: 'Bash' }] },
  },
  mcpNames: [
    [{ server: 'my.server-1', tool: 'do it' }, 'mcp__my_server-1__do_it'],
    [{ server: 'mcp_tools', tool: 'tüt' }, 'mcp__mcp_tools__t_t'],
    [{ server: 's'.repeat(40), tool: 't'.repeat(40) }, `mcp__${'s'.repeat(40)}__${'t'.repeat(40)}`],
    [{ server: 'my server', tool: 'do.it' }, 'mcp__my_server__do_it'],
    [{ server: 'my__server', tool: 'do__it' }, 'mcp__my__server__do__it'],
    [{ server: 'My-Server', tool: 'DoIt' }, 'mcp__My-Server__DoIt'],
    [{ server: '9lives', tool: '2do' }, 'mcp__9lives__2do'],
    [{ server: 'naïve', tool: 'tüt' }, 'mcp__na_ve__t_t'],
    [{ server: 'notes', tool: 'a'.repeat(64) }, `mcp__notes__${'a'.repeat(64)}`],
    [{ server: 'notes', tool: 'b'.repeat(200) }, null],
  ],
  matches: [
    ...[' for Bash', '* for Bash', 'Bash for Bash', 'Edit|Bash for Bash', 'Edit, Bash for Bash'],
    ...['^B for Bash', '.*ash for Bash', 'annal-.* for annal-lookup', '* for annal-lookup'],
  ],
  excluded: [
    ['Write', { file_path: 'a.lock', content: 'x' }, true],
    ['Write', { file_path: 'a.ts', content: '*** Add File: a.lock' }, false],
  ],

  input: {
    yes: [
      ...['git commit', '{"command":"git commit', '","description":"Commit"}', ''],
      ...['\'é <x> "q" 日本\'', '<x> \\"q\\" 日本\''],
    ],
    no: ['GIT COMMIT', 'git  commit', '"command": "git', 'Bash', '46725ff'],
  },
  mcpCall: { tool: 'echo', output: '[{"type":"text","text":"echo: hé <b>"}]' },
  failed: {
    PostToolUse: false,
    'PostToolUse.mcp': false,
    PostToolUseFailure: true,
    'PostToolUseFailure.mcp': true,
  },
  failedCall: ['Bash', '"Exit code 3\\nout\\nerr"'],
  sameFailure: ['PostToolUseFailure', 'Exit code 7', 'Exit code 7'],
  looksFailed: [],
  failures: ['PostToolUseFailure'],
  anotherCall: { tool_use_id: 'other' },

  foreignPrompts: ['task-notification'],
  foreignPrompt: { prompt: '<task-notification>\n</task-notification>' },
  doubtful: ['', ' ', '\\n', '\\u003ctask-notification>', '\u3000', '\u2003\\n'],

  answers: {
    tell: told,
    ask: told,
    deny: (hookEventName, permissionDecisionReason) => ({
      hookSpecificOutput: { hookEventName, permissionDecision: 'deny', permissionDecisionReason },
    }),
    input: (hookEventName, updatedInput) => ({
      hookSpecificOutput: { hookEventName, updatedInput },
    }),
    output: (hookEventName, stdout) => ({
      hookSpecificOutput: {
        hookEventName,
        updatedToolOutput: {
          stdout,
          stderr: '',
          interrupted: false,
          isImage: false,
          noOutputExpected: false,
          gitOperation: { commit: { sha: '46725ff', kind: 'committed', branch: 'master' } },
        },
      },
    }),
  },
  longest: { characters: 10_000 },

  notices: [
    { recording: 'Notification', waitsFor: 'permission', message: 'Claude needs your permission' },
    {
      recording: 'Notification.idle',
      waitsFor: 'prompt',
      message: 'Claude is waiting for your input',
    },
  ],
  decidesBefore: 'PreToolUse',
  compaction: { event: 'PreCompact', next: ['SessionStart', 'SessionStart.compact'] },
  timeAtEnd: 3500,

  transcript: { began: '2026-11-23T03:17:31.039Z', calls: 3, tokens: 5005 },
  writes: {
    answer: (tokens) => ({
      type: 'assistant',
      message: {
        role: 'assistant',
        stop_reason: null,
        usage: {
          input_tokens: tokens - 205,
          cache_creation_input_tokens: 100,
          cache_read_input_tokens: 100,
          output_tokens: 5,
        },
      },
    }),
    compaction: { type: 'system', subtype: 'compact_boundary' },
    history: {
      said: (text) => ({
        attachment: {
          type: 'hook_additional_context',
          content: ['other', text],
          hookName: 'SessionStart',
        },
        type: 'attachment',
      }),
      quoted: (content) => ({ type: 'user', message: { role: 'user', content } }),
    },
    twoCalls: [
      {
        type: 'assistant',
        message: { id: 'm', content: ['a', 'b'].map((id) => ({ type: 'tool_use', id })) },
      },
    ],
    forged: 'mcpMeta.structuredContent',
  },
  otherKinds: ['PostToolUse.tool_output: object'],

  imported: {
    elsewhere: { PostCompact: 'SessionStart' },
    starts: [
      [undefined, 'session_start'],
      ['startup|resume|clear|compact|fork', 'session_start'],
      ['startup', 'session_start', '["hand-more-sources",["resume","clear","compact","fork"]]'],
      ['compact', 'post_compact'],
      ['resume', 'hand-sources'],
      ['clear|compact', 'hand-sources'],
      ['nonsense', 'hand-sources'],
    ],
    matchers: [
      ['Edit|Write', '{Edit,Write}'],
      ['mcp__notes__.*', 'mcp__notes__*'],
      ['Bash|mcp__.*__add_.*', '{Bash,BashOutput,KillBash,mcp__*__add_*}'],
      ['^mcp__notes', 'mcp__notes*'],
      ['^mcp__notes\\.io__get$', 'mcp__notes.io__get'],
      ['.*', undefined],
    ],
    moved: [
      ['PostCompact', 'text', ['PreCompact', 'SessionStart']],
      ['SessionStart', 'text'],
      ['PreToolUse', 'program'],
      ['SessionEnd', 'program'],
    ],
  },
  published: {
    'agent-hooks.json': '1 entries, 1 hooks, 1 commands',
    'basic-memory.json': '2 entries, 2 hooks, 2 commands',
    'claude-mods.json': '7 entries, 6 hooks, 6 commands; 1 hand-no-moment',
    'claude-security.json': '1 entries, 0 hooks, 0 commands; 1 hand-no-moment',
    'context-mode.json': '13 entries, 13 hooks, 13 commands',
    'continuous.json': '36 entries, 35 hooks, 35 commands; 1 hand-sources',
    'devkit.json': '14 entries, 13 hooks, 13 commands; 1 hand-subagents',
    'everything.json': '28 entries, 28 hooks, 28 commands',
    'expressions.json':
      '18 entries, 0 hooks, 0 commands; 3 hand-matcher; 8 hand-no-file; 2 hand-no-moment; 5 hand-no-tool',
    'flow.json': '5 entries, 0 hooks, 0 commands; 5 hand-no-event',
    'guide.json':
      '9 entries, 5 hooks, 1 commands; 1 hand-approves; 1 hand-asks-model; 1 hand-sends; 1 hand-subagents',
    'hookify.json': '4 entries, 4 hooks, 4 commands',
    'hooks-mastery.json': '13 entries, 11 hooks, 11 commands; 2 hand-no-moment',
    'loa.json': '5 entries, 2 hooks, 2 commands; 2 hand-no-moment; 1 hand-no-tool',
    'lumine.json': '5 entries, 0 hooks, 0 commands; 5 hand-unknown-kind',
    'mem0.json': '2 entries, 2 hooks, 2 commands',
    'memory-engine.json': '3 entries, 0 hooks, 0 commands; 1 hand-no-moment; 2 hand-variable',
    'mercury.json': '15 entries, 13 hooks, 13 commands; 1 hand-no-file; 1 hand-subagents',
    'presets.json': '3 entries, 3 hooks, 2 commands',
    'ralph-loop.json': '1 entries, 1 hooks, 1 commands',
    'sage.json': '5 entries, 5 hooks, 5 commands',
    'security-guidance.json': '6 entries, 6 hooks, 6 commands',
    'starter.json': '3 entries, 3 hooks, 3 commands',
    'superpowers.json': '1 entries, 1 hooks, 1 commands',
    'templates.json': '10 entries, 5 hooks, 5 commands',
    'vex-talon.json': '21 entries, 19 hooks, 19 commands; 2 hand-no-moment',
  },
  real: {
    waiting: {
      args: ['--model=claude-sonnet-5', '--permission-mode=default', 'Go.'],
      settings: (project) => ({
        '.claude.json': {
          ...{ hasCompletedOnboarding: true, theme: 'dark', messageIdleNotifThresholdMs: 1000 },
          customApiKeyResponses: { approved: ['dummy'] },
          projects: { [project]: { hasTrustDialogAccepted: true } },
        },
      }),
    },
    // The package's own launcher: it finds the native binary even if no install script has run.
    program: '@anthropic-ai/claude-code/cli-wrapper.cjs',
    readsAll: 'UserPromptSubmit',
    tools: 'mcp__my-srv__',
    hearsFailedTools: true,
    // The model reads the reason of a block next to the output.
    texts: {
      'failed command': 'read',
      'failed call': 'read',
      'failed MCP call': 'read',
      block: 'read',
      change: 'read',
    },
    cookbook: {
      sound: 'it waits for nobody without a terminal',
      notify: 'it waits for nobody without a terminal',
    },
    fileCalls: [
      {
        steps: {
          write: (file_path) => ({
            call: { name: 'Write', input: { file_path, content: 'first\n' } },
          }),
          read: (file_path) => ({ call: { name: 'Read', input: { file_path } } }),
          edit: (file_path) => ({
            call: { name: 'Edit', input: { file_path, old_string: 'first', new_string: 'second' } },
          }),
        },
      },
    ],
    sessions: {
      'one prompt': 'start 1, prompt 1, once 1, call 0, turn 0',
      'a session that is resumed twice': 'start 1, prompt 3, once 1, call 0, turn 2',
      'two sessions at once': 'start 2, prompt 2, once 2, call 0, turn 0',
      'a patch of two files': 'no patches',
      'a client that the first hook has started': 'start 1, prompt 2, once 2, call 0, turn 0',
    },
    outputs: ['one-value', 'two-value', 'three-value'],
    decided: ['1 block', '2 block', '4 modify', '5 modify', '6 modify'],
    asks: true,
    subagent: {
      steps: [
        {
          call: {
            name: 'Agent',
            input: {
              ...{ description: 'd', prompt: 'SUBTASK' },
              ...{ subagent_type: 'general-purpose', run_in_background: false },
            },
          },
        },
      ],
      isTold: true,
    },
    compaction: {
      session: {
        turns: 'live',
        prompts: ['PROMPT-ONE', '/compact', 'PROMPT-TWO', 'PROMPT-THREE'],
        steps: [
          { text: 'FIRST-ANSWER' },
          { text: '<summary>SUMMARY</summary>' },
          { text: 'second' },
          { text: 'third' },
        ],
      },
      next: 3,
    },
    clears: true,
    rare: [
      '1 arrived with the result of the call',
      '2 arrived with the result of the call',
      '3 arrived with the result of the call',
      '4 arrived with the result of the call',
      '5 arrived with the next prompt',
      '6 arrived with the next prompt',
    ],
    ways: { '--plugin-dir': null, 'a marketplace': null },
    validates: true,
  },
  servers: {
    home: '.claude.json',
    project: '.mcp.json',
    key: 'mcpServers',
    names: ['ANNAL_TOKEN', 'ANNAL_PLAIN'],
    env: { ANNAL_TOKEN: 'hunter2-in-variable', ANNAL_PLAIN: 'hunter2-in-env' },
    last: '${NOPE}',
    // Claude Code was told that the folder is trusted.
    inSession: true,
    approval: {
      file: '.claude.json',
      from: '"enabledMcpjsonServers": []',
      to: '"enabledMcpjsonServers": ["annal"]',
    },
  },
  given: {
    set: { CLAUDE_PROJECT_DIR: '/home/you/shop' },
    expands: {
      '${PLAIN}x${PLAIN:-d}': 'plainxplain',
      '${UNSET:-d}': 'd',
      '${EMPTY:-d}': '',
      '${UNSET:-}': '',
      '${NESTED}': '$PLAIN',
      '${my_token}': 'sw0rdfish',
    },
    without: ['CLAUDE_PID'],
    environment: { NODE_OPTIONS: '--trace-warnings' },
    folder: 'CLAUDE_PROJECT_DIR',
    // Ids of sessions.
    adds: ['CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS'],
  },
};
