/** The texts for why a file is left unchanged. */

import type { EditMessage } from '../../edit/messages.ts';
import { mistakeInJson, type Words, withArticle } from '../../system/words.ts';

const NOT_IN_DIALECT = {
  'byte-order-mark': 'a byte order mark',
  'second-byte-order-mark': 'a second byte order mark',
  empty: 'an empty file',
  comment: 'a comment',
  'bare-return': 'a comment that ends with a carriage return alone',
  'trailing comma': 'a trailing comma',
};

export const edit = {
  'file-too-large': ({ limitMegabytes }) => `the file is larger than ${limitMegabytes} MB`,
  'not-ours-inside': ({ event, keys, hasTables }) => {
    const what =
      keys.length === 0 ? 'a comment' : keys.map((key) => JSON.stringify(key)).join(', ');
    const why = hasTables
      ? ', because TOML counts a key to the table whose header is above it'
      : '';
    return `${what} is inside a hook for ${event} that mcp-hooks wrote${keys.length > 0 ? why : ''}, and would be lost with it. Move it out of that hook, or remove it`;
  },
  utf16: () => 'the file is UTF-16, not UTF-8',
  'invalid-utf8': () => 'the file is not valid UTF-8',
  'nul-byte': () => 'the file has a NUL byte',
  'merge-conflict': () => 'the file has an unresolved merge conflict',
  'not-in-dialect': ({ what, otherwise }) => `${NOT_IN_DIALECT[what]} ${otherwise}`,
  'duplicate-key': ({ name }) => `duplicate key "${name}"`,
  'brackets-too-deep': ({ depth }) => `more than ${depth} brackets inside each other`,
  'invalid-json': ({ mistake, found }) => {
    if (mistake === undefined) return 'the file is not valid JSON';
    const what = found === '' ? 'the end of the file' : JSON.stringify(found);
    return `not valid JSON: ${mistakeInJson(mistake)}${found === undefined ? '' : `, found ${what}`}`;
  },
  'not-our-program': () =>
    'mcp-hooks finds no list of its hooks in this program, and changes no other: rename it, or remove it if mcp-hooks made it',
  'program-broken': () => 'not valid JavaScript',
  'no-object': () => 'the file does not hold an object',
  'unexpected-type': ({ path, type, found }) =>
    `${path === undefined ? 'the document' : `"${path}"`} is not an ${type} but ${withArticle(found)}`,
  'not-an-array': ({ path }) => `"${path}" is not an array`,
  'not-a-table': ({ path }) => `"${path}" is not a table`,
  'too-deep-or-long': () =>
    'the file is nested too deeply, or has a text too long for it to be edited',
  'tables-too-deep': ({ depth }) => `more than ${depth} tables inside each other`,
  'impossible-date': ({ date, otherwise }) => `the date ${date} does not exist, which ${otherwise}`,
  'integer-too-large': ({ otherwise }) =>
    `an integer does not fit into 64 bits, which ${otherwise}`,
  'unclosed-string': () => 'not valid TOML: a string is not closed',
  'invalid-toml': ({ text }) => `not valid TOML: ${text}`,
  'toml-null': () => 'TOML has no null',
  'changes-too-much': () => 'would have changed more than our entries; nothing was written',
  'wrong-result': () => 'the new file would not have the right contents; nothing was written',
} satisfies Words<EditMessage>;
