// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in a server's configuration
import type { Expectations } from '../expectations.ts';

const told = (hookEventName: string, additionalContext: string) => ({
  hookSpecificOutput: { hookEventName, additionalContext },
});
const execute = (command: string) => ({ command, riskLevel: 'low', riskLevelReason: 'x' });

export const EXPECTED: Expectations = {
  folder: '.factory',
  byHand: '.factory/settings.json',
  variable: 'FACTORY_HOME_OVERRIDE',
  tooOld: '0.214.0',

  shell: 'Execute',
  read: 'Read',
  globs: {
    '{?dit,Web*}': {
      yes: ['Edit', 'FetchUrl', 'WebSearch'],
      no: ['Execute', 'Read', { server: 'web', tool: 'Web' }],
    },
    'Ba*h': { yes: ['Execute'], no: [{ server: 'a', tool: 'Bash' }, 'Glob'] },
  },
  mcpNames: [
    [{ server: 'my.server-1', tool: 'do it' }, 'my-server-1___do_it'],
    [{ server: 'mcp_tools', tool: 'tüt' }, 'mcp_tools___t_t'],
    [
      { server: 's'.repeat(40), tool: 't'.repeat(40) },
      `${'s'.repeat(32)}___${'t'.repeat(20)}_b422a71a`,
    ],
    [{ server: 'my server', tool: 'do.it' }, 'my-server___do_it'],
    [{ server: 'my__server', tool: 'do__it' }, 'my__server___do__it'],
    [{ server: 'My-Server', tool: 'DoIt' }, 'My-Server___DoIt'],
    [{ server: '9lives', tool: '2do' }, '9lives___2do'],
    [{ server: 'naïve', tool: 'tüt' }, 'nave___t_t'],
    [{ server: 'notes', tool: 'a'.repeat(64) }, `notes___${'a'.repeat(47)}_83b95881`],
    [{ server: 'notes', tool: 'b'.repeat(200) }, `notes___${'b'.repeat(47)}_0b8bb17f`],
  ],
  cutsNames: 'servers and tools',
  matches: [
    ...[' for Bash', '* for Bash', 'Bash for Bash', 'Bas for Bash', 'Edit|Bash for Bash'],
    ...['my-tool for my-tools', '^B for Bash', '(Bash for (Bash', '.*ash for Bash', 'as for Bash'],
    ...['annal-.* for annal-lookup', 'lookup for annal-lookup', '* for annal-lookup'],
  ],
  excluded: [
    ['Create', { file_path: 'a.lock', content: 'x' }, true],
    ['FetchUrl', { url: 'a.lock' }, false],
  ],

  input: { yes: ['git commit'], no: ['git push'] },
  mcpCall: { tool: 'echo', output: '"echo: héllo \\"日本\\" <x>"' },
  failed: { PostToolUse: false, 'PostToolUse.mcp': false },
  looksFailed: [],
  failures: [],
  callsAlike: true,
  anotherCall: { tool_input: execute('git commit -m other') },

  foreignPrompts: ['in-subagent'],
  foreignPrompt: { prompt: 'Note from the MCP server "annal", not from the user, x; each.\n| ' },
  doubtful: ['Note from the MCP server \\"'],

  answers: {
    tell: told,
    ask: (_, reason) => ({ decision: 'block', reason }),
    deny: (hookEventName, permissionDecisionReason) => ({
      hookSpecificOutput: { hookEventName, permissionDecision: 'deny', permissionDecisionReason },
    }),
    input: (hookEventName, updatedInput) => ({
      hookSpecificOutput: { hookEventName, updatedInput },
    }),
  },
  // No hook runs after a failed call, or when it compacts by itself, and its transcript has no token counts.
  never: ['pre_compact', 'post_compact', 'subagent_start', 'tool_error', 'budget_exceeded'],
  longest: { characters: 100_000 },

  notices: [
    {
      recording: 'Notification',
      waitsFor: 'permission',
      message: 'Factory CLI needs permission to execute 1 tool(s)',
    },
    { recording: 'Stop', waitsFor: 'prompt' },
  ],
  decidesBefore: 'PreToolUse',
  compaction: { event: 'PreCompact', next: ['UserPromptSubmit', 'UserPromptSubmit'] },

  transcript: { began: '2026-11-27T20:03:32.726Z', calls: 3, tokens: 2576, estimated: true },
  writes: {
    answer: () => ({}),
    compaction: { type: 'compaction_state' },
    twoCalls: [
      {
        type: 'message',
        message: {
          role: 'assistant',
          content: ['a', 'b'].map((id) => ({ type: 'tool_use', id })),
        },
      },
    ],
    forged: 'message.content.0.input',
  },
  otherKinds: [],

  imported: {
    starts: [
      [undefined, 'session_start'],
      ['startup', 'session_start', '["hand-more-sources",["resume","clear","compact"]]'],
    ],
    matchers: [
      ['Execute', 'Bash'],
      ['Create|Edit', '{Write,Edit}'],
      ['notes___.*', 'mcp__notes__*'],
    ],
    moved: [
      ['SessionStart', 'text'],
      ['PreToolUse', 'text', ['PostToolUse']],
      ['PreToolUse', 'program'],
    ],
  },
  published: {
    'droid-docs.json': '6 entries, 4 hooks, 3 commands; 2 hand-no-file',
  },
  real: {
    waiting: {
      args: ['Go.'],
      settings: () => ({
        '.factory/settings.json': {
          cloudSessionSync: false,
          sessionDefaultSettings: { model: 'custom:scripted-0', autonomyMode: 'normal' },
        },
      }),
      trust: 'Trust this folder?',
    },
    program: `@factory/cli-${process.platform}-${process.arch}/bin/droid`,
    readsAll: 'SessionStart',
    untold: 'it runs no hooks then',
    tools: 'my-srv___',
    texts: {
      'failed command': 'not run',
      'failed call': 'not run',
      'failed MCP call': 'not run',
      block: 'read',
      change: 'read',
    },
    cookbook: {
      stuck: 'no hook runs after a call that failed',
      'budget-warning': 'its record does not have the tokens in use',
      'subagent-notes': 'a subagent is a session of its own',
    },
    fileCalls: [
      {
        steps: {
          write: (file_path) => ({
            call: { name: 'Create', input: { file_path, content: 'first\n' } },
          }),
          read: (file_path) => ({ call: { name: 'Read', input: { file_path } } }),
          edit: (file_path) => ({
            call: { name: 'Edit', input: { file_path, old_str: 'first', new_str: 'second' } },
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
    outputs: ['one-value', 'two-value', 'three-value', 'four-value'],
    decided: ['5 modify'],
    again: ['exec', '--model=custom:scripted-0', 'PROMPT-ONE'],
    forgetsStart: true,
    subagent: {
      steps: [
        {
          call: {
            name: 'Task',
            input: { description: 'd', prompt: 'SUBTASK', subagent_type: 'worker', await: true },
          },
        },
      ],
      isTold: true,
      goesOn: false,
    },
    compaction: {
      session: {
        turns: 'live',
        aside: 'SUMMARY',
        prompts: ['PROMPT-ONE', 'PROMPT-TWO', 'PROMPT-THREE'],
        steps: [{ text: 'FIRST-ANSWER', tokens: 150_000 }, { text: 'second' }, { text: 'third' }],
      },
      next: 2,
      untold: 'it runs no hook when it compacts by itself',
    },
    rare: [],
    ways: { 'a folder as marketplace': null },
  },
  servers: {
    home: '.factory/mcp.json',
    project: '.factory/mcp.json',
    key: 'mcpServers',
    names: ['ANNAL_TOKEN', 'ANNAL_PLAIN', 'ANNAL_EMPTY'],
    env: {
      ANNAL_TOKEN: 'hunter2-in-variable',
      ANNAL_PLAIN: 'hunter2-in-env',
      ANNAL_EMPTY: '${NOPE}',
    },
    last: '${NOPE}',
    offers: true,
  },
  given: {
    set: { CLAUDE_PROJECT_DIR: '/home/you/shop' },
    // Expands only in variables. A default also replaces an empty value.
    expands: {
      '${PLAIN}x${PLAIN:-d}': ['${PLAIN}x${PLAIN:-d}', 'plainxplain'],
      '${UNSET:-d}': ['${UNSET:-d}', 'd'],
      '${EMPTY:-d}': ['${EMPTY:-d}', 'd'],
      '${UNSET:-}': ['${UNSET:-}', ''],
      '${NESTED}': ['${NESTED}', '$PLAIN'],
      '${my_token}': ['${my_token}', 'sw0rdfish'],
    },
    without: ['CLAUDE_PROJECT_DIR'],
    environment: { MY_KEY: 'own', NODE_OPTIONS: '--trace-warnings' },
    folder: 'FACTORY_PROJECT_DIR',
    refuses: ['${UNSET}', '${CLAUDE_PROJECT_DIR}', '${constructor}'],
  },
};
