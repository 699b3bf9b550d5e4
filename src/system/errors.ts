/** An error a person can act on. Anything else that is thrown is a bug of ours. */
export class UserError extends Error {
  override readonly name = 'UserError';
  constructor(
    /** What is wrong, one sentence. */
    message: string,
    /** Places, a server's last words, what was left untouched, what to do: one line each. */
    readonly details: readonly string[] = [],
  ) {
    super(message);
  }
}

/** A file is no longer what a plan was made for. It was left as it is; a new plan may be carried out. */
export class Stale extends UserError {}

/** A server does not know who asks, or does not let him in. */
export class NotLetIn extends UserError {
  constructor(
    message: string,
    details: readonly string[],
    /** Of HTTP: 401 or 403. */
    readonly status: number,
  ) {
    super(message, details);
  }
}

/** The user has left a question with ctrl-C: nothing more is done, for this label or any other. */
export class Interrupted extends UserError {}

/** The code of an error of Node's, such as ENOENT. One that comes out of a context of its own is no Error of ours. */
export function codeOf(error: unknown): string | undefined {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error;
  return hasCode && typeof error.code === 'string' ? error.code : undefined;
}
