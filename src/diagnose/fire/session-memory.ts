/** The memory of sessions. A trial firing leaves it unchanged: its additions are removed, and predictions use a copy. */

import { randomUUID } from 'node:crypto';
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
import { type Places, sessionsFolder } from '../../clients/places.ts';
import type { EventProgram } from '../../compile/program.ts';
import { type Moment, secondStage } from '../../compile/second-stage.ts';
import { withCleanup } from '../../system/cleanup.ts';
import { attempt } from '../../system/errors.ts';

/** The surroundings of an event that we cause. */
export interface Scene {
  readonly cwd: string;
  readonly home: string;
  readonly session: string;
}

/**
 * Runs `work`, which begins sessions. Afterwards, it removes what these sessions and calls of the label's tools have added.
 * Older memory stays.
 */
export async function withSessions<T>(
  label: string,
  { cwd, places }: { readonly cwd: string; readonly places: Places },
  work: (begin: () => Scene) => Promise<T>,
): Promise<T> {
  const folder = sessionsFolder(places.state);
  const before = filesIn(folder);
  const known = new Set(before ?? []);
  const sessions: string[] = [];
  const isOurs = (name: string) =>
    sessions.some((session) => name.includes(`.${session}.`)) ||
    name === 'swept' ||
    name === 'clock' ||
    (name.startsWith(`${label}.`) && name.endsWith('.modern'));
  const forget = () => {
    for (const name of filesIn(folder) ?? [])
      if (!known.has(name) && isOurs(name)) attempt(() => unlinkSync(join(folder, name)));
    if (before === undefined) attempt(() => rmdirSync(folder)); // fails while a session uses it
  };
  const begin = () => {
    const session = randomUUID();
    sessions.push(session);
    return { session, cwd, home: places.home };
  };
  return withCleanup(forget, () => work(begin));
}

/** Runs `work` with a scratch state folder. Each call of `fresh` copies the session's memory into a new one. */
export function inScratch<T>(
  program: EventProgram,
  moment: Moment,
  work: (fresh: () => EventProgram) => T,
): T {
  const beginning = secondStage().memory({ id: '' }, moment, program, '').slice(0, -1);
  const known = (filesIn(dirname(beginning)) ?? []).filter((name) =>
    name.startsWith(basename(beginning)),
  );
  const { tmpdir } = process.getBuiltinModule('node:os'); // loaded when needed
  const scratch = mkdtempSync(join(tmpdir(), 'mcp-hooks-'));
  let asked = 0;
  try {
    return work(() => {
      const state = join(scratch, String(asked++));
      mkdirSync(sessionsFolder(state), { recursive: true });
      for (const name of known) {
        const from = join(sessionsFolder(program.state), name);
        const to = join(sessionsFolder(state), name);
        // Keeps the time, which cooldowns depend on. The file may have been removed in the meantime.
        attempt(() => cpSync(from, to, { preserveTimestamps: true }));
      }
      return { ...program, state };
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Undefined: there is no such folder. */
const filesIn = (folder: string): string[] | undefined => attempt(() => readdirSync(folder));
