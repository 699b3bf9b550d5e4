// What the second stage keeps of itself: the code that V8 has made of it. It may save time, and nothing else.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { codex } from '../src/clients/codex.ts';
import { disk } from '../src/commands/context.ts';
import { copyHooks, placesIn } from '../src/live/copy.ts';
import type { Places } from '../src/places.ts';
import { isCompiled } from '../src/runner.ts';
import { all, type ClientId, eachAsync, MOMENTS, recordedText } from './support/runner/clients.ts';
import { bodies, install, scratch, type World } from './support/runner/world.ts';

const HOOKS = [
  { event: 'pre_request', context: 'Hi.' },
  { event: 'post_tool_use', matcher: { input_contains: 'never' }, context: 'No.' },
] as const;

const kept = ({ runner }: World) => readdirSync(runner).filter(isCompiled);
const hears = async (world: World, id: ClientId) => bodies(await world.told(id, 'prompt'));
const eachHears = (world: World) => eachAsync((id) => hears(world, id));

describe('what V8 has made of the second stage', () => {
  test('is kept by the first run that says something, for whoever has the same runner', async () => {
    const world = install({ hooks: HOOKS });
    await world.told('codex', 'after');
    expect(kept(world)).toEqual([]);
    expect(await eachHears(world)).toEqual(all(['Hi.']));
    const [name = '', ...others] = kept(world);
    expect(others).toEqual([]);
    expect(name).toContain(`${process.version}-${process.arch}`);
    const file = join(world.runner, name);
    const { mtimeMs, mode } = statSync(file);
    expect(mode & 0o777).toBe(0o600);
    expect(await eachHears(world)).toEqual(all(['Hi.']));
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
  });

  test('is used, and not where the file is another one', async () => {
    const world = install({ hooks: HOOKS });
    await hears(world, 'codex');
    const runner = join(world.runner, 'runner.cjs');
    const text = readFileSync(runner, 'utf8');
    // V8 compares lengths: what is as long is run as it was compiled.
    writeFileSync(runner, text.replaceAll('Message from', 'Massage from'));
    expect(await world.told('codex', 'prompt')).toContain('Message from');
    writeFileSync(runner, text.replaceAll('Message from', 'A message from'));
    expect(await world.told('codex', 'prompt')).toContain('A message from');
  });

  test.each([
    ['nothing', () => Buffer.alloc(0)],
    ['something else', () => Buffer.from('hello')],
    ['half of it', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['that of another version', (bytes: Buffer) => Buffer.from(bytes).fill(7, 4, 8)],
  ])('where there is %s instead, all is said all the same', async (_, change) => {
    const world = install({ hooks: HOOKS });
    await hears(world, 'codex');
    const file = join(world.runner, kept(world)[0] ?? '');
    const damaged = change(readFileSync(file));
    writeFileSync(file, damaged);
    expect(await eachHears(world)).toEqual(all(['Hi.']));
    expect(readFileSync(file).equals(damaged)).toBe(false); // it is made again
  });

  test('is on the disk before it has its name: of a part of it V8 would die, each time', async () => {
    const world = install({ hooks: HOOKS });
    const calls = join(world.folder, 'calls');
    const watch = `const fs = require('node:fs');
      for (const name of ['fsyncSync', 'renameSync']) {
        const real = fs[name];
        fs[name] = (...args) => (fs.appendFileSync(${JSON.stringify(calls)}, name + ' '), real(...args));
      }`;
    writeFileSync(join(world.folder, 'watch.cjs'), watch);
    const start = join(world.runner, 'start.cjs');
    const args = ['-r', join(world.folder, 'watch.cjs'), start, 'codex', 'UserPromptSubmit'];
    const input = JSON.stringify({ session_id: 's', prompt: 'Hello.', cwd: world.cwd });
    expect((await execa(process.execPath, args, { input })).stdout).toContain('Hi.');
    expect(readFileSync(calls, 'utf8')).toBe('fsyncSync renameSync ');
  });

  test('or a folder, which is left alone', async () => {
    const world = install({ hooks: HOOKS });
    await hears(world, 'codex');
    const [name = ''] = kept(world);
    const other = install({ hooks: HOOKS });
    mkdirSync(join(other.runner, name));
    expect(await eachHears(other)).toEqual(all(['Hi.']));
    expect(statSync(join(other.runner, name)).isDirectory()).toBe(true);
  });

  test('what an older one has left goes', async () => {
    const world = install({ hooks: HOOKS });
    writeFileSync(join(world.runner, 'runner.cjs.other-v1.0.0-x64.bin'), 'old');
    await hears(world, 'codex');
    expect(kept(world)).toHaveLength(1);
    expect(kept(world)[0]).not.toContain('v1.0.0');
  });

  test('one of which a node dies goes, too: the next node makes another', async () => {
    const killed = join(scratch(), 'node');
    writeFileSync(killed, '#!/bin/sh\nkill -SEGV $$\n', { mode: 0o755 });
    for (const shell of ['sh', 'bash'] as const) {
      const world = install({ hooks: HOOKS, node: killed });
      writeFileSync(join(world.runner, 'runner.cjs.other-v1.0.0-x64.bin'), 'broken');
      const { event, file } = MOMENTS.prompt.codex;
      expect(await world.fire('codex', event, recordedText('codex', file), { shell })).toBe('');
      expect(kept(world)).toEqual([]);
    }
  });

  test('ten at once keep one', async () => {
    const world = install({ hooks: HOOKS });
    await Promise.all(
      Array.from({ length: 10 }, async (_, session) =>
        expect(bodies(await world.told('codex', 'prompt', { session_id: `${session}` }))).toEqual([
          'Hi.',
        ]),
      ),
    );
    expect(kept(world)).toHaveLength(1);
  });

  test('is none of the files that are copied to be tried', () => {
    const home = scratch('home');
    const from: Places = { env: {}, home, state: join(home, 'state'), scope: 'user' };
    const folder = join(from.state, 'servers/annal');
    mkdirSync(folder, { recursive: true });
    for (const name of ['runner.cjs', 'runner.cjs.1-v1.0.0-x64.bin'])
      writeFileSync(join(folder, name), '');
    const to = scratch('other');
    copyHooks(codex, 'annal', [], from, to, disk);
    expect(readdirSync(join(placesIn(to).state, 'servers/annal'))).toEqual(['runner.cjs']);
  });
});
