/** What is said of clients that want the user's agreement before they run hooks. */

import type { Client } from '../../clients/contract.ts';
import type { ClientMessage } from '../../clients/messages.ts';
import type { Trust } from '../../clients/trust.ts';
import type { TrustMessage } from '../../diagnose/messages.ts';
import { inLine } from '../../system/visible.ts';
import type { Words } from '../../system/words.ts';
import { cli } from './cli.ts';
import { hookInWords } from './words.ts';

export const lastWords = (said: string): string => `What it said last: ${said}`;

type HookFacts = Extract<TrustMessage, { readonly code: 'hook-trusted' }>;

const says = ({ client, from, file }: Pick<HookFacts, 'client' | 'from' | 'file'>): string =>
  from === 'client' ? `${client} says` : `${client}'s ${file} says`;

/** The hook, and the file it is in. */
const entry = ({ native, matcher, path }: Pick<HookFacts, 'native' | 'matcher' | 'path'>) =>
  `${hookInWords(native, matcher)} in ${inLine(path)}`;

const switchOn = (command: string, executable: string): string =>
  `To switch it on again, type ${command} in ${executable}.`;

export const trust: Words<Exclude<TrustMessage, ClientMessage>> = {
  // Why the client did not answer
  'ask-timeout': ({ program, seconds }) =>
    `${program} did not answer within ${seconds} seconds and was ended (--timeout allows more).`,
  'ask-ended-early': ({ client, program, exitCode, needed }) =>
    `${program} ended (exit code ${exitCode}) before it answered. It needs ${client} ${needed} or newer.`,
  'ask-not-json': ({ program }) => `${program} answered with something that is not JSON.`,
  'ask-refused': ({ program }) => `${program} refused.`,
  'ask-not-started': ({ executable, cause }) =>
    `${executable} could not be started: ${cause === 'ENOENT' ? 'there is no such command' : cause}.`,
  'ask-too-old': ({ client, needed, version }) =>
    `This ${client}${version === undefined ? '' : ` (${version})`} cannot be asked about trust: ${needed} or newer is needed.`,
  'trust-not-taken': ({ client }) =>
    `${client} was told that you trust the hooks, and still does not count them as trusted.`,

  // Why it is not known whether a hook runs
  'trust-file-unreadable': ({ why }, say) => say(why),
  'project-untrusted': ({ client, executable }) =>
    `${client} reads nothing of this project before you trust its folder: start ${executable} in it and say yes`,
  'hook-not-listed': ({ client }) =>
    `${client} does not see it where it is written: hooks may be switched off, or the file is not read`,
  'why-unknown': ({ why }, say) => `${say(why)}.`,

  // What is so
  'all-trusted': ({ client }) => `${client} trusts its hooks`,
  'nothing-to-trust': ({ client }) => `nothing in ${client} that it could trust`,
  'start-before-trust': ({ client }) => `${client} has to start before it can trust anything`,
  'asks-for-no-trust': ({ client, version }) =>
    `${client} ${version} runs hooks without asking for trust`,
  'hook-trusted': (hook) => `${says(hook)} that you trust ${entry(hook)}`,
  'hook-untrusted': (hook) => `${says(hook)} that nobody has agreed to ${entry(hook)}`,
  'hook-changed': (hook) => `${says(hook)} that ${entry(hook)} is no longer what you agreed to`,
  'hook-disabled': (hook) => `${says(hook)} that you switched off ${entry(hook)}`,
  'hook-unknown': (hook) => `whether ${hook.client} runs ${entry(hook)} cannot be told`,
  'project-unread': ({ client, project }) =>
    `${client} reads no hooks of ${project} until you trust it`,

  // The same in a few words
  'not-trusted': () => 'not trusted',
  'changed-since-trusted': () => 'changed since you trusted them',
  'switched-off-in': ({ client }) => `switched off in ${client}`,
  'project-not-trusted': () => 'the project is not trusted',

  // What to do
  'trust-by-hand': ({ byHand, again }) =>
    again === undefined ? byHand : `${byHand} Or say so here: ${again} --trust.`,
  'switch-on': ({ command, executable }) => switchOn(command, executable),
  'trust-project': ({ executable }) => `Start ${executable} in the project and trust its folder.`,
  'trust-from-file': ({ client }) =>
    `What follows is read from the file in which ${client} keeps it.`,
  'trust-trouble': ({ trouble }, say) =>
    [say(trouble), ...(trouble.said === undefined ? [] : [lastWords(trouble.said)])].join(' '),
};

type Named = Pick<Client, 'shortName' | 'executable'>;

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
    `Switched off in ${client.shortName}, and left so: ${hooks}. ${switchOn(trust.reviewCommand, client.executable)}`,
  asksForNoTrust: (version: string) =>
    `version ${version} runs hooks without asking for trust: there is nothing to agree to.`,
  notThere: ({ executable }: Named, { byHand }: Pick<Trust, 'byHand'>) =>
    `--trust: there is no ${executable} on the PATH that could be told. ${byHand}`,
  notChosen: (asking: readonly Named[]) =>
    `--trust: ${namesOf(asking)} ${asking.length === 1 ? 'is' : 'are'} not among the clients, and no other client asks for it.`,
  onlyTrustMissing: (todo: string) => cli['only-trust-missing']({ todo }),
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
