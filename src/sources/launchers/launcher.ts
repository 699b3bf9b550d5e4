/** Commands that download a program before they start it, as configurations name them: npx, uvx and their like. */

/** What such a command line says. */
export interface Launcher {
  /** As it is called in sentences: `npx`, `pnpm dlx`. */
  readonly name: string;
  readonly kind: Kind;
  /** What it may have to download, as typed, so possibly with a password; none: the words do not say. */
  readonly packages: readonly string[];
  /** The program to start where it is named apart from the package. */
  readonly program?: string;
  /** What the program is given. */
  readonly args: readonly string[];
}

export type Kind = 'npm' | 'uv' | 'bun' | 'pnpm' | 'yarn' | 'pipx' | 'docker';

interface Form {
  readonly kind: Kind;
  readonly name: string;
  /** The first words of the command line, without options. */
  readonly words: readonly string[];
  /** Options that name a package, and those that take another value. */
  readonly packages?: readonly string[];
  readonly valued?: readonly string[];
}

const NPM = {
  kind: 'npm',
  packages: ['-p', '--package'],
  valued: [
    '-c',
    '--call',
    '-w',
    '--workspace',
    '--registry',
    '--cache',
    '--userconfig',
    '--loglevel',
  ],
} as const;
const UV = {
  kind: 'uv',
  packages: ['--from'],
  valued: [
    '--with',
    '--with-requirements',
    '--with-editable',
    '-p',
    '--python',
    '-i',
    '--index-url',
    '--index',
    '--default-index',
    '--extra-index-url',
    '-c',
    '--constraints',
    '--directory',
    '--project',
    '--cache-dir',
    '--env-file',
    '-w',
    '--refresh-package',
  ],
} as const;
const PNPM = {
  kind: 'pnpm',
  packages: ['--package'],
  valued: ['-C', '--dir', '--registry'],
} as const;
const DOCKER = { kind: 'docker' } as const;

const FORMS: readonly Form[] = [
  // https://docs.npmjs.com/cli/commands/npx, https://docs.npmjs.com/cli/commands/npm-exec
  { ...NPM, name: 'npx', words: ['npx'] },
  { ...NPM, name: 'npm exec', words: ['npm', 'exec'] },
  { ...NPM, name: 'npm exec', words: ['npm', 'x'] },
  // https://docs.astral.sh/uv/reference/cli/#uv-tool-run
  { ...UV, name: 'uvx', words: ['uvx'] },
  { ...UV, name: 'uv tool run', words: ['uv', 'tool', 'run'] },
  // https://bun.com/docs/pm/bunx
  { kind: 'bun', name: 'bunx', words: ['bunx'], packages: ['-p', '--package'] },
  { kind: 'bun', name: 'bunx', words: ['bun', 'x'], packages: ['-p', '--package'] },
  // https://pnpm.io/cli/dlx, https://yarnpkg.com/cli/dlx
  { ...PNPM, name: 'pnpm dlx', words: ['pnpm', 'dlx'] },
  { ...PNPM, name: 'pnpm dlx', words: ['pnpx'] },
  { kind: 'yarn', name: 'yarn dlx', words: ['yarn', 'dlx'], packages: ['-p', '--package'] },
  // https://pipx.pypa.io/stable/reference/cli/
  {
    kind: 'pipx',
    name: 'pipx run',
    words: ['pipx', 'run'],
    packages: ['--spec'],
    valued: ['--python', '--pip-args', '-i', '--index-url'],
  },
  // https://docs.docker.com/reference/cli/docker/container/run/
  { ...DOCKER, name: 'docker', words: ['docker', 'run'] },
  { ...DOCKER, name: 'podman', words: ['podman', 'run'] },
];

/** Undefined: the command starts a program that is there, or it is not there. */
export function launcherOf(command: string, args: readonly string[]): Launcher | undefined {
  const program = (command.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.(?:exe|cmd)$/, '');
  const [first = '', ...more] = args;
  // How a script is started on Windows.
  if (program === 'cmd' && /^\/[cd]$/i.test(first)) return launcherOf(more[0] ?? '', more.slice(1));
  for (const form of FORMS) {
    const rest = program === form.words[0] ? behind(form.words.slice(1), args, form) : undefined;
    if (rest) return parsed(form, rest.options, rest.args);
  }
  return undefined;
}

/** What stands before and behind the words of a command, which options may stand between. */
function behind(words: readonly string[], args: readonly string[], form: Form) {
  const options: string[] = [];
  let at = 0;
  for (const word of words) {
    const end = endOfOptions(args, at, form);
    options.push(...args.slice(at, end));
    if (args[end] !== word) return undefined;
    at = end + 1;
  }
  return { options, args: args.slice(at) };
}

const takesValue = (word: string, { packages = [], valued = [] }: Form): boolean =>
  packages.includes(word) || valued.includes(word);

function endOfOptions(args: readonly string[], from: number, form: Form): number {
  let at = from;
  while (args[at]?.startsWith('-') && args[at] !== '--')
    at += takesValue(args[at] ?? '', form) ? 2 : 1;
  return at;
}

function parsed(form: Form, before: readonly string[], args: readonly string[]): Launcher {
  const { name, kind } = form;
  // Its options are too many to know which take a value, and the image is only shown by its own messages.
  if (kind === 'docker') return { name, kind, packages: [], args: [] };
  const end = endOfOptions(args, 0, form);
  const options = [...before, ...args.slice(0, end)];
  const words = args.slice(args[end] === '--' ? end + 1 : end);
  const named = options.flatMap((word, index) => {
    const [flag = '', value] = word.split(/=(.*)/s);
    if (!form.packages?.includes(flag)) return [];
    return value ?? options[index + 1] ?? [];
  });
  const [program, ...rest] = words;
  if (program === undefined) return { name, kind, packages: named, args: [] };
  return named.length > 0
    ? { name, kind, packages: named, program, args: rest }
    : { name, kind, packages: [program], args: rest };
}
