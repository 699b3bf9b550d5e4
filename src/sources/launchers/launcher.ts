/** Commands that download a program before they start it, as used in configurations: npx, uvx and similar. */

import * as util from 'node:util';

export interface Launcher {
  /** The name in sentences: `npx`, `pnpm dlx`. */
  readonly name: string;
  readonly kind: LauncherKind;
  /** What it may have to download, as typed, so it may contain a password. Empty if the words do not tell. */
  readonly packages: readonly string[];
  /** The program to start if it is named separately from the package. */
  readonly program?: string;
  readonly args: readonly string[];
}

export type LauncherKind = 'npm' | 'uv' | 'bun' | 'pnpm' | 'yarn' | 'pipx' | 'docker';

interface Form {
  readonly kind: LauncherKind;
  readonly name: string;
  /** The first words of the command line, without options. */
  readonly words: readonly string[];
  /** Options that take a value, each with its name and, if any, its letter. The first one names a package. */
  readonly valued?: string;
}

const NPM = 'package/p call/c workspace/w registry cache userconfig loglevel';
const UV = `from with/w with-requirements with-editable python/p index-url/i index default-index
  extra-index-url constraints/c directory project cache-dir env-file refresh-package`;
const PNPM = 'package dir/C registry';
const PIPX = 'spec python pip-args index-url/i';

const FORMS: readonly Form[] = [
  // https://docs.npmjs.com/cli/commands/npx, https://docs.npmjs.com/cli/commands/npm-exec
  { kind: 'npm', name: 'npx', words: ['npx'], valued: NPM },
  { kind: 'npm', name: 'npm exec', words: ['npm', 'exec'], valued: NPM },
  { kind: 'npm', name: 'npm exec', words: ['npm', 'x'], valued: NPM },
  // https://docs.astral.sh/uv/reference/cli/#uv-tool-run
  { kind: 'uv', name: 'uvx', words: ['uvx'], valued: UV },
  { kind: 'uv', name: 'uv tool run', words: ['uv', 'tool', 'run'], valued: UV },
  // https://bun.com/docs/pm/bunx
  { kind: 'bun', name: 'bunx', words: ['bunx'], valued: 'package/p' },
  { kind: 'bun', name: 'bunx', words: ['bun', 'x'], valued: 'package/p' },
  // https://pnpm.io/cli/dlx, https://yarnpkg.com/cli/dlx
  { kind: 'pnpm', name: 'pnpm dlx', words: ['pnpm', 'dlx'], valued: PNPM },
  { kind: 'pnpm', name: 'pnpm dlx', words: ['pnpx'], valued: PNPM },
  { kind: 'yarn', name: 'yarn dlx', words: ['yarn', 'dlx'], valued: 'package/p' },
  // https://pipx.pypa.io/stable/reference/cli/
  { kind: 'pipx', name: 'pipx run', words: ['pipx', 'run'], valued: PIPX },
  // https://docs.docker.com/reference/cli/docker/container/run/
  { kind: 'docker', name: 'docker', words: ['docker', 'run'] },
  { kind: 'docker', name: 'podman', words: ['podman', 'run'] },
];

/** Undefined if the command starts an installed program, or one that does not exist. */
export function launcherOf(command: string, args: readonly string[]): Launcher | undefined {
  const program = (command.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.(?:exe|cmd)$/, '');
  const [first = '', ...more] = args;
  // How a script is started on Windows.
  if (program === 'cmd' && /^\/[cd]$/i.test(first)) return launcherOf(more[0] ?? '', more.slice(1));
  for (const form of FORMS) {
    const launcher = program === form.words[0] ? parsed(form, args) : undefined;
    if (launcher) return launcher;
  }
  return undefined;
}

function parsed({ name, kind, words, valued }: Form, args: readonly string[]) {
  const options = (valued?.split(/\s+/) ?? []).map((option) => {
    const [long = '', short] = option.split('/');
    return [long, { type: 'string', ...(short && { short }) }] as const;
  });
  const { tokens } = util.parseArgs({
    args: [...args],
    options: Object.fromEntries(options),
    strict: false,
    tokens: true,
  });
  const given = tokens.filter((token) => token.kind === 'positional');
  const own = words.slice(1);
  if (own.some((word, index) => given[index]?.value !== word)) return undefined;
  // Too many docker options take a value to list them all, and only docker's own messages show the image.
  if (kind === 'docker') return { name, kind, packages: [], args: [] };
  const program = given[own.length];
  const [naming] = options[0] ?? [];
  const packages = tokens.flatMap((token) => {
    const isNaming = token.kind === 'option' && token.name === naming;
    const isBefore = program === undefined || token.index < program.index;
    return isNaming && isBefore && token.value !== undefined ? token.value.replace(/^=/, '') : [];
  });
  if (!program) return { name, kind, packages, args: [] };
  const rest = args.slice(program.index + 1);
  return packages.length > 0
    ? { name, kind, packages, program: program.value, args: rest }
    : { name, kind, packages: [program.value], args: rest };
}
