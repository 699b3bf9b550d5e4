/** What the runner of a label knows of its hooks, and what a session needs so that all of them have something to say. */

import { join } from 'node:path';
import type { Client } from '../../clients/contract.ts';
import type { ClientDriver, StdioServer } from '../../clients/driver/driver.ts';
import type { Step } from '../../clients/driver/script.ts';
import { type Places, runnerFolder } from '../../clients/places.ts';
import type { EventProgram, ProgramHook } from '../../compile/program.ts';
import { parseProgram } from '../../compile/runner-files.ts';
import { TOOL_EVENTS } from '../../declaration/declaration.ts';
import { runnerDrift } from '../../install/drift.ts';
import type { Install } from '../../install/ledger.ts';
import type { Disk } from '../../system/disk.ts';
import { TEMPLATES } from '../../system/package-files.ts';
import { type Fitting, fittingCall } from './calls.ts';
import type { Bound } from './delivery.ts';

export type Sound = ReadonlyMap<string, Buffer>;

/** The files of a label's runner that are as they were installed: nothing else of it is to run. */
export function soundFiles(
  install: Install | undefined,
  places: Places,
  disk: Pick<Disk, 'read'>,
): Sound {
  if (!install) return new Map();
  const folder = runnerFolder(places, install.label);
  const wrong = runnerDrift(install, places, disk.read).map(({ what }) => what);
  return new Map(
    Object.keys(install.runner).flatMap((name) => {
      const bytes = wrong.includes(name) ? null : disk.read(join(folder, name));
      return bytes ? [[name, bytes] as const] : [];
    }),
  );
}

export interface Subject {
  readonly client: Client;
  readonly driver: ClientDriver;
  readonly label: string;
  readonly places: Places;
  readonly disk: Pick<Disk, 'read'>;
  /** Names and bytes of the files of its runner, of those that are as they were installed. */
  readonly runner: Sound;
  /** The folder that the session is in. */
  readonly project: string;
}

export interface Known extends Pick<ProgramHook, 'number' | 'event'> {
  readonly on: readonly Bound[];
  /** Absent for a hook that is about a tool: no script can make the call. */
  readonly fitting?: Fitting | undefined;
}

/** Those of the runner's that can be read; whoever looks at the runner itself says so of the others. */
export const programsOf = ({ client, runner }: Subject): EventProgram[] =>
  [...runner].flatMap(([name, bytes]) =>
    name.startsWith(`${client.id}.`) && name.endsWith('.json') ? (parseProgram(bytes) ?? []) : [],
  );

/** A declared hook may speak on several native events; what it only remembers on others does not count. */
export function knownHooks(
  programs: readonly EventProgram[],
  { client, driver, project }: Subject,
): Known[] {
  const hooks = new Map<number, Known>();
  for (const program of programs)
    for (const hook of program.hooks) {
      if (hook.act === 'mark') continue;
      const { number, event, when = {} } = hook;
      const fitting = TOOL_EVENTS.includes(event)
        ? fittingCall(when, program, client, driver, project)
        : undefined;
      const on = [...(hooks.get(number)?.on ?? []), { program, hook }];
      hooks.set(number, { number, event, on, fitting });
    }
  return [...hooks.values()].sort((a, b) => a.number - b.number);
}

/** A server for each whose tool is to be called; none of the user's is started. */
export function standIns(hooks: readonly Known[]): Record<string, StdioServer> {
  const wanted = hooks.flatMap(({ fitting }) => fitting?.standIn ?? []);
  const tools = (server: string) =>
    new Set(wanted.flatMap((one) => (one.server === server ? [one.tool] : [])));
  return Object.fromEntries(
    wanted.map(({ server }) => [
      server,
      { command: process.execPath, args: [join(TEMPLATES, 'stand-in.cjs'), ...tools(server)] },
    ]),
  );
}

/** A turn with all calls, each once, and one after it; what hooks ask for is answered when the script has run out. */
export function stepsFor(hooks: readonly Known[]): Step[] {
  const calls = hooks.flatMap(({ fitting }) => (fitting ? [fitting.steps] : []));
  const distinct = new Map(calls.map((steps) => [JSON.stringify(steps), steps]));
  return [...[...distinct.values()].flat(), { text: 'The first answer.' }];
}
