/**
 * mcp-hooks: masks secrets in a tool's input and output before any of it goes to the model, a server, a program or one of
 * our files. The rules are secretlint's (`secret-rules.cjs`, made by the build). Loading them costs more than all the rest
 * of a firing, so that happens only if something could be a secret.
 */
'use strict';

const MASK = '***';
/** Shorter ones would be found in ordinary words. */
const SHORTEST = 8;
/** Characters times secrets that there is time for: what takes less than half a second. */
const WORK = 200_000_000;

/**
 * The values with each secret in them masked. In a value that is not a text, masks the texts. If the rules fail, nothing is
 * handed on.
 *
 * @returns `{ values, secrets, reason }`; `secrets`: what was masked, if anything was looked for; `reason`: why the values
 *   could not be searched, as a code.
 */
async function masked(values) {
  if (!mayHoldSecrets(values)) return { values };
  const text = allTexts(values);
  const nothing = () => ({
    values: values.map((value) => (value === undefined ? value : MASK)),
    reason: 'unmasked',
  });
  let secrets;
  try {
    const { find } = secretRules();
    secrets = [...(await find(text)), ...unnamed(text), ...underNames(values)];
  } catch {
    return nothing();
  }
  const found = [...new Set(secrets)]
    .filter((secret) => secret.length >= SHORTEST)
    .sort((a, b) => b.length - a.length);
  if (found.length * text.length > WORK) return nothing();
  const mask = (one) => found.reduce((rest, secret) => rest.replaceAll(secret, MASK), one);
  return { values: values.map((value) => mapTexts(value, mask)), secrets: found };
}

const allTexts = (values) => values.flatMap((value) => textsIn(value)).join('\n');

/** Each text in a value, after its key: often only the name says what a value is for. A long key may be a secret itself. */
function textsIn(value, key = '') {
  if (typeof value === 'string') return [key === '' ? value : `${key}="${value}"`];
  if (typeof value !== 'object' || value === null) return [];
  const named = !Array.isArray(value);
  const inside = Object.entries(value).flatMap(([name, inner]) => [
    ...(named && KEY.test(name) ? [name] : []),
    ...textsIn(inner, named ? name : key),
  ]);
  return named ? inside : [...inside, ...lineOf(value)];
}

/** A program and its arguments as a shell has them: an option and its value are two texts of the list. */
function lineOf(list) {
  const words = list.filter((one) => typeof one === 'string');
  if (!words.some((word) => word.startsWith('-'))) return [];
  return [words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ')];
}

/** Texts whose key says that they are secrets, whatever characters they have. */
function underNames(value, key = '') {
  if (typeof value === 'string')
    return /(?:passw(?:or)?d|passphrase|secret)$/i.test(key) &&
      /^.{8,200}$/.test(value) &&
      !isCode(key, value)
      ? [value]
      : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    underNames(inner, Array.isArray(value) ? key : name),
  );
}

/** Words alone, however many, are a name. */
const KEY = /^(?=.*[\d:]).{16,}$/s;

function mapTexts(value, change) {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((inner) => mapTexts(inner, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [change(key), mapTexts(inner, change)]),
  );
}

/** Looks for all that a rule could match: a long run of letters and digits, a password in an address or after its name, a key. */
function mayHoldSecrets(values) {
  const text = allTexts(values);
  // In pieces: V8 runs out of stack in a run of millions.
  const runs = text.match(/[\w+/=~-]{16,1000}/g) ?? [];
  return (
    runs.some(
      (run) => /[A-Za-z]/.test(run) && (/\d/.test(run) || /[a-z][A-Z]|[A-Z][a-z]/.test(run)),
    ) ||
    /:\/\/[^\s/@:]{0,100}:[^\s/@]{1,300}@|-----BEGIN/.test(text) ||
    named(text).length > 0 ||
    underNames(values).length > 0
  );
}

const NAMES =
  'passw(?:or)?d|passphrase|secret(?:[_-]?key)?|token|api[_-]?key|access[_-]?key|credential';
/** What people make up themselves, with any characters. */
const CHOSEN = 'passw(?:or)?d|passphrase|secret';
/** Characters of a value without quotes. The next one is none of these, and calls nothing (`token = nextToken1()`). */
const BARE = '[\\w!@#%^*+/=.~-]';
/** Letters between digits: no name in code looks like that, and no date. */
const MIXED = `(?=${BARE}{0,200}?[A-Za-z])(?=${BARE}{0,200}?\\d[^\\s\\d]{1,200}\\d)`;
const NO_WORD = '(?=\\S{0,200}?(?:[\\d!@#^&*]|\\\\["\']))';
const LETTERS_AND_DIGITS = '(?=\\S{0,200}?\\d)(?=\\S{0,200}?[A-Za-z])';

/**
 * A value of its own, after a name that says what it is, also in JSON within a text. Code that only mentions such a name
 * (`token = next()`) does not count. Without quotes, a value is known by its letters and digits: after `=` or a colon, or in
 * the next word if the name is an option's. The groups are the name, a quote, and the value.
 */
const NAMED = [
  new RegExp(
    `(${NAMES})s?\\\\?["']?\\s*(?:=>|[:=])\\s*(\\\\?["'])([^\\s"'\`$<>{}()]{8,200})\\2`,
    'gi',
  ),
  // Between quotes also brackets and quotes with a backslash.
  ...['"', "'"].map(
    (quote) =>
      new RegExp(
        `(${CHOSEN})()["']?\\s?(?:=>|[:=])\\s?${quote}${NO_WORD}((?:[^\\s\\\\${quote}]|\\\\[^\\s]){8,200})${quote}`,
        'gi',
      ),
  ),
  /(?:^|\s)(?:[A-Z][A-Z0-9_]{0,60})?(PASSWORD|PASSWD|(?<=_)PASS|PASSPHRASE|SECRET|TOKEN|API_?KEY|ACCESS_?KEY|CREDENTIALS?|MYSQL_PWD|REDISCLI_AUTH)()=([^\s"'`$<>{}()]{8,200})/gm,
  // A line of its own in a file of settings.
  new RegExp(
    `^[ \\t]{0,40}(?:export )?[\\w.-]{0,60}?(${CHOSEN}|_pass)() ?[:=] ?${LETTERS_AND_DIGITS}([^\\s"'\`$<>,;]{8,200})$`,
    'gim',
  ),
  new RegExp(
    `(${NAMES})()(?: ?[:=] ?|(?<=--[\\w-]{0,60}) )${MIXED}(${BARE}{8,200})(?!${BARE}|[([])`,
    'gi',
  ),
  new RegExp(
    `\\b(authorization)()\\\\?["']?\\s?[:=]\\s?\\\\?["']?(?:[\\w-]{1,30} )?${MIXED}(${BARE}{16,})`,
    'gi',
  ),
  /\b(authorization)()\\?["']?\s?[:=]\s?\\?["']?basic\s+([\w+/]{8,}={0,2})(?![\w.([])/gi,
  /\b(x-[\w-]{0,60}(?:token|key|secret))()\\?["']?: ?\\?["']?(?=\S{0,200}?\d)([\w+/=.~-]{16,})/gi,
  /(?:^|[\s:])(_auth)() ?= ?"?(?=[\w+/]{0,200}?\d)([\w+/]{8,200}={0,2})(?![\w.([])/gm,
  // A part of an address, whatever characters are in it. In `host:8080?to=ann@example.com` it is none.
  /:\/\/[^\s/@:"'`]{0,100}(:)()(?!\d{1,5}[?#])([^\s/"'`]{8,300})@(?=[\w[])/g,
  /:(\/\/)()(?=[\w-]{0,200}?\d)([\w-]{20,200})@(?=[\w[])/g,
  // https://www.gnu.org/software/inetutils/manual/html_node/The-_002enetrc-file.html
  /\b(?:machine\s{1,9}\S{1,200}|default(?=\s{1,9}login))(?:\s{1,9}(?:login|account)\s{1,9}\S{1,200}){0,2}\s{1,9}(password)()\s{1,9}(\S{8,200})/g,
];

const QUOTED = `(?:"([^"\\n]{8,200})"|'([^'\\n]{8,200})'|([^\\s"'\`]{8,200}))`;
/** Options with a secret, by the programs that have them: the same letter is something else for others. */
const OPTIONS = [
  ['(?:mysql|mariadb)(?:-?(?:dump|admin|import|check|show))?', '-p'],
  ['sshpass', '(?<=^sshpass )-p ?'],
  ['redis-cli', '(?:-a|--pass) '],
  ['(?:docker|podman|nerdctl|helm registry|az) login', '(?:-p|--password)[ =]'],
  ['az', '--client-secret[ =]'],
  ['aws', 'aws_(?:secret_access_key|session_token)[ =]'],
  ['openssl', '-pass(?:in|out)? pass:'],
  ['curl', `(?:-[a-zA-Z]{0,9}u|--user)[ =]?["']?[^\\s:"']{1,100}:(?!\\/\\/)`],
].map(([program, option]) => ({
  // Up to the next command. A line that goes on after a backslash is one.
  command: new RegExp(
    `\\b${program}\\s(?:"[^"\\n]{0,300}"|'[^'\\n]{0,300}'|[^\\n\\\\"';|&]|\\\\[\\s\\S]){1,2000}`,
    'g',
  ),
  value: new RegExp(`\\s${option}${QUOTED}`, 'g'),
}));

/** The pairs of a header, and of what curl sends as one. Its attributes are no secrets. */
const COOKIES = [
  /\b(?:set-)?cookie\\?["']?(?:: ?|=(?="))\\?["']?([^\s=;:"']{1,100}=[^\n"']{8,4000})/gi,
  /\bcurl\s(?:[^\n\\]|\\[\s\S]){0,300}?(?:-b|--cookie)[ =]?(?:["']([^\n=;:"']{1,100}=[^\n"']{8,4000})|([^\s=;:"']{1,100}=[^\s"']{8,4000}))/g,
];
const ATTRIBUTE = /^\s*(?:path|domain|expires|max-age|samesite)$/i;

const named = (text) => [
  ...NAMED.flatMap((pattern) =>
    Array.from(text.matchAll(pattern))
      .filter(([, name, , value]) => !isCode(name, value))
      .map(([, , , value]) => value),
  ),
  ...OPTIONS.flatMap(({ command, value }) =>
    (text.match(command) ?? [])
      .flatMap((line) => Array.from(line.matchAll(value), (all) => all.findLast(Boolean)))
      .filter((one) => !isCode('', one)),
  ),
  ...COOKIES.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), (all) => all.findLast(Boolean)),
  )
    .flatMap((pairs) => pairs.split(';'))
    .map((pair) => pair.split(/=(.*)/s))
    .filter(([name, value = '']) => !ATTRIBUTE.test(name) && /\d/.test(value))
    .map(([, value]) => value.trim()),
];

/** A reference (`parser.get`, `$NAME`), a call, the name itself (`[type=password]`), or a kind of token in a parser. */
const isCode = (name, value) =>
  CODE.test(value) ||
  (/^(?:token|credential)/i.test(name) &&
    /^[a-z]+(?:[-_.][a-z]+)*$|^[a-zA-Z]+(?:Token|Marker)$/.test(value)) ||
  (/^authorization/i.test(name) && PROSE.test(value));
const CODE =
  /^(?:[a-z_]+(?:\.[a-z_]+)+|[a-z_]+\[|[\w.]+[([].*[)\]]|\{.*\}|\$(?:[a-z_]+|[{(].*)|redacted|\W*(?:\w+=)?(?:passw(?:or)?d|secret|token|credential|api_?key)s?\W*)$/is;

/** Secrets that the rules leave out: tokens known by their form alone, and values known by their name. */
const FORMS = [
  // https://www.rfc-editor.org/rfc/rfc7468, however short, and also without its end.
  /-----BEGIN [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----[^-]{1,20000}(?:-----END [A-Z ]{1,40}-----)?/g,
  // https://www.rfc-editor.org/rfc/rfc7519. Each run of letters is looked through once, however often such a token could begin in it.
  /(?<![\w-])(?=([\w-]{11,}))\1\.eyJ[\w-]{8,}\.[\w-]{8,}/g,
  /\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}/g, // https://docs.stripe.com/keys
  /\bAIza[\w-]{35}/g, // https://cloud.google.com/docs/authentication/api-keys
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html
  /\bsk-(?:proj|svcacct|admin)-[\w-]{20,}/g, // https://platform.openai.com/docs/api-reference/authentication
];
/** What follows "basic" in a sentence, such as "configuration-options". */
const PROSE = /^[a-z]+(?:[-_./][A-Za-z_]+)*$/;
const BEARER = /\b(?:bearer|basic)\s+([\w+/=.~-]{16,})/gi;

const unnamed = (text) => [
  ...FORMS.flatMap((form) => text.match(form) ?? []),
  ...named(text),
  ...Array.from(text.matchAll(BEARER), ([, value]) => value).filter((one) => !PROSE.test(one)),
];

/** Next to this file where it is installed. The engine, which runs from the package, says where else they are. */
let secretRules = () => require('./secret-rules.cjs');
function findRulesBy(load) {
  secretRules = load;
}

module.exports = { findRulesBy, MASK, mapTexts, masked, mayHoldSecrets };
