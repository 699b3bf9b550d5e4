/**
 * mcp-hooks: finds secrets in a text in linear time, whatever the text is. Each rule starts at one of its fixed words and reads
 * a bounded number of characters from there, or a run of characters that is read only once. Everything that a rule finds must
 * also match a pattern of redact/candidates.cts, or the rules are not loaded for it.
 */

/** Shorter secrets would match ordinary words. */
const SHORTEST = 8;
/** A longer run of characters is not a password or a token. */
const LONGEST = 4000;

/** A text with more secrets has hardly anything else, and masking it would take too long. */
export const MOST = 10_000;

/** Not followed by a letter or digit, because the form has a known end. */
const END = '(?![A-Za-z0-9])';
/** Not preceded by a word. The letter of an escape, as in `\n`, does not count as one. */
const START = '(?:(?<![\\w.-])|(?<=\\\\[nrtbf]))';
const DIGIT = '(?=[\\w+/=.-]{0,60}?\\d)';
const HEX = (count: number) => `[0-9a-f]{${count}}${END}`;
const MIXED_CASE = (count: number) => `[A-Za-z0-9]{${count}}${END}`;

/**
 * Tokens with a known form: the prefix and the pattern of the rest. Of similar prefixes, the longest comes first.
 * test/runner/forms.ts has the page that documents each form.
 */
const FORMS: readonly (readonly [words: string, tail: string])[] = [
  ['ghp_ gho_ ghu_ ghs_ ghr_', '\\w{36,255}'],
  ['github_pat_', '\\w{22,255}'],
  [
    'glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- glsoat- glffct- gloas- glwt-',
    `${DIGIT}[\\w.-]{20,300}`,
  ],
  ['GR1348941', '[\\w-]{20}'],
  ['npm_', MIXED_CASE(36)],
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
  ['AQ.', 'Ab[\\w-]{40,80}'],
  ['ya29.', '[\\w-]{20,1000}'],
  ['1//0', '[\\w-]{30,150}'],
  ['GOCSPX-', '[\\w-]{20,40}'],
  ['AKIA ASIA ABIA ACCA AGPA AIDA AROA AIPA ANPA ANVA', `[A-Z0-9]{16}${END}`],
  ['LTAI', `${DIGIT}[A-Za-z0-9]{16,24}${END}`],
  ['A3T', `[A-Z0-9]{17}${END}`],
  ['ABSK', '[A-Za-z0-9+/]{80,200}={0,2}'],
  ['amzn.mws.', '[0-9a-f-]{36}'],
  ['sk_live_ sk_test_ rk_live_ rk_test_', `[A-Za-z0-9]{16,250}${END}`],
  ['whsec_', `${DIGIT}[\\w+/=]{24,80}`],
  ['live_ test_', HEX(35)],
  ['sq0atp- sq0csp-', `${DIGIT}[\\w-]{22,60}`],
  ['EAAA', '[\\w-]{60}(?![\\w-])'],
  ['EAAC EAAG EAAD EAAB EAAM', `[A-Za-z0-9]{80,400}${END}`],
  ['access_token$production$ access_token$sandbox$', `[0-9a-z]{16}\\$[0-9a-f]{32}${END}`],
  ['EZAK EZTK', MIXED_CASE(54)],
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
  ['sntrys_ sntryu_ sntrya_ sntryi_', `${DIGIT}[\\w=+/.-]{40,500}`],
  ['glc_ glsa_', `${DIGIT}[\\w+/=-]{32,400}`],
  ['eyJrIjoi', '[A-Za-z0-9+/=]{30,400}'],
  ['NRAK- NRRA- NRII- NRIQ- NRJS-', `${DIGIT}[A-Za-z0-9-]{19,60}`],
  ['dt0c01. dt0s01. dt0s16.', '[A-Z0-9]{24}\\.[A-Z0-9]{64}'],
  ['phx_', `[A-Za-z0-9]{40,60}${END}`],
  ['ATATT3 ATCTT3 ATSTT3', '[\\w=.-]{40,400}'],
  ['ATBB', MIXED_CASE(32)],
  ['figd_ figo_', `${DIGIT}[\\w-]{20,200}`],
  ['pat', `[A-Za-z0-9]{14}\\.[0-9a-f]{64}${END}`],
  ['0/ 1/ 2/', '\\d{14,18}(?:/\\d{14,18})?:[0-9a-f]{32}'],
  ['AGE-SECRET-KEY-', '(?:PQ-)?1[A-Z0-9]{50,2000}'],
  ['PMAK-', '[0-9a-f]{24}-[0-9a-f]{34}'],
  ['squ_ sqp_ sqa_', HEX(40)],
  ['vcp_ vci_ vca_ vcr_ vck_', `[A-Za-z0-9]{20,60}${END}`],
  ['nfp_ nfc_ nfo_ nfu_ nfb_', `[A-Za-z0-9]{36,40}${END}`],
  ['sbp_', HEX(40)],
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
  ['secret_', MIXED_CASE(43)],
  ['HRKU-', `${DIGIT}[\\w-]{36,80}`],
  ['fm2_ fm1r_ fm1a_ fo1_', '[\\w+/=-]{40,1000}'],
  ['v1.0-', '[0-9a-f]{24}-[0-9a-f]{140,150}'],
  ['cfk_ cfut_ cfat_', `[A-Za-z0-9]{40,60}${END}`],
  ['CFPAT-', '[\\w-]{43}'],
  ['sl.', `(?:u\\.)?[\\w-]{100,2000}`],
  ['rdme_', '[a-z0-9]{70}'],
  ['pnu_', MIXED_CASE(36)],
];

/** Tokens with a known part in the middle: that part, the pattern before it, and the pattern after it. */
const INNER = (
  [
    [':AA', '(?<!\\d)\\d{8,10}$', '[\\w-]{33}(?![\\w-])'],
    ['NRAL', '(?<![0-9a-z])(?:[a-z]{2}\\d{2}xx)?[0-9a-f]{30,36}$', END],
    ['.atlasv1.', `${START}[A-Za-z0-9]{14}$`, '[\\w=-]{60,70}'],
    ['Q~', `${START}[\\w.~-]{3}\\d$`, '[\\w.~-]{31,34}'],
    ['AZDO', `${START}[A-Za-z0-9]{76}$`, `[A-Za-z0-9]{4}${END}`],
  ] as const
).map(([word, before, after]) => ({
  word,
  before: new RegExp(before),
  after: new RegExp(after, 'y'),
}));
/** How many characters before that part a rule checks. */
const BEFORE = 110;

const plain = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const tails = new Map(
  FORMS.flatMap(([words, tail]) => {
    const rest = new RegExp(tail, 'y');
    return words.split(' ').map((word) => [word, rest] as const);
  }),
);
const TOKENS = new RegExp([...tails.keys()].map(plain).join('|'), 'g');
const MIDDLES = new RegExp(INNER.map(({ word }) => plain(word)).join('|'), 'g');

/** https://www.rfc-editor.org/rfc/rfc7519 and rfc7516. The first part is base64 of JSON, which has one of these beginnings. */
const JWT =
  /(?:eyJ|eyA|ewo)[\w-]{8,4000}\.[\w-]{0,8000}\.[\w-]{0,4000}(?:\.[\w-]{1,8000}\.[\w-]{1,400})?/y;
const JWT_BEGINS = /ey[JA]|ewo/g;

/**
 * Discord's tokens, which have no fixed prefix (https://discord.com/developers/docs/reference), and Vault's older tokens, whose
 * prefix also occurs in ordinary words.
 */
const DOTTED = new RegExp(
  `(?=[MNO])${START}[\\w-]{22,28}\\.[\\w-]{6}\\.[\\w-]{27,40}(?![\\w.-])|` +
    `${START}[sbr]\\.(?=[A-Za-z]{0,23}?\\d)[A-Za-z0-9]{24}${END}`,
  'g',
);

/** The beginning of a private key. */
const ARMOUR = /-----BEGIN|Private-Lines/g;

/** Names whose value may be a secret. Each occurrence is checked once. */
const NAME =
  /passw(?:or)?d|passphrase|pass|pwd|secret(?:[_-]?key(?:_base)?)?|token|(?:(?:api|access|account|private|signing|encryption|master)[_-]?)?key|credentials?|authorization|auth|bearer|basic/gi;
/** How many characters before a name may belong to its word, and how many are read before that word. */
const WORD = 80;
const LEAD = 60;

/** Names that always mean a secret. */
const SECRET =
  /^(?:passw(?:or)?d|passphrase|secret(?:[_-]?key)?|token|(?:api|access)[_-]?key|credentials?)$/;
/** Names that often mean something else. A value counts only if it looks random. */
const KEY = /^(?:account|private|signing|encryption|master)[_-]?key$|^pass$|^pwd$/;
/** Secrets that people choose themselves, with any characters. */
const CHOSEN = /^(?:passw(?:or)?d|passphrase|secret)$/;
const PASS = new RegExp(`${SECRET.source}|^pass$`);
const VARIABLE = new RegExp(`${SECRET.source}|^secret_key_base$|^pass$|^pwd$|^auth$`);
const PARAMETER = new RegExp(`${SECRET.source}|^(?:pass|pwd|key)$`);
const HEADER = /(?:token|key|secret)$/;
const AUTHORIZATION = /^authorization$/;

/** A name, the word that it ends, and the text before that word. */
interface Named {
  readonly name: string;
  readonly word: string;
  readonly lead: string;
}

/** A value that may be a secret, and where it is. */
interface Found {
  readonly value: string;
  readonly text: string;
  readonly from: number;
  readonly end: number;
  /** The character after the value. */
  readonly next: string;
  /** The opening quote, with backslashes. */
  readonly quote: string;
  readonly at: Named;
}

/** The part of a value that is the secret; undefined: it is not a secret. */
type SecretIn = (found: Found) => string | undefined;

const isPassword = ({ name }: Named) => /^pass/i.test(name);
/** "pass" is often the end of another word, or a verb. */
const isName = ({ name, word }: Named) => name.length > 4 || /(?:[-_.]|store|key)pass$/i.test(word);
const isKey = ({ name, word }: Named) => name.length > 4 || /^[Pp](?:ass|wd)$/.test(word);
const isOption = (at: Named) =>
  at.word.startsWith('-') && /[\s"'`(,[]$/.test(at.lead) && isName(at);
const isVariable = ({ word, lead }: Named) =>
  /^[A-Z][A-Z\d_]*$/.test(word) &&
  /[\s"'`;&|(:]$/.test(lead) &&
  (!/(?:PASS|PWD|AUTH)$/.test(word) || /_PASS$|^MYSQL_PWD$|^REDISCLI_AUTH$/.test(word));
const beginsLine = ({ lead }: Named) => /\n[-+ \t]*(?:export |set )?$/.test(lead);
const isParameter = ({ name, word, lead }: Named) =>
  /[?&]$/.test(lead) && (name.length > 4 || name === word);
/** Neither an argument of a call nor a variable of a program. */
const isMember = (at: Named) =>
  isName(at) &&
  (/(?:[^,\s]\s|["';=])$/.test(at.lead) || beginsLine(at)) &&
  !/(?<!-)\b(?:const|let|var)\s$/.test(at.lead);
const isHeader = ({ word }: Named) => /^(?:x|[A-Z][A-Za-z]{1,20})-[\w-]+$/i.test(word);
/** A header whose name leaves no doubt. */
const isAccessHeader = (at: Named) =>
  isHeader(at) &&
  /^x-|(?:api|auth|access|private|client|security|subscription)[_-](?:token|key|secret)$/i.test(
    at.word,
  );
const isAuthorization = ({ word }: Named) => /^(?:proxy-)?authorization$/i.test(word);
const isWhole = ({ name, word }: Named) => word === name;
const isInConnection = (at: Named) => isWhole(at) && /;\s?$/.test(at.lead);

/** Quotes have backslashes in JSON that is embedded in another text. */
const SLASHES = '\\\\{0,7}';
const END_OF_NAME = `s?${SLASHES}["']?`;
const IS = `${SLASHES}["']?\\s?[:=]\\s?${SLASHES}["']?`;
const OPENED = `(${SLASHES}["'])`;
const BETWEEN = `${SLASHES}["']?(?:,|\\s)\\s{0,80}${SLASHES}["']?value`;
const after = (pattern: string) => new RegExp(pattern, 'iy');
const HEADER_IS = after(`${SLASHES}["']?: ?${SLASHES}["']?`);

/** Characters that end a value. */
const NOT_QUOTED = /[\s"'`$<>{}()]/g;
const NOT_DOUBLE = /"|\n/g;
const NOT_SINGLE = /'|\n/g;
const NOT_STRING = { '"': /(?<!\\)"|\n/g, "'": /(?<!\\)'|\n/g };
const NOT_BARE = /[^\w!@#%^*+/=.~-]/g;
const NOT_WORD = /[\s"'`<>;|]|\$[({]|&&|&(?=\s|$)/g;
const NOT_SETTING = /[\s"'`$<>,;]/g;
const NOT_PART = /[\s"'`$<>{}()&,;\\]|%26/g;
const NOT_TOKEN = /[^\w+/=.~-]/g;
const NOT_BASE64 = /[^\w+/=]/g;
const NOT_SIGNED = /[^\w%+/=-]/g;
const NOT_MEMBER = /[\s;"']/g;
const NOT_NAME = /[^\w-]/g;
const NOT_ELEMENT = /[\s<>]/g;

const any = () => true;
const whole = ({ value }: Found) => value;
/** The value, if the closing quote matches. */
function closed({ value, text, end, quote }: Found): string | undefined {
  const slashes = quote.length - 1;
  return text.startsWith(quote, end - slashes) ? value.slice(0, value.length - slashes) : undefined;
}
const uncalled = ({ value, next }: Found) => (/[([]/.test(next) ? undefined : value);
const long = (value: string) => (value.length < 16 ? undefined : value);
const when = (has: (value: string) => boolean, value: string | undefined) =>
  value !== undefined && has(value) ? value : undefined;
const hasDigit = (value: string) => /\d/.test(value);
const isEncoded = (value: string) => /[A-Z\d]/.test(value);
/** Letters between digits, or many digits. Names in code do not look like this, and neither do dates. */
const isMixed = (value: string) =>
  /[A-Za-z]/.test(value) &&
  (/\d[^\s\d]+\d/.test(value) ||
    (/[a-z]/.test(value) && /[A-Z]/.test(value) && /\d{5}/.test(value)));
const isNoPath = (value: string) =>
  isMixed(value) && !/^(?:[A-Za-z]:|~|\.{0,2})[\\/][\w.-]+[\\/]/.test(value);
const isLineEnd = ({ text, end }: Found) =>
  end === text.length || /^(?:[\r\n]| #|\\[nr])/.test(text.slice(end, end + 2));
const isHost = ({ text, end }: Found) => text[end] === '@' && /[\w[]/.test(text[end + 1] ?? '');

/** Neither a reference to a value elsewhere, nor a placeholder in a manual. */
const isGiven = (value: string) => !REFERENCE.test(value) && !isExample(value);
const REFERENCE =
  /^[$%<{[(]|\$[({]|`|^(?:\.{0,2}|~)\/[\w.-]+(?:\/|$)|^[a-z][a-z0-9+-]*:\/\/|^(?:env|vault|file|keyring|secret):|^[A-Z]+(?:_[A-Z\d]+)+$|[.\u2026]{3}$/;
const isExample = (value: string) =>
  value.length <= 60 && wordsOf(value).every((one) => STAND_INS.has(one));
const wordsOf = (value: string): readonly string[] =>
  value
    .replace(/([a-z])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .match(/[a-z\d]+/g) ?? [];
const STAND_INS = new Set(
  `a account access admin an and any api app apikey application at auth authentication authorization basic bearer boolean bytes
  change changeme char client code config confirm confirmation credential credentials current database db default disabled
  dummy enabled encrypted encryption enter env environment example expected expired fake field file first for form foo from
  generate generated get github gitlab handler has hash hashed header here hidden id identifier in include input insert int
  integer invalid is key keys kind last literal login manager master me missing mock must my name new next nil no none not null
  number object of old omit option optional or origin param parameter parse parser pass passphrase passwd password passwords
  path placeholder plain plaintext plus prefix previous private prompt provider pwd random raw read redacted refresh
  replace replaceme request required reset response root same sample secret secrets server service session set settings
  some stdin store str string suffix super test text the this to todo token tokens true type types undefined unknown user
  username users utf8 valid validate validation validator value values var variable void with wrong xxx xxxx xxxxx xxxxxx
  xxxxxxxx xxxxxxxxxxxx you your`.split(/\s+/),
);
/** Words alone, which may also be a name in code. */
const isWords = (value: string) =>
  value.length <= 200 && /^[A-Za-z]+(?:[-_.][A-Za-z]+)*[.,:!?]?$/.test(value);
/** Words that are not from code: no capitals and no underscores. */
const isPhrase = (value: string) => value.length <= 200 && /^[a-z]+(?:-[a-z]+)*$/.test(value);
/** Letters and digits that are not a type name such as `uint256`. */
const isNumbered = (value: string) =>
  hasDigit(value) &&
  /[A-Za-z]/.test(value) &&
  !/^(?:u?int|u?bigint|float|bytes|utf|sha|base|md|ed|secp)\d\w*$/i.test(value);
/** Text for users, such as "Enter your password". */
const isSentence = (value: string) =>
  /\s/.test(value) && wordsOf(value).some((one) => STAND_INS.has(one));
const NO_WORD = /[\d!@#^&*]|\\["']/;

const given = ({ value }: Found) => when(isGiven, value);
const givenClosed = (found: Found) => when(isGiven, closed(found));
/** The next word as the value of an option. In a manual, it may be the rest of a sentence. */
const nextWord = ({ value, text, end, at }: Found) =>
  !isWords(value) ||
  (isPassword(at) && isPhrase(value) && !/^ [a-z]/i.test(text.slice(end, end + 2)))
    ? when(isGiven, value)
    : undefined;
/** A string in code or data. */
const string = ({ value, next, quote, text, from }: Found) =>
  value.length <= 200 &&
  next === quote &&
  !isSentence(value) &&
  (NO_WORD.test(value) || (/\s/.test(value) && text.startsWith('":"', from - 3)))
    ? value
    : undefined;

const closedKey = (found: Found) => when(isNoPath, closed(found));
const mixed = (found: Found) => when(isNoPath, uncalled(found));
const encoded = (found: Found) => when(isEncoded, uncalled(found));
const lineEnd = (found: Found) => (isLineEnd(found) ? given(found) : undefined);
const element = (found: Found) =>
  found.text.startsWith('</', found.end) ? given(found) : undefined;
const setting = (found: Found) =>
  isLineEnd(found) &&
  (isNumbered(found.value) ||
    (isPassword(found.at) && isPhrase(found.value) && isGiven(found.value)))
    ? found.value
    : undefined;
const member = ({ value, next }: Found) =>
  (isPhrase(value) || isNumbered(value)) && isGiven(value) && !/[,()[{.]/.test(next)
    ? value
    : undefined;

/** Never written like this in code, so even a short value counts, together with its name. */
const SURE = 'sure';

type Rule = readonly [
  names: RegExp,
  is: (at: Named) => boolean,
  tail: RegExp,
  others: RegExp,
  secretIn: SecretIn,
  sure?: typeof SURE,
];

/**
 * For each rule: the names in lower case; a further condition; the pattern between the name and its value, with a quote as a
 * group; the characters that end the value; and which part of the value is the secret, if any. The first rule that finds a
 * secret wins. Code that only mentions such a name (`token = next()`) does not match.
 */
const NAMED = (
  [
    // Between quotes.
    ...(['"', "'"] as const).flatMap((quote): Rule[] => {
      const others = quote === '"' ? NOT_DOUBLE : NOT_SINGLE;
      const opened = `\\$?(${SLASHES}${quote})`;
      return [
        [CHOSEN, any, after(`["']?\\s?(?:=>|[:=])\\s?(${quote})`), NOT_STRING[quote], string],
        // In a shell, with any characters.
        [PASS, isOption, after(`[= ]${opened}`), others, givenClosed, SURE],
        [VARIABLE, isVariable, after(`=${opened}`), others, givenClosed, SURE],
      ];
    }),
    [
      SECRET,
      any,
      after(`${END_OF_NAME}\\s{0,50}(?:=>|[:=])\\s{0,50}${OPENED}`),
      NOT_QUOTED,
      closed,
    ],
    [KEY, isKey, after(`${END_OF_NAME}\\s{0,50}[:=]\\s{0,50}${OPENED}`), NOT_QUOTED, closedKey],
    [VARIABLE, isVariable, after('='), NOT_WORD, given, SURE],
    [PASS, isOption, after('='), NOT_WORD, given, SURE],
    [PASS, isOption, after(' '), NOT_WORD, nextWord, SURE],
    // A part of a query, a form or a connection string.
    [PARAMETER, isParameter, after('=|%3D'), NOT_PART, given, SURE],
    // https://learn.microsoft.com/dotnet/framework/data/adonet/connection-string-syntax
    [/^(?:pwd|password)$/, isInConnection, after('='), NOT_MEMBER, whole],
    // A line in a settings file.
    [PASS, (at) => beginsLine(at) && isName(at), after(' ?[:=] ?'), NOT_SETTING, setting],
    [VARIABLE, (at) => beginsLine(at) && isVariable(at), after(': ?'), NOT_SETTING, lineEnd, SURE],
    [new RegExp(`${CHOSEN.source}|^pass$`), isMember, after('=|%3D'), NOT_PART, member],
    // A multi-line string in YAML.
    [SECRET, beginsLine, after(' ?: ?[|>][-+]?\\r?\\n\\s{1,80}'), NOT_SETTING, lineEnd],
    // A name and a value that are both values themselves, as in Kubernetes.
    [SECRET, any, after(`${BETWEEN}${SLASHES}["']?\\s?[:=]\\s?${OPENED}`), NOT_QUOTED, givenClosed],
    [SECRET, any, after(`${BETWEEN}: `), NOT_SETTING, lineEnd],
    // An XML element.
    [SECRET, ({ lead }) => lead.endsWith('<'), after('>'), NOT_ELEMENT, element],
    // Recognised by letters and digits.
    [SECRET, any, after(' ?[:=] ?'), NOT_BARE, mixed],
    [KEY, isKey, after(' ?[:=] ?'), NOT_BARE, mixed],
    [AUTHORIZATION, isAuthorization, after(`${IS}basic\\s{1,9}`), NOT_BASE64, encoded, SURE],
    [
      AUTHORIZATION,
      isAuthorization,
      after(`${IS}(?:token|api-?key|bearer|bot|key|genie ?key|ssws|jwt|oauth)\\s{1,9}`),
      NOT_BARE,
      ({ value }) => when((one) => hasDigit(one) || LETTERS.test(one), value),
      SURE,
    ],
    [
      AUTHORIZATION,
      isAuthorization,
      after(`${IS}(?:[\\w-]{1,30} )?`),
      NOT_BARE,
      ({ value }) => when(isMixed, long(value)),
    ],
    [HEADER, isHeader, HEADER_IS, NOT_TOKEN, ({ value }) => when(hasDigit, long(value))],
    [
      HEADER,
      isAccessHeader,
      HEADER_IS,
      NOT_TOKEN,
      ({ value, next }) =>
        isWords(value) && /[ (,]/.test(next) ? undefined : when(isGiven, value),
      SURE,
    ],
    [
      /^(?:bearer|basic)$/,
      isWhole,
      after('\\s{1,9}'),
      NOT_TOKEN,
      ({ value }) => (PROSE.test(value) ? undefined : long(value)),
    ],
    // https://docs.npmjs.com/cli/configuring-npm/npmrc
    [
      /^auth$/,
      ({ word, lead }) => word === '_auth' && /[\s:]$/.test(lead),
      after(' ?= ?"?'),
      NOT_BASE64,
      (found) => when(hasDigit, uncalled(found)),
    ],
    [
      /^token$/,
      ({ word, lead }) => word === '_authToken' && lead.endsWith(':'),
      after('='),
      NOT_QUOTED,
      whole,
    ],
    // https://docs.docker.com/reference/cli/docker/login
    [
      /^(?:auth|token)$/,
      ({ word, lead }) => /^(?:auth|identitytoken)$/.test(word) && lead.endsWith('"'),
      after(`${SLASHES}"\\s{0,9}:\\s{0,9}${SLASHES}"`),
      NOT_TOKEN,
      ({ value }) => when(isEncoded, long(value)),
    ],
  ] satisfies readonly Rule[]
).map(([names, is, tail, others, secretIn, sure]: Rule) => ({
  names,
  is,
  tail,
  others,
  secretIn,
  sure: sure === SURE,
}));

const known = new Map<string, typeof NAMED>();
/** The rules that apply to a name. */
function rulesFor(name: string): typeof NAMED {
  const key = name.toLowerCase();
  const rules = known.get(key) ?? NAMED.filter(({ names }) => names.test(key));
  known.set(key, rules);
  return rules;
}

/** Values that are recognised by the text right before them. */
const LED: readonly (readonly [begins: RegExp, others: RegExp, secretIn: SecretIn])[] = [
  // https://learn.microsoft.com/rest/api/storageservices/create-service-sas
  [/(?<=[?&;\s"'])sig=/g, NOT_SIGNED, ({ value }) => (value.length < 30 ? undefined : value)],
  // A token that is the whole user part of a URL.
  [
    /:\/\//g,
    NOT_NAME,
    (found) =>
      found.value.length >= 20 && hasDigit(found.value) && isHost(found) ? found.value : undefined,
  ],
];

/** A password in a URL, with any characters. `host:8080?to=ann@example.com` has none. */
const ADDRESS = /:\/\/[^\s/@:"'`]{0,100}:(?!\d{1,5}[?#])([^\s/"'`]{4,300})@(?=[\w[])/g;
/** Common placeholders for a password. */
const EXAMPLE = /^(?:pass|pwd|user|test|admin|guest|redacted|x+|\*+|\.+)$/i;
/** White space, including the escapes in JSON strings. */
const GAP = '(?:\\s|\\\\[nrt]){1,9}';
/** https://www.gnu.org/software/inetutils/manual/html_node/The-_002enetrc-file.html */
const NETRC = new RegExp(
  `(?=machine|default)${START}(?:machine${GAP}[^\\s\\\\]{1,200}|default(?=${GAP}login))(?:${GAP}(?:login|account)${GAP}[^\\s\\\\]{1,200}){0,2}${GAP}password${GAP}((?:(?!\\\\[nrt]|["'](?:[\\s,})\\]]|$))\\S){8,200})`,
  'g',
);

const QUOTED = `(?:"([^"\\n]{4,200})"|'([^'\\n]{4,200})'|([^\\s"'\`]{4,200}))`;
/** Options with a secret, per program, because the same letter means something else in other programs. */
const OPTIONS = [
  ['(?:mysql|mariadb)(?:-?(?:dump|admin|import|check|show))?', '-p'],
  ['sshpass', '(?<=^sshpass )-p ?'],
  ['redis-cli', '(?:-a|--pass) '],
  ['(?:docker|podman|nerdctl|helm registry|az) login', '(?:-p|--password)[ =]'],
  ['az', '--client-secret[ =]'],
  ['aws', 'aws_(?:secret_access_key|session_token)[ =]'],
  ['openssl', '(?:-pass(?:in|out)? pass:|-[kK] )'],
  ['curl', `(?:-[a-zA-Z]{0,9}[uU]|--(?:proxy-)?user)[ =]?["']?[^\\s:"']{1,100}:(?!\\/\\/)`],
  ['curl', '--oauth2-bearer[ =]'],
  ['https?', `(?:-a|--auth)[ =]["']?[^\\s:"']{0,100}:(?!\\/\\/)`],
  ['(?:sqlcmd|bcp|zip|unzip)', '-P '],
  ['mongo(?:sh|dump|restore|import|export)?', '-p '],
  ['7za?', '-p'],
  ['ssh-keygen', '-[NP] '],
  ['ldap(?:search|modify|add|delete|passwd|whoami)', '-w '],
  ['smbclient', `(?:-U|--user)[ =]?["']?[^\\s%"']{1,100}%`],
  ['htpasswd', `-[a-zA-Z]{0,5}b[a-zA-Z]{0,5} (?:[^\\s-]\\S{0,200} ){1,2}`],
  ['vault login', '(?<=^vault login )(?!-)(?:token=)?'],
  ['setx', '(?<=^setx )[A-Z_]{0,60}(?:PASSWORD|PASSWD|_PASS|SECRET|TOKEN|API_?KEY|ACCESS_?KEY) '],
  ['ConvertTo-SecureString', `(?:-String )?(?=["'])`],
].map(([program, option]) => ({
  program: new RegExp(`${program}(?=\\s)`, 'y'),
  value: new RegExp(`(?<=\\s)${option}${QUOTED}`, 'g'),
}));
const PROGRAM =
  /(?:mysql|mariadb|sshpass|redis-cli|docker|podman|nerdctl|helm registry|az|aws|openssl|curl|https?|sqlcmd|bcp|zip|unzip|mongo|7z|ssh-keygen|ldap|smbclient|htpasswd|vault login|setx|ConvertTo-SecureString)(?=[\s\w-])/g;
/** Up to the next command. A backslash at the end of a line continues it. */
const COMMAND = /(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'|[^\n\\"';|&]|\\[\s\S]){1,2000}/y;

/** The name-value pairs of a cookie header, and of curl's cookie option. Cookie attributes are not secrets. */
const COOKIE =
  /cookie\\{0,7}["']?(?:: ?| ?= ?(?=["']))\\{0,7}["']?([^\s=;:"']{1,100}=[^\n"']{8,4000})/gi;
const CURL = /curl\s(?:[^\n\\]|\\[\s\S]){1,2000}/g;
const CURL_COOKIE =
  /\s(?:-b|--cookie)[ =]?(?:["']([^\n=;:"']{1,100}=[^\n"']{8,4000})|([^\s=;:"']{1,100}=[^\s"']{8,4000}))/g;
const SESSION = /sess|auth|token|jwt|csrf|xsrf|sid$/i;
const ATTRIBUTE = /^\s*(?:path|domain|expires|max-age|samesite)$/i;

/** A reference (`parser.get`, `$NAME`), a call, the name itself (`[type=password]`), or a token type in a parser. */
export const isCode = (name: string, value: string): boolean =>
  CODE.test(value) ||
  (/^(?:token|credential)/i.test(name) &&
    /^[a-z]+(?:[-_.][a-z]+)*$|^[a-zA-Z]+(?:Token|Marker)$/.test(value)) ||
  (/^authorization/i.test(name) && PROSE.test(value));
const CODE =
  /^(?:[a-z_]+(?:\.[a-z_]+)+|[a-z_]+\[|[\w.]+[([].*[)\]]|\{.*\}|\$(?:[a-z_]+|[{(].*)|redacted|\W*(?:\w+=)?(?:passw(?:or)?d|secret|token|credential|api_?key)s?\W*)$/is;
/** Letters alone, and more than any word has. */
const LETTERS = /^[a-z]{20,}$/i;
/** What may come after "basic" in a sentence, such as "configuration-options". */
const PROSE = /^[a-z]+(?:[-_./][A-Za-z_]+(?:[-./][A-Za-z_]+)*)?$/;

/** The beginning of each search. */
const BEGINNINGS = [
  MIDDLES,
  JWT_BEGINS,
  DOTTED,
  ARMOUR,
  ADDRESS,
  NETRC,
  ...LED.map(([begins]) => begins),
  COOKIE,
  CURL,
];

/** Whether it is worth searching for secrets. */
export const mayHold = (text: string): boolean =>
  BEGINNINGS.some((begins) => text.search(begins) !== -1) ||
  begin(TOKENS, text, (word, index) => tokenEnd(text, word, index) !== undefined) ||
  begin(NAME, text, (name, index) =>
    rulesFor(name).some(
      ({ is, tail }) =>
        fits(tail, text, index + name.length) !== undefined && is(wordAt(text, index, name)),
    ),
  ) ||
  begin(PROGRAM, text, (_, index) => beginsWord(text, index));

/** Whether one of the matches is right. */
function begin(
  begins: RegExp,
  text: string,
  isRight: (found: string, index: number) => boolean,
): boolean {
  // A failed search leaves `lastIndex` elsewhere.
  begins.lastIndex = 0;
  for (const { 0: found, index } of text.matchAll(begins)) if (isRight(found, index)) return true;
  return false;
}

/** A text to search. */
interface Search {
  readonly text: string;
  readonly add: (value: string) => void;
  /** The last run of characters for each pattern of excluded characters. */
  readonly runs: Map<RegExp, { readonly from: number; readonly end: number }>;
  /** How far each rule has searched the text. */
  readonly done: Map<object, number>;
}

/**
 * The secrets in a text, exactly as they occur.
 *
 * @param look Called regularly; throws when time is up.
 * @throws If there are more than `MOST`.
 */
export function find(text: string, look: () => void = () => {}): Set<string> {
  const found = new Set<string>();
  const add = (value: string) => {
    if (value.length >= SHORTEST) found.add(value);
    if (found.size > MOST) throw new Error('too many secrets');
  };
  const at: Search = { text, add, runs: new Map(), done: new Map() };
  let steps = 0;
  /** A rule may return its end; the search continues there. */
  const each = (begins: RegExp, rule: (at: Search, hit: RegExpExecArray) => unknown) => {
    look();
    begins.lastIndex = 0;
    for (let hit = begins.exec(text); hit !== null; hit = begins.exec(text)) {
      if (++steps % 256 === 0) look();
      const end = rule(at, hit);
      if (typeof end === 'number' && end > begins.lastIndex) begins.lastIndex = end;
    }
  };
  each(TOKENS, token);
  each(MIDDLES, middle);
  each(JWT_BEGINS, webToken);
  each(DOTTED, (_, [value]) => add(value));
  each(ARMOUR, armoured);
  each(ADDRESS, (_, [whole, value = '']) => {
    // A short password is masked only together with its user.
    if (!isCode('', value) && !EXAMPLE.test(value)) add(value.length < SHORTEST ? whole : value);
  });
  each(NETRC, (_, [, value = '']) => {
    if (!isCode('', value)) add(value);
  });
  each(NAME, named);
  for (const [begins, others, secretIn] of LED)
    each(begins, (_, { 0: led, index }) => {
      judged(at, { others, secretIn, sure: false }, index + led.length);
    });
  each(PROGRAM, options);
  each(COOKIE, (_, [, pairs = '']) => addPairs(add, pairs));
  each(CURL, (_, [line]) => {
    for (const [, quoted, bare = ''] of line.matchAll(CURL_COOKIE)) addPairs(add, quoted ?? bare);
  });
  return found;
}

function addPairs(add: Search['add'], pairs: string): void {
  for (const pair of pairs.split(';')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at);
    const value = pair.slice(at + 1).trim();
    if (at !== -1 && !ATTRIBUTE.test(name) && (hasDigit(value) || SESSION.test(name))) add(value);
  }
}

/** The value after a name, by each rule that applies. */
function named(at: Search, { 0: name, index }: RegExpExecArray): void {
  const { text, done } = at;
  let word: Named | undefined;
  for (const rule of rulesFor(name)) {
    // A value that was found is not searched for more of its kind.
    if ((done.get(rule) ?? 0) > index) return;
    rule.tail.lastIndex = index + name.length;
    const hit = rule.tail.exec(text);
    if (hit === null) continue;
    word ??= wordAt(text, index, name);
    if (!rule.is(word)) continue;
    const from = rule.tail.lastIndex;
    const quote = hit[1] ?? '';
    const end = judged(at, rule, from, { quote, at: word, index });
    if (end === undefined) continue;
    done.set(rule, end);
    return;
  }
}

/** The end of the value at `from`, if it is a secret. */
function judged(
  at: Search,
  { others, secretIn, sure }: { others: RegExp; secretIn: SecretIn; sure: boolean },
  from: number,
  named?: Pick<Found, 'quote' | 'at'> & { readonly index: number },
): number | undefined {
  const { text, add } = at;
  const more = named ?? UNNAMED;
  const end = endOf(others, at, from);
  if (end - from < (sure ? SHORTEST_GIVEN : SHORTEST) || end - from > LONGEST) return undefined;
  const found = { value: text.slice(from, end), text, from, end, next: text[end] ?? '', ...more };
  const value = secretIn(found);
  if (value === undefined || isCode(sure ? '' : more.at.name, value)) return undefined;
  const isWeak = named?.quote === '' && value.length <= LONGEST_WORD && isPhrase(value);
  // A value that may be an ordinary word is masked only together with its name.
  if (value.length >= SHORTEST && !isWeak) add(value);
  else if (
    isWeak ||
    isPassword(more.at) ||
    (isNumbered(value) && !isNextWord(more.at, text[from - 1]))
  )
    add(text.slice(more.index, from + value.length));
  return end;
}
/** A value without a name. */
const UNNAMED = { quote: '', at: { name: '', word: '', lead: '' }, index: 0 };
const isNextWord = ({ word }: Named, before: string | undefined) =>
  word.startsWith('-') && before === ' ';
/** A shorter value is not a secret. */
const SHORTEST_GIVEN = 4;
/** The maximum length of an ordinary word. */
const LONGEST_WORD = 12;

/** A name, the word that it ends, and the text before that word: a newline at the start of the text, and `?` for `%3F`. */
function wordAt(text: string, index: number, name: string): Named {
  let start = index;
  while (start > 0 && index - start < WORD && IN_WORD.test(text.charAt(start - 1))) start--;
  let lead = start > LEAD ? text.slice(start - LEAD, start) : `\n${text.slice(0, start)}`;
  // The letter of an escape, as in `\n`, is not part of a word.
  if (lead.endsWith('\\') && start < index && /[nrt]/.test(text.charAt(start))) {
    start++;
    lead = '\n';
  }
  if (lead.endsWith('%') && /^[\da-f]{2}/i.test(text.slice(start, index))) {
    lead = String.fromCharCode(Number.parseInt(text.slice(start, start + 2), 16));
    start += 2;
  }
  return { name, word: text.slice(start, index + name.length), lead };
}
const IN_WORD = /[\w.-]/;

/** The options of a command that hold a secret. */
function options(at: Search, { index }: RegExpExecArray): void {
  const { text, add, done } = at;
  if (!beginsWord(text, index)) return;
  for (const rule of OPTIONS) {
    const from = fits(rule.program, text, index);
    if (from === undefined || (done.get(rule) ?? 0) > index) continue;
    const end = fits(COMMAND, text, index) ?? from;
    done.set(rule, end);
    for (const groups of text.slice(index, end).matchAll(rule.value)) {
      const one = groups.findLast(Boolean) ?? '';
      // A short secret is masked only together with its user or its option.
      if (!isCode('', one)) add(one.length < SHORTEST ? (groups[0].split(/\s/).at(-1) ?? '') : one);
    }
  }
}

/** The end of the rule's match at this position; undefined: it does not match. */
function fits(rule: RegExp | undefined, text: string, from: number): number | undefined {
  if (!rule) return undefined;
  rule.lastIndex = from;
  return rule.test(text) ? rule.lastIndex : undefined;
}

/**
 * The end of the run of characters that `others` does not match. Positions come in ascending order, so each run is read once.
 */
function endOf(others: RegExp, { text, runs }: Search, from: number): number {
  const known = runs.get(others);
  if (known && from >= known.from && from <= known.end) return known.end;
  others.lastIndex = from;
  const next = others.exec(text);
  const end = next === null ? text.length : next.index;
  runs.set(others, { from, end });
  return end;
}

const beginsWord = (text: string, from: number) =>
  from === 0 ||
  !IN_WORD.test(text.charAt(from - 1)) ||
  /\\[nrtbf]$/.test(text.slice(Math.max(0, from - 2), from));

const isLetterOrDigit = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);

/** Whether no word continues at this position. The letter of an escape, as in `\n`, or of `%3D`, is not part of a word. */
function beginsAt(text: string, from: number): boolean {
  if (from === 0 || !isLetterOrDigit(text.charCodeAt(from - 1))) return true;
  if (text[from - 2] === '\\') return /[nrtbf]/.test(text.charAt(from - 1));
  return text[from - 3] === '%';
}

function token({ text, add }: Search, { 0: word, index: from }: RegExpExecArray) {
  const end = tokenEnd(text, word, from);
  if (end !== undefined) add(text.slice(from, end));
  return end;
}

const tokenEnd = (text: string, word: string, from: number) =>
  beginsAt(text, from) ? fits(tails.get(word), text, from + word.length) : undefined;

function middle({ text, add }: Search, { 0: word, index: from }: RegExpExecArray) {
  const { before, after } = INNER.find((one) => one.word === word) ?? {};
  const head = before?.exec(text.slice(Math.max(0, from - BEFORE), from));
  if (!head) return undefined;
  const end = fits(after, text, from + word.length);
  if (end !== undefined) add(text.slice(from - head[0].length, end));
  return end;
}

function webToken(at: Search, { index: from }: RegExpExecArray) {
  const { text, add } = at;
  if (!beginsAt(text, from)) return undefined;
  const first = endOf(NOT_NAME, at, from);
  if (text[first] !== '.') return first;
  const end = fits(JWT, text, from);
  // Neither a dotted name nor a long base64 text.
  if (end === undefined) return first;
  add(text.slice(from, end));
  return end;
}

/** Private keys: https://www.rfc-editor.org/rfc/rfc7468, of any length and even without their end, and PuTTY's. */
function armoured(at: Search, { index: from }: RegExpExecArray) {
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
/** Occurs neither in a key nor in its headers. A key without its end ends here. */
const NOT_KEY = /[^\w+/=:,. \t\r\n\\]/g;
const PUTTY = /Private-Lines: \d{1,4}(?:(?:\r?\n|\\r|\\n|\\r\\n)[A-Za-z0-9+/=]{1,80}){1,400}/y;
/** In characters. */
const MOST_OF_A_KEY = 20_000;

/** If the value is a list, each line is a separate text. */
function addLines(add: Search['add'], block: string): void {
  add(block);
  for (const line of block.split('\n')) if (/^[\w+/=]{16,}$/.test(line.trim())) add(line.trim());
}
