/**
 * Starts the shells of hooks from a small process. A start costs in proportion to the memory of the process that does it, and a
 * worker has so much that its shells would cost five times what they cost a client.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

export interface Start {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: Buffer;
}

export interface Ended {
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly code: number;
}

/** A shell that runs each file whose name it receives, all in parallel. */
interface Starter {
  readonly shell: ChildProcessByStdio<Writable, Readable, null>;
  readonly folder: string;
  /** Waiting for the exit code, by number. */
  readonly waiting: Map<number, (code: number) => void>;
  started: number;
}

let starter: Starter | undefined;

/** The temporary folder before any test changes it. */
const TEMPORARY = tmpdir();

function begun(): Starter {
  const folder = mkdtempSync(join(TEMPORARY, 'mcp-hooks-starter-'));
  const shell = spawn('/bin/sh', ['-c', 'while read -r file; do . "$file"; done'], {
    env: {},
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting: Starter['waiting'] = new Map();
  let unread = '';
  shell.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (unread + chunk).split('\n');
    unread = lines.pop() ?? '';
    for (const line of lines) {
      const [number, code] = line.split(' ').map(Number);
      if (number !== undefined && code !== undefined) waiting.get(number)?.(code);
    }
  });
  return { shell, folder, waiting, started: 0 };
}

/** Whether a shell can pass this on unchanged: a shell text cannot contain a NUL, and no variable has a name like that. */
export const canStart = ({ argv, env, input }: Start): boolean =>
  input.length < 60_000 &&
  !input.includes(0) &&
  !argv.some((word) => word.includes('\0')) &&
  Object.keys(env).every((name) => /^[A-Z]\w*$/i.test(name) && !OWN.includes(name));

/** Variables that a shell sets itself. */
const OWN = ['PWD', 'OLDPWD', 'PPID', 'IFS', 'OPTIND'];

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Runs a program from its start to its end. */
export async function startSmall({ argv, cwd, env, input }: Start): Promise<Ended> {
  starter ??= begun();
  const { shell, folder, waiting } = starter;
  starter.started += 1;
  const number = starter.started;
  const file = join(folder, `${number}`);
  const [out, err] = [`${file}.out`, `${file}.err`];
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${quoted(value)}`],
  );
  const exported = variables.length > 0 ? `export ${variables.join(' ')} && ` : '';
  const text = Buffer.concat([
    Buffer.from("{ printf %s '"),
    Buffer.from(input.toString('latin1').replaceAll("'", "'\\''"), 'latin1'),
    Buffer.from(
      `' | { cd ${quoted(cwd)} && unset PWD OLDPWD && ${exported}exec ${argv.map(quoted).join(' ')}; } >${out} 2>${err}; echo "${number} $?"; } &\n`,
    ),
  ]);
  writeFileSync(file, text);
  const code = await new Promise<number>((resolve) => {
    waiting.set(number, resolve);
    shell.stdin.write(`${file}\n`);
  });
  waiting.delete(number);
  const ended = { stdout: readFileSync(out), stderr: readFileSync(err, 'utf8'), code };
  for (const one of [file, out, err]) rmSync(one);
  return ended;
}

/** Runs after each test file. The next one has its own starter, so its cost is known when it ends. */
export async function endStarter(): Promise<void> {
  if (!starter) return;
  const { shell, folder } = starter;
  starter = undefined;
  shell.stdin.end();
  if (shell.exitCode === null) await once(shell, 'exit');
  rmSync(folder, { recursive: true, force: true });
}
