/** mcp-hooks: starts programs on Windows, where many are cmd.exe scripts: npm makes one for each command. */

import fs = require('node:fs');
import path = require('node:path');

type Env = Readonly<Record<string, string | undefined>>;

/** The value of a variable. Names are case-insensitive on Windows. */
export const variable = (env: Env, name: string): string | undefined =>
  env[Object.keys(env).find((one) => one.toUpperCase() === name) ?? name];

/** Windows' own default. */
const PATHEXT = '.COM;.EXE;.BAT;.CMD';

/**
 * The file that a word refers to: one that Windows can start, only from folders in PATH. Files without an extension are
 * skipped; npm puts a script for other shells there.
 */
export function programFile(word: string, env: Env, cwd = ''): string | undefined {
  const endings = (variable(env, 'PATHEXT') || PATHEXT).toLowerCase().split(';').filter(Boolean);
  const folders = (variable(env, 'PATH') ?? '').split(path.delimiter).filter(path.isAbsolute);
  const places = /[\\/]/.test(word)
    ? [path.resolve(cwd, word)]
    : folders.map((folder) => path.join(folder, word));
  return places
    .flatMap((place) => [
      ...(endings.includes(path.extname(place).toLowerCase()) ? [place] : []),
      ...endings.map((ending) => place + ending),
    ])
    .find((file) => fs.existsSync(file) && fs.statSync(file, { throwIfNoEntry: false })?.isFile());
}

/**
 * The words that start a program. Windows itself would also search the current folder, which may be an untrusted clone, so it
 * never gets a bare name.
 *
 * @throws ENOENT if there is no such program; EINVAL for a script with a multi-line argument, of which cmd.exe would read only
 *   one line.
 */
export function startedWith([program = '', ...args]: readonly string[], env: Env, cwd?: string) {
  const file = programFile(program, env, cwd);
  if (file === undefined) throw Object.assign(new Error(`no ${program}`), { code: 'ENOENT' });
  if (!/\.(?:cmd|bat)$/i.test(file)) return { words: [file, ...args] as const, isVerbatim: false };
  // cmd.exe replaces variables even in quotes.
  if (file.includes('%') || args.some((word) => /[\r\n\0]/.test(word)))
    throw Object.assign(new Error(`${program} cannot be started by cmd.exe`), { code: 'EINVAL' });
  const line = [`"${file}"`, ...args.map((word) => forCmd(forCmd(quoted(word))))].join(' ');
  const cmd = variable(env, 'COMSPEC') || 'cmd.exe';
  return { words: [cmd, '/d', '/s', '/c', `"${line}"`] as const, isVerbatim: true };
}

/**
 * Escapes all characters that are special to cmd.exe. The arguments of a script are parsed twice: in its command line, and
 * where it passes them on.
 */
const forCmd = (text: string): string => text.replace(/[()[\]%!^"`<>&|;, *?]/g, '^$&');

/**
 * A word in the form that Windows programs parse from their command line.
 * https://learn.microsoft.com/en-us/cpp/c-language/parsing-c-command-line-arguments
 */
function quoted(word: string): string {
  let backslashes = 0;
  let text = '';
  for (const one of word) {
    if (one === '"') text += '\\'.repeat(backslashes + 1); // doubled, plus one for the quote
    backslashes = one === '\\' ? backslashes + 1 : 0;
    text += one;
  }
  return `"${text}${'\\'.repeat(backslashes)}"`;
}
