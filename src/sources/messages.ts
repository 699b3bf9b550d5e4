/** Messages about servers: where they are declared, and what goes wrong when they are queried. */

import type { RunnerMessage } from '../compile/runner-messages.ts';
import { type Message, type SystemReason, UserError } from '../system/errors.ts';
import { count, duration } from '../system/plurals.ts';
import { quoted } from '../system/strings.ts';
import { inLine } from '../system/visible.ts';
import { FIND_HOOKS, type MessageOf, mebibytes, placeIn, type Say } from '../system/words.ts';

type Names = readonly string[];

interface ArgumentType {
  readonly tool: string;
  readonly argument: string;
  /** JSON Schema types. */
  readonly expected: readonly string[];
  readonly found: string;
}

/** An error with one of these messages. */
export class SourceError extends UserError<SourceMessage> {}

const somePackages = (names: Names): string => {
  const rest = names.length > 5 ? ` and ${count(names.length - 5, 'other')}` : '';
  return inLine(`${names.slice(0, 5).join(', ')}${rest}`, 500);
};

/** Why a server cannot be reached, by system error code. */
const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its host cannot be looked up right now',
  ECONNRESET: 'the connection was broken off',
};

export const sources = {
  /** `above`: not in any parent folder, either. */
  'not-there': ({ above }: { above: boolean }) =>
    above ? 'not there, nor in folders above' : 'not there',
  'not-read': ({ line, column, why }: { line?: number; column?: number; why: Message }, say: Say) =>
    `cannot be read${line === undefined ? '' : ` at ${line}:${column}`}: ${say(why)}`,
  'linked-out': 'a symbolic link points outside the project, to {target}',
  'servers-there': ({ names }: { names: Names }) => names.join(', ') || 'no servers',
  'left-out-at': ({ at, problem }: { at: string; problem: Message }, say: Say) =>
    `${at}: left out: ${say(problem)}`,
  /** `at`: keys from the root of the document, with dots. */
  'problem-at': ({ at, problem }: { at: string; problem: Message }, say: Say) =>
    `${at}: ${say(problem)}`,
  'no-token': 'there is no token in its answer',
  'no-page': 'it names no page that could be opened',
  'stdout-not-json': 'Its standard output had this instead of JSON: {text}',
  'no-address': '{text} is not the address of a server (http:// or https://).{nothing}',
  'address-with-user':
    '{name} holds a user or a password, which would be saved: pass your credentials in a header.{nothing}',
  'address-needs-label': "{host} can't be used as a label: add --name <label>.{nothing}",
  'called-after-host': 'Called {label}, after {host}: --name gives another name.',
  'unknown-server-client': ({ name, known }: { name: string; known: Names }) =>
    `--from: there is no client "${name}"; known: ${known.join(', ')}.`,
  'which-server': ({ name }: { name: string }) => `Which ${JSON.stringify(name)}?`,
  'several-servers': ({ name }: { name: string }, say: Say) =>
    `Several clients have a server ${JSON.stringify(name)}, and they differ${say.hint(': choose one with --from')}.${say.nothing}`,
  'needs-shell': ({ part }: { part: string }) =>
    `hooks run without a shell, so ${JSON.stringify(part)} doesn't work: put the command into a script`,
  'tool-without-server': ({ tool }: { tool: string }) =>
    `${JSON.stringify(tool)} names no server: write <server>.<tool>, for example "memory.recall"`,
  'of-one-server': ({ name, others }: { name: string; others: Names }, say: Say) =>
    `Only the hooks of ${name} are taken${say.hint(' (--name takes those of another server)')}, and not those of ${others.map((one) => inLine(one, 100)).join(', ')}.`,
  'servers-in-file': ({ path, names }: { path: string; names: Names }, say: Say) =>
    `${path} has hooks with tools of several servers: ${names.map((one) => inLine(one, 100)).join(', ')}. One label is one server.${say.nothing}`,
  'choose-by-name': ({ path, name }: Record<'path' | 'name', string>, say: Say) =>
    `For the hooks of one of them, give its label: ${say.hint(`${quoted(path)} --name `)}${quoted(name)}`,
  'tools-server-unknown': ({ name }: { name: string }, say: Say) =>
    `No client has a server ${JSON.stringify(name)}, whose tools these hooks call.${say.nothing}`,
  'tools-server-unclear': ({ name }: { name: string }, say: Say) =>
    `Several clients have different servers called ${JSON.stringify(name)}, whose tools these hooks call${say.hint(': choose one with --from')}.${say.nothing}`,
  'write-server-start': ({ path, name }: Record<'path' | 'name', string>) =>
    `Say in ${path} how it is started: "mcpServers": { ${JSON.stringify(name)}: { "command", "args" } }`,
  'server-start-missing': ({ name }: { name: string }) =>
    `the file does not say how ${JSON.stringify(name)} is started`,
  'choose-with-from': 'For example, add --from {id}',
  'no-command-or-address': ({ name, file }: Record<'name' | 'file', string>, say: Say) =>
    `${JSON.stringify(name)} in ${file} has neither a command nor an address.${say.nothing}`,
  'no-label-in-name': ({ name }: { name: string }, say: Say) =>
    `${JSON.stringify(name)} can't be used as a label: add --name <label>.${say.nothing}`,
  'file-of-the-folder': (facts: Record<'file' | 'client', string> & { canTell: boolean }) =>
    `${facts.file} is a project file${facts.canTell ? ` that you have not approved in ${facts.client}` : `, and mcp-hooks cannot see whether you approved it in ${facts.client}`}.`,
  'configured-in': (facts: Record<'file' | 'client' | 'scope', string> & { over: Names }) =>
    `Configured in ${facts.file} (${facts.client}, ${facts.scope})${facts.over.length > 0 ? `, which comes before ${facts.over.join(', ')}` : ''}.`,
  'only-nearest': '{client} merges what these files say about it; mcp-hooks reads only {file}.',
  'also-configured': ({ where }: { where: Names }) => `Also configured in ${where.join(', ')}.`,
  'switched-off-there': '{client} does not use it itself: {why}.',
  'helper-left-out':
    '{client} runs a program that makes headers for it. mcp-hooks does not run that program, so these headers are missing.',
  'configuration-broken': (
    { file, line, column, why }: { file: string; line?: number; column?: number; why: Message },
    say: Say,
  ) => `${placeIn(file, line, column)}: ${say(why)}; no server in it is found`,
  'not-configured': ({ name, near }: { name: string; near: Names }, say: Say) =>
    `${JSON.stringify(name)} is not a file here, and no client has a server of that name.${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''}${say.nothing}`,
  'scan-servers': FIND_HOOKS,
  'catalogue-has':
    "mcp-hooks' catalogue has hooks for {entry} ({what}). Add that server to a client first, with the arguments it needs.",
  'add-server': 'For example: {words}',
  'looked-at': (
    facts: Record<'path' | 'client' | 'scope', string> & { found: Message },
    say: Say,
  ) => `  ${facts.path}  (${facts.client}, ${facts.scope}: ${say(facts.found)})`,
  'looked-in': 'Looked in:',
  'not-there-either': ({ files }: { files: number }, say: Say) =>
    `${count(files, 'file')} in which clients keep servers ${files === 1 ? 'is' : 'are'} not there${say.hint('; --verbose lists them')}.`,
  'not-filled-in': ({ why }: { why: RunnerMessage }, say: Say) =>
    `mcp-hooks cannot tell how it is started: ${say(why)}.${say.nothing}`,
  'only-its-client': ({ reference }: { reference: string }, say: Say) =>
    `Its configuration has ${reference}, which only its client can fill in.${say.nothing} Put the value into a variable and write \${env:NAME} there.`,
  'two-sources': 'Give either a server, or a command after --, but not both.',
  'no-source':
    'Name a server: a manifest, an address, npm:<package>, the name of a configured one, or after -- the command that starts it.',
  'no-team-manifest': ({ above }: { above: boolean }) =>
    `Without a server, mcp-hooks takes the project's mcp-hooks.json. There is none in this folder${above ? ', nor above it up to the top of the repository' : ''}.`,
  'team-no-plain-file':
    '{path} is a link or not a file, so it does not count as the manifest of this project.{nothing} If you mean it, name it.',
  'team-of-another':
    '{path} or its folder belongs to another user, so it was not read.{nothing} If you trust it, name it.',
  'unknown-source':
    '{source} is not a known server: give a manifest, an address, npm:<package>, the name of a configured server, or after -- the command that starts the server.{nothing}',
  'label-needed': 'A server that is started by a command needs a label: add --name <label>.',
  'bad-header':
    'A header has the form \'Name: value\': a name of letters, digits and "-", and a value of visible characters.',
  'our-header': '{name} is a header that mcp-hooks sets itself.',
  'headers-need-address':
    '--header is for a server at an address: one that is started by a command has its environment.{nothing}',
  'header-again': ({ names }: { names: Names }, say: Say) =>
    `The value of ${names.join(', ')} was not kept: give it again with --header.${say.nothing}`,
  'header-unset': 'The header {name} needs the variable {variable}, which is not set.{nothing}',
  'header-unfit':
    'The value of the variable {variable} cannot be sent in the header {name}: it has a line break, or a character beyond ASCII.{nothing}',
  'insecure-address': '{server} is not https: the token would be sent unencrypted.{nothing}',
  'sign-in-first': ({ server }: { server: string }, say: Say) =>
    `${server} cannot be asked before you have signed in.${say.nothing} Sign in: mcp-hooks login ${quoted(server)}`,
  'bundle-broken':
    '{path} cannot be read: it is not a zip file, or it is damaged or encrypted.{nothing}',
  'bundle-two-manifests':
    '{path} cannot be used: there are several files called manifest.json in it.{nothing}',
  'bundle-no-manifest': '{path} cannot be used: there is no manifest.json in it.{nothing}',
  'bundle-without': ({ id }: { id: string }) =>
    `no hooks in it; expected "_meta": { "${id}": { "hooks": { "declarations": [...] } } }`,
  'bundle-several': ({ id, keys }: { id: string; keys: Names }) =>
    `hooks under several keys of "_meta" (${inLine(keys.join(', '), 200)}), and none of them is "${id}"`,
  'bundle-foreign': ({ key, id }: Record<'key' | 'id', string>) =>
    `the hooks are taken from ${JSON.stringify(key)} in "_meta", because there are none under "${id}"`,
  'package-without': 'this package.json has no "mcpHooks", the key for the hooks of its server',
  'folder-without-hooks': ({ folder, looked }: { folder: string; looked: Names }, say: Say) =>
    `There are no hooks in the folder ${folder}: looked into ${looked.join(', ')}.${say.nothing}`,
  'package-unnamed':
    'There is no package.json with a "name" in {folder}, the folder of the manifest.{nothing}',
  'packed-package':
    '{path} is a package as npm packs it; mcp-hooks does not look into it.{nothing}',
  'unpack-it': ({ path }: { path: string }) =>
    `Unpack it, and give the folder: tar -xzf ${quoted(path)} makes one that is called package.`,
  'needs-variable': ({ name }: { name: string }) =>
    `its server needs ${inLine(name, 100)}: set it in the environment that your client is started in`,
  'registry-without': ({ key, id }: Record<'key' | 'id', string>) =>
    `no hooks in it; expected "_meta": { "${key}": { "${id}": { "hooks": { "declarations": [...] } } } }, or "mcpHooks" in the place of "${id}"`,
  'registry-large':
    'this is {bytes} bytes of JSON; the official registry takes at most {limitBytes}',
  'registry-too-large':
    'The hooks are {bytes} bytes of JSON, and the official registry takes at most {limitBytes} in server.json.{nothing} Shorten the texts, or build the other targets with --target.',
  'npm-broken': 'What npm fetched for {spec} is not a package.{nothing}',
  'npm-too-large': ({ spec, limitBytes }: { spec: string; limitBytes: number }, say: Say) =>
    `${spec} is larger than ${mebibytes(limitBytes)}, and was not read.${say.nothing}`,
  'npm-timeout': ({ spec, seconds }: { spec: string; seconds: number }, say: Say) =>
    `npm did not fetch ${spec} within ${duration(seconds)} and was ended (--timeout allows more).${say.nothing}`,
  'npm-missing': 'npm:<package> needs npm, and there is no npm on the PATH.{nothing}',
  'npm-not-found': 'npm found no {spec} in its registry, or you have no access to it.{nothing}',
  'npm-no-version': 'There is no such version or tag: {spec}.{nothing}',
  'npm-not-allowed': 'The registry denied access to {spec} ({npmCode}): try npm login.{nothing}',
  'npm-offline': 'npm could not reach its registry for {spec} ({npmCode}).{nothing}',
  'npm-failed': 'npm could not fetch {spec} ({npmCode}).{nothing}',
  'npm-last-words': "The end of npm's output:",
  'npm-bad-spec': ({ spec }: { spec: string }, say: Say) =>
    `${JSON.stringify(spec)} is not a package: write npm:<package> or npm:@<scope>/<package>, with @<version> or @<tag> if you like.${say.nothing}`,
  'npm-no-command': ({ spec, why }: { spec: string; why?: Message }, say: Say) =>
    `${spec} has no manifest, and cannot be started: ${why === undefined ? '' : say(why)}.${say.nothing}`,
  'npm-choose':
    'Choose the command: instead of npm:{spec}, give --name <label> -- npx -y --package={spec} -- <command>',
  'manifest-names-it': '{path} names this server, and it runs as you.',
  'npm-consent':
    '{spec} has no manifest, so its server is started and asked: npm downloads the package and its dependencies, and its code runs as you.',
  'copy-needs-scripts': ({ spec, names }: { spec: string; names: Names }) =>
    `${spec} has install scripts, which a copy would not run (${somePackages(names)}).`,
  'copy-unchecked': ({ spec, names }: { spec: string; names: Names }) =>
    `${spec} needs packages without a checksum (${somePackages(names)}).`,
  'copy-no-start': ({ spec, why }: { spec: string; why: Message }, say: Say) =>
    `${spec} cannot be started from a copy: ${say(why)}.`,
  'copy-has-no-file': '{file} is missing, or is not a script for node',
  'npm-twice': '{spec} cannot be used: it has the file {file} more than once.{nothing}',
  'npm-link': '{spec} cannot be used: its {file} is not a plain file.{nothing}',
  'not-an-address':
    '{typed} is not the address of a server: it must begin with http:// or https://, and have no variables in it.',
  'password-in-address':
    'The address has a user or password in it: pass your credentials with --header.{nothing}',
  'still-unauthorized': ({ server }: { server: string }) =>
    `${server} rejected the token after you signed in. To delete the token: mcp-hooks logout ${quoted(server)}`,
  'sign-in-failed': ({ server, why }: { server: string; why: Message }, say: Say) =>
    `Signing in to ${server} failed: ${say(why)}.${say.nothing}`,
  'sign-in-elsewhere': ({ origin }: { origin: string }) =>
    `it redirects to ${inLine(origin, 200)}, which is not https, or is an address of a private network`,
  'sign-in-refused': 'Signing in was refused ({why}).{nothing}',
  'sign-in-late': ({ seconds, strangers }: { seconds: number; strangers: boolean }, say: Say) =>
    `No one signed in within ${duration(seconds)}${strangers ? ' (an answer to another request was ignored)' : ''}.${say.nothing}`,
  'no-redirect': ({ why }: { why: Message }, say: Say) =>
    `Nothing can listen on 127.0.0.1 here for the answer of the browser: ${say(why)}.${say.nothing}`,
  'sign-in-needs-terminal':
    '{server} wants you to sign in, and this is not a terminal. Run mcp-hooks login {server} in one, or pass your credentials with --header.{nothing}',
  'sign-in-page': ({ server, opened }: { server: string; opened: boolean }) =>
    opened
      ? `Sign in to ${server} in the browser that opens, or at this address, on this machine:`
      : `To sign in to ${server}, open this address in a browser on this machine:`,
  'no-registration':
    'The authorization server of {server} rejected client registration. Pass your credentials with --header.{nothing}',
  'tokens-locked': 'Another mcp-hooks holds {file}.{nothing}',
  'server-error': '{command} answered "initialize" with an error: {error}.{nothing}',
  'discover-error':
    '"server/discover" (protocol 2026-07-28) was answered with an error, too: {error}.',
  'server-not-mcp':
    '{command} answered, but not as an MCP server: the answer has no result.{nothing}',
  'response-too-deep':
    'What {name} declares is nested too deeply: at most {depth} levels are read.{nothing}',
  'beyond-limits': '{name} exceeds the limits of a declaration.{nothing}',
  'address-unfit':
    'Invalid server URL: it must begin with http:// or https://, with all variables filled in.{nothing}',
  'address-unfit-user':
    'Its address holds a user or a password, which is not sent: pass your credentials in a header.{nothing}',
  'response-too-large': ({ name, limitBytes }: { name: string; limitBytes: number }, say: Say) =>
    `${name} sent too much: at most ${mebibytes(limitBytes)}.${say.nothing}`,
  'address-timeout': ({ name, deadlineMs }: { name: string; deadlineMs: number }, say: Say) =>
    `${name} did not answer within ${duration(deadlineMs / 1000)} (--timeout allows more).${say.nothing}`,
  'address-hung-up': '{name} closed the connection before it answered.{nothing}',
  'address-unreached': ({ name, why }: { name: string; why: SystemReason }, say: Say) =>
    `${name} could not be reached: ${NETWORK[why.errno ?? ''] ?? why.errno ?? why.text}.${say.nothing}`,
  'sign-in-needed':
    '{name} rejected the request (HTTP {status}): pass credentials with --header, or sign in.{nothing}',
  challenge: 'What it asks for: {words}',
  'address-moved':
    '{name} redirects to {to}, which was not followed: use that address if you mean that server.{nothing}',
  'address-status': '{name} answered with HTTP {status}, not as an MCP server.{nothing}',
  'server-timeout': (
    { command, deadlineMs, asked }: Record<'command' | 'asked', string> & { deadlineMs: number },
    say: Say,
  ) =>
    `${command} did not answer ${JSON.stringify(asked)} within ${duration(deadlineMs / 1000)} and was ended (--timeout allows more).${say.nothing}`,
  'start-unknown':
    'mcp-hooks does not know how {name} is started, so it cannot ask for its tools.{nothing}',
  'package-consent': '{file} starts it: code of this folder runs as you.',
  'tools-not-listed': '{name} did not list its tools: {error}.{nothing}',
  // About the arguments for a tool. `argument` is a path such as `items[0].name`.
  'argument-missing': ({ tool, argument }: Record<'tool' | 'argument', string>) =>
    `the tool ${JSON.stringify(tool)} needs the argument ${JSON.stringify(argument)}`,
  'argument-unknown': (facts: Record<'tool' | 'argument', string> & { known: Names }) =>
    `the tool ${JSON.stringify(facts.tool)} has no argument ${JSON.stringify(facts.argument)}${facts.known.length > 0 ? `; it has: ${inLine(facts.known.join(', '), 300)}` : ''}`,
  'argument-type': ({ tool, argument, expected, found }: ArgumentType) =>
    `the argument ${JSON.stringify(argument)} of the tool ${JSON.stringify(tool)} is of the type ${found}; it has to be ${expected.join(' or ')}`,
  'argument-value': (facts: Record<'tool' | 'argument', string> & { allowed: Names }) =>
    `the argument ${JSON.stringify(facts.argument)} of the tool ${JSON.stringify(facts.tool)} is not one of ${inLine(facts.allowed.join(', '), 300)}`,
  'download-too-long': (
    { name, launcher, limitMs }: Record<'name' | 'launcher', string> & { limitMs: number },
    say: Say,
  ) =>
    `${launcher} did not finish downloading ${name} within ${duration(limitMs / 1000)} and was ended. Run its command yourself once, then try again.${say.nothing}`,
  'server-not-started': ({ command, why }: { command: string; why: SystemReason }, say: Say) =>
    `${command} could not be started: ${why.errno === 'ENOENT' ? 'command not found' : (why.errno ?? why.text)}.${say.nothing}`,
  'server-exited': (
    { command, exitCode, signal }: { command: string; exitCode: number | null; signal?: string },
    say: Say,
  ) => `${command} ended (${signal ?? `exit code ${exitCode}`}) before it answered.${say.nothing}`,
  'server-folder-missing':
    '{command} could not be started: {folder}, the folder in which it is to run, is not there.{nothing}',
  'server-crashed': 'It crashed with:',
  'server-last-lines': 'Its last lines on standard error:',
  // Why it is unknown how a server is started: the end of a sentence.
  'no-bin': 'package.json has no "bin"',
  'several-bins': ({ names }: { names: Names }) =>
    `package.json has several commands, none of them with its own name: ${inLine(names.join(', '), 200)}`,
  'bin-outside': ({ path }: { path: string }) =>
    `"bin" is outside of its folder: ${inLine(path, 200)}`,
  'bin-missing': ({ path }: { path: string }) =>
    `${inLine(path, 200)} is not there (not built yet?)`,
  'bin-not-for-node': ({ path }: { path: string }) => `${inLine(path, 200)} is not run by node`,
  'server-malformed': '"server" is missing or malformed',
  'host-starts': '"mcp_config" is missing: the host decides how the server is started',
  'bundle-packed': 'the bundle is not unpacked; unpack it and give the folder',
  'host-variable': ({ text }: { text: string }) =>
    `only its host can fill in ${inLine(text, 100)} in "mcp_config"`,
  'not-in-folder': ({ command }: { command: string }) =>
    `there is no ${inLine(command, 200)} in its folder`,
  'not-on-disk': 'its "server" names a file of the package, which is nowhere on this machine',
  'values-in-package':
    'its "server" has values ("env" or "headers"), which can only be read from a file that stays where it is',
  'no-package': 'it has neither "packages" nor "remotes"',
  'registry-unknown': ({ type }: { type: string }) =>
    `packages of ${inLine(type, 50)} cannot be started from here`,
  'not-stdio': 'the package does not use stdio',
  'wrong-package': ({ identifier }: { identifier: string }) =>
    `${inLine(identifier, 100)} is not a package with an exact version`,
  'other-registry': ({ url }: { url: string }) =>
    `it is in a registry of its own: ${inLine(url, 100)}`,
  'input-needed': ({ name }: { name: string }) =>
    `it needs a value that only you know: ${inLine(name, 100)}`,
  'wrong-argument': 'its arguments are malformed',
  'remote-unknown': ({ type }: { type: string }) =>
    `mcp-hooks cannot reach an address of the type ${inLine(type, 50)}`,
  'wrong-address': ({ url }: { url: string }) => `${inLine(url, 100)} is not a valid address`,
  'header-needed': ({ name }: { name: string }) =>
    `its address needs a header that only you know: ${inLine(name, 100)}`,
} as const;

export type SourceMessage = MessageOf<typeof sources>;
