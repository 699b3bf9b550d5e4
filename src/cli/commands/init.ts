/** `mcp-hooks init`: writes a first manifest for a server, with its real tools. */

import { lstatSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path';
import { selectClients } from '../../clients/detect.ts';
import { findPlaces, type Places } from '../../clients/places.ts';
import { CLIENTS } from '../../clients/registry.ts';
import { shellQuote } from '../../compile/command.ts';
import { namesOwnServer } from '../../compile/own-server.ts';
import { locate } from '../../declaration/document.ts';
import { isRecord } from '../../declaration/schema.ts';
import { linter } from '../../diagnose/lint/lint.ts';
import { serversOf } from '../../install/known-servers.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { initMessages as messages } from '../../present/messages/init.ts';
import { messages as output } from '../../present/messages/output.ts';
import { indented } from '../../present/render/lines.ts';
import { showProblems } from '../../present/render/problems.ts';
import { cataloguedFor } from '../../sources/catalogue/catalogue.ts';
import {
  configuredName,
  type DraftHook,
  type DraftServer,
  draftServer,
  draftText,
  fileRunBy,
  labelIn,
  labelOfCommand,
  packagedName,
  USUAL,
} from '../../sources/draft/manifest.ts';
import { findServer } from '../../sources/find.ts';
import { environmentIn, type Here, homeOf, searchPlaceOf } from '../../sources/folder.ts';
import { packageStart } from '../../sources/manifests/package-json.ts';
import { checkManifestText } from '../../sources/manifests/read.ts';
import { splitWords } from '../../sources/manifests/split-words.ts';
import { secretIn } from '../../sources/manifests/start-secret.ts';
import { SourceError } from '../../sources/messages.ts';
import { declaredIn } from '../../sources/protocol/declared.ts';
import type { ToolList } from '../../sources/protocol/tools.ts';
import { maskAddress } from '../../sources/redacted.ts';
import type { ResolvedServer } from '../../sources/resolved-server.ts';
import { commandInWords } from '../../sources/shown-launch.ts';
import { attempt, type Message, UserError } from '../../system/errors.ts';
import { followLinks, read, replace } from '../../system/files.ts';
import { MANIFEST_SCHEMA } from '../../system/package-files.ts';
import { quoted } from '../../system/strings.ts';
import { paint } from '../../system/terminal.ts';
import { inLine, toJson, visible } from '../../system/visible.ts';
import {
  type Command,
  type Context,
  fromOption,
  headerOption,
  noBrowserOption,
  OK,
  option,
  someOf,
  timeoutOption,
  yesOption,
} from './command.ts';
import { confirmed, typedIn } from './confirm.ts';
import { hooksFor, type InitFlags, type Wishes } from './interview.ts';
import { requestOf } from './prepare.ts';
import { withProgressAfter } from './progress.ts';
import { toolsFrom } from './read-declaration.ts';

/** The default file name. Commands that receive a folder look for this name. */
const MANIFEST = 'mcp-hooks.json';

interface Init extends Wishes {
  readonly context: Context;
}

/** Clients that do not expand variables in a manifest. */
const WITHOUT_VARIABLES = CLIENTS.filter(({ givenToServers }) => !givenToServers.expansion).map(
  ({ name }) => name,
);

/** A commit, as arguments of `fire`. */
const COMMIT = `--tool Bash --input '{"command":"git commit -m x"}'`;

export const init: Command = {
  name: 'init',
  group: 'Author',
  summary: 'write a first manifest for a server',
  operands: '[server]',
  operandsBeforeLaunch: '[server]',
  takesServers: true,
  usage: ['[options] [server]', '[options] -- <command> [args...]'],
  options: [
    option('--out <file>', 'where to write it').default(MANIFEST),
    option('--force', 'overwrite that file'),
    option(
      '--hooks <hooks>',
      `which hooks: ${USUAL.join(', ')} (default: those that the server has tools for)`,
    ).argParser(someOf(USUAL)),
    option('--tool <name>', 'the tool that reads saved notes').argParser((name) => [name]),
    option('--name <label>', 'the name of the server in the manifest'),
    fromOption(),
    headerOption(),
    noBrowserOption(),
    yesOption('do not ask: write what is proposed, and start the server'),
    timeoutOption('how long the server may take to answer', 20),
  ],
  about:
    "If mcp-hooks' catalogue has hooks for the server, it starts with these. Otherwise it asks the server for its tools and proposes what their names, descriptions and annotations justify: recall calls a tool at the start of a session, note names one after a commit, summary one after a turn, lookup one after a call that failed. Without a server, it takes the package in this folder. Without a terminal, it only prints what it would write, unless you pass --yes.",
  examples: [
    'init notes',
    'init npm:@modelcontextprotocol/server-memory --hooks recall,note',
    'init --yes --out notes.json -- node build/server.js',
  ],
  run,
};

async function run(context: Context, named: string | undefined, flags: InitFlags): Promise<number> {
  const { terminal, cwd, env } = context;
  const asks = terminal.interactive && !flags.yes && !flags.json;
  const at = { context, flags, asks };
  const file = resolve(cwd, flags.out ?? MANIFEST);
  const shown = shownPath(file, cwd);
  // A link may have come with the folder, and could point anywhere.
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new UserError<CliMessage>({ code: 'file-is-link', file: shown });
  const before = read(file);
  if (before !== null && !flags.force)
    throw new UserError<CliMessage>({ code: 'file-there', file: shown });
  const places = findPlaces(env, cwd, 'user');
  const target = await serverFor(at, named);
  if (target.declared || !target.server)
    throw new UserError<CliMessage>({ code: 'written-down', label: target.label });
  const catalogued = fromCatalogue(at, target);
  const listed = catalogued
    ? undefined
    : await toolsFrom(context, target, inLine(target.label), flags, places);
  const ownName = listed?.answer.ownName;
  const label = (isProvisional(at) && ownName && labelIn(ownName)) || target.label;
  const declares = listed ? declaredBy(listed, target) : 0;
  const install = installLine({ ...target, label }, flags);
  // A manifest would replace the server's own declaration, so the user has to ask for one explicitly.
  if (declares > 0 && !asks && flags.hooks === undefined)
    throw new UserError<CliMessage>({ code: 'declares-itself', label, hooks: declares, install });
  if (!flags.json)
    for (const line of [
      ...(declares > 0 ? [messages.declaresItself(label, declares, install)] : []),
      ...(catalogued ? [messages.catalogued(catalogued.name, install)] : []),
      ...(listed?.whole === false ? [messages.notAll] : []),
    ])
      terminal.err(`${indented(terminal, line, '')}\n`);

  const hooks = catalogued?.hooks ?? (await hooksFor(at, label, listed?.tools ?? []));
  const headers = flags.header?.map(({ name }) => name) ?? [];
  const server = draftServer(target.server, file, headers);
  const where = await secretIn(server.server);
  if (where !== undefined)
    throw new UserError<CliMessage>({ code: 'draft-secret', where: inLine(where, 200) });
  const text = draftText(schemaAddress(), label, server, hooks);
  const { declared } = checkManifestText({
    text,
    shown,
    file,
    source: { kind: 'manifest', path: file },
    where: { folder: dirname(file) },
    isNamed: true,
    doubts: linter(listed, label),
  });
  const problems = locate(shown, declared.problems);
  if (declared.problems.some(({ level }) => level === 'error'))
    throw new UserError<CliMessage | Message>({ code: 'draft-refused' }, problems);

  if (!flags.json) {
    terminal.out(
      `${paint(terminal, 'bold', messages.intoFile(shown))}\n${visible(text, Number.POSITIVE_INFINITY)}`,
    );
    const hookForTool = { ...target, label };
    const notes = [
      ...hooks.flatMap(({ usual }) => (usual === 'example' ? [messages.byHand(label)] : [])),
      ...notesOn(server),
      ...notConfigured(hookForTool, hooks, places, cwd),
    ];
    const { errColumns = Number.POSITIVE_INFINITY } = terminal;
    for (const line of showProblems(terminal, errColumns, problems)) terminal.err(`${line}\n`);
    for (const line of notes) terminal.err(`${inLine(line, 2000)}\n`);
  }
  const agreed = flags.yes || (asks && (await confirmed(messages.writeQuestion(shown))));
  if (asks && !agreed) throw new UserError<CliMessage>({ code: 'declined' });
  // A link in an untrusted folder must not redirect the write.
  if (agreed) replace(file, before, Buffer.from(text), 0o644, followLinks(dirname(file)));
  const next = agreed ? nextCommands(shown, label, hooks) : [];
  if (flags.json) {
    const { variables } = server;
    const proposed = hooks.map(({ usual, hook: { event, context_tool: tool } }) => ({
      hook: usual,
      event,
      ...(tool !== undefined && { tool }),
    }));
    const manifest: unknown = JSON.parse(text);
    const tools = listed?.tools.map(({ name }) => name) ?? [];
    terminal.out(
      toJson({ file, written: agreed === true, label, proposed, variables, tools, manifest, next }),
    );
    return OK;
  }
  if (agreed) terminal.out(`${messages.written(shown, label, hooks.length)}\n`);
  else {
    terminal.out(`${messages.howToWrite}\n`);
    return OK;
  }
  terminal.out(`\n${[messages.tryIt, ...next.map((line) => `  ${line}`)].join('\n')}\n`);
  return OK;
}

/** The path in a form that is unambiguous as a command argument. */
function shownPath(file: string, cwd: string): string {
  const path = relative(cwd, file);
  return isAbsolute(path) || path.startsWith('..') ? file : `./${path}`;
}

/** The address at which editors find the schema of a manifest. */
function schemaAddress(): string | undefined {
  const schema: unknown = attempt(() => JSON.parse(readFileSync(MANIFEST_SCHEMA, 'utf8')));
  return isRecord(schema) && typeof schema.$id === 'string' ? schema.$id : undefined;
}

/** The server that was named, that was typed after `--`, or that is the package in this folder. */
async function serverFor(at: Init, named: string | undefined): Promise<ResolvedServer> {
  const { context, flags, asks } = at;
  const { launch = [], cwd } = context;
  if (named === undefined && launch.length === 0) {
    const own = packageHere(context, flags.name);
    if (own) return own;
    if (!asks) throw new SourceError({ code: 'no-source' });
    const typed = await typedIn(messages.whichServer);
    const split = splitWords(typed);
    const words = 'words' in split ? split.words : [typed];
    return words.length > 1 ? findNamed(at, words) : findNamed(at, [], typed);
  }
  const meant = inLine(launch[0] ?? named ?? basename(cwd), 200);
  return withProgressAfter(context, output.lookingFor(meant), () => findNamed(at, launch, named));
}

function findNamed(
  { context, flags }: Init,
  command: readonly string[],
  operand?: string,
): Promise<ResolvedServer> {
  const name = flags.name ?? (command.length > 0 ? nameFor(command, context) : undefined);
  return findServer(requestOf(context, { ...flags, name }, command, operand));
}

/** The name that a client already uses, otherwise the package's name, otherwise one derived from the command. */
const nameFor = (words: readonly string[], here: Here): string =>
  configuredName(words, searchPlaceOf(here, homeOf(here))) ??
  packagedName(words, here.cwd) ??
  labelOfCommand(words, here.cwd);

/** Whether the name comes only from a file or its folder. The server's own name is better in that case. */
function isProvisional({ context: { launch = [], cwd, env }, flags }: Init): boolean {
  if (flags.name !== undefined || fileRunBy(launch, cwd) === undefined) return false;
  const here = { cwd, env };
  const configured = configuredName(launch, searchPlaceOf(here, homeOf(here)));
  return configured === undefined && packagedName(launch, cwd) === undefined;
}

/** A note for hooks that name the server when no client here has configured it. */
function notConfigured(
  { label, source, server }: ResolvedServer,
  hooks: readonly DraftHook[],
  places: Places,
  cwd: string,
): string[] {
  if (!hooks.some(({ hook }) => namesOwnServer(hook))) return [];
  const servers = serversOf({ label, source, ...(server && { server }) }, places, cwd);
  const known = selectClients(undefined, places).clients.flatMap((client) => servers(client) ?? []);
  if (known.length === 0 || known.some(({ own }) => own !== undefined)) return [];
  return [messages.notConfigured(label)];
}

/** The catalogue's hooks, unless the user wants others. The server is not queried in that case. */
function fromCatalogue(
  { context: { env }, flags }: Init,
  { label, source, server, consent }: ResolvedServer,
): { readonly name: string; readonly hooks: readonly DraftHook[] } | undefined {
  if (!server || flags.hooks !== undefined || flags.tool !== undefined) return undefined;
  const asked = { label, source, hooks: [], problems: [], server };
  const found = cataloguedFor(asked, { env, foreign: consent !== undefined });
  if (found?.source.kind !== 'catalogue') return undefined;
  const hooks = found.hooks.map(({ priority, ...hook }) => ({ ...hook, priority }));
  return {
    name: found.source.name,
    hooks: hooks.map((hook) => ({ usual: 'catalogue', hook })),
  };
}

/** The package in this folder as a server, if it depends on a library for servers. */
function packageHere(here: Context, name: string | undefined): ResolvedServer | undefined {
  const { cwd, env } = here;
  const start = packageStart(cwd);
  if (!start) return undefined;
  const { command, args } = start;
  const configured = configuredName([command, ...args], searchPlaceOf(here, homeOf(here)));
  return {
    label: name ?? configured ?? labelOfCommand([start.name ?? ''], cwd),
    source: { kind: 'command', command, args, cwd },
    server: { command, args },
    launch: () => ({ command, args, cwd, env: environmentIn(cwd, env) }),
    consent: { code: 'package-consent', file: 'package.json' },
  };
}

const declaredBy = ({ answer }: ToolList, { label, source }: ResolvedServer): number =>
  attempt(() => declaredIn(answer, { label, source }).hooks.length) ?? 0;

/** The command that installs the server's own hooks. */
function installLine({ label, source }: ResolvedServer, { from }: Pick<InitFlags, 'from'>): string {
  const words = (): string => {
    switch (source.kind) {
      case 'command':
        return `--name ${label} -- ${commandInWords([source.command, ...source.args])}`;
      case 'url':
        return shellQuote(maskAddress(source.url));
      case 'npm':
        return shellQuote(`npm:${source.spec}`);
      case 'configured':
        return [shellQuote(source.name), ...(from === undefined ? [] : ['--from', from])].join(' ');
      default: // hooks in a file, which init has already refused
        return '<manifest>';
    }
  };
  return `mcp-hooks install ${inLine(words(), 2000)}`;
}

const notesOn = ({ variables, leftOut, folder }: DraftServer): string[] => [
  ...(variables.length > 0 ? [messages.setVariables(variables, WITHOUT_VARIABLES)] : []),
  ...(leftOut.length > 0 ? [messages.leftOut(leftOut)] : []),
  ...(folder === undefined ? [] : [messages.folderLeftOut(folder)]),
];

/** Commands that try each hook, and then all of them. */
function nextCommands(file: string, label: string, hooks: readonly DraftHook[]): string[] {
  const path = quoted(file);
  const allow = ' --allow context-tool';
  const calls = hooks.some(({ hook }) => hook.context_tool !== undefined);
  const validate = `mcp-hooks validate ${path}`;
  if (hooks.some(({ usual }) => usual === 'example')) return [validate];
  // It is unknown here which call a hook of the catalogue waits for.
  const drafted = hooks.filter(({ usual }) => usual !== 'catalogue');
  const fires = drafted.map(({ usual, hook: { event, context_tool } }) =>
    [
      `mcp-hooks fire ${path} ${event}`,
      ...(usual === 'note' ? [` ${COMMIT}`] : []),
      ...(usual === 'lookup' ? [` --tool mcp__${label}__any --failed`] : []),
      ...(context_tool === undefined ? [] : [allow]),
    ].join(''),
  );
  const all = calls ? allow : '';
  return [...fires, `mcp-hooks verify ${path}${all}`, `mcp-hooks install ${path}${all}`];
}
