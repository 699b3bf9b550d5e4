/**
 * mcp-hooks: finds secrets in a text. Whatever the text is, the time is in proportion to its length: each rule starts where
 * one of its fixed words stands, and reads a bounded number of characters from there, or a run of them that is read once.
 */
'use strict';

/** Shorter ones would be found in ordinary words. */
const SHORTEST = 8;
/** No run of characters that is longer is a password or a token. */
const LONGEST = 4000;

/** Nothing of the kind follows: the form is known to its end. */
const END = '(?![A-Za-z0-9])';
/** No word is before it. The letter of an escape, as in `\n`, is none. */
const START = '(?:(?<![\\w.-])|(?<=\\\\[nrtbf]))';
const DIGIT = '(?=[\\w+/=.-]{0,60}?\\d)';
const HEX = (count) => `[0-9a-f]{${count}}${END}`;
const MIXED_CASE = (count) => `[A-Za-z0-9]{${count}}${END}`;

/**
 * Tokens known by their form: how they begin, and what follows. Where several begin alike, the longest comes first. The page
 * of each is in test/runner/forms.ts.
 */
const FORMS = [
  ['ghp_ gho_ ghu_ ghs_ ghr_', '\\w{36,255}'],
  ['github_pat_', '\\w{22,255}'],
  [
    'glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- glsoat- glffct- gloas- glwt-',
    `${DIGIT}[\\w.-]{20,300}`,
  ],
  ['npm_', MIXED_CASE('36')],
  ['pypi-', 'AgE[\\w-]{16,1000}'],
  ['rubygems_', HEX(48)],
  ['oy2', `[a-z0-9]{43}${END}`],
  ['AKCp', `[A-Za-z0-9]{60,80}${END}`],
  ['cmVmdGtu', '[A-Za-z0-9+/=]{40,120}'],
  [
    'xoxe.xoxp- xoxe.xoxb- xoxb- xoxp- xoxa- xoxo- xoxr- xoxs- xoxe- xoxc- xoxd- xapp- xwfp-',
    `${DIGIT}[\\w%-]{10,400}`,
  ],
  ['hooks.slack.com/services/', 'T\\w{6,40}/B\\w{6,40}/\\w{16,60}'],
  ['hooks.slack.com/workflows/ hooks.slack.com/triggers/', '[\\w/]{30,160}'],
  ['discord.com/api/webhooks/ discordapp.com/api/webhooks/', '\\d{15,22}/[\\w-]{50,100}'],
  ['webhook.office.com/webhookb2/', '[\\w@-]{36,100}/IncomingWebhook/\\w{32}/[\\w/-]{36,120}'],
  ['sk-ant- sk-proj- sk-svcacct- sk-admin- sk-or-v1- sk-lf-', `${DIGIT}[\\w-]{20,300}`],
  ['sk-', `(?=[A-Za-z]{0,60}?\\d)[A-Za-z0-9]{32,64}${END}`],
  ['gsk_', `[A-Za-z0-9]{32,80}${END}`],
  ['xai-', `[A-Za-z0-9]{60,100}${END}`],
  ['pplx-', `[A-Za-z0-9]{40,60}${END}`],
  ['nvapi-', '[\\w-]{60,80}'],
  ['tvly-', `${DIGIT}[\\w-]{20,60}`],
  ['fc-', HEX(32)],
  ['lsv2_pt_ lsv2_sk_', `[0-9a-f]{32}_[0-9a-f]{10}${END}`],
  ['hf_', `[A-Za-z0-9]{34,40}${END}`],
  ['api_org_', `[A-Za-z]{34}${END}`],
  ['r8_', `[A-Za-z0-9]{37,40}${END}`],
  ['AIza', '[\\w-]{35}'],
  ['ya29.', '[\\w-]{20,1000}'],
  ['1//0', '[\\w-]{30,150}'],
  ['GOCSPX-', '[\\w-]{20,40}'],
  ['AKIA ASIA ABIA ACCA AGPA AIDA AROA AIPA ANPA ANVA', `[A-Z0-9]{16}${END}`],
  ['A3T', `[A-Z0-9]{17}${END}`],
  ['ABSK', '[A-Za-z0-9+/]{80,200}={0,2}'],
  ['amzn.mws.', '[0-9a-f-]{36}'],
  ['sk_live_ sk_test_ rk_live_ rk_test_', `[A-Za-z0-9]{16,250}${END}`],
  ['whsec_', `${DIGIT}[\\w+/=]{24,80}`],
  ['live_ test_', HEX(35)],
  ['sq0atp- sq0csp-', `${DIGIT}[\\w-]{22,60}`],
  ['EAAA', '[\\w-]{60}(?![\\w-])'],
  ['EAAC EAAG EAAD EAAB', `[A-Za-z0-9]{80,400}${END}`],
  ['access_token$production$ access_token$sandbox$', `[0-9a-z]{16}\\$[0-9a-f]{32}${END}`],
  ['EZAK EZTK', MIXED_CASE('54')],
  ['shippo_live_ shippo_test_', HEX(40)],
  ['SG.', '[\\w-]{16,64}\\.[\\w-]{24,128}'],
  ['key-', HEX(32)],
  ['xkeysib- xsmtpsib-', `[0-9a-f]{64}-[A-Za-z0-9]{16}${END}`],
  ['re_', `[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,30}${END}`],
  ['SK', HEX(32)],
  ['shpat_ shpca_ shppa_ shpss_ shptka_', `[A-Za-z0-9]{32,64}${END}`],
  ['dop_v1_ doo_v1_ dor_v1_', HEX(64)],
  ['hvs. hvb. hvr.', `${DIGIT}[\\w-]{20,400}`],
  ['dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', `${DIGIT}[\\w.-]{30,80}`],
  ['sntrys_ sntryu_', `${DIGIT}[\\w=+/.-]{40,500}`],
  ['glc_ glsa_', `${DIGIT}[\\w+/=-]{32,400}`],
  ['eyJrIjoi', '[A-Za-z0-9+/=]{30,400}'],
  ['NRAK- NRRA- NRII- NRIQ- NRJS-', `${DIGIT}[A-Za-z0-9-]{19,60}`],
  ['dt0c01. dt0s01. dt0s16.', '[A-Z0-9]{24}\\.[A-Z0-9]{64}'],
  ['phx_', `[A-Za-z0-9]{40,60}${END}`],
  ['ATATT3 ATCTT3 ATSTT3', '[\\w=.-]{40,400}'],
  ['ATBB', MIXED_CASE('32')],
  ['figd_ figo_', `${DIGIT}[\\w-]{20,200}`],
  ['pat', `[A-Za-z0-9]{14}\\.[0-9a-f]{64}${END}`],
  ['0/ 1/ 2/', '\\d{14,18}(?:/\\d{14,18})?:[0-9a-f]{32}'],
  ['AGE-SECRET-KEY-', '(?:PQ-)?1[A-Z0-9]{50,2000}'],
  ['PMAK-', '[0-9a-f]{24}-[0-9a-f]{34}'],
  ['squ_ sqp_ sqa_', HEX(40)],
  ['vcp_ vci_ vca_ vcr_ vck_', `[A-Za-z0-9]{20,60}${END}`],
  ['nfp_ nfc_ nfo_ nfu_ nfb_', `[A-Za-z0-9]{36,40}${END}`],
  ['sbp_', HEX('40')],
  ['sb_secret_', `${DIGIT}[\\w-]{20,60}`],
  ['pscale_tkn_ pscale_pw_ pscale_oauth_', '[\\w.=-]{32,64}'],
  ['tskey-', `[a-z]{3,10}-${DIGIT}[\\w-]{16,80}`],
  ['ops_', 'ey[\\w+/=-]{80,2000}'],
  ['A3-', '[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}'],
  ['CCIPAT_ CCIPRJ_', `${DIGIT}\\w{20,100}`],
  ['bkua_', HEX(40)],
  ['pul-', HEX(40)],
  ['dapi', `[0-9a-f]{32}(?:-\\d)?${END}`],
  ['dckr_pat_ dckr_oat_', '[\\w-]{27,64}'],
  ['SWMTKN-1-', '[a-z0-9]{49,51}-[a-z0-9]{25}'],
  ['lin_api_ lin_oauth_', '\\w{32,128}'],
  ['ntn_', `[A-Za-z0-9]{40,60}${END}`],
  ['secret_', MIXED_CASE('43')],
  ['HRKU-', `${DIGIT}[\\w-]{36,80}`],
  ['fm2_ fm1r_ fm1a_ fo1_', '[\\w+/=-]{40,1000}'],
  ['v1.0-', '[0-9a-f]{24}-[0-9a-f]{140,150}'],
  ['CFPAT-', '[\\w-]{43}'],
  ['sl.', `(?:u\\.)?[\\w-]{100,2000}`],
  ['rdme_', '[a-z0-9]{70}'],
  ['pnu_', MIXED_CASE('36')],
];

/** Tokens known by what is in their middle: the text before it, up to its end, and what follows. */
const INNER = [
  [':AA', '(?<!\\d)\\d{8,10}$', '[\\w-]{33}(?![\\w-])'],
  ['.atlasv1.', `${START}[A-Za-z0-9]{14}$`, '[\\w=-]{60,70}'],
  ['Q~', `${START}[\\w.~-]{3}\\d$`, '[\\w.~-]{31,34}'],
  ['AZDO', `${START}[A-Za-z0-9]{76}$`, `[A-Za-z0-9]{4}${END}`],
].map(([word, before, after]) => ({
  word,
  before: new RegExp(before),
  after: new RegExp(after, 'y'),
}));
/** Characters before a word that a rule looks at. */
const BEFORE = 110;

const plain = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const tails = new Map(
  FORMS.flatMap(([words, tail]) => {
    const rest = new RegExp(tail, 'y');
    return words.split(' ').map((word) => [word, rest]);
  }),
);
const TOKENS = new RegExp([...tails.keys()].map(plain).join('|'), 'g');
const MIDDLES = new RegExp(INNER.map(({ word }) => plain(word)).join('|'), 'g');

/** https://www.rfc-editor.org/rfc/rfc7519 and rfc7516. The first part is JSON in base64, which begins in one of these ways. */
const JWT =
  /(?:eyJ|eyA|ewo)[\w-]{8,4000}\.[\w-]{0,8000}\.[\w-]{0,4000}(?:\.[\w-]{1,8000}\.[\w-]{1,400})?/y;
const JWT_BEGINS = /ey[JA]|ewo/g;

/** Discord's, the only one that is known by its shape alone: https://discord.com/developers/docs/reference */
const DOTTED = new RegExp(
  `(?=[MNO])${START}[\\w-]{22,28}\\.[\\w-]{6}\\.[\\w-]{27,40}(?![\\w.-])`,
  'g',
);

/** Where a private key begins. */
const ARMOUR = /-----BEGIN|Private-Lines/g;

/** Names of values. */
const NAMES =
  'passw(?:or)?d|passphrase|secret(?:[_-]?key)?|token|api[_-]?key|access[_-]?key|credential';
/** Names that are often something else: a value counts only if it looks like chance. */
const KEYS = '(?:account|private|signing|encryption|master)[_-]?key';
/** What people make up themselves, with any characters. */
const CHOSEN = 'passw(?:or)?d|passphrase|secret';
const VARIABLES =
  'PASSWORD|PASSWD|(?<=_)PASS|PASSPHRASE|SECRET|TOKEN|API_?KEY|ACCESS_?KEY|CREDENTIALS?|MYSQL_PWD|REDISCLI_AUTH';
/** Quotes in a text of JSON within another have backslashes. */
const SLASHES = '\\\\{0,7}';
const IS = `${SLASHES}["']?\\s?[:=]\\s?${SLASHES}["']?`;

/** What values have none of. */
const NOT_QUOTED = /[\s"'`$<>{}()]/g;
const NOT_BARE = /[^\w!@#%^*+/=.~-]/g;
const NOT_SETTING = /[\s"'`$<>,;]/g;
const NOT_TOKEN = /[^\w+/=.~-]/g;
const NOT_BASE64 = /[^\w+/=]/g;
const NOT_SIGNED = /[^\w%+/=-]/g;
const NOT_MEMBER = /[\s;"']/g;
const NOT_NAME = /[^\w-]/g;

const whole = (value) => value;
function closed(value, text, end, quote) {
  const slashes = quote.length - 1;
  return text.startsWith(quote, end - slashes) ? value.slice(0, value.length - slashes) : undefined;
}
const uncalled = (value, text, end) => (/[([]/.test(text[end] ?? '') ? undefined : value);
const long = (value) => (value.length < 16 ? undefined : value);
const when = (has, value) => (value !== undefined && has(value) ? value : undefined);
const hasDigit = (value) => /\d/.test(value);
const isEncoded = (value) => /[A-Z\d]/.test(value);
/** Letters between digits: no name in code looks like that, and no date. */
const isMixed = (value) => /[A-Za-z]/.test(value) && /\d[^\s\d]+\d/.test(value);
const isLineEnd = (text, at) => at === text.length || text[at] === '\n' || text[at] === '\r';
const isHost = (text, at) => text[at] === '@' && /[\w[]/.test(text[at + 1] ?? '');

/**
 * Values after a name that says what they are: how one begins (the groups are the name and a quote), what it has none of, and
 * what of it is the secret, if it is one. The last pattern says what has to be before it. Code that only mentions such a name (`token = next()`) does not count.
 */
const NAMED = [
  // Between quotes.
  [
    new RegExp(`(${NAMES})s?${SLASHES}["']?\\s{0,50}(?:=>|[:=])\\s{0,50}(${SLASHES}["'])`, 'gi'),
    NOT_QUOTED,
    closed,
  ],
  [
    new RegExp(`(${KEYS})${SLASHES}["']?\\s{0,50}[:=]\\s{0,50}(${SLASHES}["'])`, 'gi'),
    NOT_QUOTED,
    (...value) => when(isMixed, closed(...value)),
  ],
  // Assigned to a variable.
  [
    new RegExp(`(${VARIABLES})()=`, 'g'),
    NOT_QUOTED,
    whole,
    /(?:^|[\s"'`;&|(]|\\[nrt])(?:[A-Z][A-Z0-9_]{0,60})?$/,
  ],
  // A line of its own in a file of settings.
  [
    new RegExp(`(${CHOSEN}|_pass)() ?[:=] ?`, 'gi'),
    NOT_SETTING,
    (value, text, end) =>
      isLineEnd(text, end) && /\d/.test(value) && /[A-Za-z]/.test(value) ? value : undefined,
    /(?:^|\n|\\n)[ \t]{0,40}(?:export )?[\w.-]{0,60}$/,
  ],
  // Known by letters and digits: after `=` or a colon, or in the next word if the name is an option's.
  [
    new RegExp(`(${NAMES}|${KEYS})()(?: ?[:=] ?| (?<=--[\\w-]{0,80} ))`, 'gi'),
    NOT_BARE,
    (value, text, end) => when(isMixed, uncalled(value, text, end)),
  ],
  [
    new RegExp(`(?=a)${START}(authorization)()${IS}(?:[\\w-]{1,30} )?`, 'gi'),
    NOT_BARE,
    (value) => when(isMixed, long(value)),
  ],
  [new RegExp(`(?=a)${START}(authorization)()${IS}basic\\s{1,9}`, 'gi'), NOT_BASE64, uncalled],
  [
    new RegExp(`(token|key|secret)()${SLASHES}["']?: ?${SLASHES}["']?`, 'gi'),
    NOT_TOKEN,
    (value) => when(hasDigit, long(value)),
    /(?<=^|[^\w-]|\\[nrt])(?:[xX]|[A-Z][A-Za-z]{1,20})-[\w-]{0,60}$/,
  ],
  [
    new RegExp(`(?=b[ea])${START}(?:bearer|basic)()()\\s{1,9}`, 'gi'),
    NOT_TOKEN,
    (value) => (PROSE.test(value) ? undefined : long(value)),
  ],
  // https://docs.npmjs.com/cli/configuring-npm/npmrc
  [
    /(?<=^|[\s:])(_auth)() ?= ?"?/gm,
    NOT_BASE64,
    (value, text, end) => when(hasDigit, uncalled(value, text, end)),
  ],
  [/:(_authToken)()=/g, NOT_QUOTED, whole],
  // https://docs.docker.com/reference/cli/docker/login
  [
    new RegExp(`"(?:auth|identitytoken)()()${SLASHES}"\\s{0,9}:\\s{0,9}${SLASHES}"`, 'g'),
    NOT_TOKEN,
    (value) => when(isEncoded, long(value)),
  ],
  // https://learn.microsoft.com/rest/api/storageservices/create-service-sas
  [/(?<=[?&;\s"'])()()sig=/g, NOT_SIGNED, (value) => (value.length < 30 ? undefined : value)],
  // https://learn.microsoft.com/dotnet/framework/data/adonet/connection-string-syntax
  [/;\s?(pwd)()=/gi, NOT_MEMBER, whole],
  // A token that is all there is of an address before its host.
  [
    /:\/\/()()/g,
    NOT_NAME,
    (value, text, end) =>
      value.length >= 20 && hasDigit(value) && isHost(text, end) ? value : undefined,
  ],
];

/** Passwords between quotes that may have brackets, and quotes with a backslash. */
const CHOSEN_QUOTED = ['"', "'"].map(
  (quote) =>
    new RegExp(
      `(${CHOSEN})["']?\\s?(?:=>|[:=])\\s?${quote}((?:[^\\s\\\\${quote}]|\\\\[^\\s]){8,200})${quote}`,
      'gi',
    ),
);
const NO_WORD = /[\d!@#^&*]|\\["']/;

/** A password in an address, whatever characters are in it. In `host:8080?to=ann@example.com` there is none. */
const ADDRESS = /:\/\/[^\s/@:"'`]{0,100}:(?!\d{1,5}[?#])([^\s/"'`]{4,300})@(?=[\w[])/g;
/** What people write in place of a password. */
const EXAMPLE = /^(?:pass|pwd|user|test|admin|guest|redacted|x+|\*+|\.+)$/i;
/** White space, also in JSON in a text. */
const GAP = '(?:\\s|\\\\[nrt]){1,9}';
/** https://www.gnu.org/software/inetutils/manual/html_node/The-_002enetrc-file.html */
const NETRC = new RegExp(
  `(?=machine|default)${START}(?:machine${GAP}[^\\s\\\\]{1,200}|default(?=${GAP}login))(?:${GAP}(?:login|account)${GAP}[^\\s\\\\]{1,200}){0,2}${GAP}password${GAP}((?:(?!\\\\[nrt]|["'](?:[\\s,})\\]]|$))\\S){8,200})`,
  'g',
);

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
    `(?=${program})${START}${program}\\s(?:"[^"\\n]{0,300}"|'[^'\\n]{0,300}'|[^\\n\\\\"';|&]|\\\\[\\s\\S]){1,2000}`,
    'g',
  ),
  value: new RegExp(`\\s${option}${QUOTED}`, 'g'),
}));

/** The pairs of a header, and of what curl sends as one. Its attributes are no secrets. */
const COOKIE = /cookie\\{0,7}["']?(?:: ?|=(?="))\\{0,7}["']?([^\s=;:"']{1,100}=[^\n"']{8,4000})/gi;
const CURL = /curl\s(?:[^\n\\]|\\[\s\S]){1,2000}/g;
const CURL_COOKIE =
  /\s(?:-b|--cookie)[ =]?(?:["']([^\n=;:"']{1,100}=[^\n"']{8,4000})|([^\s=;:"']{1,100}=[^\s"']{8,4000}))/g;
const ATTRIBUTE = /^\s*(?:path|domain|expires|max-age|samesite)$/i;

/** A reference (`parser.get`, `$NAME`), a call, the name itself (`[type=password]`), or a kind of token in a parser. */
const isCode = (name, value) =>
  CODE.test(value) ||
  (/^(?:token|credential)/i.test(name) &&
    /^[a-z]+(?:[-_.][a-z]+)*$|^[a-zA-Z]+(?:Token|Marker)$/.test(value)) ||
  (/^authorization/i.test(name) && PROSE.test(value));
const CODE =
  /^(?:[a-z_]+(?:\.[a-z_]+)+|[a-z_]+\[|[\w.]+[([].*[)\]]|\{.*\}|\$(?:[a-z_]+|[{(].*)|redacted|\W*(?:\w+=)?(?:passw(?:or)?d|secret|token|credential|api_?key)s?\W*)$/is;
/** What follows "basic" in a sentence, such as "configuration-options". */
const PROSE = /^[a-z]+(?:[-_./][A-Za-z_]+(?:[-./][A-Za-z_]+)*)?$/;

/** What each search begins with. */
const BEGINNINGS = [
  TOKENS,
  MIDDLES,
  JWT_BEGINS,
  DOTTED,
  ARMOUR,
  ADDRESS,
  NETRC,
  ...NAMED.map(([begins]) => begins),
  ...CHOSEN_QUOTED,
  ...OPTIONS.map(({ command }) => command),
  COOKIE,
  CURL,
];

/** Whether it is worth to look for secrets. */
const mayHold = (text) => BEGINNINGS.some((begins) => text.search(begins) !== -1);

/**
 * The secrets in a text, each as it is there.
 *
 * @param look Is called now and then; it throws when there is no more time.
 */
function find(text, look = () => undefined) {
  const found = new Set();
  const add = (value) => value.length >= SHORTEST && found.add(value);
  const at = { text, add, runs: new Map() };
  let steps = 0;
  /** A rule may say where it has ended; the search goes on from there. */
  const each = (begins, rule) => {
    look();
    begins.lastIndex = 0;
    for (let hit = begins.exec(text); hit !== null; hit = begins.exec(text)) {
      if (++steps % 256 === 0) look();
      const end = rule(at, hit);
      if (end > begins.lastIndex) begins.lastIndex = end;
    }
  };
  each(TOKENS, token);
  each(MIDDLES, middle);
  each(JWT_BEGINS, webToken);
  each(DOTTED, (_, [value]) => void add(value));
  each(ARMOUR, armoured);
  each(ADDRESS, (_, [whole, value]) => {
    // A short password is found only together with its user.
    if (!isCode('', value) && !EXAMPLE.test(value)) add(value.length < SHORTEST ? whole : value);
  });
  each(NETRC, (_, [, value]) => {
    if (!isCode('', value)) add(value);
  });
  for (const [begins, others, secretIn, before] of NAMED)
    each(begins, (_, { 0: word, 1: name, 2: quote, index }) => {
      const from = index + word.length;
      const end = endOf(others, at, from);
      if (end - from < SHORTEST || end - from > LONGEST) return;
      if (before && !before.test(text.slice(Math.max(0, index - BEFORE), index))) return;
      const value = secretIn(text.slice(from, end), text, end, quote);
      if (value !== undefined && !isCode(name, value)) add(value);
    });
  for (const quoted of CHOSEN_QUOTED)
    each(quoted, (_, [, name, value]) => {
      if (NO_WORD.test(value) && !isCode(name, value)) add(value);
    });
  for (const { command, value } of OPTIONS)
    each(command, (_, [line]) => {
      for (const groups of line.matchAll(value)) {
        const one = groups.findLast(Boolean);
        if (!isCode('', one)) add(one);
      }
    });
  each(COOKIE, (_, [, pairs]) => addPairs(add, pairs));
  each(CURL, (_, [line]) => {
    for (const [, quoted, bare] of line.matchAll(CURL_COOKIE)) addPairs(add, quoted ?? bare);
  });
  return found;
}

function addPairs(add, pairs) {
  for (const pair of pairs.split(';')) {
    const at = pair.indexOf('=');
    const value = pair.slice(at + 1).trim();
    if (at !== -1 && !ATTRIBUTE.test(pair.slice(0, at)) && hasDigit(value)) add(value);
  }
}

/** Where a rule that is tried at one place has ended, if it fits there. */
function fits(rule, text, from) {
  rule.lastIndex = from;
  return rule.test(text) ? rule.lastIndex : undefined;
}

/**
 * The end of the run of characters that `others` does not match. Places come in ascending order, so each run is read once.
 */
function endOf(others, { text, runs }, from) {
  const known = runs.get(others);
  if (known && from >= known.from && from <= known.end) return known.end;
  others.lastIndex = from;
  const next = others.exec(text);
  const end = next === null ? text.length : next.index;
  runs.set(others, { from, end });
  return end;
}

const isLetterOrDigit = (code) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);

/** Whether no word goes on there. The letter of an escape, as in `\n`, and of `%3D`, is no part of one. */
function beginsAt(text, from) {
  if (from === 0 || !isLetterOrDigit(text.charCodeAt(from - 1))) return true;
  if (text[from - 2] === '\\') return /[nrtbf]/.test(text[from - 1]);
  return text[from - 3] === '%';
}

function token({ text, add }, { 0: word, index: from }) {
  if (!beginsAt(text, from)) return undefined;
  const end = fits(tails.get(word), text, from + word.length);
  if (end !== undefined) add(text.slice(from, end));
  return end;
}

function middle({ text, add }, { 0: word, index: from }) {
  const { before, after } = INNER.find((one) => one.word === word);
  const head = before.exec(text.slice(Math.max(0, from - BEFORE), from));
  if (head === null) return undefined;
  const end = fits(after, text, from + word.length);
  if (end !== undefined) add(text.slice(from - head[0].length, end));
  return end;
}

function webToken(at, { index: from }) {
  const { text, add } = at;
  if (!beginsAt(text, from)) return undefined;
  const first = endOf(NOT_NAME, at, from);
  if (text[first] !== '.') return first;
  const end = fits(JWT, text, from);
  // Neither a name with dots, nor a long text in base64.
  if (end === undefined) return first;
  add(text.slice(from, end));
  return end;
}

/** Private keys: https://www.rfc-editor.org/rfc/rfc7468, however short, and also without their end, and those of PuTTY. */
function armoured(at, { index: from }) {
  const { text, add } = at;
  const lines = fits(PUTTY, text, from);
  if (lines !== undefined) {
    addLines(add, text.slice(from, lines));
    return lines;
  }
  const begun = fits(BEGIN, text, from);
  if (begun === undefined) return undefined;
  const close = endOf(CLOSE, at, begun);
  const isClosed = close < text.length && close - begun <= MOST_OF_A_KEY;
  const end = isClosed
    ? (fits(CLOSED, text, close) ?? close)
    : Math.min(endOf(NOT_KEY, at, begun), begun + MOST_OF_A_KEY);
  addLines(add, text.slice(from, end).trimEnd());
  return end;
}
const BEGIN = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/y;
const CLOSE = /-----(?:BEGIN|END)/g;
const CLOSED = /-----END [A-Z0-9 ]{1,60}-----/y;
/** Neither in a key nor in its headers: a key without its end ends there. */
const NOT_KEY = /[^\w+/=:,. \t\r\n\\]/g;
const PUTTY = /Private-Lines: \d{1,4}(?:(?:\r?\n|\\r|\\n|\\r\\n)[A-Za-z0-9+/=]{1,80}){1,400}/y;
/** Characters. */
const MOST_OF_A_KEY = 20_000;

/** A value that is a list has a text for each line. */
function addLines(add, block) {
  add(block);
  for (const line of block.split('\n')) if (/^[\w+/=]{16,}$/.test(line.trim())) add(line.trim());
}

module.exports = { find, isCode, mayHold };
