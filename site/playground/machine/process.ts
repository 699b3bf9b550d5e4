/** `process` for a browser. Bundled as the global of that name, so it imports nothing that needs one. */

type Env = Record<string, string | undefined>;

/** What is asked of a built-in module's name. */
type Builtin = (name: string) => unknown;

/** The only process of the machine: the command line and each runner are it in turn. */
const PID = 1000;

const state: { ended: ((code: number) => void) | undefined; builtin: Builtin } = {
  ended: undefined,
  builtin: () => undefined,
};

export const process = {
  argv: ['/usr/bin/node'],
  arch: 'x64',
  /** A worker does nothing else, so what passes is its own time. */
  cpuUsage: () => ({ user: performance.now() * 1000, system: 0 }),
  cwd: (): string => '/',
  emit: (): boolean => false,
  env: {} as Env,
  execArgv: [] as string[],
  execPath: '/usr/bin/node',
  /** Whoever calls it does nothing afterwards. */
  exit: (code = 0): void => state.ended?.(code),
  exitCode: undefined as number | undefined,
  getBuiltinModule: (name: string): unknown => state.builtin(name),
  geteuid: (): number => PID,
  kill: (pid: number): true => {
    if (pid === PID) return true;
    throw Object.assign(new Error('ESRCH'), { code: 'ESRCH', syscall: 'kill' });
  },
  nextTick: (work: (...given: unknown[]) => void, ...given: unknown[]): void =>
    queueMicrotask(() => work(...given)),
  off: () => process,
  on: () => process,
  once: () => process,
  pid: PID,
  platform: 'linux' as NodeJS.Platform,
  ppid: 1,
  removeListener: () => process,
  stderr: { isTTY: false },
  stdin: { isTTY: false },
  stdout: { isTTY: false },
  umask: (): number => 0o022,
  uptime: (): number => performance.now() / 1000,
  version: 'v20.19.0',
  versions: { node: '20.19.0' },
};

/** Where built-in modules come from. */
export function provide(builtin: Builtin): void {
  state.builtin = builtin;
}

/** Runs a program's `start` as the process of the machine. Resolves with its exit code. */
export async function asProcess(
  { argv, env, cwd }: { readonly argv: readonly string[]; readonly env: Env; readonly cwd: string },
  start: () => void,
): Promise<number> {
  const before = { argv: process.argv, env: process.env, cwd: process.cwd };
  Object.assign(process, { argv: [...argv], env, cwd: () => cwd });
  try {
    return await new Promise<number>((resolve, reject) => {
      state.ended = resolve;
      try {
        start();
      } catch (error) {
        reject(error);
      }
    });
  } finally {
    state.ended = undefined;
    Object.assign(process, before);
  }
}
