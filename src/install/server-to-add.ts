/**
 * The server of a declaration, in the form in which clients that lack it may get it. It never contains values that may be
 * secrets: a variable replaces such a value, or the server is not added at all.
 */

import type { Places } from '../clients/places.ts';
import { findServerClient } from '../clients/registry.ts';
import type { ServerClient, ServerScope } from '../clients/servers/servers.ts';
import { shellQuote } from '../compile/command.ts';
import { isSteering, mayRefer } from '../compile/steering.ts';
import type { Expansion, VariableRule } from '../declaration/configured-server.ts';
import { LABEL } from '../declaration/declaration.ts';
import { type ServerHooks, serverSource } from '../declaration/declared.ts';
import type { JsonObject, JsonValue } from '../edit/edit.ts';
import { equal } from '../edit/value.ts';
import type { Entry } from '../sources/configurations.ts';
import { readConfigurations } from '../sources/configurations.ts';
import type { Parts } from '../sources/entry.ts';
import { AT_HOME } from '../sources/launch.ts';
import { maskAddress, maskWords } from '../sources/redacted.ts';
import { redactor, TELLING } from '../system/secrets.ts';
import { inLine } from '../system/visible.ts';
import { searchPlace } from './known-servers.ts';
import type { InstallMessage } from './messages.ts';

/** A text that refers to variables of the user. */
type Template = readonly (string | { readonly variable: string })[];
type Templates = Readonly<Record<string, Template>>;

export interface ServerToAdd {
  readonly name: string;
  /** A message if no client can get the server. */
  readonly start: Start | InstallMessage;
  /** The server as it is written in its source, which distinguishes it from other servers. */
  readonly parts: Parts;
  /** The scope of the file that configures the server; absent if no file does. */
  readonly scope?: ServerScope;
}

type Start =
  | {
      readonly command: Template;
      readonly args: readonly Template[];
      readonly env: Templates;
      readonly cwd?: string;
    }
  | { readonly url: Template; readonly headers: Templates };

/** How a variable is referenced if the client defines no syntax. */
const PLAIN: Expansion = { pattern: '\\$\\{([A-Za-z_]\\w*)\\}()', except: '' };

/** @param cwd The folder in which clients would be started. */
export function serverToAdd(
  declared: ServerHooks,
  places: Places,
  cwd: string,
): ServerToAdd | InstallMessage {
  const source = serverSource(declared.source);
  if (source.kind === 'configured') {
    const client = findServerClient(source.client);
    const { entries } = client
      ? readConfigurations(searchPlace(places, cwd), [client])
      : { entries: [] };
    const entry = entries.find(
      ({ file, name }) => file.path === source.file && equal([...file.keys, name], source.path),
    );
    return entry ? configured(entry) : { code: 'server-start-unknown' };
  }
  const { label: name } = declared;
  const headers = source.kind === 'url' ? (source.headers ?? {}) : {};
  const server =
    source.kind === 'url'
      ? { url: source.url }
      : source.kind === 'command'
        ? { command: source.command, args: source.args }
        : declared.server;
  if (!server) return { code: 'server-start-unknown' };
  // A header that the user typed and that is stored nowhere has no value here, and cannot be replaced by a variable.
  const given = Object.fromEntries(
    Object.entries(headers).map(([key, value]) => [key, value ?? '']),
  );
  const parts: Parts =
    'url' in server
      ? { url: server.url, headers: { ...server.headers, ...given }, headersFromVariables: {} }
      : {
          ...{ command: server.command, args: server.args ?? [], env: server.env ?? {} },
          ...{ passedOn: [], ...(isSomewhere(server.cwd, places) && { cwd: server.cwd }) },
        };
  return { name, parts, start: startOf({ parts, expansion: PLAIN, own: authors }) };
}

/** Home does not count: it is only set to keep the server out of the session's folder, whose files are untrusted. */
const isSomewhere = (cwd: string | undefined, { home }: Places): cwd is string =>
  cwd !== undefined && cwd !== AT_HOME && cwd !== home;

function configured({ name, parts, client, file, helped }: Entry): ServerToAdd | InstallMessage {
  if (!LABEL.test(name)) return { code: 'server-name-refused', name };
  if (!parts) return { code: 'server-start-unknown' };
  const isTheirs = helped || ('envFile' in parts && parts.envFile !== undefined);
  const { expansion } = client.given;
  const start: ServerToAdd['start'] = isTheirs
    ? { code: 'server-fills-in', client: client.name }
    : startOf({ parts, expansion, own: users });
  return { name, parts, start, scope: file.scope };
}

interface Found {
  readonly parts: Parts;
  /** How variables are written in the server's definition. */
  readonly expansion: Expansion | undefined;
  /**
   * Replaces a value of a variable or header that is more than a reference to a variable. Undefined if there is no safe
   * replacement.
   */
  readonly own: (
    name: string,
    value: string,
    isHeader: boolean,
    template: Template,
  ) => Template | undefined;
}

/** Values that the server's author published. */
const authors: Found['own'] = (name, value, isHeader, template) => {
  const isPlain = value !== '' && !TELLING.test(name) && redactor({})(value) === value;
  if (isPlain) return template;
  return isHeader ? undefined : [{ variable: name }];
};

/** A value of the user may be a secret, unless it obviously is not. */
const users: Found['own'] = (name, value, isHeader) => {
  if (isHeader || isSteering(name)) return undefined;
  const isPlain = /^(?:true|false|\d{1,4}|\/[\w./-]{1,200})$/i.test(value);
  // A token may begin with a slash, and a PIN is short.
  const parts = value.split('/');
  return isPlain &&
    !TELLING.test(name) &&
    !SHORT.test(name) &&
    equal(maskWords(['', ...parts]), ['', ...parts])
    ? [value]
    : [{ variable: name }];
};

/** Names of secrets that may be a few digits. */
const SHORT = /pass|pin|pwd|code|otp/i;

function startOf(found: Found): ServerToAdd['start'] {
  const { parts, expansion } = found;
  const inWords = expansion?.onlyValues ? undefined : expansion;
  const values = 'url' in parts ? parts.headers : parts.env;
  const given = Object.entries(values).map(
    ([key, value]) => [key, carried(key, value, 'url' in parts, found)] as const,
  );
  const [unclear] = given.find(([, value]) => value === undefined) ?? [];
  if (unclear !== undefined) return { code: 'server-has-secret', where: unclear };
  const templates = Object.fromEntries(given) as Templates;
  if ('url' in parts) {
    if (maskAddress(parts.url) !== parts.url)
      return { code: 'server-has-secret', where: maskAddress(parts.url) };
    const url = templateOf(parts.url, inWords);
    if (!url || parts.type === 'sse') return { code: 'server-fills-in' };
    const named = Object.entries(parts.headersFromVariables).map(
      ([header, variable]) => [header, [{ variable }]] as const,
    );
    const bearer = parts.bearer === undefined ? [] : ['Bearer ', { variable: parts.bearer }];
    const headers = {
      ...templates,
      ...Object.fromEntries(named),
      ...(bearer.length > 0 && { Authorization: bearer }),
    };
    return { url, headers };
  }
  const { command, args, cwd, passedOn } = parts;
  const words = [command, ...args];
  const secret = secretIn(words);
  if (secret !== undefined) return { code: 'server-has-secret', where: secret };
  const [start, ...rest] = words.map((word) => templateOf(word, inWords));
  const whole = rest.filter((word) => word !== undefined);
  if (!start || whole.length < rest.length || mayRefer(cwd ?? ''))
    return { code: 'server-fills-in' };
  const passed = passedOn.map((one) => [one, [{ variable: one }]] as const);
  const env = { ...Object.fromEntries(passed), ...templates };
  return { command: start, args: whole, env, ...(cwd !== undefined && { cwd }) };
}

/** The first argument that may be or contain a secret, with the secret removed. Undefined if there is none. */
function secretIn(words: readonly string[]): string | undefined {
  const masked = maskWords(words);
  return masked.find((word, index) => word !== words[index] || word.includes(MASKED));
}

/** Undefined if the value is private, or if its form is unknown. */
function carried(
  name: string,
  value: string,
  isHeader: boolean,
  { expansion, own }: Found,
): Template | undefined {
  const template = templateOf(value, expansion);
  if (!template) return undefined;
  const isReference = template.some((one) => typeof one !== 'string');
  // Only the scheme of a header may surround a variable: any other text could be half of a secret.
  const isBare = template.every((one) => typeof one !== 'string' || /^[A-Za-z]{1,9} $/.test(one));
  return isReference && isBare ? template : own(name, value, isHeader, template);
}

/** Undefined if the text contains something that only its own client can expand. */
function templateOf(text: string, expansion: Expansion | undefined): Template | undefined {
  if (!expansion) return text === '' ? [] : [text];
  const { pattern, places = {}, unknown } = expansion;
  const isTheirs =
    (unknown !== undefined && new RegExp(unknown).test(text)) ||
    Object.keys(places).some((place) => text.includes(place));
  if (isTheirs) return undefined;
  const template: (string | { variable: string })[] = [];
  let from = 0;
  for (const match of text.matchAll(new RegExp(pattern, 'g'))) {
    const groups = match.slice(1);
    const variable = groups.slice(0, -1).find((one) => one !== undefined);
    // A default is a value, and another client may not support defaults.
    if (variable === undefined || !/^[A-Za-z_]\w*$/.test(variable) || groups.at(-1))
      return undefined;
    if (match.index > from) template.push(text.slice(from, match.index));
    template.push({ variable });
    from = match.index + match[0].length;
  }
  if (from < text.length) template.push(text.slice(from));
  return template.some((one) => typeof one === 'string' && mayRefer(one)) ? undefined : template;
}

/** The entry that a client would have for the server, and the variables that its user has to set. */
export interface EntryToAdd {
  readonly entry: JsonObject;
  readonly variables: readonly string[];
}

/** Everything that is written into a file: a client may expand names as well. */
const textsOf = (start: Start): readonly Template[] => {
  const values = Object.entries('url' in start ? start.headers : start.env).flatMap(
    ([name, value]): Template[] => [[name], value],
  );
  return 'url' in start
    ? [start.url, ...values]
    : [start.command, ...start.args, [start.cwd ?? ''], ...values];
};

/** Whether a client does not pass a variable of the user on to its servers, as it does with all others. */
const mayHoldBack = ({ name, value, anyCase, kept }: VariableRule, variable: string): boolean =>
  !kept && (value !== undefined || new RegExp(name ?? '', anyCase && 'i').test(variable));

export function entryFor(
  { name, start }: ServerToAdd,
  { given, written, fields }: ServerClient,
): EntryToAdd | InstallMessage {
  if ('code' in start) return start;
  if (!written) return { code: 'server-form-unknown' };
  const { expansion } = given;
  const variables = new Set<string>();
  const refersTo = (variable: string, isValue: boolean): string | undefined => {
    if (!expansion || !written.reference || (expansion.onlyValues && !isValue)) return undefined;
    if (expansion.except !== '' && new RegExp(expansion.except).test(variable)) return undefined;
    const [before, after] = written.reference;
    return before + variable + after;
  };
  /** Whether this client fills in nothing else. A variable may be empty, and what is around it a reference then. */
  const isPlain = (template: Template): boolean => {
    const rest = template.filter((one) => typeof one === 'string').join('');
    return templateOf(rest, expansion)?.every((part) => part === rest) === true;
  };
  if (!textsOf(start).every(isPlain)) return { code: 'server-filled-in-there' };
  const text = (template: Template, isValue: boolean): string | undefined => {
    const parts = template.map((one) =>
      typeof one === 'string' ? one : refersTo(one.variable, isValue),
    );
    if (parts.some((one) => one === undefined)) return undefined;
    for (const one of template) if (typeof one !== 'string') variables.add(one.variable);
    return parts.join('');
  };
  const more: Record<string, JsonValue> = {};
  const values: Record<string, string> = {};
  /** Whether the client can pass on a variable of the user in another way. */
  const isPassed = (key: string, template: Template): boolean => {
    const [first, last = first] = template;
    if (template.length > 2 || typeof last !== 'object') return false;
    const { variable } = last;
    const { headersFromVariables, bearer, passedOn } = fields;
    const isAlone = first === last;
    if ('url' in start) {
      if (isAlone && headersFromVariables !== undefined)
        more[headersFromVariables] = { ...Object(more[headersFromVariables]), [key]: variable };
      else if (first === 'Bearer ' && /^authorization$/i.test(key) && bearer !== undefined)
        more[bearer] = variable;
      else return false;
    } else {
      if (!isAlone || variable !== key) return false;
      if (passedOn !== undefined) more[passedOn] = [...Object(more[passedOn] ?? []), key];
      else if (given.variables.some((rule) => mayHoldBack(rule, variable))) return false;
    }
    variables.add(variable);
    return true;
  };
  for (const [key, template] of Object.entries('url' in start ? start.headers : start.env)) {
    const value = text(template, true);
    if (value !== undefined) values[key] = value;
    else if (!isPassed(key, template)) return { code: 'server-no-variable', name: key };
  }
  const hasValues = Object.keys(values).length > 0;
  const done = (server: Parameters<typeof written.entry>[0]): EntryToAdd => ({
    entry: { ...written.entry(server), ...more },
    variables: [...variables],
  });
  const unclear: InstallMessage = { code: 'server-no-variable', name };
  if ('url' in start) {
    const url = text(start.url, false);
    return url === undefined ? unclear : done({ url, ...(hasValues && { headers: values }) });
  }
  const { cwd } = start;
  if (cwd !== undefined) {
    if (!fields.cwd) return { code: 'server-needs-folder', folder: cwd };
    more[fields.cwd] = cwd;
  }
  const command = text(start.command, false);
  const args = start.args.map((word) => text(word, false));
  const whole = args.filter((word) => word !== undefined);
  if (command === undefined || whole.length < args.length) return unclear;
  const refused = given.refused === undefined ? undefined : new RegExp(given.refused, 'i');
  const [barred] = Object.keys(values).filter((one) => refused?.test(one));
  if (barred !== undefined) return { code: 'server-variable-refused', name: barred };
  return done({ command, args: whole, ...(hasValues && { env: values }) });
}

/** The client's own command that adds the server. Undefined if there is none, or if it would contain a secret. */
export function addWith({ add }: ServerClient, { name: label, parts }: ServerToAdd) {
  if (!add) return undefined;
  const hasSecret =
    'url' in parts
      ? maskAddress(parts.url) !== parts.url || parts.url.includes(MASKED)
      : secretIn([parts.command, ...parts.args]) !== undefined;
  if (hasSecret) return undefined;
  const name = label.replace(/[^\w-]/g, '-');
  const added =
    'url' in parts
      ? { name, url: parts.url, headers: Object.keys(parts.headers) }
      : {
          ...{ name, command: parts.command, args: parts.args },
          variables: Object.keys(parts.env),
        };
  return add(added)
    .map((word) => shellQuote(inLine(word, 1000)))
    .join(' ');
}

const MASKED = '***';
