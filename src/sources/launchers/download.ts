/** Whether a running launcher is still downloading, or has started the server. */

import { readdirSync, readFileSync } from 'node:fs';
import { attempt } from '../../system/errors.ts';
import { groupOf, isWaiting } from '../../system/process-group.ts';
import { type Launcher, type LauncherKind, launcherOf } from './launcher.ts';
import { allFromRegistry, isReplacing, type NpxPlace, programOfNpx } from './npx.ts';

export interface Download {
  readonly launcher: Launcher;
  /** `pid`: the process that was started, which leads its own process group. */
  readonly isUnderWay: (started: { readonly pid?: number; readonly stderr: string }) => boolean;
}

/** Undefined if the command starts the server itself. */
export function downloadBefore(
  { command, args }: { readonly command: string; readonly args: readonly string[] },
  around: NpxPlace,
): Download | undefined {
  const launcher = launcherOf(command, args);
  if (!launcher) return undefined;
  const { kind } = launcher;
  if (kind === 'npm' && allFromRegistry(launcher)) {
    const since = Date.now();
    return {
      launcher,
      isUnderWay: () => !programOfNpx(launcher, around) || isReplacing(launcher, around, since),
    };
  }
  if (kind === 'docker') return { launcher, isUnderWay: ({ stderr }) => isPulling(stderr) };
  return { launcher, isUnderWay: ({ pid }) => !hasStarted(pid, INSTALLERS[kind]) };
}

/** Whether a launcher downloads something before it starts the server. Undefined if only the launcher knows. */
export function mustDownload(
  { command, args }: { readonly command: string; readonly args: readonly string[] },
  around: NpxPlace,
): boolean | undefined {
  const launcher = launcherOf(command, args);
  if (!launcher) return false;
  const isKnown = launcher.kind === 'npm' && allFromRegistry(launcher);
  return isKnown ? !programOfNpx(launcher, around) : undefined;
}

/** The output of docker and podman before and after they pull an image. */
const isPulling = (stderr: string): boolean =>
  /^Unable to find image|^Trying to pull/m.test(stderr) &&
  !/^Status: |^Writing manifest to image destination/m.test(stderr);

/** Programs that launchers start to install something, by their command lines. */
const INSTALLERS: Readonly<Partial<Record<LauncherKind, RegExp>>> = {
  npm: /npm-cli\.js\b|(?:^|[/ ])(?:git|npm|node-gyp) /,
  bun: /\bbun\S{0,100} add\b/,
  pipx: /\bpip\b|\bvenv\b|\buv\b/,
};

/** Whether the process group contains more than installers and our own processes. False if that is unknown. */
const hasStarted = (pid: number | undefined, installer: RegExp | undefined): boolean =>
  pid !== undefined &&
  membersOf(pid).some(
    (one) => one.pid !== pid && !isWaiting(one.command) && !installer?.test(one.command),
  );

interface Member {
  readonly pid: number;
  readonly command: string;
}

function membersOf(group: number): Member[] {
  if (process.platform === 'linux') return membersInProc(group);
  if (process.platform === 'win32') return [];
  const { spawnSync } = process.getBuiltinModule('node:child_process'); // loaded only when needed
  const { stdout } = spawnSync('ps', ['-Aww', '-o', 'pid=,pgid=,args='], { encoding: 'utf8' });
  return [...(stdout ?? '').matchAll(/^[ \t]*(\d+)[ \t]+(\d+)[ \t]+(.*)$/gm)].flatMap(
    ([, pid, of, command = '']) => (Number(of) === group ? { pid: Number(pid), command } : []),
  );
}

function membersInProc(group: number): Member[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).flatMap((pid) => {
    if (groupOf(pid) !== group) return [];
    const command = attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')); // it may have ended
    return command === undefined ? [] : [{ pid, command: command.replaceAll('\0', ' ') }];
  });
}
