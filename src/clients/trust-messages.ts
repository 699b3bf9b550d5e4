/** What can be said of a client that wants the user's agreement before it runs hooks. */

import type { Message } from '../system/errors.ts';
import type { Client } from './contract.ts';
import { gapMessage } from './gaps.ts';
import type { ClientMessage } from './messages.ts';
import type { Trust, TrustTrouble, WhyUnknown } from './trust.ts';

type Named = Pick<Client, 'shortName' | 'executable'>;

/** Why it is not known whether a client runs a hook. */
export function whyUnknown(client: Client, why: WhyUnknown): Message {
  const { shortName: name, executable } = client;
  if (why.code === 'file-unreadable') return why.refusal.problem;
  if (why.code === 'event-missing') return gapMessage(client, why.version, why.gap);
  const message: ClientMessage =
    why.code === 'project-untrusted'
      ? { code: 'project-not-read', client: name, executable }
      : { code: 'hook-not-listed', client: name };
  return message;
}

/** Why a client could not be asked or told, and what it said last. */
export const troubleMessages = (
  client: Named,
  trust: Pick<Trust, 'program' | 'since'>,
  trouble: TrustTrouble,
): ClientMessage[] => [
  troubleMessage(client, trust, trouble),
  ...(trouble.said === undefined ? [] : [{ code: 'said-last', text: trouble.said } as const]),
];

function troubleMessage(
  { shortName: client, executable }: Named,
  { program, since }: Pick<Trust, 'program' | 'since'>,
  trouble: TrustTrouble,
): ClientMessage {
  switch (trouble.code) {
    case 'no-answer':
      return { code: 'trust-no-answer', program, seconds: trouble.seconds };
    case 'ended-early':
      return { code: 'trust-ended-early', program, exitCode: trouble.exitCode, client, since };
    case 'not-json':
      return { code: 'trust-not-json', program };
    case 'refused':
      return { code: 'trust-refused', program };
    case 'not-started':
      return { code: 'trust-not-started', executable, errno: trouble.cause };
    case 'too-old': {
      const { version } = trouble;
      return { code: 'trust-too-old', client, since, ...(version !== undefined && { version }) };
    }
    case 'not-taken':
      return { code: 'trust-not-taken', client };
  }
}

export const switchOn = (
  { executable }: Named,
  { reviewCommand }: Pick<Trust, 'reviewCommand'>,
): ClientMessage => ({ code: 'switch-on', command: reviewCommand, executable });
