import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CLIENTS } from '../../src/clients/index.ts';
import { disk } from '../../src/commands/context.ts';
import { readLedger } from '../../src/ledger.ts';
import { LIVE } from '../../src/live/clients.ts';
import { placesIn } from '../../src/live/copy.ts';
import { soundFiles } from '../../src/live/known.ts';
import { run } from '../../src/live/process.ts';
import { scratch } from '../../src/live/scratch.ts';
import { tryHooks } from '../../src/live/trial.ts';
import { readWritten } from '../../src/written.ts';

const CLI = join(import.meta.dirname, '../../dist/cli.cjs');
const D = (flags: boolean) => [
  { event: 'session_start', context: 'AT-START' },
  { event: 'pre_request', context: 'WITH-PROMPT' },
  { event: 'pre_tool_use', matcher: { tool_name: 'Bash' }, context: 'BEFORE-TOOL' },
  { event: 'post_tool_use', matcher: { tool_name: 'Bash' }, context: 'AFTER-TOOL' },
  { event: 'post_tool_use', matcher: { tool_name: '{Edit,Write}' }, context: 'AFTER-EDIT' },
  { event: 'post_tool_use', matcher: { tool_server: 'quux' }, context: 'OF-SERVER' },
  { event: 'post_tool_use', matcher: { tool_name: 'mcp__my-srv__x' }, context: 'OF-NAME' },
  { event: 'post_request', context: 'AFTER-TURN' },
  { event: 'session_end', context: 'AT-END' },
  { event: 'session_end', context_tool: 'recall' },
];
for (const spec of (process.env.SPECS ?? '').split(' ').filter(Boolean))
  test.each([false, true])(`${spec} %s`, async (actNow) => {
    const [, id = '', version = ''] = /^(.*)-([\d.]+)$/.exec(spec) ?? [];
    const full =
      { 'claude-code': 'claude-code', codex: 'codex', 'gemini-cli': 'gemini-cli' }[id] ?? '';
    const client = CLIENTS.find((c) => c.id === full)!;
    const live = LIVE.find((c) => c.id === full)!;
    const place = scratch(realpathSync('/var/tmp'), 'v-');
    try {
      const file = join(place.files, 'annal.json');
      writeFileSync(
        file,
        JSON.stringify({
          name: 'annal',
          server: {
            command: process.execPath,
            args: [join(import.meta.dirname, '../../fixtures/servers/plain.mjs')],
          },
          hooks: { declarations: D(actNow).map((d) => ({ ...d, priority: 'important' })) },
        }),
      );
      const r = await run(
        [process.execPath, CLI],
        [
          'install',
          file,
          '--client',
          full,
          '--yes',
          '--allow',
          'context-tool',
          ...(actNow ? ['--act-now'] : []),
        ],
        { cwd: place.project, env: { HOME: place.home, PATH: '/nowhere' } },
      );
      expect(r.exitCode, r.stderr).toBe(0);
      const places = placesIn(place.home);
      const { ledger } = readLedger(places.state, disk.read);
      const install = ledger.installs[0]!;
      const t = scratch(realpathSync('/var/tmp'), 'vt-');
      try {
        const bin = `/tmp/vers/${spec}/node_modules/.bin/${client.executable}`;
        const trial = await tryHooks({
          client,
          live,
          label: 'annal',
          places,
          disk,
          scratch: t,
          launch: [bin],
          runner: soundFiles(install, places, disk),
          written: readWritten(client, places, disk).hooks,
          deadline: 40000,
          version,
        } as never);
        const lines = trial.hooks.map(
          (h) => `${h.number} ${h.event} ${h.fate.kind} ${JSON.stringify(h.fate)} ${h.tool ?? ''}`,
        );
        if (process.env.DUMP)
          writeFileSync(
            process.env.DUMP,
            JSON.stringify((globalThis as any).__outcome?.conversation.requests ?? [], null, 1),
          );
        console.log(
          [
            `== ${spec} actNow=${actNow} requests ${trial.requests} broken ${trial.broken}`,
            ...lines,
            trial.trouble ? JSON.stringify(trial.trouble, null, 1).slice(0, 3000) : '',
          ].join('\n'),
        );
      } finally {
        t.remove();
      }
    } finally {
      place.remove();
    }
  });
