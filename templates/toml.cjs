/**
 * mcp-hooks: reads TOML 1.0, and what 1.1 adds, for the one client that configures its servers in it; loaded only then. It
 * writes nothing, so it only keeps values. A time stays the text that it is.
 */
'use strict';

/** Deeper than anybody writes, and shallow enough for a recursive reader. */
const DEPTH = 200;

/** A document by value; `__proto__` is a key like any other. @throws Error with the line of what is not TOML. */
function parseToml(source) {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  let at = 0;

  const fail = (what) => {
    throw new Error(`line ${text.slice(0, at).split('\n').length}: ${what}`);
  };
  /** The text that stands here, if it has this form. */
  const take = (form) => {
    form.lastIndex = at;
    const found = form.exec(text);
    if (!found) return undefined;
    at += found[0].length;
    return found;
  };
  const skip = (word) => {
    if (!text.startsWith(word, at)) return false;
    at += word.length;
    return true;
  };
  const need = (word) => skip(word) || fail(`${word} is missing`);
  const spaces = () => take(/[ \t]*/y);
  /** Spaces, line ends and comments. */
  const gap = () => {
    do take(/(?:[ \t]|\r?\n)*/y);
    while (take(COMMENT));
  };
  const endOfLine = () => {
    spaces();
    take(COMMENT);
    if (at < text.length && !take(/\r?\n/y)) fail('something stands behind a value');
  };

  const key = () => {
    if (text[at] === '"' || text[at] === "'") {
      if (take(/"""|'''/y)) fail('a key cannot span lines');
      return string();
    }
    return take(/[\w-]+/y)?.[0] ?? fail('a key is missing');
  };
  const dotted = () => {
    const keys = [];
    do {
      spaces();
      keys.push(key());
      spaces();
      if (keys.length > DEPTH) fail('too deep');
    } while (skip('.'));
    return keys;
  };

  const string = () => {
    if (skip("'''")) return long("'''", /[\t\n\r -\uFFFF]*?'''/y, (raw) => raw);
    if (skip('"""')) return long('"""', /(?:\\[\s\S]|[\t\n\r -[\]-\uFFFF])*?"""/y, decode);
    const found =
      take(/'([\t -&(-~\u0080-\uFFFF]*)'/y) ??
      take(/"((?:\\[^\r\n]|[\t !#-[\]-~\u0080-\uFFFF])*)"/y) ??
      fail('a text has no end');
    return found[0][0] === "'" ? found[1] : decode(found[1]);
  };
  /** A text over several lines; up to two quotes may come right before its end. */
  const long = (quotes, form, read) => {
    const [found] = take(form) ?? fail('a text has no end');
    let raw = found.slice(0, -3);
    for (let more = 0; more < 2 && text[at] === quotes[0]; more++) {
      raw += quotes[0];
      at++;
    }
    if (/\r(?!\n)|\x7f/.test(raw)) fail('a character that a text cannot have');
    return read(raw.replace(/^\r?\n/, ''), true);
  };
  const decode = (raw, isLong) => {
    if (!raw.includes('\\')) return raw;
    return raw.replace(ESCAPE, (all, line, code, one) => {
      if (line !== undefined) return isLong ? '' : fail('a text has no end');
      if (code !== undefined) return character(Number.parseInt(code.slice(1), 16));
      return ESCAPED[one] ?? fail(`${all} means nothing`);
    });
  };
  const character = (code) =>
    code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
      ? fail('no character has such a number')
      : String.fromCodePoint(code);

  const value = (depth) => {
    if (depth > DEPTH) fail('too deep');
    const first = text[at];
    if (first === '"' || first === "'") return string();
    if (first === '[') return array(depth);
    if (first === '{') return inline(depth);
    const [word] = take(/[^\s,\]}#=]+(?: \d{2}:[^\s,\]}#=]+)?/y) ?? fail('a value is missing');
    return scalar(word);
  };
  const scalar = (word) => {
    if (word === 'true' || word === 'false') return word === 'true';
    if (INTEGER.test(word) || BASED.test(word)) {
      const big = word.replaceAll('_', '').replace(/^\+/, '');
      const number = Number(big) || 0; // an integer has no sign at 0
      return Number.isSafeInteger(number) ? number : BigInt(big);
    }
    if (FLOAT.test(word)) return Number(word.replaceAll('_', ''));
    const special = SPECIAL.exec(word);
    if (special) return special[2] === 'nan' ? Number.NaN : Number(`${special[1]}Infinity`);
    return TIME.test(word) ? word : fail(`${word.slice(0, 40)} is no value`);
  };
  const array = (depth) => {
    need('[');
    const values = [];
    for (gap(); !skip(']'); gap()) {
      values.push(value(depth + 1));
      gap();
      if (!skip(',') && text[at] !== ']') fail('] is missing');
    }
    closed.add(values);
    return values;
  };
  const inline = (depth) => {
    need('{');
    const table = {};
    for (gap(); !skip('}'); gap()) {
      member(table, depth + 1);
      gap();
      if (!skip(',') && text[at] !== '}') fail('} is missing');
    }
    close(table);
    return table;
  };
  const close = (table) => {
    closed.add(table);
    for (const inner of Object.values(table))
      if (isTable(inner) && !closed.has(inner)) close(inner);
  };

  /** Tables and lists that are whole where they stand: nothing is added to them. */
  const closed = new WeakSet();
  /** Tables that have a header. */
  const headed = new WeakSet();
  /** Tables made by dots in a key, each with the table that its line belongs to. */
  const byDots = new WeakMap();

  const own = (table, name) => (Object.hasOwn(table, name) ? table[name] : undefined);
  const set = (table, name, to) => {
    Object.defineProperty(table, name, {
      value: to,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    return to;
  };
  /** `a.b = value` */
  const member = (into, depth) => {
    const keys = dotted();
    const last = keys.pop();
    let table = into;
    for (const name of keys) {
      const there = own(table, name);
      const next = there ?? set(table, name, {});
      if (there === undefined) byDots.set(next, into);
      else if (!isTable(next) || closed.has(next) || byDots.get(next) !== into)
        fail(`${name} is there already`);
      table = next;
    }
    need('=');
    spaces();
    if (Object.hasOwn(table, last)) fail(`${last} is there already`);
    set(table, last, value(depth + keys.length));
  };
  /** `[a.b]` or `[[a.b]]`: the table that its lines belong to. */
  const header = () => {
    const isList = skip('[[') || !need('[');
    const keys = dotted();
    need(isList ? ']]' : ']');
    endOfLine();
    const last = keys.pop();
    let table = root;
    for (const name of keys) {
      const there = own(table, name) ?? set(table, name, {});
      const next = Array.isArray(there) && !closed.has(there) ? there.at(-1) : there;
      if (!isTable(next) || closed.has(next)) fail(`${name} is no table`);
      table = next;
    }
    const there = own(table, last);
    if (isList) {
      const list = there ?? set(table, last, []);
      if (!Array.isArray(list) || closed.has(list)) fail(`${last} is no list of tables`);
      list.push({});
      return list.at(-1);
    }
    const next = there ?? set(table, last, {});
    if (!isTable(next) || closed.has(next) || headed.has(next) || byDots.has(next))
      fail(`${last} is there already`);
    headed.add(next);
    return next;
  };

  const root = {};
  let table = root;
  for (gap(); at < text.length; gap()) {
    if (text[at] === '[') {
      table = header();
      continue;
    }
    member(table, 0);
    endOfLine();
  }
  return root;
}

const isTable = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

const COMMENT = /#[\t -~\u0080-\uFFFF]*/y;
const ESCAPE =
  /\\(?:([ \t]*\r?\n[ \t\r\n]*)|(x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8})|([\s\S]))/g;
const ESCAPED = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', e: '\x1b', '"': '"', '\\': '\\' };
const INTEGER = /^[+-]?(?:0|[1-9](?:_?\d)*)$/;
const BASED = /^0(?:x[\dA-Fa-f](?:_?[\dA-Fa-f])*|o[0-7](?:_?[0-7])*|b[01](?:_?[01])*)$/;
const FLOAT = /^[+-]?(?:0|[1-9](?:_?\d)*)(?:\.\d(?:_?\d)*)?(?:[eE][+-]?\d(?:_?\d)*)?$/;
const SPECIAL = /^([+-]?)(inf|nan)$/;
const CLOCK = '\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?';
const TIME = new RegExp(
  `^(?:\\d{4}-\\d{2}-\\d{2}(?:[Tt ]${CLOCK}(?:[Zz]|[+-]\\d{2}:\\d{2})?)?|${CLOCK})$`,
);

module.exports = { parseToml };
