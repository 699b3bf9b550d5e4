/**
 * What may be shown of a server that the user configured or typed: enough to recognise it, and nothing that is likely to be a
 * secret. It is better to hide one word too many than to reveal a secret, except for the words that name the program, the
 * package or the host. A server from an untrusted file is shown in full, because it contains no secrets of the user
 * (shown-launch.ts).
 */

import { hasCode, isSteering } from '../compile/steering.ts';
import { loadedBy } from '../declaration/loaded.ts';
import { type Quote, quotes } from '../system/errors.ts';
import { redactor, TELLING } from '../system/secrets.ts';
import { quoted } from '../system/visible.ts';
import type { Filled, Parts } from './entry.ts';

/** Stands for what is hidden. */
export const MASK = '***';
const MEMBER = /^((?:-{1,2})?[\w.-]+[=:])\s*(\S.*)$/s;
const HEADER_FLAG = /^(?:-H|--headers?)$/;
const VARIABLE_FLAG = /^(?:-e|--env)$/;
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;
/** Only variables that are expanded later. A default is a value. */
const REFERENCE = /^(?:\w+ )?(?:\$\{(?!\w+:?-[^}])[^}]+\}|\$\w+)$/;

const shaped = redactor({});

export function maskWords(words: readonly string[]): string[] {
  const end = headOf(words);
  return words.map((word, index) => {
    const inHead = index < end;
    const before = words[index - 1] ?? '';
    if (REFERENCE.test(word)) return word;
    const given = variableIn(words, index);
    if (given)
      return REFERENCE.test(given.value) || isSteering(given.name)
        ? word
        : `${given.before}${given.name}=${MASK}`;
    if (ADDRESS.test(word)) return inHead ? withoutPassword(word) : maskAddress(word);
    const isFlag = /^--?[A-Za-z]/.test(before) && !before.includes('=');
    if (!inHead && isFlag && TELLING.test(before) && !/^-/.test(word)) return MASK;
    const [, name, value] = MEMBER.exec(word) ?? [];
    if (name !== undefined && value !== undefined) {
      if (REFERENCE.test(value) || isSteering(name.slice(0, -1))) return word;
      const isOurs = HEADER_FLAG.test(before) || isVariable(name);
      if (isOurs || (!inHead && (TELLING.test(name) || isOpaque(value)))) return `${name}${MASK}`;
      if (ADDRESS.test(value))
        return `${name}${inHead ? withoutPassword(value) : maskAddress(value)}`;
    }
    if (inHead) return word;
    return isOpaque(word) ? MASK : shaped(withoutDefaults(word));
  });
}

/** A text in which no variable has a default that may be a secret. */
const withoutDefaults = (text: string): string =>
  text.replace(DEFAULT, (all, name: string, value: string) =>
    TELLING.test(name) || isOpaque(value) ? name + MASK : all,
  );

const DEFAULT = /(\$\{\w{1,100}:?-)([^{}]+)(?=\})/g;

/** The variable that a word sets for the started program: a word of `env`, or the value of a docker option. */
export function variableIn(words: readonly string[], index: number): Given | undefined {
  const word = words[index] ?? '';
  const isOwn = index < environmentOf(words) || VARIABLE_FLAG.test(words[index - 1] ?? '');
  const [, before = '', name, value] = /^(-e=?|--env=)?([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? [];
  if (name === undefined || value === undefined || (!isOwn && before === '')) return undefined;
  if (before.startsWith('-e') && !CONTAINERS.test(words[0] ?? '')) return undefined;
  return { before, name, value };
}

export interface Given {
  /** The beginning of the word. */
  readonly before: string;
  readonly name: string;
  readonly value: string;
}

const CONTAINERS = /(?:^|[\\/])(?:docker|podman|nerdctl)(?:\.exe)?$/i;
const ENV = /(?:^|[\\/])env(?:\.exe)?$/i;

/** How many words precede the program itself: `env`, its options and the variables that it sets. */
export function environmentOf(words: readonly string[]): number {
  if (!ENV.test(words[0] ?? '')) return 0;
  const end = words.findIndex(
    (word, index) =>
      index > 0 &&
      !word.startsWith('-') &&
      !/^(?:-u|--unset|-C|--chdir)$/.test(words[index - 1] ?? '') &&
      !/^[A-Za-z_]\w*=/.test(word),
  );
  return end === -1 ? words.length : end;
}

/** The output of a program, line by line, without its secrets. */
export const wordsOf = (lines: readonly string[]): Quote[] => {
  const masked = lines.map((line) => shaped(line.slice(0, 2000)));
  return quotes(quoted(masked, 200));
};

/** Programs that run what their next words name. */
const RUNNERS =
  /^(?:np[mx]|pnp[mx]|yarn|bunx?|deno|node|tsx|uvx?|pip[x3]?|python[\d.]*|docker|podman|dnx|dotnet|go|cargo|java|ruby|php|perl)(?:\.(?:exe|cmd))?$/i;
/** Words of such programs that precede the name. */
const BEFORE_NAME =
  /^(?:run|dlx|exec|x|tool|install|-m|-y|--yes|-i|-it|-ti|-t|-d|-P|-q|--quiet|--rm|--init|--interactive|--tty|--detach|--privileged|--read-only|--publish-all|--offline|--no-.*|--)$/;

/**
 * How many words of a command determine what runs: the program and, if it runs other programs, the name of the other program.
 */
export function headOf(words: readonly string[]): number {
  const start = environmentOf(words);
  if (start > 0) return start === words.length ? start : start + headOf(words.slice(start));
  if (!RUNNERS.test((words[0] ?? '').replace(/^.*[\\/]/, ''))) return 1;
  const name = words.findIndex((word, index) => {
    const before = words[index - 1] ?? '';
    const isValue = before.startsWith('-') && !before.includes('=') && !BEFORE_NAME.test(before);
    return index > 0 && !word.startsWith('-') && !BEFORE_NAME.test(word) && !isValue;
  });
  return name === -1 ? 1 : name + 1;
}

/** The words that determine what runs: the program, what it runs, the files that it loads, and words that are entirely code. */
export function decidingWords(words: readonly string[]): string[] {
  const end = headOf(words);
  const { places } = loadedBy(words);
  const isContainer = CONTAINERS.test(words[0] ?? '');
  const isCode = hasCode(words);
  return words.filter((word, index) => {
    if (index === 0 || index === end - 1 || places.some((place) => place.index === index))
      return true;
    const given = variableIn(words, index);
    if (index < end && !isContainer) return !given || isSteering(given.name);
    return isCode && REFERENCE.test(word);
  });
}

const isVariable = (name: string): boolean => /^[A-Z_][A-Z0-9_]*=$/.test(name);

/** Whether a word is a long sequence of letters and digits, unlike any name that a person would type. */
const isOpaque = (word: string): boolean =>
  /^[\w+=~.-]{16,}$/.test(word) &&
  (word.match(/\d/g)?.length ?? 0) >= 2 &&
  /[A-Za-z]/.test(word) &&
  !/\.[a-z]{1,5}$/i.test(word);

/** Scheme, user and password, host, path, query and fragment. `\` ends a host like `/` does. */
const PARTS = /^([a-z][a-z0-9+.-]*:\/\/)(?:([^/?#\\]*)@)?([^/?#\\@]*)([^?#]*)(\?[^#]*)?(#.*)?$/is;

/** An address without possible secrets: user and password, values of the query, long parts of the path. */
export function maskAddress(address: string): string {
  const parts = PARTS.exec(address);
  if (!parts) return MASK;
  const [, scheme = '', user, host = '', path = '', query = '', anchor = ''] = parts;
  return [
    scheme,
    user === undefined ? host : `${IS_FILLED_IN.test(user) ? user : MASK}@${host}`,
    path
      .split('/')
      .map((part) => (isOpaque(part) ? MASK : shaped(withoutDefaults(part))))
      .join('/'),
    query.replace(/([?&][^=&?]*=)([^&]+)/g, (all, name: string, value: string) =>
      REFERENCE.test(value) ? all : `${name}${MASK}`,
    ),
    anchor && `#${MASK}`,
  ].join('');
}

/** A user and a password that are expanded later. */
const IS_FILLED_IN = /^(?:[a-z_][a-z_-]{0,30}:|\$\{\w+\}:?)?\$\{\w+\}$/i;

/**
 * What may be shown of variables that determine what runs. For the user's own entries, only values of well-known variables,
 * without passwords and tokens.
 */
export const shownSteering = (
  values: Readonly<Record<string, string>>,
  foreign: boolean,
): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      foreign ? value : isSteering(name) ? shaped(value) : null,
    ]),
  );

/** For an address that names what runs: only a password in it is hidden. */
export function withoutPassword(address: string): string {
  const [, scheme = '', user, host = ''] = PARTS.exec(address) ?? [];
  if (user === undefined) return address;
  const rest = address.slice(`${scheme}${user}@`.length);
  const [name = ''] = user.split(':');
  const own = isOpaque(name) || shaped(name) !== name ? MASK : name;
  const shown = user.includes(':') ? `${own}:${MASK}` : own;
  return host === '' ? address : `${scheme}${shown}@${rest}`;
}

/** Hides, in texts from the server or the system, everything that was hidden in the entry, and all of its values. */
export function launchRedactor(parts: Parts, filled: Filled): (text: string) => string {
  const pairs: [string, string][] = [];
  const hide = (text: string, shown = MASK) => {
    if (text.length >= 4 && text !== shown) pairs.push([text, shown]);
  };
  // A server may repeat part of a value, such as the token after `Bearer` or the value of an option, or the whole value in an
  // address.
  const hideWithParts = (text: string, shown = MASK) => {
    hide(text, shown);
    if (text === shown) return;
    for (const part of text.split(/[\s=;,]+/))
      if (part.length >= PART && !/^-|:$/.test(part)) hide(part);
    hide(encodeURIComponent(text));
  };
  if ('url' in filled) {
    for (const url of [filled.url, 'url' in parts ? parts.url : filled.url]) {
      hide(url, maskAddress(url));
      for (const [, value = ''] of url.matchAll(/[?&][^=&?]*=([^&#]+)/g)) hide(value);
    }
    for (const value of Object.values(filled.headers)) hideWithParts(value);
  } else {
    const written = 'args' in parts ? parts : filled;
    for (const { command, args } of [filled, written]) {
      const words = [command, ...args];
      const shown = maskWords(words);
      for (const [index, word] of words.entries()) {
        hideWithParts(word, shown[index]);
        const [, , value] = MEMBER.exec(word) ?? [];
        if (value !== undefined && shown[index] !== word) hide(value);
      }
    }
    for (const value of Object.values(filled.own ?? {})) hideWithParts(value);
  }
  pairs.sort(([a], [b]) => b.length - a.length);
  const secrets = pairs.map(([secret]) => secret);
  return (text) => {
    const whole = pairs.reduce((line, [secret, shown]) => line.replaceAll(secret, shown), text);
    return whole.replace(
      CUT,
      (_, said: string, end: string) => withoutBeginning(said, secrets) + end,
    );
  };
}

/** A part of a secret with at least this many characters counts as a secret. Shorter parts may be ordinary words. */
const PART = 8;

/** Where `visible` truncated a line. */
const CUT = /^(.*)(\.\.\. \(\d+ more characters\).*)$/gm;

/** Hides a secret at the end of a truncated text, even if part of it is missing. */
function withoutBeginning(text: string, secrets: readonly string[]): string {
  for (const secret of secrets)
    for (let length = Math.min(secret.length, text.length); length >= 4; length--)
      if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + MASK;
  return text;
}
