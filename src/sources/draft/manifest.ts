/** A first manifest for a server: its start without secrets, and the usual hooks. All of its texts are ours. */

import { basename, dirname, isAbsolute, parse, resolve } from 'node:path';
import type { SearchPlace } from '../../clients/servers/servers.ts';
import { isSteering } from '../../compile/steering.ts';
import { type HookDeclaration, isLabel } from '../../declaration/declaration.ts';
import type { ServerLaunch } from '../../declaration/declared.ts';
import { isInside, pathIn } from '../../system/files.ts';
import { listed } from '../../system/plurals.ts';
import { withoutEnvironment } from '../command-line.ts';
import { type Entry, readConfigurations } from '../configurations.ts';
import { fileAt } from '../launch.ts';
import { nameOf, packageIn } from '../manifests/package-json.ts';
import type { Tool } from '../protocol/tools.ts';
import { headOf, MASK, maskAddress, maskWords, variableIn } from '../redacted.ts';
import type { ToolCall } from './choose.ts';

/**
 * The usual hooks: recall what is known at the start, note something after a commit, summarise after a turn, and list what
 * exists after a failed call.
 */
export const USUAL = ['recall', 'note', 'summary', 'lookup'] as const;
export type Usual = (typeof USUAL)[number];

export interface DraftHook {
  /** One of the usual hooks, a hook from the catalogue, or an example. */
  readonly usual: Usual | 'catalogue' | 'example';
  readonly hook: HookDeclaration;
}

/** The hook that recalls what is known by calling a tool. */
export const recallBy = (
  { tool, args }: ToolCall,
  event: 'session_start' | 'pre_request' = 'session_start',
): DraftHook => ({
  usual: 'recall',
  hook: {
    event,
    context_tool: tool.name,
    ...(Object.keys(args).length > 0 && { context_tool_args: args }),
    priority: 'suggestion',
  },
});

/** How many tools one text names. */
const NAMED = 3;

/** The same as a text, for tools that all need more than a session can provide. */
export function recallInWords(finding: readonly Tool[]): DraftHook | undefined {
  const names = finding.slice(0, NAMED).map(toolName);
  if (names.length === 0) return undefined;
  const find = names.length === 1 ? 'finds' : 'find';
  const when = { event: 'session_start' } as const;
  return text('recall', when, `${listed(names)} ${find} what has been noted.`);
}

export const noteHook = (keeping: Tool): DraftHook =>
  text(
    'note',
    {
      event: 'post_tool_use',
      matcher: { tool_name: 'Bash', input_contains: 'git commit' },
      cooldown: 3600,
    },
    `Work was just committed. ${toolName(keeping)} keeps what was decided, and why, for later sessions.`,
  );

export const summaryHook = (keeping: Tool): DraftHook =>
  text(
    'summary',
    { event: 'post_request', cooldown: 1800 },
    `If the last turn settled something that later sessions need, ${toolName(keeping)} keeps it.`,
  );

/** After a failed call of the server, when a model would guess at names. */
const AFTER_FAILURE = {
  event: 'post_tool_use',
  matcher: { tool_name: 'mcp__{server}__*', failed: true },
  cooldown: 900,
} as const;

export function lookupHook(listing: readonly Tool[]): DraftHook | undefined {
  const names = listing.map(toolName);
  if (names.length === 0) return undefined;
  const [list, change] = names.length === 1 ? ['lists', 'changes'] : ['list', 'change'];
  return text(
    'lookup',
    AFTER_FAILURE,
    `The call has failed. ${listed(names)} ${list} what there is, and ${change} nothing.`,
  );
}

/** For a server whose tools reveal too little: a template for the author, switched off until it is filled in. */
export const exampleHook: DraftHook = text(
  'example',
  { ...AFTER_FAILURE, enabled: false },
  'A fact that helps after a call of this server has failed: write it here, and remove "enabled".',
);

type When = Pick<HookDeclaration, 'event' | 'matcher' | 'cooldown' | 'enabled'>;

function text(usual: DraftHook['usual'], when: When, context: string): DraftHook {
  const { event, matcher, ...often } = when;
  const what = { event, ...(matcher && { matcher }), context };
  return { usual, hook: { ...what, priority: 'suggestion', ...often } };
}

/** The name of a tool in texts. Each client replaces it by its own name. */
const toolName = ({ name }: Tool): string => `mcp__{server}__${name}`;

/** How a server is started or reached, in the form of a manifest. `variables`: those that must be set for it. */
export interface DraftServer {
  readonly server: ServerLaunch;
  readonly variables: readonly string[];
  /** Variables that determine what runs and that were not copied. */
  readonly leftOut: readonly string[];
  /** The server was started in this folder, which a manifest cannot express. */
  readonly folder?: string;
}

/**
 * @param file The manifest's future path. Files next to it get relative names.
 * @param headers Names of headers that the user typed.
 */
export function draftServer(
  launch: ServerLaunch,
  file: string,
  headers: readonly string[] = [],
): DraftServer {
  const variables = new Map<string, string | undefined>();
  // A name that is already taken gets a number.
  const variable: Variable = (name, value) => {
    const isTaken = (one: string) => variables.has(one) && variables.get(one) !== value;
    let free = name;
    for (let number = 2; isTaken(free); number++) free = `${name}_${number}`;
    variables.set(free, value);
    return `\${${free}}`;
  };
  const given = (names: readonly string[], values: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(names.map((name) => [name, variable(nameOfVariable(name), values[name])]));
  if ('url' in launch) {
    const names = [...new Set([...Object.keys(launch.headers ?? {}), ...headers])];
    const url = withoutSecrets(launch.url, variable);
    const server = { url, ...(names.length > 0 && { headers: given(names, launch.headers) }) };
    return { server, variables: [...variables.keys()], leftOut: [] };
  }
  const { words, own, literal } = withoutEnvironment([launch.command, ...(launch.args ?? [])]);
  const shown = maskWords(words);
  const [command = '', ...args] = shown.map((masked, index) => {
    const word = words[index] ?? '';
    if (masked === word && !word.includes(MASK)) return beside(word, file);
    // In a script, it is unknown which words belong together.
    if (/\s/.test(word) && /^-[a-zA-Z]*[cS]$/.test(words[index - 1] ?? '')) return word;
    const [, before = '', address] =
      /^((?:-{1,2})?[\w.-]+=)?([a-z][\w+.-]*:\/\/.*)$/is.exec(word) ?? [];
    if (address !== undefined && masked.startsWith(before) && /:\/\//.test(masked))
      return before + withoutSecrets(address, variable);
    return withVariables(word, masked, (value) => variable(secretIn(words, index), value));
  });
  const names = Object.keys(launch.env ?? {});
  const kept = names.filter((name) => !isSteering(name));
  const env = { ...literal, ...given(Object.keys(own), own), ...given(kept, launch.env) };
  const server = {
    command,
    ...(args.length > 0 && { args }),
    ...(Object.keys(env).length > 0 && { env }),
  };
  return {
    server,
    variables: [...variables.keys()],
    leftOut: names.filter(isSteering),
    ...(launch.configured && launch.cwd !== undefined && { folder: launch.cwd }),
  };
}

/** Returns the reference to a variable that replaces a value. The value is undefined if it is not known here. */
type Variable = (name: string, value: string | undefined) => string;

/** Replaces each mask in a word by a variable with the hidden value. */
function withVariables(
  word: string,
  masked: string,
  variable: (value: string | undefined) => string,
): string {
  const [start = '', end = '', ...more] = masked.split(MASK);
  const isOne = more.length === 0 && word.startsWith(start) && word.endsWith(end);
  const value = isOne ? word.slice(start.length, word.length - end.length) : word;
  return masked.replaceAll(MASK, () => variable(value));
}

/** A file in the manifest's folder gets a relative name, which works wherever the folder is. */
function beside(word: string, file: string): string {
  if (!isAbsolute(word)) return word;
  const folder = dirname(file);
  return isInside(resolve(word), folder) ? `./${pathIn(word, folder)}` : word;
}

const nameOfVariable = (text: string): string => {
  const name = text
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '');
  return /^[A-Z]/.test(name) ? name : `SERVER_${name}`;
};

/** `--api-key ***` and `API_KEY=***` already name the variable. */
function secretIn(words: readonly string[], index: number): string {
  const word = words[index] ?? '';
  const before = words[index - 1] ?? '';
  const own = variableIn(words, index)?.name ?? /^(?:-{1,2})?([\w.-]+)[=:]/.exec(word)?.[1];
  const flag = /^--?[A-Za-z]/.test(before) ? before : undefined;
  return nameOfVariable(own ?? flag ?? `argument_${index}`);
}

/** Scheme, user, password, host, path, and query. */
const ADDRESS =
  /^([a-z][a-z0-9+.-]*):\/\/(?:([^/?#@:]*)(?::([^/?#@]*))?@)?([^/?#]*)([^?#]*)(\?[^#]*)?/is;

/** The same address with a variable for each possible secret. The fragment is dropped, because it is never sent. */
function withoutSecrets(url: string, variable: Variable): string {
  const [, scheme = '', user, password, host = '', path = '', query = ''] = ADDRESS.exec(url) ?? [];
  const whose = /^(?:https?|wss?|git\+.*)$/i.test(scheme) ? 'SERVER' : nameOfVariable(scheme);
  const isName = /^[a-z][a-z_-]{0,30}$/i.test(user ?? '') && password !== undefined;
  const hidden = (name: string, value: string) =>
    value === '' || REFERENCE.test(value) ? value : variable(name, value);
  const who =
    user === undefined
      ? ''
      : `${isName ? user : hidden(`${whose}_USER`, user)}${password === undefined ? '' : `:${hidden(`${whose}_PASSWORD`, password)}`}@`;
  const start = `${scheme}://${who}${host}`;
  let parts = 0;
  const masked = maskAddress(`${scheme}://${host}${path}`).slice(`${scheme}://${host}`.length);
  const own = path.split('/');
  const shownPath = masked
    .split('/')
    .map((part, index) => {
      if (!part.includes(MASK)) return part;
      const [before = '', after = ''] = part.split(MASK);
      const value = (own[index] ?? '').slice(
        before.length,
        (own[index] ?? '').length - after.length,
      );
      return `${before}${variable(`SERVER_PATH_${++parts}`, value)}${after}`;
    })
    .join('/');
  const shownQuery = query.replace(PARAMETER, (_all, before: string, value: string) => {
    return `${before}${hidden(nameOfVariable(before.slice(1, -1)), value)}`;
  });
  return start + shownPath + shownQuery;
}

const REFERENCE = /^\$\{\w+\}$/;
const PARAMETER = /([?&][^=&#?]*=)([^&#]*)/g;

export const draftText = (
  schema: string | undefined,
  label: string,
  { server }: DraftServer,
  hooks: readonly DraftHook[],
): string =>
  `${JSON.stringify(
    {
      ...(schema !== undefined && { $schema: schema }),
      version: 2,
      name: label,
      server,
      hooks: { declarations: hooks.map(({ hook }) => hook) },
    },
    null,
    2,
  )}\n`;

const NAMELESS = /^(?:index|main|server|cli|app|mcp|start|dist|build)$/i;

/** A name for an unnamed command: that of the package or program that it runs, otherwise that of the folder. */
export function labelOfCommand(typed: readonly string[], cwd: string): string {
  const { words } = withoutEnvironment(typed);
  const head = words[headOf(words) - 1] ?? '';
  const parts = head.replace(/(?<=.)@[^@/]*$/, '').split(/[\\/]/);
  const last = parse(parts.pop() ?? '').name;
  const own = [last, ...parts.reverse(), basename(cwd)].map((name) => labelIn(name));
  return own.find((name) => name !== undefined) ?? 'server';
}

/** Derives a label from a name that was not given as a label. Undefined if the name is generic, such as `server`. */
export function labelIn(name: string): string | undefined {
  const label = name
    .replace(/^(?:mcp[-_])?(?:server[-_])?/i, '')
    .replace(/[-_](?:mcp[-_]?)?(?:server|mcp)$/i, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '');
  return isLabel(label) && !NAMELESS.test(label) ? label : undefined;
}

/** The name under which a client starts exactly this command. Undefined if no client does. Approved entries come first. */
export function configuredName(words: readonly string[], at: SearchPlace): string | undefined {
  const meant = anchored(words, at.cwd);
  const { entries } = readConfigurations(at);
  const same = entries.filter((entry) => isLabel(entry.name) && startOf(entry) === meant);
  return (same.find(({ foreign }) => !foreign) ?? same[0])?.name;
}

function startOf({ parts, folder }: Entry): string | undefined {
  if (!parts || 'url' in parts) return undefined;
  return anchored([parts.command, ...parts.args], parts.cwd ?? folder);
}

/** Makes paths absolute, because some entries name files relative to their folder. */
const anchored = (words: readonly string[], folder: string): string =>
  JSON.stringify(words.map((word) => fileAt(folder, word)));

/** The name in the package.json next to or above the file that a command runs. Undefined if there is no such file. */
export function packagedName(words: readonly string[], cwd: string): string | undefined {
  const file = fileRunBy(words, cwd);
  if (file === undefined) return undefined;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const name = nameOf(packageIn(folder) ?? {});
    if (name !== undefined) return labelIn(name);
    if (folder === cwd || folder === dirname(folder)) return undefined;
  }
}

/**
 * The first file of this folder in a command, otherwise the file that the command runs. Undefined if there is none, as for npx
 * with a package.
 */
export function fileRunBy(typed: readonly string[], cwd: string): string | undefined {
  const { words } = withoutEnvironment(typed);
  const here = words.map((word) => fileAt(cwd, word)).find((path) => isInside(path, cwd));
  const head = fileAt(cwd, words[headOf(words) - 1] ?? '');
  return here ?? (isAbsolute(head) ? head : undefined);
}
