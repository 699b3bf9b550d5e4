/** Files of a clone's repository that are pipes or devices, never end, or take forever to parse. */
import { execFileSync, spawn } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import type { World } from '../support/world.ts';
import { attack, env } from './attack.ts';

const HOOK = { event: 'session_start', context: 'Hello.', priority: 'suggestion' };
const INSTALL = 'install notes.json --client claude --yes --scope';

/** The folder of the clone in which commands are run. */
const DEEP = `clone/${'a'.repeat(60)}`;

const pipe = (world: World, name: string) => execFileSync('mkfifo', [world.path(name)]);

/** Entries that each add one byte to the name before them. */
function growing(): Buffer {
  const long = Buffer.alloc(1024 * 1024, 'x');
  const entry = (name: Buffer) => {
    const bytes = Buffer.alloc(63);
    bytes.writeUInt16BE(0xfff, 60);
    return Buffer.concat([bytes, name, Buffer.from([0])]);
  };
  const more = Array.from({ length: 20_000 }, () => entry(Buffer.from('x')));
  const head = Buffer.from('DIRC\0\0\0\u0004\0\0\0\0', 'latin1');
  head.writeUInt32BE(more.length + 1, 8);
  return Buffer.concat([head, entry(long), ...more]);
}

const ATTACKS: Readonly<Record<string, (world: World) => unknown>> = {
  'an index that is a pipe': (world) => pipe(world, 'clone/.git/index'),
  'an index that is a device': (world) => symlinkSync('/dev/zero', world.path('clone/.git/index')),
  'a shared index that is a pipe': (world) => pipe(world, 'clone/.git/sharedindex.0'),
  'a worktree whose folder is a pipe': async (world) => {
    await world.remove('clone/.git');
    await world.write('clone/.git', 'gitdir: git\n');
    await world.folder('clone/git');
    pipe(world, 'clone/git/gitdir');
    pipe(world, 'clone/git/commondir');
  },
  'ignored names that are a pipe': (world) => pipe(world, `${DEEP}/.gitignore`),
  'excluded names that are a device': (world) =>
    symlinkSync('/dev/zero', world.path('clone/.git/info/exclude')),
  'names that grow': (world) => world.write('clone/.git/index', growing()),
  'a slow pattern': (world) => world.write('clone/.gitignore', `${'*a'.repeat(20)}b/\n`),
  'a line of spaces': (world) => world.write('clone/.gitignore', `${' '.repeat(500_000)}x\n`),
  'a line of brackets': (world) => world.write('clone/.gitignore', '['.repeat(500_000)),
  'a configuration of empty lines': (world) =>
    world.write('clone/.git/config', `[core]\n${'\n'.repeat(900_000)}x`),
};

/** Kills this worker if it hangs, because nothing inside it could. It ends when the worker ends, which closes its input. */
const watchdog = (seconds: number) =>
  spawn('bash', ['-c', `read -t ${seconds}; [ $? -le 128 ] || kill -KILL ${process.pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });

for (const [title, lay] of Object.entries(ATTACKS))
  attack(`a clone does not hold us up: ${title}`, async ({ world, expect }) => {
    await world.folder('~/.claude', 'clone/.git/info', DEEP);
    await world.write('clone/.git/HEAD', 'ref: refs/heads/main\n');
    await world.write(`${DEEP}/notes.json`, JSON.stringify({ hooks: { declarations: [HOOK] } }));
    await lay(world);
    for (const line of ['scan', `${INSTALL} local`, `${INSTALL} project`]) {
      const watching = watchdog(8);
      const { code } = await world.run(line, { env, cwd: world.path(DEEP) });
      watching.kill();
      expect([line, code]).toEqual([line, 0]);
    }
  });
