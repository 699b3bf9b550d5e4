// From Cursor's pages (https://cursor.com/docs/hooks), not from a run, as are the payloads in fixtures/events.
import type { Documented } from '../expectations.ts';

export const EXPECTED: Documented = {
  folder: '.cursor',
  byHand: '.cursor/hooks.json',

  shell: 'Shell',
  read: 'Read',
  globs: {
    '{?dit,Web*}': {
      yes: ['Write', 'Web', { server: 'web', tool: 'Web' }],
      no: ['Shell', 'Read', 'Grep'],
    },
    'Ba*h': { yes: ['Shell'], no: ['Grep', 'Read'] },
  },
  mcpNames: [
    [{ server: 'my.server-1', tool: 'do.it' }, 'MCP:do.it'],
    [{ server: 'my__server', tool: 'do__it' }, 'MCP:do__it'],
    [{ server: 'My-Server', tool: 'DoIt' }, 'MCP:DoIt'],
    [{ server: 'notes', tool: 'a'.repeat(64) }, `MCP:${'a'.repeat(64)}`],
  ],
  matches: [
    ...[' for Bash', 'Bash for Bash', 'Bas for Bash', 'Edit|Bash for Bash', '^B for Bash'],
    ...['my-tool for my-tools', '.*ash for Bash', 'as for Bash', '* for Bash'],
    ...['annal-.* for annal-lookup', 'lookup for annal-lookup', '* for annal-lookup'],
  ],
  excluded: [
    ['Write', { file_path: 'a.lock', content: 'x' }, true],
    ['Write', { file_path: 'a.ts', content: 'x' }, false],
  ],

  input: { yes: ['git commit', '{"command":"git commit'], no: ['git push', '5d1f0c5'] },
  mcpCall: { tool: 'echo', output: '{"content":[{"type":"text","text":"echo: héllo ✓ <&>"}]}' },
  failed: {
    postToolUse: undefined,
    'postToolUse.mcp': undefined,
    postToolUseFailure: true,
    'postToolUseFailure.mcp': true,
  },
  looksFailed: [],
  failures: ['postToolUseFailure'],
  anotherCall: { tool_use_id: 'other' },

  foreignPrompts: ['followup'],
  knownPrompts: ['followup'],
  foreignPrompt: { prompt: 'Note from the MCP server "annal", not from the user, x; each.\n| ' },
  doubtful: ['Note from the MCP server \\"'],

  answers: {
    tell: (_, additional_context) => ({ additional_context }),
    ask: (_, followup_message) => ({ followup_message }),
    deny: (_, reason) => ({ permission: 'deny', user_message: reason, agent_message: reason }),
    input: (_, updated_input) => ({ updated_input }),
    output: (_, text) => ({ updated_mcp_tool_output: { content: [{ type: 'text', text }] } }),
  },
  longest: { characters: 10_000 },

  decidesBefore: 'preToolUse',
  compaction: { event: 'preCompact', next: ['postToolUse', 'postToolUse'] },
  otherKinds: [],

  imported: {
    elsewhere: { beforeSubmitPrompt: 'postToolUse', subagentStop: 'postToolUse' },
    starts: [['startup', 'session_start']],
    matchers: [
      ['Shell|Write', '{Bash,Write}'],
      ['^Shell$', 'Bash'],
    ],
    moved: [
      ['sessionStart', 'text'],
      ['preToolUse', 'text', ['postToolUse']],
      ['preToolUse', 'program'],
      ['beforeSubmitPrompt', 'text', ['postToolUse']],
    ],
  },
  published: {},
  servers: {
    home: '.cursor/mcp.json',
    project: '.cursor/mcp.json',
    key: 'mcpServers',
    names: ['ANNAL_FILE', 'ANNAL_PLAIN', 'ANNAL_TOKEN', 'ANNAL_HOME'],
    env: {
      ANNAL_TOKEN: 'hunter2-in-variable',
      ANNAL_PLAIN: 'hunter2-in-env',
      ANNAL_FILE: 'hunter2 in file',
      ANNAL_HOME: '{home}/annal',
    },
    last: '',
    absolute: true,
    offers: true,
  },
};
