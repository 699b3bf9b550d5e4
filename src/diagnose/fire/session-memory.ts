/** The memory of sessions. A trial firing leaves it unchanged: what it adds is removed, and predictions use a copy. */

import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmdirSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sessionsFolder } from '../../clients/places.ts';
import type { EventProgram } from '../../compile/program.ts';
import { type Moment, secondStage } from '../../compile/second-stage.ts';
import { attempt } from '../../system/errors.ts';

/**
 * Notes what is remembered now. The returned function removes what the given sessions, which have ended, and calls of this
 * label's tools have added. Older memory stays.
 */
export function snapshotMemory(
  state: string,
  label: string,
): (sessions: readonly string[]) => void {
  const folder = sessionsFolder(state);
  const before = namesIn(folder);
  const known = new Set(before ?? []);
  return (sessions) => {
    const isOurs = (name: string) =>
      sessions.some((session) => name.includes(`.${session}.`)) ||
      name === 'swept' ||
      name === 'clock' ||
      (name.startsWith(`${label}.`) && name.endsWith('.modern'));
    for (const name of namesIn(folder) ?? [])
      if (!known.has(name) && isOurs(name)) attempt(() => unlinkSync(join(folder, name)));
    if (before === undefined) attempt(() => rmdirSync(folder)); // fails while a session uses it
  };
}

/** Runs `work` with a scratch state folder. Each call of `fresh` copies the session's memory into a new one. */
export function inScratch<T>(
  program: EventProgram,
  moment: Moment,
  work: (fresh: () => EventProgram) => T,
): T {
  const beginning = secondStage().memory({ id: '' }, moment, program, '').slice(0, -1);
  const known = (namesIn(dirname(beginning)) ?? []).filter((name) =>
    name.startsWith(basename(beginning)),
  );
  const { tmpdir } = process.getBuiltinModule('node:os'); // loaded when it is needed
  const scratch = mkdtempSync(join(tmpdir(), 'mcp-hooks-'));
  let asked = 0;
  try {
    return work(() => {
      const state = join(scratch, String(asked++));
      mkdirSync(sessionsFolder(state), { recursive: true });
      for (const name of known) {
        const from = join(sessionsFolder(program.state), name);
        const to = join(sessionsFolder(state), name);
        // Keeps its time, which cooldowns depend on. It may have been removed in the meantime.
        attempt(() => cpSync(from, to, { preserveTimestamps: true }));
      }
      return { ...program, state };
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Undefined: there is no such folder. */
const namesIn = (folder: string): string[] | undefined => attempt(() => readdirSync(folder));
