/** `mcp-hooks login` and `logout`: to sign in to a server before anything else is wanted of it, and to undo that. */

import { UserError } from '../errors.ts';
import { messages } from '../messages.ts';
import { tokensFile, typedAddress } from '../oauth/address.ts';
import { authorized } from '../oauth/authorized.ts';
import { boundedFetch } from '../oauth/fetch.ts';
import { keeper } from '../oauth/keeper.ts';
import { forgetSignIn, readSignIn } from '../oauth/store.ts';
import { findPlaces, tilde } from '../places.ts';
import { masker } from '../secrets.ts';
import { inLine, toJson } from '../visible.ts';
import { type Context, OK, patiently } from './context.ts';

export interface LoginFlags {
  readonly json?: boolean;
  readonly browser: boolean;
  /** Seconds that the user has. */
  readonly timeout: number;
}

/** Milliseconds for each request to the server. */
const REQUEST = 20_000;

export async function login(context: Context, address: string, flags: LoginFlags): Promise<number> {
  const { terminal, env, cwd, version } = context;
  const server = typedAddress(address);
  if (!keeper().isSafe(new URL(server))) throw new UserError(messages.insecureAddress(server));
  const { state, home } = findPlaces(env, cwd, 'user');
  const { signIn } = await import('../oauth/sign-in.ts');
  let now = false;
  const asking = (challenge: Parameters<typeof signIn>[1]) => {
    now = true;
    const patience = flags.timeout * 1000;
    return signIn(server, challenge, { terminal, env, state, browser: flags.browser, patience });
  };
  await authorized({ state, server, signIn: asking }, (provider) =>
    patiently(terminal, messages.askingWhoYouAre(server), () => greet(address, provider, version)),
  );
  const signedIn = readSignIn(state, server) !== undefined;
  if (flags.json) terminal.out(toJson({ server, signedIn, changed: now }));
  else if (now)
    terminal.out(`${messages.signedIn(server, tilde(tokensFile(state, server), home))}\n`);
  else
    terminal.out(
      `${signedIn ? messages.signedInAlready(server) : messages.noSignInNeeded(server)}\n`,
    );
  return OK;
}

/** Says hello, to see whether that is allowed; what the server answers besides does not matter. */
async function greet(
  address: string,
  authProvider: Parameters<Parameters<typeof authorized>[1]>[0],
  version: string,
): Promise<void> {
  const { LATEST_PROTOCOL_VERSION, SdkHttpError, StreamableHTTPClientTransport } = await import(
    '../reading/mcp-client.ts'
  );
  const transport = new StreamableHTTPClientTransport(new URL(address), {
    authProvider,
    fetch: boundedFetch(REQUEST),
  });
  try {
    await transport.start();
    await transport.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: LATEST_PROTOCOL_VERSION,
        capabilities: {},
        clientInfo: { name: 'mcp-hooks', version },
      },
    });
    await transport.terminateSession();
  } catch (error) {
    if (error instanceof SdkHttpError && [400, 404, 405].includes(error.status)) return; // another era
    if (error instanceof SdkHttpError && error.status !== 401)
      throw new UserError(messages.unreachable(address, `HTTP ${error.status}`));
    if (error instanceof TypeError)
      throw new UserError(messages.unreachable(address, networkTrouble(error)));
    throw error;
  } finally {
    await transport.close();
  }
}

/** `fetch` says no more than that it failed; the reason is its cause. */
function networkTrouble({ message, cause }: TypeError): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return inLine(masker({})(typeof code === 'string' ? code : message), 200);
}

export async function logout(
  { terminal, env, cwd }: Context,
  address: string,
  flags: Pick<LoginFlags, 'json'>,
): Promise<number> {
  const server = typedAddress(address);
  const removed = await forgetSignIn(findPlaces(env, cwd, 'user'), server);
  if (flags.json) terminal.out(toJson({ server, removed }));
  else terminal.out(`${removed ? messages.signedOut(server) : messages.notSignedIn(server)}\n`);
  return OK;
}
