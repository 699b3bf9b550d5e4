/**
 * For authors of servers: lets an MCP server declare what agents should be told, and when (SEP-2282).
 *
 *   import { declareHooks } from 'mcp-hooks/server';
 *
 * It needs no package and no particular runtime, and works with unmodified servers of both generations of the official SDK.
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
 * For a key that must not be present: no string has this type. `never` would not work, because an object of JSON cannot have an
 * optional key of that type.
 */
export type Absent = string & {
  /** The compiler's error if the key is present. */
  readonly 'a hook has either a text or a tool': never;
};

/**
 * One hook, with either a text or a tool. `satisfies Declaration[]` checks a list of hooks where you write it.
 *
 * It is a type alias, because SDKs expect an object of JSON, to which interfaces are not assignable.
 */
export type Declaration = {
  /** When it fires. */
  event: Event;
  /** Which tool calls it applies to. Only for `pre_tool_use` and `post_tool_use`. */
  matcher?: { [Part in keyof Matcher]: Matcher[Part] };
  /** How strongly the text is worded, and the order of several texts. */
  priority: Priority;
} & (
  | {
      /**
       * The text. `{project_name} {tool_name} {tool_input} {input.<key>} {tool_output} {session_id}` are replaced by their
       * values.
       */
      context: string;
      /** Not allowed together with a text. */
      context_tool?: Absent;
      /** Only allowed together with a tool. */
      context_tool_args?: Absent;
    }
  | {
      /** A tool of this server. The model reads its text result. */
      context_tool: string;
      /** Not allowed together with a tool. */
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

/** Creates a server whenever a client connects or sends a request, as `serveStdio` and `createMcpHandler` of SDK 2.x expect. */
export type ServerFactory = (...args: never[]) => AnyServer | Promise<AnyServer>;

/**
 * Declares the hooks of a server, before it is connected. A client that requests hooks in its `initialize` or `server/discover`
 * gets the hooks on the events that it supports. Other clients get none.
 *
 * For a framework that creates its servers itself, pass `Server.prototype` of the SDK that the framework uses.
 *
 * @throws TypeError when a declaration is wrong (the error lists all problems), when this is not a server, or when it is
 *   already connected.
 */
export function declareHooks(server: AnyServer, declarations: readonly Declaration[]): void;
/**
 * Declares the hooks of every server that a function creates. The declarations are checked immediately, so a mistake ends the
 * process at the start. Inside the function, it would not appear until the first client connects.
 *
 * @returns The function to serve with: `serveStdio(declareHooks(() => new McpServer(info), declarations))`.
 * @throws TypeError when a declaration is wrong (the error lists all problems).
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
