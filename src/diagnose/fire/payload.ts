/**
 * Payloads for hooks, based on recordings of real clients (fixtures/events): for an event with known facts, or to match a hook.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Client, type Wire, wireOf } from '../../clients/contract.ts';
import { valueAt, withValueAt } from '../../clients/payload.ts';
import { escapeRegex, namesFor } from '../../compile/glob.ts';
import { isOfServer, mcpToolName } from '../../compile/names.ts';
import type { EventProgram, ProgramHook } from '../../compile/program.ts';
import { secondStage } from '../../compile/second-stage.ts';
import { isObject, type JsonObject, type JsonValue } from '../../edit/edit.ts';
import { UserError } from '../../system/errors.ts';
import { EVENTS } from '../../system/package-files.ts';
import type { DiagnoseMessage } from '../messages.ts';
import { isMet } from './predict.ts';
import type { Scene } from './session-memory.ts';

/** The known facts of an event. */
export interface Facts {
  /** Its name in declarations or in the client, or a tool of an MCP server. */
  readonly tool?: string | McpTool;
  readonly input?: JsonObject;
  readonly prompt?: string;
  /** The call failed. */
  readonly failed?: true;
  readonly payload?: JsonObject;
}

/** The client's input for a hook on stdin, at such an event. */
export function payloadOf(client: Client, native: string, facts: Facts, scene: Scene): JsonObject {
  const wire = wireOf(client, native);
  const called = facts.tool === undefined ? undefined : toolIn(client, facts.tool);
  const recording = choose(client, native, recorded(client, native, facts), called?.name);
  const base = { ...replayed(wire, recording, scene), ...facts.payload };
  const has = (path: string | undefined) => valueAt(base, path) !== undefined;
  const tool = called && has(wire.toolName) ? withTool(wire, base, called) : base;
  const form = secondStage().formOf(client.toolInputs, String(valueAt(tool, wire.toolName)));
  const sent =
    facts.input ?? (isBlank(tool, wire) ? usualInput(client, facts.tool, scene) : undefined);
  const given = sent && form ? secondStage().inClient(form, sent) : sent;
  const input = given && has(wire.toolInput) ? withValueAt(tool, wire.toolInput, given) : tool;
  return facts.prompt !== undefined && has(wire.prompt)
    ? withValueAt(input, wire.prompt, facts.prompt)
    : input;
}

const isBlank = (payload: JsonObject, { toolInput }: Wire): boolean =>
  JSON.stringify(valueAt(payload, toolInput)) === '{}';

/** Typical inputs for tools without a recording, with the keys of declarations. */
function usualInput(client: Client, tool: Facts['tool'], { cwd }: Scene): JsonObject | undefined {
  if (typeof tool !== 'string') return undefined;
  const file = { file_path: join(cwd, 'a.txt') };
  const usual: Readonly<Record<string, JsonObject>> = {
    Bash: { command: 'git status' },
    Edit: { ...file, old_string: 'hello', new_string: 'goodbye' },
    Glob: { pattern: '**/*.txt' },
    Grep: { pattern: 'hello' },
    Read: file,
    Task: { description: 'Look around', prompt: 'Which files are there?' },
    WebFetch: { url: 'https://example.com/', prompt: 'What is it about?' },
    WebSearch: { query: 'hello' },
    Write: { ...file, content: 'hello' },
  };
  const name = Object.keys(usual).find((one) => one === tool || client.tools[one] === tool);
  return name === undefined ? undefined : usual[name];
}

/** The recordings of such an event, with the usual tool first. If none matches, all recordings. */
function recorded(client: Client, native: string, { failed, tool }: Facts): readonly Recording[] {
  const all = recordings(client, native);
  const name = tool === undefined ? undefined : toolIn(client, tool).name;
  const failures = failed ? all.filter(isFailure(client, native, name)) : [];
  if (failures.length === 0) return all;
  const { toolName } = wireOf(client, native);
  const nameIn = ({ payload }: Recording) => valueAt(payload, toolName);
  const isUsual = (one: Recording) => all[0] !== undefined && nameIn(one) === nameIn(all[0]);
  return failures.toSorted((a, b) => Number(isUsual(b)) - Number(isUsual(a)));
}

/** Whether the client reports failed calls, as failed, on a native event. */
export const tellsFailures = (client: Client, native: string): boolean =>
  recordings(client, native).some(isFailure(client, native));

/** @param tool The tool's name in the call; absent: as recorded. */
const isFailure =
  (client: Client, native: string, tool?: string) =>
  ({ payload }: Recording): boolean => {
    const wire = wireOf(client, native);
    const called = tool === undefined ? payload : withValueAt(payload, wire.toolName, tool);
    return secondStage().hasFailed(called, wire) === true;
  };

/**
 * The same event once more, with other values where one event differs from the next. A call gets another id but stays in its
 * turn: ids of outer objects come earlier in the list.
 *
 * @param time From 1, for which the payload is returned unchanged.
 */
export function nextOccurrence(wire: Wire, payload: JsonObject, time: number): JsonObject {
  if (time === 1) return payload;
  const there = wire.occasion
    .filter((path) => path !== wire.toolName)
    .map((path) => ({ path, value: valueAt(payload, path) }));
  const times = there.filter(({ value }) => isTime(value));
  const id = there.findLast(({ value }) => isId(value));
  return [...times, ...(id ? [id] : [])].reduce(
    (all, { path, value }) => withValueAt(all, path, later(value, time)),
    payload,
  );
}

const ISO = /^\d{4}-\d\d-\d\dT/;
const isTime = (value: JsonValue | undefined): boolean =>
  typeof value === 'number' ||
  (typeof value === 'string' && ISO.test(value) && !Number.isNaN(Date.parse(value)));

/** Excludes words such as `startup`, which describe the event. */
const isId = (value: JsonValue | undefined): boolean =>
  typeof value === 'string' && /\d/.test(value) && !isTime(value);

function later(value: JsonValue | undefined, time: number): JsonValue {
  const since = 1000 * (time - 1);
  if (typeof value === 'number') return value + since;
  const text = String(value);
  return isTime(text) ? new Date(Date.parse(text) + since).toISOString() : `${text}-${time}`;
}

/** The tool call that is recorded for an event; empty if the event has none. */
export function usualCall(
  client: Client,
  native: string,
  facts: Pick<Facts, 'failed'>,
): Pick<Facts, 'tool' | 'input'> {
  const { toolName, toolInput } = wireOf(client, native);
  const payload = recorded(client, native, facts)[0]?.payload ?? {};
  const [tool, input] = [toolName, toolInput].map((path) => valueAt(payload, path));
  return typeof tool === 'string' && isObject(input) ? { tool, input } : {};
}

/** The flags with facts that the client does not report on a native event. */
export function unusedFlags(client: Client, native: string, facts: Facts): string[] {
  const { tool, input, prompt, failed } = facts;
  const wire = wireOf(client, native);
  const has = (path: string) =>
    recordings(client, native).some(({ payload }) => valueAt(payload, path) !== undefined);
  return [
    ...(tool !== undefined && !has(wire.toolName) ? ['--tool'] : []),
    ...(input !== undefined && !has(wire.toolInput) ? ['--input'] : []),
    ...(prompt !== undefined && !has(wire.prompt) ? ['--prompt'] : []),
    ...(failed && !tellsFailures(client, native) ? ['--failed'] : []),
  ];
}

/** The configured name of an MCP server, and the server's own name for its tool. */
interface McpTool {
  readonly server: string;
  readonly tool: string;
}

interface Called {
  readonly name: string;
  readonly mcp?: McpTool;
}

/** A tool under the client's name. */
function toolIn(client: Client, declared: string | McpTool): Called {
  if (typeof declared !== 'string') {
    const { server, tool } = declared;
    return { name: mcpToolName(client.mcpNames, server, tool), mcp: declared };
  }
  const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(declared) ?? [];
  if (server !== undefined && tool !== undefined) return toolIn(client, { server, tool });
  const { tools } = client;
  return { name: (Object.hasOwn(tools, declared) && tools[declared]) || declared };
}

/** The recording that is most similar to a call of the tool. */
function choose(
  client: Client,
  native: string,
  all: readonly Recording[],
  name?: string,
): JsonObject {
  const [ordinary] = all;
  if (!ordinary) throw new Error(`no recording of such an event of ${client.id}`);
  const { toolName } = wireOf(client, native);
  const nameIn = ({ payload }: Recording) => String(valueAt(payload, toolName) ?? '');
  const isMcp = (one: string) => isOfServer(client, one);
  const alike =
    name === undefined
      ? undefined
      : (all.find((one) => nameIn(one) === name) ??
        (isMcp(name) ? all.find((one) => isMcp(nameIn(one))) : undefined));
  return (alike ?? ordinary).payload;
}

/** The payload for another tool, without the recorded tool's input. */
function withTool(wire: Wire, payload: JsonObject, { name, mcp }: Called): JsonObject {
  const isSame = valueAt(payload, wire.toolName) === name;
  const named = withValueAt(payload, isSame ? undefined : wire.toolInput, {});
  const called = withValueAt(named, wire.toolName, name);
  if (!mcp) return called;
  return withValueAt(withValueAt(called, wire.serverName, mcp.server), wire.serverTool, mcp.tool);
}

/** Payloads that match a hook. Those that match the fewest other hooks come first, because they leave the most room. */
export function payloadsMatching(
  client: Client,
  native: string,
  hook: ProgramHook,
  program: EventProgram,
  scene: Scene,
): JsonObject[] {
  const moments = hook.when
    ? factsFor(client, hook.when).map((facts) => payloadOf(client, native, facts, scene))
    : recordings(client, native).map(({ payload }) =>
        replayed(wireOf(client, native), payload, scene),
      );
  return moments
    .map((payload) => ({ payload, stdin: JSON.stringify(payload) }))
    .filter(({ stdin }) => isMet(program, hook, stdin))
    .map(({ payload, stdin }) => ({
      payload,
      met: program.hooks.filter((one) => isMet(program, one, stdin)).length,
    }))
    .sort((a, b) => a.met - b.met)
    .map(({ payload }) => payload);
}

type When = NonNullable<ProgramHook['when']>;

/** Calls that a matcher may match. The runner decides whether they do, and some matchers match no call. */
function factsFor({ tools }: Client, when: When): Facts[] {
  const input = when.input === undefined ? {} : { input: { command: when.input } };
  return toolsFor(tools, when).map((tool) => ({ ...input, ...(tool !== undefined && { tool }) }));
}

function toolsFor(tools: Client['tools'], { tool, server }: When) {
  // `mcp__notes__` is the beginning of a tool's name, but not a complete name.
  const names = namesFor(tool ?? []).filter(
    (name) => !/^mcp__/.test(name) || /^mcp__.+?__./s.test(name),
  );
  if (server === undefined) return [undefined, ...Object.keys(tools), ...names];
  const prefix = `mcp__${server.replace(/[^A-Za-z0-9_-]/g, '_')}__`;
  const own = names.map((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : name));
  return ['x', ...own].map((name) => ({ server, tool: name }));
}

interface Recording {
  /** The native event and the variant of the recording: `<event>`, `<event>.mcp`. */
  readonly name: string;
  readonly payload: JsonObject;
}

/**
 * The recordings of a native event, read once, the ordinary one first.
 *
 * @throws UserError for a client without any recordings.
 */
export function recordings({ id }: Client, native: string): readonly Recording[] {
  const key = `${id}.${native}`;
  const found = known.get(key) ?? readRecordings(id, native);
  known.set(key, found);
  return found;
}

const known = new Map<string, readonly Recording[]>();

function readRecordings(id: string, native: string): Recording[] {
  const folder = join(EVENTS, id);
  if (!existsSync(folder)) throw new UserError<DiagnoseMessage>({ code: 'no-recordings', id });
  return readdirSync(folder)
    .filter((file) => file.startsWith(`${native}.`) && file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort()
    .flatMap((name) => {
      const payload: JsonValue = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
      return isObject(payload) ? [{ name, payload }] : [];
    });
}

/** The payload for another folder, home and session. The session stays the first key, as the first stage expects. */
export function replayed(wire: Pick<Wire, 'cwd' | 'session'>, payload: JsonObject, scene: Scene) {
  const [cwd, session] = [wire.cwd, wire.session].map((path) => valueAt(payload, path));
  const to: Readonly<Record<string, string>> = {
    ...(typeof session === 'string' && { [session]: scene.session }),
    ...(typeof cwd === 'string' && { [cwd]: scene.cwd, [dirname(cwd)]: scene.home }),
  };
  if (Object.keys(to).length === 0) return payload;
  const known = new RegExp(Object.keys(to).map(escapeRegex).join('|'), 'g');
  const moved = (text: string) => text.replace(known, (found) => to[found] ?? found);
  return mapStrings(payload, moved);
}

function mapStrings(object: JsonObject, change: (text: string) => string): JsonObject {
  const map = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return change(value);
    if (Array.isArray(value)) return value.map(map);
    return isObject(value) ? mapStrings(value, change) : value;
  };
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
