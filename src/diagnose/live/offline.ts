/**
 * Servers that npx and similar launchers start: a scratch home has no network and nothing that was downloaded. What npx
 * has in the user's own home is started directly, and the rest is not tried.
 */

import { isAbsolute } from 'node:path';
import type { EventProgram, ProgramServer } from '../../compile/program.ts';
import { parseProgram } from '../../compile/runner-files.ts';
import { type Parts, partsOf, readAt, seenAs } from '../../sources/entry.ts';
import { type Launcher, launcherOf } from '../../sources/launchers/launcher.ts';
import { type Around, programOfNpx } from '../../sources/launchers/npx.ts';
import { isForNode } from '../../sources/manifests/package-json.ts';
import type { Sound } from './hook-scenarios.ts';

type Command = Extract<ProgramServer, { command: string }>;

/**
 * The runner with servers that can be started here, and what would download the server of a program first.
 *
 * @param around Where npx looks for packages of a server that names no folder to run in.
 */
export function offline(runner: Sound, around: Around) {
  const missing = new Map<string, Launcher>();
  const keyOf = ({ client, native }: EventProgram) => `${client} ${native}`;
  const files = [...runner].map(([name, bytes]): [string, Buffer] => {
    const program = name.endsWith('.json') ? parseProgram(bytes) : undefined;
    const started = program?.server && commandOf(program.server);
    const launcher = started && launcherOf(started.command, started.args);
    // The images of docker are not in the home.
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

/** Ends at once, where a launcher would wait for a registry. */
const NOTHING: readonly string[] = [process.execPath, '-e', ''];

/** The words that start a program; a script of node's is started by the node that we are. */
const starting = (file: string): string[] => (isForNode(file) ? [process.execPath, file] : [file]);

/**
 * How a server is started, with its variables still in place. Undefined: at an address, or its configuration is
 * not what it was, which the runner notices.
 *
 * @returns `whole`: nothing of its configuration is lost in this form.
 */
function commandOf(server: ProgramServer): (Command & { readonly whole: boolean }) | undefined {
  if ('command' in server) return { ...server, whole: true };
  if ('url' in server) return undefined;
  const { given, entry } = server;
  const parts = partsAt(entry);
  if (!parts || !('command' in parts) || seenAs(parts) !== entry.seen) return undefined;
  const { command, args, cwd, envFile, passedOn } = parts;
  const { file, format, path, names, steering } = entry;
  const env = { file, format, path: [...path, 'env'], names, steering };
  const isWhole = envFile === undefined && passedOn.length === 0;
  const whole = isWhole && (cwd === undefined || isAbsolute(cwd));
  return { given, command, args, env, cwd, whole };
}

function partsAt(entry: Extract<ProgramServer, { entry: unknown }>['entry']): Parts | undefined {
  try {
    return partsOf(readAt(entry), entry.fields);
  } catch {
    return undefined; // the runner says so
  }
}
