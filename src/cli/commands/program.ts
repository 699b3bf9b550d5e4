/** The command line: commands and flags. */

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { which } from '../../clients/detect.ts';
import { SCOPES } from '../../clients/places.ts';
import { CLIENTS, TRUSTING } from '../../clients/registry.ts';
import type { Header } from '../../declaration/typed-headers.ts';
import { ALLOWABLE, type Allowable } from '../../install/consent/grants.ts';
import { parseHeader } from '../../sources/headers.ts';
import type { SourceMessage } from '../../sources/messages.ts';
import { commandInWords } from '../../sources/shown-launch.ts';
import { UserError } from '../../system/errors.ts';
import { toJson, visible } from '../../system/visible.ts';
import { messages } from '../messages/output.ts';
import { trustMessages } from '../messages/trust.ts';
import { type Context, LAST, OK, TROUBLE } from './context.ts';

/** The commands that can be given the command of a server, after `--`. */
const LAUNCHING = ['install', 'diff'];

/** Clients that are asked about trust, and told. */
const ASKED = TRUSTING.map(({ client }) => client);

const HEADER_HELP = `'Name: value' for a server at an address; \${VARIABLE} is filled in`;

/** What `post_tool_use` is in the first client. */
const NATIVE = CLIENTS[0]?.lowering.post_tool_use?.text.on[0]?.native;

const FIRE_HELP = `
An event is one of SEP-2282 (post_tool_use) or a client's own (${NATIVE}). Every run is a session of its own, and leaves
nothing in the memory of sessions; one with a "session_id" in its payload is that session, and remembers what it was told.

  mcp-hooks fire annal post_tool_use --tool Bash --input '{"command":"git commit -m x"}'`;

const HELP = `
A server is a file in which its hooks are written down or a folder with one, an address, npm:<package>, the name of one that a client has configured, or after -- the command that starts it:
  mcp-hooks install ./annal.json
  mcp-hooks install https://mcp.annal.example/mcp
  mcp-hooks install npm:annal
  mcp-hooks install annal
  mcp-hooks install --name annal -- uvx annal

Exit codes: 0 done or nothing to do; diff: 0 no difference, 1 differences; doctor, verify: 1 a hook would not fire; 2 refused, declined or wrong usage; 130 left with ctrl-C.`;

const LAUNCHING_USAGE = '[options] <server> | --name <label> [options] -- <command> [args...]';

const client = () =>
  new Option(
    '--client <ids>',
    `only these clients: ${CLIENTS.map(({ id }) => id).join(', ')}`,
  ).argParser(ids);
const scope = () =>
  new Option('--scope <scope>', "your settings, this project's, or your own of this project")
    .choices(SCOPES)
    .default('user');
const allow = () =>
  new Option(
    '--allow <grants>',
    'what needs a yes of its own: required, context-tool, policy, joined by commas',
  ).argParser(grants);
const noBrowser = (words: string) => new Option('--no-browser', words);
const identifying = () => [
  new Option('--header <header>', HEADER_HELP).argParser(header),
  noBrowser('print the address for signing in instead of opening it'),
];
const timeout = (words: string, byDefault: number) =>
  new Option('--timeout <seconds>', words).argParser(seconds).default(byDefault);
const source = () => [
  client(),
  scope(),
  allow(),
  ...identifying(),
  new Option('--name <label>', 'the label under which it is installed'),
  new Option('--from <client>', 'the client in whose configuration the server stands'),
  new Option('--strict', 'refuse what does not arrive exactly as declared'),
  new Option(
    '--act-now',
    'tell post_request texts at the end of each turn; costs a turn each time',
  ),
  new Option('--no-extra-turns', 'leave out what costs a turn of the model'),
  timeout(trustMessages.timeoutHelp(ASKED), 20),
];
const yes = (words = 'do not ask') => new Option('-y, --yes', words);
const dryRun = () => new Option('--dry-run', 'write nothing');

/** The arguments of a command, and then its flags. */
type Given = Parameters<Parameters<Command['action']>[0]>;
type Run = (context: Context, ...given: Given) => Promise<number>;

/**
 * Runs one command line and returns its exit code.
 *
 * @param own What stands before `--`.
 */
export async function program(context: Context, own: readonly string[]): Promise<number> {
  const { terminal, launch } = context;
  let code = OK;

  const cli = new Command('mcp-hooks')
    .description(
      'Makes the hooks that an MCP server declares (SEP-2282) fire in your coding agents.',
    )
    .version(context.version, '-V, --version')
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: (text) => terminal.err(visible(text)) })
    .showHelpAfterError('(--help tells more)')
    .addHelpText('after', HELP);

  cli.hook('preAction', (_, action) => {
    if (launch && !LAUNCHING.includes(action.name()))
      action.error(`error: ${action.name()} takes no command after --`, {
        code: 'commander.noCommandHere',
      });
  });
  const command = (name: string, description: string, options: readonly Option[] = []) => {
    const one = cli
      .command(name)
      .description(description)
      .option('--json', 'print JSON')
      .option('--verbose', 'say more: what was found where, and where something went wrong')
      .allowExcessArguments(false);
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
      command('install [server]', 'install the hooks of a server', [...source(), yes(), dryRun()])
        .option('--replace', 'put it in the place of what another source has installed so named')
        .option('--trust', trustMessages.help(ASKED))
        .usage(LAUNCHING_USAGE)
        .action(does(async () => (await import('./install.ts')).install)),
    diff: () =>
      command(
        'diff [server]',
        'show what install, or update of a label, would change; writes nothing',
        [...source(), yes('start what has to be started without asking')],
      )
        .usage(LAUNCHING_USAGE)
        .action(does(async () => (await import('./diff.ts')).diff)),
    update: () =>
      command('update [label]', 'ask servers again what they declare, and install that', [
        scope(),
        allow(),
        ...identifying(),
        yes(),
        dryRun(),
        timeout('how long a server may take to answer', 20),
      ]).action(does(async () => (await import('./install.ts')).update)),
    uninstall: () =>
      command('uninstall <label>', 'take out exactly what install put in', [
        client(),
        scope(),
        yes(),
        dryRun(),
      ]).action(does(async () => (await import('./uninstall.ts')).uninstall)),
    list: () =>
      command('list', 'what is installed, where, and whether it fires').action(
        does(async () => (await import('./list.ts')).list),
      ),
    doctor: () =>
      command('doctor [label]', 'whether hooks can fire, and what to do where they cannot', [
        client(),
      ])
        .option('--servers', 'start the servers, too, and ask them what they declare')
        .addOption(timeout(trustMessages.doctorTimeoutHelp(ASKED), 20))
        .action(does(async () => (await import('./doctor.ts')).doctor)),
    log: () =>
      command('log [label]', 'what hooks have said and when, and why some failed', [client()])
        .option('--failed', 'only where something failed')
        .option('--trials', 'also what fire and verify have run')
        .option('--last <number>', `how many firings, 0 for all (default: ${LAST})`, atMost)
        .action(does(async () => (await import('./log.ts')).log)),
    matrix: () =>
      command('matrix', 'how each client tells what, as the tests have seen it', [client()]).action(
        does(async () => (await import('./matrix.ts')).matrix),
      ),
    fire: () =>
      command('fire <label> <event>', 'run hooks as they are written, show what is told', [
        client(),
        scope(),
      ])
        .option('--tool <name>', 'the tool that is called, as a declaration names it')
        .option('--input <json>', 'what it is given')
        .option('--prompt <text>', 'what the user writes')
        .option(
          '--payload <file>',
          "more of the payload, in the client's shape; what it says stands",
        )
        .addHelpText('after', FIRE_HELP)
        .action(does(async () => (await import('./fire.ts')).fire)),
    verify: () =>
      command('verify [label]', 'prove that what is installed fires', [client(), scope()])
        .option('--live', 'with the real clients, headless, against a scripted model')
        .addOption(timeout('how long a client may take with --live', 25))
        .action(does(async () => (await import('./verify.ts')).verify)),
    scan: () =>
      command('scan', 'ask every server that your clients have configured for its hooks')
        .option('--from <clients>', 'only servers of these clients', ids)
        .addOption(yes("also start what this folder's own files say, without asking"))
        .addOption(timeout('how long each server may take to answer', 10))
        .action(does(async () => (await import('./scan.ts')).scan)),
    login: () =>
      command('login <address>', 'sign in to a server in the browser', [
        noBrowser('print the address instead of opening it'),
        timeout('how long you have for it', 300),
      ]).action(does(async () => (await import('./login.ts')).login)),
    logout: () =>
      command('logout <address>', 'forget what you have signed in with').action(
        does(async () => (await import('./login.ts')).logout),
      ),
    validate: () =>
      command('validate <manifest>', 'check a manifest')
        .option('--name <label>', 'the label under which it would be installed')
        .option('--strict', 'warnings are errors')
        .action(does(async () => (await import('./validate.ts')).validate)),
  };
  // Commander takes its time for each option: only the command that is meant, or all to tell of them.
  const meant = own.find((word) => Object.hasOwn(commands, word));
  for (const [name, define] of Object.entries(commands))
    if (meant === undefined || meant === name) define();

  try {
    await cli.parseAsync(own, { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has said it already; help and version are no trouble.
    if (error.exitCode === 0) return OK;
    const said = error.message.replace(/^error: /, '');
    const given = cli.commands.find((one) => one.name() === meant);
    const details = given && !launch ? forgottenDashes(own, given, context) : [];
    for (const line of details) terminal.err(`${visible(line)}\n`);
    if (own.includes('--json')) terminal.out(toJson({ error: said, details, code: codeOf(error) }));
    return TROUBLE;
  }
}

const LAUNCHERS = /^(?:npx|bunx|pnpm|pnpx|yarn|node|bun|deno|uvx|uv|pipx|python3?|docker|podman)$/;

/** Commander's own, as ours are written: `commander.unknownOption` is `unknown-option`. */
const codeOf = ({ code }: CommanderError): string =>
  code.replace(/^commander\./, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A command line that is wrong because the command of a server stands in it without `--`, put right. */
function forgottenDashes(own: readonly string[], command: Command, { env }: Context): string[] {
  const [first] = command.args;
  if (!LAUNCHING.includes(command.name()) || first === undefined) return [];
  if (!LAUNCHERS.test(first) && which(first, { env }) === undefined) return [];
  const words = own.slice(own.indexOf(first, own.indexOf(command.name()) + 1));
  const { name = '<label>' } = command.opts<{ name?: string }>();
  const head = `mcp-hooks ${command.name()} --name ${name} --`;
  return [messages.startsServer(`${head} ${commandInWords(words)}`)];
}

function ids(value: string, before: readonly string[] = []): string[] {
  const names = value.split(',').map((name) => name.trim());
  if (names.some((name) => name === ''))
    throw new InvalidArgumentError('Give ids, joined by commas.');
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

function header(value: string, before: readonly Header[] = []): Header[] {
  const parsed = parseHeader(value);
  if (!('code' in parsed)) return [...before, parsed];
  throw new UserError<SourceMessage>(parsed); // commander would print the value
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
