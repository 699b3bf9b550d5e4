/** mcp-hooks: what a client would start or connect to for one of its servers, with all variables filled in. */

import fs = require('node:fs');

import type { Launch, Variables } from '../configured.cjs';
import type { ProgramServer, ServerEnvironment, ValuesInFile } from '../types.cjs';
import { fault } from '../values.cjs';
import { fromCopy } from './copy.cjs';

type Environment = Readonly<Record<string, string | undefined>>;
type Values = Readonly<Record<string, string>>;

/** How to start or reach a program's server now. */
export function launchOf(server: ProgramServer, variables: Variables): Launch {
  const launch = launchAsWritten(server, variables);
  return server.copy && 'command' in launch ? fromCopy(launch, server.copy) : launch;
}

function launchAsWritten(server: ProgramServer, variables: Variables): Launch {
  if (server.deciding && server.given.expansion) {
    const { names, mark } = server.deciding;
    // A variable of the user that decides what runs has changed since the user agreed.
    if (require('../steering.cjs').valuesMark(names, variables.environment) !== mark)
      throw fault('variable-changed');
  }
  if ('entry' in server) return require('../configured.cjs').launchNow(server.entry, variables);
  const { expand, expandValue, inherited, folder, refused } = variables;
  const filled = (values: Values) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, expandValue(value)]));
  if ('url' in server) {
    const headers = {
      ...filled(fromManifest(server.headers)),
      ...filledIn(server.templates, variables.environment),
    };
    return { url: expand(server.url), headers };
  }
  const values = Object.entries(fromManifest(server.env, server));
  const own = filled(Object.fromEntries(values.filter(([name]) => !refused(name))));
  return {
    command: expand(server.command),
    args: server.args.map(expand),
    cwd: server.cwd ?? folder,
    env: { ...inherited, ...own },
    own,
  };
}

/**
 * Values of a manifest's server, read now, because they are never copied. @param server The server, if the values are its
 * variables.
 */
function fromManifest(
  from: ValuesInFile | undefined,
  server?: { readonly command: string; readonly args: readonly string[] },
): Values {
  if (!from) return {};
  const { checkPassing, checkSteering, readAt } = require('../configured.cjs');
  let values: Record<string, unknown>;
  try {
    values = Object(readAt(from));
  } catch {
    throw fault('manifest-unread');
  }
  if (server)
    checkSteering({ command: server.command, args: server.args, env: values as Values }, from);
  // Only the names that the user saw, because the manifest may have changed since.
  const seen = Object.fromEntries(
    from.names.flatMap((name) => {
      const value = values[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
  checkPassing(seen, from);
  return seen;
}

/** Headers as the user typed them, filled in from the environment in which the hook fires. */
const filledIn = (templates: Values = {}, environment: Environment): Values =>
  Object.fromEntries(
    Object.entries(templates).map(([name, template]) => [
      name,
      template.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_all, variable: string) => {
        const value = environment[variable];
        if (!value) throw fault('variable-unset', { name: variable });
        return value;
      }),
    ]),
  );

/** The variables that a client fills in for its servers. @param cwd The session's folder. */
export function variablesFor(
  given: ServerEnvironment,
  environment: Environment,
  cwd: string,
): Variables {
  const rules = given.variables.map(({ name, value, anyCase, kept }) => {
    const pattern = (text?: string) =>
      text === undefined ? undefined : new RegExp(text, anyCase && 'i');
    return { name: pattern(name), value: pattern(value), kept };
  });
  const ours = Object.entries(environment).flatMap(([name, value]): [string, string][] => {
    if (name === 'MCP_HOOKS_TIDY' || value === undefined) return [];
    return [[name === 'MCP_HOOKS_NODE_OPTIONS' ? 'NODE_OPTIONS' : name, value]]; // run.sh
  });
  const kept = Object.fromEntries(
    ours.filter(([name, value]) => {
      const rule = rules.find((one) => one.name?.test(name) || one.value?.test(value));
      return rule?.kept ?? true;
    }),
  );
  const named = given.folder === undefined ? undefined : environment[given.folder];
  const folder = [named, cwd].find((path) => path && fs.existsSync(path));
  const {
    pattern,
    onlyValues,
    emptyIsUnset,
    except = '',
    again,
    places,
    unknown,
  } = given.expansion ?? {};
  let expanding: Values | undefined;
  const all = () => {
    const notIts = new RegExp(except);
    const isSet = ([name, value]: [string, string]) =>
      !notIts.test(name) && !(emptyIsUnset && value === '');
    expanding ??= Object.fromEntries(ours.filter(isSet));
    return expanding;
  };
  const filled = (text: string) => {
    if (pattern === undefined) return text;
    const [open] = (unknown !== undefined && new RegExp(unknown).exec(text)) || [];
    if (open !== undefined) throw fault('client-fills-in', { reference: open });
    const made = replace(text, pattern, all, (reference) => reference);
    return places ? inPlaces(made, places, folder ?? cwd, environment) : made;
  };
  const refusals = given.refused === undefined ? undefined : new RegExp(given.refused, 'i');
  return {
    inherited: { ...given.set, ...kept, ...(given.unproxied && proxied(kept, given.unproxied)) },
    environment: Object.fromEntries(ours),
    folder,
    expand: onlyValues ? (text) => text : filled,
    expandValue: (text) =>
      again === undefined
        ? filled(text)
        : replace(
            filled(text),
            again,
            () => kept,
            () => '',
          ),
    refused: (name) => refusals?.test(name) === true,
  };
}

/** The variables of an HTTP proxy, if there is one. Of the two cases of a name, the lower one counts first. */
function proxied(environment: Values, unproxied: readonly string[]): Values {
  const read = (name: string) =>
    [environment[name], environment[name.toUpperCase()]].find((value) => value?.trim());
  const [http, https, all] = ['http_proxy', 'https_proxy', 'all_proxy'].map((name) => {
    const value = read(name);
    return value?.toLowerCase().startsWith('socks') ? undefined : value;
  });
  if (!(http ?? https ?? all)) return {};
  const hosts = (read('no_proxy') ?? '').split(',').filter((host) => host.trim() !== '');
  const isAll = hosts.some((host) => host.trim() === '*');
  const more = isAll ? [] : unproxied.filter((host) => !hosts.includes(host));
  const values = {
    http_proxy: http ?? all,
    https_proxy: https ?? all,
    no_proxy: [...hosts, ...more].join(','),
  };
  const made: Record<string, string> = { NODE_USE_ENV_PROXY: '1' };
  for (const [name, value] of Object.entries(values))
    if (value) made[name] = made[name.toUpperCase()] = value;
  return made;
}

/** Replaces the references to the session's folder and the user's home. */
function inPlaces(text: string, places: Values, folder: string, { HOME }: Environment): string {
  if (!text.includes('${')) return text;
  const { basename, sep } = require('node:path');
  const values: Values = {
    '{cwd}': folder,
    '{folder}': basename(folder),
    '{home}': HOME ?? require('node:os').homedir(),
    '{separator}': sep,
  };
  return Object.entries(places).reduce(
    (filled, [from, to]) => filled.replaceAll(from, () => values[to] ?? ''),
    text,
  );
}

/**
 * `pattern` has groups for the variable's name. Its last group is the default for an unset variable. Most texts contain no
 * variable, so `values` is called only when one is found.
 */
function replace(
  text: string,
  pattern: string,
  values: () => Values,
  otherwise: (reference: string) => string,
): string {
  const reference = new RegExp(pattern, 'g');
  const filled = (part: string) =>
    part.replace(reference, (all: string, ...found: unknown[]) => {
      const groups = found.slice(
        0,
        found.findIndex((one) => typeof one === 'number'),
      );
      const fallback = groups.pop();
      const name = String(groups.find((one) => one !== undefined));
      if (Object.hasOwn(values(), name)) return values()[name] ?? '';
      return typeof fallback === 'string' ? fallback : otherwise(all);
    });
  // A brace without an end starts no reference. The pattern would search for the end at each of them.
  const end = text.lastIndexOf('}') + 1;
  return filled(text.slice(0, end)) + text.slice(end).split('${').map(filled).join('${');
}
