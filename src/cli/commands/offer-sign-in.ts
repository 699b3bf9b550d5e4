/** A server at an address may want somebody to sign in before it says anything: that is offered while it is read. */

import type { AuthProvider } from '@modelcontextprotocol/client';
import type { SourceMessage } from '../../sources/messages.ts';
import {
  authorized,
  type Challenge,
  shownOf,
  signInAddress,
} from '../../sources/oauth/authorized.ts';
import { hidingIn } from '../../sources/protocol/read.ts';
import type { ResolvedServer } from '../../sources/resolved-server.ts';
import { UserError } from '../../system/errors.ts';
import { messages } from '../messages/output.ts';
import { confirmed } from './confirm.ts';
import type { Context } from './context.ts';
import { signInBy } from './sign-in-by.ts';

export interface OfferOptions {
  /** Absolute path of our state folder. */
  readonly state: string;
  /** False: the address for signing in is only printed. */
  readonly browser: boolean;
  /** The user need not be asked first. */
  readonly yes: boolean;
}

/**
 * Runs `read`, with what sends the token that is kept, and once more after the user has signed in, when that is wanted.
 * Where the user has said himself what authorises him, nothing of that is done.
 *
 * @throws UserError when he cannot sign in or does not want to; else what `read` throws.
 */
export async function offeringSignIn<T>(
  { terminal, env }: Context,
  target: ResolvedServer,
  { state, browser, yes }: OfferOptions,
  read: (provider?: AuthProvider) => Promise<T>,
): Promise<T> {
  const server = signInAddress(target);
  if (server === undefined) return read();
  const offer = async (challenge: Challenge) => {
    const { signIn } = await import('../../sources/oauth/sign-in.ts');
    const question = messages.signInQuestion(shownOf(target, server));
    if (terminal.interactive && !yes && !(await confirmed(question)))
      throw new UserError<SourceMessage>({ code: 'sign-in-first', server });
    await signIn(server, challenge, { ...signInBy(terminal), env, state, browser });
  };
  return hidingIn(target, () => authorized({ state, server, signIn: offer }, read));
}
