// Disks that are really full, or really read-only.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test, type World } from '../support/world.ts';
import { type Disk, mountDisk } from './namespace.ts';
import { ours } from './processes.ts';
import { furnish, INSTALL, UNINSTALL } from './scene.ts';
import { capture, differences, stamps } from './tree.ts';

/** Bytes. The smallest unit of such a disk. */
const PAGE = 4096;
/** Kilobytes. */
const SIZE = 512;

/** Settings that take more than a few pages. */
const SETTINGS = `${JSON.stringify({ permissions: { allow: Array.from({ length: 900 }, (_, index) => `Bash(make ${index}:*)`) } }, null, 2)}\n`;

const withDisk = test.extend<{ disk: (folder: string) => Promise<Disk | string> }>({
  disk: async ({ world }, use) => {
    const disks: Disk[] = [];
    await use(async (folder) => {
      const disk = await mountDisk(folder, SIZE, world.work);
      if (typeof disk !== 'string') disks.push(disk);
      return disk;
    });
    for (const disk of disks) await disk.end();
  },
});

/** Fills the disk until `pages` pages are free. */
function fill(file: string, pages: number): void {
  rmSync(file, { force: true });
  let room = 0;
  try {
    for (; ; room++) writeFileSync(file, Buffer.alloc(PAGE), { flag: 'a' });
  } catch {} // it is full
  rmSync(file);
  if (room > pages) writeFileSync(file, Buffer.alloc((room - pages) * PAGE));
}

describe('on a full disk', () => {
  withDisk.for<[string, string, Readonly<Record<string, string>>]>([
    ['settings', '~/.claude', {}],
    ['our own folder', '~/state', { MCP_HOOKS_HOME: '~/state' }],
    ['our own folder, which is still missing', '~/state', { MCP_HOOKS_HOME: '~/state/deep/er' }],
  ])(
    '%s: nothing is written however little is free, and an install works once there is room',
    async ([, folder, variables], { world, disk: mount, skip }) => {
      await world.folder(folder);
      await furnish(world);
      const disk = await mount(world.path(folder));
      if (typeof disk === 'string') return skip(disk);
      const home = disk.seen(world.home);
      writeFileSync(join(home, '.claude', 'settings.json'), SETTINGS);
      const env = Object.fromEntries(
        Object.entries(variables).map(([name, path]) => [name, world.path(path)]),
      );
      const run = (line: string) => ours(world, line, { under: disk.under, env });
      const first = capture(home);

      const filler = join(disk.seen(world.path(folder)), 'filler');
      let refused = 0;
      for (let pages = 0; ; pages++) {
        fill(filler, pages);
        const before = capture(home);
        const { code, err } = await run(INSTALL);
        if (code === 0) break;
        refused++;
        expect({ pages, code, err }).toMatchObject({ code: 2 });
        expect(err).toContain('the disk is full');
        expect({ pages, left: differences(capture(home), before) }).toEqual({ pages, left: [] });
      }
      expect(refused).toBeGreaterThan(1);

      rmSync(filler);
      expect(await run(INSTALL)).toMatchObject({ code: 0, err: '' });
      expect(await run(UNINSTALL)).toMatchObject({ code: 0, err: '' });
      expect(differences(capture(home), first)).toEqual([]);
    },
  );

  withDisk(
    'an uninstall without room changes nothing, and works once there is room',
    async ({ world, disk: mount, skip }) => {
      await furnish(world);
      const disk = await mount(world.path('~/.claude'));
      if (typeof disk === 'string') return skip(disk);
      const home = disk.seen(world.home);
      writeFileSync(join(home, '.claude', 'settings.json'), SETTINGS);
      const run = (line: string) => ours(world, line, { under: disk.under });
      const first = capture(home);
      expect(await run(INSTALL)).toMatchObject({ code: 0, err: '' });
      const filler = join(home, '.claude', 'filler');
      fill(filler, 2);
      const before = capture(home);
      const { code, err } = await run(UNINSTALL);
      expect(code).toBe(2);
      expect(err).toContain('the disk is full');
      expect(differences(capture(home), before)).toEqual([]);
      rmSync(filler);
      expect(await run(UNINSTALL)).toMatchObject({ code: 0, err: '' });
      expect(differences(capture(home), first)).toEqual([]);
    },
  );
});

describe('on a read-only disk', () => {
  withDisk.for<[string, string, Readonly<Record<string, string>>]>([
    ['settings', '~/.claude', {}],
    ['our own folder', '~/state', { MCP_HOOKS_HOME: '~/state' }],
  ])(
    '%s: a run is refused before it touches a file',
    async ([, folder, variables], { world, disk: mount, skip }) => {
      const disk = await prepared(world, folder, mount);
      if (typeof disk === 'string') return skip(disk);
      const home = disk.seen(world.home);
      expect(await disk.remountReadOnly()).toMatchObject({ code: 0, err: '' });
      const before = stamps(home);
      const env = Object.fromEntries(
        Object.entries(variables).map(([name, path]) => [name, world.path(path)]),
      );
      const { code, out, err } = await ours(world, INSTALL, { under: disk.under, env });
      expect(code).toBe(2);
      expect(out + err).toContain('the disk is read-only');
      expect(err).toContain('Nothing was written.');
      expect(stamps(home)).toEqual(before);
    },
  );
});

async function prepared(
  world: World,
  folder: string,
  mount: (folder: string) => Promise<Disk | string>,
): Promise<Disk | string> {
  await world.folder(folder);
  await furnish(world);
  const disk = await mount(world.path(folder));
  if (typeof disk === 'string') return disk;
  writeFileSync(disk.seen(world.path('~/.claude/settings.json')), SETTINGS);
  return disk;
}
