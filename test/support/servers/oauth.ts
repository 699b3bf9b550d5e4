/**
 * An MCP server on loopback that requires a sign-in, with its token issuer: metadata of both, dynamic registration, PKCE,
 * tokens that expire, refresh tokens that work once. It checks every request and keeps a record.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { type SignIn, tokenStore } from '../../../src/sources/oauth/tokens.ts';
import { listening } from './listening.ts';

export interface OAuthOptions {
  /** Seconds for which a token is valid. Undefined: it does not say, and the token never expires. */
  readonly lasts?: number;
  /** The browser gets this answer instead of a code. */
  readonly answer?: Readonly<Record<string, string>>;
  /** The state that it returns, if not the one that it received. */
  readonly state?: string;
  /** No refresh tokens. */
  readonly once?: boolean;
  /** It gives its clients a secret. */
  readonly secret?: boolean;
  /** No client may register. */
  readonly closed?: boolean;
  /** It answers requests without a token. */
  readonly open?: boolean;
  /** The page that the user should open, if not ours. */
  readonly page?: string;
  /** The address that it gives for the resource's metadata, if not its own. */
  readonly metadataAt?: string;
  /** The real address of the issuer's metadata, to which it redirects. */
  readonly movedTo?: string;
  /** Addresses in the issuer's metadata that are not its own. */
  readonly endpoints?: Readonly<Record<string, string>>;
  /** The issuer that it names, if not itself. */
  readonly issuer?: string;
  /** The refusal for an exchange of a code. */
  readonly refusal?: Readonly<Record<string, string>>;
  /** Renewed tokens are invalid. */
  readonly hollow?: boolean;
  /** Milliseconds that a refresh takes. */
  readonly slow?: number;
  /** What it declares. */
  readonly hooks?: readonly object[];
  /** The answer of the server's tools. */
  readonly says?: string;
}

interface Grant {
  readonly client: string;
  readonly challenge: string;
  readonly redirect: string;
  readonly resource: string | null;
}

export interface OAuthServer {
  /** The address of the MCP server. */
  readonly address: string;
  /** Its requests, as `METHOD /path`, without notifications. */
  readonly asked: string[];
  /** Everything that must appear nowhere except in the file that stores it. */
  readonly secrets: string[];
  /** Errors in what it received. */
  readonly faults: string[];
  /** Refreshes that were granted. */
  readonly refreshes: () => number;
  /** Makes all issued tokens invalid; with `refresh`, the refresh tokens, too. */
  readonly revoke: (what?: { readonly refresh: boolean }) => void;
  /** Signs a user in. Returns the record that the command line would store. */
  readonly grant: () => SignIn;
  /** Arguments of the tools that were called. */
  readonly called: unknown[];
}

/** @param finished The `onTestFinished` of the test that it serves, if tests run at the same time. */
export async function oauthServer(
  options: OAuthOptions = {},
  finished: (action: () => void) => void = onTestFinished,
): Promise<OAuthServer> {
  const asked: string[] = [];
  const secrets: string[] = [];
  const faults: string[] = [];
  const called: unknown[] = [];
  const clients = new Map<string, string | undefined>();
  const codes = new Map<string, Grant>();
  const access = new Map<string, number>();
  const refresh = new Map<string, string>();
  const spent = new Set<string>();
  let refreshes = 0;

  const secret = (kind: string) => {
    const made = `${kind}-${randomBytes(12).toString('hex')}`;
    secrets.push(made);
    return made;
  };
  const fault = (what: string) => {
    faults.push(what);
    return { error: 'invalid_grant', error_description: 'FOREIGN \u001b[31mWORDS' };
  };
  const tokens = (client: string) => {
    const token = secret('access');
    access.set(token, Date.now() + 1000 * (options.lasts ?? 1e6));
    const renewal = options.once ? undefined : secret('refresh');
    if (renewal !== undefined) refresh.set(renewal, client);
    return {
      access_token: token,
      token_type: 'Bearer',
      ...(options.lasts !== undefined && { expires_in: options.lasts }),
      ...(renewal !== undefined && { refresh_token: renewal }),
    };
  };

  /** The client that asks for tokens; undefined if it is not who it claims to be. */
  const clientOf = (request: IncomingMessage, form: URLSearchParams): string | undefined => {
    const [, basic] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    const [id, given] =
      basic === undefined
        ? [form.get('client_id'), form.get('client_secret')]
        : Buffer.from(basic, 'base64').toString().split(':');
    if (!id || !clients.has(id) || (clients.get(id) ?? '') !== (given ?? '')) return undefined;
    return id;
  };

  const issue = (client: string, form: URLSearchParams): object => {
    if (form.get('resource') !== address) return fault(`resource ${form.get('resource')}`);
    if (form.get('grant_type') === 'authorization_code') {
      if (options.refusal) return options.refusal;
      const code = form.get('code') ?? '';
      const grant = codes.get(code);
      codes.delete(code);
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (!grant || grant.client !== client) return fault('a code of nobody');
      if (grant.challenge !== proof) return fault('not who has asked for the code');
      if (grant.redirect !== form.get('redirect_uri')) return fault('another redirect');
      return tokens(client);
    }
    const renewal = form.get('refresh_token') ?? '';
    if (spent.has(renewal)) {
      refresh.clear(); // it was stolen, so all tokens of this family go
      return fault('a refresh token was used twice');
    }
    if (refresh.get(renewal) !== client) return { error: 'invalid_grant' };
    refresh.delete(renewal);
    spent.add(renewal);
    refreshes += 1;
    const renewed = tokens(client);
    if (options.hollow) access.delete(renewed.access_token);
    return renewed;
  };

  const json = (response: ServerResponse, status: number, value: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

  const routes: Readonly<
    Record<
      string,
      (request: IncomingMessage, response: ServerResponse, body: string, url: URL) => unknown
    >
  > = {
    '/.well-known/oauth-protected-resource/mcp': (_request, response) =>
      json(response, 200, {
        resource: address,
        authorization_servers: [options.issuer ?? origin],
        scopes_supported: ['hooks'],
      }),
    '/.well-known/oauth-authorization-server': (_request, response) => {
      if (options.movedTo !== undefined)
        return response.writeHead(302, { location: options.movedTo }).end();
      return json(response, 200, {
        issuer: origin,
        authorization_endpoint: options.page ?? `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        ...(!options.closed && { registration_endpoint: `${origin}/register` }),
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: options.secret
          ? ['client_secret_basic', 'client_secret_post']
          : ['none'],
        ...options.endpoints,
      });
    },
    '/register': (_request, response, body) => {
      const id = `client-${randomBytes(6).toString('hex')}`;
      const given = options.secret ? secret('client-secret') : undefined;
      clients.set(id, given);
      const { token_endpoint_auth_method: _asked, ...metadata } = JSON.parse(body);
      json(response, 201, {
        ...metadata,
        client_id: id,
        ...(given !== undefined && { client_secret: given }),
      });
    },
    '/authorize': (_request, response, _body, { searchParams: given }) => {
      const redirect = given.get('redirect_uri') ?? '';
      if (given.get('code_challenge_method') !== 'S256') fault('no S256');
      if (!clients.has(given.get('client_id') ?? '')) fault('no client');
      const to = new URL(redirect);
      const code = secret('code');
      codes.set(code, {
        client: given.get('client_id') ?? '',
        challenge: given.get('code_challenge') ?? '',
        redirect,
        resource: given.get('resource'),
      });
      for (const [name, value] of Object.entries(options.answer ?? { code }))
        to.searchParams.set(name, value);
      to.searchParams.set('state', options.state ?? given.get('state') ?? '');
      response.writeHead(302, { location: to.href }).end();
    },
    '/token': async (request, response, body) => {
      const form = new URLSearchParams(body);
      const client = clientOf(request, form);
      if (form.get('grant_type') === 'refresh_token' && options.slow)
        await new Promise((done) => setTimeout(done, options.slow));
      const answer = client === undefined ? { error: 'invalid_client' } : issue(client, form);
      json(response, 'error' in answer ? 400 : 200, answer);
    },
    '/mcp': (request, response, body) => {
      const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
      if (!options.open && (access.get(token) ?? 0) < Date.now()) {
        const where = options.metadataAt ?? `${origin}/.well-known/oauth-protected-resource/mcp`;
        response
          .writeHead(401, {
            'www-authenticate': `Bearer resource_metadata="${where}", scope="hooks"`,
          })
          .end();
        return;
      }
      if (request.method !== 'POST') return response.writeHead(405).end();
      const { id, method, params } = JSON.parse(body);
      if (id === undefined) return response.writeHead(202).end();
      if (method === 'tools/call') called.push(params.arguments);
      json(response, 200, {
        jsonrpc: '2.0',
        id,
        result:
          method === 'initialize'
            ? {
                protocolVersion: params.protocolVersion,
                capabilities: {
                  tools: {},
                  ...(options.hooks && { hooks: { declarations: options.hooks } }),
                },
                serverInfo: { name: 'shy', version: '1' },
              }
            : { content: [{ type: 'text', text: options.says ?? 'You know who.' }] },
      });
    },
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', origin);
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    if (!body.includes('"notifications/')) asked.push(`${request.method} ${url.pathname}`);
    const route = routes[url.pathname];
    if (route) await route(request, response, body, url);
    else response.writeHead(404).end();
  });
  const origin = await listening(server, { finished });
  const address = `${origin}/mcp`;
  return {
    address,
    asked,
    secrets,
    faults,
    called,
    refreshes: () => refreshes,
    grant: () => {
      const client_id = `client-${randomBytes(6).toString('hex')}`;
      const client_secret = options.secret ? secret('client-secret') : undefined;
      clients.set(client_id, client_secret);
      return {
        version: 1,
        server: address,
        resource: address,
        issuer: origin,
        tokenEndpoint: `${origin}/token`,
        method: options.secret ? 'client_secret_basic' : 'none',
        client: { client_id, ...(client_secret !== undefined && { client_secret }) },
        tokens: tokenStore().tokensOf(tokens(client_id)),
      };
    },
    revoke: ({ refresh: also } = { refresh: false }) => {
      access.clear();
      if (also) refresh.clear();
    },
  };
}
