/**
 * Which server a command or an address starts or reaches, judged by its words. Their author may want to impersonate another
 * server, so only an unambiguous match counts.
 */

import { delimiter, isAbsolute, join } from 'node:path';
import * as z from 'zod/mini';
import { isSteering } from '../../compile/steering.ts';
import type { ServerLaunch } from '../../declaration/declared.ts';
import type { Env } from '../../system/env.ts';
import { memoize } from '../../system/memoize.ts';
import { type Launcher, launcherOf } from '../launchers/launcher.ts';

/** The names that identify a server. Each one is a complete name. */
export const matchSchema = memoize(() => {
  const names = z.optional(z.array(z.string().check(z.minLength(1))).check(z.minLength(1)));
  return z
    .strictObject({
      /** npm packages: for npx, bunx, pnpm dlx, yarn dlx. */
      npm: names,
      /** PyPI packages: for uvx, pipx run. */
      pypi: names,
      /** Repositories that uvx or pipx builds the server from, without `git+` and `.git`. */
      git: names,
      /** Images of docker and podman, without a tag. */
      docker: names,
      /** Programs: of a package that has several, and installed on the PATH. */
      commands: names,
      /** The arguments that make a multi-purpose program start a server. They come first. */
      args: names,
      /** Hosts of an https address. */
      hosts: names,
    })
    .check(z.refine((match) => Object.keys(match).length > 0));
});

type Match = z.infer<ReturnType<typeof matchSchema>>;

type Words = { readonly command: string; readonly args: readonly string[] };

export function isMatch(match: Match, launch: ServerLaunch, env: Env): boolean {
  if ('url' in launch) return isHost(match.hosts, launch.url);
  const { command, args = [] } = launch;
  const program = programOf(command, env);
  if (program === undefined) return false;
  // How a script is started on Windows.
  const [first = '', second, ...rest] = args;
  if (/^cmd(?:\.exe)?$/i.test(program) && /^\/c$/i.test(first))
    return (
      second !== undefined &&
      !args.some((word) => /[&|<>()^%!"\r\n]/.test(word)) && // cmd would run the words after such a character, or expand it
      isMatch(match, { command: second, args: rest }, env)
    );
  const name = program.replace(/\.(?:exe|cmd)$/i, '');
  const launcher = launcherOf(name, args);
  return launcher
    ? isLaunched(match, launcher, { command: name, args })
    : isOneOf(match.commands, name) && isServing(match, args);
}

const isServing = ({ args: first = [] }: Match, args: readonly string[]): boolean =>
  first.every((word, index) => args[index] === word);

/** The name of a program if it is found on the PATH. Undefined for any other path: that file may only have the same name. */
function programOf(command: string, env: Env): string | undefined {
  if (!/[\\/]/.test(command)) return command;
  if (!isAbsolute(command)) return undefined;
  const name = command.split(/[\\/]/).at(-1) ?? '';
  const folders = (env.PATH ?? '').split(delimiter);
  return folders.some((folder) => join(folder, name) === command) ? name : undefined;
}

/** Launcher options that do not affect what is started. Any other option might. */
const HARMLESS: Readonly<Record<Exclude<Launcher['kind'], 'docker'>, RegExp>> = {
  npm: /^(?:-y|--yes|-q|--quiet|--silent|--offline|--prefer-offline|--prefer-online)$/,
  bun: /^(?:-y|--yes|--bun|--silent)$/,
  pnpm: /^(?:-s|--silent|-y|--yes)$/,
  yarn: /^(?:-q|--quiet)$/,
  // A version of Python. Any other value may be the path of a program.
  uv: /^(?:-q|--quiet|-U|--upgrade|--refresh|--offline|--no-cache|-n|--isolated|--no-progress|-p=?\d[\d.]*|--python=\d[\d.]*)$/,
  pipx: /^(?:-q|--quiet|--no-cache)$/,
};

/** Options that take the next word as their value, and the harmless values. */
const WITH_VALUE = /^(?:-p|--python)$/;
const PYTHON = /^\d[\d.]*$/;

/** Options that name the package. */
const NAMING: Readonly<Record<keyof typeof HARMLESS, RegExp>> = {
  npm: /^(?:-p|--package)(?:=|$)/,
  bun: /^(?:-p|--package)(?:=|$)/,
  pnpm: /^--package(?:=|$)/,
  yarn: /^(?:-p|--package)(?:=|$)/,
  uv: /^--from(?:=|$)/,
  pipx: /^--spec(?:=|$)/,
};

function isLaunched(match: Match, launcher: Launcher, { args }: Words): boolean {
  const { kind, name, packages, program } = launcher;
  if (kind === 'docker') return isOneOf(match.docker, imageIn(args));
  const [spec, ...others] = packages;
  if (spec === undefined || others.length > 0) return false;
  // The words before the package, or before the program if it is named separately.
  const rest = args.length - launcher.args.length - 1;
  const before = args.slice(0, Math.max(0, rest));
  if (!areHarmless(before, kind)) return false;
  // Unlike npx, npm also reads options after the package, up to "--".
  const own = name === 'npm exec' ? launcher.args : [];
  const end = own.indexOf('--');
  if (!areHarmless(end < 0 ? own : own.slice(0, end), kind)) return false;
  if (program !== undefined && !isOneOf(match.commands, program)) return false;
  if (
    !isServing(
      match,
      launcher.args.filter((word) => word !== '--'),
    )
  )
    return false;
  return kind === 'uv' || kind === 'pipx'
    ? isOneOf(match.pypi?.map(normalised), pythonName(spec)) ||
        isOneOf(match.git, repositoryOf(spec))
    : isOneOf(match.npm, npmName(spec));
}

/**
 * The single package that a launcher downloads, without its version. Undefined if there is none, or if it is not a plain name.
 */
export function packageOf({ command, args }: Words): string | undefined {
  const name = command.split(/[\\/]/).at(-1) ?? '';
  const launcher = launcherOf(name.replace(/\.(?:exe|cmd)$/i, ''), args);
  const [spec, ...others] = launcher?.packages ?? [];
  if (!launcher || spec === undefined || others.length > 0) return undefined;
  const isPython = launcher.kind === 'uv' || launcher.kind === 'pipx';
  const found = isPython ? (pythonName(spec) ?? repositoryOf(spec)) : npmName(spec);
  const program = launcher.program === undefined ? '' : ` ${launcher.program}`;
  return found === undefined ? undefined : `${isPython ? 'pypi' : 'npm'} ${found}${program}`;
}

function areHarmless(words: readonly string[], kind: keyof typeof HARMLESS): boolean {
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '--' || !word.startsWith('-')) continue; // the launcher's own words: "tool run", "dlx"
    if (NAMING[kind].test(word)) {
      if (!word.includes('=')) i++;
    } else if (kind === 'uv' && WITH_VALUE.test(word)) {
      if (!PYTHON.test(words[++i] ?? '')) return false;
    } else if (!HARMLESS[kind].test(word)) return false;
  }
  return true;
}

/**
 * `@scope/name`, with or without a version or tag. Undefined for a folder, an archive, a repository, or an alias of another
 * package.
 */
const npmName = (spec: string): string | undefined =>
  /^((?:@[\w.-]+\/)?[\w-][\w.-]*)(?:@[\w.*^~<>=-]+)?$/.exec(spec)?.[1];

/** `name`, `name[extra]`, `name==1.2` or `name@1.2`, normalised as PyPI does. */
function pythonName(spec: string): string | undefined {
  const [, name] =
    /^([A-Za-z\d][\w.-]*?)(?:\[[\w,.-]*\])?(?:(?:[=<>~!]=?=?|@)[\w.*-]+)?$/.exec(spec) ?? [];
  return name === undefined ? undefined : normalised(name);
}

const normalised = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');

/** A commit is not accepted, because the hash of a fork's commit also works with the address of the original repository. */
const repositoryOf = (spec: string): string | undefined =>
  /^git\+(https:\/\/[\w./-]+?)(?:\.git)?(?:@(?:main|master|v?\d+(?:\.\d+){1,3}))?$/.exec(spec)?.[1];

/**
 * Options of `docker run` that do not affect what is started: with a value as the next word or after "=", and without one. A
 * volume, another user, folder or entry point, or a file of variables might affect it.
 */
const DOCKER_VALUED =
  /^(?:-[emhlp]|--(?:cpus|env|hostname|label|memory|name|net|network|platform|publish|pull))$/;
const DOCKER_ALONE = /^(?:-[it]+|--(?:rm|init|interactive|tty|quiet|read-only))$/;
const DOCKER_NETWORK = /^--net(?:work)?$/;
const DOCKER_VARIABLE = /^(?:-e|--env)$/;

/**
 * The image, without its tag, if no option affects what is started. Undefined for any other option, and for words after the
 * image, which may replace its program.
 */
function imageIn([run, ...words]: readonly string[]): string | undefined {
  if (run !== 'run') return undefined;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (!word.startsWith('-')) return i < words.length - 1 ? undefined : imageNamed(word);
    if (DOCKER_ALONE.test(word)) continue;
    const [, option = word, joined] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? [];
    if (!DOCKER_VALUED.test(option) || !isHarmlessValue(option, joined ?? words[++i] ?? ''))
      return undefined;
  }
  return undefined;
}

const imageNamed = (word: string): string | undefined =>
  /^(?:docker\.io\/)?([a-z\d][\w./-]*?)(?::[\w.-]+)?(?:@sha256:[\da-f]{64})?$/.exec(word)?.[1];

function isHarmlessValue(option: string, value: string): boolean {
  if (DOCKER_NETWORK.test(option)) return /^(?:bridge|host|none)$/.test(value);
  return !DOCKER_VARIABLE.test(option) || !isSteering(value.replace(/=.*$/s, ''));
}

function isHost(hosts: readonly string[] | undefined, address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, port, username } = new URL(address);
  return protocol === 'https:' && port === '' && username === '' && isOneOf(hosts, hostname);
}

const isOneOf = (known: readonly string[] | undefined, name: string | undefined): boolean =>
  name !== undefined && known?.includes(name) === true;
