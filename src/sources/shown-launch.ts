/**
 * How a server is started or reached, in text for the user: everything that determines what runs, escaped and complete. Every
 * question for consent shows these lines.
 */

import { passingIn, steeringIn, variablesNamed } from '../compile/steering.ts';
import type { PassedOn } from '../declaration/configured-server.ts';
import type { ServerLaunch, ServerSource, Source } from '../declaration/declared.ts';
import { sha256 } from '../system/fingerprint.ts';
import { isCode, maskCommand, redactor } from '../system/secrets.ts';
import { quoted } from '../system/strings.ts';
import { fullLine } from '../system/visible.ts';
import { withoutEnvironment } from './command-line.ts';
import { passingInWords } from './entry.ts';
import { headOf, maskAddress, maskWords, variableIn, withoutPassword } from './redacted.ts';

interface ShownServer {
  readonly server: ServerLaunch;
  readonly source: Pick<ServerSource, 'kind'> | Extract<Source, { readonly kind: 'catalogue' }>;
}

const kindOf = ({ source }: ShownServer): ServerSource['kind'] =>
  source.kind === 'catalogue' ? source.of.kind : source.kind;

/**
 * The command or address, followed by lines for the folder, for the names of its variables or headers, and for what else
 * determines what runs.
 */
export function launchInWords(found: ShownServer, folder?: string): string[] {
  const names = namesGiven(found.server).map(quotedName).join(', ');
  const what = 'url' in found.server ? 'headers' : 'environment';
  return [
    startInWords(found),
    ...(folder === undefined ? [] : [`in ${fullLine(folder)}`]),
    ...(names === '' ? [] : [`${what}: ${names}`]),
    ...steeringInWords(found.server),
  ];
}

/**
 * The command or the address. A command from an untrusted file is shown in full, because it contains no secret of the user. A
 * command that the user typed may contain a secret after the words that determine what runs. A command that the user configured
 * is already masked.
 */
export function startInWords(found: ShownServer): string {
  const { server } = found;
  const kind = kindOf(found);
  const isTyped = kind === 'command' || kind === 'url';
  if ('url' in server) return fullLine(withHost(isTyped ? typedAddress(server.url) : server.url));
  const words = [server.command, ...(server.args ?? [])];
  return fullLine(isTyped ? commandInWords(words) : shellCommand(words));
}

/** The same as stored in our state folder: without any secret, regardless of its author. */
export function startAsRecorded(found: ShownServer): string {
  const { server } = found;
  if ('url' in server)
    return kindOf(found) === 'configured' ? maskAddress(server.url) : typedAddress(server.url);
  return fullLine(shellCommand(maskWords([server.command, ...(server.args ?? [])])));
}

export const namesGiven = (server: ServerLaunch): string[] =>
  Object.keys(('url' in server ? server.headers : server.env) ?? {});

/** Quotes a name that could be mistaken for part of our sentence. */
export const quotedName = (text: string): string =>
  fullLine(/^[^\s,'"()=]+$/.test(text) ? text : quoted(text));

/**
 * The variables that determine what runs, with their values as written, and the file with further variables. Then which
 * recipient gets which variables of the user. No value is shown twice.
 */
export function steeringInWords(server: ServerLaunch): string[] {
  const decided = steering(server);
  const isShown = ({ name: key, written }: PassedOn) =>
    decided.some(([name, value]) => name === key && value === written);
  return [
    ...decided.map(([key, value]) =>
      fullLine(
        value === null
          ? `environment: ${key}, which decides what runs; your value is bound and not shown`
          : `environment: ${key}=${quoted(value)}`,
      ),
    ),
    ...envFile(server),
    ...deciding(server, 'its value is bound and not shown'),
    ...passing(server).map((one) =>
      fullLine(
        passedInWords(server, one) +
          (one.written === undefined || isShown(one) ? '' : `: ${quoted(one.written)}`),
      ),
    ),
  ];
}

/** The same with a hash in place of each value. */
export const steeringAsRecorded = (server: ServerLaunch): string[] => [
  ...steering(server).map(([key, value]) =>
    fullLine(
      value === null
        ? `environment: ${key}, which decides what runs`
        : `environment: ${key}, kept as SHA-256 ${sha256(`${key}=${value}`).slice(0, 16)}`,
    ),
  ),
  ...envFile(server),
  ...deciding(server, `kept as SHA-256 ${server.deciding?.mark.slice(0, 16)}`),
  ...passing(server).map((one) => fullLine(passedInWords(server, one))),
];

const deciding = ({ deciding: one }: ServerLaunch, kept: string): string[] => {
  if (!one) return [];
  const [variables, values] =
    one.names.length === 1 ? ['variable', 'decides'] : ['variables', 'decide'];
  return [
    fullLine(
      `command: your ${variables} ${one.names.map(quotedName).join(', ')} ${values} what runs; ${kept}`,
    ),
  ];
};

/** Variables that determine what runs have a line of their own. */
const passing = (server: ServerLaunch): readonly PassedOn[] => {
  const names = server.deciding?.names ?? [];
  return passedOn(server).flatMap((one) => {
    if (one.name !== '') return [one];
    const variables = one.variables.filter((variable) => !names.includes(variable));
    return variables.length > 0 ? [{ ...one, variables }] : [];
  });
};

/** For an untrusted server, `written` contains the values, so that the user sees what else is sent. */
const passedOn = (server: ServerLaunch): readonly PassedOn[] => {
  if (server.configured) return server.configured.passing ?? [];
  const given = passingIn('url' in server ? server.headers : server.env).map(([key, written]) => ({
    name: key,
    variables: variablesNamed(written),
    written,
  }));
  return [...given, ...passingInWords(server)];
};

/** `sends your variable TOKEN to notes.example in the header X-Key`. */
function passedInWords(server: ServerLaunch, { name: key, variables }: PassedOn): string {
  const named = variables.map(quotedName).join(', ');
  const what =
    variables.length === 0
      ? 'a value with a "$"'
      : `your ${variables.length === 1 ? 'variable' : 'variables'} ${named}`;
  if (!('url' in server))
    return `gives it ${what} ${key === '' ? 'in its command' : `as ${quotedName(key)}`}`;
  const host = hostIn(server.url);
  return `sends ${what} to ${host} in ${key === '' ? 'its address' : `the header ${quotedName(key)}`}`;
}

/** The host as written while it still contains a variable, because a URL converts it to lower case. */
function hostIn(url: string): string {
  const [, written = url] = /^[^/]*\/\/(?:[^/?#\\]*@)?([^/?#\\]*)/.exec(url) ?? [];
  return URL.canParse(url) && !written.includes('$') ? new URL(url).host : written;
}

const steering = (server: ServerLaunch): readonly (readonly [string, string | null])[] => {
  if ('url' in server) return [];
  return server.configured ? Object.entries(server.configured.steering ?? {}) : steeringIn(server);
};

const envFile = ({ configured }: ServerLaunch): string[] =>
  configured?.envFile === undefined ? [] : [fullLine(`envFile: ${quoted(configured.envFile)}`)];

/** An address that the user typed. The host is never hidden. */
const typedAddress = (url: string): string =>
  url.replace(
    /^([^/]*\/\/[^/?#\\]*)(.*)$/s,
    (_, host: string, rest: string) => withoutPassword(host) + redactor({})(rest),
  );

/** Adds the real host if the address disguises it: with lookalike letters, or behind a user name. */
function withHost(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host } = new URL(url);
  const start = `${protocol}//${host}`;
  const isPlain =
    url.toLowerCase().startsWith(start) && /^(?::\d+)?(?:[/?#]|$)/.test(url.slice(start.length));
  return isPlain ? url : `${url} (the host ${host})`;
}

export const shellCommand = (words: readonly string[]): string => words.map(quoted).join(' ');

/**
 * The same without certain secrets, and the text next to them, after the words that determine what runs. The user agrees to
 * this text, so it is more important that nothing can hide in it than that every secret is hidden.
 */
export function commandInWords(words: readonly string[]): string {
  const end = headOf(words);
  const hidden = maskWords(words);
  const head = shellCommand(
    words.slice(0, end).map((word, index) => {
      const given = variableIn(words, index);
      return given && !isCode(given.value) ? (hidden[index] ?? '') : withoutPassword(word);
    }),
  );
  const rest = words
    .slice(end)
    .map((word) =>
      /^[a-z][a-z0-9+.-]*:\/\/[^\s$`;|<>(){}\\'"]+$/i.test(word) ? maskAddress(word) : word,
    );
  const line = rest.length > 0 ? `${head} ${maskCommand(shellCommand(rest))}` : head;
  const given = Object.values(withoutEnvironment(words).own);
  return given
    .filter((value) => value.length >= 4 && !isCode(value))
    .reduce((shown, value) => shown.replaceAll(value, '***'), line);
}
