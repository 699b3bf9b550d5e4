import type { Expectations } from '../expectations.ts';

const call = (name: string, input: Readonly<Record<string, string>>) => ({ call: { name, input } });

const patched = (...lines: string[]) =>
  call('apply_patch', { patchText: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });

export const EXPECTED: Expectations = {
  folder: '.config/opencode',
  byHand: '.config/opencode/plugins/mine.js',
  variable: 'XDG_CONFIG_HOME',
  tooOld: '1.18.32',

  shell: 'bash',
  read: 'read',
  globs: {
    '{?dit,Web*}': {
      yes: ['edit', 'webfetch', 'websearch'],
      no: ['bash', 'read', { server: 'web', tool: 'Web' }],
    },
    'Ba*h': { yes: ['bash'], no: [{ server: 'a', tool: 'Bash' }, 'glob'] },
  },
  mcpNames: [
    [{ server: 'my.server-1', tool: 'do it' }, 'my_server-1_do_it'],
    [{ server: 'mcp_tools', tool: 'tüt' }, 'mcp_tools_t_t'],
    [{ server: 's'.repeat(40), tool: 't'.repeat(40) }, `${'s'.repeat(40)}_${'t'.repeat(40)}`],
    [{ server: 'my server', tool: 'do.it' }, 'my_server_do_it'],
    [{ server: 'my__server', tool: 'do__it' }, 'my__server_do__it'],
    [{ server: 'My-Server', tool: 'DoIt' }, 'My-Server_DoIt'],
    [{ server: '9lives', tool: '2do' }, '9lives_2do'],
    [{ server: 'naïve', tool: 'tüt' }, 'na_ve_t_t'],
    [{ server: 'notes', tool: 'a'.repeat(64) }, `notes_${'a'.repeat(64)}`],
    [{ server: 'notes', tool: 'b'.repeat(200) }, `notes_${'b'.repeat(200)}`],
  ],
  matches: [
    ...[' for Bash', 'Bash for Bash', 'Edit|Bash for Bash', '.*ash for Bash'],
    ...['annal-.* for annal-lookup'],
  ],
  excluded: [
    ['write', { filePath: 'a.lock', content: 'x' }, true],
    ['write', { filePath: 'a.ts', content: 'x' }, false],
  ],

  input: { yes: ['git commit', '","description":"commit"}'], no: ['git push', 'f6315ec'] },
  mcpCall: { tool: 'echo', output: '"echo: héllo \\"日本\\" <x>"' },
  failed: {
    PostToolUse: false,
    'PostToolUse.failed': true,
    'PostToolUse.mcp': undefined,
    PostToolUseFailure: true,
    'PostToolUseFailure.mcp': true,
  },
  failedCall: ['read', '"File not found: /home/dev/shop/none.txt"'],
  looksFailed: [],
  failures: ['PostToolUse', 'PostToolUseFailure'],
  anotherCall: { tool_use_id: 'call_9_1' },

  foreignPrompts: [],
  foreignPrompt: { agent_id: 'ses_other' },
  doubtful: [],

  answers: {
    tell: (_event, context) => ({ context }),
    ask: (_event, ask) => ({ ask }),
    deny: (_event, block) => ({ block }),
    input: (_event, input) => ({ input }),
    output: (_event, output) => ({ output }),
  },
  longest: { characters: 100_000 },

  notices: [{ recording: 'Stop', waitsFor: 'prompt' }],
  decidesBefore: 'PreToolUse',
  compaction: { event: 'PreCompact', next: ['SessionStart', 'SessionStart.compact'] },
  otherKinds: [],

  imported: { starts: [], matchers: [], moved: [] },
  published: {},
  real: {
    program: `opencode-${process.platform}-${process.arch}/bin/opencode`,
    // Two first starts both make the database, and one ends with "database is locked" or "Failed query" (1.18.33, also
    // without a plugin).
    firstStart: ['session', 'list'],
    readsAll: 'UserPromptSubmit',
    ownHook: (command) => `
import { execSync } from 'node:child_process';
export const Mine = async () => ({
  'chat.message': async ({ sessionID }, { message, parts }) => {
    const { context: text } = JSON.parse(execSync(${JSON.stringify(command)}, { input: '{"hook_event_name":"UserPromptSubmit"}' }));
    parts.push({ id: parts.at(-1).id + 'm', sessionID, messageID: message.id, type: 'text', text });
  },
});
`,
    tools: 'my-srv_',
    hearsFailedTools: true,
    texts: {
      'failed command': 'read',
      'failed call': 'read',
      'failed MCP call': 'read',
      block: 'read',
      change: 'read',
    },
    cookbook: {},
    fileCalls: [
      {
        steps: {
          write: (filePath) => call('write', { filePath, content: 'first\n' }),
          read: (filePath) => call('read', { filePath }),
          edit: (filePath) => call('edit', { filePath, oldString: 'first', newString: 'second' }),
        },
      },
      {
        model: 'gpt-5',
        steps: {
          write: () => patched('*** Add File: one.txt', '+first'),
          read: (filePath) => call('read', { filePath }),
          edit: () => patched('*** Update File: one.txt', '@@', '-first', '+second'),
          'edit both': () =>
            patched(
              ...['*** Update File: two.txt', '@@', '-other', '+new'],
              ...['*** Add File: three.txt', '+third'],
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
    outputs: [],
    decided: ['1 block', '2 block', '3 modify', '4 modify', '5 modify', '6 modify'],
    again: ['run', 'PROMPT-ONE'],
    forgetsStart: true,
    keepsStart: true,
    subagent: {
      steps: [call('task', { description: 'd', prompt: 'SUBTASK', subagent_type: 'general' })],
      isTold: true,
      goesOn: false,
    },
    compaction: {
      session: {
        turns: 'live',
        aside: 'SUMMARY',
        prompts: ['PROMPT-ONE', 'PROMPT-TWO', 'PROMPT-THREE'],
        steps: [{ text: 'FIRST-ANSWER', tokens: 199_500 }, { text: 'second' }, { text: 'third' }],
      },
      next: 2,
    },
    rare: [
      ...[1, 2, 3, 4].map((hook) => `${hook} arrived with the result of the call`),
      ...[5, 6].map((hook) => `${hook} arrived alone, as one more turn`),
    ],
    ways: { 'a link in its plugins': null },
  },
  servers: {
    home: '.config/opencode/opencode.jsonc',
    project: '.opencode/opencode.jsonc',
    key: 'mcp',
    names: ['ANNAL_TOKEN', 'ANNAL_PLAIN', 'ANNAL_EMPTY'],
    env: {
      ANNAL_TOKEN: 'hunter2-in-variable',
      ANNAL_PLAIN: 'hunter2-in-env',
      ANNAL_EMPTY: '',
    },
    last: '',
    inSession: true,
    offers: true,
  },
  given: {
    expands: { '${env:PLAIN}': '$plain', '{env:PLAIN}x{env:UNSET}': 'plainx' },
    environment: { NODE_OPTIONS: '--trace-warnings' },
    elsewhere: 'project',
  },
};
