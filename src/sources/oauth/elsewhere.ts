/** The refusal to go where a server leads us. */

import { said, UserError } from '../../system/errors.ts';
import type { SourceMessage } from '../messages.ts';

/** @param server Its address, as the user knows it. */
export const signInElsewhere = (server: string, { origin }: URL): UserError =>
  new UserError<SourceMessage>({
    code: 'sign-in-failed',
    server,
    why: said<SourceMessage>({ code: 'sign-in-elsewhere', origin }),
  });
