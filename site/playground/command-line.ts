/** The command line on a machine that is only in memory: each run begins with an empty home and one manifest in it. */

// The runner's files and the recorded payloads (build.mjs), by their paths in the published package.
import published from 'mcp-hooks:published';
import fs from 'node:fs';
import path from 'node:path';
import { runLine } from '../../src/cli/main.ts';
import { startedBy } from '../../src/compile/command.ts';
import type { RunHook } from '../../src/diagnose/fire/run-hook.ts';
import type { Terminal } from '../../src/system/terminal.ts';
import { clear, streams } from './machine/fs.ts';
import { runMain } from './machine/modules.ts';
import { asProcess, process } from './machine/process.ts';

const HOME = '/home/you';
/** Where the manifest is, and the session. */
const FOLDER = `${HOME}/shop`;

/** What a command has printed. */
export interface Printed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in a fresh home that has the manifest as `name`. */
export async function run(
  argv: readonly string[],
  { name, text }: { readonly name: string; readonly text: string },
): Promise<Printed> {
  clear();
  for (const folder of [FOLDER, '/tmp']) fs.mkdirSync(folder, { recursive: true });
  for (const [file, content] of Object.entries(published)) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  }
  fs.writeFileSync(`${FOLDER}/${name}`, text);
  const printed = { out: '', err: '' };
  const terminal: Terminal = {
    out: (more) => {
      printed.out += more;
    },
    err: (more) => {
      printed.err += more;
    },
    ...{ colour: false, interactive: false, tty: false, columns: 100, errColumns: undefined },
  };
  const env = { HOME, PATH: '/usr/bin' };
  const around = { terminal, env, cwd: () => FOLDER, version: 'playground', runHook };
  Object.assign(process, { env, cwd: () => FOLDER });
  return { code: await runLine(argv, around), ...printed };
}

/** Starts the second stage for an entry's command. No shell runs the first stage, which only leaves early or does the same. */
const runHook: RunHook = async (_shell, [command = ''], { cwd, env, onStart }) => {
  const file = startedBy(command);
  if (file === undefined) throw new Error(`not one of our commands: ${command}`);
  const [client = '', native = ''] = path.basename(file, '.sh').split('.');
  const runner = `${path.dirname(file)}/runner.cjs`;
  Object.assign(streams, { input: '', output: '', errors: '' });
  const stdin = {
    end: (text: string) => {
      streams.input += text;
    },
  };
  // A stream of Node has much more, but a hook is only given its payload.
  onStart?.(stdin as unknown as Parameters<NonNullable<typeof onStart>>[0]);
  const argv = [process.execPath, runner, client, native];
  const exitCode = await asProcess({ argv, env: { ...env }, cwd }, () => runMain(runner));
  return { stdout: streams.output, stderr: streams.errors, exitCode };
};
