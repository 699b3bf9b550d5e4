/**
 * Whether git ignores a file: from the files in which people write that down, because git itself is not started in a
 * stranger's folder. A hint and no more: files that a configuration includes are not looked for.
 */

import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { foldersUpTo, gitFolderOf } from '../clients/servers/folders.ts';
import { pathIn } from './path.ts';

/** Where the user's own configuration is. */
export interface User {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/**
 * @param top The top of the working tree.
 *
 * Source: https://git-scm.com/docs/gitignore
 */
export function isIgnored(file: string, top: string, user: User): boolean {
  const rules = rulesFor(file, top, user);
  // What is in a folder that is ignored cannot be taken out of that again.
  const around = foldersUpTo(dirname(file), top).filter((folder) => folder !== top);
  return (
    around.some((folder) => decides(rules, folder, true)) || decides(rules, file, false) === true
  );
}

interface Rule {
  /** Below which it holds. */
  readonly folder: string;
  readonly pattern: RegExp;
  readonly ignored: boolean;
  readonly foldersOnly: boolean;
}

/** The last rule that fits has the last word. */
function decides(rules: readonly Rule[], path: string, isFolder: boolean): boolean | undefined {
  const fits = ({ folder, pattern, foldersOnly }: Rule) =>
    (isFolder || !foldersOnly) && pattern.test(pathIn(path, folder));
  return rules.findLast(fits)?.ignored;
}

/** Weakest first: the user's, the clone's, then those of each folder on the way to the file. */
function rulesFor(file: string, top: string, user: User): Rule[] {
  const common = commonFolder(top);
  const sources = [
    { folder: top, path: excludesFile(common, user) },
    { folder: top, path: join(common, 'info/exclude') },
    ...foldersUpTo(dirname(file), top)
      .toReversed()
      .map((folder) => ({ folder, path: join(folder, '.gitignore') })),
  ];
  return sources.flatMap(({ folder, path }) =>
    text(path)
      .split(/\r?\n/)
      .flatMap((line) => ruleIn(line, folder) ?? []),
  );
}

/** A worktree has a folder of its own in that of its repository. */
function commonFolder(top: string): string {
  const git = gitFolderOf(top);
  const common = text(join(git, 'commondir')).trim();
  return common === '' ? git : resolve(git, common);
}

/** The file for all of the user's repositories. */
function excludesFile(common: string, { env, home }: User): string {
  const folder = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'git');
  const configs = [join(folder, 'config'), join(home, '.gitconfig'), join(common, 'config')];
  const named = configs.flatMap((path) => excludesIn(text(path)) ?? []).at(-1);
  if (named === undefined) return join(folder, 'ignore');
  return resolve(home, named.replace(/^~\//, `${home}/`));
}

function excludesIn(config: string): string | undefined {
  const core = [...config.matchAll(/^\s*\[core\]([^[]*)/gim)]
    .map(([, body = '']) => body)
    .join('\n');
  const [, quoted, plain] =
    [...core.matchAll(/^\s*excludesfile\s*=\s*(?:"([^"]*)"|([^#;\r\n]*?))\s*(?:[#;].*)?$/gim)].at(
      -1,
    ) ?? [];
  return quoted ?? plain;
}

function ruleIn(line: string, folder: string): Rule | undefined {
  // A space at the end counts when it is escaped.
  const words = line.replace(/(?<!\\)[ \t]+$/, '');
  if (words === '' || words.startsWith('#')) return undefined;
  const ignored = !words.startsWith('!');
  const given = words.replace(/^!/, '');
  const foldersOnly = given.endsWith('/');
  const glob = given.replace(/\/$/, '');
  // With a slash in it, it is a path from the folder of its file.
  const isPath = glob.includes('/');
  const source = globSource(glob.replace(/^\//, ''));
  const pattern = expression(isPath ? `^${source}$` : `^(?:.*/)?${source}$`);
  return pattern && { folder, pattern, ignored, foldersOnly };
}

const TOKENS = /^\*\*\/|\/\*\*\/|\/\*\*$|\*+|\?|\[!?\]?[^\]]*\]|\\(.)|([^*?[\\/]+|[\s\S])/g;

function globSource(glob: string): string {
  return glob.replace(TOKENS, (token, escaped?: string, plain?: string) => {
    if (escaped !== undefined || plain !== undefined)
      return (escaped ?? plain ?? '').replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
    if (token === '**/') return '(?:.*/)?';
    if (token === '/**/') return '/(?:.*/)?';
    if (token === '/**') return '/.+';
    if (token === '?') return '[^/]';
    if (token.startsWith('*')) return '[^/]*';
    return token.replace(/^\[!/, '[^').replace(/^(\[\^?)\]/, '$1\\]');
  });
}

/** Undefined for what is none. */
function expression(source: string): RegExp | undefined {
  try {
    return new RegExp(source);
  } catch {
    return undefined;
  }
}

/** What is not there, or cannot be read, says nothing. */
function text(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
