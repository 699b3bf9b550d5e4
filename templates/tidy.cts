/** mcp-hooks: what the hook runner cleans up now and then. Looking for old files each time would cost more than all the rest. */

import fs = require('node:fs');

/**
 * Shortens a log, and once an hour what all hooks have left: memories of events go after an hour and those of sessions after
 * 30 days, the oldest earlier if there are too many, and logs that nothing is written to any more.
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
  // If there is not enough time for all, others come first the next time.
  const first = started % Math.max(1, names.length);
  const left: { file: string; at: number }[] = [];
  for (const name of [...names.slice(first), ...names.slice(0, first)]) {
    if (Date.now() - started > TIME) break;
    const file = `${folder}/${name}`;
    const found = fs.lstatSync(file, { throwIfNoEntry: false });
    // A folder in the place of a file stays, and keeps nothing else here.
    if (name === 'swept' || !found || found.isDirectory()) continue;
    const kept = LASTING.test(name) ? 30 * 24 * HOUR : HOUR;
    const isHuge = found.size > HUGE;
    if (started - found.mtimeMs > kept || isHuge) attempt(() => fs.unlinkSync(file));
    else left.push({ file, at: found.mtimeMs });
  }
  left.sort((a, b) => b.at - a.at);
  for (const { file } of left.slice(MANY)) attempt(() => fs.unlinkSync(file));
}

/** Other labels' logs, and what a killed process has left half written. */
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

const LASTING = /\.(?:mark|kept|told|denied|calls|\w+-once|history-\d*|modern)$/;
const HOUR = 60 * 60 * 1000;
/** Milliseconds since the event, after which the rest is for the next time. */
const TIME = 500;
/** Bytes of a log that are counted at once: some 10 ms. */
const PIECE = 1024 * 1024;
/** Files that a month's memories may be. */
const MANY = 20_000;
/** Bytes that no memory has. */
const HUGE = 4 * 1024 * 1024;
