/** mcp-hooks: small functions that several files of the hook runner need. What is needed each time is in runner.cjs itself. */
'use strict';
const fs = require('node:fs');

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An error with one of our codes and its facts, which may be logged. */
const fault = (code, facts) => Object.assign(new Error(code), { why: { code, ...facts } });

/** What went wrong, as a code with its facts (src/compile/runner-messages.ts). A message may quote something private. */
function reasonOf(error) {
  // Anything can be thrown, also nothing.
  const { why, code, name } = Object(error);
  const names = [code, name, typeof error];
  return why ?? { code: 'error', name: names.find((one) => typeof one === 'string') };
}

/**
 * The result of `use`, which is given an open file and its size; undefined: it is no regular file. Opening a pipe would wait,
 * and a device never ends. Any process of the user may have put one in the place of a file, and no deadline could help.
 * Given a path, node ends the whole process if it reads text from a file that cannot be closed (seen in 20.20.2).
 */
function withFile(file, use) {
  const { O_RDONLY, O_NONBLOCK = 0 } = fs.constants;
  const handle = fs.openSync(file, O_RDONLY | O_NONBLOCK);
  try {
    const found = fs.fstatSync(handle);
    return found.isFile() ? use(handle, found.size) : undefined;
  } finally {
    fs.closeSync(handle);
  }
}

/** Undefined: it is no regular file, or too large. Files of the system, some of which never end, say that they are empty. */
const textOf = (file, most = LARGEST) =>
  withFile(file, (handle, size) => {
    if (size > most) return undefined;
    return size === 0 ? '' : fs.readFileSync(handle, 'utf8');
  });
/** The largest file that people write, in bytes. */
const LARGEST = 20 * 1024 * 1024;

/** Stands in the log in place of the content itself. */
const hashOf = (value) =>
  require('node:crypto')
    .createHash('sha256')
    .update(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
    .digest('hex');

module.exports = { fault, hashOf, isObject, parse, reasonOf, textOf, withFile };
