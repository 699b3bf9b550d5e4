/** What keeps tokens: the runner's own file, so that one place knows the form of what is kept, the lock and how to renew. */

import { runnerCode } from '../../system/runner-code.ts';

/** What is kept of a sign-in. Nothing of `client` and `tokens` is ever printed. */
export interface SignIn {
  readonly version: 1;
  /** Origin and path. */
  readonly server: string;
  /** For whom the token is, in the words of the server. */
  readonly resource?: string;
  /** Who has issued the token. */
  readonly issuer: string;
  readonly tokenEndpoint: string;
  /** How we say there who we are. */
  readonly method: string;
  /** As who we are registered with the issuer. */
  readonly client: { readonly client_id: string; readonly client_secret?: string };
  /** Empty when they were refused for good. */
  readonly tokens: KeptTokens;
}

export interface KeptTokens {
  readonly access_token?: string;
  readonly refresh_token?: string;
  readonly scope?: string;
  /** As Date.now() has it; absent: nobody has said. */
  readonly expiresAt?: number;
}

/** What of `templates/tokens.cjs` is asked. */
interface Keeper {
  /** Undefined: nothing that is right is kept, or it is another server's. */
  readonly read: (file: string, server: string) => SignIn | undefined;
  readonly write: (file: string, kept: SignIn) => void;
  readonly isUsable: (kept: SignIn) => boolean;
  readonly isRenewable: (kept: SignIn) => boolean;
  readonly isSafe: (url: URL) => boolean;
  /** From how long they last to when they run out. */
  readonly tokensOf: (answered: {
    readonly access_token: string;
    readonly refresh_token?: string | undefined;
    readonly expires_in?: number | undefined;
    readonly scope?: string | undefined;
  }) => KeptTokens;
  /** The token, renewed under the lock if it has run out or is the one that was `refused`. */
  readonly bearer: (
    file: string,
    server: string,
    at: { readonly until: number; readonly refused?: string | undefined },
  ) => Promise<string | undefined>;
}

/** It is read once, and kept by node. */
export const keeper = (): Keeper => runnerCode('./tokens.cjs');
