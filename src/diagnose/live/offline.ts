/**
 * Servers that npx and similar launchers start. A scratch home has no network and no downloads, so what npx has in the user's
 * own home is started directly, and the rest is not tried.
 */

import { isAbsolute } from 'node:path';
import type { EventProgram, ProgramServer } from '../../compile/program.ts';
import { parseProgram } from '../../compile/runner-files.ts';
import { partsOf, readAt, seenAs } from '../../sources/entry.ts';
import { type Launcher, launcherOf } from '../../sources/launchers/launcher.ts';
import { type Around, programOfNpx } from '../../sources/launchers/npx.ts';
import { isForNode } from '../../sources/manifests/package-json.ts';
import { attempt } from '../../system/errors.ts';
import type { Sound } from './hook-scenarios.ts';

type Command = Extract<ProgramServer, { command: string }>;

/**
 * Replaces the runner's servers by ones that can start here. `downloads` returns the launcher that would first download the
 * server of a program.
 *
 * @param around Where npx looks for the packages of a server that names no working directory.
 */
export function offline(runner: Sound, around: Around) {
  const missing = new Map<string, Launcher>();
  const keyOf = ({ client, native }: EventProgram) => `${client} ${native}`;
  const files = [...runner].map(([name, bytes]): [string, Buffer] => {
    const program = name.endsWith('.json') ? parseProgram(bytes) : undefined;
    const started = program?.server && commandOf(program.server);
    const launcher = started && launcherOf(started.command, started.args);
    // Docker keeps its images outside the home.
    if (!program || !started || !launcher || launcher.kind === 'docker') return [name, bytes];
    const there = { ...around, cwd: started.cwd ?? around.cwd };
    const file =
      launcher.kind === 'npm' && started.whole ? programOfNpx(launcher, there) : undefined;
    if (file === undefined) missing.set(keyOf(program), launcher);
    const { whole: _, ...command } = started;
    const [first, ...more] = file === undefined ? NOTHING : [...starting(file), ...launcher.args];
    const server: Command = { ...command, command: first ?? '', args: more };
    return [name, Buffer.from(JSON.stringify({ ...program, server }))];
  });
  const downloads = (program: EventProgram) => missing.get(keyOf(program));
  return { runner: new Map(files), downloads };
}

/** Ends immediately, where a launcher would wait for a registry. */
const NOTHING: readonly string[] = [process.execPath, '-e', ''];

/** The words that start a program. Node scripts run with our own node. */
const starting = (file: string): string[] => (isForNode(file) ? [process.execPath, file] : [file]);

/**
 * How a server is started, with its variables unresolved. Undefined if it has an address, or if its configuration has changed,
 * which the runner notices.
 *
 * @returns `whole`: this form loses nothing of its configuration.
 */
function commandOf(server: ProgramServer): (Command & { readonly whole: boolean }) | undefined {
  if ('command' in server) return { ...server, whole: true };
  if ('url' in server) return undefined;
  const { given, entry } = server;
  const parts = attempt(() => partsOf(readAt(entry), entry.fields)); // if it cannot be read, the runner says so
  if (!parts || !('command' in parts) || seenAs(parts) !== entry.seen) return undefined;
  const { command, args, cwd, envFile, passedOn } = parts;
  const { file, format, path, names, steering, passing } = entry;
  const env = { file, format, path: [...path, 'env'], names, steering, passing };
  const isWhole = envFile === undefined && passedOn.length === 0;
  const whole = isWhole && (cwd === undefined || isAbsolute(cwd));
  return { given, command, args, env, cwd, whole };
}
