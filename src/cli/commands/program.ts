/** The command line: its commands, and how a command is found and run. */

import { Command as Commander, CommanderError } from 'commander';
import { which } from '../../clients/detect.ts';
import { findClient } from '../../clients/registry.ts';
import { examples, fitted, overview } from '../../present/messages/help.ts';
import { messages } from '../../present/messages/output.ts';
import { folded } from '../../present/render/lines.ts';
import { commandInWords } from '../../sources/shown-launch.ts';
import { wrap } from '../../system/terminal.ts';
import { toJson } from '../../system/visible.ts';
import { type Command, type Context, type Given, inGroups, OK, TROUBLE } from './command.ts';

/** In the order of `--help` and the manual page. Each command is loaded only when needed. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  scan: async () => (await import('./scan.ts')).scan,
  install: async () => (await import('./install.ts')).install,
  verify: async () => (await import('./verify.ts')).verify,
  uninstall: async () => (await import('./uninstall.ts')).uninstall,
  list: async () => (await import('./list.ts')).list,
  diff: async () => (await import('./diff.ts')).diff,
  update: async () => (await import('./update.ts')).update,
  mute: async () => (await import('./mute.ts')).mute,
  unmute: async () => (await import('./mute.ts')).unmute,
  trust: async () => (await import('./trust.ts')).trust,
  login: async () => (await import('./login.ts')).login,
  logout: async () => (await import('./login.ts')).logout,
  doctor: async () => (await import('./doctor.ts')).doctor,
  fire: async () => (await import('./fire.ts')).fire,
  log: async () => (await import('./log.ts')).log,
  stats: async () => (await import('./stats.ts')).stats,
  matrix: async () => (await import('./matrix.ts')).matrix,
  init: async () => (await import('./init.ts')).init,
  import: async () => (await import('./import.ts')).importHooks,
  validate: async () => (await import('./validate.ts')).validate,
  build: async () => (await import('./build.ts')).build,
  schema: async () => (await import('./schema.ts')).schema,
  conformance: async () => (await import('./conformance.ts')).conformance,
  completion: async () => (await import('./completion.ts')).completion,
  man: async () => (await import('./man.ts')).man,
  version: async () => (await import('./man.ts')).version,
};

/** Names that other tools use for a command. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ add: 'install', get: 'install', i: 'install', setup: 'install' },
    ...{ remove: 'uninstall', rm: 'uninstall', delete: 'uninstall', un: 'uninstall' },
    ...{ status: 'list', ls: 'list', show: 'list', upgrade: 'update', plan: 'diff' },
    ...{ check: 'doctor', lint: 'validate', test: 'verify', search: 'scan', new: 'init' },
  }),
);

/** The command that the completion script calls, with the typed words after `--`. */
const COMPLETE = 'complete';

/** The width of help without a terminal. */
const HELP_COLUMNS = 80;

/**
 * Runs one command line and returns its exit code.
 *
 * @param words The words before `--`.
 */
export async function program(context: Context, words: readonly string[]): Promise<number> {
  const own = words[0] === 'help' ? asFlag(words.slice(1)) : words;
  const isCompleting = own[0] === COMPLETE;
  const typed = isCompleting ? (context.launch ?? []) : own;
  // Commander needs time for each option, so only the requested command is declared, unless all are listed.
  const before = isCompleting ? typed.slice(0, -1) : typed; // the last word is still being typed
  const meant = own[0] === 'man' ? undefined : before.find((word) => Object.hasOwn(COMMANDS, word));
  const names = meant === undefined ? Object.keys(COMMANDS) : [meant];
  const commands = await Promise.all(names.flatMap((name) => COMMANDS[name]?.() ?? []));
  const at = { ...context, commands, launch: isCompleting ? undefined : context.launch };
  let code = OK;
  const cli = commandLine(at, async (command, given) => {
    code = await act(at, command, given);
  });
  if (isCompleting) {
    const { complete } = await import('./completion.ts');
    return complete(cli, typed, context);
  }
  if (own.length === 0) {
    context.terminal.err(cli.helpInformation());
    return TROUBLE;
  }
  // We name the command that does it. Commander would suggest one with a similar name.
  if (OTHER_WORDS.has(own[0] ?? '')) cli.showSuggestionAfterError(false);
  try {
    await cli.parseAsync(own, { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has already reported it. Help and version are not errors.
    return error.exitCode === 0 ? OK : wrongUsage(at, error, cli, own, meant);
  }
}

/** `help install` is `install --help`, whatever follows, so it never installs anything. An unknown name is an error. */
function asFlag(words: readonly string[]): string[] {
  const name = words.find((word) => !word.startsWith('-'));
  if (name === undefined) return ['--help'];
  return Object.hasOwn(COMMANDS, name) ? [name, '--help'] : [name];
}

function commandLine(
  { terminal, commands = [], launch, version }: Context,
  run: (command: Command, given: Given) => Promise<void>,
): Commander {
  const columns = terminal.tty ? terminal.columns : HELP_COLUMNS;
  const { errColumns = Number.POSITIVE_INFINITY } = terminal;
  const inColumns = (text: string) => `\n${fitted(text, columns)}`;
  const cli = new Commander('mcp-hooks')
    .description('Install hooks from MCP servers in your coding agents.')
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: terminal.out,
      writeErr: (text) =>
        terminal.err(`${folded(text.trimEnd().split('\n'), errColumns).join('\n')}\n`),
      getOutHelpWidth: () => columns,
      getErrHelpWidth: () => terminal.errColumns ?? HELP_COLUMNS,
    })
    .configureHelp({
      // Keeps wrapping in a narrow terminal, even next to a command with many operands.
      minWidthToWrap: 20,
      commandUsage: (one) => usageOf(one, columns),
    })
    .showHelpAfterError('See mcp-hooks --help');
  for (const command of commands) {
    const { name, summary, usage, options = [], about } = command;
    const added = cli
      .command(name)
      .description(summary)
      .showHelpAfterError(`See mcp-hooks ${name} --help`)
      .helpOption('-h, --help', 'show help')
      .allowExcessArguments(false)
      .action((...given) => run(command, given));
    const operands = (launch && command.operandsBeforeLaunch) ?? command.operands ?? '';
    if (typeof operands !== 'string') added.addArgument(operands);
    else if (operands !== '') added.arguments(operands);
    for (const one of options) added.addOption(one);
    added.option('--verbose', 'show more detail').option('--json', 'print JSON');
    if (usage) added.usage(usage.join(OR));
    if (about !== undefined) added.addHelpText('after', () => inColumns(about));
    added.addHelpText('after', () => inColumns(examples(command.examples)));
  }
  // Affects only the program itself: the commands have already copied the earlier configuration.
  return cli.configureHelp({
    formatHelp: (own) => overview(own.description(), inGroups(commands), columns),
  });
}

async function act(context: Context, command: Command, given: Given): Promise<number> {
  const commander: Commander = given.at(-1);
  if (context.launch && command.operandsBeforeLaunch === undefined)
    commander.error(`error: ${command.name} takes no command after --`, {
      code: 'commander.noCommandHere',
    });
  // The words of a command would be mistaken for the names of several servers.
  const [first = '', ...others] = commander.args;
  if (command.takesServers && others.length > 0 && LAUNCHERS.test(first))
    commander.error(`error: ${first} is a command, not a server`, {
      code: 'commander.excessArguments',
    });
  const { client: named }: { client?: readonly string[] } = commander.opts();
  const also = commander.args.find((word) => findClient(word));
  if (command.takesServers && named && also !== undefined)
    commander.error(`error: ${also} is a client: --client ${[...named, also].join(',')}`, {
      code: 'commander.excessArguments',
    });
  const toRestart = new Set<string>();
  const code = await command.run({ ...context, toRestart }, ...given);
  if (toRestart.size > 0)
    context.terminal.out(
      `${wrap(messages.restart([...toRestart]), context.terminal.columns, '')}\n`,
    );
  return code;
}

function wrongUsage(
  context: Context,
  error: CommanderError,
  cli: Commander,
  own: readonly string[],
  meant: string | undefined,
): number {
  const { terminal, commands = [], launch } = context;
  const [, problem = '', hint] =
    /^(?:error: )?(.*?)(?:\s*\((Did you mean .*\?)\))?$/s.exec(error.message) ?? [];
  const takesServers = commands.some((one) => one.name === meant && one.takesServers);
  const typed = cli.commands.find((one) => one.name() === meant);
  const instead =
    error.code === 'commander.unknownCommand' ? OTHER_WORDS.get(own[0] ?? '') : undefined;
  const ours =
    instead !== undefined
      ? [messages.tryInstead(commandInWords(['mcp-hooks', instead, ...own.slice(1)]))]
      : [];
  const details = typed && takesServers && !launch ? forgottenDashes(context, own, typed) : ours;
  const { errColumns = Number.POSITIVE_INFINITY } = terminal;
  for (const line of folded(details, errColumns)) terminal.err(`${line}\n`);
  if (own.includes('--json')) {
    const all = hint === undefined ? details : [hint, ...details];
    // Commander's codes in our format: `commander.unknownOption` becomes `unknown-option`.
    const code = error.code
      .replace(/^commander\./, '')
      .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    terminal.out(toJson({ error: problem, details: all, code }));
  }
  return TROUBLE;
}

/** The corrected command line, if `--` is missing before a server's command. */
function forgottenDashes(context: Context, own: readonly string[], typed: Commander): string[] {
  const [first] = typed.args;
  if (first === undefined) return [];
  if (!LAUNCHERS.test(first) && which(first, context) === undefined) return [];
  const start = own.indexOf(first, own.indexOf(typed.name()) + 1);
  const head = commandInWords(['mcp-hooks', ...own.slice(0, start)]);
  const label = typed.opts<{ name?: string }>().name === undefined ? ' --name <label>' : '';
  return [messages.startsServer(`${head}${label} -- ${commandInWords(own.slice(start))}`)];
}

const LAUNCHERS = /^(?:npx|bunx|pnpm|pnpx|yarn|node|bun|deno|uvx|uv|pipx|python3?|docker|podman)$/;

/** Separates two usages of a command. */
const OR = ' | ';

/** Each usage of a command on its own line. The first line is preceded by `Usage: `. */
function usageOf(command: Commander, columns: number): string {
  const indent = ' '.repeat('Usage: '.length);
  return command
    .usage()
    .split(OR)
    .map((usage) => wrap(`mcp-hooks ${command.name()} ${usage}`, columns, `${indent}  `, indent))
    .join('\n')
    .slice(indent.length);
}
