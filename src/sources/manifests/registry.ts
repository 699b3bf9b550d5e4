/**
 * The server.json of an MCP registry. A registry preserves only one key of its `_meta`.
 *
 * Source: https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json, and
 * https://github.com/modelcontextprotocol/registry/tree/main/docs/reference/server-json.
 */

import type { KeyPath, Problem, ServerLaunch } from '../../declaration/declared.ts';
import type { ServerStart } from '../../declaration/manifest.ts';
import { checkServer, isRecord } from '../../declaration/schema.ts';
import { type Message, said } from '../../system/errors.ts';
import { AT_HOME } from '../launch.ts';
import { SourceError, type SourceMessage } from '../messages.ts';
import { isExact, isPackageName } from '../npm/fetch.ts';
import { type Contents, ID, type Kind, type ManifestPlace } from './kind.ts';

export const PUBLISHER = 'io.modelcontextprotocol.registry/publisher-provided';

/** Maximum bytes of JSON under that key. The official registry rejects more. */
export const PUBLISHED_BYTES = 4096;

export const registry: Kind = {
  is: ({ $schema: schema, name, packages, remotes }) =>
    (typeof schema === 'string' && /\/server\.schema\.json$/.test(schema)) ||
    (typeof name === 'string' &&
      name.includes('/') &&
      (Array.isArray(packages) || Array.isArray(remotes))),
  find,
  name: ({ name }) => (typeof name === 'string' ? name.replace(/^.*\//, '') : undefined),
  serverStart,
};

function find({ _meta: meta }: Contents): ManifestPlace | SourceMessage {
  const published = isRecord(meta) ? meta[PUBLISHER] : undefined;
  const key = isRecord(published) && [ID, 'mcpHooks'].find((one) => one in published);
  if (!key) return { code: 'registry-without', key: PUBLISHER, id: ID };
  const path = ['_meta', PUBLISHER];
  const bytes = Buffer.byteLength(JSON.stringify(published));
  const message = { code: 'registry-large', bytes, limitBytes: PUBLISHED_BYTES } as const;
  return {
    at: [...path, key],
    problems: bytes > PUBLISHED_BYTES ? [{ level: 'warning', message, path }] : [],
  };
}

/** Why one package or address of the server cannot be used. */
class UnusableServer extends SourceError {}

/** The first package that can be started, otherwise the first address. */
function serverStart({ packages, remotes }: Contents): ServerStart {
  const ways = [
    ...listed(packages).map((one, index) => () => startPackage(one, ['packages', index])),
    ...listed(remotes).map((one) => () => ({ server: reachRemote(one) })),
  ];
  let why: Message = said<SourceMessage>({ code: 'no-package' });
  for (const [index, way] of ways.entries())
    try {
      return way();
    } catch (error) {
      if (!(error instanceof UnusableServer)) throw error;
      if (index === 0) why = error.problem;
    }
  return { reason: why };
}

const listed = (value: unknown): Contents[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** How to start a package of each registry: the words before the package's own arguments. */
interface Runtime {
  /** The default registry. */
  readonly home?: RegExp;
  readonly accepts: (identifier: string, version: string) => boolean;
  readonly words: (way: Way) => string[];
}

interface Way {
  readonly identifier: string;
  readonly version: string;
  /** `runtimeArguments`. */
  readonly own: readonly string[];
  /** Names of variables. */
  readonly names: readonly string[];
}

const at = ({ identifier, version }: Way) => `${identifier}@${version}`;
const PYTHON = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const IMAGE = /^[a-z0-9][A-Za-z0-9._/:@-]*$/;

const RUNTIMES: Readonly<Record<string, Runtime>> = {
  npm: {
    home: /^https:\/\/registry\.npmjs\.org\/?$/,
    accepts: (identifier, version) => isPackageName(identifier) && isExact(version),
    words: (way) => ['npx', '-y', ...way.own, at(way)],
  },
  pypi: {
    home: /^https:\/\/pypi\.org\/?$/,
    accepts: (identifier, version) => PYTHON.test(identifier) && isVersion(version),
    words: (way) => ['uvx', ...way.own, at(way)],
  },
  nuget: {
    home: /^https:\/\/api\.nuget\.org(?:\/v3\/index\.json)?\/?$/,
    accepts: (identifier, version) => PYTHON.test(identifier) && isVersion(version),
    words: (way) => ['dnx', at(way), '--yes', ...way.own, '--'],
  },
  oci: {
    // Newer files have the version in the identifier.
    accepts: (identifier, version) =>
      IMAGE.test(identifier) && (version === '' || isVersion(version)),
    words: ({ identifier, version, own, names }) => [
      // Names come first. Otherwise, the code that hides secrets would mistake the word after NOTES_KEY for a secret.
      ...['docker', 'run', ...names.flatMap((name) => ['-e', name]), '--rm', '-i'],
      ...own,
      version === '' ? identifier : `${identifier}:${version}`,
    ],
  },
};

/** Any word except a range, because each registry has its own format. */
const isVersion = (version: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._+!-]*$/.test(version);

function startPackage(one: Contents, path: KeyPath): ServerStart {
  const type = textOf(one.registryType);
  const runtime = Object.hasOwn(RUNTIMES, type) ? RUNTIMES[type] : undefined;
  if (!runtime) throw new UnusableServer({ code: 'registry-unknown', type });
  const { transport, registryBaseUrl: base } = one;
  if (isRecord(transport) && transport.type !== 'stdio')
    throw new UnusableServer({ code: 'not-stdio' });
  if (typeof base === 'string' && runtime.home && !runtime.home.test(base))
    throw new UnusableServer({ code: 'other-registry', url: base });
  const [identifier, version] = [textOf(one.identifier), textOf(one.version)];
  if (!runtime.accepts(identifier, version))
    throw new UnusableServer({ code: 'wrong-package', identifier });

  const variables = listed(one.environmentVariables).filter(({ name }) =>
    /^[A-Za-z_]\w*$/.test(textOf(name)),
  );
  const names = variables.map(({ name }) => textOf(name));
  const own = words(one.runtimeArguments);
  const [command = '', ...before] = runtime.words({ identifier, version, own, names });
  const problems = variables.flatMap((variable, index): Problem[] => {
    if (!isNeeded(variable)) return [];
    const message = said<SourceMessage>({ code: 'needs-variable', name: textOf(variable.name) });
    return [{ level: 'warning', message, path: [...path, 'environmentVariables', index] }];
  });
  // Not in a project's folder, whose files could substitute another package.
  const args = [...before, ...words(one.packageArguments)];
  const server = { command, args, cwd: AT_HOME };
  return { server, problems };
}

const isNeeded = ({ isRequired, value }: Contents): boolean =>
  isRequired === true || value !== undefined;

/** Arguments as words, without optional ones that have no value. */
function words(list: unknown): string[] {
  if (list !== undefined && !Array.isArray(list))
    throw new UnusableServer({ code: 'wrong-argument' });
  return listed(list).flatMap((argument) => {
    const value = valueIn(argument, textOf(argument.valueHint));
    if (argument.type === 'positional') return value === undefined ? [] : [value];
    const { name } = argument;
    if (argument.type !== 'named' || typeof name !== 'string' || name === '')
      throw new UnusableServer({ code: 'wrong-argument' });
    if (value === undefined) return isSwitch(argument) ? [name] : [];
    return name.startsWith('--') ? [`${name}=${value}`] : [name, value];
  });
}

/** Whether an argument is a flag without a value, for which the file describes no value. */
const isSwitch = (argument: Contents): boolean =>
  !['choices', 'format', 'placeholder', 'isSecret', 'variables'].some((key) => key in argument);

/** The value of an input: its fixed value or its default. Undefined if the user may omit it. */
function valueIn(input: Contents, hint: string): string | undefined {
  const { value, default: fallback, variables, isRequired, isSecret, type, name } = input;
  const own = textOf(name) || hint || 'an argument';
  if (isSecret === true) throw new UnusableServer({ code: 'input-needed', name: own });
  if (typeof value !== 'string') {
    if (typeof fallback === 'string') return fallback;
    if (isRequired === true && !(type === 'named' && isSwitch(input)))
      throw new UnusableServer({ code: 'input-needed', name: own });
    return undefined;
  }
  return filled(value, variables);
}

/** A text with its described variables expanded. Other braces are unchanged. */
function filled(text: string, variables: unknown): string {
  const known = isRecord(variables) ? variables : {};
  return text.replace(/\{([^{}]+)\}/g, (all, name: string) => {
    const variable = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!isRecord(variable)) return all;
    const value = valueIn({ ...variable, isRequired: true }, name);
    return value ?? all;
  });
}

function reachRemote({ type, url, headers, variables }: Contents): ServerLaunch {
  if (type !== 'streamable-http')
    throw new UnusableServer({ code: 'remote-unknown', type: textOf(type) });
  const needed = listed(headers).find(isNeeded);
  if (needed) throw new UnusableServer({ code: 'header-needed', name: textOf(needed.name) });
  const address = filled(textOf(url), variables);
  const { value } = checkServer({ url: address }, []);
  if (!value || /[{}]/.test(address))
    throw new UnusableServer({ code: 'wrong-address', url: address });
  return value;
}
