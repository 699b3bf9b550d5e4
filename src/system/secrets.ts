/**
 * Hides the user's secrets in our output: those that the runner's rules find (templates/secrets.cts), and all values of a
 * document under a telling name. It is better to hide one word too many than to reveal a secret.
 */

import { runnerCode } from './runner-code.ts';

const UNDER = /^(env|environment|headers|http_headers|env_vars|oauth|credentials?)$/i;
/** Keys for how a server is started or reached: a word in them may be a token without any name. */
const REACHES = /^(args|url|httpurl|serverurl)$/i;
/** A name that indicates a secret value. */
export const TELLING = /key|token|secret|passw|auth|credential|cookie|bearer|private|signature/i;
// Masking printed output does less harm than masking what a tool receives, so these match more than the runner's rules: a token
// of any length, any word after a telling one, and any password of a connection (`pwd` alone is a folder).
const SHAPED = /\b(?:sk-|pk-|gh[a-z]_|github_pat_|xox[a-z]-|AKIA|AIza|eyJ|glpat-)[\w.~+/=-]{8,}/g;
const ASSIGNED =
  /((?:key|token|secret|password|passwd|bearer|authorization)["']?(?:\s*[=:,]\s*|\s+)["']?(?:(?:bearer|basic|digest|token)\s+)?)(?!["']|\$\{\w+\})[^\s"'\\,;]{6,}/gi;
const CONNECTION = /((?:^|[;"'])\s{0,9}(?:pwd|password)\s{0,9}=\s{0,9})(?![/~$])[^\s;"']{1,500}/gi;
/** Matches passwords of any length, including those too short for other rules. */
const IN_ADDRESS =
  /((?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@"']{0,200}:)[^\s/@"']{1,500}(?=@)/gi;
/** A key and its value on one line, in JSON or TOML: for values with escapes. */
const MEMBER = /(?<![\w.-])("?)([\w.-]{1,100})\1(\s{0,50}[:=]\s{0,50})("(?:\\.|[^"\\])*"|'[^']*')/g;
const MASK = '***';
/** Characters of a line that are searched; no more are shown. Regular expressions overflow the stack on much longer lines. */
const MOST = 200_000;

/** Whether a text contains the password of a connection. */
export const hasConnection = (text: string): boolean => text.search(CONNECTION) !== -1;

/** Whether the runner would mask part of a value before passing it on. A value that cannot be checked counts as a secret. */
export async function holdsSecret(value: unknown): Promise<boolean> {
  // A value of digits may also be written as a number.
  const text = JSON.stringify(value, (_, one) => (typeof one === 'number' ? String(one) : one));
  const { values } = await runnerCode('./redact.cjs').masked([JSON.parse(text)]);
  return JSON.stringify(values[0]) !== text;
}

/** A function that hides the secrets of a document in any of its lines. */
export function redactor(document: unknown): (line: string) => string {
  const secrets = collect(document).sort((a, b) => b.text.length - a.text.length);
  const keys = new Set(secrets.map(({ key }) => key));
  return (whole) => {
    const line = whole.slice(0, MOST);
    let out = line.replace(MEMBER, (all, quote, key, between, value) =>
      keys.has(key) && value.length > 2 ? `${quote}${key}${quote}${between}"${MASK}"` : all,
    );
    for (const { text, quoted } of secrets) {
      const escaped = JSON.stringify(text).slice(1, -1);
      for (const form of new Set([escaped, text])) {
        out = out.replaceAll(`"${form}"`, `"${MASK}"`).replaceAll(`'${form}'`, `'${MASK}'`);
        if (form.length >= 8) out = out.replaceAll(form, MASK);
        else if (!quoted) out = out.replace(bare(form), `$1${MASK}`);
      }
    }
    const hidden = withoutSecrets(out.replace(IN_ADDRESS, `$1${MASK}`))
      .replace(SHAPED, MASK)
      .replace(ASSIGNED, `$1${MASK}`)
      .replace(CONNECTION, `$1${MASK}`);
    return line.length < whole.length ? hidden + MASK : hidden;
  };
}

/** The text without the secrets that the runner's rules find. @param isOne Selects the secrets that count. */
function withoutSecrets(text: string, isOne: (secret: string) => boolean = () => true): string {
  try {
    const found = [...runnerCode('./secrets.cjs').find(text)].filter(isOne);
    return found
      .sort((a, b) => b.length - a.length)
      .reduce((rest, one) => rest.replaceAll(one, MASK), text);
  } catch {
    return MASK; // there are too many secrets
  }
}

/**
 * Hides secrets in an untrusted command that the user is asked to agree to. Text that a shell might run never counts as a
 * secret: otherwise `sh -c 'token=$(...)'` would be shown as `token=***`.
 */
export function maskCommand(line: string): string {
  const masked = (all: string, name: string) =>
    isCode(all.slice(name.length)) ? all : name + MASK;
  return withoutSecrets(line, (one) => !isCode(one))
    .replace(SHAPED, MASK)
    .replace(ASSIGNED, (all, name: string, at: number, whole: string) =>
      IN_HOST.test(whole.slice(0, at).slice(-HOST) + name) ? all : masked(all, name),
    )
    .replace(CONNECTION, masked)
    .replace(IN_ADDRESS, masked);
}

/** Whether a shell might run part of the text. */
export const isCode = (text: string): boolean => CODE.test(text);
const CODE = /[$`;&|<>(){}\\\n]/;
/** Characters of an address, up to the end of its host. */
const HOST = 340;
/** An address whose host has not ended. */
const IN_HOST = /[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#\\'"]{0,300}$/i;

const bare = (form: string): RegExp =>
  new RegExp(`([:=]\\s*)${form.replace(/\W/g, '\\$&')}\\b`, 'g');

interface Secret {
  readonly text: string;
  readonly key: string;
  readonly quoted: boolean;
}

/** The words that may be tokens. Shorter words, such as `-y` and `npx`, are excluded. */
const tokens = (words: unknown): unknown[] =>
  [words].flat().filter((word) => typeof word === 'string' && word.length >= 8);

/** Adds every value under a telling name, at any depth, to `found`. */
function collect(value: unknown, found: Secret[] = [], key = '', secret = false): Secret[] {
  if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value);
    if (!secret || text === '') return found;
    found.push({ text, key, quoted: typeof value === 'string' });
    for (const line of text.includes('\n') ? text.split('\n') : [])
      if (line.trim().length >= 4) found.push({ text: line, key, quoted: true });
  } else if (Array.isArray(value)) {
    for (const inner of value) collect(inner, found, key, secret);
  } else if (typeof value === 'object' && value !== null)
    for (const name of Object.keys(value)) {
      const inner: unknown = Reflect.get(value, name);
      // An object under a telling name (`security.auth`) contains settings, not a secret.
      const named = TELLING.test(name) && (typeof inner !== 'object' || Array.isArray(inner));
      const starts = REACHES.test(name) && !secret;
      const hides = secret || named || starts || UNDER.test(name);
      collect(starts ? tokens(inner) : inner, found, name, hides);
    }
  return found;
}
