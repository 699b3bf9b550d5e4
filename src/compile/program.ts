/**
 * The runner's program: `templates/runner.cts` reads it from next to itself, one file for each event. Everything that can be
 * decided when the hooks are installed is decided here, so that the runner knows no client and no declaration.
 */

import type { Act, Hosts, ToolInput, Wire } from '../clients/contract.ts';
import type {
  ConfiguredEntry,
  ServerEnvironment,
  ValuesInFile,
} from '../declaration/configured-server.ts';
import type {
  Decision,
  Event,
  HookDeclaration,
  Priority,
  Repeat,
  WaitsFor,
} from '../declaration/declaration.ts';
import type { DecidingVariables } from '../declaration/declared.ts';
import { isMuted, type MOST, type Rules } from '../declaration/policy.ts';
import { fingerprint } from '../system/fingerprint.ts';
import type { Glob } from './glob.ts';

export interface Program {
  readonly label: string;
  readonly client: string;
  /** Absolute path of our state folder, which holds sessions and logs. Empty for a shipped runner. */
  readonly state: string;
  /** Set for a shipped runner, which finds its state folder when it fires. It shows nothing if the user has the same hooks. */
  readonly shipped?: {
    /** The variable that the client sets to the folder whose settings it has read; absent: there is none. */
    readonly folder?: string;
    /** Absolute path of the file with what the machine's administrator allows for everybody; absent: there is no such file. */
    readonly policy?: string;
  };
  /** Absolute path, without links, of the only folder whose sessions have these hooks; absent: all have them. */
  readonly onlyIn?: string;
  readonly wire: Wire;
  readonly names: {
    /** Native tool names, each with the names that a declaration may use for it. */
    readonly aliases: Readonly<Record<string, readonly string[]>>;
    /** Native tools whose inputs have another form than a declaration's. */
    readonly inputs?: Readonly<Record<string, ToolInput>>;
    /** Each character outside this class becomes `_` in `mcp__<server>__<tool>`. */
    readonly allowed: string;
    /** The client only sends the name of a server's tool, and the server's part of it may end in several places. */
    readonly apart?: NamesApart;
    /** What the client may put at the end of a server's tool: regular expression. */
    readonly suffix?: string;
  };
  /** Native events, each with what happens on it; strongest priority first, then as declared. */
  readonly events: Readonly<Record<string, NativeProgram>>;
  /** How `context_tool` reaches the server. */
  readonly server?: ProgramServer;
  /** The rules where `policy.json` sets none, and the limits of what it may set. */
  readonly policy: {
    readonly rules: ProgramRules;
    readonly most: typeof MOST;
    /** How many of the server's hooks, strongest first, were installed. */
    readonly hooksPerServer: number;
    /** Regular expression over the names of `servers`. */
    readonly label: string;
    /**
     * Set if the policy's rules for this label were written for another source, so only stricter ones hold. Lists the rules
     * for which a higher value is stricter.
     */
    readonly restricting?: readonly string[];
  };
  readonly hosts?: Hosts;
}

/** Without a chain nothing is decided, so these rules are missing. Secrets are masked unless the policy forbids it. */
export type ProgramRules = Omit<
  Rules,
  Decision | 'command' | 'onFailure' | 'projectCode' | 'redact'
> &
  Partial<Rules>;

/** How to split the name of a server's tool. */
export interface NamesApart {
  readonly prefix: string;
  readonly separator: string;
  /** Tools of the client itself whose names look the same. */
  readonly own: readonly string[];
}

export interface NativeProgram {
  /** Milliseconds after its start until which the second stage waits for a stdin or stdout that is not ready. */
  readonly deadline: number;
  /** The most milliseconds for a tool's call, whatever the policy says: the client would end us. */
  readonly most: number;
  /** The session ends. */
  readonly end?: true;
  /** The payload's key that tells two such events of a session apart, if the first stage may answer. */
  readonly occasion?: string;
  /** Set if it is not the client's. */
  readonly wire?: Wire;
  /** One of the hooks uses the extended vocabulary, so all are evaluated as a chain. */
  readonly chain?: true;
  readonly hooks: readonly ProgramHook[];
}

/** The runner's input for one event: the program, with that event alone. */
export type EventProgram = Omit<Program, 'events'> &
  NativeProgram & { readonly native: string; readonly wire: Wire };

export const eventPrograms = ({ events, ...shared }: Program): EventProgram[] =>
  Object.entries(events).map(([native, event]) => {
    const { wire = shared.wire } = event;
    return { ...shared, native, ...event, wire };
  });

/** Stays the same while the declared hook does. */
export const idOf = (declaration: HookDeclaration): string =>
  fingerprint(JSON.stringify(declaration));

/** The id of a hook that only marks the turns of another one. templates/chain.cts makes the same. */
export const turnMarkOf = (id: string): string => `${id}.turn`;

/** The id by which the user's policy mutes a hook: a mark of its turns goes with it. The runner makes the same of it. */
export const mutedAs = (id: string): string => id.replace(/\.turn$/, '');

/** The hooks of an event without those that only mark the turns of others there. */
export function withoutTurnMarks(hooks: readonly ProgramHook[]): ProgramHook[] {
  const marks = new Set(hooks.map(({ id }) => turnMarkOf(id)));
  return hooks.filter(({ id }) => !marks.has(id));
}

/** Milliseconds of a client's timeout that we keep for an orderly end. */
const RESERVE = 1000;

/** Milliseconds that we have within a client's timeout. @param timeout In seconds. */
export const timeWithin = (timeout: number): number => 1000 * timeout - RESERVE;

/** Why the user's rules never let a hook be shown; undefined: they do, if no stronger hooks of the event use up their number. */
export function whyForbidden(
  { id, call, extended, ranks }: ProgramHook,
  rules: ProgramRules,
): Forbidden | undefined {
  if (isMuted(rules, mutedAs(id))) return 'muted';
  if (call && !rules.contextTool) return 'tools-forbidden';
  if (extended?.command && !rules.command) return 'commands-forbidden';
  if (extended?.command?.ofProject && !rules.projectCode) return 'project-code-forbidden';
  if (extended?.block !== undefined && !rules.block) return 'blocks-forbidden';
  const rank = rules.trusted ? ranks.trusted : ranks.other;
  return rank >= rules.hooksPerServer ? 'beyond-hooks-per-server' : undefined;
}

export type Forbidden =
  | 'muted'
  | 'tools-forbidden'
  | 'commands-forbidden'
  | 'project-code-forbidden'
  | 'blocks-forbidden'
  | 'beyond-hooks-per-server';

export interface ProgramHook {
  /** Stays the same while the declared hook does. */
  readonly id: string;
  /** Its place in the declaration, from 1: a name for people. */
  readonly number: number;
  /** Its place among all of the server's hooks, strongest first, from 0: with `required` honoured, and without. */
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
  /** The text, unless a tool is asked for it. */
  readonly text?: string;
  /** It hands on a tool's input or output, in which secrets are masked. */
  readonly hands?: true;
  /** Its answer when it is shown alone and there is no `policy.json`; absent: that depends on more. */
  readonly alone?: Alone;
  readonly call?: {
    readonly tool: string;
    readonly args: Readonly<Record<string, unknown>>;
    /** What `{server}` stands for in them; absent: they do not use it. */
    readonly own?: string;
    /** A reply that says nothing is shown, too. */
    readonly showEmpty?: true;
  };
  /** Everything that the SEP does not have; `templates/chain.cts` evaluates such a hook. */
  readonly extended?: ExtendedHook;
}

export interface ExtendedHook {
  readonly order: number;
  readonly block?: string;
  readonly command?: ProgramCommand;
  /** The decisions that its answer may make, and that are granted. */
  readonly may: readonly Decision[];
  /** Those that the client can carry out on this event. */
  readonly can: readonly Changed[];
  /** It blocks when it fails; absent: it lets everything pass then. */
  readonly onFailure?: 'deny';
  readonly every?: 'session' | 'turn';
  /** Seconds. */
  readonly cooldown?: number;
  /** Characters. */
  readonly limit?: number;
  /** Milliseconds; absent: as long as the rules say. */
  readonly deadline?: number;
  readonly budget?: { readonly tokens: number; readonly warn: number; readonly fire: number };
  /** The tokens after which its server says that the budget is exceeded. */
  readonly window?: number;
  readonly when?: {
    readonly exclude?: { readonly tools: readonly ToolGlobs[]; readonly paths: readonly Glob[] };
    readonly inputMatches?: string;
    readonly outputMatches?: string;
    readonly outputContains?: string;
    readonly failed?: boolean;
    readonly waitsFor?: WaitsFor;
    readonly repeat?: Repeat;
    readonly branch?: readonly Glob[];
    readonly project?: readonly Glob[];
  };
}

/** What a decision changes: whether something happens at all, a tool's input, or the output that the model reads. */
export type Changed = 'block' | 'input' | 'output';

/** Files have absolute paths. Their SHA-256 is from when the user allowed them. */
export interface ProgramCommand {
  readonly words: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** It runs code of the session's folder, which takes a grant of its own. */
  readonly ofProject?: true;
  /** Nothing waits for it. */
  readonly isAsync?: true;
}

/** Matches a tool's name: any of these does. */
export interface ToolGlobs {
  readonly tool: readonly Glob[];
  /** The same for the names of MCP servers' tools, in which some characters have become `_`. */
  readonly mcpTool?: readonly Glob[];
}

export interface Alone {
  /**
   * The output. If it contains the tool's name, the parts around each of its occurrences. A zero character, which is in no
   * JSON, stands for the reply.
   */
  readonly answer: readonly [string, ...string[]];
  /** Characters of the text in it, without the tool's name and the reply. */
  readonly characters: number;
  /** If a tool is asked: the mark before each further line of its reply, and how many characters the text may have. */
  readonly reply?: { readonly mark: string; readonly most: number };
}

/** As it is configured: variables are filled in when a tool is called, the client's way. */
export type ProgramServer = {
  readonly given: ServerEnvironment;
  readonly deciding?: DecidingVariables;
  readonly copy?: CopiedStart;
} & (
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

/** Where the package is that npx would start. */
export interface CopiedStart {
  /** Absolute paths of the copy, and of the modules that npx has downloaded for these words, or will. */
  readonly folder: string;
  readonly npx: string;
  /** The package as npx gets it, and the number of words of npx's own up to there. */
  readonly spec: string;
  readonly after: number;
}

/** Absolute path of the file that keeps the user's token for a server, if the user has signed in. */
type TokensFile = string;
