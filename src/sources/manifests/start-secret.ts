/** Whether the start of a server, as a manifest has it, holds what may be a secret: packages of it go to everybody. */

import type { ServerLaunch } from '../../declaration/declared.ts';
import { holdsSecret } from '../../system/mask.ts';
import { maskAddress, maskWords } from '../redacted.ts';

/** Where in it one is, without the secret; undefined: nowhere. Variables that are filled in later are none. */
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
    // Whatever stands in a variable is masked, and most of it is none.
    const [, name, value] = /^([A-Z_][A-Z0-9_]*)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined && value !== undefined && !isSecret([name, value])) return [];
    return own === word ? [] : own;
  });
  return [...found, ...Object.entries(env).filter(isSecret).map(shown)];
}

type Pair = readonly [name: string, value: string];

const shown = ([name]: Pair): string => `${name}: ***`;

/** A value with a name, judged as an option of a command that has the same. */
function isSecret([name, value]: Pair): boolean {
  const word = `--${name}=${value}`;
  return maskWords(['', word])[1] !== word;
}
