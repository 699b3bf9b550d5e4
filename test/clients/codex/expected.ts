// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in a server's configuration
import { basename } from 'node:path';
import { getPath, parse, str } from '../../../src/system/json.ts';
import type { Expectations } from '../expectations.ts';

const patch = (...headings: readonly string[]) => ({
  command: ['*** Begin Patch', ...headings, '*** End Patch'].join('\n'),
});
const patched = (...lines: readonly string[]) => ({
  call: { name: 'apply_patch', input: patch(...lines).command },
});
const message = (role: string, text: string) => ({
  type: 'response_item',
  payload: { type: 'message', role, content: [{ type: 'input_text', text }] },
});
const blocked = (_: string, reason: string) => ({ decision: 'block', reason });

export const EXPECTED: Expectations = {
  folder: '.codex',
  byHand: '.codex/hooks.json',
  variable: 'CODEX_HOME',
  managed: 'etc/codex/requirements.toml',
  loads: 'codex plugin marketplace add {codex} && codex plugin add annal@annal',
  tooOld: '0.144.6',

  shell: 'Bash',
  globs: {
    '{?dit,Web*}': { yes: ['apply_patch'], no: ['Bash', 'view_image'] },
    'Ba*h': { yes: ['Bash'], no: ['BashOutput', { server: 'a', tool: 'Bash' }] },
  },
  mcpNames: [
    [{ server: 'my.server-1', tool: 'do it' }, 'mcp__my_server_1__do_it'],
    [{ server: 'mcp_tools', tool: 'tüt' }, 'mcp__mcp_tools__t_t'],
    [{ server: 's'.repeat(40), tool: 't'.repeat(40) }, `mcp__${'s'.repeat(40)}__${'t'.repeat(40)}`],
    [{ server: 'my server', tool: 'do.it' }, null],
    [{ server: 'my__server', tool: 'do__it' }, 'mcp__my__server__do__it'],
    [{ server: 'My-Server', tool: 'DoIt' }, 'mcp__My_Server__DoIt'],
    [{ server: '9lives', tool: '2do' }, 'mcp__9lives__2do'],
    [{ server: 'naïve', tool: 'tüt' }, null],
    [{ server: 'notes', tool: 'a'.repeat(64) }, `mcp__notes__${'a'.repeat(64)}`],
    [{ server: 'notes', tool: 'b'.repeat(200) }, `mcp__notes__${'b'.repeat(103)}_c819c6f7bf06`],
  ],
  matches: [
    ...[' for Bash', '* for Bash', 'Bash for Bash', 'Edit|Bash for Bash', '^B for Bash'],
    ...['my-tool for my-tools', 'Edit for apply_patch', '.*ash for Bash'],
    ...['annal-.* for annal-lookup', '* for annal-lookup'],
  ],
  excluded: [
    ['apply_patch', patch('*** Add File: a.lock'), true],
    ['apply_patch', patch('*** Add File: a.lock', '*** Add File: a.ts'), false],
  ],

  input: { yes: ['git commit', '{"command":"git commit'], no: ['git push', '83d3f78'] },
  mcpCall: {
    tool: 'echo',
    output: '{"content":[{"type":"text","text":"echo: héllo ✓ <&>\\u2028"}]}',
  },
  failed: { PostToolUse: undefined },
  looksFailed: [],
  failures: [],
  anotherCall: { tool_use_id: 'other' },

  foreignPrompts: ['in-subagent'],
  foreignPrompt: { subagent: 'a' },
  doubtful: [],

  answers: {
    tell: (hookEventName, additionalContext) => ({
      hookSpecificOutput: { hookEventName, additionalContext },
    }),
    ask: blocked,
    deny: (hookEventName, permissionDecisionReason) => ({
      hookSpecificOutput: { hookEventName, permissionDecision: 'deny', permissionDecisionReason },
    }),
    input: (hookEventName, updatedInput) => ({
      hookSpecificOutput: { hookEventName, updatedInput, permissionDecision: 'allow' },
    }),
    output: blocked,
  },
  longest: { characters: 10_000, bytes: 10_000 },

  notices: [
    { recording: 'PermissionRequest', waitsFor: 'permission' },
    { recording: 'Stop', waitsFor: 'prompt' },
  ],
  decidesBefore: 'PreToolUse',
  compaction: { event: 'PreCompact', next: ['SessionStart', 'SessionStart.compact'] },
  timeAtEnd: 1500,

  transcript: { began: '2026-11-23T03:17:38.944Z', calls: 3, tokens: 5005, window: 258_400 },
  writes: {
    answer: (total_tokens) => ({
      timestamp: 't',
      type: 'token_usage_record',
      payload: { usage: { input_tokens: 1, total_tokens } },
    }),
    compaction: { timestamp: 't', type: 'compacted', payload: { message: 'm' } },
    answerAfter: (total_tokens) => ({
      timestamp: 't',
      type: 'event_msg',
      payload: {
        type: 'token_count',
        info: { last_token_usage: { input_tokens: 0, total_tokens } },
      },
    }),
    history: {
      said: (text) => message('developer', text),
      quoted: (text) => message('user', text),
    },
    twoCalls: [
      { type: 'response_item', payload: { type: 'function_call', call_id: 'a', id: 'x' } },
      { type: 'response_item', payload: { type: 'function_call', call_id: 'a', id: 'y' } },
      { type: 'response_item', payload: { type: 'web_search_call', id: 'b' } },
    ],
    forged: 'payload.item.result.structuredContent',
  },
  otherKinds: [],

  imported: {
    starts: [
      ['^(startup|resume|clear|compact)$', 'session_start'],
      ['(?!x)', 'hand-matcher'],
    ],
    matchers: [
      ['apply_patch', '{Edit,MultiEdit,Write}'],
      ['^Bash$', 'Bash'],
    ],
    moved: [
      ['SessionStart', 'text'],
      ['PostCompact', 'text'],
    ],
  },
  published: {
    'basic-memory-codex.json': '2 entries, 2 hooks, 2 commands',
    'codex-docs.toml': '4 entries, 3 hooks, 2 commands; 1 hand-tool-input',
    'gh-zen-codex.json': '1 entries, 1 hooks, 1 commands',
    'git-hooks-path.json': '1 entries, 1 hooks, 1 commands',
    'memory-engine-codex.json': '2 entries, 2 hooks, 2 commands',
    'starter-codex.json': '2 entries, 2 hooks, 2 commands',
  },
  real: {
    program: '@openai/codex/bin/codex.js',
    readsAll: 'UserPromptSubmit',
    untold: 'it runs no hooks then',
    tools: 'mcp__my_srv.',
    texts: {
      'failed command': 'read',
      'failed call': 'not run',
      'failed MCP call': 'not run',
      block: 'read',
      change: 'read',
    },
    cookbook: {
      stuck: 'it never shows how a command ended',
    },
    fileCalls: [
      {
        steps: {
          write: (file) => patched(`*** Add File: ${basename(file)}`, '+first'),
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
      'a session that is resumed twice': 'start 1, prompt 3, once 1, call 0, turn 2',
      'two sessions at once': 'start 2, prompt 2, once 2, call 0, turn 0',
      'a patch of two files': 'start 1, prompt 1, once 1, call 1, turn 0',
      'a client that the first hook has started': 'start 1, prompt 2, once 2, call 0, turn 0',
    },
    outputs: ['two-value', 'three-value'],
    decided: ['1 block', '4 modify', '5 modify', '6 modify'],
    asks: true,
    subagent: {
      steps: [
        { call: { name: 'multi_agent_v1.spawn_agent', input: { message: 'SUBTASK' } } },
        ({ passages }) => {
          const spawned = passages.find(({ kind }) => kind === 'result')?.text ?? '{}';
          const targets = [str(getPath(parse(spawned), 'agent_id'))];
          return { call: { name: 'multi_agent_v1.wait_agent', input: { targets } } };
        },
      ],
      isTold: true,
    },
    compaction: {
      session: {
        aside: 'SUMMARY',
        prompts: ['PROMPT-ONE', 'PROMPT-TWO', 'PROMPT-THREE'],
        steps: [
          { text: 'FIRST-ANSWER' },
          { shell: 'echo done', tokens: 300_000 },
          { text: 'second' },
          { text: 'third' },
        ],
      },
      next: 3,
    },
    clears: true,
    rare: [
      '3 arrived with the result of the call',
      '4 arrived with the result of the call',
      '5 arrived with the summary',
      '6 arrived with the summary',
    ],
    ways: { 'a marketplace': null },
  },
  servers: {
    home: '.codex/config.toml',
    project: '.codex/config.toml',
    key: 'mcp_servers',
    names: ['ANNAL_PLAIN', 'ANNAL_TOKEN', 'NOT_SET'],
    env: { ANNAL_PLAIN: 'hunter2-in-env' },
    // It expands nothing.
    last: '${NOPE}',
    approval: { file: '.codex/config.toml', from: '"/home/ann/elsewhere"', to: '{project}' },
  },
  given: {
    expands: {},
    only: ['PATH', 'HOME', 'LANG', 'TZ', 'NODE_OPTIONS', 'LD_DEBUG', 'MY_KEY'],
    environment: { NODE_OPTIONS: '--trace-warnings' },
    elsewhere: 'project',
  },
};
