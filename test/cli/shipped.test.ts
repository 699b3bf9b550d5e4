// Hooks that came with a plugin or an extension, not with an install: every command says correctly where they are, and what to do.
import { describe, expect } from 'vitest';
import { env } from '../support/fired.ts';
import { COMMITTED, manifest } from '../support/hooks.ts';
import { type RunOptions, test, type World } from '../support/world.ts';

/** A line as a plugin's runner writes it when its hook has fired. */
const FIRED = `${JSON.stringify({ at: Date.UTC(2026, 0, 5), client: 'claude-code', event: 'SessionStart', hooks: [1], characters: 170 })}\n`;
const LOG = '~/.mcp-hooks/log/annal.jsonl';
const MEMORY = '~/.mcp-hooks/sessions/claude-code.s.annal.x.told';

async function furnish(world: World): Promise<void> {
  await world.folder('~/.claude');
  await world.write(LOG, FIRED);
  // Hooks of another plugin, which no command names.
  await world.write('~/.mcp-hooks/log/notes.jsonl', FIRED);
  await world.write(MEMORY, '');
}

const flat = (text: string) => text.replace(/\s+/g, ' ');
const SAID =
  'Hooks called annal have fired in Claude Code anyway: they come from a plugin or an extension there, or from the administrator of this machine. Update or remove them there. To see their texts: mcp-hooks log annal';

describe('hooks of a plugin', () => {
  test.for([
    'list annal',
    'doctor annal',
    'verify annal',
    'verify annal --live',
    'fire annal session_start',
    'update annal',
    'trust annal',
    'uninstall annal --yes',
  ])('%s says where they are', async (line, { world }) => {
    await furnish(world);
    const { code, out, err } = await world.run(line, { env } satisfies RunOptions);
    expect([code, out]).toEqual([2, '']);
    expect(flat(err)).toContain('annal is not installed');
    expect(flat(err)).toContain(SAID);
    expect(err).not.toContain('Hooks called notes');
    const { details } = JSON.parse((await world.run(`${line} --json`, { env })).out);
    if (!line.startsWith('update')) expect(details).toContain(SAID);
    // The hooks' log and memory are not touched.
    expect(await world.read(LOG)).toBe(FIRED);
    expect(await world.read(MEMORY)).toBe('');
  });

  test('are in list, log and stats', async ({ world }) => {
    await furnish(world);
    const list = await world.run('list');
    const notes = SAID.replaceAll('annal', 'notes');
    expect([list.code, flat(list.out)]).toEqual([
      0,
      `mcp-hooks has installed nothing. ${SAID} ${notes} `,
    ]);
    const { shipped } = JSON.parse((await world.run('list --json')).out);
    expect(shipped).toEqual([
      { label: 'annal', clients: ['Claude Code'] },
      { label: 'notes', clients: ['Claude Code'] },
    ]);
    expect((await world.run('log annal')).out).toMatch(/claude-code +SessionStart +hook 1 +170/);
    expect((await world.run('stats annal')).out).toMatch(/claude-code +SessionStart +1 +1 +0 +170/);
  });

  test('are not mentioned where they were installed, or only tried', async ({ world }) => {
    await furnish(world);
    await world.write('annal.json', manifest(COMMITTED));
    await world.run('install annal.json --yes --client claude-code');
    const list = async (words = '') => (await world.run(`list ${words}`)).out;
    expect(await list()).not.toContain('Hooks called annal');
    expect(await list('annal')).not.toContain('have fired');
    await world.run('uninstall annal --yes');
    const tried = FIRED.replace('}\n', ',"trial":true}\n');
    for (const file of [LOG, LOG.replace('annal', 'notes')]) await world.write(file, tried);
    expect(await list()).toMatch(/^Nothing is installed\. To find /);
    expect((await world.run('doctor annal')).err).not.toContain('have fired');
  });

  test('are not mentioned if the record of installs cannot be read', async ({ world }) => {
    await furnish(world);
    await world.write('~/.mcp-hooks/ledger.json', 'not a ledger');
    for (const line of ['list', 'list --json', 'uninstall annal --yes']) {
      const { out, err } = await world.run(line);
      expect([line, `${out}${err}`]).toEqual([line, expect.not.stringContaining('have fired')]);
      expect([line, out]).toEqual([line, expect.not.stringContaining('"annal"')]);
    }
  });

  test('are not known before they have fired', async ({ world }) => {
    await world.folder('~/.claude');
    expect((await world.run('log annal')).err).toBe(
      'annal is not installed and has no log. Nothing is installed, and no hook has fired yet. Hooks that a plugin or an extension brings are in the log once they have fired. To find hooks for your servers: mcp-hooks scan\n',
    );
  });
});
