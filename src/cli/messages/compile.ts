/** The words for src/compile/messages.ts. */

import type { MissingTool } from '../../compile/known-tools.ts';
import type { CompileMessage } from '../../compile/messages.ts';
import type { Changed } from '../../compile/program.ts';
import { meant, type Words } from '../../system/words.ts';

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

/** What a decision does, after "may". */
const CHANGE: Readonly<Record<Changed, string>> = {
  block: 'stop what was about to happen',
  input: 'change what the tool is given',
  output: 'change what the model reads of the output',
};

export const compile = {
  'missing-tool': (missing) => MISSING_TOOL[missing.why](missing),
  told: ({ when, actNow }) => `${when}${actNow ? ' (--act-now does that)' : ''}`,
  exception: ({ text }) => text,
  'no-such-moment': ({ client, why }) =>
    `${client} has no such moment${why === undefined ? '' : `: ${why}`}`,
  'failures-unknown': ({ client }) =>
    `${client} does not say how a command ended, so this also comes after one that failed.`,
  'extra-turn': () => 'it would cost a turn of the model, and --no-extra-turns is given',
  'unknown-native-tool': ({ client, tool }) =>
    `"${tool}" is not a known tool of ${client}; it is matched as it is.`,
  'unknown-server-named': ({ hook, text, client, near }) =>
    `${hook === undefined ? 'Its text' : `hook ${hook}`} names ${text}, and ${client} has no such MCP server in its configuration${near === undefined ? '.' : meant(near)}`,
  'own-server-missing': ({ client, name, add }) =>
    `${client} has not configured this server, so the hooks call it "${name}".${add === undefined ? '' : ` To add it: ${add}`}`,
  'own-server-renamed': ({ client, was, name }) =>
    `${client} now calls this server "${name}", and the installed hooks call it "${was}"`,
  'muted-by-policy': () => 'It is not shown: your policy.json mutes this server.',
  'tool-forbidden-by-policy': () => 'Its tool is not called: your policy.json does not allow it.',
  'text-cut': ({ characters }) =>
    `Its text is cut after about ${characters} characters: clients cut longer texts themselves.`,
  'text-too-long': ({ characters, read }) =>
    `"context" has ${characters} characters; by default the model reads the first ${read}.`,
  'not-heard': ({ heard }) =>
    `only the ${heard} strongest hooks of a server are shown ("hooksPerServer" in policy.json)`,
  'left-out-here': () => 'calling its tool needs a grant (--allow context-tool)',
  'not-enabled': () => 'the declaration switches it off',
  'command-left-out': () => 'running its program needs a grant (--allow command)',
  'project-code-left-out': () =>
    "running the project's own code needs a grant (--allow project-code)",
  'command-not-named': () =>
    'its program is only run if you name the file that declares it yourself',
  'block-left-out': () => 'stopping anything needs a grant (--allow block)',
  'command-not-shipped': () =>
    'a package runs no programs: users who want this hook run mcp-hooks install with the manifest',
  'tool-not-shipped': ({ tool }) =>
    `its tool ${tool} cannot be called: the package does not know how the server is started`,
  'package-not-shipped': ({ why }, say) =>
    `The server is left out, because npx could not start it: ${say(why)}.`,
  'hook-secret-not-shipped': ({ where }) =>
    `left out of what is built: something in its ${where} may be a secret, and everybody would get it`,
  'secret-not-shipped': ({ where }) =>
    `The server is left out: ${where} may be a secret. In the manifest, write a variable in its place, for example \${API_KEY}.`,
  'server-not-shipped': ({ word }) =>
    `The server is left out: ${word} is a file of this machine. In the manifest, write how others start it, for example "server": { "command": "npx", "args": ["-y", "annal"] }.`,
  'policy-decides': ({ rules }) =>
    `Off until a user's policy.json has ${rules.map((rule) => `"${rule}": true`).join(' and ')}.`,
  'policy-trusts': () =>
    '"required" counts as "important" until a user\'s policy.json has "trusted": true.',
  'deadline-cut': ({ client, milliseconds }) =>
    `${client} allows less time: it has ${milliseconds} ms at most.`,
  'cannot-block': ({ client }) => `${client} lets no hook stop this`,
  blocks: ({ when }) => (when === undefined ? 'why, when it is stopped' : `why, ${when}`),
  decided: ({ what, grade, when }) =>
    `It may ${CHANGE[what]} (${grade}${when === undefined ? '' : `: ${when}`}).`,
  'deny-in-vain': ({ client }) =>
    `If it fails, it does not block: ${client} lets no hook stop this.`,
  'failure-by-policy': ({ action }) =>
    `Your policy.json has it ${action === 'deny' ? 'block' : 'let everything through'} if it fails.`,
  'not-decided': ({ what, client }) => `${client} does not let it ${CHANGE[what]}.`,
  'not-granted': ({ decision }) =>
    `What it decides is only shown as text: that needs a grant (--allow ${decision}).`,
  'no-such-tool': ({ glob }) => noSuchTool(glob),
  'fires-all-the-same': () => 'It is installed and will fire if the client ever gets such a tool.',
  'nothing-to-tell': () => 'the text is empty, so nothing is shown',
  'too-many-names': () =>
    'The braces in its tool_name stand for too many names, so they are taken literally.',
  'downgraded-by-policy': () =>
    '"required" counts as "important": your policy.json does not trust this server.',
  'downgraded-here': () =>
    '"required" counts as "important": it needs a grant (--allow required), or "trusted" in policy.json.',
  'tools-not-called': ({ names }) =>
    `Its tool is not called: the value of ${names.join(', ')} is not saved.`,
  'tools-not-over-sse': () =>
    'Its tool is not called: its server speaks only HTTP+SSE, and hooks do not.',
  'empty-field': ({ field, so }, say) => `"${field}" is empty: ${say(so)}`,
  'never-fires': () => 'the hook never fires',
  'unknown-variable': ({ name, near }) => `{${name}} is not filled in; did you mean {${near}}?`,
  'matcher-too-long': ({ client, limitCharacters }) =>
    `${client} starts our runner for every tool, and the runner decides: a matcher for these hooks would be longer than ${limitCharacters.toLocaleString('en')} characters.`,
} satisfies Words<CompileMessage>;
