/** A machine of its own for a test: a home, a folder to work in, an empty PATH; and the CLI to run in it. */
import { createHash } from 'node:crypto';
// Nothing here waits for the disk, which would cost ten times as much.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { execa } from 'execa';
import { test as base, inject } from 'vitest';
import own from '../../package.json' with { type: 'json' };
import { runLine } from '../../src/cli/main.ts';
import { PLAIN_COLUMNS, type Terminal } from '../../src/system/terminal.ts';
import { runHook } from './runner/inside.ts';

export interface Ran {
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
  /** The output as it would look in a terminal, for comparisons. */
  readonly transcript: string;
}

export interface RunOptions {
  readonly cwd?: string;
  /** Added to the world's own variables; `undefined` removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Second stages are processes, too, for tests about processes. */
  readonly whole?: boolean;
  /** A user is present, but no question needs a typed answer. */
  readonly interactive?: boolean;
  /** Milliseconds until a command says what it waits for: by default never, however busy the machine is. */
  readonly patience?: number;
}

/** `RunOptions.patience` by default. */
export const PATIENT = 2 ** 31 - 1;

/** Output that goes to no terminal. */
export const NO_TERMINAL: Terminal = {
  out: () => {},
  err: () => {},
  colour: false,
  interactive: false,
  tty: false,
  columns: PLAIN_COLUMNS,
  errColumns: undefined,
};

const wordsOf = (line: string | readonly string[]): readonly string[] =>
  typeof line === 'string' ? line.split(' ').filter(Boolean) : line;

export class World {
  readonly root: string;
  readonly home: string;
  /** Where commands are run. */
  readonly work: string;
  /** The only folder on the PATH. */
  readonly bin: string;

  private constructor(root: string, home: string) {
    this.root = root;
    this.home = join(root, 'home', home);
    this.work = join(root, 'desk');
    this.bin = join(root, 'bin');
  }

  /** @param home The name of the home folder. */
  static async make(home = 'ann'): Promise<World> {
    const root = mkdtempSync(join(realpathSync(tmpdir()), 'mcp-hooks-'));
    const world = new World(root, home);
    for (const folder of [world.home, world.work, world.bin])
      mkdirSync(folder, { recursive: true });
    return world;
  }

  /** Removes a file or folder, or the whole world. */
  async remove(name?: string): Promise<void> {
    rmSync(name === undefined ? this.root : this.path(name), { recursive: true, force: true });
  }

  /** Makes a file look as if it had been written long ago. */
  async age(name: string): Promise<void> {
    utimesSync(this.path(name), 1e9, 1e9);
  }

  /** Absolute path: `~/...` is in the home, anything else in the folder where commands run. */
  path(name: string): string {
    return name === '~' || name.startsWith('~/')
      ? join(this.home, name.slice(1))
      : resolve(this.work, name);
  }

  async write(name: string, content: string | Buffer, mode = 0o644): Promise<void> {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
    chmodSync(this.path(name), mode);
  }

  async folder(...names: string[]): Promise<void> {
    for (const name of names) mkdirSync(this.path(name), { recursive: true });
  }

  async link(name: string, target: string): Promise<void> {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    symlinkSync(this.path(target), this.path(name));
  }

  async read(name: string): Promise<string> {
    return readFileSync(this.path(name), 'utf8');
  }

  env(more: RunOptions['env'] = {}): Record<string, string> {
    const all = { HOME: this.home, PATH: this.bin, ...more };
    return Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  }

  /** Starts the built `mcp-hooks` in a process; a string is split at spaces. */
  start(line: string | readonly string[], { cwd = this.work, env }: RunOptions = {}) {
    return execa(process.execPath, [inject('cli'), ...wordsOf(line)], {
      cwd,
      env: this.env(env),
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
      stripFinalNewline: false,
    });
  }

  /** Runs the built `mcp-hooks` in a process, without a terminal, for tests about the process. */
  async runProcess(line: string | readonly string[], options: RunOptions = {}): Promise<Ran> {
    const { exitCode, stdout, stderr } = await this.start(line, options);
    return this.ran(line, { code: exitCode, out: stdout, err: stderr });
  }

  /** Runs a command line of `mcp-hooks` without a terminal, and without a process of its own. */
  async run(
    line: string | readonly string[],
    {
      cwd = this.work,
      env,
      whole = false,
      interactive = false,
      patience = PATIENT,
    }: RunOptions = {},
  ): Promise<Ran> {
    let [out, err] = ['', ''];
    const terminal: Terminal = {
      ...NO_TERMINAL,
      interactive,
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
    };
    const around = {
      terminal,
      env: this.env(env),
      cwd: () => realpathSync(cwd),
      version: own.version,
      patience,
      runHook,
      ...(!whole && { node: inject('node') }),
    };
    const code = await runLine(wordsOf(line), around);
    return this.ran(line, { code, out, err });
  }

  private ran(line: string | readonly string[], ran: Omit<Ran, 'transcript'>): Ran {
    const { code, out, err } = ran;
    const typed = typeof line === 'string' ? line : line.join(' ');
    const said = err.trimEnd().replace(/^/gm, err === '' ? '' : '! ');
    const parts = [`$ mcp-hooks ${typed}`, out.trimEnd(), said, `exit ${code}`];
    return { ...ran, transcript: this.tidy(`\n${parts.filter(Boolean).join('\n')}\n`) };
  }

  /** Removes what differs between runs: the path of this world, and hashes of it. */
  tidy(text: string): string {
    return text.replaceAll(this.root, '').replace(/(?<=backups\/)[0-9a-f]{12}(?=-)/g, '<hash>');
  }

  /** Everything in a folder: its type, mode and bytes. */
  snapshot(name = '~'): Promise<Record<string, string>> {
    return this.walk(this.path(name), false);
  }

  /** The same with the time of the last change: equal only if nothing was written at all. */
  stamps(name = '~'): Promise<Record<string, string>> {
    return this.walk(this.path(name), true);
  }

  private async walk(top: string, times: boolean): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    const visit = (path: string): void => {
      const info = lstatSync(path, { bigint: true });
      const mode = (Number(info.mode) & 0o7777).toString(8);
      const time = times ? ` ${info.ino} ${info.mtimeNs}` : '';
      const key = relative(top, path) || '.';
      if (info.isSymbolicLink()) found[key] = `link to ${readlinkSync(path)}${time}`;
      else if (info.isDirectory()) {
        found[key] = `folder ${mode}${time}`;
        for (const entry of readdirSync(path).sort()) visit(join(path, entry));
      } else {
        const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
        found[key] = `file ${mode} ${info.size} bytes ${hash}${time}`;
      }
    };
    visit(top);
    return found;
  }
}

/** `test` with its own world, or as many as it makes. They are removed afterwards. */
export const test = base.extend<{ world: World; make: (home?: string) => Promise<World> }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants a destructured object
  make: async ({}, use) => {
    const worlds: World[] = [];
    await use(async (home) => {
      const world = await World.make(home);
      worlds.push(world);
      return world;
    });
    await Promise.all(worlds.map((world) => world.remove()));
  },
  world: async ({ make }, use) => use(await make()),
});
