/** The reason why the system refuses to write a file. The refusals are simulated, because the system refuses root nothing. */
import fs from 'node:fs';
import { expect, test, vi } from 'vitest';
import { sentence } from '../../src/present/messages/sentence.ts';
import { missingOnTheWay, obstacle } from '../../src/system/files.ts';
import { World } from '../support/world.ts';

test('a read-only folder is named, with the command that helps', async () => {
  const world = await World.make();
  vi.spyOn(fs, 'accessSync').mockImplementation(() => {
    throw Object.assign(new Error('no'), { code: 'EACCES' });
  });
  try {
    await world.write('~/.claude/settings.json', '{}');
    const folder = world.path('~/.claude');
    const said = (name = 'settings.json') => {
      const why = obstacle(world.path(`~/.claude/${name}`));
      return why && sentence(why);
    };
    expect(said()).toBe(`you may not write in the folder ${folder}`);
    fs.chmodSync(folder, 0o555);
    expect(said()).toBe(`the folder ${folder} is read-only (chmod u+w makes it writable)`);
    // Only its owner can make another user's folder writable.
    vi.spyOn(process, 'geteuid').mockReturnValue(fs.statSync(folder).uid + 1);
    expect(said('new.json')).toBe(`you may not write in the folder ${folder}`);
  } finally {
    vi.restoreAllMocks();
    await world.remove();
  }
});

test('any other refusal has the error code of the system', async () => {
  const world = await World.make();
  try {
    await world.write('~/.claude', 'a file');
    const within = obstacle(world.path('~/.claude/settings.json'));
    expect(within).toMatchObject({ code: 'system-reason', errno: 'ENOTDIR' });
    vi.spyOn(fs, 'accessSync').mockImplementation(() => {
      throw Object.assign(new Error('no'), { code: 'EROFS' });
    });
    expect(obstacle(world.path('~/new.json'))).toMatchObject({ errno: 'EROFS' });
  } finally {
    vi.restoreAllMocks();
    await world.remove();
  }
});

test('a missing drive of Windows has no folder above it', () => {
  vi.spyOn(fs, 'statSync').mockReturnValue(undefined);
  try {
    expect(missingOnTheWay('/a/b')).toEqual(['/', '/a']);
  } finally {
    vi.restoreAllMocks();
  }
});
