/** Messages about what happens to a hook in a client. */

import type { Grade } from '../clients/contract.ts';
import type { Decision, OnFailure } from '../declaration/declaration.ts';
import type { Grant } from '../declaration/grants.ts';
import type { Message } from '../system/errors.ts';
import { duration, hooksInWords, listed } from '../system/plurals.ts';
import { type MessageOf, meant, type Say } from '../system/words.ts';
import type { MissingTool } from './known-tools.ts';
import type { Changed } from './program.ts';

type Names = readonly string[];

/** The client, or all of them if the sentences would otherwise be the same. */
interface InClients {
  readonly client: string | Names;
}

const named = ({ client }: InClients): string => listed([client].flat());

const noSuchTool = (glob: string): string => `no client has a tool ${JSON.stringify(glob)}`;

const MISSING_TOOL: Readonly<Record<MissingTool['why'], (missing: MissingTool) => string>> = {
  empty: () => '"tool_name" is empty and matches no tool; leave it out to match every tool',
  bracket: ({ glob, near }) =>
    `the brackets in ${JSON.stringify(glob)} are not a pattern (as [abc] or {a,b} are), and no tool has any in its name${meant(near)}`,
  server: ({ glob }) =>
    `${JSON.stringify(glob)} names an MCP server and no tool; every tool of it is ${JSON.stringify(`${glob.replace(/(?<!_)_+$/, '')}__*`)}`,
  unknown: ({ glob, near }) =>
    `${noSuchTool(glob)}${near === undefined ? '; the tools of MCP servers are called mcp__<server>__<tool>' : meant(near)}`,
};

/** The effect of a decision, after "may". */
const CHANGE: Readonly<Record<Changed, string>> = {
  block: 'stop what was about to happen',
  input: 'change what the tool is given',
  output: 'change what the model reads of the output',
};

const needs = (grant: Grant, { hint }: Say): string =>
  `needs your consent (${hint('--allow ')}${grant})`;

export const compile = {
  'missing-tool': (missing: MissingTool) => MISSING_TOOL[missing.why](missing),
  /** `when`: the client's own words, the end of "shown ...". `actNow`: it would come sooner with `--act-now`, at a cost. */
  told: ({ when, actNow }: { when: string; actNow?: true }, say: Say) =>
    `${when}${actNow ? say.hint(' (--act-now does that)') : ''}`,
  /** `text`: the client's own words for its limitation. */
  exception: ({ text }: { text: string }) => text,
  'no-such-moment': ({ why, ...clients }: InClients & { why: string | undefined }) =>
    `no matching event in ${named(clients)}${why === undefined ? '' : `: ${why}`}`,
  'not-on-windows': "not on Windows yet: mcp-hooks' plugin for {client} starts /bin/sh",
  /** The hook is only for failed calls. */
  'failures-dropped': 'text after such a failed call is dropped by {client}',
  'never-run': 'Untested in {client}: based on its documentation ({page}).',
  'only-documented': 'Untested: based on the documentation of {client}.',
  'server-not-told':
    'In {client}, a call does not name its server, so the text also comes with tools of the same name of other servers.',
  'server-announced':
    '{client} names tools after what their server calls itself: if you have given it another name, this does not fire.',
  'first-hook-only':
    'In {client}, if a hook of yours adds text there, too, the model reads only one of the two.',
  /** The hook is only for calls that did not fail. */
  'failures-unknown':
    'Also fires after a command that failed, because nothing in {client} tells how a command ended.',
  'extra-turn': (_: object, say: Say) =>
    `it would cost a turn of the model, which is not wanted here${say.hint(' (--no-extra-turns)')}`,
  'unknown-native-tool': '"{tool}" is not a known tool of {client}; it is matched as it is.',
  /** `hooks`: their numbers in the declaration, from 1; absent: it is clear which. `text`: as written in the declaration. */
  'unknown-server-named': ({
    hooks,
    text,
    near,
    ...clients
  }: InClients & { text: string; server: string; hooks?: readonly number[]; near?: string }) => {
    const which = hooks === undefined ? '' : `${hooksInWords(hooks)}: `;
    return `${which}no MCP server for ${text} in ${named(clients)}${meant(near)}`;
  },
  /** The server of `{server}` is not configured. `name`: the text in its place. `names`: for several servers. */
  'own-server-missing': (
    { name, names = [name], ...clients }: InClients & { name: string; names?: readonly string[] },
    say: Say,
  ) => {
    const [servers, them] =
      names.length > 1 ? ['These servers are', 'them'] : ['This server is', 'it'];
    const called = listed(names.map((one) => `"${one}"`));
    return `${servers} not configured in ${named(clients)}, so the hooks call ${them} ${called}${say.hint(`; install --with-server adds ${them} there`)}`;
  },
  /** The client's name for the server differs from the name in the hooks. */
  'own-server-renamed': ({ name, was, ...clients }: InClients & Record<'name' | 'was', string>) =>
    `this server is now called "${name}" in ${named(clients)}, and the installed hooks call it "${was}"`,
  /** The client has a different server under this name than other clients. */
  'own-server-differs': ({
    client,
    name,
    command,
    others,
    theirs,
  }: Record<'client' | 'name' | 'command' | 'theirs', string> & { others: readonly string[] }) =>
    `in ${client}, "${name}" is another server (${command}) than in ${listed(others)} (${theirs})`,
  'not-in-editor': 'Where an editor starts {client} ({command}), no such hook runs.',
  'muted-by-policy': 'It is not shown: all hooks of this server are muted.',
  'hook-muted': 'It is not shown: it is muted.',
  'tool-forbidden-by-policy': 'Its tool is not called: your policy.json does not allow it.',
  'text-cut':
    'Its text is cut after about {characters} characters: clients cut longer texts themselves.',
  'text-too-long':
    '"context" has {characters} characters; by default the model reads the first {read}.',
  'over-server-limit':
    'only the {limit} strongest hooks of a server are shown ("hooksPerServer" in policy.json)',
  'left-out-here': (_: object, say: Say) => `calling its tool ${needs('context-tool', say)}`,
  'not-enabled': 'the declaration switches it off',
  'command-left-out': (_: object, say: Say) => `running its program ${needs('command', say)}`,
  'project-code-left-out': (_: object, say: Say) =>
    `running the project's own code ${needs('project-code', say)}`,
  /** The user has not passed the file with the command by name. */
  'command-not-named': 'its program is only run if you name the file that declares it yourself',
  'block-left-out': (_: object, say: Say) => `stopping anything ${needs('block', say)}`,
  /** Parts of a hook that a package cannot contain. */
  'command-not-shipped':
    'a package runs no programs: users who want this hook run mcp-hooks install with the manifest',
  'tool-not-shipped':
    'its tool {tool} cannot be called: the package does not know how the server is started',
  /** `why`: why npx cannot start the package that contains it. */
  'package-not-shipped': ({ why }: { why: Message }, say: Say) =>
    `The server is left out, because npx could not start it: ${say(why)}.`,
  'hook-secret-not-shipped':
    'left out of what is built: something in its {where} may be a secret, and every user would get it',
  /** `where`: the place of a possible secret in the server's command, without the secret. */
  'secret-not-shipped': ({ where }: { where: string }) =>
    `The server is left out: ${where} may be a secret. In the manifest, write a variable in its place, for example \${API_KEY}.`,
  /** `word`: the part of the server's command that is a path on this machine. */
  'server-not-shipped': ({ word }: { word: string }) =>
    `The server is left out: ${word} is a file of this machine. In the manifest, write how others start it, for example "server": { "command": "npx", "args": ["-y", "annal"] }.`,
  /** Allowed in a package only if `policy.json` says so. */
  'policy-decides': ({ rules }: { rules: Names }) =>
    `Off until a user's policy.json has ${rules.map((rule) => `"${rule}": true`).join(' and ')}.`,
  'policy-trusts':
    '"required" counts as "important" until a user\'s policy.json has "trusted": true.',
  'deadline-cut': ({ client, milliseconds }: { client: string; milliseconds: number }) =>
    `In ${client}, it has at most ${duration(milliseconds / 1000)}.`,
  'cannot-block': 'no hook can stop this in {client}',
  /** `when`: the client's own words, if it does more than block; the end of "shown ...". */
  blocks: ({ when }: { when?: string }) =>
    when === undefined ? 'why, when it is stopped' : `why, ${when}`,
  decided: ({ what, grade, when }: { what: Changed; grade: Grade; when?: string }) =>
    `It may ${CHANGE[what]} (${grade}${when === undefined ? '' : `: ${when}`}).`,
  /** The hook blocks when it fails, but hooks cannot block this in the client. */
  'deny-in-vain': 'If it fails, it does not block in {client}: no hook can stop this there.',
  'failure-by-policy': ({ action }: { action: OnFailure }) =>
    `Your policy.json has it ${action === 'deny' ? 'block' : 'let everything through'} if it fails.`,
  'not-decided': ({ what, ...clients }: InClients & { what: Changed }) =>
    `In ${named(clients)}, it cannot ${CHANGE[what]}.`,
  'not-granted': ({ decision }: { decision: Decision }, say: Say) =>
    `Its decision is only shown as text: it ${needs(decision, say)}.`,
  'no-such-tool': ({ glob }: { glob: string }) => noSuchTool(glob),
  'name-unpredictable':
    'no tool has this name in {client}: names that are very long, or have letters beyond ASCII, become others',
  'fires-all-the-same': 'It is installed and will fire if the client ever gets such a tool.',
  'nothing-to-show': 'the text is empty, so nothing is shown',
  'text-not-read':
    'a notification is for you, and no model reads a text then: "command" or "context_tool" is needed',
  'too-many-names':
    'The braces in its tool_name expand to too many names, so they are taken literally.',
  'downgraded-by-policy':
    '"required" counts as "important": your policy.json does not trust this server.',
  'downgraded-here': (_: object, say: Say) =>
    `"required" counts as "important": it ${needs('required', say)}, or "trusted" in policy.json.`,
  'tools-not-called': ({ names }: { names: Names }) =>
    `Its tool is not called: the value of ${names.join(', ')} is not saved.`,
  'tools-not-over-sse':
    'Its tool is not called: its server supports only HTTP+SSE, which hooks do not.',
  'empty-field': ({ field, so }: { field: string; so: Message }, say: Say) =>
    `"${field}" is empty: ${say(so)}`,
  'never-fires': 'the hook never fires',
  'unknown-variable': ({ name, near }: Record<'name' | 'near', string>) =>
    `{${name}} is not filled in; did you mean {${near}}?`,
  'matcher-too-long': ({ limitCharacters, ...clients }: InClients & { limitCharacters: number }) =>
    `In ${named(clients)}, the matcher of these hooks would exceed ${limitCharacters.toLocaleString('en')} characters, so the runner starts for every tool and filters the calls.`,
} as const;

export type CompileMessage = MessageOf<typeof compile>;
