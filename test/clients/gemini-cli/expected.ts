// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in a server's configuration
import type { Expectations } from '../expectations.ts';

const answer = (total: number) => ({
  id: 'i',
  type: 'gemini',
  content: 'a',
  tokens: { input: 1, output: 5, total },
});
const message = (id: string, type: string, text: string) => ({
  ...{ id, timestamp: 't', type },
  content: [{ text }],
});
const anew = (...messages: readonly object[]) => ({ $set: { messages } });
const HISTORY = [message('a', 'user', 'x'.repeat(500)), message('b', 'gemini', 'y')];
const summary = (id: string) => [
  message('s', 'user', 'z'.repeat(500)),
  message(id, 'gemini', 'Got it. Thanks for the additional context!'),
];

const UNTIL_LOGGED =
  'for i in $(seq 300); do [ -s "$HOME/.mcp-hooks/log/annal.jsonl" ] && break; sleep 0.1; done';

const denied = (_: string, reason: string) => ({ decision: 'deny', reason });

export const EXPECTED: Expectations = {
  folder: '.gemini',
  byHand: '.gemini/settings.json',
  variable: 'GEMINI_CLI_HOME',
  managed: 'etc/gemini-cli/settings.json',
  loads: 'gemini extensions install {gemini-cli/annal}',
  tooOld: '0.43.0',

  shell: 'run_shell_command',
  read: 'read_file',
  globs: {
    '{?dit,Web*}': {
      yes: ['replace', 'web_fetch', 'google_web_search'],
      no: ['run_shell_command', 'read_file', { server: 'web', tool: 'Web' }],
    },
    'Ba*h': { yes: ['run_shell_command'], no: [{ server: 'a', tool: 'Bash' }, 'glob'] },
  },
  mcpNames: [
    [{ server: 'my.server-1', tool: 'do it' }, 'mcp_my.server-1_do_it'],
    [{ server: 'mcp_tools', tool: 'tüt' }, 'mcp_tools_t_t'],
    [{ server: 's'.repeat(40), tool: 't'.repeat(40) }, `mcp_${'s'.repeat(26)}...${'t'.repeat(30)}`],
    [{ server: 'my server', tool: 'do.it' }, 'mcp_my_server_do.it'],
    [{ server: 'my__server', tool: 'do__it' }, 'mcp_my__server_do__it'],
    [{ server: 'My-Server', tool: 'DoIt' }, 'mcp_My-Server_DoIt'],
    [{ server: '9lives', tool: '2do' }, 'mcp_9lives_2do'],
    [{ server: 'naïve', tool: 'tüt' }, 'mcp_na_ve_t_t'],
    [{ server: 'notes', tool: 'a'.repeat(64) }, `mcp_notes_${'a'.repeat(20)}...${'a'.repeat(30)}`],
    [{ server: 'notes', tool: 'b'.repeat(200) }, `mcp_notes_${'b'.repeat(20)}...${'b'.repeat(30)}`],
  ],
  matches: [
    ...[' for Bash', '* for Bash', 'Bash for Bash', 'Bas for Bash', 'Edit|Bash for Bash'],
    ...['my-tool for my-tools', '^B for Bash', '(Bash for (Bash', '.*ash for Bash', 'as for Bash'],
    ...['annal-.* for annal-lookup', 'lookup for annal-lookup', '* for annal-lookup'],
  ],
  excluded: [
    ['write_file', { file_path: 'a.lock', content: 'x' }, true],
    ['read_many_files', { include: ['b'], path: 'a.lock' }, false],
  ],

  input: { yes: ['git commit', '","description":"commit"}'], no: ['git push', '0804edc'] },
  mcpCall: {
    tool: 'echo_text',
    output: '[{"text":"<untrusted_context>\\necho: héllo \\"日本\\" <x>\\n</untrusted_context>"}]',
  },
  failed: {
    AfterTool: false,
    'AfterTool.mcp': false,
    'AfterTool.mcp-error': true,
    'AfterTool.shell-exit7': true,
  },
  sameFailure: [
    'AfterTool.shell-exit7',
    'Output: x\nExit Code: 7\nProcess Group PGID: 1',
    'Output: x\nExit Code: 7\nProcess Group PGID: 2',
  ],
  looksFailed: ['a log\nExit Code: 1\nof something', 'a log\nExit Code: 1'],
  failures: ['AfterTool'],
  anotherCall: { timestamp: '2026-11-20T17:11:22.415Z' },

  foreignPrompts: [],
  foreignPrompt: { prompt: 'Note from the MCP server "annal", not from the user, x; each.\n| ' },
  doubtful: ['<hook_context>x</hook_context>\\n\\n', 'Note from the MCP server \\"', '/compress'],

  answers: {
    tell: (hookEventName, additionalContext) => ({
      hookSpecificOutput: { hookEventName, additionalContext },
    }),
    ask: denied,
    deny: denied,
    input: (_, tool_input) => ({ hookSpecificOutput: { tool_input } }),
    output: denied,
  },
  longest: { characters: 10_000 },

  notices: [
    {
      recording: 'Notification',
      waitsFor: 'permission',
      message: 'Tool Confirm Shell Command requires execution',
    },
    { recording: 'AfterAgent', waitsFor: 'prompt' },
  ],
  decidesBefore: 'BeforeTool',
  // With another trigger, the event comes before each request, and does not mean a compaction.
  compaction: {
    event: 'PreCompress',
    asked: { trigger: 'manual' },
    next: ['BeforeAgent', 'BeforeAgent'],
    commands: ['/compress', '/compact ', '/summarize'],
  },

  transcript: { began: '2026-11-23T03:17:46.276Z', calls: 2, tokens: 3005 },
  writes: {
    answer,
    compaction: anew(...summary('x')),
    // A resumed session writes its history anew, which is not a compaction.
    windows: [
      [[answer(500)], 0, 500],
      [[answer(500), anew(...HISTORY)], 0, 500],
      [[answer(500), anew(...HISTORY), answer(600), anew(...HISTORY), anew(...HISTORY)], 0, 600],
      [[answer(500), anew(...summary('one'))], 'one'],
      [[answer(500), anew(...summary('one')), anew(...summary('one'), ...HISTORY)], 'one'],
      [
        [answer(500), anew(...summary('one')), answer(600), anew(...summary('one'), ...HISTORY)],
        ...(['one', 600] as const),
      ],
      [[answer(500), anew(...summary('one')), answer(600), anew(...summary('two'))], 'two'],
    ],
    twoCalls: [{ $set: { messages: [{ toolCalls: [{ id: 'a' }, { id: 'b' }] }] } }],
    forged: 'toolCalls.0.args',
    countsCalls: true,
  },
  otherKinds: [],

  imported: {
    elsewhere: { SessionStart: 'BeforeAgent' },
    starts: [['startup|resume', 'hand-sources']],
    matchers: [
      ['run_shell_command', 'Bash'],
      ['write_file|replace', '{Write,Edit,MultiEdit}'],
      ['mcp_notes_.*', 'mcp__notes__*'],
    ],
    moved: [
      ['SessionStart', 'text', ['BeforeAgent']],
      ['BeforeTool', 'text', ['AfterTool']],
      // A program that may decide stays on an event where it can.
      ['BeforeTool', 'program'],
    ],
  },
  published: {
    'gemini-showcase.json': '6 entries, 0 hooks, 0 commands; 6 hand-no-event',
    'starter-gemini.json': '3 entries, 2 hooks, 2 commands; 1 hand-no-moment',
  },
  real: {
    waiting: { args: ['--model=gemini-2.5-flash', '-i', 'Go.'] },
    editor: {
      args: ['--acp', '--model=gemini-2.5-flash', '--yolo'],
      fired: ['BeforeAgent'],
      lacks: ['BeforeTool', 'AfterTool'],
    },
    program: '@google/gemini-cli/bundle/gemini.js',
    readsAll: 'BeforeAgent',
    untold: 'it drops the texts of hooks then',
    tools: 'mcp_my-srv_',
    texts: {
      'failed command': 'read',
      'failed call': 'dropped',
      'failed MCP call': 'dropped',
      block: 'dropped',
      change: 'dropped',
    },
    cookbook: {
      'subagent-notes': 'a subagent is shown nothing when it starts',
    },
    fileCalls: [
      {
        steps: {
          write: (file_path) => ({
            call: { name: 'write_file', input: { file_path, content: 'first\n' } },
          }),
          read: (file_path) => ({ call: { name: 'read_file', input: { file_path } } }),
          edit: (file_path) => ({
            call: {
              name: 'replace',
              input: { file_path, instruction: 'x', old_string: 'first', new_string: 'second' },
            },
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
    outputs: [],
    decided: ['1 block', '2 block', '3 modify', '4 modify', '5 modify', '6 modify'],
    // It takes the fifth for a loop, and ends the turn.
    manyCalls: 4,
    subagent: {
      steps: [
        { call: { name: 'invoke_agent', input: { agent_name: 'generalist', prompt: 'SUBTASK' } } },
      ],
    },
    compaction: {
      session: {
        aside: 'SUMMARY',
        prompts: ['PROMPT-ONE', '/compress', 'PROMPT-THREE'],
        // It does not wait for the hooks of a compression, and may exit before they have started.
        steps: [
          { text: 'FIRST-ANSWER' },
          { shell: UNTIL_LOGGED },
          { text: 'second' },
          { text: 'third' },
        ],
      },
      next: 4,
    },
    rare: [
      '1 arrived with the result of the call',
      '2 arrived with the result of the call',
      '3 arrived with the result of the call',
      '4 arrived with the result of the call',
      '5 arrived with the next prompt',
      '6 arrived with the next prompt',
    ],
    ways: { link: null, install: null },
    validates: true,
  },
  servers: {
    home: '.gemini/settings.json',
    project: '.gemini/settings.json',
    key: 'mcpServers',
    names: ['ANNAL_TOKEN', 'ANNAL_PLAIN', 'ANNAL_EMPTY'],
    env: {
      GEMINI_CLI: '1',
      ANNAL_TOKEN: 'hunter2-in-variable',
      ANNAL_PLAIN: 'hunter2-in-env',
      ANNAL_EMPTY: '',
    },
    last: '$NOPE',
    offers: true,
    approval: { file: '.gemini/trustedFolders.json', to: '{ {project}: "TRUST_FOLDER" }' },
  },
  given: {
    set: { CLAUDE_PROJECT_DIR: '/home/you/shop' },
    expands: {
      $PLAIN: 'plain',
      '${PLAIN}x${PLAIN:-d}': 'plainxplain',
      '${UNSET}': ['${UNSET}', ''],
      '${UNSET:-d}': 'd',
      '${EMPTY:-d}': '',
      '${UNSET:-}': '',
      '${NESTED}': ['$PLAIN', 'plain'],
      '$UNSET costs $5': ['$UNSET costs $5', ' costs $5'],
      '${my_token}': 'sw0rdfish',
      '${CLAUDE_PROJECT_DIR}': ['${CLAUDE_PROJECT_DIR}', ''],
      '${constructor}': ['${constructor}', ''],
      '${env:PLAIN}': ['${env:PLAIN}', ''],
    },
    without: [
      ...['AUTHOR', 'my_token', 'DATABASE_URL', 'PROXY', 'GEMINI_SESSION_ID', 'LD_DEBUG'],
      'CLAUDE_PROJECT_DIR',
    ],
    environment: { GEMINI_CLI: '1', MY_KEY: 'own', NODE_OPTIONS: '--no-warnings' },
    folder: 'GEMINI_PROJECT_DIR',
    // It never ends its start with this one.
    refuses: ['${constructor}'],
  },
};
