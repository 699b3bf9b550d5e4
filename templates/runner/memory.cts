/**
 * mcp-hooks: the memory of a session: one empty file per fact. Files are made and removed atomically, so that concurrent hooks
 * agree. The first stage uses the same names.
 */

import fs = require('node:fs');

import type { Found } from '../history.cjs';
import type { Firing, ProgramHook, Rules, Running } from '../types.cjs';
import { host } from './event.cjs';
import { clientProcess } from './hosts.cjs';

/** The owner of a memory. */
type Keeper = Pick<Running, 'state' | 'client' | 'label'>;
type Session = Pick<Firing, 'session'>;

/** Whether a hook could be due now. Only checks, and claims nothing. */
export function waits(
  { id, act, marked, once, event }: ProgramHook,
  firing: Session,
  program: Keeper,
): boolean {
  const is = (fact: string) => fs.existsSync(memory({ id }, firing, program, fact));
  if (act === 'mark' || (marked && !is('mark'))) return false;
  return !once || event === 'session_start' || !is(`${act}-once`);
}

/** Whether this hook must be shown now. If several runners ask for the same event, only one gets true. */
export function isDue(hook: ProgramHook, firing: Firing, program: Running, rules: Rules): boolean {
  const name = (fact: string) => memory(hook, firing, program, fact);
  const { source, occasion } = firing;
  try {
    if (includes(program.wire.continuing, source) && history(hook, firing, program, rules).has)
      return false;
    if (occasion.length > 0) {
      // A client may ask twice about the same event, or two of our entries may. Some events do recur.
      const recurring = includes(program.wire.recurring, source) ? 5000 : undefined;
      const window = program.end ? QUIT : recurring;
      // A process that continues a session may not know what the previous one was told.
      const where = window !== undefined && host ? [clientProcess()] : [];
      firing.moment ??= plain([...occasion, ...where].join(' '), 80); // once for all hooks, because it may be long
      if (!claim(name(`${program.native}-${firing.moment}`), window)) return false;
    }
    if (hook.once && hook.event === 'session_start') return isNew(hook, firing, program, rules);
    if (hook.once) return claim(lasting(hook, firing, name(`${hook.act}-once`)));
    if (rules.cooldown > 0 && !claim(lasting(hook, firing, name('shown')), rules.cooldown * 1000))
      return false;
    return !hook.marked || take(name('mark'));
  } catch {
    // Without a memory, telling twice is better than never telling. Starting another turn of the model is not.
    return hook.act === 'tell' && (!hook.marked || take(name('mark')));
  }
}

/** Milliseconds within which several reports of a session's end by one client process count as one. */
const QUIT = 60_000;

const includes = (list: readonly string[], value: unknown): boolean =>
  typeof value === 'string' && list.includes(value);

/** Whether the session has not been told yet, or has lost the text. Searches only if the history has begun anew. */
function isNew(hook: ProgramHook, firing: Firing, program: Running, rules: Rules): boolean {
  const { has, begun } = history(hook, firing, program, rules);
  return claim(lasting(hook, firing, memory(hook, firing, program, `history-${begun}`))) && !has;
}

const history = (hook: ProgramHook, firing: Firing, program: Running, rules: Rules): Found =>
  require('../history.cjs').history(hook, firing, program, rules);

/** Records the file that `forget` removes. */
function lasting(hook: ProgramHook, { claimed }: Firing, file: string): string {
  claimed.set(hook, file);
  return file;
}

/** Undoes `isDue`. */
export function forget(hook: ProgramHook, firing: Firing, program: Keeper): void {
  if (hook.marked) remember(memory(hook, firing, program, 'mark'));
  try {
    fs.unlinkSync(firing.claimed.get(hook) ?? '');
  } catch {}
}

/**
 * The file of a fact. Its name, with the suffix of `claim`, has at most 255 bytes (src/install/ledger-change.ts relies on
 * that).
 */
export function memory(
  { id }: Pick<ProgramHook, 'id'>,
  { session }: Session,
  { state, client, label }: Keeper,
  fact: string,
): string {
  const name = `${client}.${plain(session, 64)}.${label}.${id}.${fact}`;
  const short = name.length <= 240 ? name : `${name.slice(0, 200)}~${checksum(name)}`;
  return `${memoriesOf(state)}/${short}`;
}

export const memoriesOf = (state: string): string => `${state}/sessions`;

/** Keeps ids readable as part of a file name; other texts become a checksum. */
export const plain = (text: string, most: number): string =>
  text.length <= most && /^[\w -]+$/.test(text) ? text : `~${checksum(text)}`;

export function checksum(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x1b873593;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b) + (a >>> 7);
  }
  const hex = (half: number) => (half >>> 0).toString(16).padStart(8, '0');
  return hex(a) + hex(b);
}

/** True for one of several callers at the same time, and again only after `window` milliseconds. */
export function claim(file: string, window = Number.POSITIVE_INFINITY): boolean {
  if (make(file)) return true;
  const { mtimeMs: last } = fs.statSync(file);
  const age = Date.now() - last;
  if (age < window && age > -window) return false; // a negative age means that the clock was set back
  // All callers that find it expired try to make the same file.
  if (!make(`${file}.${Math.trunc(last)}`)) return false;
  const now = new Date();
  fs.utimesSync(file, now, now);
  return true;
}

/** False if it already exists. Checking is cheaper than an error. */
function make(file: string): boolean {
  if (fs.existsSync(file)) return false;
  try {
    fs.closeSync(open(file, 'wx'));
    return true;
  } catch (error) {
    if (Object(error).code !== 'EEXIST') throw error;
    return false;
  }
}

export function remember(file: string): void {
  try {
    fs.closeSync(open(file, 'w'));
  } catch {}
}

/** Appends a text to a file. */
export function append(file: string, text: string): void {
  const handle = open(file, 'a');
  fs.writeSync(handle, text);
  fs.closeSync(handle);
}

/**
 * Opens a file in a folder of the state folder. The state folder itself is never made: if it is gone, an uninstall has just
 * removed it.
 */
export function open(file: string, how: keyof typeof HOW): number {
  const flags = HOW[how];
  try {
    return fs.openSync(file, flags, 0o600);
  } catch (error) {
    const folder = file.slice(0, file.lastIndexOf('/'));
    const { code } = Object(error);
    if (code === 'ENOTDIR')
      fs.unlinkSync(folder); // a file in place of a folder of ours
    else if (code !== 'ENOENT') throw error;
    try {
      fs.mkdirSync(folder, { mode: 0o700 });
    } catch (other) {
      if (Object(other).code !== 'EEXIST') throw error;
    }
    return fs.openSync(file, flags, 0o600);
  }
}

const { O_APPEND, O_CREAT, O_EXCL, O_NONBLOCK = 0, O_TRUNC, O_WRONLY } = fs.constants;

/** If there is a pipe in place of a file, opening or writing fails instead of waiting for a reader. */
const WRITING = O_WRONLY | O_CREAT | O_NONBLOCK;

const HOW = { a: WRITING | O_APPEND, w: WRITING | O_TRUNC, wx: WRITING | O_EXCL };

export function take(file: string): boolean {
  try {
    if (!fs.existsSync(file)) return false;
    fs.unlinkSync(file);
    return true;
  } catch {
    return false;
  }
}
