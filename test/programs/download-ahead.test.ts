/**
 * A package that npx has to download is there before a hook waits for it. A hook would kill npx after a few seconds, and the
 * download would start again each time.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { test, type World } from '../support/world.ts';

const SERVER = join(import.meta.dirname, '../support/servers/configured.mjs');

/** An npx whose download takes longer than a hook waits for its tool. It writes `~/ended` if it is killed before that. */
async function furnish(world: World, downloads = 'setTimeout(download, 6000)'): Promise<void> {
  const script = `#!${process.execPath}
const fs = require('node:fs');
const { createHash } = require('node:crypto');
const home = ${JSON.stringify(world.home)};
const hash = createHash('sha512').update('@acme/notes').digest('hex').slice(0, 16);
const modules = home + '/.npm/_npx/' + hash + '/node_modules';
const start = () => import(${JSON.stringify(SERVER)});
const ended = () => { fs.writeFileSync(home + '/ended', ''); process.exit(1); };
const download = () => {
  process.off('SIGTERM', ended);
  fs.mkdirSync(modules + '/@acme/notes', { recursive: true });
  fs.writeFileSync(modules + '/@acme/notes/package.json', '{ "bin": "cli.js" }');
  fs.writeFileSync(modules + '/@acme/notes/cli.js', '');
  fs.writeFileSync(modules + '/.package-lock.json', '{}');
  start();
};
if (fs.existsSync(modules)) start();
else { process.on('SIGTERM', ended); ${downloads}; }
`;
  await world.write('~/bin/npx', script, 0o755);
  // Without a registry, mcp-hooks makes no copy of the package.
  await world.write('~/bin/npm', "#!/bin/sh\necho 'npm error code ENOTFOUND' >&2\nexit 1\n", 0o755);
  await world.write(
    'notes.json',
    JSON.stringify({
      server: { command: 'npx', args: ['-y', '@acme/notes'] },
      hooks: {
        declarations: [{ event: 'session_start', context_tool: 'recall', priority: 'important' }],
      },
    }),
  );
}

const inWorld = (world: World) => ({
  env: { PATH: `${world.home}/bin:${process.env.PATH}` },
});

const INSTALL = 'install notes.json --client claude --yes';

describe.concurrent('a package that hooks start with npx', () => {
  test('is downloaded when its tools are allowed', async ({ world, expect }) => {
    await furnish(world);
    const { code, err } = await world.run(`${INSTALL} --allow context-tool`, inWorld(world));
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(
        /^note: notes: its hooks start npx at each call\. npm could not reach its registry for\s@acme\/notes@latest \(ENOTFOUND\)\.\nnotes: npx is downloading @acme\/notes \(1 s\) \.\.\.\n$/,
      ),
    ]);
    const { out } = await world.run('fire notes session_start', inWorld(world));
    expect(out).toContain('hook 1 shown');
    expect(existsSync(world.path('~/ended'))).toBe(false);
  });

  test('is not downloaded while its tools are not allowed', async ({ world, expect }) => {
    await furnish(world);
    const { code, err } = await world.run(INSTALL, inWorld(world));
    expect([code, err]).toEqual([0, '']);
    expect(existsSync(world.path('~/.npm'))).toBe(false);
  });

  test('is downloaded by update if its tools become allowed', async ({ world, expect }) => {
    await furnish(world, 'setTimeout(download, 1500)');
    await world.run(INSTALL, inWorld(world));
    const line = 'update notes --yes --allow context-tool';
    const { code, err } = await world.run(line, inWorld(world));
    expect([code, err]).toEqual([0, expect.stringContaining('notes: npx is downloading')]);
    expect(existsSync(world.path('~/.npm'))).toBe(true);
  });

  test('is downloaded again by verify after the cache was emptied', async ({ world, expect }) => {
    await furnish(world);
    await world.run(`${INSTALL} --allow context-tool`, inWorld(world));
    await world.remove('~/.npm');
    const { code, err, out } = await world.run('verify notes', inWorld(world));
    expect(err).toContain('notes: npx is downloading @acme/notes (1 s) ...');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/\nEverything fires once .*: 1 hook in /),
    ]);
    expect(existsSync(world.path('~/ended'))).toBe(false);
  });

  test('is named by doctor if a tool did not answer in time', async ({ world, expect }) => {
    await furnish(world, 'setTimeout(download, 100)');
    await world.run(`${INSTALL} --allow context-tool`, inWorld(world));
    const why = [{ code: 'no-answer-in-time' }];
    const line = { at: Date.now(), client: 'claude-code', event: 'SessionStart', hooks: [], why };
    await world.write(
      '~/.mcp-hooks/log/notes.jsonl',
      `${JSON.stringify({ ...line, characters: 0 })}\n`,
    );
    const { out } = await world.run('doctor notes --json', inWorld(world));
    const { findings } = JSON.parse(out);
    expect(findings.find(({ check }: { check: string }) => check === 'calls').todo).toBe(
      'npx may still have to download its server. Wait for it with mcp-hooks verify notes, or run this once by hand: npx -y @acme/notes',
    );
  });

  test('gets its hooks installed even if it cannot be downloaded', async ({ world, expect }) => {
    await furnish(world, "console.error('no network\\ntry later'); process.exit(3)");
    const { code, err } = await world.run(`${INSTALL} --allow context-tool`, inWorld(world));
    expect(code).toBe(0);
    expect(err).toMatch(
      /^warning: notes: notes ended \(exit code 3\) before it answered\..*\n(?:.+\n)? {2}\| no network\n {2}\| try later\nUntil its server starts, the hooks that call its tools show nothing\.\nTry it by hand: npx -y @acme\/notes\n$/m,
    );
  });
});
