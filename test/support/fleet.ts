/** A fleet's files on the disk, and the real Ansible that deploys them below a scratch root. */

import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { CLIENTS } from '../../src/clients/registry.ts';
import {
  FLEET,
  FLEET_FOLDER,
  type Fleet,
  fleetFor,
  roleName,
} from '../../src/compile/bundles/fleet.ts';
import { shipmentOf } from '../../src/compile/bundles/shipment.ts';
import { template } from '../../src/system/package-files.ts';
import { declare, type Hook, type Setup } from './runner/world.ts';

/** `MCP_HOOKS_ANSIBLE` names one that is not on the PATH. */
const ANSIBLE = process.env.MCP_HOOKS_ANSIBLE ?? 'ansible-playbook';

/** Undefined if it can run; otherwise why a test is skipped. */
export const NO_ANSIBLE: string | undefined =
  spawnSync(ANSIBLE, ['--version']).status === 0
    ? undefined
    : `${ANSIBLE} is not installed (apt-get install ansible-core, or name it in MCP_HOOKS_ANSIBLE)`;

/** What `build --target fleet` makes from a manifest. */
export const fleetOf = (hooks: readonly Hook[], setup: Partial<Setup> = {}): Fleet =>
  fleetFor(CLIENTS, shipmentOf(declare(hooks, setup), {}), { folder: FLEET_FOLDER, template });

export function write(folder: string, { files }: Fleet): void {
  rmSync(folder, { recursive: true, force: true });
  for (const { path, bytes } of files) {
    const file = join(folder, path.slice(FLEET.length + 1));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
}

interface Played {
  readonly ok: boolean;
  readonly changed: number;
  /** What it printed. */
  readonly said: string;
}

/** Runs the role of a label on this machine, with everything below `root`. Ansible's own files are below `home`. */
export function play(
  folder: string,
  { root, home, label = 'annal', flags = [], ...vars }: PlayOptions,
): Played {
  const book = join(home, 'play.yml');
  writeFileSync(
    book,
    JSON.stringify([
      { hosts: 'localhost', connection: 'local', gather_facts: false, roles: [roleName(label)] },
    ]),
  );
  const all = {
    mcp_hooks_root: root,
    mcp_hooks_owner: userInfo().username,
    ansible_python_interpreter: '/usr/bin/python3',
    ...vars,
  };
  const { PATH = '' } = process.env;
  const { status, stdout, stderr } = spawnSync(
    ANSIBLE,
    ['-i', 'localhost,', '-e', JSON.stringify(all), ...flags, book],
    {
      cwd: home,
      encoding: 'utf8',
      env: {
        PATH,
        HOME: home,
        LANG: 'C.UTF-8',
        ANSIBLE_ROLES_PATH: join(folder, 'roles'),
        ANSIBLE_LOCALHOST_WARNING: 'false',
        ANSIBLE_NOCOLOR: '1',
        // One connection for each file instead of four, because it is the same machine.
        ANSIBLE_PIPELINING: 'true',
      },
    },
  );
  const said = `${stdout}${stderr}`;
  return { ok: status === 0, changed: Number(/changed=(\d+)/.exec(said)?.[1] ?? -1), said };
}

interface PlayOptions extends Readonly<Record<string, unknown>> {
  readonly root: string;
  readonly home: string;
  readonly label?: string;
  readonly flags?: readonly string[];
}

/** The contents of a folder: files with mode and bytes, by path. */
export const contents = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name): [string, string] => {
        const path = join(folder, name);
        const { mode } = lstatSync(path);
        const is = (mode & 0o777).toString(8);
        return [name, lstatSync(path).isFile() ? `${is} ${readFileSync(path, 'utf8')}` : is];
      }),
  );

/** Words that start a program for which `/etc` and `/usr/local` also contain the files below a root. */
export const inImage = (root: string): readonly [string, ...string[]] => [
  'unshare',
  '-rm',
  'sh',
  '-c',
  'for at in /etc /usr/local; do [ ! -d "$0$at" ] || mount -t overlay overlay -o "lowerdir=$0$at:$at" "$at" || exit 99; done; exec "$@"',
  root,
];

/** Undefined if that works here. */
export const NO_IMAGE: string | undefined = (() => {
  try {
    execFileSync(
      'unshare',
      ['-rm', 'sh', '-c', 'mount -t overlay overlay -o lowerdir=/etc:/usr /mnt'],
      {
        stdio: 'ignore',
      },
    );
    return undefined;
  } catch {
    return 'this machine gives no namespace with a file system of its own (unshare -rm, mount -t overlay)';
  }
})();
