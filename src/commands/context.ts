/** What every command is given, and what several of them do. */

import type { Env } from '../clients/client.ts';
import { list, missingFolders, obstacle, read } from '../files.ts';
import { gitState } from '../git/state.ts';
import { lockPath } from '../lock.ts';
import { isDefault, type Places, type Scope } from '../places.ts';
import type { Disk, Plan } from '../plan.ts';
import { diffOf } from '../showing/diff.ts';
import type { Terminal } from '../terminal.ts';
import { inLine } from '../visible.ts';

export interface Context {
  readonly terminal: Terminal;
  readonly env: Env;
  readonly cwd: string;
  readonly version: string;
}

/** Flags that commands share, as commander gives them. */
export interface Flags {
  readonly client?: readonly string[];
  readonly scope: Scope;
  readonly json?: boolean;
  readonly verbose?: boolean;
}

/** Exit codes. */
export const OK = 0;
export const DIFFERENT = 1;
export const TROUBLE = 2;
/** As a shell has it: 128 and the number of SIGINT. */
export const INTERRUPTED = 130;

export const disk: Disk = { read, missingFolders, list, obstacle, git: gitState };

/** The folders that are still to be made for our own; `~/.mcp-hooks` needs no remembering. */
export const missingForState = (places: Places): string[] =>
  missingFolders(lockPath(places.state)).filter(
    (folder) => folder !== places.state || !isDefault(places),
  );

/** The diff of each client's file that changes, by its path. */
export const diffs = (plan: Plan): Record<string, string> =>
  Object.fromEntries(plan.clients.map((client) => [client.path, diffOf(client, plan.places.home)]));

/** Says on stderr what takes so long, after a second. */
export async function patiently<T>(
  terminal: Terminal,
  sentence: string,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setTimeout(() => terminal.err(`${inLine(sentence)}\n`), 1000);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
