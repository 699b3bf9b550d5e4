/** The system calls of a run, seen with strace, and the same run with one of those calls disturbed. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../support/world.ts';
import { find, type Started, startOurs } from './processes.ts';

export const STRACE = find('strace');

/** Only one in this many read-only calls is disturbed, because CI has no time for all of them. */
export const SAMPLE = Number(process.env.MCP_HOOKS_FAULTS_SAMPLE ?? 1);

/** One call of the main thread about a file of the world. */
export interface Call {
  readonly name: string;
  /** Its position among the calls of that name since the start of the process, by which strace finds it again. */
  readonly nth: number;
  /** The files that the call is about. */
  readonly paths: readonly string[];
  /** Whether the call may change the disk. */
  readonly changes: boolean;
}

/** The errors that each call may get. A call that is missing here is not about files, or should be added. */
export const ERRORS: Readonly<Record<string, readonly string[]>> = {
  ...each(['access', 'faccessat', 'faccessat2', 'readlink', 'readlinkat', 'getdents64'], 'EACCES'),
  ...each(['statx', 'stat', 'lstat', 'newfstatat', 'fstat'], 'EACCES'),
  ...each(['close', 'fsync', 'fdatasync', 'ftruncate', 'read', 'pread64'], 'EIO'),
  ...each(['write', 'writev', 'pwrite64', 'pwritev'], 'ENOSPC', 'EIO'),
  ...each(['openat', 'open'], 'EACCES', 'EMFILE'),
  ...each(['rename', 'renameat', 'renameat2'], 'EXDEV', 'EROFS'),
  ...each(['fchmod', 'chmod', 'fchmodat', 'fchown', 'chown', 'fchownat', 'utimensat'], 'EPERM'),
  ...each(['link', 'linkat', 'symlink', 'symlinkat'], 'EPERM', 'EIO'),
  ...each(['unlink', 'unlinkat'], 'EACCES', 'EIO'),
  ...each(['mkdir', 'mkdirat'], 'EACCES', 'EROFS'),
  ...each(['rmdir'], 'EACCES', 'EBUSY'),
};

function each(names: readonly string[], ...errors: string[]): Record<string, readonly string[]> {
  return Object.fromEntries(names.map((name) => [name, errors]));
}

const READS =
  /^(access|faccessat2?|readlink(at)?|getdents64|f?stat|lstat|statx|newfstatat|close|p?read(64)?)$/;

/** Mapping memory does not access the disk, and the current folder is read before any work is done. */
const NOT_FILES = new Set(['execve', 'mmap', 'getcwd', 'fcntl', 'lseek', 'ioctl']);

/** The strace command that runs ours and writes the calls to `log`. */
function strace(log: string, ...expressions: string[]): string[] {
  const options = expressions.flatMap((expression) => ['-e', expression]);
  return [STRACE ?? 'strace', '-y', '-s', '0', '-o', log, ...options, '--'];
}

export const logOf = (world: World): string => join(world.root, 'strace.log');

/** A whole run, call by call, from the first call about a file of this world to the end. */
export async function record(world: World, line: string): Promise<Call[]> {
  const log = logOf(world);
  const under = strace(log, 'trace=%file,%desc', 'signal=none');
  const { code, err } = await startOurs(world, line, { under }).ended;
  if (code !== 0) throw new Error(`${line}, traced, ended with ${code}: ${err}`);
  const seen = new Map<string, number>();
  return readLog(log).flatMap((text): Call[] => {
    const name = nameOf(text);
    if (name === undefined) return [];
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    const paths = pathsIn(text, world);
    if (paths.length === 0 || NOT_FILES.has(name)) return [];
    const changes =
      name === 'openat' || name === 'open'
        ? /O_CREAT|O_WRONLY|O_RDWR|O_TRUNC/.test(text)
        : !READS.test(name);
    return [{ name, nth, paths, changes }];
  });
}

/** Starts the same run anew. At `call`, strace injects `what`: `error=EIO`, `signal=KILL`. */
export function disturb(world: World, line: string, call: Call, what: string): Started {
  const log = logOf(world);
  rmSync(log, { force: true });
  const inject = `inject=${call.name}:${what}:when=${call.nth}`;
  return startOurs(world, line, { under: strace(log, `trace=${call.name}`, inject) });
}

/** Whether exactly this call was disturbed. */
export function wasHit(world: World, call: Call): boolean {
  const lines = readLog(logOf(world));
  const killed = lines.findIndex((text) => text.startsWith('+++ killed by SIGKILL'));
  const calls = lines.slice(0, killed === -1 ? undefined : killed).filter(nameOf);
  const hit = killed === -1 ? calls.find((text) => text.includes('(INJECTED)')) : calls.at(-1);
  return hit !== undefined && String(pathsIn(hit, world)) === String(call.paths);
}

/** The lines of a log; empty while the log is missing. */
export function readLog(log: string): string[] {
  try {
    return readFileSync(log, 'utf8').split('\n');
  } catch {
    return [];
  }
}

const nameOf = (text: string): string | undefined => /^(\w+)\(/.exec(text)?.[1];

/**
 * The files of the home and the working folder among the arguments, without the parts that differ from run to run and from
 * world to world: process ids and random letters. The folders above are left out, because calls about them test the same.
 */
function pathsIn(text: string, world: World): string[] {
  const own = text.replace(/AT_FDCWD<[^>]*>/g, 'AT_FDCWD').replace(/\)\s+= .*$/, '');
  const paths = own.match(/(?<=["<])\/[^">]*/g) ?? [];
  return paths
    .filter((path) => [world.home, world.work].some((top) => `${path}/`.startsWith(`${top}/`)))
    .map((path) => anonymous(world.tidy(path)));
}

/** The name of our temporary file without the parts that differ from run to run. */
export const anonymous = (path: string): string =>
  path.replace(/\.mcp-hooks-[\w-]+\.\w+\.tmp/, '.mcp-hooks-*.tmp');
