// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in a server's configuration
import type { Expectations } from '../expectations.ts';

const answer = (total: number) => ({
  type: 'assistant',
  message: { role: 'model', parts: [{ text: 'a' }] },
  usageMetadata: { promptTokenCount: total - 5, candidatesTokenCount: 5, totalTokenCount: total },
});

const told = (hookEventName: string, additionalContext: string) => ({
  hookSpecificOutput: { hookEventName, additionalContext },
});
const blocked = (_: string, reason: string) => ({ decision: 'block', reason });

export const EXPECTED: Expectations = {
  folder: '.qwen',
  byHand: '.qwen/settings.json',
  variable: 'QWEN_HOME',
  managed: 'etc/qwen-code/settings.json',
  loads: 'qwen extensions install {qwen-code/annal}',
  tooOld: '0.24.3',

  shell: 'run_shell_command',
  read: 'read_file',
  globs: {
    '{?dit,Web*}': {
      yes: ['edit', 'web_fetch', 'web_search'],
      no: ['run_shell_command', 'read_file', { server: 'web', tool: 'Web' }],
    },
    'Ba*h': { yes: ['run_shell_command'], no: [{ server: 'a', tool: 'Bash' }, 'glob'] },
  },
  mcpNames: [
    [{ server: 'my.server-1', tool: 'do it' }, 'mcp__my_server-1__do_it_12tfsti'],
    [{ server: 'mcp_tools', tool: 'tüt' }, 'mcp__mcp_tools__t_t_10lkccf'],
    [
      { server: 's'.repeat(40), tool: 't'.repeat(40) },
      `mcp__${'s'.repeat(40)}__${'t'.repeat(8)}_1osqfyv`,
    ],
    [{ server: 'my server', tool: 'do.it' }, 'mcp__my_server__do_it_0t07cjs'],
    [{ server: 'my__server', tool: 'do__it' }, 'mcp__my__server__do__it'],
    [{ server: 'My-Server', tool: 'DoIt' }, 'mcp__My-Server__DoIt'],
    [{ server: '9lives', tool: '2do' }, 'mcp__9lives__2do'],
    [{ server: 'naïve', tool: 'tüt' }, 'mcp__na_ve__t_t_1kg4wku'],
    [{ server: 'notes', tool: 'a'.repeat(64) }, `mcp__notes__${'a'.repeat(43)}_1nv8kdw`],
    [{ server: 'notes', tool: 'b'.repeat(200) }, `mcp__notes__${'b'.repeat(43)}_1g57kbo`],
  ],
  cutsNames: 'tools',
  matches: [
    ...[' for Bash', '* for Bash', 'Bash for Bash', 'Bas for Bash', 'Edit|Bash for Bash'],
    ...['my-tool for my-tools', '^B for Bash', '(Bash for (Bash', '.*ash for Bash', 'as for Bash'],
    ...['annal-.* for annal-lookup', 'lookup for annal-lookup', '* for annal-lookup'],
  ],
  excluded: [
    ['write_file', { file_path: 'a.lock', content: 'x' }, true],
    ['read_many_files', { include: ['b'], path: 'a.lock' }, false],
  ],

  input: { yes: ['git commit', '","description":"commit"}'], no: ['git push', '881f03f'] },
  mcpCall: { tool: 'echo', output: '[{"text":"echo: héllo \\"日本\\" <x>"}]' },
  failed: {
    PostToolUse: false,
    'PostToolUse.mcp': false,
    PostToolUseFailure: true,
    'PostToolUseFailure.mcp': true,
  },
  failedCall: [
    'run_shell_command',
    '"Command: echo out; echo err >&2; exit 3\\nDirectory: (root)\\nOutput: out\\nerr\\nError: (none)\\nExit Code: 3\\nSignal: (none)\\nProcess Group PGID: 4682"',
  ],
  sameFailure: [
    'PostToolUseFailure',
    'Output: x\nExit Code: 7\nProcess Group PGID: 1',
    'Output: x\nExit Code: 7\nProcess Group PGID: 2',
  ],
  looksFailed: [],
  failures: ['PostToolUseFailure'],
  anotherCall: { tool_use_id: 'other' },

  foreignPrompts: ['tool-result'],
  knownPrompts: ['tool-result'],
  foreignPrompt: { prompt: 'Note from the MCP server "annal", not from the user, x; each.\n| ' },
  doubtful: ['Note from the MCP server \\"'],

  answers: {
    tell: told,
    ask: blocked,
    deny: (hookEventName, permissionDecisionReason) => ({
      hookSpecificOutput: { hookEventName, permissionDecision: 'deny', permissionDecisionReason },
    }),
    output: (_, stopReason) => ({ continue: false, stopReason }),
  },
  never: ['subagent_start'],
  longest: { characters: 10_000 },

  notices: [
    {
      recording: 'Notification',
      waitsFor: 'permission',
      message: 'Qwen Code needs your permission to use run_shell_command',
    },
    {
      recording: 'Notification.idle',
      waitsFor: 'prompt',
      message: 'Qwen Code is waiting for your input',
    },
    { recording: 'Notification.signed-in' },
  ],
  decidesBefore: 'PreToolUse',
  compaction: { event: 'PreCompact', next: ['UserPromptSubmit', 'UserPromptSubmit'] },

  transcript: { began: '2026-11-27T15:42:09.017Z', calls: 3, tokens: 20_005 },
  writes: {
    answer,
    compaction: { type: 'system', subtype: 'chat_compression' },
    twoCalls: [
      {
        type: 'assistant',
        message: { parts: ['a', 'b'].map((id) => ({ functionCall: { id } })) },
      },
    ],
    forged: 'message.parts.0.functionCall.args',
    countsCalls: true,
  },
  otherKinds: [],

  imported: {
    starts: [
      [undefined, 'session_start'],
      ['startup', 'session_start', '["hand-more-sources",["resume","clear","compact"]]'],
      [
        'compact',
        'post_compact',
        '["hand-moved","SessionStart",["PostCompact","UserPromptSubmit"],"Qwen Code","with the first prompt after a compaction"]',
      ],
      ['startup|resume', 'session_start', '["hand-more-sources",["clear","compact"]]'],
    ],
    matchers: [
      ['run_shell_command', 'Bash'],
      ['write_file|edit', '{Write,Edit,MultiEdit,NotebookEdit}'],
      ['mcp__notes__.*', 'mcp__notes__*'],
    ],
    moved: [
      ['SessionStart', 'text'],
      ['PreToolUse', 'text', ['PostToolUse', 'PostToolUseFailure']],
      ['PreToolUse', 'program'],
    ],
  },
  published: {
    'qwen-docs.json':
      '7 entries, 3 hooks, 2 commands; 1 hand-asks-model; 2 hand-no-moment; 1 hand-sends',
  },
  real: {
    editor: {
      args: ['--acp', '--yolo'],
      fired: ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse'],
      lacks: [],
    },
    waiting: { args: ['--auth-type=openai', '--approval-mode=default', '-i', 'Go.'] },
    program: '@qwen-code/qwen-code/cli.js',
    readsAll: 'UserPromptSubmit',
    tools: 'mcp__my-srv__',
    texts: {
      'failed command': 'read',
      'failed call': 'read',
      'failed MCP call': 'read',
      block: 'dropped',
      change: 'dropped',
    },
    cookbook: {
      'subagent-notes': 'a subagent is shown nothing when it starts',
      'session-log': 'a session ends only in a terminal',
      sound: 'it waits for nobody without a terminal',
      notify: 'it waits for nobody without a terminal',
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
              name: 'edit',
              input: { file_path, old_string: 'first', new_string: 'second' },
            },
          }),
        },
      },
    ],
    sessions: {
      'one prompt': 'start 1, prompt 1, once 1, call 0, turn 0',
      'a session that is resumed twice': 'start 3, prompt 3, once 1, call 0, turn 2',
      'two sessions at once': 'start 2, prompt 2, once 2, call 0, turn 0',
      'a patch of two files': 'no patches',
      'a client that the first hook has started': 'start 1, prompt 2, once 2, call 0, turn 0',
    },
    outputs: ['two-value', 'three-value'],
    decided: ['1 block', '4 modify'],
    // It takes five in one answer for a loop, and ends the turn before any of them.
    manyCalls: 0,
    terminal: {
      args: ['--auth-type=openai'],
      env: {
        OPENAI_API_KEY: 'dummy',
        OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
        OPENAI_MODEL: 'scripted',
      },
      types: [
        { after: 'Type your message', keys: '/quit' },
        { after: 'exit the cli', keys: '\r' },
      ],
    },
    forgetsStart: true,
    keepsStart: true,
    forgetsAsked: true,
    clears: true,
    hearsFailedTools: true,
    subagent: {
      steps: [
        {
          call: {
            name: 'agent',
            input: {
              ...{ description: 'd', prompt: 'SUBTASK' },
              ...{ subagent_type: 'general-purpose', run_in_background: false },
            },
          },
        },
      ],
      goesOn: true,
    },
    compaction: {
      session: {
        turns: 'live',
        aside: '<state_snapshot>SUMMARY</state_snapshot>',
        prompts: ['PROMPT-ONE', '/compress', 'PROMPT-TWO', 'PROMPT-THREE'],
        steps: [{ text: 'FIRST-ANSWER' }, { text: 'second' }, { text: 'third' }],
      },
      next: 2,
      dropsPrompts: true,
    },
    rare: [
      '1 arrived with the result of the call',
      '2 arrived with the result of the call',
      '3 arrived with the result of the call',
      '4 arrived with the result of the call',
      '5 arrived with the next prompt',
      '6 arrived with the next prompt',
    ],
    ways: { install: null },
  },
  servers: {
    home: '.qwen/settings.json',
    project: '.qwen/settings.json',
    key: 'mcpServers',
    names: ['ANNAL_TOKEN', 'ANNAL_PLAIN', 'ANNAL_EMPTY'],
    env: {
      ANNAL_TOKEN: 'hunter2-in-variable',
      ANNAL_PLAIN: 'hunter2-in-env',
      ANNAL_EMPTY: '${NOPE}',
    },
    last: '$NOPE',
    offers: true,
  },
  given: {
    set: { CLAUDE_PROJECT_DIR: '/home/you/shop' },
    expands: {
      $PLAIN: 'plain',
      '${PLAIN}x${PLAIN:-d}': 'plainx${PLAIN:-d}',
      '${NESTED}': '$PLAIN',
      '${my_token}': 'sw0rdfish',
    },
    without: ['CLAUDE_PROJECT_DIR'],
    environment: { MY_KEY: 'own', NODE_OPTIONS: '--trace-warnings' },
    folder: 'QWEN_PROJECT_DIR',
  },
};
