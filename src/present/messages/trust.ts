/** Sentences about clients that require the user's consent before they run hooks. */

import type { Client } from '../../clients/contract.ts';
import type { ClientMessage } from '../../clients/messages.ts';
import type { Trust } from '../../clients/trust.ts';
import type { TrustMessage } from '../../diagnose/messages.ts';
import { duration, listed } from '../../system/plurals.ts';
import { inLine } from '../../system/visible.ts';
import type { Words } from '../../system/words.ts';
import { hookInWords } from './words.ts';

export const lastWords = (said: string): string => `The end of its output: ${said}`;

type HookFacts = Extract<TrustMessage, { readonly code: 'hook-trusted' }>;

const according = ({ client, from, file }: Pick<HookFacts, 'client' | 'from' | 'file'>): string =>
  from === 'client' ? `${client} reports` : `${client}'s ${file} shows`;

/** The hook, and its file. */
const entry = ({ native, matcher, path }: Pick<HookFacts, 'native' | 'matcher' | 'path'>) =>
  `${hookInWords(native, matcher)} in ${inLine(path)}`;

const switchOn = (command: string, executable: string): string =>
  `To switch it on again, type ${command} in ${executable}.`;

export const trust: Words<Exclude<TrustMessage, ClientMessage>> = {
  // Why the client did not answer
  'ask-timeout': ({ program, seconds }) =>
    `${program} did not answer within ${duration(seconds)} and was ended (--timeout allows more).`,
  'ask-ended-early': ({ client, program, exitCode, needed }) =>
    `${program} ended (exit code ${exitCode}) before it answered. It needs ${client} ${needed} or newer.`,
  'ask-not-json': ({ program }) => `${program} answered with something that is not JSON.`,
  'ask-refused': ({ program }) => `${program} refused.`,
  'ask-not-started': ({ executable, cause }) =>
    `${executable} could not be started: ${cause === 'ENOENT' ? 'command not found' : cause}.`,
  'ask-too-old': ({ client, needed, version }) =>
    `This ${client}${version === undefined ? '' : ` (${version})`} cannot be asked about trust: ${needed} or newer is needed.`,
  'trust-not-taken': ({ client }) =>
    `${client} was asked to trust the hooks, but still does not trust them.`,

  // Why it is unknown whether a hook runs
  'trust-file-unreadable': ({ why }, say) => say(why),
  'project-untrusted': ({ client, executable }) =>
    `${client} reads nothing of this project before you trust its folder: start ${executable} in it and say yes`,
  'hook-not-listed': ({ client }) =>
    `${client} does not see it where it is written: hooks may be switched off, or the file is not read`,
  'why-unknown': ({ why }, say) => `${say(why)}.`,

  // The state of trust
  'all-trusted': ({ client }) => `${client} trusts its hooks`,
  'plugin-untrusted': ({ client, label }) =>
    `a plugin has hooks of ${label} that you have not trusted, so ${client} does not run them`,
  'nothing-to-trust': ({ client }) => `nothing to trust in ${client}`,
  'start-before-trust': ({ client }) => `${client} has to start before it can trust anything`,
  'hook-trusted': (hook) => `${according(hook)} that you trust ${entry(hook)}`,
  'hook-untrusted': (hook) => `${according(hook)} that you have not trusted ${entry(hook)}`,
  'hook-changed': (hook) => `${according(hook)} that ${entry(hook)} changed since you trusted it`,
  'edited-not-trusted': ({ client, native }) =>
    `${client} trusts another entry for ${native} than this one`,
  'hook-disabled': (hook) => `${according(hook)} that you switched off ${entry(hook)}`,
  'hook-unknown': (hook) => `mcp-hooks cannot tell whether ${hook.client} runs ${entry(hook)}`,
  'project-unread': ({ client, project }) =>
    `${client} reads no hooks of ${project} until you trust it`,

  // The same in a few words
  'entry-edited': () => 'its entry was edited',
  'not-trusted': () => 'not trusted',
  'changed-since-trusted': () => 'changed since you trusted them',
  'switched-off-in': ({ client }) => `switched off in ${client}`,
  'project-not-trusted': () => 'the project is not trusted',

  // What to do
  'trust-by-hand': ({ byHand, run }) => run ?? byHand,
  'switch-on': ({ command, executable }) => switchOn(command, executable),
  'trust-project': ({ executable }) => `Start ${executable} in the project and trust its folder.`,
  'trust-from-file': ({ client, file }) => `The trust was read from ${client}'s ${file} instead.`,
  'trust-trouble': ({ trouble }, say) =>
    [say(trouble), ...(trouble.said === undefined ? [] : [lastWords(trouble.said)])].join(' '),
};

type Named = Pick<Client, 'name' | 'executable'>;

const namesOf = (clients: readonly Named[]): string =>
  clients.map(({ name }) => name).join(' and ');

export const trustMessages = {
  // Help
  commandHelp: (asking: readonly Named[]) =>
    `let ${namesOf(asking)} run the hooks that you installed`,
  help: (asking: readonly Named[]) => `also trust these hooks in ${namesOf(asking)}`,
  timeoutHelp: (asking: readonly Named[]) =>
    `how long a server, or ${namesOf(asking)}, may take to answer`,
  ownTimeoutHelp: (asking: readonly Named[]) => `how long ${namesOf(asking)} may take to answer`,
  doctorTimeoutHelp: (asking: readonly Named[]) =>
    `how long ${namesOf(asking)}, or a server, may take`,

  // Before something is installed
  runsTrustedOnly: ({ name }: Named) => `${name} runs new hooks only after you trust them.`,
  orTrustNow: 'Or add --trust.',
  willTrust: ({ name }: Named, hooks: string) =>
    `--trust: once this is written, ${name} trusts these hooks: ${hooks}. Its trust in your other hooks does not change.`,
  trustsByName: ({ name }: Named, hooks: string) =>
    `${name} trusts hooks by their commands, which are those of what was installed under this name before: it runs these without asking (${hooks}).`,

  // Once it is written
  giveLater: (command: string) => `To give it: ${command}`,
  asking: ({ name }: Named) => `Asking ${name} which hooks it runs ...`,
  question: ({ name }: Named) => `Trust these hooks in ${name}?`,
  waiting: ({ name }: Named, hooks: string) =>
    `${name} runs these hooks only after you trust them: ${hooks}.`,
  trusts: ({ name }: Named, hooks: string) =>
    `${name} now trusts these hooks: ${hooks}. Its trust in your other hooks has not changed.`,
  trustsAllOf: ({ name }: Named, labels: readonly string[]) =>
    `${name} now trusts the hooks of ${listed(labels)}. Its trust in your other hooks has not changed.`,
  trustsAlready: ({ name }: Named, labels: readonly string[]) =>
    `${name} already trusts the hooks of ${listed(labels)}.`,
  hasNone: ({ name }: Named, labels: readonly string[]) =>
    `Nothing to trust: ${listed(labels)} ${labels.length === 1 ? 'has' : 'have'} no hooks in ${name}.`,
  switchedOff: (client: Named, trust: Pick<Trust, 'reviewCommand'>, hooks: string) =>
    `Left switched off in ${client.name}: ${hooks}. ${switchOn(trust.reviewCommand, client.executable)}`,
  notThere: ({ executable, name }: Named) =>
    `${executable} is not on the PATH. Install ${name}, or run this command where ${executable} is on the PATH.`,
  notChosen: (asking: readonly Named[]) =>
    asking.length === 0
      ? 'Nothing to trust: no client asks for trust.'
      : `Nothing to trust: ${namesOf(asking)} ${asking.length === 1 ? 'is' : 'are'} not among the clients, and no other client asks for trust.`,
  forgets: ({ name }: Named, hooks: number) =>
    `${name} forgets that you trust the ${hooks === 1 ? 'hook that is' : `${hooks} hooks that are`} taken out.`,
  trustedInScratch: ({ name }: Named) =>
    `${name} trusted the hooks in the scratch home only. Its trust in your home has not changed.`,

  // Whether hooks fire
  looking: (asking: readonly Named[]) =>
    `Asking ${namesOf(asking)}; this can take a few seconds ...`,
} as const;
