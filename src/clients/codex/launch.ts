/** How Codex is started to be asked something. */

/** Milliseconds until one that does not answer is ended. */
export const DEADLINE = 20_000;

/** As a proxy it keeps Codex from the internet: a port of this machine on which nobody listens. */
export const NOBODY = 'http://127.0.0.1:9';
