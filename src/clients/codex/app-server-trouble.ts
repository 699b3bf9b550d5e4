/** What can go wrong when Codex is asked about trust. */

import { stripVTControlCharacters } from 'node:util';
import { TookTooLong } from '../../system/child.ts';
import { codeOf } from '../../system/errors.ts';
import { redactor } from '../../system/secrets.ts';
import { inLine } from '../../system/visible.ts';
import type { TrustTrouble } from '../trust.ts';
import { AppServerError, EndedEarly, Garbled } from './app-server.ts';
import { codex as client } from './client.ts';
import { SINCE } from './trust-file.ts';

/** JSON-RPC's codes for a method that is not there: by its own meaning, and as Codex has it. */
const NO_METHOD = -32601;
const INVALID_REQUEST = -32600;

/** Codex answered, and what it answered is of no use. */
export class Unusable extends Error {
  readonly trouble: TrustTrouble;

  constructor(trouble: TrustTrouble) {
    super(`codex app-server: ${trouble.code}`);
    this.trouble = trouble;
  }
}

const ASKED = { client: client.shortName, program: 'codex app-server', needed: SINCE } as const;

export const tooOld = (version: string | undefined): Unusable => new Unusable(tooOldFor(version));

export const notTaken = (): Unusable => new Unusable({ ...ASKED, code: 'trust-not-taken' });

/** Undefined for anything else than what is known: a bug of ours. */
export function troubleOf(
  error: unknown,
  { deadline, version }: { readonly deadline: number; readonly version?: string | undefined },
): TrustTrouble | undefined {
  if (error instanceof Unusable) return error.trouble;
  if (error instanceof TookTooLong) {
    const said = lastWords(error.stderr || error.stdout);
    return { ...ASKED, code: 'ask-timeout', seconds: deadline / 1000, ...said };
  }
  if (error instanceof EndedEarly) {
    const { exitCode, stderr } = error;
    return { ...ASKED, code: 'ask-ended-early', exitCode, ...lastWords(stderr) };
  }
  if (error instanceof Garbled) return { ...ASKED, code: 'ask-not-json', ...lastWords(error.line) };
  if (error instanceof AppServerError)
    return isUnknownMethod(error)
      ? tooOldFor(version)
      : { ...ASKED, code: 'ask-refused', ...lastWords(error.message) };
  const cause = codeOf(error);
  if (cause === undefined) return undefined;
  return { ...ASKED, code: 'ask-not-started', executable: client.executable, cause };
}

const tooOldFor = (version: string | undefined): TrustTrouble => ({
  ...ASKED,
  code: 'ask-too-old',
  ...(version !== undefined && { version: inLine(version, 40) }),
});

const isUnknownMethod = ({ code, message }: AppServerError): boolean =>
  code === NO_METHOD || (code === INVALID_REQUEST && message.includes('unknown variant'));

/** The end of what it said, without what may be a secret: it quotes lines of the user's files. */
function lastWords(text: string): { said?: string } {
  const said = inLine(redactor({})(stripVTControlCharacters(text).trim().slice(-1000)));
  return said === '' ? {} : { said };
}
