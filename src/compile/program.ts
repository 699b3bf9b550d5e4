/**
 * The runner's program: what `templates/runner.cjs` reads beside itself. Everything that can be decided when
 * the hooks are installed is decided here, so that the runner knows no client and no declaration.
 */

import type { Act, Wire } from '../clients/client.ts';
import type { Event, Priority } from '../declaration/declaration.ts';

export interface Program {
  readonly label: string;
  readonly client: string;
  /** Absolute path of our state folder: sessions and logs are kept there. */
  readonly state: string;
  readonly wire: Wire;
  readonly names: {
    /** Native tool name to the names a declaration may use for it. */
    readonly aliases: Readonly<Record<string, readonly string[]>>;
    /** Each character outside this class becomes `_` in `mcp__<server>__<tool>`. */
    readonly allowed: string;
  };
  /** Native event to what happens on it; strongest priority first, then as declared. */
  readonly events: Readonly<Record<string, NativeProgram>>;
  /** How `context_tool` reaches the server. */
  readonly server?: ProgramServer;
  readonly limits: Limits;
}

export interface NativeProgram {
  /** Milliseconds from start within which everything is said or not said at all. */
  readonly deadline: number;
  readonly hooks: readonly ProgramHook[];
}

export interface ProgramHook {
  /** The same as long as the declared hook is the same. */
  readonly id: string;
  readonly event: Event;
  readonly priority: Priority;
  readonly act: Act;
  readonly once?: true;
  readonly marked?: true;
  readonly when?: {
    /** Regular expression over the tool's names. */
    readonly tool?: string;
    readonly input?: string;
    readonly server?: string;
  };
  /** The text, or the tool that is asked for it. */
  readonly text?: string;
  readonly call?: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> };
}

export type ProgramServer =
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: FromManifest;
    }
  | { readonly url: string; readonly headers?: FromManifest };

/** Names of `server.env` or `server.headers`; their values are read when the tool is called, and never copied. */
export interface FromManifest {
  readonly manifest: string;
  /** Only these, which the user has seen: a name that the manifest has later is not taken. */
  readonly names: readonly string[];
}

/** Characters, so that nothing a server or a tool says can flood the model or be cut by the client. */
export interface Limits {
  /** One template variable. */
  readonly variable: number;
  /** All texts of one firing; below 10,000 characters (Claude Code) and 2,500 tokens of 4 bytes (Codex CLI). */
  readonly event: number;
}

export const LIMITS: Limits = { variable: 2000, event: 9000 };
