import type { JsonObject } from '../../system/json.ts';

/** A tool call by the name the client itself gave the tool. */
export interface NativeCall {
  /** Codex offers MCP tools in namespaces: `mcp__server.tool`. */
  name: string;
  /** Of which MCP server it is a tool, where clients have it under different names: the server's name and its own. */
  mcp?: { server: string; tool: string };
  /** A string for Codex' freeform tools, like `apply_patch`. */
  input: JsonObject | string;
}

export type Call =
  /** A command in the client's own shell tool. */
  { shell: string } | { call: NativeCall };
