/** What the page and its worker send each other: plain data. Every text in an answer is safe to show as it is. */

/** What is to be tried. Also what a link holds (link.ts). */
export interface Question {
  /** The declaration: the text of a manifest. */
  readonly text: string;
  /** The declared event that happens. Empty: the first one that a client has a hook for. */
  readonly event: string;
  /** The tool that was called, and its input as JSON. Empty: as in a call of the real client. */
  readonly tool: string;
  readonly input: string;
  readonly prompt: string;
  /** The call has failed. */
  readonly failed: boolean;
  /** How often it happens in one session. */
  readonly times: number;
  /** What the user allows. */
  readonly allow: readonly string[];
}

/** What the page offers to choose from. */
export interface Choices {
  readonly events: readonly string[];
  /** The events about a tool's call, and those about a prompt. */
  readonly toolEvents: readonly string[];
  readonly promptEvents: readonly string[];
  readonly grants: readonly string[];
}

/** A command's result, and the same as the command prints it. */
interface Result {
  /** What was run, and what it printed as JSON. */
  readonly command: string;
  readonly json: string;
  /** Why there is no result. */
  readonly errors: readonly string[];
}

export interface Problem {
  readonly level: string;
  readonly place: string;
  readonly message: string;
}

/** What `validate` says. */
export interface Checked extends Result {
  readonly valid: boolean;
  readonly hooks: number;
  readonly problems: readonly Problem[];
  /** Lines of the declaration with characters that nobody sees, and these made visible. */
  readonly hidden: readonly { readonly line: number; readonly text: string }[];
}

export interface PlannedHook {
  readonly number: number;
  readonly event: string;
  readonly grade: string;
  /** When its text is read, or why it is never. */
  readonly when: string;
  readonly notes: readonly string[];
}

export interface PlannedClient {
  readonly id: string;
  readonly name: string;
  readonly hooks: readonly PlannedHook[];
  /** The file with the entries, and how it changes. */
  readonly file: string;
  readonly diff: string;
}

/** What `diff` says. */
export interface Planned extends Result {
  /** The events that the declaration has hooks for. */
  readonly events: readonly string[];
  /** The event that happens if the reader has chosen none; empty: there is none. */
  readonly usual: string;
  /** The grants that it needs, each with the numbers of the hooks. */
  readonly grants: readonly { readonly grant: string; readonly hooks: readonly number[] }[];
  /** A hook calls a tool or runs a program. */
  readonly asks: boolean;
  readonly clients: readonly PlannedClient[];
}

export interface Firing {
  /** The client's own event, and which time it happened. */
  readonly event: string;
  readonly time: number;
  /** What the model reads. */
  readonly text: string | undefined;
  /** What was decided: the reason of a block, or that something was changed. */
  readonly decided: { readonly how: string; readonly reason: string } | undefined;
  /** Why hooks showed nothing; of the event as a whole without a number. */
  readonly why: readonly { readonly number: number | undefined; readonly message: string }[];
}

export interface FiredClient {
  readonly id: string;
  readonly name: string;
  readonly firings: readonly Firing[];
  readonly obstacles: readonly string[];
}

/** What `fire` says. */
export interface Fired extends Result {
  readonly event: string;
  readonly clients: readonly FiredClient[];
}

/** A step of the answer, in this order. */
export type Step =
  | { readonly step: 'checked'; readonly checked: Checked }
  | { readonly step: 'planned'; readonly planned: Planned }
  | { readonly step: 'fired'; readonly fired: Fired | undefined };

/** From the worker. `ready` comes once, and `failed` is an error of ours. */
export type Message =
  | { readonly step: 'ready'; readonly choices: Choices }
  | { readonly step: 'failed'; readonly error: string }
  | Step;

/** The last step. */
export const LAST = 'fired' satisfies Step['step'];
