/** The command line: commands and flags. */

import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { SCOPES } from '../../clients/contract.ts';
import { which } from '../../clients/detect.ts';
import { CLIENTS, TRUSTING } from '../../clients/registry.ts';
import { FLEET, FLEET_FOLDER } from '../../compile/bundles/fleet.ts';
import type { Header } from '../../declaration/declared.ts';
import { ALLOWABLE, type Allowable, GRANTS, type Grant } from '../../declaration/grants.ts';
import { EXIT_CODES, examples, fitted, help, SERVERS } from '../../present/messages/help.ts';
import { messages } from '../../present/messages/output.ts';
import { trustMessages } from '../../present/messages/trust.ts';
import { USUAL, type Usual } from '../../sources/draft/manifest.ts';
import { parseHeader } from '../../sources/headers.ts';
import { FRAGMENTS } from '../../sources/manifests/fragments.ts';
import type { SourceMessage } from '../../sources/messages.ts';
import { commandInWords } from '../../sources/shown-launch.ts';
import { UserError } from '../../system/errors.ts';
import { wrap } from '../../system/terminal.ts';
import { inLine, toJson, visible } from '../../system/visible.ts';
import { type Context, type Flags, LAST, MANIFEST, OK, TROUBLE } from './context.ts';

/** Commands that take a server's command after `--`. */
const LAUNCHING = ['init', 'install', 'diff', 'fire', 'verify', 'validate', 'conformance'];

/** Those that would take the words of a command for several servers if `--` is missing. */
const SERVERS_OF = ['init', 'install', 'diff'];

/** Clients that we ask about trust and can tell to trust hooks. */
const ASKED = TRUSTING.map(({ client }) => client);

const HEADER_HELP = `'Name: value' for a server at an address; \${VARIABLE} is filled in`;

/** The name of `post_tool_use` in the first client. */
const NATIVE = CLIENTS[0]?.lowering.post_tool_use?.text.on[0]?.native;

const launching = (servers: string): string =>
  `[options] ${servers}${OR}--name <label> [options] -- <command> [args...]`;

/** Between two usages of a command. */
const OR = ' | ';

/** How wide help is where there is no terminal. */
const HELP_COLUMNS = 80;

/** Each usage of a command on its own line; `Usage: ` comes before the first. */
function usageOf(command: Command, columns: number): string {
  const [indent, name] = [' '.repeat('Usage: '.length), ['mcp-hooks', command.name()]];
  const words = [...new Set(name)].join(' ');
  return command
    .usage()
    .split(OR)
    .map((usage) => wrap(`${words} ${usage}`, columns, `${indent}  `, indent))
    .join('\n')
    .slice(indent.length);
}

const label = () => new Option('--name <label>', 'the label of the server whose command is given');

const client = () =>
  new Option(
    '--client <ids>',
    `only these clients: ${CLIENTS.map(({ id }) => id).join(', ')}`,
  ).argParser(ids);
const scope = () =>
  new Option('--scope <scope>', "your settings, the project's, or your own for the project")
    .choices(SCOPES)
    .default('user');
const allow = () =>
  new Option(
    '--allow <grants>',
    'give these grants: required, context-tool, block, modify, command, project-code, policy (comma-separated)',
  ).argParser(grants);
const revoke = () =>
  new Option('--revoke <grants>', 'take grants back: the same words, except policy').argParser(
    revoked,
  );
const noBrowser = (words: string) => new Option('--no-browser', words);
const identifying = () => [
  new Option('--header <header>', HEADER_HELP).argParser(header),
  noBrowser('print the sign-in address instead of opening it'),
];
const actNow = () =>
  new Option(
    '--act-now',
    'show post_request texts at the end of each turn; costs a model turn each time',
  );
const noExtraTurns = () => new Option('--no-extra-turns', 'leave out hooks that cost a model turn');
const timeout = (words: string, byDefault: number) =>
  new Option('--timeout <seconds>', words).argParser(seconds).default(byDefault);
const source = () => [
  client(),
  scope(),
  allow(),
  revoke(),
  ...identifying(),
  new Option('--name <label>', 'the label to install it under'),
  new Option('--from <client>', 'the client that has the server configured'),
  new Option('--strict', 'refuse hooks that do not arrive exactly as declared'),
  actNow(),
  noExtraTurns(),
  timeout(trustMessages.timeoutHelp(ASKED), 20),
];
const yes = (words = 'do not ask') => new Option('-y, --yes', words);
const dryRun = () => new Option('--dry-run', 'write nothing');
const output = () => [
  new Option('--diff', 'also show the changes of each file'),
  new Option('-q, --quiet', 'print only problems; what you approve is always shown'),
];

/** The command that the script of `completion` calls, with the typed words after `--`. */
const COMPLETE = 'complete';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** The arguments of a command, and then its flags. */
type Given = Parameters<Parameters<Command['action']>[0]>;
type Run = (context: Context, ...given: Given) => Promise<number>;

/**
 * Runs one command line and returns its exit code.
 *
 * @param own The words before `--`.
 */
export async function program(context: Context, own: readonly string[]): Promise<number> {
  const { terminal, launch } = context;
  const columns = terminal.tty ? terminal.columns : HELP_COLUMNS;
  let code = OK;
  // The words to complete also come after --.
  const isLaunching = launch !== undefined && own[0] !== COMPLETE;

  const cli = new Command('mcp-hooks')
    .description(
      'Makes the hooks that an MCP server declares (SEP-2282) fire in your coding agents.',
    )
    .version(context.version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: terminal.out,
      writeErr: (text) => terminal.err(visible(text)),
      getOutHelpWidth: () => columns,
      getErrHelpWidth: () => terminal.errColumns ?? HELP_COLUMNS,
    })
    .configureHelp({
      // Keeps wrapping in a narrow terminal, even next to a command with many operands.
      minWidthToWrap: 20,
      commandUsage: (one) => usageOf(one, columns),
    })
    .showHelpAfterError('See --help')
    .addHelpText('after', () => `\n${fitted(SERVERS, columns)}\n\n${fitted(EXIT_CODES, columns)}`);

  cli.hook('preAction', (_, action) => {
    if (launch && !LAUNCHING.includes(action.name()))
      action.error(`error: ${action.name()} takes no command after --`, {
        code: 'commander.noCommandHere',
      });
    // The words of a command would be taken for the names of several servers.
    const [first = '', ...others] = action.args;
    if (action.name() === 'install' && others.length > 0 && LAUNCHERS.test(first))
      action.error(`error: ${first} is a command, not a server`, {
        code: 'commander.excessArguments',
      });
  });
  const told = help(
    NATIVE ?? '',
    CLIENTS.map(({ id }) => id),
  );
  const command = (name: string, description: string, options: readonly Option[] = []) => {
    const one = cli
      .command(name)
      .description(description)
      .option('--json', 'print JSON')
      .option('--verbose', 'show details: what was found where, and where errors arose')
      .helpOption('-h, --help', 'show help')
      .allowExcessArguments(false);
    const { group, about, examples: lines = [] } = told[one.name()] ?? {};
    if (group !== undefined) one.helpGroup(group);
    for (const text of [...(about === undefined ? [] : [about]), examples(lines)])
      one.addHelpText('after', () => `\n${fitted(text, columns)}`);
    for (const option of options) one.addOption(option);
    return one;
  };
  const does =
    (load: () => Promise<Run>) =>
    async (...given: Given) => {
      const run = await load();
      code = await run(context, ...given);
    };

  const commands: Record<string, () => Command> = {
    install: () =>
      command('install [servers...]', 'install the hooks of one or more servers', [
        ...source(),
        yes(),
        dryRun(),
        ...output(),
      ])
        .option('--replace', 'replace what another source installed under this name')
        .option('--trust', trustMessages.help(ASKED))
        .usage(launching('<server>...'))
        .action(does(async () => (await import('./install.ts')).install)),
    diff: () =>
      command('diff [server]', 'show what install or update would change; write nothing', [
        ...source(),
        yes('start servers without asking'),
      ])
        .usage(launching('<server>'))
        .action(does(async () => (await import('./diff.ts')).diff)),
    update: () =>
      command('update [labels...]', 'ask servers again for their hooks, and install those', [
        scope(),
        allow(),
        revoke(),
        ...identifying(),
        yes(),
        dryRun(),
        ...output(),
        timeout('how long a server may take to answer', 20),
      ]).action(does(async () => (await import('./install.ts')).update)),
    uninstall: () =>
      command('uninstall [labels...]', 'remove exactly what install added', [
        new Option('--all', 'everything that is installed in this scope'),
        client(),
        scope(),
        yes(),
        dryRun(),
        ...output(),
      ]).action(does(async () => (await import('./uninstall.ts')).uninstall)),
    trust: () =>
      command('trust <label>', trustMessages.commandHelp(ASKED), [
        scope(),
        timeout(trustMessages.timeoutHelp(ASKED), 20),
      ]).action(does(async () => (await import('./trust.ts')).trustInstalled)),
    list: () =>
      command('list [label]', 'show what is installed, where, and whether it fires').action(
        does(async () => (await import('./list.ts')).list),
      ),
    doctor: () =>
      command('doctor [label]', 'check whether hooks can fire, and say what to do if not', [
        client(),
      ])
        .option('--servers', 'also start the servers and ask for their hooks')
        .addOption(timeout(trustMessages.doctorTimeoutHelp(ASKED), 20))
        .action(does(async () => (await import('./doctor.ts')).doctor)),
    log: () =>
      command('log [label]', 'show which hooks fired when, and why some failed', [client()])
        .option('--failed', 'only failures')
        .option('--decisions', 'only what was blocked or changed')
        .option('--trials', 'also runs of fire and verify')
        .option('--last <number>', `how many firings, 0 for all (default: ${LAST})`, atMost)
        .action(does(async () => (await import('./log.ts')).log)),
    stats: () =>
      command('stats [label]', 'show how often hooks fired and how long they took', [client()])
        .option('--days <number>', 'only the last <number> days', atMost)
        .option('--trials', 'also runs of fire and verify')
        .addOption(
          new Option(
            '--otlp <endpoint>',
            'send what is new as OpenTelemetry metrics, for example to http://localhost:4318',
          ).conflicts(['client', 'days', 'trials']),
        )
        .addOption(
          new Option('--watch <seconds>', 'with --otlp: send again and again, until ctrl-C')
            .argParser(seconds)
            .conflicts('json'),
        )
        .action(does(async () => (await import('./stats.ts')).stats)),
    matrix: () =>
      command('matrix', 'show what each client delivers, as the tests saw it', [client()]).action(
        does(async () => (await import('./matrix.ts')).matrix),
      ),
    fire: () =>
      command(
        isLaunching ? 'fire <event>' : 'fire <label> <event>',
        'run hooks as installed, and show what the model would read',
        [client(), scope(), allow(), label()],
      )
        .usage(
          '[options] <label> <event> | --name <label> [options] <event> -- <command> [args...]',
        )
        .option('--tool <name>', 'the tool that was called, as a declaration names it', each)
        .option('--input <json>', 'its input (default: that of a recorded call)', each)
        .option('--failed', 'the call has failed')
        .option(
          '--times <number>',
          `how many times, in one session; several --tool or --input take turns (at most ${MOST_TIMES})`,
          times,
        )
        .option('--prompt <text>', 'the prompt')
        .option(
          '--payload <file>',
          "more of the payload, in the client's shape; it overrides the rest",
        )
        .action(
          does(async () => {
            const { fire } = await import('./fire.ts');
            const launched = (at: Context, event: string, flags: Flags) =>
              fire(at, undefined, event, flags);
            return isLaunching ? launched : fire;
          }),
        ),
    verify: () =>
      command('verify [label]', 'prove that installed hooks fire', [
        client(),
        scope(),
        allow(),
        label(),
      ])
        .usage(launching('[label]'))
        .option('--live', 'use the real clients, headless, with a scripted model')
        .addOption(timeout('how long a client may take with --live', 25))
        .action(does(async () => (await import('./verify.ts')).verify)),
    scan: () =>
      command('scan', 'ask every server configured in your clients for hooks')
        .option('--from <clients>', 'only servers of these clients', ids)
        .addOption(yes("also start servers from this folder's files, without asking"))
        .addOption(timeout('how long each server may take to answer', 10))
        .action(does(async () => (await import('./scan.ts')).scan)),
    login: () =>
      command('login <address>', 'sign in to a server in the browser', [
        noBrowser('print the address instead of opening it'),
        timeout('how long to wait for you', 300),
      ]).action(does(async () => (await import('./login.ts')).login)),
    logout: () =>
      command('logout <address>', 'delete the saved sign-in').action(
        does(async () => (await import('./login.ts')).logout),
      ),
    init: () =>
      command('init [server]', 'write a first manifest for a server', [
        new Option('--out <file>', 'where to write it').default(MANIFEST),
        new Option('--force', 'overwrite that file'),
        new Option(
          '--hooks <hooks>',
          `which hooks: ${USUAL.join(', ')} (default: those that the server has tools for)`,
        ).argParser(usual),
        new Option('--tool <name>', 'the tool that finds what is known').argParser(last),
        new Option('--name <label>', 'the name of the server in the manifest'),
        new Option('--from <client>', 'the client that has the server configured'),
        ...identifying(),
        yes('do not ask: write what is proposed, and start the server'),
        timeout('how long the server may take to answer', 20),
      ])
        .usage('[options] [server] | [options] -- <command> [args...]')
        .action(does(async () => (await import('./init.ts')).init)),
    validate: () =>
      command(isLaunching ? 'validate [manifest]' : 'validate <manifest>', 'check a manifest')
        .usage('[options] <manifest>')
        .option('--name <label>', 'the label under which it would be installed')
        .option('--strict', 'treat warnings as errors')
        .addOption(
          new Option('--sarif', 'print SARIF 2.1.0, for code scanning').conflicts(['json']),
        )
        .option('--server', 'also start its server, and check the tools that hooks call')
        .addOption(yes('start the server without asking'))
        .addOption(timeout('how long the server may take to answer', 20))
        .action(does(async () => (await import('./validate.ts')).validate)),
    build: () =>
      command('build <manifest>', 'make what a vendor ships: plugins, extensions, fragments', [
        new Option('--out <folder>', 'the folder to build in'),
        new Option(
          '--target <targets>',
          `only these: ${[...CLIENTS.map(({ id }) => id), ...FRAGMENTS].join(', ')}; or ${FLEET}, for administrators`,
        ).argParser(ids),
        new Option(
          '--runner-folder <path>',
          `with ${FLEET}: where runners are on the machines (default: ${FLEET_FOLDER})`,
        ),
        new Option(
          '--check',
          'write nothing; exit with 1 if the output is stale, and name the files',
        ),
        new Option('--force', 'overwrite files that are not from a build'),
        new Option('--package-version <version>', 'the version of the packages'),
        new Option('--name <label>', 'the label of the server'),
        actNow(),
        noExtraTurns(),
      ])
        .usage('--out <folder> [options] <manifest>')
        .action(does(async () => (await import('./build.ts')).build)),
    schema: () =>
      command('schema', 'print the JSON Schema of a manifest, for editors').action(
        does(async () => (await import('./schema.ts')).schema),
      ),
    import: () =>
      command('import [file]', 'draft a manifest from hooks that were written by hand', [client()])
        .option('--out <file>', 'write the manifest there')
        .option('--force', 'overwrite that file')
        .option('--name <label>', 'the name in the manifest')
        .action(does(async () => (await import('./import.ts')).importByHand)),
    conformance: () =>
      command('conformance', 'test an implementation of hooks with the conformance suite', [
        timeout('how long a case may take', 30),
      ])
        .option('--topic <name>', 'only the cases of this topic')
        .usage(`[options]${OR}[options] -- <command> [args...]`)
        .action(does(async () => (await import('./conformance.ts')).conformance)),
    man: () =>
      command('man', 'print the manual page').action(
        does(async () => async (_, { json }) => {
          const { manualPage } = await import('./man.ts');
          const page = manualPage(cli, told, context.version);
          terminal.out(json ? toJson({ page }) : page);
          return OK;
        }),
      ),
    completion: () =>
      command('completion', 'print a completion script for your shell')
        .addArgument(new Argument('<shell>').choices(SHELLS))
        .action(does(async () => (await import('./completion.ts')).completion)),
    version: () =>
      command('version', 'print the version').action(
        does(async () => async ({ version }, { json }) => {
          terminal.out(json ? toJson({ version }) : `${version}\n`);
          return OK;
        }),
      ),
  };
  // Commander needs time for each option, so define only the command that is meant, unless all are listed.
  const completes = own[0] === COMPLETE;
  const needsAll = completes || own[0] === 'man';
  const meant = needsAll ? undefined : own.find((word) => Object.hasOwn(commands, word));
  for (const [name, define] of Object.entries(commands))
    if (meant === undefined || meant === name) define();

  if (completes) return (await import('./completion.ts')).complete(cli, launch ?? [], context);
  try {
    await cli.parseAsync(own, { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has reported it already. Help and version are not errors.
    if (error.exitCode === 0) return OK;
    const [, said = '', hint] =
      /^(?:error: )?(.*?)(?:\s*\((Did you mean .*\?)\))?$/s.exec(error.message) ?? [];
    const given = cli.commands.find((one) => one.name() === meant);
    const details = given && !launch ? forgottenDashes(own, given, context) : [];
    for (const line of details) terminal.err(`${inLine(line)}\n`);
    if (own.includes('--json')) {
      const all = hint === undefined ? details : [hint, ...details];
      terminal.out(toJson({ error: said, details: all, code: codeOf(error) }));
    }
    return TROUBLE;
  }
}

const LAUNCHERS = /^(?:npx|bunx|pnpm|pnpx|yarn|node|bun|deno|uvx|uv|pipx|python3?|docker|podman)$/;

/** Commander's codes in our spelling: `commander.unknownOption` becomes `unknown-option`. */
const codeOf = ({ code }: CommanderError): string =>
  code.replace(/^commander\./, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The corrected command line, if `--` is missing before a server's command. */
function forgottenDashes(own: readonly string[], command: Command, { env }: Context): string[] {
  const [first] = command.args;
  if (!SERVERS_OF.includes(command.name()) || first === undefined) return [];
  if (!LAUNCHERS.test(first) && which(first, { env }) === undefined) return [];
  const at = own.indexOf(first, own.indexOf(command.name()) + 1);
  const head = commandInWords(['mcp-hooks', ...own.slice(0, at)]);
  const label = command.opts<{ name?: string }>().name === undefined ? ' --name <label>' : '';
  return [messages.startsServer(`${head}${label} -- ${commandInWords(own.slice(at))}`)];
}

function ids(value: string, before: readonly string[] = []): string[] {
  const names = value.split(',').map((name) => name.trim());
  if (names.some((name) => name === ''))
    throw new InvalidArgumentError('Give ids, separated by commas.');
  return [...before, ...names];
}

function grants(value: string, before: readonly Allowable[] = []): Allowable[] {
  const given = value.split(',').map((word) => {
    const grant = ALLOWABLE.find((one) => one === word.trim());
    if (!grant) throw new InvalidArgumentError(`Known: ${ALLOWABLE.join(', ')}.`);
    return grant;
  });
  return [...before, ...given];
}

function usual(value: string, before: readonly Usual[] = []): Usual[] {
  const given = value.split(',').map((word) => {
    const one = USUAL.find((name) => name === word.trim());
    if (!one) throw new InvalidArgumentError(`Known: ${USUAL.join(', ')}.`);
    return one;
  });
  return [...before, ...given];
}

function revoked(value: string, before: readonly Grant[] = []): Grant[] {
  const given = value.split(',').map((word) => {
    const grant = GRANTS.find((one) => one === word.trim());
    if (!grant) throw new InvalidArgumentError(`Known: ${GRANTS.join(', ')}.`);
    return grant;
  });
  return [...before, ...given];
}

function header(value: string, before: readonly Header[] = []): Header[] {
  const parsed = parseHeader(value);
  if (!('code' in parsed)) return [...before, parsed];
  throw new UserError<SourceMessage>(parsed); // commander would print the value
}

const each = (value: string, before: readonly string[] = []): string[] => [...before, value];

const last = (value: string): string[] => [value];

/** The limit of `--times`. */
const MOST_TIMES = 50;

function times(value: string): number {
  const number = Number(value);
  if (!/^\d{1,3}$/.test(value) || number < 1 || number > MOST_TIMES)
    throw new InvalidArgumentError(`Give a whole number from 1 to ${MOST_TIMES}.`);
  return number;
}

function seconds(value: string): number {
  const number = Number(value);
  if (!(number > 0)) throw new InvalidArgumentError('Give a number of seconds.');
  return number;
}

function atMost(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('Give a whole number, 0 for all.');
  return Number(value);
}
