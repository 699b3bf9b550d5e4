/**
 * For authors of servers: lets an MCP server say what it wants agents to be told, and when (SEP-2282).
 *
 *   import { declareHooks } from 'mcp-hooks/server';
 *
 * It needs no package and no particular runtime, and works with servers of both generations of the official SDK as they are.
 *
 * @module mcp-hooks/server
 */

import type { Event, Matcher, Priority } from '../declaration/declaration.ts';
import {
  attach,
  checkDeclarations,
  connectable,
  declaringFactory,
  isFactory,
  reported,
} from './check.ts';

export type { Event, Matcher, Priority };

/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/**
 * For a key that must not be there: no string has this type. `never` would not do, because no object of JSON may have an
 * optional key of that type.
 */
export type Absent = string & {
  /** What the compiler reports when it is there. */
  readonly 'a hook has either a text or a tool': never;
};

/**
 * One hook, with either a text or a tool. `satisfies Declaration[]` checks a list of hooks where you write it.
 *
 * It fits where an SDK wants an object of JSON, which accepts aliases but no interfaces.
 */
export type Declaration = {
  /** When it fires. */
  event: Event;
  /** Which tool calls it is about; only on `pre_tool_use` and `post_tool_use`. */
  matcher?: { [Part in keyof Matcher]: Matcher[Part] };
  /** How strongly the text is worded, and the order of several. */
  priority: Priority;
} & (
  | {
      /** The text. `{project_name} {tool_name} {tool_input} {input.<key>} {tool_output} {session_id}` are filled in. */
      context: string;
      /** Not beside a text. */
      context_tool?: Absent;
      /** Only for a tool. */
      context_tool_args?: Absent;
    }
  | {
      /** A tool of this server. The model reads its text result. */
      context_tool: string;
      /** Not beside a tool. */
      context?: Absent;
      /** Strings may have the same variables as a text. */
      context_tool_args?: { [name: string]: Json };
    }
);

interface Connectable {
  connect(transport: never): Promise<void>;
  getClientCapabilities(): unknown;
}

/** An McpServer or a Server of `@modelcontextprotocol/sdk` (1.x) or `@modelcontextprotocol/server` (2.x). */
export type AnyServer =
  | Connectable
  | {
      /** The Server of an McpServer. */
      server: Connectable;
    };

/** Makes a server whenever a client connects or asks, as `serveStdio` and `createMcpHandler` of SDK 2.x expect. */
export type ServerFactory = (...args: never[]) => AnyServer | Promise<AnyServer>;

/**
 * Declares the hooks of a server, before it is connected. A client that asks for hooks in its `initialize` or
 * `server/discover` gets those on the events that it knows. Any other client gets none.
 *
 * For a framework that makes its servers itself, pass `Server.prototype` of the SDK that the framework uses.
 *
 * @throws TypeError when a declaration is wrong (it lists everything wrong), when this is not a server, or when it is
 *   already connected.
 */
export function declareHooks(server: AnyServer, declarations: readonly Declaration[]): void;
/**
 * Declares the hooks of every server that a function makes. The declarations are checked right away, so a mistake ends the
 * process when it starts. Inside the function it would only show when the first client asks.
 *
 * @returns The function to serve with: `serveStdio(declareHooks(() => new McpServer(info), declarations))`.
 * @throws TypeError when a declaration is wrong (it lists everything wrong).
 */
export function declareHooks<Make extends ServerFactory>(
  make: Make,
  declarations: readonly Declaration[],
): Make;
export function declareHooks(server: unknown, declarations: readonly Declaration[]): unknown {
  return reported(() => {
    if (isFactory(server)) return declaringFactory(server, checkDeclarations(declarations));
    const target = connectable(server);
    return attach(target, checkDeclarations(declarations));
  });
}
