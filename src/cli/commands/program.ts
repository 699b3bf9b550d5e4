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
import { trustMessages } from '../trust-messages.ts';
import { type Context, OK, TROUBLE } from './context.ts';
import { diff } from './diff.ts';
import { LAST, log } from './log.ts';
import { uninstall } from './uninstall.ts';
import { validate } from './validate.ts';

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

/**
 * Runs one command line and returns its exit code.
 *
 * @param own What stands before `--`.
 * @param launch What stands after it: the command that starts a server.
 */
export async function program(
  context: Context,
  own: readonly string[],
  launch?: readonly string[],
): Promise<number> {
  const { terminal } = context;
  let code = OK;

  const cli = new Command('mcp-hooks')
    .description(
      'Makes the hooks that an MCP server declares (SEP-2282) fire in your coding agents.',
    )
    .version(context.version, '-V, --version')
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: (text) => terminal.err(visible(text)) })
    .showHelpAfterError('(--help tells more)')
    .addHelpText(
      'after',
      '\nA server is a file in which its hooks are written down or a folder with one, an address, npm:<package>, the name of one that a client has configured, or after -- the command that starts it:\n  mcp-hooks install ./annal.json\n  mcp-hooks install https://mcp.annal.example/mcp\n  mcp-hooks install npm:annal\n  mcp-hooks install annal\n  mcp-hooks install --name annal -- uvx annal\n\nExit codes: 0 done or nothing to do; diff: 0 no difference, 1 differences; doctor, verify: 1 a hook would not fire; 2 refused, declined or wrong usage; 130 left with ctrl-C.',
    );

  cli.hook('preAction', (_, action) => {
    if (launch && !LAUNCHING.includes(action.name()))
      action.error(`error: ${action.name()} takes no command after --`);
  });
  const command = (name: string, description: string) =>
    cli
      .command(name)
      .description(description)
      .option('--json', 'print JSON')
      .option('--verbose', 'say more: what was found where, and where something went wrong')
      .allowExcessArguments(false);
  const clients = (one: Command) =>
    one.option(
      '--client <ids>',
      `only these clients: ${CLIENTS.map(({ id }) => id).join(', ')}`,
      ids,
    );
  const scope = (one: Command) =>
    one.addOption(
      new Option('--scope <scope>', "your settings, this project's, or your own of this project")
        .choices(SCOPES)
        .default('user'),
    );
  const places = (one: Command) => scope(clients(one));
  const granting = (one: Command) =>
    one.option(
      '--allow <grants>',
      'what needs a yes of its own: required, context-tool, policy, joined by commas',
      grants,
    );
  const identifying = (one: Command) =>
    one
      .option('--header <header>', HEADER_HELP, header)
      .option('--no-browser', 'print the address for signing in instead of opening it');
  const source = (one: Command) =>
    identifying(granting(places(one)))
      .option('--name <label>', 'the label under which it is installed')
      .option('--from <client>', 'the client in whose configuration the server stands')
      .option('--strict', 'refuse what does not arrive exactly as declared')
      .option(
        '--act-now',
        'tell post_request texts at the end of each turn; costs a turn each time',
      )
      .option('--no-extra-turns', 'leave out what costs a turn of the model')
      .option('--timeout <seconds>', trustMessages.timeoutHelp(ASKED), seconds, 20);
  const applying = (one: Command) =>
    one.option('-y, --yes', 'do not ask').option('--dry-run', 'write nothing');

  const launching = '[options] <server> | --name <label> [options] -- <command> [args...]';
  const commands: Record<string, () => Command> = {
    install: () =>
      applying(source(command('install [server]', 'install the hooks of a server')))
        .option('--replace', 'put it in the place of what another source has installed so named')
        .option('--trust', trustMessages.help(ASKED))
        .usage(launching)
        .action(async (server, flags) => {
          const { install } = await import('./install.ts');
          code = await install(context, server, launch ?? [], flags);
        }),
    diff: () =>
      source(
        command(
          'diff [server]',
          'show what install, or update of a label, would change; writes nothing',
        ),
      )
        .option('-y, --yes', 'start what has to be started without asking')
        .usage(launching)
        .action(async (server, flags) => {
          code = await diff(context, server, launch ?? [], flags);
        }),
    update: () =>
      applying(
        identifying(
          granting(
            scope(
              command('update [label]', 'ask servers again what they declare, and install that'),
            ),
          ),
        ),
      )
        .option('--timeout <seconds>', 'how long a server may take to answer', seconds, 20)
        .action(async (label, flags) => {
          const { update } = await import('./update.ts');
          code = await update(context, label, flags);
        }),
    uninstall: () =>
      applying(places(command('uninstall <label>', 'take out exactly what install put in'))).action(
        async (label, flags) => {
          code = await uninstall(context, label, flags);
        },
      ),
    list: () =>
      command('list', 'what is installed, where, and whether it fires').action(async (flags) => {
        const { list } = await import('./list.ts');
        code = await list(context, flags);
      }),
    doctor: () =>
      clients(command('doctor [label]', 'whether hooks can fire, and what to do where they cannot'))
        .option('--servers', 'start the servers, too, and ask them what they declare')
        .option('--timeout <seconds>', trustMessages.doctorTimeoutHelp(ASKED), seconds, 20)
        .action(async (label, flags) => {
          const { doctor } = await import('./doctor.ts');
          code = await doctor(context, label, flags);
        }),
    log: () =>
      clients(command('log [label]', 'what hooks have said and when, and why some failed'))
        .option('--failed', 'only where something failed')
        .option('--trials', 'also what fire and verify have run')
        .option('--last <number>', `how many firings, 0 for all (default: ${LAST})`, atMost)
        .action(async (label, flags) => {
          code = await log(context, label, flags);
        }),
    matrix: () =>
      clients(command('matrix', 'how each client tells what, as the tests have seen it')).action(
        async (flags) => {
          const { matrix } = await import('./matrix.ts');
          code = await matrix(context, flags);
        },
      ),
    fire: () =>
      places(command('fire <label> <event>', 'run hooks as they are written, show what is told'))
        .option('--tool <name>', 'the tool that is called, as a declaration names it')
        .option('--input <json>', 'what it is given')
        .option('--prompt <text>', 'what the user writes')
        .option(
          '--payload <file>',
          "more of the payload, in the client's shape; what it says stands",
        )
        .addHelpText('after', FIRE_HELP)
        .action(async (label, event, flags) => {
          const { fire } = await import('./fire.ts');
          code = await fire(context, label, event, flags);
        }),
    verify: () =>
      places(command('verify [label]', 'prove that what is installed fires'))
        .option('--live', 'with the real clients, headless, against a scripted model')
        .option('--timeout <seconds>', 'how long a client may take with --live', seconds, 25)
        .action(async (label, flags) => {
          const { verify } = await import('./verify.ts');
          code = await verify(context, label, flags);
        }),
    scan: () =>
      command('scan', 'ask every server that your clients have configured for its hooks')
        .option('--from <clients>', 'only servers of these clients', ids)
        .option('-y, --yes', "also start what this folder's own files say, without asking")
        .option('--timeout <seconds>', 'how long each server may take to answer', seconds, 10)
        .action(async (flags) => {
          const { scan } = await import('./scan.ts');
          code = await scan(context, flags);
        }),
    login: () =>
      command('login <address>', 'sign in to a server in the browser')
        .option('--no-browser', 'print the address instead of opening it')
        .option('--timeout <seconds>', 'how long you have for it', seconds, 300)
        .action(async (address, flags) => {
          const { login } = await import('./login.ts');
          code = await login(context, address, flags);
        }),
    logout: () =>
      command('logout <address>', 'forget what you have signed in with').action(
        async (address, flags) => {
          const { logout } = await import('./login.ts');
          code = await logout(context, address, flags);
        },
      ),
    validate: () =>
      command('validate <manifest>', 'check a manifest')
        .option('--name <label>', 'the label under which it would be installed')
        .option('--strict', 'warnings are errors')
        .action(async (manifest, flags) => {
          code = await validate(context, manifest, flags);
        }),
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
    if (own.includes('--json')) terminal.out(toJson({ error: said, details }));
    return TROUBLE;
  }
}

/** What starts servers, if it is on the PATH or not. */
const LAUNCHERS = /^(?:npx|bunx|pnpm|pnpx|yarn|node|bun|deno|uvx|uv|pipx|python3?|docker|podman)$/;

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
