/** What a firing for show leaves in the memory of sessions, and takes away again. */

import { readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { sessionsFolder } from './places.ts';

/**
 * Looks at what is remembered now; the function that is returned takes away what the given sessions, which are over, and
 * calls of this label's tools have added. What was there before stays.
 */
export function remembering(state: string, label: string): (sessions: readonly string[]) => void {
  const folder = sessionsFolder(state);
  const before = namesIn(folder);
  const known = new Set(before ?? []);
  return (sessions) => {
    const isOurs = (name: string) =>
      sessions.some((session) => name.includes(`.${session}.`)) ||
      name === 'swept' ||
      (name.startsWith(`${label}.`) && name.endsWith('.modern'));
    for (const name of namesIn(folder) ?? [])
      if (!known.has(name) && isOurs(name)) attempt(() => unlinkSync(join(folder, name)));
    if (before === undefined) attempt(() => rmdirSync(folder)); // not while a session is in it
  };
}

function namesIn(folder: string): string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined; // there is none
  }
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // Somebody else has it, or has taken it away.
  }
}
