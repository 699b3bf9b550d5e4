/** A mount namespace in which a folder is a small disk. Other processes do not see the mount, which ends with the namespace. */
import { readFileSync } from 'node:fs';
import { type Ended, find, start } from './processes.ts';

const UNSHARE = find('unshare');
const NSENTER = find('nsenter');
const SHELL = '/bin/sh';

/** The longest life of a namespace in milliseconds. */
const LIFE = 300_000;
const ENV = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };

export interface Disk {
  /** The program, with arguments, that runs another program in the namespace. */
  readonly under: readonly string[];
  /** The path outside the namespace of a path inside. */
  readonly seen: (path: string) => string;
  readonly remountReadOnly: () => Promise<Ended>;
  readonly end: () => Promise<void>;
}

/**
 * Mounts a disk of `size` kilobytes at `folder`, or returns the reason why this machine does not allow it.
 *
 * @param cwd The folder in which programs run.
 */
export async function mountDisk(folder: string, size: number, cwd: string): Promise<Disk | string> {
  if (!UNSHARE || !NSENTER) return 'unshare and nsenter are not on this machine';
  const script =
    'mount -t tmpfs -o size="$2"k,mode=0755 none "$1" && echo mounted && exec sleep 300';
  let why = '';
  // An ordinary user is root in a user namespace of their own. If user namespaces are forbidden, root can do without.
  for (const spaces of [['--map-root-user', '--mount'], ['--mount']]) {
    const argv = [UNSHARE, ...spaces, SHELL, '-c', script, SHELL, folder, String(size)];
    const holder = start(argv, { cwd: '/', env: ENV, deadline: LIFE });
    const mounted = await Promise.race([
      holder.ended,
      isMounted(holder.pid, folder).then(() => true as const),
    ]);
    if (mounted !== true) {
      why = mounted.err.trim();
      continue;
    }
    const user = spaces.length > 1 ? ['--user', '--preserve-credentials'] : [];
    const enter = [NSENTER, '--target', String(holder.pid), '--mount', ...user, '--', SHELL, '-c'];
    const under = [...enter, 'cd "$0" && exec "$@"', cwd];
    const remount = [...enter, 'mount -o remount,ro "$0"', folder];
    return {
      under,
      seen: (path) => `/proc/${holder.pid}/root${path}`,
      remountReadOnly: () => start(remount, { cwd: '/', env: ENV }).ended,
      end: async () => {
        holder.end();
        await holder.ended;
      },
    };
  }
  return `a disk cannot be mounted here: ${why}`;
}

/** Settles once the mount exists, and never if the process ends first. */
async function isMounted(pid: number, folder: string): Promise<void> {
  const mounts = () => {
    try {
      return readFileSync(`/proc/${pid}/mounts`, 'utf8');
    } catch {
      return undefined;
    }
  };
  for (let now = mounts(); now !== undefined; now = mounts()) {
    if (now.includes(` ${folder} tmpfs `)) return;
    await new Promise((done) => setTimeout(done, 10));
  }
  await new Promise<never>(() => {});
}
