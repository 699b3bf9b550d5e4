/**
 * Which server a command or an address starts or reaches, as far as its words tell. Their author may want to pose as somebody
 * else, so anything that is not plainly a known server does not match.
 */

import { delimiter, isAbsolute, join } from 'node:path';
import type { ServerLaunch } from '../../declaration/declared.ts';
import type { Env } from '../../system/env.ts';
import { type Launcher, launcherOf } from '../launchers/launcher.ts';

/** The words that identify a server. Each is a complete name. */
export interface Match {
  /** Packages of npm: for npx, bunx, pnpm dlx, yarn dlx. */
  readonly npm?: readonly string[] | undefined;
  /** Packages of PyPI: for uvx, pipx run. */
  readonly pypi?: readonly string[] | undefined;
  /** Repositories that uvx or pipx builds it from, without `git+` and `.git`. */
  readonly git?: readonly string[] | undefined;
  /** Images of docker and podman, without a tag. */
  readonly docker?: readonly string[] | undefined;
  /** Programs: of a package that has several, and installed on the PATH. */
  readonly commands?: readonly string[] | undefined;
  /** Hosts of an address on https. */
  readonly hosts?: readonly string[] | undefined;
}

type Words = { readonly command: string; readonly args: readonly string[] };

export function isMatch(match: Match, launch: ServerLaunch, env: Env): boolean {
  if ('url' in launch) return isHost(match.hosts, launch.url);
  const { command, args = [] } = launch;
  const program = programOf(command, env);
  if (program === undefined) return false;
  // The way to start a script on Windows.
  const [first = '', second, ...rest] = args;
  if (/^cmd(?:\.exe)?$/i.test(program) && /^\/c$/i.test(first))
    return second !== undefined && isMatch(match, { command: second, args: rest }, env);
  const name = program.replace(/\.(?:exe|cmd)$/i, '');
  const launcher = launcherOf(name, args);
  return launcher
    ? isLaunched(match, launcher, { command: name, args })
    : isOneOf(match.commands, name);
}

/** The name of a program if the PATH finds it. Undefined for another path, whose file may merely have the same name. */
function programOf(command: string, env: Env): string | undefined {
  if (!/[\\/]/.test(command)) return command;
  if (!isAbsolute(command)) return undefined;
  const name = command.split(/[\\/]/).at(-1) ?? '';
  const folders = (env.PATH ?? '').split(delimiter);
  return folders.some((folder) => join(folder, name) === command) ? name : undefined;
}

/** Options of launchers that change nothing about what is started. Any other might. */
const HARMLESS: Readonly<Record<Exclude<Launcher['kind'], 'docker'>, RegExp>> = {
  npm: /^(?:-y|--yes|-q|--quiet|--silent|--offline|--prefer-offline|--prefer-online)$/,
  bun: /^(?:-y|--yes|--bun|--silent)$/,
  pnpm: /^(?:-s|--silent|-y|--yes)$/,
  yarn: /^(?:-q|--quiet)$/,
  uv: /^(?:-q|--quiet|-U|--upgrade|--refresh|--offline|--no-cache|-n|--isolated|--no-progress|-p=?\S*|--python(?:=\S+)?)$/,
  pipx: /^(?:-q|--quiet|--no-cache)$/,
};

/** Those that take the next word as their value. */
const WITH_VALUE = /^(?:-p|--python)$/;

/** Those that name the package. */
const NAMING: Readonly<Record<keyof typeof HARMLESS, RegExp>> = {
  npm: /^(?:-p|--package)(?:=|$)/,
  bun: /^(?:-p|--package)(?:=|$)/,
  pnpm: /^--package(?:=|$)/,
  yarn: /^(?:-p|--package)(?:=|$)/,
  uv: /^--from(?:=|$)/,
  pipx: /^--spec(?:=|$)/,
};

function isLaunched(match: Match, launcher: Launcher, { args }: Words): boolean {
  const { kind, packages, program } = launcher;
  if (kind === 'docker') return isOneOf(match.docker, imageIn(args));
  const [spec, ...others] = packages;
  if (spec === undefined || others.length > 0) return false;
  // The words before the package, or before the program if that is named separately.
  const rest = args.length - launcher.args.length - 1;
  const before = args.slice(0, Math.max(0, rest));
  if (!areHarmless(before, kind)) return false;
  if (program !== undefined && !isOneOf(match.commands, program)) return false;
  return kind === 'uv' || kind === 'pipx'
    ? isOneOf(match.pypi, pythonName(spec)) || isOneOf(match.git, repositoryOf(spec))
    : isOneOf(match.npm, npmName(spec));
}

function areHarmless(words: readonly string[], kind: keyof typeof HARMLESS): boolean {
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '--' || !word.startsWith('-')) continue; // the launcher's own words: "tool run", "dlx"
    if (NAMING[kind].test(word)) {
      if (!word.includes('=')) i++;
    } else if (!HARMLESS[kind].test(word)) return false;
    else if (kind === 'uv' && WITH_VALUE.test(word)) i++;
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
const pythonName = (spec: string): string | undefined =>
  /^([A-Za-z\d][\w.-]*?)(?:\[[\w,.-]*\])?(?:(?:[=<>~!]=?=?|@)[\w.*-]+)?$/
    .exec(spec)?.[1]
    ?.toLowerCase()
    .replace(/[-_.]+/g, '-');

/** A commit is not accepted: the number of a fork's commit also works with the address of the original repository. */
const repositoryOf = (spec: string): string | undefined =>
  /^git\+(https:\/\/[\w./-]+?)(?:\.git)?(?:@(?:main|master|v?\d+(?:\.\d+){1,3}))?$/.exec(spec)?.[1];

/** Options of `docker run`: those with a value as the next word, and those without a value. */
const DOCKER_VALUED =
  /^(?:-[evplwumh]|--(?:env|volume|mount|name|publish|network|net|env-file|platform|pull|workdir|label|user|memory|cpus|add-host|hostname))$/;
const DOCKER_ALONE = /^(?:-[it]+|--(?:rm|init|interactive|tty|quiet|read-only))$/;
const DOCKER_JOINED =
  /^--(?:env|volume|mount|name|publish|network|net|env-file|platform|pull|workdir|label|user|memory|cpus|add-host|hostname)=/;

/** The image, without its tag, if no option changes what is started; undefined with any other option. */
function imageIn([, ...words]: readonly string[]): string | undefined {
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (DOCKER_VALUED.test(word)) i++;
    else if (!word.startsWith('-'))
      return /^(?:docker\.io\/)?([a-z\d][\w./-]*?)(?::[\w.-]+)?(?:@sha256:[\da-f]{64})?$/.exec(
        word,
      )?.[1];
    else if (!DOCKER_ALONE.test(word) && !DOCKER_JOINED.test(word)) return undefined;
  }
  return undefined;
}

function isHost(hosts: readonly string[] | undefined, address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, port, username } = new URL(address);
  return protocol === 'https:' && port === '' && username === '' && isOneOf(hosts, hostname);
}

const isOneOf = (known: readonly string[] | undefined, name: string | undefined): boolean =>
  name !== undefined && known?.includes(name) === true;
