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

/** An error whose words are ours, and may be logged. */
const fault = (ours) => Object.assign(new Error(ours), { ours });

/** What went wrong, in a word: a message may quote what nobody should read. */
const nameOf = ({ ours, code, name }) => ours ?? (typeof code === 'string' ? code : name);

module.exports = { fault, isObject, nameOf, parse };
