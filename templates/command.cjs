/**
 * mcp-hooks: how the second stage of the hook runner starts a program that the user has allowed. The program reads the event
 * on stdin, and answers with what it prints. It and all that it starts are gone when its time is over.
 */
'use strict';
const fs = require('node:fs');
const { delimiter, isAbsolute } = require('node:path');
const { GRACE, MOST, running, watch, within } = require('./call.cjs');
const { printed } = require('./envelope.cjs');
const { familyOf } = require('./family.cjs');
const { fault, withFile } = require('./values.cjs');

/** The exit status with which a program blocks; stderr has the reason. */
const BLOCKS = 2;
/** Bytes of a reason on stderr. */
const REASON = 64 * 1024;

/**
 * @param command `words`: the program and its arguments, for no shell; `files`: the SHA-256 of those that are files.
 * @param until The deadline, as in Date.now().
 * @returns The answer: an object, a text, or undefined for nothing. Throws a code when it is not an answer.
 */
async function runCommand({ words, files }, envelope, cwd, until) {
  const stamps = Object.entries(files).map(([file, hash]) => [file, check(file, hash)]);
  if (Date.now() >= until) throw fault('no-answer-in-time');
  const { spawn } = require('node:child_process');
  const windows = process.platform === 'win32';
  const folder = fs.existsSync(cwd) ? cwd : process.cwd();
  const family = familyOf();
  const launch = family.launch(words, ownEnvironment(), folder);
  const [program, ...args] = launch.words;
  const child = spawn(program, args, {
    cwd: folder,
    env: launch.env,
    stdio: launch.stdio,
    detached: !windows, // a process group of its own, so that its children end with it
    windowsHide: true,
  });
  family.begun(child);
  let hasEnded = false;
  const end = () => {
    if (!hasEnded) family.end();
  };
  if (child.pid !== undefined) watch(end);
  let failure;
  const stop = (code) => {
    failure ??= fault(code);
    end();
  };
  const timer = setTimeout(stop, until - Date.now(), 'no-answer-in-time');
  const said = collect(child.stdout, MOST, () => stop('answer-too-long'));
  const complaint = collect(child.stderr, REASON, () => {});
  child.stdin.on('error', () => {}); // it may end without reading
  try {
    // What was put in the place of a file meanwhile is not given the event.
    failure = changeOf(stamps);
    if (failure) end();
    else child.stdin.end(envelope);
    const status = await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (code, signal) => {
        if (!windows) end(); // what it left behind, which may hold its streams
        hasEnded = true;
        resolve(code ?? signal);
      });
    });
    await within(Promise.all([said.over, complaint.over]), GRACE);
    // If this process was busy all that time, the output is still unread.
    await new Promise(setImmediate);
    failure ??= changeOf(stamps); // they were opened after we had looked
    if (failure) throw failure;
    if (status === BLOCKS) return { action: 'block', reason: complaint.text().trim() };
    if (status !== 0) throw fault('command-failed', { status: String(status) });
    const text = said.text();
    return text.trim() === '' ? undefined : printed(text);
  } finally {
    clearTimeout(timer);
    running.delete(end);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    child.unref();
  }
}

/** Bytes of a file that a command may name (COMMAND_FILE_BYTES in src/declaration/limits.ts). */
const FILE = 16 * 1024 * 1024;

/** The user has allowed this very file. @returns Its stamp from before it was read. */
function check(file, hash) {
  const { createHash } = require('node:crypto');
  const stamp = stampOf(file);
  const bytes = bytesOf(file);
  if (!bytes || createHash('sha256').update(bytes).digest('hex') !== hash)
    throw fault('command-changed', { file });
  return stamp;
}

/**
 * An interpreter opens its files by name, after we have looked. So they have to be the same afterwards, and all the time.
 * @returns The fault if one is not.
 */
function changeOf(stamps) {
  const [file] = stamps.find(([path, stamp]) => stampOf(path) !== stamp) ?? [];
  return file && fault('command-changed', { file });
}

/**
 * Differs once a file, or a link in its place, was written, renamed or replaced, even if all is as before again: the system
 * sets the time of such a change, and nobody else can.
 */
function stampOf(file) {
  try {
    return [fs.lstatSync, fs.statSync]
      .map((look) => look(file, { bigint: true }))
      .flatMap(({ dev, ino, size, mtimeNs, ctimeNs }) => [dev, ino, size, mtimeNs, ctimeNs])
      .join(' ');
  } catch {
    return 'none';
  }
}

/** Undefined: nothing that the user could have allowed. */
function bytesOf(file) {
  try {
    return withFile(file, (handle, size) => (size <= FILE ? fs.readFileSync(handle) : undefined));
  } catch {
    return undefined;
  }
}

/** The environment that the client gives to hooks. Its PATH has no folder of the session, which may be a clone. */
function ownEnvironment() {
  const { MCP_HOOKS_TIDY: _, MCP_HOOKS_NODE_OPTIONS: options, ...env } = process.env;
  if (options !== undefined) env.NODE_OPTIONS = options;
  for (const name of Object.keys(env))
    if (name.toUpperCase() === 'PATH')
      env[name] = env[name].split(delimiter).filter(isAbsolute).join(delimiter);
  return env;
}

/** Collects a stream's output up to a limit, and reads on beyond it. */
function collect(stream, most, onFlood) {
  const pieces = [];
  let length = 0;
  const over = new Promise((resolve) => stream.on('close', resolve));
  stream.on('error', () => {});
  stream.on('data', (piece) => {
    length += piece.length;
    if (length > most) onFlood();
    else pieces.push(piece);
  });
  return { over, text: () => Buffer.concat(pieces).toString() };
}

module.exports = { runCommand };
