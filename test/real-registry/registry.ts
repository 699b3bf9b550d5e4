/** Verdaccio on loopback, which has only the packages published here, and other package managers. */
import { readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { freePort } from '../support/free-port.ts';

const HERE = import.meta.dirname;
/** A file of a package that this folder has installed. */
export const installed = (path: string): string => join(HERE, 'node_modules', path);

export interface Registry {
  readonly url: string;
  /** Publishes a folder or a tarball with this machine's npm. */
  publish(path: string, ...options: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export async function startRegistry(): Promise<Registry> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'mcp-hooks-registry-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const config = {
    storage: join(folder, 'storage'),
    // Without an uplink, a package that was not published here does not exist.
    uplinks: {},
    packages: { '**': { access: '$all', publish: '$all' } },
    max_body_size: '10mb',
    log: { type: 'stdout', format: 'json', level: 'warn' },
  };
  // JSON is also YAML.
  await writeFile(join(folder, 'config.yaml'), JSON.stringify(config));
  // npm publishes only with a token, and this registry takes any.
  await writeFile(join(folder, '.npmrc'), `//127.0.0.1:${port}/:_authToken=nobody\n`);
  const words = ['--config', join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`];
  const server = execa(process.execPath, [installed('verdaccio/bin/verdaccio'), ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
    extendEnv: false,
    reject: false,
    all: true,
  });
  let ended: string | undefined;
  server.then(({ all }) => {
    ended = all;
  });
  while (!(await answers(url)))
    if (ended !== undefined) throw new Error(`verdaccio has ended: ${ended}`);
  return {
    url,
    publish: async (path, ...options) => {
      const env = { PATH: process.env.PATH, HOME: folder };
      // The registry is an option, because a package may name its own.
      const quiet = [`--registry=${url}`, '--ignore-scripts', '--loglevel=error', ...options];
      await execa('npm', ['publish', path, ...quiet], { cwd: folder, env, extendEnv: false });
    },
    close: async () => {
      server.kill();
      await server;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const answers = async (url: string): Promise<boolean> =>
  fetch(`${url}-/ping`).then(
    ({ ok }) => ok,
    () => new Promise((done) => setTimeout(done, 100, false)),
  );

/** The folders of an installed package and of all its dependencies. */
export function withDependencies(name: string, from = join(HERE, 'package.json')): Set<string> {
  const found = new Set<string>();
  const add = (one: string, by: string): void => {
    const folder = createRequire(by)
      .resolve.paths(one)
      ?.map((path) => join(path, one))
      .find((path) => namedBy(path) === one);
    if (folder === undefined) throw new Error(`${by} lacks ${one}`);
    if (found.has(folder)) return;
    found.add(folder);
    const file = join(folder, 'package.json');
    const { dependencies = {} }: { dependencies?: Record<string, string> } = JSON.parse(
      readFileSync(file, 'utf8'),
    );
    for (const dependency of Object.keys(dependencies)) add(dependency, file);
  };
  add(name, from);
  return found;
}

function namedBy(folder: string): string | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name;
  } catch {
    return undefined;
  }
}
