/** The runner's own decision within this process, for properties that need thousands of them. */
import { createRequire } from 'node:module';
import type { Program, ProgramHook } from '../../../src/compile/program.ts';

interface Logic {
  readonly read: (program: Program, stdin: string) => unknown;
  readonly matches: (when: ProgramHook['when'], firing: unknown, program: Program) => boolean;
}

const { read, matches }: Logic = createRequire(import.meta.url)(
  '../../../dist/templates/runner.cjs',
).stage;

/** Whether the runner considers this payload a call that the hook matches. */
export const decides = (program: Program, hook: ProgramHook, payload: unknown): boolean =>
  hook.when === undefined || matches(hook.when, read(program, JSON.stringify(payload)), program);
