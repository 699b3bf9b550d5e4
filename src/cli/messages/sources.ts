/** The words for src/sources/messages.ts. */

import type { SourceMessage } from '../../sources/messages.ts';
import { quoted } from '../../sources/shown-launch.ts';
import { inLine } from '../../system/visible.ts';
import type { Words } from '../../system/words.ts';
import { mebibytes, placeIn } from './words.ts';

/** Why a server cannot be reached, by system error code. */
const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its host cannot be looked up right now',
  ECONNRESET: 'the connection was broken off',
  UND_ERR_SOCKET: 'the connection was broken off',
  UND_ERR_CONNECT_TIMEOUT: 'the connection took too long',
};

export const sources = {
  'not-there': ({ above }) => (above ? 'not there, nor in folders above' : 'not there'),
  'not-read': ({ line, column, why }, say) =>
    `cannot be read${line === undefined ? '' : ` at ${line}:${column}`}: ${say(why)}`,
  'linked-out': ({ target }) => `a link takes it out of the project, to ${target}`,
  'servers-there': ({ names }) => names.join(', ') || 'no servers',
  'left-out-at': ({ at, problem }, say) => `${at}: left out: ${say(problem)}`,
  'problem-at': ({ at, problem }, say) => `${at}: ${say(problem)}`,
  'no-token': () => 'there is no token in its answer',
  'no-page': () => 'it names no page that could be opened',
  'stdout-not-json': ({ text }) => `Its standard output had this instead of JSON: ${text}`,
  'no-address': ({ text }, say) =>
    `${text} is not the address of a server (http:// or https://).${say.nothing}`,
  'address-with-user': ({ name }, say) =>
    `${name} holds a user or a password, which would be saved: pass your credentials in a header.${say.nothing}`,
  'address-needs-label': ({ host }, say) =>
    `${host} cannot name a server: add --name <label>.${say.nothing}`,
  'called-after-host': ({ label, host }) =>
    `Called ${label}, after ${host}: --name gives another name.`,
  'unknown-server-client': ({ name, known }) =>
    `--from: there is no client "${name}"; known: ${known.join(', ')}.`,
  'which-server': ({ name }) => `Which ${JSON.stringify(name)}?`,
  'several-servers': ({ name }, say) =>
    `Several clients have a server ${JSON.stringify(name)}, and not the same one: say which.${say.nothing}`,
  'needs-shell': ({ part }) =>
    `${JSON.stringify(part)} in it needs a shell, and none is started: put it into a script`,
  'tool-of-nobody': ({ tool }) =>
    `${JSON.stringify(tool)} names no server: write <server>.<tool>, for example "memory.recall"`,
  'of-one-server': ({ name, others }) =>
    `Only the hooks of ${name} are taken; --name takes those of another server: ${others.map((one) => inLine(one, 100)).join(', ')}.`,
  'servers-in-file': ({ path, names }, say) =>
    `${path} has hooks with tools of several servers: ${names.map((one) => inLine(one, 100)).join(', ')}. One label is one server.${say.nothing}`,
  'choose-by-name': ({ path, name }) =>
    `For the hooks of one of them: ${quoted(path)} --name ${quoted(name)}`,
  'tools-server-unknown': ({ name }, say) =>
    `No client has a server ${JSON.stringify(name)}, whose tools these hooks call.${say.nothing}`,
  'tools-server-unclear': ({ name }, say) =>
    `Several clients have a server ${JSON.stringify(name)}, whose tools these hooks call, and not the same one.${say.nothing}`,
  'say-server': ({ path, name }) =>
    `Say in ${path} how it is started: "mcpServers": { ${JSON.stringify(name)}: { "command", "args" } }`,
  'server-not-said': ({ name }) => `the file does not say how ${JSON.stringify(name)} is started`,
  'choose-with-from': ({ id }) => `For example, add --from ${id}`,
  'says-no-start': ({ name, file }, say) =>
    `${JSON.stringify(name)} in ${file} has neither a command nor an address.${say.nothing}`,
  'no-label-in-name': ({ name }, say) =>
    `${JSON.stringify(name)} is its name there and cannot be a label: add --name <label>.${say.nothing}`,
  'file-of-the-folder': ({ file, client, canTell }) =>
    `${file} is a project file${canTell ? ` that you have not approved in ${client}` : `, and mcp-hooks cannot see whether you approved it in ${client}`}.`,
  'configured-in': ({ file, client, scope, over }) =>
    `Configured in ${file} (${client}, ${scope})${over.length > 0 ? `, which comes before ${over.join(', ')}` : ''}.`,
  'only-nearest': ({ client, file }) =>
    `${client} merges what these files say about it; mcp-hooks reads only ${file}.`,
  'also-configured': ({ where }) => `Also configured in ${where.join(', ')}.`,
  'switched-off-there': ({ client, why }) => `${client} does not use it itself: ${why}.`,
  'helper-left-out': ({ client }) =>
    `${client} runs a program that makes headers for it. mcp-hooks does not run that program, so these headers are missing.`,
  'configuration-broken': ({ file, line, column, why }, say) =>
    `${placeIn(file, line, column)}: ${say(why)}; no server in it is found`,
  'not-configured': ({ name, near }, say) =>
    `${JSON.stringify(name)} is not a file here, and no client has a server of that name.${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''}${say.nothing}`,
  'catalogue-has': ({ entry, what }) =>
    `mcp-hooks' catalogue has hooks for ${entry} (${what}). Add that server to a client first, with the arguments it needs.`,
  'add-server': ({ words }) => `For example: ${words}`,
  'looked-at': ({ path, client, scope, found }, say) =>
    `  ${path}  (${client}, ${scope}: ${say(found)})`,
  'looked-in': () => 'Looked in:',
  'not-filled-in': ({ why }, say) =>
    `mcp-hooks cannot tell how it is started: ${say(why)}.${say.nothing}`,
  'only-its-client': ({ reference }, say) =>
    `Its configuration has ${reference}, which only its client can fill in.${say.nothing} Put the value into a variable and write \${env:NAME} there.`,
  'two-sources': () => 'Give a server or, after --, a command: not both.',
  'no-source': () =>
    'Name a server: a manifest, an address, npm:<package>, the name of a configured one, or after -- the command that starts it.',
  'unknown-source': ({ source }, say) =>
    `${source} is not a known server: give a manifest, an address, npm:<package>, the name of a configured server, or after -- the command that starts the server.${say.nothing}`,
  'label-needed': () => 'A server that is started by a command needs a label: add --name <label>.',
  'bad-header': () =>
    'A header is \'Name: value\', its name of letters, digits and "-", its value of visible characters.',
  'our-header': ({ name }) => `${name} is a header that mcp-hooks sets itself.`,
  'headers-need-address': (_, say) =>
    `--header is for a server at an address: one that is started by a command has its environment.${say.nothing}`,
  'header-again': ({ names }, say) =>
    `The value of ${names.join(', ')} was not kept: give it again with --header.${say.nothing}`,
  'header-unset': ({ name, variable }, say) =>
    `The header ${name} needs the variable ${variable}, which is not set.${say.nothing}`,
  'header-unfit': ({ name, variable }, say) =>
    `The header ${name} cannot have what is in the variable ${variable}: a line break, or a character beyond ASCII.${say.nothing}`,
  'insecure-address': ({ server }, say) =>
    `${server} is not https, so anybody on the way could read the token.${say.nothing}`,
  'sign-in-first': ({ server }, say) =>
    `${server} cannot be asked before you have signed in: mcp-hooks login ${quoted(server)}.${say.nothing}`,
  'bundle-broken': ({ path }, say) =>
    `${path} cannot be read: it is not a zip file, or it is damaged or encrypted.${say.nothing}`,
  'bundle-two-manifests': ({ path }, say) =>
    `${path} cannot be used: there are several files called manifest.json in it.${say.nothing}`,
  'bundle-no-manifest': ({ path }, say) =>
    `${path} cannot be used: there is no manifest.json in it.${say.nothing}`,
  'bundle-without': ({ id }) =>
    `no hooks in it; expected "_meta": { "${id}": { "hooks": { "declarations": [...] } } }`,
  'bundle-several': ({ id, keys }) =>
    `hooks under several keys of "_meta" (${inLine(keys.join(', '), 200)}), and none of them is "${id}"`,
  'bundle-foreign': ({ key, id }) =>
    `the hooks are taken from ${JSON.stringify(key)} in "_meta", because there are none under "${id}"`,
  'package-without': () =>
    'no "mcpHooks" in it, which is where a package.json has the hooks of its server',
  'folder-without-hooks': ({ folder, looked }, say) =>
    `There are no hooks in the folder ${folder}: looked into ${looked.join(', ')}.${say.nothing}`,
  'package-unnamed': ({ folder }, say) =>
    `There is no package.json with a "name" in ${folder}, the folder of the manifest.${say.nothing}`,
  'packed-package': ({ path }, say) =>
    `${path} is a package as npm packs it; mcp-hooks does not look into it.${say.nothing}`,
  'unpack-it': ({ path }) =>
    `Unpack it, and give the folder: tar -xzf ${quoted(path)} makes one that is called package.`,
  'needs-variable': ({ name }) =>
    `its server needs ${inLine(name, 100)}: set it in the environment that your client is started in`,
  'registry-without': ({ key, id }) =>
    `no hooks in it; expected "_meta": { "${key}": { "${id}": { "hooks": { "declarations": [...] } } } }, or "mcpHooks" in the place of "${id}"`,
  'registry-large': ({ bytes, limitBytes }) =>
    `this is ${bytes} bytes of JSON; the official registry takes at most ${limitBytes}`,
  'registry-too-large': ({ bytes, limitBytes }, say) =>
    `The hooks are ${bytes} bytes of JSON, and the official registry takes at most ${limitBytes} in server.json.${say.nothing} Shorten the texts, or build the other targets with --target.`,
  'npm-broken': ({ spec }, say) => `What npm fetched for ${spec} is not a package.${say.nothing}`,
  'npm-too-large': ({ spec, limitBytes }, say) =>
    `${spec} is larger than ${mebibytes(limitBytes)}, and was not read.${say.nothing}`,
  'npm-silent': ({ spec, seconds }, say) =>
    `npm did not fetch ${spec} within ${seconds} seconds and was ended (--timeout allows more).${say.nothing}`,
  'npm-missing': (_, say) =>
    `npm:<package> needs npm, and there is no npm on the PATH.${say.nothing}`,
  'npm-not-found': ({ spec }, say) =>
    `npm found no ${spec} in its registry, or you have no access to it.${say.nothing}`,
  'npm-no-version': ({ spec }, say) => `There is no such version or tag: ${spec}.${say.nothing}`,
  'npm-not-allowed': ({ spec, npmCode }, say) =>
    `The registry denied access to ${spec} (${npmCode}): try npm login.${say.nothing}`,
  'npm-offline': ({ spec, npmCode }, say) =>
    `npm could not reach its registry for ${spec} (${npmCode}).${say.nothing}`,
  'npm-failed': ({ spec, npmCode }, say) =>
    `npm could not fetch ${spec} (${npmCode}).${say.nothing}`,
  'npm-last-words': () => "The end of npm's output:",
  'npm-bad-spec': ({ spec }, say) =>
    `${JSON.stringify(spec)} is not a package: npm:<package>, npm:@<scope>/<package>, either with @<version> or @<tag>.${say.nothing}`,
  'npm-no-command': ({ spec, why }, say) =>
    `${spec} has no manifest, and cannot be started: ${why === undefined ? '' : say(why)}.${say.nothing}`,
  'npm-choose': ({ spec }) =>
    `Say which command is meant: in place of npm:${spec}, give --name <label> -- npx -y --package=${spec} -- <command>`,
  'manifest-names-it': ({ path }) => `${path} names this server, and it runs as you.`,
  'npm-consent': ({ spec }) =>
    `${spec} has no manifest, so its server is started and asked: npm downloads the package and its dependencies, and its code runs as you.`,
  'npm-twice': ({ spec, file }, say) =>
    `${spec} cannot be used: it has the file ${file} more than once.${say.nothing}`,
  'npm-link': ({ spec, file }, say) =>
    `${spec} cannot be used: its ${file} is not a plain file.${say.nothing}`,
  'not-an-address': ({ typed }) =>
    `${typed} is not the address of a server: http:// or https://, and no variables in it.`,
  'password-in-address': (_, say) =>
    `The address has a user or password in it: pass your credentials with --header.${say.nothing}`,
  'still-unauthorized': ({ server }) =>
    `${server} rejected the token after you signed in. To delete the token: mcp-hooks logout ${quoted(server)}`,
  'sign-in-failed': ({ server, why }, say) =>
    `Signing in to ${server} failed: ${say(why)}.${say.nothing}`,
  'sign-in-elsewhere': ({ origin }) =>
    `it leads to ${inLine(origin, 200)}, which is not https, or nearer to this machine than the server is`,
  'sign-in-refused': ({ why }, say) => `Signing in was refused (${why}).${say.nothing}`,
  'sign-in-late': ({ seconds, strangers }, say) =>
    `Nobody signed in within ${seconds} seconds${strangers ? ' (an answer to another request was ignored)' : ''}.${say.nothing}`,
  'no-redirect': ({ why }, say) =>
    `Nothing can listen on 127.0.0.1 here for the answer of the browser: ${say(why)}.${say.nothing}`,
  'sign-in-needs-terminal': ({ server }, say) =>
    `${server} wants you to sign in, and this is not a terminal. Run mcp-hooks login ${server} in one, or pass your credentials with --header.${say.nothing}`,
  'sign-in-page': ({ server, opened }) =>
    opened
      ? `Sign in to ${server} in the browser that opens, or at this address, on this machine:`
      : `To sign in to ${server}, open this address in a browser on this machine:`,
  'no-registration': ({ server }, say) =>
    `The authorization server of ${server} rejected client registration. Pass your credentials with --header.${say.nothing}`,
  'tokens-locked': ({ file }, say) => `Another mcp-hooks holds ${file}.${say.nothing}`,
  'server-error': ({ command, error }, say) =>
    `${command} answered "initialize" with an error: ${error}.${say.nothing}`,
  'discover-error': ({ error }) =>
    `Asked with "server/discover", as servers of 2026 are, it answered with an error, too: ${error}.`,
  'server-not-mcp': ({ command }, say) =>
    `${command} answered, but not as an MCP server: the answer has no result.${say.nothing}`,
  'response-too-deep': ({ name, depth }, say) =>
    `What ${name} declares is nested too deeply: at most ${depth} levels are read.${say.nothing}`,
  'beyond-limits': ({ name }, say) => `${name} exceeds the limits of a declaration.${say.nothing}`,
  'address-unfit': (_, say) =>
    `Invalid server URL: it must begin with http:// or https://, with all variables filled in.${say.nothing}`,
  'address-unfit-user': (_, say) =>
    `Its address holds a user or a password, which is not sent: pass your credentials in a header.${say.nothing}`,
  'response-too-large': ({ name, limitBytes }, say) =>
    `${name} sent too much: at most ${mebibytes(limitBytes)}.${say.nothing}`,
  'address-silent': ({ name, deadlineMs }, say) =>
    `${name} did not answer within ${deadlineMs / 1000} seconds (--timeout allows more).${say.nothing}`,
  'address-hung-up': ({ name }, say) =>
    `${name} closed the connection before it answered.${say.nothing}`,
  'address-unreached': ({ name, why }, say) =>
    `${name} could not be reached: ${NETWORK[why.errno ?? ''] ?? why.errno ?? why.text}.${say.nothing}`,
  'sign-in-needed': ({ name, status }, say) =>
    `${name} rejected the request (HTTP ${status}): pass credentials with --header, or sign in.${say.nothing}`,
  challenge: ({ words }) => `What it asks for: ${words}`,
  'address-moved': ({ name, to }, say) =>
    `${name} redirects to ${to}, which was not followed: use that address if you mean that server.${say.nothing}`,
  'address-status': ({ name, status }, say) =>
    `${name} answered with HTTP ${status}, not as an MCP server.${say.nothing}`,
  'server-silent': ({ command, deadlineMs, asked }, say) =>
    `${command} did not answer ${JSON.stringify(asked)} within ${deadlineMs / 1000} seconds and was ended (--timeout allows more).${say.nothing}`,
  'start-not-told': ({ name }, say) =>
    `mcp-hooks does not know how ${name} is started, so it cannot ask for its tools.${say.nothing}`,
  'package-consent': ({ file }) => `${file} starts it: code of this folder runs as you.`,
  'tools-not-told': ({ name, error }, say) =>
    `${name} did not say which tools it has: ${error}.${say.nothing}`,
  'argument-missing': ({ tool, argument }) =>
    `the tool ${JSON.stringify(tool)} needs the argument ${JSON.stringify(argument)}`,
  'argument-unknown': ({ tool, argument, known }) =>
    `the tool ${JSON.stringify(tool)} has no argument ${JSON.stringify(argument)}${known.length > 0 ? `; it has: ${inLine(known.join(', '), 300)}` : ''}`,
  'argument-type': ({ tool, argument, expected, found }) =>
    `the argument ${JSON.stringify(argument)} of the tool ${JSON.stringify(tool)} is of the type ${found}; it has to be ${expected.join(' or ')}`,
  'argument-value': ({ tool, argument, allowed }) =>
    `the argument ${JSON.stringify(argument)} of the tool ${JSON.stringify(tool)} is not one of ${inLine(allowed.join(', '), 300)}`,
  'download-too-long': ({ name, launcher, limitMs }, say) =>
    `${launcher} did not finish downloading ${name} within ${limitMs / 1000} seconds and was ended. Run its command yourself once, then try again.${say.nothing}`,
  'server-not-started': ({ command, why }, say) =>
    `${command} could not be started: ${why.errno === 'ENOENT' ? 'there is no such command' : (why.errno ?? why.text)}.${say.nothing}`,
  'server-exited': ({ command, exitCode, signal }, say) =>
    `${command} ended (${signal ?? `exit code ${exitCode}`}) before it answered.${say.nothing}`,
  'server-folder-missing': ({ command, folder }, say) =>
    `${command} could not be started: ${folder}, the folder in which it is to run, is not there.${say.nothing}`,
  'server-crashed': () => 'It crashed with:',
  'server-last-lines': () => 'Its last lines on standard error:',

  // Why we cannot tell how a server is started: the end of a sentence.
  'no-bin': () => 'package.json has no "bin"',
  'several-bins': ({ names }) =>
    `package.json has several commands, none of them with its own name: ${inLine(names.join(', '), 200)}`,
  'bin-outside': ({ path }) => `"bin" is outside of its folder: ${inLine(path, 200)}`,
  'bin-missing': ({ path }) => `${inLine(path, 200)} is not there (not built yet?)`,
  'bin-not-for-node': ({ path }) => `${inLine(path, 200)} is not run by node`,
  'server-malformed': () => '"server" is missing or malformed',
  'host-starts': () => '"mcp_config" is missing: the host decides how the server is started',
  'bundle-packed': () => 'the bundle is not unpacked; unpack it and give the folder',
  'host-variable': ({ text }) => `only its host can fill in ${inLine(text, 100)} in "mcp_config"`,
  'not-in-folder': ({ command }) => `there is no ${inLine(command, 200)} in its folder`,
  'not-on-disk': () => 'its "server" names a file of the package, which is nowhere on this machine',
  'values-in-package': () =>
    'its "server" has values ("env" or "headers"), which can only be read from a file that stays where it is',
  'no-package': () => 'it has neither "packages" nor "remotes"',
  'registry-unknown': ({ type }) => `packages of ${inLine(type, 50)} cannot be started from here`,
  'not-stdio': () => 'the package does not speak over stdio',
  'wrong-package': ({ identifier }) =>
    `${inLine(identifier, 100)} is not a package with an exact version`,
  'other-registry': ({ url }) => `it is in a registry of its own: ${inLine(url, 100)}`,
  'input-needed': ({ name }) => `it needs a value that only you know: ${inLine(name, 100)}`,
  'wrong-argument': () => 'its arguments are malformed',
  'remote-unknown': ({ type }) => `an address of the kind ${inLine(type, 50)} is not called`,
  'wrong-address': ({ url }) => `${inLine(url, 100)} is not a valid address`,
  'header-needed': ({ name }) =>
    `its address needs a header that only you know: ${inLine(name, 100)}`,
} satisfies Words<SourceMessage>;
