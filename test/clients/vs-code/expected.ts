// From VS Code's pages (https://code.visualstudio.com/docs/agents/reference/hooks-reference), not from a run, as are the
// payloads in fixtures/events. Names of tools that the pages do not have are from its source.
import type { Documented } from '../expectations.ts';

const specific = (hookEventName: string, more: object) => ({
  hookSpecificOutput: { hookEventName, ...more },
});

export const EXPECTED: Documented = {
  folder: '.copilot',
  byHand: '.copilot/hooks/own.json',

  shell: 'run_in_terminal',
  read: 'read_file',
  globs: {
    // It ignores matchers.
    '{?dit,Web*}': { yes: [], no: [] },
    'Ba*h': { yes: [], no: [] },
  },
  mcpNames: [
    [{ server: 'my.server-1', tool: 'do it' }, 'mcp_my.server-1_do_it'],
    [{ server: 'my_server', tool: 'DoIt' }, 'mcp_my_server_DoIt'],
    [{ server: 'notes', tool: 'a'.repeat(64) }, `mcp_notes_${'a'.repeat(54)}`],
  ],
  matches: [],
  excluded: [
    ['create_file', { filePath: 'a.lock', content: 'x' }, true],
    ['create_file', { filePath: 'a.ts', content: 'x' }, false],
  ],

  input: { yes: ['git commit', '{"command":"git commit'], no: ['git push', 'b7e0c1d'] },
  mcpCall: { tool: 'echo', output: 'echo: héllo ✓ <&>' },
  failed: {},
  looksFailed: [],
  failures: [],
  anotherCall: { tool_use_id: 'other' },

  foreignPrompts: ['followup'],
  knownPrompts: ['followup'],
  foreignPrompt: { prompt: 'Note from the MCP server "annal", not from the user, x; each.\n| ' },
  doubtful: ['Note from the MCP server \\"'],

  answers: {
    tell: (event, additionalContext) => specific(event, { additionalContext }),
    ask: (event, reason) => specific(event, { decision: 'block', reason }),
    deny: (event, permissionDecisionReason) =>
      specific(event, { permissionDecision: 'deny', permissionDecisionReason }),
    input: (event, updatedInput) => specific(event, { updatedInput }),
  },
  longest: { characters: 10_000 },

  decidesBefore: 'PreToolUse',
  compaction: { event: 'PreCompact', next: ['PreToolUse', 'PreToolUse'] },
  otherKinds: [],

  imported: {
    elsewhere: { UserPromptSubmit: 'PreToolUse', SubagentStop: 'PostToolUse' },
    starts: [],
    matchers: [],
    moved: [
      ['SessionStart', 'text'],
      ['UserPromptSubmit', 'text', ['PreToolUse']],
    ],
  },
  published: {},
  servers: {
    home: '.config/Code/User/mcp.json',
    project: '.vscode/mcp.json',
    key: 'servers',
    names: ['ANNAL_TOKEN', 'ANNAL_PLAIN', 'ANNAL_PORT'],
    env: {
      ANNAL_TOKEN: 'hunter2-in-variable',
      ANNAL_PLAIN: 'hunter2-in-env',
      ANNAL_PORT: '8080',
    },
    last: '',
    absolute: true,
    offers: true,
  },
};
