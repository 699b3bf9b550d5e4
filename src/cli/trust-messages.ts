/** The sentences about clients that want the user's agreement before they run hooks. */

import type { Client } from '../clients/contract.ts';
import type { Trust, TrustTrouble } from '../clients/trust.ts';
import type { TrustMessage } from '../diagnose/doctor/trust-messages.ts';
import { said } from '../system/errors.ts';
import type { CliMessage } from './messages/cli.ts';
import { sentence } from './messages/sentence.ts';
import { lastWords } from './messages/trust.ts';

type Named = Pick<Client, 'shortName' | 'executable'>;

/** Why a client did not answer, and what it said last. */
export const troubleSentences = (trouble: TrustTrouble): readonly string[] => [
  sentence(trouble),
  ...(trouble.said === undefined ? [] : [lastWords(trouble.said)]),
];

const namesOf = (clients: readonly Named[]): string =>
  clients.map(({ shortName: name }) => name).join(' and ');

export const trustMessages = {
  // Help
  help: (asking: readonly Named[]) =>
    `tell ${namesOf(asking)} that you trust these hooks, which ${asking.length === 1 ? 'it asks' : 'they ask'} for`,
  timeoutHelp: (asking: readonly Named[]) =>
    `how long a server, or ${namesOf(asking)}, may take to answer`,
  doctorTimeoutHelp: (asking: readonly Named[]) =>
    `how long ${namesOf(asking)}, or a server, may take`,

  // Before something is installed
  orTrustNow: 'Or give this command with --trust.',
  willTrust: ({ shortName: name }: Named, hooks: string) =>
    `--trust: once this is written, ${name} is told that you trust these hooks, and no others: ${hooks}.`,
  trustsByName: ({ shortName: name }: Named, hooks: string) =>
    `${name} trusts hooks by their commands, which are those of what was installed under this name before: it runs these without asking (${hooks}).`,

  // Once it is written
  asking: ({ shortName: name }: Named) => `Asking ${name} which hooks it runs ...`,
  question: ({ shortName: name }: Named) => `Tell ${name} that you trust these hooks?`,
  waiting: ({ shortName: name }: Named, hooks: string) =>
    `${name} does not run these hooks before you trust them: ${hooks}.`,
  trusts: ({ shortName: name }: Named, hooks: string) =>
    `${name} was told that you trust these hooks, and no others: ${hooks}.`,
  trustsAlready: ({ shortName: name }: Named) => `${name} trusts these hooks already.`,
  switchedOff: (client: Named, trust: Pick<Trust, 'reviewCommand'>, hooks: string) =>
    `Switched off in ${client.shortName}, and left so: ${hooks}. ${sentence(said<TrustMessage>({ code: 'switch-on', command: trust.reviewCommand, executable: client.executable }))}`,
  asksForNoTrust: (version: string) =>
    `version ${version} runs hooks without asking for trust: there is nothing to agree to.`,
  notThere: ({ executable }: Named, { byHand }: Pick<Trust, 'byHand'>) =>
    `--trust: there is no ${executable} on the PATH that could be told. ${byHand}`,
  notChosen: (asking: readonly Named[]) =>
    `--trust: ${namesOf(asking)} ${asking.length === 1 ? 'is' : 'are'} not among the clients, and no other client asks for it.`,
  onlyTrustMissing: (todo: string) =>
    sentence(said<CliMessage>({ code: 'only-trust-missing', todo })),
  remembers: (
    { shortName: name }: Named,
    { section, file }: Pick<Trust, 'section' | 'file'>,
    hooks: number,
  ) =>
    `${name} goes on to remember that you trust ${hooks === 1 ? 'this hook' : `these ${hooks} hooks`} (${section} in its ${file}): it is ${name}'s own and was left. Installed again just as they were, they run without a question.`,
  trustedInScratch: ({ shortName: name }: Named) =>
    `${name} was told to trust the hooks in the scratch home, and nothing in yours.`,

  // Whether hooks fire
  looking: (asking: readonly Named[]) =>
    `Looking; ${namesOf(asking)} ${asking.length === 1 ? 'takes its' : 'take their'} time ...`,
} as const;
