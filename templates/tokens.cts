/**
 * mcp-hooks: the token from a user's sign-in to a server, kept in a separate file and renewed when it has expired. The command
 * line (src/sources/oauth) uses this file too, so the format is known in one place only. It never opens a browser or prompts:
 * if there is no valid token, none is sent.
 */

import fs = require('node:fs');

import { textOf } from './files.cjs';
import { isObject, parse } from './values.cjs';

/** A token is renewed this many milliseconds before it expires, because the request has to arrive in time. */
const MARGIN = 5000;

/** The tokens from an authorization server. `expiresAt`: as in Date.now(). */
export interface Tokens {
  readonly access_token?: string;
  readonly refresh_token?: string;
  readonly scope?: string;
  readonly expiresAt?: number;
}

/** The saved data of a server. */
export interface Kept {
  readonly version: 1;
  /** The server's URL without its query. */
  readonly server: string;
  readonly issuer: string;
  readonly tokenEndpoint: string;
  /** How the client authenticates: `client_secret_basic`, `client_secret_post` or `none`. */
  readonly method: string;
  readonly resource?: string;
  readonly client: { readonly client_id: string; readonly client_secret?: string };
  readonly tokens: Tokens;
}

/** The saved data of a server; undefined: it does not exist, is malformed, or belongs to another server. */
export function read(file: string, server: string): Kept | undefined {
  let kept: unknown;
  try {
    kept = parse(textOf(file) ?? '');
  } catch {
    return undefined;
  }
  const isText = (value: unknown) => typeof value === 'string' && value !== '';
  return isObject(kept) &&
    kept.version === 1 &&
    kept.server === server &&
    [kept.issuer, kept.tokenEndpoint, kept.method].every(isText) &&
    isObject(kept.client) &&
    isText(kept.client.client_id) &&
    isObject(kept.tokens)
    ? (kept as unknown as Kept)
    : undefined;
}

/** Readable only by its owner. The folder must exist. */
export const write = (file: string, kept: Kept): void =>
  require('./lock.cjs').replace(file, `${JSON.stringify(kept, null, 2)}\n`);

/** Whether the token is usable, as far as we can tell without a request. @param refused A token that the server refused. */
export const isUsable = (
  { tokens: { access_token: token, expiresAt } }: Pick<Kept, 'tokens'>,
  refused?: string,
): boolean =>
  typeof token === 'string' &&
  /^[!-~]+$/.test(token) &&
  token !== refused &&
  (typeof expiresAt !== 'number' || expiresAt > Date.now() + MARGIN);

export const isRenewable = ({ tokens }: Pick<Kept, 'tokens'>): boolean =>
  typeof tokens.refresh_token === 'string';

/** Posts to an authorization server without following redirects: the token only goes to this address. Undefined: no answer. */
type Post = (
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  until: number,
) => Promise<{ readonly status?: number | undefined; readonly body?: unknown }>;

/**
 * The token for a server, renewed if necessary; undefined: the user has to sign in (again), or there is no time.
 *
 * @param at `until`: the deadline, as in Date.now(); `refused`: a token that the server refused; `post`: sends a form.
 */
export async function bearer(
  file: string,
  server: string,
  {
    until,
    refused,
    post,
  }: {
    readonly until: number;
    readonly refused?: string | undefined;
    readonly post: Post;
  },
): Promise<string | undefined> {
  const kept = read(file, server);
  if (!kept) return undefined;
  if (isUsable(kept, refused)) return kept.tokens.access_token;
  if (!isRenewable(kept)) return undefined;
  return require('./lock.cjs').locked(`${file}.lock`, until, async () => {
    // The previous holder of the lock may have renewed it, and a refresh token works only once.
    const now = read(file, server);
    if (!now) return undefined;
    if (isUsable(now, refused)) return now.tokens.access_token;
    if (!isRenewable(now)) return undefined;
    const renewed = await renew(now, until, post);
    if (!renewed) return undefined;
    // An uninstall may have removed the file in the meantime.
    if (fs.existsSync(file)) write(file, renewed);
    return isUsable(renewed, refused) ? renewed.tokens.access_token : undefined;
  });
}

/** The same with new tokens, or without those that were finally refused; undefined: unknown. */
async function renew(kept: Kept, until: number, post: Post): Promise<Kept | undefined> {
  const { client, method, resource, tokenEndpoint, tokens } = kept;
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: String(tokens.refresh_token),
    ...(typeof resource === 'string' && { resource }),
  });
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  };
  if (method === 'client_secret_basic') {
    const pair = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64');
    headers.authorization = `Basic ${pair}`;
  } else {
    form.set('client_id', client.client_id);
    if (method === 'client_secret_post') form.set('client_secret', String(client.client_secret));
  }
  const url = new URL(tokenEndpoint);
  if (!isSafe(url)) return undefined;
  const { status, body } = await post(url, headers, String(form), until);
  const answered: Answered & { readonly error?: string } = Object(body);
  if (status === 200 && typeof answered.access_token === 'string')
    return { ...kept, tokens: tokensOf(answered, tokens) };
  const isFinal = (status === 400 || status === 401) && FINAL.includes(answered.error ?? '');
  return isFinal ? { ...kept, tokens: {} } : undefined;
}
/** Errors after which a retry with the same token cannot succeed. */
const FINAL = ['invalid_grant', 'invalid_client', 'unauthorized_client'];

/** The authorization server's answer. */
type Answered = Omit<Tokens, 'expiresAt'> & { readonly expires_in?: unknown };

/** Tokens in the saved form: with a time of expiry in place of a duration. Old values stay unless there are new ones. */
export function tokensOf(
  { access_token, refresh_token, expires_in, scope }: Answered,
  before: Tokens = {},
): Tokens {
  const seconds = Number(expires_in);
  return {
    access_token,
    refresh_token: refresh_token ?? before.refresh_token,
    scope: scope ?? before.scope,
    ...(expires_in !== undefined &&
      Number.isFinite(seconds) && { expiresAt: Date.now() + 1000 * seconds }),
  };
}

/** Whether data sent there cannot be read on the way. */
export const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' ||
  (protocol === 'http:' && /^(?:127\.0\.0\.1|\[::1\]|(?:.+\.)?localhost)$/.test(hostname));
