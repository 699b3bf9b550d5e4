/** An npm registry on loopback with packages, and this machine's npm in the world of a test. */
import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createTar } from 'nanotar';
import { stopped } from './servers/listening.ts';
import type { World } from './world.ts';

export interface Published {
  readonly name: string;
  readonly version: string;
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly tarball: Buffer;
}

/** What `npm publish` makes from some files, by name. Adds a package.json unless there is one. */
export function packageOf(
  facts: Omit<Published, 'tarball'> & Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, string>> = {},
): Published {
  const all = { 'package.json': JSON.stringify(facts, null, 2), ...files };
  const entries = Object.entries(all).map(([name, data]) => ({ name: `package/${name}`, data }));
  return { ...facts, tarball: gzipSync(createTar(entries, { attrs: { mode: '755' } })) };
}

export interface Registry {
  readonly url: string;
  /** The requested paths. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** @param status The status of every answer, instead of packages. */
export async function serveRegistry(
  packages: readonly Published[],
  status?: number,
): Promise<Registry> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    asked.push(path);
    if (status === 0) return; // never an answer
    const tarball = packages.find((one) => `${one.name}/-/${one.version}.tgz` === path)?.tarball;
    const versions = packages.filter(({ name }) => name === path);
    if (status !== undefined || (!tarball && versions.length === 0)) {
      response.writeHead(status ?? 404, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    response.end(tarball ?? JSON.stringify(packument(versions, url)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  return {
    url,
    asked,
    close: () => stopped(server),
  };
}

function packument(versions: readonly Published[], url: string): object {
  return {
    name: versions[0]?.name,
    'dist-tags': { latest: versions.at(-1)?.version, first: versions[0]?.version },
    versions: Object.fromEntries(
      versions.map(({ tarball, ...facts }) => [
        facts.version,
        {
          ...facts,
          dist: {
            tarball: `${url}${facts.name}/-/${facts.version}.tgz`,
            integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
          },
        },
      ]),
    ),
  };
}

/** Puts npm, npx, node and a shell on the PATH of a world. */
export async function withNpm(world: World): Promise<void> {
  for (const name of ['node', 'npm', 'npx', 'sh']) {
    const folders = (process.env.PATH ?? '').split(delimiter);
    const file = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
    if (file === undefined) throw new Error(`these tests need ${name} on the PATH`);
    await world.link(join(world.bin, name), realpathSync(file));
  }
}
