/** mcp-hooks: the runner's occasional cleanup. Looking for old files each time would cost more than everything else. */

import fs = require('node:fs');

/**
 * Shortens a log. Once an hour, it also removes old files of all hooks: memories of events after an hour, memories of sessions
 * after 30 days (the oldest earlier, if there are too many), and logs that are no longer written to.
 */
export function tidy(
  { started }: { readonly started: number },
  {
    log,
    folder,
    claim,
  }: {
    readonly log: string;
    readonly folder: string;
    readonly claim: (file: string, window: number) => boolean;
  },
): void {
  attempt(() => require('./counts.cjs').shorten(log, started, PIECE));
  attempt(() => {
    if (!claim(`${folder}/swept`, HOUR)) return;
    attempt(() => sweep(folder, started));
    attempt(() => sweepLogs(log.slice(0, log.lastIndexOf('/')), started));
  });
}

function sweep(folder: string, started: number): void {
  const names = fs.readdirSync(folder);
  // Starts at another file each time, in case there is not enough time for all.
  const first = started % Math.max(1, names.length);
  const left: { file: string; at: number }[] = [];
  for (const name of [...names.slice(first), ...names.slice(0, first)]) {
    if (Date.now() - started > TIME) break;
    const file = `${folder}/${name}`;
    const found = fs.lstatSync(file, { throwIfNoEntry: false });
    // A folder in place of a file is skipped, and does not stop the cleanup.
    if (name === 'swept' || !found || found.isDirectory()) continue;
    const kept = LASTING.test(name) ? 30 * 24 * HOUR : HOUR;
    const isHuge = found.size > HUGE;
    if (started - found.mtimeMs > kept || isHuge) attempt(() => fs.unlinkSync(file));
    else left.push({ file, at: found.mtimeMs });
  }
  left.sort((a, b) => b.at - a.at);
  for (const { file } of left.slice(MANY)) attempt(() => fs.unlinkSync(file));
}

/** Other labels' logs, and incomplete files of killed processes. */
function sweepLogs(folder: string, started: number): void {
  for (const name of fs.readdirSync(folder)) {
    if (Date.now() - started > TIME) return;
    const file = `${folder}/${name}`;
    const label = /^(.+\.jsonl)(?:\.1)?$/.exec(name)?.[1];
    if (label !== undefined)
      attempt(() => require('./counts.cjs').shorten(`${folder}/${label}`, started, PIECE));
    else if (/\.mcp-hooks-[\w-]+\.\w+\.tmp$/.test(name))
      attempt(() => {
        if (started - fs.lstatSync(file).mtimeMs > HOUR) fs.unlinkSync(file);
      });
  }
}

function attempt(action: () => void): void {
  try {
    action();
  } catch {}
}

const LASTING = /\.(?:mark|kept|shown|denied|calls|\w+-once|history-\d*|modern)$/;
const HOUR = 60 * 60 * 1000;
/** Milliseconds since the event after which the rest is left for the next time. */
const TIME = 500;
/** The maximum number of bytes of a log to count at once, which takes some 10 ms. */
const PIECE = 1024 * 1024;
/** The number of memories that a month may leave. */
const MANY = 20_000;
/** Larger than any memory, in bytes. */
const HUGE = 4 * 1024 * 1024;
