/** Messages as data, and the errors that carry them. */

import { canonical } from './fingerprint.ts';

/** A code in kebab-case, and the facts that its sentence needs. Each layer lists its own codes in its `messages.ts`. */
export interface Message {
  readonly code: string;
}

/** A message for each of these codes, with the same facts. */
export type Said<Code extends string, Facts = unknown> = Code extends Code
  ? { readonly code: Code } & Readonly<Facts>
  : never;

/** A quoted line from another program: the last words of a program or a server. */
export interface Quote {
  readonly code: 'quote';
  readonly text: string;
}

/** Why the system refused something. */
export interface SystemReason {
  readonly code: 'system-reason';
  /** For example `ENOENT`. Absent if the error has no code. */
  readonly errno?: string;
  readonly text: string;
}

/**
 * An error that the user can act on; any other error is a bug in mcp-hooks. Without a layer's messages, no problem fits the
 * type.
 */
export class UserError<M extends Message = never> extends Error {
  override readonly name: string = 'UserError';
  readonly problem: Message;
  /** One line each: places, a server's last words, what was left unchanged, what to do. */
  readonly details: readonly Message[];

  constructor(problem: NoInfer<M>, details: readonly NoInfer<M | Quote>[] = []) {
    super(problem.code);
    this.problem = problem;
    this.details = details;
  }
}

/** A file has changed since a plan was made. The file is unchanged, and a new plan may succeed. */
export class Stale<M extends Message = never> extends UserError<M> {}

/** A server does not know the user, or denies access. */
export class Unauthorized<M extends Message = never> extends UserError<M> {
  constructor(
    problem: NoInfer<M>,
    details: readonly NoInfer<M | Quote>[],
    /** The HTTP status: 401 or 403. */
    readonly status: number,
    /** The server's own challenge. */
    readonly challenge?: string,
  ) {
    super(problem, details);
  }
}

/** The user cancelled a question with ctrl-C: nothing more is done, for this label or any other. */
export class Interrupted<M extends Message = never> extends UserError<M> {}

/** The code of a Node error, such as ENOENT. An error from another context is not an instance of our Error. */
export function codeOf(error: unknown): string | undefined {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error;
  return hasCode && typeof error.code === 'string' ? error.code : undefined;
}

/** Why the system refused an operation, without a stack. */
export function reasonOf(error: unknown): SystemReason {
  const errno = codeOf(error);
  const text = error instanceof Error ? error.message : String(error);
  return { code: 'system-reason', ...(errno !== undefined && { errno }), text };
}

/** The result of `work`. Undefined if it throws. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The result of `work`, or that of `otherwise` for an error of this class. */
export function unless<T, U, E extends Error>(
  Kind: abstract new (...parts: never[]) => E,
  work: () => T,
  otherwise: (error: E) => U,
): T | U {
  try {
    return work();
  } catch (error) {
    if (error instanceof Kind) return otherwise(error);
    throw error;
  }
}

/** Like `attempt`, but only for errors that are meant for the user. Any other error is a bug and is thrown again. */
export const ifPossible = <T>(work: () => T): T | undefined =>
  unless(UserError, work, () => undefined);

/** A message of one layer where messages of any layer are accepted. Does not compile without the layer's type. */
export const said = <M extends Message = never>(message: NoInfer<M>): M => message;

export const unique = <M extends Message>(messages: readonly M[]): M[] => [
  ...new Map(messages.map((one) => [canonical(one), one])).values(),
];

/** A message with all texts among its facts transformed, to hide secrets. */
export function mapTexts(message: Message, change: (text: string) => string): Message {
  const mapped = (value: unknown): unknown => {
    if (typeof value === 'string') return change(value);
    if (Array.isArray(value)) return value.map(mapped);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, key === 'code' ? one : mapped(one)]),
    );
  };
  return { ...Object(mapped(message)), code: message.code };
}

export const quotes = (lines: readonly string[]): Quote[] =>
  lines.map((text) => ({ code: 'quote', text }));
