/**
 * mcp-hooks: the process that runs a background command (chain/background.cts starts it).
 *
 *   node background.cjs   < job
 *
 * It ends the command and all its child processes at the deadline, or as soon as the command is no longer wanted: its record is
 * gone (as after an uninstall), the runner is gone, or the user's policy forbids it. No process is ended by a number from a
 * file, so a forged record ends nothing.
 */

import fs = require('node:fs');

import type { Job } from './chain/background.cjs';
import { isAllowed } from './chain.cjs';
import { runCommand } from './command.cjs';
import { textOf } from './files.cjs';
import { ownMark } from './lock.cjs';
import { attempt, reasonOf } from './values.cjs';

/** Milliseconds between checks. */
const LOOK = 100;
/** Milliseconds that the process that started us has to write our record. */
const START = 2000;

async function main(): Promise<void> {
  const job: Job = JSON.parse(fs.readFileSync(0, 'utf8'));
  const { hook, event, cwd, within, until, record } = job;
  const command = hook.extended?.command;
  const isOurs = () => attempt(() => textOf(record)) === ownMark();
  for (const last = Date.now() + START; !isOurs(); await pause()) if (Date.now() > last) return;
  const isWanted = wantedBy(job);
  const ending = new AbortController();
  const watch = setInterval(() => {
    if (!isOurs() || !isWanted()) ending.abort();
  }, LOOK);
  try {
    if (command && isWanted())
      await runCommand(command, event, cwd, { until, within, silent: true, signal: ending.signal });
  } catch (error) {
    if (!ending.signal.aborted) note(error, job);
  } finally {
    clearInterval(watch);
    if (isOurs()) attempt(() => fs.rmSync(record, { force: true }));
  }
}

const pause = () => new Promise((done) => setTimeout(done, LOOK / 10));

/** Whether the runner still exists and the user's rules allow the command. The rules are read again when they change. */
function wantedBy({ program, hook }: Job): () => boolean {
  const { stage } = require('./runner.cjs');
  require('./policy.cjs'); // the file may be gone by the time it is needed
  const stamp = () => attempt(() => fs.lstatSync(`${program.state}/policy.json`))?.mtimeMs;
  let known: { readonly at: number | undefined; readonly isAllowed: boolean } | undefined;
  return () => {
    const at = stamp();
    if (!known || known.at !== at) known = { at, isAllowed: allows() };
    return known.isAllowed && fs.existsSync(__filename);
  };
  function allows(): boolean {
    const rules = attempt(() => stage.rulesFor(program));
    if (!rules || !isAllowed(hook, rules)) return false; // rules that cannot be read may forbid it
    const left = { hooks: [hook] };
    stage.leaveOutMuted(left, rules);
    return left.hooks.length > 0;
  }
}

/** Logs why the command failed. Its start is already in the log. */
function note(error: unknown, { program, hook }: Job): void {
  const why = reasonOf(error);
  const code = why.code === 'no-answer-in-time' ? 'background-ended' : why.code;
  const { stage } = require('./runner.cjs');
  const failed = { hook: hook.number, characters: 0, failed: true, background: true };
  stage.log(program, {
    hooks: [],
    characters: 0,
    each: [failed],
    why: [{ ...why, code, hook: hook.number }],
  });
}

main()
  .catch(() => {})
  .finally(() => process.exit());
