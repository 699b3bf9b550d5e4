/** What can go wrong when Codex is asked, in words. */

import { stripVTControlCharacters } from 'node:util';
import { messages } from '../../cli/messages.ts';
import { TookTooLong } from '../../system/child.ts';
import { codeOf, UserError } from '../../system/errors.ts';
import { masker } from '../../system/secrets.ts';
import { inLine } from '../../system/visible.ts';
import { AppServerError, EndedEarly, Garbled } from './app-server.ts';

/** The first version whose app-server tells the hash of a hook; older ones know no trust. */
const NEEDED = '0.129.0';

/** JSON-RPC's codes for a method that is not there: by its own meaning, and as Codex has it. */
const NO_METHOD = -32601;
const INVALID_REQUEST = -32600;

export const needsNewer = (version: string | undefined): string =>
  messages.codexTooOld(NEEDED, version === undefined ? undefined : inLine(version, 40));

/** Anything else than what is known is thrown on as it is: a bug of ours. */
export function asUserError(
  error: unknown,
  { deadline, version }: { readonly deadline: number; readonly version?: string },
): unknown {
  if (error instanceof TookTooLong)
    return new UserError(
      messages.codexSilent(deadline / 1000),
      lastWords(error.stderr || error.stdout),
    );
  if (error instanceof EndedEarly)
    return new UserError(messages.codexEnded(error.exitCode, NEEDED), lastWords(error.stderr));
  if (error instanceof Garbled) return new UserError(messages.codexGarbled, lastWords(error.line));
  if (error instanceof AppServerError) {
    if (isUnknownMethod(error)) return new UserError(needsNewer(version));
    return new UserError(messages.codexRefused, lastWords(error.message));
  }
  const code = codeOf(error);
  return code === undefined ? error : new UserError(messages.codexNotStarted(code));
}

const isUnknownMethod = ({ code, message }: AppServerError): boolean =>
  code === NO_METHOD || (code === INVALID_REQUEST && message.includes('unknown variant'));

/** The end of what it said, without what may be a secret: it quotes lines of the user's files. */
function lastWords(text: string): string[] {
  const words = inLine(masker({})(stripVTControlCharacters(text).trim().slice(-1000)));
  return words === '' ? [] : [messages.codexSaid(words)];
}
