/**
 * mcp-hooks: how the second stage of the hook runner starts a program that the user has allowed. The program reads the event on
 * stdin and prints its answer. The program and all its child processes are ended at its deadline.
 */

import fs = require('node:fs');

import { delimiter, isAbsolute } from 'node:path';
import type { Readable } from 'node:stream';
import { printed } from './envelope.cjs';
import { withFile } from './files.cjs';
import { programTree, startTree } from './process-tree.cjs';
import type { ExtendedHook } from './types.cjs';
import { fault, waitFor } from './values.cjs';

/** The exit status with which a program blocks. The reason is on stderr. */
const BLOCKS = 2;
/** The maximum size in bytes of an answer, and of a reason on stderr. */
const ANSWER = 4 * 1024 * 1024;
const REASON = 64 * 1024;
/** Milliseconds for the last output to arrive. */
const GRACE = 200;

/**
 * @param command Its files must be those that the user has allowed, by their SHA-256.
 * @param how `until`: the deadline, as in Date.now(). `within`: variables for its environment besides the client's.
 * @param how `silent`: the output is not read. `signal`: ends the program early.
 * @returns The answer: an object, a text, or undefined for no output. Throws a code if the output is not an answer.
 */
export async function runCommand(
  { words, files }: Pick<NonNullable<ExtendedHook['command']>, 'words' | 'files'>,
  envelope: string,
  cwd: string,
  {
    until,
    within = {},
    silent = false,
    signal,
  }: {
    readonly until: number;
    readonly within?: NodeJS.ProcessEnv;
    readonly silent?: boolean;
    readonly signal?: AbortSignal;
  },
): Promise<unknown> {
  const stamps = Object.entries(files).map(([file, hash]) => [file, check(file, hash)] as const);
  if (Date.now() >= until) throw fault('no-answer-in-time');
  const folder = fs.existsSync(cwd) ? cwd : process.cwd();
  const { child, ended, end } = startTree(
    programTree(words, { ...ownEnvironment(), ...within }, folder),
    folder,
  );
  let failure: Error | undefined;
  const stop = (code: string) => {
    failure ??= fault(code);
    end();
  };
  const timer = setTimeout(stop, Math.max(0, until - Date.now()), 'no-answer-in-time');
  signal?.addEventListener('abort', () => stop('ended-early'));
  const said = silent
    ? collect(child.stdout, 0, () => {})
    : collect(child.stdout, ANSWER, () => stop('answer-too-long'));
  const complaint = collect(child.stderr, silent ? 0 : REASON, () => {});
  child.stdin.on('error', () => {}); // it may exit without reading
  try {
    // A program whose file was replaced in the meantime does not get the event.
    failure = changeOf(stamps);
    if (failure) end();
    else child.stdin.end(envelope);
    const refused = new Promise<never>((_resolve, reject) => {
      child.on('error', reject);
    });
    const status = await Promise.race([ended, refused]);
    await waitFor(GRACE, Promise.all([said.over, complaint.over]));
    // If this process was busy the whole time, the output is still unread.
    await new Promise(setImmediate);
    failure ??= changeOf(stamps); // they were opened after our check
    if (failure) throw failure;
    if (status === BLOCKS && !silent) return { action: 'block', reason: complaint.text().trim() };
    if (status !== 0) throw fault('command-failed', { status: String(status) });
    const text = said.text();
    return text.trim() === '' ? undefined : printed(text);
  } finally {
    clearTimeout(timer);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    child.unref();
  }
}

/** Bytes of a file that a command may name (COMMAND_FILE_BYTES in src/declaration/limits.ts). */
const FILE = 16 * 1024 * 1024;

/** Checks that this is the very file that the user allowed. @returns Its stamp from before it was read. */
function check(file: string, hash: string): string {
  const { createHash } = require('node:crypto');
  const stamp = stampOf(file);
  const bytes = bytesOf(file);
  if (!bytes || createHash('sha256').update(bytes).digest('hex') !== hash)
    throw fault('command-changed', { file });
  return stamp;
}

/**
 * An interpreter opens its files by name, after our check. So they must stay unchanged the whole time.
 * @returns The fault if one has changed.
 */
function changeOf(stamps: readonly (readonly [file: string, stamp: string])[]): Error | undefined {
  const [file] = stamps.find(([path, stamp]) => stampOf(path) !== stamp) ?? [];
  return file === undefined ? undefined : fault('command-changed', { file });
}

/**
 * Changes whenever the file, or a link in its place, is written, renamed or replaced, even if it is changed back: the system
 * itself sets the time of such a change, and no program can.
 */
function stampOf(file: string): string {
  try {
    return [fs.lstatSync(file, { bigint: true }), fs.statSync(file, { bigint: true })]
      .flatMap(({ dev, ino, size, mtimeNs, ctimeNs }) => [dev, ino, size, mtimeNs, ctimeNs])
      .join(' ');
  } catch {
    return 'none';
  }
}

/** Undefined: not a file that the user could have allowed. */
function bytesOf(file: string): Buffer | undefined {
  try {
    return withFile(file, (handle, size) => (size <= FILE ? fs.readFileSync(handle) : undefined));
  } catch {
    return undefined;
  }
}

/**
 * The environment that the client gives to hooks. Its PATH has no folder of the session, which may be a clone of untrusted
 * code.
 */
function ownEnvironment(): NodeJS.ProcessEnv {
  const { MCP_HOOKS_TIDY: _, MCP_HOOKS_NODE_OPTIONS: options, ...env } = process.env;
  if (options !== undefined) env.NODE_OPTIONS = options;
  for (const [name, value] of Object.entries(env))
    if (name.toUpperCase() === 'PATH')
      env[name] = value?.split(delimiter).filter(isAbsolute).join(delimiter);
  return env;
}

/** Collects a stream's output up to a limit, and then reads on without keeping it. */
function collect(stream: Readable, most: number, onFlood: () => void) {
  const pieces: Buffer[] = [];
  let length = 0;
  const over = new Promise<void>((resolve) => {
    stream.on('close', resolve);
  });
  stream.on('error', () => {});
  stream.on('data', (piece: Buffer) => {
    length += piece.length;
    if (length > most) onFlood();
    else pieces.push(piece);
  });
  return { over, text: () => Buffer.concat(pieces).toString() };
}
