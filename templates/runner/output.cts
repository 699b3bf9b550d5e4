/** mcp-hooks: reads stdin, prints the answer and writes the log. */

import fs = require('node:fs');

import type { Running } from '../types.cjs';
import { append, claim, memoriesOf } from './memory.cjs';

/** Writes all of the text to a pipe that may be full or closed. */
export function print(program: Running, text: string): void {
  const { to } = program;
  if (to) {
    to.print(text);
    return;
  } // we run inside src/sdk/engine/engine.ts
  for (let from = 0; from < text.length; )
    try {
      from += fs.writeSync(1, from === 0 ? text : text.slice(from)); // ASCII: one byte per character
    } catch (error) {
      if (Object(error).code !== 'EAGAIN' || !pause(program)) return;
    }
}

/** Logs one line for each firing that showed something or failed. The text itself is logged only in debug mode. */
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
    if (program.started % 64 === 0) tidy(program); // a hook that always fails adds a line each time
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

/** All of stdin. Unless it comes from our shell, it may be a pipe that returns EAGAIN. */
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
      // A client may keep stdin open, so a complete object is taken as the whole input. Each check takes time in proportion to
      // all the input so far.
      if (endsLikeObject(bytes, length) && looks-- > 0 && isJson(bytes, length)) break;
    } catch (error) {
      const { code } = Object(error);
      if (code === 'EOF') break;
      if (code !== 'EAGAIN' || !pause(program)) throw error;
    }
  }
  return bytes.toString('utf8', 0, length);
}

/** Whether the input ends with `}`, or with `}` and a line feed. */
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

/** Waits a moment. False if no time is left. */
function pause({ started, deadline }: Running): boolean {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
  return Date.now() < started + deadline;
}
