/**
 * TOML by value, parsed by smol-toml, which is not used to find positions; and our values printed as TOML 1.0. Values that JSON
 * does not have (dates, big integers, floats such as 1.0 or inf) become tagged objects, so that two documents are equal only if
 * all their types are.
 */
import { parse, TomlDate, TomlError } from 'smol-toml';
import { ParseError, parseTOML, traverseNodes } from 'toml-eslint-parser';
import { attempt } from '../system/errors.ts';
import type { Dialect, JsonObject, JsonValue } from './edit.ts';
import { ANYTHING, isObject, Refusal } from './edit.ts';
import type { EditMessage } from './messages.ts';
import { dialectRefusal, isBlank, MAX_DEPTH, refusal, withoutBom } from './text.ts';

const TAG = 'toml:';

export function read(source: string, dialect: Dialect): JsonObject {
  const text = withoutBom(source);
  if (text !== source && !dialect.bom) throw dialectRefusal(source, 'byte-order-mark', dialect);
  if (dialect !== ANYTHING && withoutBom(text) !== text)
    throw dialectRefusal(text, 'second-byte-order-mark', dialect);
  if (isBlank(text)) {
    if (!dialect.empty) throw dialectRefusal(text, 'empty', dialect);
    return {};
  }
  try {
    const value = fromToml(parse(text, { integersAsBigInt: true, maxDepth: MAX_DEPTH }), 0);
    const wrong = dialect === ANYTHING ? undefined : impossibleDate(text);
    if (wrong)
      throw refusal(text, wrong.offset, {
        code: 'impossible-date',
        date: wrong.date,
        otherwise: dialect.otherwise,
      });
    const large = dialect === ANYTHING ? undefined : largeInteger(text);
    if (large !== undefined)
      throw refusal(text, large, { code: 'integer-too-large', otherwise: dialect.otherwise });
    return isObject(value) ? value : {};
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const open = unclosedString(text, error.line);
    if (open !== undefined) throw unclosed(error.line, open);
    // The rest of the message quotes lines of the file, which may contain a secret.
    const [said = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    if (said === 'unfinished string') throw unclosed(error.line, error.column);
    throw new Refusal<EditMessage>({ code: 'invalid-toml', text: said }, error.line, error.column);
  }
}

const unclosed = (line: number, column: number): Refusal =>
  new Refusal<EditMessage>({ code: 'unclosed-string' }, line, column);

/** The column of a string that is not closed on its line. Multi-line strings are left to the parser. */
function unclosedString(text: string, line: number): number | undefined {
  const source = text.split(/\r?\n/)[line - 1] ?? '';
  if (/"""|'''/.test(text)) return undefined;
  for (const { 0: token, index } of source.matchAll(/#.*|"(?:\\.|[^"\\])*("?)|'[^']*('?)/g))
    if (/^["']/.test(token) && (token.length === 1 || token.at(-1) !== token[0])) return index + 1;
  return undefined;
}

function fromToml(value: unknown, depth: number): JsonValue {
  if (depth > MAX_DEPTH)
    throw new Refusal<EditMessage>({ code: 'tables-too-deep', depth: MAX_DEPTH });
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : tagged('integer', String(value));
  }
  if (typeof value === 'number') {
    const plain = Number.isFinite(value) && !Number.isInteger(value);
    return plain ? value : tagged('float', Object.is(value, -0) ? '-0' : String(value));
  }
  if (value instanceof TomlDate) return tagged('date', value.toISOString());
  if (Array.isArray(value)) return value.map((item) => fromToml(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value ?? {}).map(([key, item]) => [key, fromToml(item, depth + 1)]),
  );
}

const tagged = (type: 'integer' | 'float' | 'date', text: string): JsonObject => ({
  [TAG + type]: text,
});

/** A value on one line. */
export function print(value: JsonValue): string {
  // JSON's escapes are valid in TOML, too, but JSON does not escape DEL.
  if (typeof value === 'string') return JSON.stringify(value).replaceAll('\u007f', '\\u007F');
  if (value === null) throw new Refusal<EditMessage>({ code: 'toml-null' });
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(print).join(', ')}]`;
  const pairs = Object.entries(value);
  const [only] = pairs;
  if (pairs.length === 1 && only?.[0].startsWith(TAG)) return printTagged(String(only[1]));
  if (pairs.length === 0) return '{}';
  return `{ ${pairs.map(([key, item]) => pair(key, item)).join(', ')} }`;
}

/** Only needed for a group of ours that was edited: `timeout = 10.0`. */
const printTagged = (text: string): string =>
  ({ Infinity: 'inf', '-Infinity': '-inf', NaN: 'nan', '-0': '-0.0' })[text] ??
  text.replace(/^-?\d{1,15}$/, '$&.0');

export const pair = (key: string, value: JsonValue): string => `${name(key)} = ${print(value)}`;

/** A key, without quotes if possible. */
export const name = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : print(key));

/**
 * Matches whatever looks like an impossible date, even in a string. Most files have no match and are not parsed a second time.
 */
const SUSPECT = /\d{4}-(?:02-(?:29|30|31)|(?:04|06|09|11)-31)/g;

/** The first impossible date in a document. */
function impossibleDate(text: string): { date: string; offset: number } | undefined {
  if (text.search(SUSPECT) === -1) return undefined;
  try {
    parseTOML(text, { tomlVersion: '1.1' });
  } catch (error) {
    if (!(error instanceof ParseError || error instanceof RangeError)) throw error;
    if (error.message !== 'Unexpected invalid date' || !(error instanceof ParseError)) return;
    // The parser stops at the end of the date, or of the time after it.
    const date = Array.from(text.slice(0, error.index + 1).matchAll(SUSPECT)).at(-1);
    if (date) return { date: date[0], offset: date.index };
  }
  return undefined;
}

/** Matches integers that may exceed 64 bits. Most files have no match and are not parsed a second time. */
const LONG = /[=[,{\s][+-]?(?:0x[\da-fA-F_]{16}|0o[0-7_]{21}|0b[01_]{64}|\d[\d_]{18})/;

/** The offset of the first integer that does not fit into 64 bits. */
function largeInteger(text: string): number | undefined {
  if (!LONG.test(text)) return undefined;
  const found: number[] = [];
  attempt(() =>
    traverseNodes(parseTOML(`${text}\n`, { tomlVersion: '1.1' }), {
      enterNode(node) {
        if (node.type !== 'TOMLValue' || node.kind !== 'integer') return;
        if (BigInt.asIntN(64, node.bigint) !== node.bigint) found.push(node.range[0]);
      },
      leaveNode() {},
    }),
  );
  return found[0];
}
