/**
 * Whether git ignores a file, read from the ignore files, because git itself is not started in an untrusted folder. Only a
 * hint: includes in a configuration are not followed.
 */

import { dirname, join, resolve } from 'node:path';
import { attempt } from '../errors.ts';
import { pathIn } from '../files.ts';
import { textOf } from '../regular-file.ts';
import { foldersUpTo, gitFolderOf } from './folders.ts';

export interface User {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Source: https://git-scm.com/docs/gitignore */
export function isIgnored(file: string, top: string, user: User): boolean {
  const rules = rulesFor(file, top, user);
  // A file in an ignored folder cannot be un-ignored.
  const around = foldersUpTo(dirname(file), top).filter((folder) => folder !== top);
  return (
    around.some((folder) => decides(rules, folder, true)) || decides(rules, file, false) === true
  );
}

interface Rule {
  readonly folder: string;
  readonly glob: RegExp;
  readonly ignored: boolean;
  readonly foldersOnly: boolean;
}

/** The last matching rule decides. */
function decides(rules: readonly Rule[], path: string, isFolder: boolean): boolean | undefined {
  const fits = ({ folder, glob, foldersOnly }: Rule) =>
    (isFolder || !foldersOnly) && glob.test(pathIn(path, folder));
  return rules.findLast(fits)?.ignored;
}

/** Lowest precedence first: the user's rules, the clone's, then those of each folder on the way to the file. */
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
    textOf(path)
      .split(/\r?\n/)
      .flatMap((line) => ruleIn(line, folder) ?? []),
  );
}

/** A worktree has its own folder inside its repository's git folder. */
function commonFolder(top: string): string {
  const git = gitFolderOf(top);
  const common = textOf(join(git, 'commondir')).trim();
  return common === '' ? git : resolve(git, common);
}

function excludesFile(common: string, { env, home }: User): string {
  const folder = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'git');
  const configs = [join(folder, 'config'), join(home, '.gitconfig'), join(common, 'config')];
  const named = configs.flatMap((path) => excludesIn(textOf(path)) ?? []).at(-1);
  if (named === undefined) return join(folder, 'ignore');
  return resolve(home, named.replace(/^~\//, `${home}/`));
}

function excludesIn(config: string): string | undefined {
  let section = '';
  let named: string | undefined;
  for (const line of config.split(/\r?\n/)) {
    const words = line.trim();
    if (words.startsWith('[')) section = words.toLowerCase();
    if (!section.startsWith('[core]')) continue;
    const [, value] = /^(?:\[core\])?[ \t]*excludesfile[ \t]*=(.*)$/i.exec(words) ?? [];
    if (value !== undefined) named = excludesValue(value.trim());
  }
  return named;
}

/** The value of a key: in quotes, or up to a comment. */
const excludesValue = (text: string): string =>
  /^"([^"]*)"/.exec(text)?.[1] ?? text.replace(/[#;].*$/s, '').trim();

/** Maximum characters of a line. A longer pattern matches no possible path. */
const LINE = 4096;

function ruleIn(line: string, folder: string): Rule | undefined {
  if (line.length > LINE) return undefined;
  // A trailing space counts if it is escaped.
  const end = line.trimEnd();
  const words = end.endsWith('\\') ? line.slice(0, end.length + 1) : end;
  if (words === '' || words.startsWith('#')) return undefined;
  const ignored = !words.startsWith('!');
  const given = words.replace(/^!/, '');
  const foldersOnly = given.endsWith('/');
  const written = given.replace(/\/$/, '');
  // A pattern with a slash is a path relative to its file's folder.
  const isPath = written.includes('/');
  const glob = globOf(isPath ? written.replace(/^\//, '') : `**/${written}`);
  return glob && { folder, glob, ignored, foldersOnly };
}

/** An unclosed bracket extends to the end. */
const PARTS = /^\*\*\/|\/\*\*\/|\/\*\*$|\*+|\?|\[!?\]?[^\]]*(?:\]|$)|\\.|[\s\S]/g;

/**
 * A pattern as a regular expression. Undefined if it is not valid. Patterns are untrusted, so the expression never backtracks
 * into a part that has matched: some patterns would run practically forever.
 *
 * Source: https://git-scm.com/docs/gitignore#_pattern_format
 */
function globOf(pattern: string): RegExp | undefined {
  let groups = 0;
  /** The parts between gaps. Each part but the last stays at its first match, because a lookahead does not backtrack. */
  const inTurn = ([first = '', ...others]: readonly string[], gap: string): string => {
    const last = others.pop();
    const found = others.map((one) => {
      groups += 1;
      return `(?=(?<_${groups}>${gap}${one}))\\k<_${groups}>`;
    });
    return first + found.join('') + (last === undefined ? '' : gap + last);
  };
  return attempt(() => {
    const runs = [['']];
    for (const [part] of pattern.matchAll(PARTS)) {
      const run = runs.at(-1) ?? [];
      if (part.startsWith('*') && part !== '**/') run.push('');
      else run.push(`${run.pop()}${sourceOf(part)}`);
      if (part.endsWith('**/')) runs.push(['']);
    }
    const names = runs.map((run) => inTurn(run, '[^/]*?'));
    return new RegExp(`^${inTurn(names, '(?:[^]*?/)??')}$`);
  });
}

/** @throws SyntaxError for an invalid bracket. */
function sourceOf(part: string): string {
  if (part === '**/') return '';
  if (part === '/**/') return '/';
  if (part === '/**') return '/[^]+';
  if (part === '?') return '[^/]';
  if (!part.startsWith('[')) return part.replace(/^\\(?=.)/s, '').replace(/\W/, '\\$&');
  const bracket = part.replace(/^\[!/, '[^').replace(/^(\[\^?)\]/, '$1\\]');
  return `(?!/)${new RegExp(bracket).source}`;
}
