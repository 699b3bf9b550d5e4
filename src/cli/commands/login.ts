/** `mcp-hooks login` and `logout`: sign in to a server in advance, and sign out. */

import { findPlaces, tilde } from '../../clients/places.ts';
import { messages } from '../../present/messages/output.ts';
import type { SourceMessage } from '../../sources/messages.ts';
import { tokensFile, typedAddress } from '../../sources/oauth/address.ts';
import { authorized } from '../../sources/oauth/authorized.ts';
import { forgetSignIn, readSignIn, tokenStore } from '../../sources/oauth/tokens.ts';
import { askServer } from '../../sources/protocol/ask.ts';
import { UserError } from '../../system/errors.ts';
import { inLine, toJson } from '../../system/visible.ts';
import {
  type Command,
  type Context,
  type Flags,
  noBrowserOption,
  OK,
  timeoutOption,
} from './command.ts';
import { withProgressAfter } from './progress.ts';
import { signInBy } from './read-declaration.ts';

/** Milliseconds for the server to answer. */
const DEADLINE = 20_000;

export const login: Command = {
  name: 'login',
  group: 'Manage',
  summary: 'sign in to a server in the browser',
  operands: '<address>',
  options: [
    noBrowserOption('print the address instead of opening it'),
    timeoutOption('how long to wait for you', 300),
  ],
  examples: ['login https://mcp.annal.example/mcp'],
  run: signInTo,
};

export const logout: Command = {
  name: 'logout',
  group: 'Manage',
  summary: 'delete the saved sign-in',
  operands: '<address>',
  examples: ['logout https://mcp.annal.example/mcp'],
  run: signOut,
};

async function signInTo(context: Context, address: string, flags: Flags): Promise<number> {
  const { terminal, env, cwd, version } = context;
  const server = typedAddress(address);
  if (!tokenStore().isSafe(new URL(server)))
    throw new UserError<SourceMessage>({ code: 'insecure-address', server });
  const { state, home } = findPlaces(env, cwd, 'user');
  const { signIn } = await import('../../sources/oauth/sign-in.ts');
  let now = false;
  const asking = (challenge: Parameters<typeof signIn>[1]) => {
    now = true;
    const { browser, timeout } = flags;
    const how = { ...signInBy(terminal), env, state, browser, patience: timeout * 1000 };
    return signIn(server, challenge, how);
  };
  // Its declaration does not matter here, only that it answers.
  const asked = { label: server, url: address, headers: {}, deadline: DEADLINE, version };
  await authorized({ state, server, signIn: asking }, (tokens) =>
    withProgressAfter(context, messages.askingWhoYouAre(server), () =>
      askServer({ ...asked, tokens }),
    ),
  );
  const signedIn = readSignIn(state, server) !== undefined;
  if (flags.json) terminal.out(toJson({ server, signedIn, changed: now }));
  else {
    const kept = inLine(tilde(tokensFile(state, server), home));
    const already = signedIn ? messages.signedInAlready(server) : messages.noSignInNeeded(server);
    terminal.out(`${now ? messages.signedIn(server, kept) : already}\n`);
  }
  return OK;
}

async function signOut(
  { terminal, env, cwd }: Context,
  address: string,
  flags: Flags,
): Promise<number> {
  const server = typedAddress(address);
  const removed = await forgetSignIn(findPlaces(env, cwd, 'user'), server);
  if (flags.json) terminal.out(toJson({ server, removed }));
  else terminal.out(`${removed ? messages.signedOut(server) : messages.notSignedIn(server)}\n`);
  return OK;
}
