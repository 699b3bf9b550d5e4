/** mcp-hooks: small functions that several files of the hook runner need. What is needed each time is in runner.cjs itself. */
'use strict';

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

/** Stands in the log in place of the content itself. */
const hashOf = (value) =>
  require('node:crypto')
    .createHash('sha256')
    .update(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
    .digest('hex');

module.exports = { fault, hashOf, isObject, parse, reasonOf };
