// What each client gets from a declaration: test/clients/<id>/compiled.txt, which `vitest -u` writes. Review its changes.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Client } from '../../src/clients/contract.ts';
import { bundleOf, CLIENTS } from '../../src/clients/registry.ts';
import { bundleFor } from '../../src/compile/bundles/bundle.ts';
import { shipmentOf } from '../../src/compile/bundles/shipment.ts';
import { type CompileOptions, compile } from '../../src/compile/compile.ts';
import { ALL_EVENTS, type Event } from '../../src/declaration/declaration.ts';
import { RULES } from '../../src/declaration/policy.ts';
import { template } from '../../src/system/package-files.ts';
import { declaring } from '../support/declaring.ts';

const STATE = '/home/ann/.mcp-hooks';
const PLACE = {
  runner: `${STATE}/servers/annal`,
  state: STATE,
  defaults: { ...RULES, contextTool: true, block: true, modify: true, command: true },
} as const;
const ON_WINDOWS = 'C:\\Users\\Ann\\.mcp-hooks';
const WINDOWS = {
  runner: `${ON_WINDOWS}\\servers\\annal`,
  state: ON_WINDOWS,
  windows: { node: 'C:\\Program Files\\nodejs\\node.exe' },
};

/** What a hook may do, and the options that make a difference. */
const KINDS: Readonly<Record<string, readonly [hook: object, options?: Partial<CompileOptions>]>> =
  {
    text: [{ context: 'A.' }],
    'text, at once': [{ context: 'A.' }, { actNow: true }],
    'text, no turns': [{ context: 'A.' }, { extraTurns: false }],
    tool: [{ context_tool: 'recall' }],
    block: [{ block: 'No.' }],
    change: [{ command: ['x'], may: ['modify'] }],
  };

const declared = (...hooks: readonly object[]) =>
  declaring(hooks, { version: 2, server: { command: 'annal' } });

/** A hook's grade, the native events with what the runner does there, and what the plan notes. */
function made(client: Client, event: Event, kind: string): string {
  const [hook, options] = KINDS[kind] ?? [{}];
  const budget = event === 'budget_exceeded' && { budget: { tokens: 100_000 } };
  const { hooks, program } = compile(declared({ event, ...hook, ...budget }), client, {
    ...PLACE,
    ...options,
  });
  const on = Object.entries(program.events).flatMap(([native, { hooks: here }]) =>
    here.map(({ act, once, marked, when }) =>
      [native, when && JSON.stringify(when), act, once && 'once', marked && 'if marked']
        .filter(Boolean)
        .join(' '),
    ),
  );
  const notes = hooks.flatMap((one) =>
    one.notes.map((note) => ('what' in note ? `${note.code} ${note.what}` : note.code)),
  );
  return [hooks[0]?.grade, on.join(', '), notes.join(', ')].filter(Boolean).join('; ');
}

/** What is written for hooks on these events, a line for each native one. */
function entries(client: Client, events: readonly Event[], options: Partial<CompileOptions> = {}) {
  const hooks = events.map((event) => ({
    event,
    context: 'A.',
    ...(event.endsWith('tool_use') && { matcher: { tool_name: 'Bash' } }),
    ...(event === 'budget_exceeded' && { budget: { tokens: 100_000 } }),
  }));
  const atEnd = events.includes('session_end')
    ? [{ event: 'session_end', context_tool: 'save' }]
    : [];
  const { groups } = compile(declared(...hooks, ...atEnd), client, { ...PLACE, ...options });
  return groups.map(({ event, group }) => `${event} ${JSON.stringify(group)}`);
}

const MATCHERS = [
  'Bash',
  '{Edit,Write}',
  '{Bash,WebFetch}',
  '{Write,Read,Edit,Bash}',
  'Frobnicate',
  'run_shell_command',
];

function matcher(client: Client, tool_name: string): string {
  const hook = { event: 'post_tool_use', context: 'A.', matcher: { tool_name } };
  const { groups } = compile(declared(hook), client, PLACE);
  return `${tool_name}: ${groups.find(({ group }) => group.matcher !== undefined)?.group.matcher}`;
}

test.each(CLIENTS)('the compiled hooks of $id are those in compiled.txt', async (client) => {
  const bundle = bundleOf(client);
  const shipment = shipmentOf(declared({ event: 'pre_request', context: 'A.' }), {});
  const shipped = bundle && bundleFor(client, bundle, shipment, { template });
  const text = shipped?.files
    .map(({ bytes }) => String(bytes))
    .find((one) => one.includes('"hooks": {'));
  const lines = [
    ...ALL_EVENTS.flatMap((event) => {
      const all = Object.keys(KINDS).map((kind) => [kind, made(client, event, kind)] as const);
      const [, text] = all[0] ?? [];
      return [
        `# ${event}`,
        ...all.flatMap(([kind, one], index) => {
          const isSame = /^t/.test(kind) ? one === text : /^none|not-decided/.test(one);
          return index > 0 && isSame ? [] : `${kind}: ${one}`;
        }),
      ];
    }),
    '# matchers',
    ...MATCHERS.map((one) => matcher(client, one)),
    '# entries',
    ...entries(client, ALL_EVENTS),
    '# entries for calls',
    ...entries(client, ['post_tool_use']),
    '# entries on Windows',
    ...entries(client, ['pre_request'], WINDOWS),
    ...(text?.match(/"(?:commandWindows|powershell|shell)": "[^"]*"/g) ?? []),
  ];
  const file = join(import.meta.dirname, client.id, 'compiled.txt');
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(file);
});
