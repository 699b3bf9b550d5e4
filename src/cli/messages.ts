/** The sentences for what can go wrong: what it is, where, what was left untouched, what to do. */

import { printParseErrorCode } from 'jsonc-parser';
import type { Client, Gap } from '../clients/contract.ts';
import type { MissingTool } from '../compile/known-tools.ts';
import type { Mention } from '../compile/mentions.ts';
import type { Drift } from '../install/drift.ts';
import { codeOf } from '../system/errors.ts';
import { hooksInWords } from '../system/plurals.ts';
import { inLine } from '../system/visible.ts';

const NOTHING = 'Nothing was written.';
const UNFIRED = 'Nothing was fired.';

/** Why a server is not reached, by the code of the system. */
const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its host is not found just now',
  ECONNRESET: 'the connection was broken off',
  UND_ERR_SOCKET: 'the connection was broken off',
  UND_ERR_CONNECT_TIMEOUT: 'the connection took too long',
};

const BLOCKED_BY: Readonly<Record<string, string>> = {
  'client-version': 'this version is too old',
  configured: 'its server is configured differently now',
  calls: 'its tool failed when it was last called',
  entries: 'its entry is missing or was edited',
  'folder-trust': 'this folder is not trusted',
  'hooks-on': 'hooks are switched off',
  interrupted: 'an install was interrupted',
  node: 'there is no node to run them',
  paths: 'it reads other files than those they are in',
  policy: 'your policy.json silences them',
  'policy-readable': 'policy.json cannot be read',
  runner: 'its runner is missing or was altered',
  'settings-readable': 'its settings cannot be read',
  'settings-valid': 'it ignores its settings file',
  'sign-in': 'you are not signed in',
  source: 'the manifest is missing',
};

const noSuchTool = (glob: string): string => `no client has a tool ${JSON.stringify(glob)}`;

const noClientFound = (names: readonly string[]): string =>
  `No client was found on this machine: no config folder and no executable of ${names.join(', ')}. ${NOTHING}`;

/** What a version of a client does not do. */
function gap({ name }: Client, version: string | undefined, gap: Gap): string {
  const here = version === undefined ? name : `${name} ${version}`;
  if ('lacks' in gap)
    return `${here} knows the tools of MCP servers by their own names; the first version that puts the server before them is ${gap.until}`;
  const { native, act, until } = gap;
  return act === undefined
    ? `${here} has no ${native} event; the first version with it is ${until}`
    : `${here} does not pass the text of a ${native} hook to the model; the first version that does is ${until}`;
}

export const messages = {
  // Declarations
  manifestRefused: (path: string) => `${path} cannot be used. ${NOTHING}`,
  manifestEmpty: 'the file is empty; a manifest is a JSON object with "hooks"',
  manifestTooDeep: (depth: number) =>
    `it is nested too deeply for a manifest: more than ${depth} brackets within brackets`,
  manifestTooLarge: (path: string, size: number, limit: number) =>
    `${path} is ${mebibytes(size)} large; a manifest is at most ${mebibytes(limit)}. ${NOTHING}`,
  noDeclarations:
    'no hooks in it; expected "hooks": { "declarations": [...] } (or "declarations", "capabilities" or "experimental" as in SEP-2282)',
  toolNeedsServer: (tool: string) =>
    `"server" is missing; it says how to reach the tool "${tool}": { "command", "args" } or { "url" }`,
  noSuchTool,
  missingTool: {
    empty: () => '"tool_name" is empty and matches no tool; leave it out to match every tool',
    bracket: ({ glob, near }) =>
      `the brackets in ${JSON.stringify(glob)} are not a pattern (as [abc] or {a,b} are), and no tool has any in its name${meant(near)}`,
    server: ({ glob }) =>
      `${JSON.stringify(glob)} names an MCP server and no tool; every tool of it is ${JSON.stringify(`${glob.replace(/_+$/, '')}__*`)}`,
    unknown: ({ glob, near }) =>
      `${noSuchTool(glob)}${near === undefined ? '; the tools of MCP servers are called mcp__<server>__<tool>' : meant(near)}`,
  } satisfies Record<MissingTool['why'], (missing: MissingTool) => string>,
  emptyField: (field: string, so: string) => `"${field}" is empty: ${so}`,
  neverFires: 'the hook never fires',
  nothingToTell: 'there is nothing to tell',
  unknownVariable: (name: string, near: string) =>
    `{${name}} is not filled in; did you mean {${near}}?`,
  namesUnknownServer: ({ text, near }: Mention, client: string) =>
    `names ${text}, and ${client} has no such MCP server in its configuration${meant(near)}`.replace(
      /[^?]$/,
      '$&.',
    ),
  firesAllTheSame: 'It is installed, and fires should the client have such a tool.',
  runsNoHooks: ({ name, hooksSince }: Client, version: string) =>
    `${name} ${version} does not run these hooks; ${hooksSince} is the first version that does`,
  tooOldHere: ({ name, hooksSince, npmPackage }: Client, version: string) =>
    `${name} ${version} runs none of these hooks. ${hooksSince} or newer does: npm install --global ${npmPackage}@latest.`,
  gap,
  firesWhenNewer: 'It is installed, and fires once the client is new enough.',
  lost: (name: string, numbers: readonly number[], fires: boolean, why: string) =>
    `${name}: ${numbers.length === 1 ? 'hook' : 'hooks'} ${numbers.join(', ')} ${
      fires
        ? `${numbers.length === 1 ? 'fires' : 'fire'} in part only`
        : `${numbers.length === 1 ? 'does' : 'do'} not fire`
    }: ${why}`,
  orAnotherWay: (again: string, update: string) =>
    `${again} installs them in a way that this version knows; or: ${update}`,
  updateClient: ({ npmPackage }: Client) => `npm install --global ${npmPackage}@latest`,
  toolLeftOut: (tool: string, why: string) =>
    `left out: its tool ${JSON.stringify(tool)} cannot be called: ${why}`,
  nothingLeft: (label: string) => `Nothing that ${label} declares can be installed.`,
  folderWithoutHooks: (folder: string, looked: readonly string[]) =>
    `There are no hooks in the folder ${folder}: looked into ${looked.join(', ')}. ${NOTHING}`,

  // Files in which hooks are written down beside other things
  packageWithout: 'no "mcpHooks" in it, which is where a package.json has the hooks of its server',
  bundleWithout: (id: string) =>
    `no hooks in it; expected "_meta": { "${id}": { "hooks": { "declarations": [...] } } }`,
  bundleSeveral: (id: string, keys: readonly string[]) =>
    `hooks under several keys of "_meta" (${inLine(keys.join(', '), 200)}), and none of them is "${id}"`,
  bundleForeign: (key: string, id: string) =>
    `the hooks are those under ${JSON.stringify(key)} of "_meta": there are none under "${id}"`,
  registryWithout: (key: string, id: string) =>
    `no hooks in it; expected "_meta": { "${key}": { "${id}": { "hooks": { "declarations": [...] } } } }, or "mcpHooks" in the place of "${id}"`,
  registryLarge: (size: number, most: number) =>
    `this is ${size} bytes of JSON; the official registry takes at most ${most}`,
  bundleTooLarge: (path: string, size: number, limit: number) =>
    `${path} is ${mebibytes(size)} large; a bundle of at most ${mebibytes(limit)} is read: unpack it and give the folder. ${NOTHING}`,
  bundleBroken: (path: string) =>
    `${path} cannot be read: it is no zip file, or broken, or encrypted. ${NOTHING}`,
  bundleNoManifest: (path: string) =>
    `${path} cannot be used: there is no manifest.json in it. ${NOTHING}`,
  bundleTwoManifests: (path: string) =>
    `${path} cannot be used: there are several files called manifest.json in it. ${NOTHING}`,

  // Packages of npm
  npmBadSpec: (spec: string) =>
    `${JSON.stringify(spec)} is no package: npm:<package>, npm:@<scope>/<package>, either with @<version> or @<tag>. ${NOTHING}`,
  npmMissing: `npm:<package> needs npm, and there is no npm on the PATH. ${NOTHING}`,
  npmNotFound: (spec: string) =>
    `There is no ${spec} in the registry that your npm asks, or it is not for you to see. ${NOTHING}`,
  npmNoVersion: (spec: string) => `There is no such version or tag: ${spec}. ${NOTHING}`,
  npmOffline: (spec: string, code: string) =>
    `npm could not reach its registry for ${spec} (${code}). ${NOTHING}`,
  npmNotAllowed: (spec: string, code: string) =>
    `The registry does not give ${spec} to you (${code}): npm login may help. ${NOTHING}`,
  npmFailed: (spec: string, code: string) => `npm could not fetch ${spec} (${code}). ${NOTHING}`,
  npmSilent: (spec: string, seconds: number) =>
    `npm did not fetch ${spec} within ${seconds} seconds and was ended (--timeout allows more). ${NOTHING}`,
  npmLastWords: 'What npm said last:',
  npmTooLarge: (spec: string, limit: number) =>
    `${spec} is larger than ${mebibytes(limit)}, and was not read. ${NOTHING}`,
  npmBroken: (spec: string) => `What npm fetched for ${spec} is no package. ${NOTHING}`,
  npmTwice: (spec: string, file: string) =>
    `${spec} cannot be used: it has the file ${file} more than once. ${NOTHING}`,
  npmLink: (spec: string, file: string) =>
    `${spec} cannot be used: its ${file} is not a plain file. ${NOTHING}`,
  npmNoCommand: (spec: string, why: string) =>
    `${spec} has no hooks written down, and cannot be started to be asked: ${why}. ${NOTHING}`,
  npmChoose: (spec: string) =>
    `Say which command is meant: mcp-hooks install --name <label> -- npx -y --package=${spec} -- <command>`,
  npmConsent: (spec: string) =>
    `${spec} has no hooks written down, so its server is started and asked: npm downloads the package with all that it depends on, and its code runs with your rights.`,

  // Before something is started
  toBeAsked: (label: string) => `${label} is asked for its hooks:`,
  startQuestion: 'Start it?',
  startNeedsYes: `Nobody can be asked here whether it may be started: look at it, then say --yes. ${NOTHING}`,
  notStarted: `It was not started. ${NOTHING}`,

  // Why it cannot be told how a server is started: the end of a sentence
  untold: {
    noBin: 'package.json has no "bin"',
    severalBins: (names: readonly string[]) =>
      `package.json has several commands, none of them with its own name: ${inLine(names.join(', '), 200)}`,
    binOutside: (path: string) => `"bin" is outside of its folder: ${inLine(path, 200)}`,
    binMissing: (path: string) => `${inLine(path, 200)} is not there (not built yet?)`,
    binNoNode: (path: string) => `${inLine(path, 200)} is not run by node`,
    noServer: '"server" is missing or not as it should be',
    hostStarts: '"mcp_config" is missing: the host decides how the server is started',
    packed: 'the bundle is not unpacked; unpack it and give the folder',
    variable: (text: string) =>
      `${inLine(text, 100)} in "mcp_config" is filled in by its host only`,
    notInFolder: (command: string) => `there is no ${inLine(command, 200)} in its folder`,
    notOnDisk: 'its "server" names a file of the package, which is nowhere on this machine',
    valuesInPackage:
      'its "server" has values ("env" or "headers"), which can only be read from a file that stays where it is',
    noPackage: 'it has neither "packages" nor "remotes"',
    registry: (type: string) => `packages of ${inLine(type, 50)} cannot be started from here`,
    notStdio: 'the package does not speak over stdio',
    wrongPackage: (identifier: string) =>
      `${inLine(identifier, 100)} is no package of an exact version`,
    otherRegistry: (url: string) => `it is in a registry of its own: ${inLine(url, 100)}`,
    input: (name: string) => `it needs a value that only you know: ${inLine(name, 100)}`,
    wrongArgument: 'its arguments are not as they should be',
    remote: (type: string) => `an address of the kind ${inLine(type, 50)} is not called`,
    wrongAddress: (url: string) => `${inLine(url, 100)} is no address that can be called`,
    header: (name: string) => `its address needs a header that only you know: ${inLine(name, 100)}`,
  },
  needsVariable: (name: string) =>
    `its server needs ${inLine(name, 100)}: set it in the environment that your client is started in`,

  badLabel: (label: string) =>
    `${JSON.stringify(label)} cannot be a label: letters, digits, "_", "." and "-", a letter or digit first, at most 64 (--name gives another)`,
  labelNeeded: 'A server that is started by a command needs a label: add --name <label>.',
  cannotRead: (path: string, error: unknown) =>
    `${path} cannot be read: ${reason(error)}. ${NOTHING}`,
  didYouMean: (name: string) => `Did you mean ${name}?`,
  packedPackage: (path: string) =>
    `${path} is a package as npm packs it, and is not looked into. ${NOTHING}`,
  unpackIt: (path: string) =>
    `Unpack it, and give the folder: tar -xzf ${path} makes one that is called package.`,
  startsServer: (command: string) =>
    `To install the hooks of a server that a command starts, put -- before the command: ${command}`,
  notUtf8: (path: string) => `${path} cannot be read: it is not UTF-8 text. ${NOTHING}`,
  noFile: (path: string) => `${path} is not a file. ${NOTHING}`,
  noSource:
    'Say which server: a manifest, an address, npm:<package>, the name of a configured one, or after -- the command that starts it.',
  twoSources: 'Give a server or, after --, a command: not both.',
  notYet: (source: string) =>
    `${source} is no server that is known here: give a manifest, an address, npm:<package>, the name of a configured server, or after -- the command that starts the server. ${NOTHING}`,

  // Servers in the configurations of clients
  notConfigured: (name: string, near: readonly string[]) =>
    `${JSON.stringify(name)} is no file here, and no configuration of a client has a server of that name.${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''} ${NOTHING}`,
  lookedIn: 'Where was looked:',
  lookedAt: (path: string, client: string, found: string) => `  ${path}  (${client}: ${found})`,
  unknownServerClient: (name: string, known: readonly string[]) =>
    `--from: there is no client "${name}"; known: ${known.join(', ')}.`,
  severalServers: (name: string) =>
    `Several clients have a server ${JSON.stringify(name)}, and not the same one: say which. ${NOTHING}`,
  whichServer: (name: string) => `Which ${JSON.stringify(name)}?`,
  chooseWithFrom: (id: string) => `--from ${id} takes it from there, for example.`,
  noLabelInName: (name: string) =>
    `${JSON.stringify(name)} is its name there and cannot be a label: add --name <label>. ${NOTHING}`,
  saysNoStart: (name: string, file: string) =>
    `${JSON.stringify(name)} in ${file} has neither a command nor an address. ${NOTHING}`,
  configuredIn: (file: string, client: string, over: readonly string[]) =>
    `Configured in ${file} (${client})${over.length > 0 ? `, which comes before ${over.join(', ')}` : ''}.`,
  alsoConfigured: (where: readonly string[]) => `Configured just so in ${where.join(', ')}.`,
  switchedOffThere: (client: string, why: string) => `${client} does not use it itself: ${why}.`,
  helperLeftOut: (client: string) =>
    `${client} has a program make headers for it, which is not run here: those headers are missing.`,
  onlyNearest: (client: string, file: string) =>
    `${client} puts together what these files say of it; here only ${file} is read.`,
  configurationBroken: (file: string, at: string, why: string) =>
    `${file}${at}: ${why}; no server in it is seen`,
  foreignFile: (file: string, client: string, canTell: boolean) =>
    `${file} comes with this folder, and ${canTell ? `${client} has not been told that it is fine` : `whether ${client} was told that it is fine cannot be seen`}.`,
  notFilledIn: (why: string) => `How it is started cannot be told: ${why}. ${NOTHING}`,
  onlyItsClient: (reference: string) =>
    `Its configuration has ${reference}, which nobody but its client can fill in. ${NOTHING} Put the value into a variable and write \${env:NAME} there.`,

  // Asking all of them
  scanStarts: (count: number) =>
    `To be asked for their hooks, ${count === 1 ? 'one server' : `${count} servers`}:`,
  scanForeign: (count: number) =>
    `${count === 1 ? 'One more stands' : `${count} more stand`} in files that come with this folder, and may be somebody else's:`,
  scanAskForeign: 'Start those as well?',
  scanSkipsForeign: "it stands in this folder's own file; --yes starts it",
  scanProgress: (done: number, all: number, names: string) =>
    `${done} of ${all} asked; now ${names}`,
  scanning: (all: number) => `Asking ${all === 1 ? 'a server' : `${all} servers`} for hooks ...`,
  noneConfigured: 'No client has a server configured.',
  /** The sentence of an error, where it goes without saying that nothing was written. */
  withoutNothing: (sentence: string) => sentence.replace(` ${NOTHING}`, ''),
  /** The sentence of an error about a file, where the file has been named already and nothing was to be written. */
  withoutPath: (sentence: string, path: string) =>
    sentence
      .replace(`. ${NOTHING}`, '')
      .replace(`${path} cannot be read: `, '')
      .replace(path, 'it'),
  scanNotLetIn: (name: string, status: number) =>
    `${name} does not let in whoever comes with what is configured (status ${status})`,
  scanOdd: (what: string) => `mcp-hooks met something it was not made for: ${what}`,
  scanMore: (more: number) => `not understood here: ${more}`,
  scanInstalls: 'To install:',
  scanUpdates: 'To update:',
  scanNothingNew: 'Everything they declare is already installed.',
  scanInstalled: (as: string | undefined, inProject: boolean, changed: boolean) =>
    `installed${as === undefined ? '' : ` as ${as}`}${inProject ? ' in this project' : ''}${changed ? '; declares something else now' : ''}`,
  scanNameTaken: (label: string, source: string) => `${label} is installed, from ${source}`,
  nobodyDeclares: (answered: number, all: number) =>
    answered === all
      ? 'None of them declares hooks.'
      : answered === 1
        ? 'The one server that answered declares no hooks.'
        : `None of the ${answered} servers that answered declares hooks.`,
  scanUnasked: (unasked: number, all: number) => {
    const unknown = `so whether ${unasked === 1 ? 'it declares' : 'they declare'} hooks is not known.`;
    if (all === 1) return `It could not be asked, ${unknown}`;
    const which = unasked === all ? `None of the ${all} servers could` : undefined;
    return `${which ?? `${unasked} of ${all} servers could not`} be asked, ${unknown}`;
  },
  scanDownloading: (seconds: number) => ` (downloading, ${seconds} s)`,

  // Servers
  lookingFor: (server: string) => `Looking for ${server} ...`,
  asking: (server: string) => `Asking ${server} for its hooks ...`,
  serverNotStarted: (command: string, code: string) =>
    `${command} could not be started: ${code === 'ENOENT' ? 'there is no such command' : code}. ${NOTHING}`,
  serverExited: (command: string, code: string) =>
    `${command} ended (${code}) before it answered. ${NOTHING}`,
  serverCrashed: 'It crashed with:',
  serverLastLines: 'Its last lines on standard error:',
  serverSilent: (command: string, deadline: number) =>
    `${command} did not answer "initialize" within ${deadline / 1000} seconds and was ended (--timeout allows more). ${NOTHING}`,
  downloadTooLong: (name: string, launcher: string, limit: number) =>
    `${launcher} did not finish downloading ${name} within ${limit / 1000} seconds and was ended. Run its command yourself once, then try again. ${NOTHING}`,
  downloading: (name: string, launcher: string, packages: readonly string[], seconds: number) =>
    `${name}: ${launcher} is downloading ${packages.join(', ') || 'what it starts'} (${seconds} s) ...`,
  serverError: (command: string, error: string) =>
    `${command} answered "initialize" with an error: ${error}. ${NOTHING}`,
  serverNotMcp: (command: string) =>
    `${command} answered, but not as an MCP server does: there is no result in it. ${NOTHING}`,
  discoverError: (error: string) =>
    `Asked with "server/discover", as servers of 2026 are, it answered with an error, too: ${error}.`,
  serverFolderMissing: (command: string, folder: string) =>
    `${command} could not be started: ${folder}, the folder in which it is to run, is not there. ${NOTHING}`,
  responseTooLarge: (name: string, limit: number) =>
    `${name} says more than is read of a server: at most ${mebibytes(limit)}. ${NOTHING}`,
  responseTooDeep: (name: string, depth: number) =>
    `What ${name} declares is nested too deeply: at most ${depth} brackets within brackets are read. ${NOTHING}`,
  beyondLimits: (name: string) => `${name} declares more than is allowed. ${NOTHING}`,
  noHookHere: (label: string) =>
    `${label} declares hooks, but none that a client here could fire, so there is nothing to install.`,
  noneUnderstood: (label: string) =>
    `${label} declares hooks, but none that is understood here, so there is nothing to install.`,
  unsupportedEvent: 'no client here has this event',
  foundIn: (key: string | undefined, others: readonly string[]) =>
    `${key === undefined ? 'No hooks' : `Hooks found in ${key}`}${others.length > 0 ? `; also there, and passed over: ${others.join(', ')}` : ''}`,

  // Servers at an address
  addressSilent: (name: string, deadline: number) =>
    `${name} did not answer within ${deadline / 1000} seconds (--timeout allows more). ${NOTHING}`,
  addressUnfit: `Its address is none that can be called: http:// or https://, with all variables filled in. ${NOTHING}`,
  addressUnfitUser: `There is a user or a password in its address, which is not sent: put what authorises you into a header. ${NOTHING}`,
  addressHungUp: (name: string) => `${name} hung up before it answered. ${NOTHING}`,
  addressUnreached: (name: string, code: string) =>
    `${name} could not be reached: ${NETWORK[code] ?? code}. ${NOTHING}`,
  addressStatus: (name: string, status: number) =>
    `${name} answered with the status ${status}, and not as an MCP server does. ${NOTHING}`,
  addressMoved: (name: string, to: string) =>
    `${name} sends us on to ${to}, which was not followed: give that address if it is the server that you mean. ${NOTHING}`,
  signInNeeded: (name: string, status: number) =>
    `${name} wants to know who you are, or does not let you in (status ${status}): say it with --header, or sign in. ${NOTHING}`,
  challenge: (words: string) => `What it asks for: ${words}`,
  addressNeedsLabel: (host: string) =>
    `${host} is no name for a server: add --name <label>. ${NOTHING}`,
  addressWithUser: (name: string) =>
    `${name} was given with a user or a password in it, which would be kept: put what authorises you into a header. ${NOTHING}`,
  noAddress: (text: string) => `${text} is no address of a server: http:// or https://. ${NOTHING}`,
  calledAfterHost: (label: string, host: string) =>
    `Called ${label}, after ${host}: --name gives another name.`,

  noHooks: (label: string) =>
    `${label} declares no hooks, so there is nothing to install. Its author can declare some: SEP-2282 says how.`,

  stillInstalled: (label: string) =>
    `What was installed of it before stays; mcp-hooks uninstall ${label} takes it out.`,

  steeringChanged: 'a variable that decides what runs has changed',

  runsIn: (folder: string | undefined) =>
    `It runs with your rights, in ${folder ?? 'the folder of the session'}.`,

  // Grants
  grantMeans: {
    required: (hooks: string) =>
      `${hooks}. Where it is honoured such a text comes before all others, and the model reads that it is required.`,
    'context-tool': (hooks: string) =>
      `${hooks}. The server is called each time, without asking you again.`,
  },
  grantLapsed: 'You have granted it before, but to another declaration.',
  notGranted: {
    required:
      'Not granted: it counts as important, unless you say --allow required or policy.json says "trusted": true.',
    'context-tool':
      'Not granted: left out, unless you say --allow context-tool or policy.json says "contextTool": true.',
  },
  grantedBy: {
    user: 'You grant it, for just this declaration.',
    before: 'You have granted it, for just this declaration.',
    policy: 'Your policy.json allows it.',
  },
  grantQuestion: {
    required: (label: string) => `Honour what ${label} calls required?`,
    'context-tool': (label: string) => `Have the tools of ${label} called?`,
  },
  leftOutHere: 'its tool may be called only with a grant of yours (--allow context-tool)',
  notHeard: (heard: number) =>
    `only the ${heard} strongest hooks of a server are heard ("hooksPerServer" in policy.json)`,
  matcherTooLong: (client: string, limit: number) =>
    `${client} starts our runner for every tool, and the runner decides: a matcher for these hooks would be longer than ${limit.toLocaleString('en')} characters.`,
  tooManyNames:
    'The braces in its tool_name stand for too many names; they are taken as characters.',
  downgradedHere:
    '"required" counts as "important": it needs a grant of yours (--allow required), or "trusted" in policy.json.',
  downgradedByPolicy:
    '"required" counts as "important": your policy.json does not trust this server.',
  leftOut: (hooks: string) =>
    `Left out: ${hooks}; what needs a tool is installed with --allow context-tool.`,
  downgraded: (hooks: string) =>
    `Counts as important: ${hooks}; "required" is honoured with --allow required.`,

  altered: (events: string, label: string) =>
    `a hook for ${events} names the runner of ${label}, and is not as mcp-hooks wrote it. It is yours, and stays as it is.`,
  leftBehind: (clients: string, label: string) =>
    `${clients}: what was installed of ${label} before stays, with what was granted for it; without --client it is brought up to date, too.`,

  // Another source under the same name
  replaces: (label: string, before: string, now: string) =>
    `${label} is installed from ${before}, and this is from ${now}. It would take its place: its hooks go, and what you granted it.`,
  needsReplace: (label: string, before: string, now: string) =>
    `${label} is installed from ${before}, and this is from ${now}. The same name does not make it the same server, and --yes does not replace it. ${NOTHING} To replace it, add --replace. To keep both, add --name <label> with another name.`,
  labelTwin: (label: string, other: string) =>
    `${label} and ${other}, which is installed, are one name to this file system. ${NOTHING} Give this one another name with --name <label>.`,
  replacesPart: (label: string, before: string, clients: string) =>
    `${label} is also installed in ${clients}, from ${before}, and one label is one server. ${NOTHING} Leave out --client, or take it out there first: mcp-hooks uninstall ${label}.`,
  replaceQuestion: (label: string) => `Replace what is installed as ${label}?`,
  policyByName: (rules: string) =>
    `Your policy.json has rules that allow this name more than others, and they apply: ${rules}.`,
  policyOfOther: (rules: string, other: string) =>
    `Your policy.json allows this name more than others, and that was for ${other}, so it does not apply here: ${rules}. With --allow policy it does.`,

  // Files that a client ignores
  mendSettings: 'Mend it or take it out; whoever wrote it, our hooks go with it.',
  oursElsewhere: (client: string) =>
    `No hook of ours is in this file. Mend it and ${client} reads it again.`,

  // Updating
  declaresSame: 'declares what you agreed to.',
  declaresElse: (facts: string) => `declares something else than what you agreed to: ${facts}.`,
  hookRemoved: (number: number) => `removed: what was hook ${number}`,
  hookAdded: (number: number) => `added: hook ${number}`,
  hookChanged: (number: number, was?: number) =>
    `changed: hook ${number}${was === undefined ? '' : `, which was hook ${was}`}`,
  launchChanged: 'changed: what is run or asked for its tools',
  launchMasked:
    'What changed is where it stands, or a word that is not shown because it may be a secret: look into its configuration.',
  notKept: (label: string) =>
    `What you agreed to when you installed ${label} was not kept then, so this is all that it declares now.`,
  declaresNoMore: (label: string) => `${label} declares no hooks any more.`,
  stays: (why: string, command: string) =>
    `${why} What is installed of it stays as it is; ${command} takes it out.`,
  noOrigin: (label: string, command: string) =>
    `Where the hooks of ${label} came from was not kept: an older version installed it, or there was a secret in its command. ${NOTHING} Install it once more: ${command}`,
  // Signing in, and headers
  notAnAddress: (typed: string) =>
    `${typed} is not the address of a server: http:// or https://, and no variables in it.`,
  passwordInAddress: `The address has a user or password in it: give what authorises you with --header. ${NOTHING}`,
  insecureAddress: (server: string) =>
    `${server} is not https, so anybody on the way could read the token. ${NOTHING}`,
  signInNeedsTerminal: (server: string) =>
    `${server} wants you to sign in, and this is not a terminal: type mcp-hooks login ${server} in one, or give what authorises you with --header. ${NOTHING}`,
  signInQuestion: (server: string) => `${server} wants you to sign in. Do it now, in a browser?`,
  signInFirst: (server: string) =>
    `${server} cannot be asked before you have signed in: mcp-hooks login ${server}. ${NOTHING}`,
  signInPage: (server: string, opened: boolean) =>
    opened
      ? `Sign in to ${server} in the browser that opens, or at this address, on this machine:`
      : `To sign in to ${server}, open this address in a browser on this machine:`,
  signInLate: (seconds: number, strangers: boolean) =>
    `Nobody has signed in within ${seconds} seconds${strangers ? ' (an answer came that was not to our question, and was not taken)' : ''}. ${NOTHING}`,
  signInRefused: (code: string) => `Signing in was refused (${code}). ${NOTHING}`,
  signInFailed: (server: string, why: string) =>
    `Signing in to ${server} did not work: ${why}. ${NOTHING}`,
  signInElsewhere: (origin: string) =>
    `it leads to ${inLine(origin, 200)}, which is not https, or nearer to this machine than the server is`,
  noRegistration: (server: string) =>
    `Who issues the tokens for ${server} does not let mcp-hooks register itself. Give what authorises you with --header. ${NOTHING}`,
  noRedirect: (error: unknown) =>
    `Nothing can listen on 127.0.0.1 here for the answer of the browser: ${reason(error)}. ${NOTHING}`,
  stillUnauthorized: (server: string) =>
    `${server} does not take the token that it was given after signing in. mcp-hooks logout ${server} forgets it.`,
  signedIn: (server: string, file: string) =>
    `Signed in to ${server}. ${file} keeps it; mcp-hooks logout ${server} removes it.`,
  signedInAlready: (server: string) => `You are signed in to ${server}.`,
  noSignInNeeded: (server: string) => `${server} does not ask anybody to sign in.`,
  signedOut: (server: string) =>
    `Signed out of ${server}: the token is gone here. The server itself was not told.`,
  notSignedIn: (server: string) => `You are not signed in to ${server}.`,
  askingWhoYouAre: (server: string) => `Asking ${server} ...`,
  tokensLocked: (file: string) => `Another mcp-hooks holds ${file} and does not let go. ${NOTHING}`,
  badHeader:
    'A header is \'Name: value\', its name of letters, digits and "-", its value of visible characters.',
  ourHeader: (name: string) => `${name} is a header that mcp-hooks sets itself.`,
  headerNeedsLabel: `--header is for one server: say which label is meant. ${NOTHING}`,
  headersNeedAddress: `--header is for a server at an address: one that is started by a command has its environment. ${NOTHING}`,
  headerNotKept: (names: readonly string[]) =>
    `The value of ${names.join(', ')} is used now and kept nowhere: hooks will not call tools of this server. A variable of the environment can be used instead, as in --header '${names[0]}: \${NAME}'.`,
  headerAgain: (names: readonly string[]) =>
    `The value of ${names.join(', ')} was not kept: give it again with --header. ${NOTHING}`,
  headerUnset: (name: string, variable: string) =>
    `The header ${name} needs the variable ${variable}, which is not set. ${NOTHING}`,
  headerUnfit: (name: string, variable: string) =>
    `The header ${name} cannot have what is in the variable ${variable}: a line break, or a character beyond ASCII. ${NOTHING}`,
  calledAsUser: 'Where you have signed in there (mcp-hooks login), they are called in your name',
  toolsNotCalled: (names: readonly string[]) =>
    `Its tool is not called: the value of ${names.join(', ')} is kept nowhere.`,
  toolsNotOverSse:
    'Its tool is not called: hooks do not speak HTTP+SSE, and its server nothing else.',

  // Policy
  policyRefused: (path: string) =>
    `${path} cannot be used, and as long as that is so no hook says anything: it may be what forbids it. ${NOTHING}`,
  policyTooDeep: 'it is nested too deeply for a policy',
  policyEmpty: 'the file is empty; a policy is a JSON object, {} for all that is by default',

  // Clients and places
  unknownClient: (name: string, known: readonly string[]) =>
    `There is no client "${name}"; known: ${known.join(', ')}.`,
  noClientFound,
  noClient: (names: readonly string[]) =>
    `${noClientFound(names)} --client installs for one all the same.`,
  noHome: (variable: string) =>
    `${variable} is not set, so there is no place for settings. ${NOTHING}`,
  homeMissing: (variable: string, home: string) =>
    `${variable} is ${home}, which is not a folder. ${NOTHING}`,
  noLocal: (client: string, id: string, folder: string) =>
    `${client} has no settings of your own for a project, so nothing is installed in it. Give the same command with --client ${id} and --scope user, for every folder, or --scope project, for this one: that writes to ${folder}, and you have to keep it out of git.`,
  withoutLocal: 'nothing installed',
  noneHasLocal: (clients: readonly string[]) =>
    `${clients.join(' and ')} ${clients.length > 1 ? 'have' : 'has'} no settings of your own for a project, so there is no --scope local. ${NOTHING}`,
  useOtherScope: (id: string, folder: string) =>
    `Leave it out of --client, or give the same command with --client ${id} and --scope user, for every folder, or --scope project, which writes to ${folder}.`,
  shared: (instead: string) =>
    `this file is for everybody who works on the project, and the entry names a path in your home. ${instead}`,
  trackedShared: (instead: string) =>
    `git tracks this file: your next commit would give everybody the entry, which names a path in your home. ${instead}`,
  useLocal: (file: string) => `--scope local writes to ${file} instead, which is yours alone.`,
  noLocalInstead: (client: string) =>
    `${client} has no settings of your own for a project: use --scope user, or keep the file out of your commits.`,
  trackedLocal: (command: string) =>
    `git tracks this file, which is meant for you alone: your next commit would give everybody the entry, which names a path in your home. Take it out of git: ${command}`,
  notIgnored: (file: string) =>
    `git does not ignore this file, which is meant for you alone: the entry, which names a path in your home, could be committed by accident. Add ${file} to the .gitignore of this folder.`,
  homeIsNoProject: `This folder is your home, whose settings are the user's: use --scope user, or go to a project. ${NOTHING}`,

  // Applying
  /** @param others Ids of the clients whose files are not refused. */
  refused: (others: readonly string[]) =>
    `${NOTHING} Correct the file that is refused, then run this command again.${others.length > 0 ? ` Without that client: --client ${others.join(',')}` : ''}`,
  removeByHand: (folder: string) =>
    `To do it by hand, remove every hook whose command names ${folder}, then run this command again.`,
  fileRefused: (path: string, at: string, why: string) => `${path}${at}: ${why}. ${NOTHING}`,
  mendOrLeaveOut: (client: string) => `Mend the file, or leave ${client} out.`,
  strictRefused: `--strict: not every hook arrives exactly as it is declared. ${NOTHING}`,
  strictDoubtful: `--strict: not every hook can do what it seems to be meant for. ${NOTHING}`,
  strictLeftOut: `--strict: not everything that the server declares is understood. ${NOTHING}`,
  needsYes: `This is not a terminal, so nobody can be asked: look at it with diff, then say --yes. ${NOTHING}`,
  declined: NOTHING,
  changedMeanwhile: (path: string) =>
    `${path} was changed by somebody else in the meantime. It was left as it is: run the same command again.`,
  changedWhileAsked: `A file was changed by somebody else in the meantime, so this is no longer what you agreed to. ${NOTHING} Run the same command again.`,
  locked: (path: string, pid: string) =>
    `Another mcp-hooks (process ${pid}) is at work and holds ${path}. ${NOTHING}`,
  cannotUse: (path: string, error: unknown) =>
    `${path} cannot be used: ${reason(error)}. It was left as it is.`,
  notWritable: (path: string, why: string) => `${path} cannot be written: ${why}. ${NOTHING}`,
  notPutBack: (paths: readonly string[]) =>
    `What was written before could not be put back in ${paths.join(', ')}: run the same command again.`,
  cannotWrite: (path: string, error: unknown) =>
    `${path} cannot be written: ${reason(error)}. It was left as it is.`,
  noRegularFile: 'it is not a regular file',
  ownLink: (path: string) =>
    `${path} leads out of the folder of mcp-hooks by a link, so it is not used: remove the link. ${NOTHING}`,
  notOurLock: (path: string) => `${path} is no lock of ours: move it away. ${NOTHING}`,
  twoNames: (other: string) =>
    `it is the same file as that of ${other}, which has hooks of ours in it: take those out first`,
  leadsOut: (link: string, target: string) =>
    `${link} is a link to ${target}, which leads out of the project. Hooks of a project belong into files of the project, so what it leads to was neither read nor changed. Put a file or folder of the project in the place of the link, or install with --scope user.`,
  hardLink: 'it has a second name (a hard link), which would keep the old text',
  readOnly: 'it is read-only',
  foreign: (uid: number) => `it belongs to another user (${uid})`,
  ledgerBroken: (path: string, aside: string) =>
    `${path}, our record of what is installed, cannot be read. It is put aside as ${aside}; entries of ours are known by their commands, and what was installed besides can be installed again.`,
  unknownHere: 'a client that this version does not know',
  ledgerUnread: (path: string) =>
    `${path}, our record of what is installed, cannot be read. Entries of ours are known by their commands: install and uninstall go on working.`,
  ledgerUnreadSoNoUpdate: (path: string) =>
    `${path}, our record of what is installed, cannot be read, so what to update is not known. Install again what you had. ${NOTHING}`,
  ledgerNewer: (path: string) =>
    `${path}, our record of what is installed, is of a newer mcp-hooks than this one. ${NOTHING} Use that one.`,
  notInstalled: (label: string, where: string, others: readonly string[]) =>
    `${label} is not installed in ${where}.${others.length > 0 ? ` Installed: ${others.join(', ')}.` : ''}`,

  // Whether hooks fire
  statusUnknown: (label: string, why: string) =>
    `It is installed, but whether it fires cannot be told: ${why}. mcp-hooks doctor ${label} looks again.`,
  /** A check of doctor that a hook does not pass, in a few words. */
  blockedBy: ({ check, brief }: { readonly check: string; readonly brief?: string | undefined }) =>
    brief ?? BLOCKED_BY[check] ?? check,
  leftOutBecause: {
    grant: (event: string) => `${event} needs --allow context-tool`,
    policy: (event: string) => `${event} is more than hooksPerServer allows`,
    client: (event: string) => `${event} is not possible here`,
  },
  intact: 'intact',
  noHookInstalled: 'no hook installed',
  installedBut: (numbers: readonly number[] | undefined, why: string) =>
    `intact, but ${numbers ? `${hooksInWords(numbers)} ` : ''}${doesNot(numbers)} fire: ${why}`,
  blocked: (why: string, what: string, todo: string | undefined) =>
    `${why}: ${what}.${todo === undefined ? '' : ` ${todo}`}`,
  installedPart: (installed: number, declared: number, reasons: string) =>
    `${installed} of ${declared} hooks (${reasons})`,
  doesNotFire: (client: string, numbers: readonly number[] | undefined, why: string) =>
    numbers
      ? `${hooksInWords(numbers).replace('h', 'H')} ${doesNot(numbers)} fire in ${client}: ${why}.`
      : `These hooks do not fire in ${client}: ${why}.`,

  matcherEdited: (client: string, native: string, hooks: string) =>
    `${client}: its entry for ${native} was edited, and no longer starts for ${hooks}`,
  lastCallFailed: (hooks: string, client: string, native: string, reason: string) =>
    `${client}: ${hooks} called its tool on ${native}, and the last call failed: ${reason}`,

  // Firing for show
  unknownLabelIn: (label: string, where: string, near: readonly string[], all: readonly string[]) =>
    `${label} is not installed in ${where}. ${installed(near, all)} ${UNFIRED}`,
  unknownEvent: (event: string, declared: readonly string[], native: readonly string[]) =>
    `There is no event "${event}"; known: ${declared.join(', ')}; or a client's own: ${native.join(', ')}. ${UNFIRED}`,
  notJson: (what: string) => `${what} is no JSON object. ${UNFIRED}`,
  nothingThere: 'it is empty; a JSON object is needed',
  tooDeep: 'it is nested too deeply',
  noObject: 'it is not a JSON object',
  payloadUnread: (path: string, error: unknown) =>
    `${path} cannot be read: ${reason(error)}. ${UNFIRED}`,
  notInstalledThere: (label: string, where: string) =>
    `${label} is not installed here, in ${where}.`,
  noSuchNative: (event: string) => `it has no event ${event} that we use`,
  foreignFacts: (flags: readonly string[], event: string) =>
    `${flags.join(' and ')} ${flags.length > 1 ? 'mean' : 'means'} nothing for ${event}: no client says such a thing there. ${UNFIRED}`,
  entryAltered: (file: string, again: string) =>
    `A hook in ${file} starts its runner and is not the one that was installed, so it was not run. Look at it and take it out; ${again} writes ours again.`,
  entryUnknown: (file: string, label: string) =>
    `A hook in ${file} starts the runner of ${label}, and our record knows nothing of it, so it was not run. Look at it and take it out, or install ${label} again.`,
  runnerNotRun: (drift: string, again: string) =>
    `${drift}, so it was not run: ${again} writes it again.`,
  nothingInstalled: 'Nothing is installed.',
  nothingInstalledIn: (where: string, elsewhere: readonly string[]) =>
    `Nothing is installed in ${where}. Installed: ${elsewhere.join(', ')}.`,
  installedUnknown: 'What is installed cannot be told.',
  verifying: (label: string) => `Running the hooks of ${label} in every client ...`,
  allFire: (hooks: string, clients: string) => `Everything fires: ${hooks} in ${clients}.`,
  notAllFire: (what: string) => `${what} would not fire.`,
  unmet: 'nothing can happen that its matcher is about',
  firing: (label: string, client: string) => `Firing the hooks of ${label} in ${client} ...`,

  // What proves that hooks fire
  unknownLabel: (label: string, near: readonly string[], known: readonly string[]) =>
    `${label} is not installed. ${installed(near, known)}`,

  // The log
  nothingSaid:
    'Nothing was said yet. (A firing that has nothing to say is not logged; mcp-hooks list shows whether all is in its place.)',
  noLog: (label: string, known: readonly string[]) =>
    `${label} is not installed and has no log. ${known.length > 0 ? `Known here: ${known.join(', ')}.` : 'Nothing is installed, and nothing was said yet.'}`,
  noneFits: (all: number) =>
    `None of what is in the log fits (${all === 1 ? '1 firing' : `${all} firings`}).`,
  earlier: (left: number) =>
    `${left === 1 ? '1 earlier firing is' : `${left} earlier firings are`} not shown: --last 0 shows all.`,
  linesSkipped: (lines: number, files: readonly string[]) =>
    `${lines === 1 ? '1 line was skipped that is' : `${lines} lines were skipped that are`} cut or not the runner's, in ${files.join(', ')}.`,

  // Real clients
  nothingToVerify: 'Nothing is installed, so there is nothing to verify.',
  notInClients: (label = 'What is installed', names: readonly string[]) =>
    `${label} is not installed in ${names.join(', ')}.`,
  running: (client: string, label: string) => `Running ${client} with the hooks of ${label} ...`,
  clientMissing: ({ name, executable, npmPackage }: Client) =>
    `${name} is not on this machine (there is no ${executable} on the PATH), so nothing was tried: npm install -g ${npmPackage} brings it.`,
  clientTooOld: ({ name, hooksSince, npmPackage }: Client, version: string) =>
    `${name} ${version} is too old for these hooks, and nothing was tried: ${hooksSince} is the first that has them. npm install -g ${npmPackage}@latest brings a newer one.`,
  clientHung: (name: string, seconds: string) =>
    `${name} had not come to its end after ${seconds} seconds, and was ended with all that it had started.`,
  clientExited: (name: string, code: string) => `${name} ended with exit code ${code}.`,
  clientFailed: (name: string, why: string) => `${name} could not be run: ${why}`,
  noLoopback: (why: string) =>
    `Nothing can listen on 127.0.0.1 here, so there is no model to stand in for the real one: ${why}.`,
  lastWords: 'Its last words:',
  notAsInstalled: (label: string, drift: string) =>
    `What is there of ${label} is not what was installed: ${drift}. Installing it again puts it right.`,
  programBroken: (native: string) =>
    `What the runner is to do on ${native} is missing, or cannot be read.`,
  calledForNothing: 'the tool was called, and had nothing to say',
  calledOnly: 'the tool was called when the session ended; what it returns reaches no model',
  noScript: (name: string) => `no script can make ${name} call a tool that it is about`,
  needsNetwork: (launcher: string, packages: readonly string[]) =>
    `needs the network: ${launcher} has to download ${packages.join(', ') || 'its server'} first`,
  entryMissing: (native: string, file: string) => `there is no entry for ${native} in ${file}`,
  muted: 'your policy.json mutes this server',
  runnerSays: (reason: string) => `the runner says: ${reason}`,
  dropped: (name: string) => `the hook said it, and ${name} gave it to no request`,
  silent: (label: string, event: string, id: string) =>
    `the hook was not run, or had nothing to say: mcp-hooks fire ${label} ${event} --client ${id}`,
  noSession: 'the session did not come to its end',
} as const;

const DRIFT: Readonly<Record<Drift['code'], (what: string) => string>> = {
  'runner missing': () => 'its runner is missing',
  'runner altered': (name) => `its runner was altered (${name})`,
  'not recorded': () => 'our record knows nothing of it, so none of it was run',
  'run interrupted': () => 'a run was interrupted: do the same again',
  'file missing': () => 'the file is gone',
  'file refused': () => 'the file cannot be read',
  'entry missing': (event) => `its entry for ${event} is missing`,
  'entry edited': (event) => `its entry for ${event} was edited`,
  'entry altered': (event) =>
    `its entry for ${event} is no longer as we wrote it, and stays as it is`,
  'entry moved': (event) => `its entry for ${event} was moved`,
  'entry copied': (event) => `its entry for ${event} is there more than once`,
};

/** A refusal, and the file that it is about. */
export const inFile = (
  file: string,
  {
    line,
    column,
    message,
  }: { line?: number | undefined; column?: number | undefined; message: string },
): string => `${file}${line === undefined ? '' : `:${line}:${column}`}: ${message}`;

/** What has happened to ours, in words. */
export const drifted = (drift: readonly Drift[]): string =>
  [...new Set(drift.map(({ code, what }) => DRIFT[code](what ?? '')))].join('; ') ||
  messages.intact;

/** A mistake in JSON, by the parser's code. */
export const syntax = (code: number): string => {
  const words = printParseErrorCode(code)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return `not JSON: ${words}`;
};

/** Why the system refused, without a stack. */
export function reason(error: unknown): string {
  const known: Record<string, string> = {
    ENOENT: 'there is no such file',
    EACCES: 'permission denied',
    EPERM: 'not permitted',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of its path is not a folder',
    EROFS: 'the disk is read-only',
    ENOSPC: 'the disk is full',
    ELOOP: 'its links go in a circle',
  };
  const code = codeOf(error);
  return (code && known[code]) ?? code ?? (error instanceof Error ? error.message : String(error));
}

/** What may have been meant by a label that is not there. */
const installed = (near: readonly string[], all: readonly string[]): string => {
  if (near.length > 0) return `Did you mean ${near.join(' or ')}?`;
  return all.length > 0 ? `Installed: ${all.join(', ')}.` : messages.nothingInstalled;
};

const doesNot = (numbers: readonly number[] | undefined): string =>
  numbers === undefined || numbers.length === 1 ? 'does not' : 'do not';

/** The end of a sentence about a name. */
const meant = (near: string | undefined): string =>
  near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`;

const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
