/** The three clients, side by side: the types make every test name each of them. */
import { readFileSync } from 'node:fs';
import type { Client } from '../../../src/clients/contract.ts';
import { CLIENTS } from '../../../src/clients/registry.ts';

export const IDS = ['claude-code', 'codex', 'gemini-cli'] as const;
export type ClientId = (typeof IDS)[number];

/** One value for every client, none left out. */
export type Each<T> = Readonly<Record<ClientId, T>>;

export const each = <T>(make: (id: ClientId) => T): Each<T> => ({
  'claude-code': make('claude-code'),
  codex: make('codex'),
  'gemini-cli': make('gemini-cli'),
});

/** The same result for every client. */
export const all = <T>(value: T): Each<T> => each(() => value);

/** The same for every client, each in its own processes, at the same time. */
export async function eachAsync<T>(make: (id: ClientId) => Promise<T>): Promise<Each<T>> {
  const [claude, codex, gemini] = await Promise.all([
    make('claude-code'),
    make('codex'),
    make('gemini-cli'),
  ]);
  return { 'claude-code': claude, codex, 'gemini-cli': gemini };
}

export function clientOf(id: ClientId): Client {
  const client = CLIENTS.find((one) => one.id === id);
  if (!client) throw new Error(`no client ${id}`);
  return client;
}

/**
 * Whether a client runs a hook with this matcher for this tool: facts measured on the real clients, written
 * down here once more and independently of the compiler.
 */
export function runsFor(id: ClientId, matcher: string | undefined, name: string): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*') return true;
  const list = { 'claude-code': /^[A-Za-z0-9_\- ,|]+$/, codex: /^[A-Za-z0-9_|]+$/ };
  if (id !== 'gemini-cli' && list[id].test(matcher)) {
    const names = matcher.split(/[|,]/).map((one) => one.trim());
    // Codex lets a matcher call apply_patch by two names of Claude Code, too.
    const known = id === 'codex' && name === 'apply_patch' ? [name, 'Edit', 'Write'] : [name];
    return names.some((one) => known.includes(one));
  }
  return new RegExp(id === 'gemini-cli' ? matcher.trim() : matcher).test(name);
}

/** A tool of an MCP server by its real names. */
export interface McpTool {
  readonly server: string;
  readonly tool: string;
}

/** What the clients call the tool of an MCP server, as measured on them. */
export function nativeName(id: ClientId, { server, tool }: McpTool): string {
  if (id === 'claude-code') return `mcp__${server}__${tool}`.replace(/[^A-Za-z0-9_-]/g, '_');
  if (id === 'codex') return `mcp__${server}__${tool}`.replace(/[^A-Za-z0-9_]/g, '_');
  const prefix = server.startsWith('mcp_') ? '' : 'mcp_';
  const name = `${prefix}${server}_${tool}`.replace(/[^A-Za-z0-9_.:-]/g, '_');
  return name.length > 63 ? `${name.slice(0, 30)}...${name.slice(-30)}` : name;
}

/** What a payload says of the server, where the client says anything. */
export function serverFields(id: ClientId, { server, tool }: McpTool): Record<string, unknown> {
  if (id === 'claude-code') return { mcp_server: { name: server, source: 'user' } };
  if (id === 'codex') return {};
  return { mcp_context: { server_name: server, tool_name: tool, command: 'node' } };
}

export type Payload = Readonly<Record<string, unknown>>;

/** What the real client sent, byte for byte. */
export const recordedText = (id: ClientId, name: string): string =>
  readFileSync(new URL(`../../../fixtures/events/${id}/${name}.json`, import.meta.url), 'utf8');

/** What the real client sent, with some of its fields changed. */
export function recorded(id: ClientId, name: string, changes: Payload = {}): Payload {
  const payload: unknown = JSON.parse(recordedText(id, name));
  if (typeof payload !== 'object' || payload === null) throw new Error(`${name} is no object`);
  return { ...payload, ...changes };
}

/** A moment of a session, as each client announces it: native event and recorded payload. */
interface Announced {
  readonly event: string;
  readonly file: string;
}
export type Moment = keyof typeof MOMENTS;
const at = (event: string, file = event): Announced => ({ event, file });
export const MOMENTS = {
  /** Gemini CLI is told with the first prompt. */
  start: {
    'claude-code': at('SessionStart'),
    codex: at('SessionStart'),
    'gemini-cli': at('BeforeAgent'),
  },
  prompt: {
    'claude-code': at('UserPromptSubmit'),
    codex: at('UserPromptSubmit'),
    'gemini-cli': at('BeforeAgent'),
  },
  /** The shell tool runs `git commit`. Gemini CLI is told afterwards. */
  before: {
    'claude-code': at('PreToolUse'),
    codex: at('PreToolUse'),
    'gemini-cli': at('AfterTool'),
  },
  after: {
    'claude-code': at('PostToolUse'),
    codex: at('PostToolUse'),
    'gemini-cli': at('AfterTool'),
  },
  /** A tool of the MCP server `tiny`: `echo`, in Gemini CLI's recording `echo_text`. */
  afterMcp: {
    'claude-code': at('PostToolUse', 'PostToolUse.mcp'),
    codex: at('PostToolUse', 'PostToolUse.mcp'),
    'gemini-cli': at('AfterTool', 'AfterTool.mcp'),
  },
  turnEnd: { 'claude-code': at('Stop'), codex: at('Stop'), 'gemini-cli': at('AfterAgent') },
  sessionEnd: {
    'claude-code': at('SessionEnd'),
    codex: at('SessionEnd'),
    'gemini-cli': at('SessionEnd'),
  },
} as const satisfies Record<string, Each<Announced>>;
