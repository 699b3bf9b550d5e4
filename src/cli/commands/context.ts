/** What every command is given, and what several of them do. */

import { isDefault, type Places, type Scope } from '../../clients/places.ts';
import type { Plan } from '../../install/plan.ts';
import type { Downloading } from '../../sources/protocol/conversation.ts';
import type { Env } from '../../system/env.ts';
import { missingFolders } from '../../system/files.ts';
import { lockPath } from '../../system/lock.ts';
import type { Terminal } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import { messages } from '../messages/output.ts';
import { diffOf } from '../render/diff.ts';

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

/** Seconds between two lines about one download. */
const AGAIN = 10;

/** What says on stderr how long something has been downloaded: after a second, and then now and then. */
export function tellingDownload(
  terminal: Terminal,
  name: string,
): (downloading: Downloading) => void {
  let next = 1;
  return ({ launcher, packages, seconds }) => {
    if (seconds < next) return;
    next = seconds + AGAIN;
    terminal.err(`${inLine(messages.downloading(name, launcher, packages, seconds))}\n`);
  };
}
