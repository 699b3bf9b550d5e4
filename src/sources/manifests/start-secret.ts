/** Whether a manifest contains a possible secret. The packages that are built from it are public. */

import type { HookDeclaration } from '../../declaration/declaration.ts';
import type { ServerLaunch } from '../../declaration/declared.ts';
import { hasConnection, holdsSecret } from '../../system/secrets.ts';
import { maskAddress, maskWords } from '../redacted.ts';

/**
 * Where the start of a server contains a secret, without the secret itself. Undefined if it contains none. Variables that are
 * expanded later do not count.
 */
export async function secretIn(server: ServerLaunch): Promise<string | undefined> {
  const [first] = 'url' in server ? inAddress(server) : inCommand(server);
  if (first !== undefined) return first;
  const [byDefault] = defaultsIn(server).filter(isSecret);
  if (byDefault) return `\${${byDefault[0]}:-***}`;
  const isBeside = textsIn(server).some(hasSecretBeside);
  return isBeside || (await holdsSecret(server)) ? '"server"' : undefined;
}

/** The field of a hook that contains a secret. Undefined if none does. */
export async function secretInHook(hook: HookDeclaration): Promise<string | undefined> {
  const { command = [] } = hook;
  if (inCommand({ command: command[0] ?? '', args: command.slice(1) }).length > 0) return 'command';
  for (const [field, value] of Object.entries(hook)) {
    const isFound = defaultsIn(value).some(isSecret) || textsIn(value).some(hasConnection);
    // Together with the field name, which may indicate a secret.
    if (isFound || (await holdsSecret({ [field]: value }))) return field;
  }
  return undefined;
}

/** The default values of variables. */
const defaultsIn = (value: unknown): Pair[] =>
  textsIn(value).flatMap((text) =>
    // A default ends where the next one begins, and may contain another default. Each is checked once.
    text
      .split('${')
      .slice(1)
      .flatMap((part): Pair[] => {
        const [reference = ''] = part.split('}', 1);
        const [, name = '', own = ''] = /^(\w{1,100}):?-(.+)/s.exec(reference) ?? [];
        return own === '' ? [] : [[name, own]];
      }),
  );

/** Whether a word contains a secret next to a variable. The other checks ignore words with a variable. */
const hasSecretBeside = (text: string): boolean =>
  text.includes('${') &&
  text
    .replace(/\$\{[^}$]*\}/g, ' ')
    .split(/[\s:;,@=|]+/)
    .some((part) => isSecret(['', part]));

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function inAddress({ url, headers }: Extract<ServerLaunch, { url: string }>): string[] {
  const [, start = '', query = ''] = /^([^?#]*)\??([^#]*)/s.exec(url) ?? [];
  const parameters = query.split('&').map((one): Pair => {
    const [name = '', ...value] = one.split('=');
    return [name, value.join('=')];
  });
  const masked = maskAddress(start);
  return [
    ...(masked === start ? [] : [masked]),
    ...parameters.filter(isSecret).map(([name]) => `?${name}=***`),
    ...Object.entries(headers ?? {})
      .filter(isSecret)
      .map(shownIn('headers')),
  ];
}

function inCommand({ command, args = [], env = {} }: Extract<ServerLaunch, { command: string }>) {
  const words = [command, ...args];
  const masked = maskWords(words);
  const found = words.flatMap((word, index) => {
    const own = masked[index] ?? word;
    // The value of any variable is masked, but most values are not secrets.
    const [, name, value] = /^([A-Z_][A-Z0-9_]*)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined && value !== undefined && !isSecret([name, value])) return [];
    const place = index === 0 ? 'command' : `args[${index - 1}]`;
    return own === word ? [] : `${place} (${own})`;
  });
  return [...found, ...Object.entries(env).filter(isSecret).map(shownIn('env'))];
}

type Pair = readonly [name: string, value: string];

const shownIn =
  (values: 'env' | 'headers') =>
  ([name]: Pair): string =>
    `${values}.${name}`;

/** Checks a named value as if it were an option of a command. */
function isSecret([name, value]: Pair): boolean {
  const word = `--${name}=${value}`;
  return maskWords(['', word])[1] !== word;
}
