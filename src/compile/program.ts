/**
 * The runner's program: what `templates/runner.cjs` reads beside itself, a file for each event. Everything that can be
 * decided when the hooks are installed is decided here, so that the runner knows no client and no declaration.
 */

import type { Act, Hosts, Wire } from '../clients/contract.ts';
import type {
  ConfiguredEntry,
  ServerEnvironment,
  ValuesInFile,
} from '../declaration/configured-server.ts';
import type { Decision, Event, Priority, Repeat } from '../declaration/declaration.ts';
import type { MOST, Rules } from '../declaration/policy.ts';
import type { Glob } from './glob.ts';

export interface Program {
  readonly label: string;
  readonly client: string;
  /** Absolute path of our state folder: sessions and logs are kept there. Empty in a runner that is shipped. */
  readonly state: string;
  /** It is shipped, and finds its state folder when it fires. It is silent where a user has installed the same. */
  readonly shipped?: {
    /** The variable that the client sets to the folder whose settings it has read; absent: there is none. */
    readonly folder?: string;
    /** Absolute path of what whoever administers the machine allows to everybody, where there is somebody. */
    readonly policy?: string;
  };
  readonly wire: Wire;
  readonly names: {
    /** Native tool name to the names a declaration may use for it. */
    readonly aliases: Readonly<Record<string, readonly string[]>>;
    /** Each character outside this class becomes `_` in `mcp__<server>__<tool>`. */
    readonly allowed: string;
    /** The entries fit tools of MCP servers by their own names, too. */
    readonly bare?: true;
    /** The client tells a server's tool by its name alone, in which the server may end in several places. */
    readonly apart?: NamesApart;
  };
  /** Native event to what happens on it; strongest priority first, then as declared. */
  readonly events: Readonly<Record<string, NativeProgram>>;
  /** How `context_tool` reaches the server. */
  readonly server?: ProgramServer;
  /** What holds where `policy.json` says nothing, and the bounds of what it may say. */
  readonly policy: {
    readonly rules: ProgramRules;
    readonly most: typeof MOST;
    /** So many hooks of the server, strongest first, were installed. */
    readonly heard: number;
    /** Regular expression over the names of `servers`. */
    readonly label: string;
    /** What it says of this label was said of another source: only what is stricter holds. Rules of which more is stricter. */
    readonly restricting?: readonly string[];
  };
  readonly hosts?: Hosts;
}

/** Without a chain nothing is decided, and its rules are not there; secrets are masked unless the policy says otherwise. */
export type ProgramRules = Omit<Rules, Decision | 'command' | 'redact'> & Partial<Rules>;

/** How the name of a server's tool is taken apart. */
export interface NamesApart {
  readonly prefix: string;
  readonly separator: string;
  /** Tools of the client itself whose names look the same. */
  readonly own: readonly string[];
}

export interface NativeProgram {
  /** Milliseconds from start for which the second stage waits for a stdin or stdout that is not ready. */
  readonly deadline: number;
  /** Milliseconds that no call of a tool outlasts, whatever the policy says: the client would end us. */
  readonly most: number;
  /** The session ends. */
  readonly end?: true;
  /** What in the payload tells one such event of a session from another, where the first stage may answer. */
  readonly occasion?: string;
  /** Where it is not the client's. */
  readonly wire?: Wire;
  /** One of the hooks is of the extended vocabulary: all are evaluated as a chain. */
  readonly chain?: true;
  readonly hooks: readonly ProgramHook[];
}

/** What the runner reads for one event: the program, with that event alone. */
export type EventProgram = Omit<Program, 'events'> &
  NativeProgram & { readonly native: string; readonly wire: Wire };

export const eventPrograms = ({ events, ...shared }: Program): EventProgram[] =>
  Object.entries(events).map(([native, event]) => {
    const { wire = shared.wire } = event;
    return { ...shared, native, ...event, wire };
  });

export interface ProgramHook {
  /** The same as long as the declared hook is the same. */
  readonly id: string;
  /** Its place in the declaration, from 1: a name for people. */
  readonly number: number;
  /** Its place among all hooks of the server, strongest first, from 0: where `required` is honoured, and where not. */
  readonly ranks: { readonly trusted: number; readonly other: number };
  readonly event: Event;
  readonly priority: Priority;
  readonly act: Act;
  readonly once?: true;
  readonly marked?: true;
  readonly when?: Partial<ToolGlobs> & {
    readonly input?: string;
    readonly server?: string;
  };
  /** The text, or the tool that is asked for it. */
  readonly text?: string;
  /** It hands on what a tool was given or returned, in which secrets are masked. */
  readonly hands?: true;
  /** Its answer when it speaks alone and there is no `policy.json`; absent: that depends on more. */
  readonly alone?: Alone;
  readonly call?: {
    readonly tool: string;
    readonly args: Readonly<Record<string, unknown>>;
    /** What `{server}` stands for in them; absent: they do not say it. */
    readonly own?: string;
  };
  /** What the SEP has not; such a hook is evaluated by `templates/chain.cjs`. */
  readonly extended?: ExtendedHook;
}

export interface ExtendedHook {
  readonly order: number;
  readonly block?: string;
  readonly command?: ProgramCommand;
  /** What its answer may decide and is granted. */
  readonly may: readonly Decision[];
  /** What of that the client can carry out on this event. */
  readonly can: readonly Changed[];
  readonly every?: 'session' | 'turn';
  /** Seconds. */
  readonly cooldown?: number;
  /** Characters. */
  readonly limit?: number;
  /** Milliseconds; absent: as long as the rules say. */
  readonly deadline?: number;
  readonly budget?: { readonly tokens: number; readonly warn: number; readonly fire: number };
  /** Before a compaction, the tokens after which its server says that the budget is exceeded. */
  readonly window?: number;
  readonly when?: {
    readonly exclude?: { readonly tools: readonly ToolGlobs[]; readonly paths: readonly Glob[] };
    readonly inputMatches?: string;
    readonly outputMatches?: string;
    readonly outputContains?: string;
    readonly failed?: boolean;
    readonly repeat?: Repeat;
    readonly branch?: readonly Glob[];
    readonly project?: readonly Glob[];
  };
}

/** What a decision changes: that something happens at all, what a tool is given, or what the model reads of it. */
export type Changed = 'block' | 'input' | 'output';

/** Absolute where it is a file; each file's SHA-256 is that of when the user allowed it. */
export interface ProgramCommand {
  readonly words: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

/** What a tool may be called: one of these. */
export interface ToolGlobs {
  readonly tool: readonly Glob[];
  /** The same for the names of tools of MCP servers, in which some characters have become `_`. */
  readonly mcpTool?: readonly Glob[];
}

export interface Alone {
  /**
   * What is printed; where the tool's name is said: what stands before it and after it, wherever it is said. A zero character,
   * which is in no JSON, stands for the reply.
   */
  readonly answer: readonly [string, ...string[]];
  /** Characters of the text in it, but for the tool's name and the reply. */
  readonly characters: number;
  /** Where a tool is asked: what stands before each further line of its reply, and the characters that the text may have. */
  readonly reply?: { readonly mark: string; readonly most: number };
}

/** As where it stands: variables are filled in when a tool is called, in the way of the client. */
export type ProgramServer = { readonly given: ServerEnvironment } & (
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: ValuesInFile;
      /** Absolute; absent: the folder that the session is in. */
      readonly cwd?: string;
    }
  | {
      readonly url: string;
      readonly headers?: ValuesInFile;
      /** As the user has typed them, with variables of the environment in which the hook fires. */
      readonly templates?: Readonly<Record<string, string>>;
      readonly tokens?: TokensFile;
    }
  | { readonly entry: ConfiguredEntry; readonly tokens?: TokensFile }
);

/** Absolute path of the file that keeps what the user has signed in with at a server, if he has. */
type TokensFile = string;
