/** Why a file may not be written, where the system refuses it: to root it refuses nothing. */
import fs from 'node:fs';
import { expect, test, vi } from 'vitest';
import { sentence } from '../../src/cli/messages/sentence.ts';
import { obstacle } from '../../src/system/files.ts';
import { World } from '../support/world.ts';

test('a folder that is read-only is named, with what helps', async () => {
  const world = await World.make();
  vi.spyOn(fs, 'accessSync').mockImplementation(() => {
    throw Object.assign(new Error('no'), { code: 'EACCES' });
  });
  try {
    await world.write('~/.claude/settings.json', '{}');
    const folder = world.path('~/.claude');
    const said = () => {
      const why = obstacle(world.path('~/.claude/settings.json'));
      return why && sentence(why);
    };
    expect(said()).toBe(`you may not write in the folder ${folder}`);
    fs.chmodSync(folder, 0o555);
    expect(said()).toBe(`the folder ${folder} is read-only (chmod u+w makes it writable)`);
  } finally {
    vi.restoreAllMocks();
    await world.remove();
  }
});
