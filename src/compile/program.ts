/**
 * The runner's program. `templates/runner.cts` reads it from a file next to itself, one for each event. Everything that can be
 * decided at install is decided here, so that the runner knows nothing of clients and declarations.
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
  /** Absolute path of our state folder, which contains sessions and logs. Empty for a shipped runner. */
  readonly state: string;
  /**
   * Set for a shipped runner, which finds its state folder when it fires. It shows nothing if the user has installed the same
   * hooks.
   */
  readonly shipped?: {
    /** The variable that the client sets to the folder whose settings it has read; absent: there is none. */
    readonly folder?: string;
    /**
     * Absolute path of the file in which the machine's administrator allows things for all users; absent: there is no such
     * file.
     */
    readonly policy?: string;
  };
  /** Absolute path, without links, of the only folder whose sessions have these hooks; absent: all sessions have them. */
  readonly onlyIn?: string;
  readonly wire: Wire;
  readonly names: {
    /** Native tool names, each with the names that a declaration may use for it. */
    readonly aliases: Readonly<Record<string, readonly string[]>>;
    /** Native tools whose input has another form than in a declaration. */
    readonly inputs?: Readonly<Record<string, ToolInput>>;
    /** Each character outside this class becomes `_` in `mcp__<server>__<tool>`. */
    readonly allowed: string;
    /** Set if the client only sends the full name of a server's tool, which can be split in several places. */
    readonly apart?: NamesApart;
    /** A suffix that the client may add to the name of a server's tool: regular expression. */
    readonly suffix?: string;
  };
  /** Native events with their programs. Hooks are sorted by priority, then as declared. */
  readonly events: Readonly<Record<string, NativeProgram>>;
  /** How `context_tool` reaches the server. */
  readonly server?: ProgramServer;
  /** The rules that apply unless `policy.json` sets others, and the limits for those. */
  readonly policy: {
    readonly rules: ProgramRules;
    readonly most: typeof MOST;
    /** How many of the server's hooks were installed, by priority. */
    readonly hooksPerServer: number;
    /** Regular expression over the names of `servers`. */
    readonly label: string;
    /**
     * Set if the policy's rules for this label were written for another source, so only stricter ones apply. Lists the rules
     * for which a higher value is stricter.
     */
    readonly restricting?: readonly string[];
  };
  readonly hosts?: Hosts;
}

/** Without a chain there are no decisions, so these rules are missing. Secrets are masked unless the policy disables it. */
export type ProgramRules = Omit<
  Rules,
  Decision | 'command' | 'onFailure' | 'projectCode' | 'redact'
> &
  Partial<Rules>;

/** How to split the name of a server's tool. */
export interface NamesApart {
  readonly prefix: string;
  readonly separator: string;
  /** The client's own tools whose names look the same. */
  readonly own: readonly string[];
}

interface NativeProgram {
  /** Milliseconds after its start until which the second stage waits for a stdin or stdout that is not ready. */
  readonly deadline: number;
  /** The maximum milliseconds for a tool's call under any policy, because the client would end us. */
  readonly most: number;
  /** The session ends. */
  readonly end?: true;
  /** The payload's key that distinguishes two such events of a session, if the first stage may answer. */
  readonly occasion?: string;
  /** Set if it differs from the client's. */
  readonly wire?: Wire;
  /** Set if one of the hooks uses the extended vocabulary. Then all are evaluated as a chain. */
  readonly chain?: true;
  readonly hooks: readonly ProgramHook[];
}

/** The runner's input for one event: the program with only that event. */
export type EventProgram = Omit<Program, 'events'> &
  NativeProgram & { readonly native: string; readonly wire: Wire };

export const eventPrograms = ({ events, ...shared }: Program): EventProgram[] =>
  Object.entries(events).map(([native, event]) => {
    const { wire = shared.wire } = event;
    return { ...shared, native, ...event, wire };
  });

/** Stays the same as long as the declared hook does. */
export const idOf = (declaration: HookDeclaration): string =>
  fingerprint(JSON.stringify(declaration));

/** The id of a hook that only marks the turns of another one. templates/chain/due.cts builds the same id. */
export const turnMarkOf = (id: string): string => `${id}.turn`;

/** The id by which the user's policy mutes a hook together with the mark of its turns. The runner derives the same id. */
export const mutedAs = (id: string): string => id.replace(/\.turn$/, '');

/** The hooks of an event, without those that only mark the turns of other hooks. */
export function withoutTurnMarks(hooks: readonly ProgramHook[]): ProgramHook[] {
  const marks = new Set(hooks.map(({ id }) => turnMarkOf(id)));
  return hooks.filter(({ id }) => !marks.has(id));
}

/** Milliseconds of a client's timeout that are reserved for an orderly end. */
const RESERVE = 1000;

/** The milliseconds that we have within a client's timeout. @param timeout In seconds. */
export const timeWithin = (timeout: number): number => 1000 * timeout - RESERVE;

/** Why the user's rules never allow a hook; undefined: they do, unless hooks of higher priority use up the event's limit. */
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
  /** Stays the same as long as the declared hook does. */
  readonly id: string;
  /** Its number in the declaration, from 1, for users. */
  readonly number: number;
  /** Its rank among all of the server's hooks by priority, from 0: with `required` honoured, and without. */
  readonly ranks: { readonly trusted: number; readonly other: number };
  readonly event: Event;
  readonly priority: Priority;
  readonly act: Act;
  readonly once?: true;
  readonly marked?: true;
  /** An earlier event has asked it, and kept its answer (`keep`). */
  readonly kept?: true;
  readonly when?: Partial<ToolGlobs> & {
    readonly input?: string;
    readonly server?: string;
  };
  /** The text, unless it comes from a tool. */
  readonly text?: string;
  /** Set if it passes on a tool's input or output, in which secrets are masked. */
  readonly hands?: true;
  /** Its answer when it is shown alone and there is no `policy.json`; absent: the answer depends on more. */
  readonly alone?: Alone;
  readonly call?: {
    readonly tool: string;
    readonly args: Readonly<Record<string, unknown>>;
    /** The value of `{server}` in the arguments; absent: they do not use it. */
    readonly own?: string;
    /** Set if an empty reply is shown, too. */
    readonly showEmpty?: true;
  };
  /** Everything that is not in the SEP. `templates/chain.cts` evaluates such a hook. */
  readonly extended?: ExtendedHook;
}

export interface ExtendedHook {
  readonly order: number;
  readonly block?: string;
  readonly command?: ProgramCommand;
  /** The decisions that its answer may make and that are granted. */
  readonly may: readonly Decision[];
  /** The decisions that the client can carry out on this event. */
  readonly can: readonly Changed[];
  /** Set if it blocks when it fails; absent: it lets everything through. */
  readonly onFailure?: 'deny';
  readonly every?: 'session' | 'turn';
  /** In seconds. */
  readonly cooldown?: number;
  /** In characters. */
  readonly limit?: number;
  /** In milliseconds; absent: as the rules say. */
  readonly deadline?: number;
  readonly budget?: { readonly tokens: number; readonly warn: number; readonly fire: number };
  /** The number of tokens at which the server considers the budget exceeded. */
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

/** The target of a decision: whether something happens at all, a tool's input, or the output that the model reads. */
export type Changed = 'block' | 'input' | 'output';

/** Files have absolute paths. Each SHA-256 was computed when the user allowed the file. */
export interface ProgramCommand {
  readonly words: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** Set if it runs code of the session's folder, which requires a separate grant. */
  readonly ofProject?: true;
  /** Set if nothing waits for it. */
  readonly isAsync?: true;
}

/** Matches a tool's name if any of the globs does. */
export interface ToolGlobs {
  readonly tool: readonly Glob[];
  /** The same for MCP servers' tools, in whose names some characters became `_`. */
  readonly mcpTool?: readonly Glob[];
}

export interface Alone {
  /**
   * The output. If it contains the tool's name, the parts around each occurrence. A zero character, which does not occur in
   * JSON, marks the place of the reply.
   */
  readonly answer: readonly [string, ...string[]];
  /** The number of characters of its text, without the tool's name and the reply. */
  readonly characters: number;
  /** If a tool is asked: the mark before each further line of its reply, and the maximum number of characters of the text. */
  readonly reply?: { readonly mark: string; readonly most: number };
}

/** The server as configured. Variables are filled in when a tool is called, as the client does it. */
export type ProgramServer = {
  readonly given: ServerEnvironment;
  readonly deciding?: DecidingVariables;
  readonly copy?: CopiedStart;
} & (
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: ValuesInFile;
      /** Absolute; absent: the session's folder. */
      readonly cwd?: string;
    }
  | {
      readonly url: string;
      readonly headers?: ValuesInFile;
      /** As the user typed them, with variables of the environment in which the hook fires. */
      readonly templates?: Readonly<Record<string, string>>;
      readonly tokens?: TokensFile;
    }
  | { readonly entry: ConfiguredEntry; readonly tokens?: TokensFile }
);

/** The location of the package that npx would start. */
export interface CopiedStart {
  /** Absolute paths of the copy, and of the modules that npx has downloaded for these words, or will. */
  readonly folder: string;
  readonly npx: string;
  /** The package as npx gets it, and the number of npx's own arguments up to it. */
  readonly spec: string;
  readonly after: number;
}

/** Absolute path of the file with the user's token for a server, if the user has signed in. */
type TokensFile = string;
