/**
 * mcp-hooks: a server that is defined in a client's configuration. It is read there whenever one of its tools is called, so
 * nothing of it is stored elsewhere. `install` asks the same functions how to start it (src/sources/entry.ts).
 */
'use strict';
const { fault, isObject, parse, textOf } = require('./values.cjs');

/** The value at a place in a file (`PlaceInFile` in src/declaration/configured-server.ts); undefined: nothing. */
function readAt({ file, format, path }) {
  return path.reduce(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    format === 'toml' ? tomlIn(file) : jsonIn(file),
  );
}

function written(file) {
  const text = textOf(file);
  if (text === undefined) throw new Error('it is no file, or too large');
  return text;
}

function jsonIn(file) {
  const text = written(file);
  // Most files are strict, and some are long.
  return parse(text) ?? JSON.parse(require('./policy.cjs').withoutComments(text));
}

const tomlIn = (file) => require('./toml.cjs').parseToml(written(file));

/** The parts of an entry as they are written, read by its client's keys (`fields` in src/clients/servers/servers.ts). */
function partsOf(entry, fields) {
  const at = (key) => (key === undefined || !isObject(entry) ? undefined : entry[key]);
  const text = (key) => (typeof at(key) === 'string' ? at(key) : undefined);
  const list = (key) => (Array.isArray(at(key)) ? at(key) : []);
  const values = (key) =>
    Object.fromEntries(
      Object.entries(isObject(at(key)) ? at(key) : {})
        .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
        .map(([name, value]) => [name, String(value)]),
    );
  const type = text('type');
  const url = fields.url.map(text).find((one) => one !== undefined);
  if (typeof at('command') === 'string' && (type === undefined || type === 'stdio' || !url))
    return {
      command: at('command'),
      args: list('args').map(String),
      cwd: text(fields.cwd),
      env: values('env'),
      envFile: text(fields.envFile),
      passedOn: list(fields.passedOn)
        .map((one) => (isObject(one) ? one.name : one))
        .filter((name) => typeof name === 'string'),
    };
  if (url === undefined) return undefined;
  return {
    url,
    type,
    headers: values(fields.headers),
    headersFromVariables: values(fields.headersFromVariables),
    bearer: text(fields.bearer),
  };
}

/**
 * Tells an entry from any other that is started or reached differently: covers all but the values of its variables and
 * headers, which may be renewed. Variables that decide what runs have a mark of their own (steering.cjs).
 */
function seenAs({ command, args, cwd, envFile, url, type, headersFromVariables, bearer }) {
  const how = [command, args, cwd, envFile, url, type, headersFromVariables, bearer];
  const { createHash } = require('node:crypto');
  return createHash('sha256')
    .update(JSON.stringify(how.map((part) => part ?? null)))
    .digest('hex');
}

/** An entry with all the variables that it sets for its server, as they are written, including those in its file. */
const withFile = (parts, inFile) => ({ ...parts, env: { ...inFile, ...parts.env } });

function namesIn(parts, variables) {
  if ('url' in parts)
    return [
      ...Object.keys(parts.headers),
      ...Object.keys(parts.headersFromVariables),
      ...(parts.bearer === undefined ? [] : ['Authorization']),
    ];
  const { env } = withFile(parts, fromFile(parts, variables));
  return [...new Set([...Object.keys(env), ...parts.passedOn])];
}

/** The variables of an entry that decide what runs: `[name, value]` for each. */
const steering = (parts, variables) =>
  require('./steering.cjs').steeringIn(withFile(parts, fromFile(parts, variables)));

/**
 * How to start or reach the server now, with everything filled in. Uses only `names`, which the user has seen. `inFile`, its
 * file of variables, is read once, so what was checked is what is used.
 */
function launchOf(parts, names, variables, inFile = fromFile(parts, variables)) {
  const { expand, expandValue, environment, folder, refused } = variables;
  const seen = (values) => Object.entries(values).filter(([name]) => names.includes(name));
  const filled = (values) => seen(values).map(([name, value]) => [name, expandValue(value)]);
  const named = (of) =>
    seen(of).flatMap(([name, variable]) =>
      environment[variable] === undefined ? [] : [[name, environment[variable]]],
    );
  if ('url' in parts) {
    if (parts.type !== undefined && !/^(?:https?|sse|streamable[-_]?https?)$/i.test(parts.type))
      throw fault('type-unknown', { type: parts.type });
    const token = environment[parts.bearer];
    return {
      url: expand(parts.url),
      headers: Object.fromEntries([
        ...filled(parts.headers),
        ...named(parts.headersFromVariables),
        ...(token && names.includes('Authorization') ? [['Authorization', `Bearer ${token}`]] : []),
      ]),
    };
  }
  const own = Object.fromEntries(
    [
      ...seen(inFile),
      ...named(Object.fromEntries(parts.passedOn.map((name) => [name, name]))),
      ...filled(parts.env),
    ].filter(([name]) => !refused(name)),
  );
  return {
    command: expand(parts.command),
    args: parts.args.map(expand),
    cwd: parts.cwd === undefined ? folder : within(folder, expand(parts.cwd)),
    env: { ...variables.inherited, ...own },
    own,
  };
}

function fromFile({ envFile }, { expand, folder }) {
  if (envFile === undefined) return {};
  try {
    return variablesIn(textOf(within(folder, expand(envFile))));
  } catch (error) {
    throw error.why ? error : fault('env-file-unread');
  }
}

/** Lines of `NAME=value`; a value may be in quotes, and a comment may follow it. */
function variablesIn(text) {
  const line = /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*("(?:\\.|[^"\\])*"|'[^']*'|[^\n]*)/gm;
  const value = (raw) => {
    if (raw.startsWith("'")) return raw.slice(1, -1);
    if (raw.startsWith('"')) return raw.slice(1, -1).replaceAll('\\n', '\n').replaceAll('\\"', '"');
    return raw.replace(/\s#[\s\S]*$/, '').trim();
  };
  return Object.fromEntries([...text.matchAll(line)].map(([, name, raw]) => [name, value(raw)]));
}

const within = (folder, path) => require('node:path').resolve(folder, path);

/** How to start or reach a program's server now. @throws The reason when it is no longer what the user has seen. */
function launchNow(entry, variables) {
  let parts;
  try {
    parts = partsOf(readAt(entry), entry.fields);
  } catch {
    throw fault('entry-unread');
  }
  if (!parts) throw fault('entry-gone');
  if (seenAs(parts) !== entry.seen) throw fault('entry-changed');
  const inFile = fromFile(parts, variables);
  if ('url' in parts) checkPassing(parts.headers, entry);
  else {
    checkSteering(withFile(parts, inFile), entry);
    checkPassing(parts.env, entry);
  }
  return launchOf(parts, entry.names, variables, inFile);
}

/** @throws When a variable that decides what runs is not the one that the user has seen. */
function checkSteering(server, seen) {
  if (seen.steering === undefined && Object.keys(server.env ?? {}).length === 0) return;
  if (require('./steering.cjs').steeringMark(server) !== seen.steering)
    throw fault('variable-changed');
}

/** @throws When other variables of the user are passed on than those that the user has seen, or elsewhere. */
function checkPassing(values, seen) {
  const isPassing = Object.values(values).some((value) => value.includes('$'));
  if (!isPassing && seen.passing === undefined) return;
  if (require('./steering.cjs').passingMark(values) !== seen.passing)
    throw fault('passing-changed');
}

module.exports = {
  checkPassing,
  checkSteering,
  launchNow,
  launchOf,
  namesIn,
  partsOf,
  readAt,
  seenAs,
  steering,
  variablesIn,
};
