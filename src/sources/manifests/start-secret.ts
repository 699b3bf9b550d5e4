/** Whether a manifest's server start contains a possible secret. Everybody gets the packages that are built from it. */

import type { ServerLaunch } from '../../declaration/declared.ts';
import { holdsSecret } from '../../system/mask.ts';
import { maskAddress, maskWords } from '../redacted.ts';

/** Where it contains one, without the secret itself; undefined if nowhere. Variables that are filled in later do not count. */
export async function secretIn(server: ServerLaunch): Promise<string | undefined> {
  const [first] = 'url' in server ? inAddress(server) : inCommand(server);
  if (first !== undefined) return first;
  return (await holdsSecret(server)) ? '"server"' : undefined;
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
      .map(shown),
  ];
}

function inCommand({ command, args = [], env = {} }: Extract<ServerLaunch, { command: string }>) {
  const words = [command, ...args];
  const masked = maskWords(words);
  const found = words.flatMap((word, index) => {
    const own = masked[index] ?? word;
    // The value of any variable is masked, but most of them are no secrets.
    const [, name, value] = /^([A-Z_][A-Z0-9_]*)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined && value !== undefined && !isSecret([name, value])) return [];
    return own === word ? [] : own;
  });
  return [...found, ...Object.entries(env).filter(isSecret).map(shown)];
}

type Pair = readonly [name: string, value: string];

const shown = ([name]: Pair): string => `${name}: ***`;

/** Judges a value with a name as if it were an option of a command. */
function isSecret([name, value]: Pair): boolean {
  const word = `--${name}=${value}`;
  return maskWords(['', word])[1] !== word;
}
