/** The runner's own decision, inside this process: for properties that need thousands of them. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createContext, runInContext } from 'node:vm';
import type { Program, ProgramHook } from '../../../src/compile/program.ts';

interface Logic {
  readonly read: (program: Program, stdin: string) => unknown;
  readonly matches: (when: ProgramHook['when'], firing: unknown, program: Program) => boolean;
}

const template = new URL('../../../templates/runner.cjs', import.meta.url);

function load(): Logic {
  const nothing = () => undefined;
  const context = createContext({
    require: createRequire(import.meta.url),
    // It is started without a client, finds no program and does nothing.
    process: { argv: [], cwd: () => '/', on: nothing, once: nothing, stdout: { on: nothing } },
    __dirname: '/nowhere',
    Buffer,
  });
  runInContext(readFileSync(template, 'utf8'), context);
  return { read: context.read, matches: context.matches };
}

const { read, matches } = load();

/** Whether the runner takes this payload for a call that the hook is about. */
export const decides = (program: Program, hook: ProgramHook, payload: unknown): boolean =>
  hook.when === undefined || matches(hook.when, read(program, JSON.stringify(payload)), program);
