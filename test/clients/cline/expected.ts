// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in a server's configuration
import type { Expectations } from '../expectations.ts';

const patched = (...lines: string[]) => ({
  call: {
    name: 'apply_patch',
    input: { input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') },
  },
});

const tells = (_event: string, context: string) => ({ context });

export const EXPECTED: Expectations = {
  folder: '.cline',
  byHand: '.cline/plugins/mine.js',
  variable: 'CLINE_DIR',
  tooOld: '3.0.64',

  shell: 'run_commands',
  read: 'read_files',
  globs: {
    '{?dit,Web*}': {
      yes: ['editor', 'fetch_web_content'],
      no: ['run_commands', 'read_files', { server: 'web', tool: 'Web' }],
    },
    'Ba*h': { yes: ['run_commands'], no: [{ server: 'a', tool: 'Bash' }, 'search_codebase'] },
  },
  mcpNames: [
    [{ server: 'my.server-1', tool: 'do it' }, 'my_server-1__do_it_9956b206'],
    [{ server: 'mcp_tools', tool: 'tüt' }, 'mcp_tools__t_t_90a3d41d'],
    [
      { server: 's'.repeat(40), tool: 't'.repeat(40) },
      `${'s'.repeat(40)}__${'t'.repeat(13)}_5b6f0c72`,
    ],
    [{ server: 'my server', tool: 'do.it' }, 'my_server__do_it_b89bafce'],
    [{ server: 'my__server', tool: 'do__it' }, 'my__server__do__it'],
    [{ server: 'My-Server', tool: 'DoIt' }, 'My-Server__DoIt'],
    [{ server: '9lives', tool: '2do' }, '9lives__2do'],
    [{ server: 'naïve', tool: 'tüt' }, 'na_ve__t_t_1546ef92'],
    [{ server: 'notes', tool: 'a'.repeat(64) }, `notes__${'a'.repeat(48)}_375d878a`],
    [{ server: 'notes', tool: 'b'.repeat(200) }, `notes__${'b'.repeat(48)}_9404a444`],
  ],
  cutsNames: 'tools',
  matches: [
    ...[' for Bash', 'Bash for Bash', 'Edit|Bash for Bash', '.*ash for Bash'],
    ...['annal-.* for annal-lookup'],
  ],
  excluded: [
    ['editor', { file_path: 'a.lock', new_string: 'x' }, true],
    ['editor', { file_path: 'a.ts', new_string: 'x' }, false],
  ],

  input: { yes: ['git commit', '{"command":"git'], no: ['git push', '9956b206'] },
  mcpCall: { tool: 'echo', output: '"echo: héllo \\"日本\\" <x>"' },
  failed: {
    PostToolUse: false,
    'PostToolUse.mcp': false,
    'PostToolUse.failed': true,
    'PostToolUse.failed-mcp': true,
    'PostToolUse.in-subagent': false,
  },
  looksFailed: [],
  failures: ['PostToolUse'],
  anotherCall: { tool_use_id: 'call_2_1' },

  foreignPrompts: [],
  foreignPrompt: { prompt: '' },
  doubtful: [],

  answers: {
    tell: tells,
    ask: tells,
    deny: (_event, block) => ({ block }),
    input: (_event, input) => ({ input }),
    output: (_event, output) => ({ output }),
  },
  asksNothing: true,
  longest: { characters: 10_000 },

  notices: [{ recording: 'Stop', waitsFor: 'prompt' }],
  decidesBefore: 'PreToolUse',

  otherKinds: ['PreCompact.remaining_context_tokens: undefined'],

  imported: { starts: [], matchers: [], moved: [] },
  published: {},
  real: {
    program: 'cline/bin/cline',
    ownHook: (command) => `
import { execSync } from 'node:child_process';
const beforeModel = async ({ request: { messages } }) => {
  const { context: text } = JSON.parse(execSync(${JSON.stringify(command)}, { input: '{"hook_event_name":"UserPromptSubmit"}' }));
  return { messages: [...messages, { ...messages.at(-1), id: 'mine', role: 'user', content: [{ type: 'text', text }] }] };
};
export default { name: 'mine', manifest: { capabilities: ['hooks'] }, hooks: { beforeModel } };
`,
    readsAll: 'UserPromptSubmit',
    tools: 'my-srv__',
    keepsBlocked: true,
    forgetsStart: true,
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
          write: (path) => ({ call: { name: 'editor', input: { path, new_text: 'first\n' } } }),
          read: (path) => ({ call: { name: 'read_files', input: { files: [{ path }] } } }),
          edit: (path) => ({
            call: { name: 'editor', input: { path, old_text: 'first', new_text: 'second' } },
          }),
        },
      },
      {
        model: 'gpt-5',
        steps: {
          write: () => patched('*** Add File: one.txt', '+first'),
          read: (path) => ({ call: { name: 'read_files', input: { files: [{ path }] } } }),
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
    outputs: ['two-value', 'three-value'],
    decided: ['1 block', '4 modify', '5 modify', '6 modify'],
    subagent: {
      steps: [
        { call: { name: 'spawn_agent', input: { systemPrompt: 'Do it.', task: 'SUBTASK' } } },
      ],
      isTold: true,
      goesOn: false,
    },
    again: ['Do it once more.'],
    compaction: {
      // Started as by an editor, it compacts nothing. The prompt is longer than it assumes that the model can read, and its
      // strategy `basic` removes the first call, without a summary from the model.
      command: `exec "$0" --json --provider openai-compatible --model scripted --compaction basic "PROMPT-ONE $(yes and so on | head -c 100000)" </dev/null`,
      session: {
        turns: 'live',
        prompts: ['PROMPT-ONE'],
        steps: [
          { shell: "printf 'FIRST-%s' ANSWER", tokens: 199_500 },
          { shell: 'echo A', tokens: 500 },
          { text: 'done' },
        ],
      },
      next: 2,
    },
    rare: [
      ...[1, 2, 3, 4].map((hook) => `${hook} arrived with the result of the call`),
      ...[5, 6].map((hook) => `${hook} arrived alone, as one more turn`),
    ],
    ways: { 'plugin install': null },
  },
  servers: {
    home: '.cline/data/settings/cline_mcp_settings.json',
    key: 'mcpServers',
    names: ['ANNAL_TOKEN', 'ANNAL_PLAIN'],
    env: { ANNAL_TOKEN: 'hunter2-in-variable', ANNAL_PLAIN: 'hunter2-in-env' },
    last: '$NOPE',
    inSession: true,
  },
  given: {
    set: { CLINE_BUILD_ENV: 'production', MCP_HOOKS_STARTED_IN: '/home/you/shop' },
    expands: {},
    without: ['CLINE_BUILD_ENV', 'MCP_HOOKS_STARTED_IN'],
    environment: { NODE_OPTIONS: '--trace-warnings' },
    folder: 'MCP_HOOKS_STARTED_IN',
    elsewhere: 'files',
  },
};
