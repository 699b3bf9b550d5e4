/** mcp-hooks: reads an event from a client's payload. */

import type { Firing, JsonObject, Running, ToolInput } from '../types.cjs';

/** The parts of a program that are needed to read a payload. */
type Reader = Pick<Running, 'wire' | 'names'>;

/** The event in neutral terms; undefined if hooks do not apply to it. */
export function read(
  {
    wire,
    names,
    started = Date.now(),
    most,
  }: Reader & { readonly started?: number; readonly most: number },
  stdin: string,
): Firing | undefined {
  const payload = payloadIn(stdin);
  const { onlyIf } = wire;
  if (onlyIf && !new RegExp(onlyIf.like).test(String(get(payload, onlyIf.at)))) return undefined;
  const name = get(payload, wire.toolName);
  const prompt = get(payload, wire.prompt);
  const firing: Firing = {
    session: String(get(payload, wire.session) ?? ''),
    cwd: folderIn(payload, wire),
    source: get(payload, wire.source),
    occasion: wire.occasion
      .map((at) => get(payload, at))
      .filter((value) => value !== undefined)
      .map(serialise),
    transcript: get(payload, wire.transcript),
    continued: isContinued(get(payload, wire.continued)),
    claimed: new Map(),
    payload,
    until: started + most,
    texts: new Map(),
    tool: typeof name === 'string' ? name : undefined,
    // It cannot be mistaken for a sentence, and is unchanged in JSON.
    isName: typeof name === 'string' && name.length <= 200 && /^[\w.:@+-]+$/.test(name),
    names: typeof name === 'string' ? toolNames({ wire, names }, payload, name) : [],
    server: get(payload, wire.serverName),
    input: get(payload, wire.toolInput),
    output: wire.toolOutput.map((at) => get(payload, at)).find((value) => value !== undefined),
  };
  if (typeof prompt !== 'string') return translated(firing, names);
  // A prompt that was not written by the user is not a request: it is from a subagent or the client, or empty after tool calls.
  const written = wire.promptPrefix ? prompt.replace(new RegExp(wire.promptPrefix), '') : prompt;
  firing.prompt = written;
  if (wire.subagent && get(payload, wire.subagent) !== undefined) return undefined;
  if (wire.ownPrompt && new RegExp(wire.ownPrompt).test(written)) return undefined;
  return written.trim() === '' ? undefined : firing;
}

/** Some clients count how many turns in a row hooks have started. */
const isContinued = (value: unknown): boolean => value === true || Number(value) > 0;

/** The event with the tool's input in the keys of declarations. Most inputs have these keys already, at no cost. */
function translated(firing: Firing, { inputs }: Running['names']): Firing {
  const { tool, input } = firing;
  const form = formOf(inputs, tool);
  if (!form) return firing;
  const { keys = {}, patch = '' } = form;
  const isOther =
    typeof input === 'object' && input !== null
      ? [...Object.keys(keys), patch].some((key) => Object.hasOwn(input, key))
      : form.patch === '';
  return isOther ? require('../vocabulary.cjs').translate(firing, form) : firing;
}

/** The form of a tool's input; undefined: it is the form of declarations. */
export const formOf = (
  inputs: Running['names']['inputs'] = {},
  tool = '',
): ToolInput | undefined => (Object.hasOwn(inputs, tool) ? inputs[tool] : undefined);

/** Throws if the payload is not an object, because the event is unknown then. */
function payloadIn(stdin: string): JsonObject {
  try {
    const payload = JSON.parse(stdin.startsWith('\uFEFF') ? stdin.slice(1) : stdin);
    if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return payload;
  } catch {}
  throw require('../values.cjs').fault('payload-invalid');
}

/** The session's folder. No system can open a longer path, and searching it for a repository would take long. */
function folderIn(payload: JsonObject, wire: Running['wire']): string {
  const folder = String(
    get(payload, wire.cwd) ?? host?.env[wire.cwdVariable ?? ''] ?? host?.cwd() ?? '',
  );
  return folder.length <= 4096 ? folder : (host?.cwd() ?? '');
}

/** Undefined in a browser. */
export const host = typeof process === 'undefined' ? undefined : process;

/** Every name under which a declaration may know the tool. */
function toolNames({ wire, names }: Reader, payload: JsonObject, named: string): string[] {
  const { aliases, allowed, apart: ways, suffix } = names;
  const clean = (text: string) => text.replace(new RegExp(`[^${allowed}]`, 'g'), '_');
  const server = get(payload, wire.serverName);
  const tool = get(payload, wire.serverTool);
  const isKnown = typeof server === 'string' && typeof tool === 'string';
  const inDeclarations = (name: string) => {
    if (isKnown) return [`mcp__${clean(server)}__${clean(tool)}`];
    if (ways) return apart(ways, name).map(clean);
    return name.startsWith('mcp__') ? [clean(name)] : [];
  };
  // What looks like the client's suffix may be the end of the tool's own name.
  const shorter = suffix ? named.replace(new RegExp(`(?:${suffix})$`), '') : named;
  return [...new Set([shorter, named])].flatMap((name) => [
    name,
    ...((Object.hasOwn(aliases, name) && aliases[name]) || []),
    ...inDeclarations(name),
  ]);
}

/** Each way to split the name of a server's tool. A real name has few. */
function apart(
  { prefix, separator, own }: NonNullable<Running['names']['apart']>,
  name: string,
): string[] {
  const all: string[] = [];
  if (!name.startsWith(prefix) || own.includes(name)) return all;
  const next = (from: number) => name.indexOf(separator, from + 1);
  for (let at = next(prefix.length); at !== -1 && all.length < 20; at = next(at))
    all.push(`mcp__${name.slice(prefix.length, at)}__${name.slice(at + separator.length)}`);
  return all;
}

export function serialise(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    return require('../json.cjs').jsonOf(value); // nested too deeply
  }
}

/** Whether the client drops hooks' texts for an event. */
export const isDropped = (
  { payload }: Pick<Firing, 'payload'>,
  { wire }: Pick<Running, 'wire'>,
): boolean => Boolean(get(payload, wire.drops));

/** The value at a dotted path. */
export function get(value: JsonObject, at: string | undefined): unknown {
  if (at === undefined) return undefined;
  if (!at.includes('.')) return value[at];
  let inner: unknown = value;
  for (const key of at.split('.'))
    inner = typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined;
  return inner;
}
