/** mcp-hooks: what is read from stdin, printed and logged. */

import fs = require('node:fs');

import type { Running } from '../types.cjs';
import { append, claim, memoriesOf } from './memory.cjs';

/** Writes all of the text, to a pipe that may be full or closed. */
export function print(program: Running, text: string): void {
  const { to } = program;
  if (to) {
    to.print(text);
    return;
  } // src/sdk/engine/engine.ts, which we run in
  for (let from = 0; from < text.length; )
    try {
      from += fs.writeSync(1, from === 0 ? text : text.slice(from)); // ASCII: a byte is a character
    } catch (error) {
      if (Object(error).code !== 'EAGAIN' || !pause(program)) return;
    }
}

/** One line for each firing that showed something or failed. The text itself is only logged when the user debugs. */
export function log(
  {
    to,
    state,
    label,
    client,
    native,
    started,
  }: Pick<Running, 'to' | 'state' | 'label' | 'client' | 'native' | 'started'>,
  facts: object,
): void {
  if (to) {
    to.log(facts);
    return;
  }
  const trial = process.env.MCP_HOOKS_TRIAL ? { trial: true } : {};
  const milliseconds = Date.now() - started;
  const line = { at: started, client, event: native, milliseconds, ...facts, ...trial };
  try {
    append(logOf(state, label), `${JSON.stringify(line)}\n`);
  } catch {}
}

export function fail(program: Running, error: unknown): void {
  try {
    const { reasonOf } = require('../values.cjs');
    log(program, { hooks: [], characters: 0, why: [reasonOf(error)] });
    if (program.started % 64 === 0) tidy(program); // what always fails leaves a line each time
  } catch {}
}

export function tidy(program: Running): void {
  const { state, label } = program;
  require('../tidy.cjs').tidy(program, {
    log: logOf(state, label),
    folder: memoriesOf(state),
    claim,
  });
}

const logOf = (state: string, label: string): string => `${state}/log/${label}.jsonl`;

/** Everything on stdin; it may be a pipe that says "try again", unless it is our shell's. */
export function readStdin(program: Running): string {
  if (program.shell === 'whole') return fs.readFileSync(0, 'utf8');
  let bytes = Buffer.allocUnsafeSlow(16 * 1024);
  let length = 0;
  let looks = 8;
  for (;;) {
    if (length === bytes.length) bytes = Buffer.concat([bytes], 4 * length);
    try {
      const more = fs.readSync(0, bytes, length, bytes.length - length, null);
      if (more === 0) break;
      length += more;
      // A client may keep stdin open, so an object that has ended is taken for all of it. Each look takes time in proportion
      // to all that has arrived.
      if (endsLikeObject(bytes, length) && looks-- > 0 && isJson(bytes, length)) break;
    } catch (error) {
      const { code } = Object(error);
      if (code === 'EOF') break;
      if (code !== 'EAGAIN' || !pause(program)) throw error;
    }
  }
  return bytes.toString('utf8', 0, length);
}

/** Whether the last byte is `}`, or a line feed after one. */
const endsLikeObject = (bytes: Buffer, length: number): boolean =>
  bytes[length - 1] === 0x7d || (bytes[length - 1] === 0x0a && bytes[length - 2] === 0x7d);

const isJson = (bytes: Buffer, length: number): boolean => {
  const text = bytes.toString('utf8', 0, length);
  try {
    JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
    return true;
  } catch {
    return false;
  }
};

/** Waits a moment. False when there is no time left. */
function pause({ started, deadline }: Running): boolean {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
  return Date.now() < started + deadline;
}
