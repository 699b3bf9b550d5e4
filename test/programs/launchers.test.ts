// npx, uvx and similar launchers: what a command line starts, where npx finds it, and that a download is not cut off.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { launcherOf } from '../../src/sources/launchers/launcher.ts';
import { programOfNpx } from '../../src/sources/launchers/npx.ts';
import { askServer } from '../../src/sources/protocol/ask.ts';
import { linesOf } from '../support/said.ts';
import { test, type World } from '../support/world.ts';

const SERVER = join(import.meta.dirname, '../support/servers/configured.mjs');

const words = (line: string) => {
  const [command = '', ...args] = line.split(' ');
  const launcher = launcherOf(command, args);
  if (!launcher) return undefined;
  const { name, packages, program, args: given } = launcher;
  return [name, packages.join(' '), program, given.join(' ')];
};

test('the package and program of a command line', () => {
  const lines: [string, ReturnType<typeof words>][] = [
    ['npx -y notes --port 1', ['npx', 'notes', undefined, '--port 1']],
    ['npx -- @acme/notes@1.2.3', ['npx', '@acme/notes@1.2.3', undefined, '']],
    ['npx --registry https://r notes', ['npx', 'notes', undefined, '']],
    ['npx -y -p notes -p more serve -v', ['npx', 'notes more', 'serve', '-v']],
    ['npx --package=notes serve', ['npx', 'notes', 'serve', '']],
    ['/usr/local/bin/npx notes', ['npx', 'notes', undefined, '']],
    ['cmd /c npx -y notes', ['npx', 'notes', undefined, '']],
    ['C:\\nodejs\\npx.cmd -y notes', ['npx', 'notes', undefined, '']],
    ['npm exec -y --package=notes -- serve', ['npm exec', 'notes', 'serve', '']],
    ['uvx --from notes[cli] --python 3.12 serve', ['uvx', 'notes[cli]', 'serve', '']],
    ['uv --quiet tool run notes@latest', ['uv tool run', 'notes@latest', undefined, '']],
    ['bunx --bun notes', ['bunx', 'notes', undefined, '']],
    ['bun x notes', ['bunx', 'notes', undefined, '']],
    ['pnpm --package=notes dlx serve', ['pnpm dlx', 'notes', 'serve', '']],
    ['pnpm dlx notes', ['pnpm dlx', 'notes', undefined, '']],
    ['yarn dlx notes', ['yarn dlx', 'notes', undefined, '']],
    ['pipx run --spec notes serve', ['pipx run', 'notes', 'serve', '']],
    ['docker run -i --rm acme/notes', ['docker', '', undefined, '']],
    ['npx -c', ['npx', '', undefined, '']],
    ['npm start', undefined],
    ['uv run server.py', undefined],
    ['bun server.ts', undefined],
    ['docker exec notes', undefined],
    ['node npx', undefined],
  ];
  expect(lines.map(([line]) => [line, words(line)])).toEqual(lines);
});

/** The folder of npx's own cache for these packages. */
const cacheOf = (...packages: string[]) =>
  `~/.npm/_npx/${createHash('sha512').update(packages.join('\n')).digest('hex').slice(0, 16)}/node_modules`;

async function put(world: World, modules: string, name: string, about: object): Promise<void> {
  await world.write(`${modules}/${name}/package.json`, JSON.stringify(about));
  await world.write(`${modules}/${name}/cli.js`, '');
}

describe('npx without the network', () => {
  const notes = { version: '1.2.3', bin: { serve: 'cli.js' } };
  const foundIn = async (world: World, packages: readonly string[], program?: string) => {
    const wanted = { packages, ...(program !== undefined && { program }) };
    const found = programOfNpx(wanted, { cwd: world.work, env: world.env() });
    return found === undefined ? undefined : world.tidy(found).replace(/_npx\/\w+/, '_npx/<hash>');
  };

  test('finds a package in the cache once npx has written all of it', async ({ world }) => {
    const modules = cacheOf('@acme/notes@latest');
    await put(world, modules, '@acme/notes', notes);
    expect(await foundIn(world, ['@acme/notes@latest'])).toBeUndefined();
    await world.write(`${modules}/.package-lock.json`, '{}');
    expect(await foundIn(world, ['@acme/notes@latest'])).toBe(
      '/home/ann/.npm/_npx/<hash>/node_modules/@acme/notes/cli.js',
    );
    expect(await foundIn(world, ['@acme/notes'])).toBeUndefined();
    expect(await foundIn(world, ['../evil'])).toBeUndefined();
  });

  test('uses the same folder name as the real npx', () => {
    expect(cacheOf('@modelcontextprotocol/server-memory')).toContain('/15b07286cbcc3329/');
  });

  test('finds a cache that was moved', async ({ world }) => {
    const modules = cacheOf('notes').replace('~/.npm', '~/moved');
    await put(world, modules, 'notes', notes);
    await world.write(`${modules}/.package-lock.json`, '{}');
    expect(await foundIn(world, ['notes'])).toBeUndefined();
    await world.write('~/.npmrc', `fund=false\ncache = ${world.home}/moved\n`);
    expect(await foundIn(world, ['notes'])).toContain('/moved/_npx/');
  });

  test('searches the project first, then the global packages', async ({ world }) => {
    await world.write('../bin/npx', '', 0o755);
    await put(world, '../lib/node_modules', 'notes', notes);
    expect(await foundIn(world, ['notes'])).toBe('/lib/node_modules/notes/cli.js');
    await put(world, 'node_modules', 'notes', { ...notes, version: '2.0.0' });
    expect(await foundIn(world, ['notes'])).toBe('/desk/node_modules/notes/cli.js');
    expect(await foundIn(world, ['notes@1.2.3'])).toBe('/lib/node_modules/notes/cli.js');
    // Only the registry knows the version of a tag or a range.
    expect(await foundIn(world, ['notes@latest'])).toBeUndefined();
  });

  test('chooses among several programs', async ({ world }) => {
    const about = (bin: unknown) => put(world, 'node_modules', 'notes', { bin });
    await about({ serve: 'cli.js', other: 'package.json' });
    expect(await foundIn(world, ['notes'])).toBeUndefined();
    expect(await foundIn(world, ['notes'], 'other')).toBe('/desk/node_modules/notes/package.json');
    await world.write('node_modules/notes/package.json', '\uFEFF{ "bin": "cli.js" }');
    expect(await foundIn(world, ['notes'])).toBe('/desk/node_modules/notes/cli.js');
    await about({ other: 'package.json', notes: 'cli.js' });
    expect(await foundIn(world, ['notes'])).toBe('/desk/node_modules/notes/cli.js');
    await about({ gone: 'gone.js' });
    expect(await foundIn(world, ['notes'])).toBeUndefined();
  });
});

describe.concurrent('a download', () => {
  const HANGS = 'setInterval(() => {}, 1000);';

  /** A launcher of this name that runs a script; `server()` starts the server as a separate process. */
  async function launcher(world: World, name: string, script: string) {
    const text = `#!${process.execPath}
const fs = require('node:fs');
const run = (...args) => require('node:child_process').spawn(process.execPath, args, { stdio: 'inherit' });
const server = () => run(${JSON.stringify(SERVER)});
${script}
`;
    await world.write(name, text, 0o755);
    return { command: world.path(name), cwd: world.work, env: world.env() };
  }

  async function ask(
    options: Awaited<ReturnType<typeof launcher>>,
    args: readonly string[],
    downloadDeadline = 60_000,
  ) {
    const told: number[] = [];
    const asked = askServer({
      ...options,
      ...{ label: 'notes', name: 'notes', version: '1', args, deadline: 4000, downloadDeadline },
      onDownload: ({ seconds }) => void told.push(seconds),
    });
    return asked.then(
      ({ hooks }) => ({ hooks: hooks.length, told: told.length > 0 }),
      (error: unknown) => ({ why: linesOf(error)[0], told: told.length > 0 }),
    );
  }

  /** A package that npx downloaded long ago. */
  async function downloaded(world: World): Promise<string> {
    const modules = cacheOf('notes');
    await put(world, modules, 'notes', { bin: 'cli.js' });
    await world.write(`${modules}/.package-lock.json`, '{}');
    for (const name of [modules, `${modules}/.package-lock.json`]) await world.age(name);
    return world.path(modules);
  }

  const NO_ANSWER = expect.stringContaining('notes did not answer "initialize" within 4 seconds');

  test('by uvx is over once it has started a process', async ({ world }) => {
    const slow = await launcher(world, 'uvx', 'setTimeout(server, 6000);');
    expect(await ask(slow, ['notes'])).toEqual({ hooks: 2, told: true });
    const hangs = await launcher(world, 'uvx', `setTimeout(() => run('-e', '${HANGS}'), 3000);`);
    expect(await ask(hangs, ['notes'])).toEqual({ why: NO_ANSWER, told: true });
  });

  test('by npx from a repository is over once it has started a process', async ({ world }) => {
    const slow = await launcher(world, 'npx', 'setTimeout(server, 6000);');
    expect(await ask(slow, ['-y', 'github:acme/notes'])).toEqual({ hooks: 2, told: true });
    const hangs = await launcher(world, 'npx', `setTimeout(() => run('-e', '${HANGS}'), 3000);`);
    expect(await ask(hangs, ['github:acme/notes'])).toEqual({ why: NO_ANSWER, told: true });
  });

  test("by npm without a network is not retried for minutes, unless the user's settings say so", async ({
    world,
  }) => {
    const says = `console.error('it waits', process.env.npm_config_fetch_retry_maxtimeout);`;
    const npx = await launcher(world, 'npx', says);
    const waits = async (env: typeof npx.env) => {
      const options = { ...npx, env, label: 'notes', name: 'notes', version: '1', deadline: 4000 };
      const error: unknown = await askServer({ ...options, args: ['-y', 'notes'] }).catch((e) => e);
      return linesOf(error).join();
    };
    expect(await waits(npx.env)).toContain('it waits 5000');
    const own = { ...npx.env, npm_config_fetch_retry_maxtimeout: '60000' };
    expect(await waits(own)).toContain('it waits 60000');
  });

  test('by bunx is not over while it installs', async ({ world }) => {
    const slow = await launcher(
      world,
      'bunx',
      `run('-e', 'setTimeout(() => {}, 6000)', 'bun', 'add', 'notes').on('exit', server);`,
    );
    expect(await ask(slow, ['notes'])).toEqual({ hooks: 2, told: true });
  });

  test('by docker is recognized by its output', async ({ world }) => {
    const pulls = `console.error("Unable to find image 'acme/notes:latest' locally");
      setTimeout(() => { console.error('Status: Downloaded newer image'); server(); }, 6000);`;
    const slow = await launcher(world, 'docker', pulls);
    expect(await ask(slow, ['run', '-i', 'acme/notes'])).toEqual({ hooks: 2, told: true });
    const hangs = await launcher(world, 'docker', HANGS);
    expect(await ask(hangs, ['run', 'acme/notes'])).toEqual({ why: NO_ANSWER, told: false });
  });

  test('of a newer version is recognized by changes in the cache', async ({ world }) => {
    const modules = JSON.stringify(await downloaded(world));
    const updates = `fs.mkdirSync(${modules} + '/.notes-old');
      setTimeout(() => { fs.writeFileSync(${modules} + '/.package-lock.json', ''); server(); }, 6000);`;
    const slow = await launcher(world, 'npx', updates);
    expect(await ask(slow, ['-y', 'notes'])).toEqual({ hooks: 2, told: true });
  });

  test('that does not end is ended', async ({ world }) => {
    const stuck = await launcher(world, 'npx', HANGS);
    expect(await ask(stuck, ['-y', 'notes'], 1200)).toEqual({
      why: 'npx did not finish downloading notes within 1.2 seconds and was ended. Run its command yourself once, then try again. Nothing was written.',
      told: true,
    });
  });

  test('does not count if the package is already in the cache', async ({ world }) => {
    await downloaded(world);
    const hangs = await launcher(world, 'npx', HANGS);
    expect(await ask(hangs, ['-y', 'notes'])).toEqual({ why: NO_ANSWER, told: false });
  });
});
