/** The sentences about clients that want the user's agreement before they run hooks. */

import type { ConfiguredHook } from '../clients/configured-hook.ts';
import type { Client } from '../clients/contract.ts';
import { gapMessage } from '../clients/gaps.ts';
import { tilde } from '../clients/places.ts';
import type {
  HookTrust,
  Trust,
  TrustReading,
  TrustState,
  TrustTrouble,
  WhyUnknown,
} from '../clients/trust.ts';
import type { JsonValue } from '../edit/edit.ts';
import { said } from '../system/errors.ts';
import { inLine } from '../system/visible.ts';
import type { CliMessage } from './messages/codes.ts';
import { sentence } from './messages/sentence.ts';

/** A native event, and the tools it is about. */
export const hookInWords = (native: string, matcher: JsonValue | undefined): string =>
  typeof matcher === 'string' ? `${native} of ${inLine(matcher, 200)}` : native;

/** The same, and the file it is in. */
export const entryInWords = ({ native, matcher, path }: ConfiguredHook, home: string): string =>
  `${hookInWords(native, matcher)} in ${inLine(tilde(path, home))}`;

type Named = Pick<Client, 'shortName' | 'executable'>;

/** Why it is not known whether a client runs a hook, without a full stop. */
function whyUnknown(client: Client, why: WhyUnknown): string {
  const { shortName: name, executable } = client;
  if (why.code === 'file-unreadable') return sentence(why.refusal.problem);
  if (why.code === 'event-missing') return sentence(gapMessage(client, why.version, why.gap));
  return why.code === 'project-untrusted'
    ? `${name} reads nothing of this project before you trust its folder: start ${executable} in it and say yes`
    : `${name} does not see it where it is written: hooks may be switched off, or the file is not read`;
}

function troubleInWords(
  { shortName: name, executable }: Named,
  { program, since }: Pick<Trust, 'program' | 'since'>,
  trouble: TrustTrouble,
): string {
  switch (trouble.code) {
    case 'no-answer':
      return `${program} did not answer within ${trouble.seconds} seconds and was ended (--timeout allows more).`;
    case 'ended-early':
      return `${program} ended (exit code ${trouble.exitCode}) before it answered. It needs ${name} ${since} or newer.`;
    case 'not-json':
      return `${program} answered with something that is not JSON.`;
    case 'refused':
      return `${program} refused.`;
    case 'not-started':
      return `${executable} could not be started: ${trouble.cause === 'ENOENT' ? 'there is no such command' : trouble.cause}.`;
    case 'too-old':
      return `This ${name}${trouble.version === undefined ? '' : ` (${trouble.version})`} cannot be asked about trust: ${since} or newer is needed.`;
    case 'not-taken':
      return `${name} was told that you trust the hooks, and still does not count them as trusted.`;
  }
}

const switchOn = ({ executable }: Named, { reviewCommand }: Pick<Trust, 'reviewCommand'>): string =>
  `To switch it on again, type ${reviewCommand} in ${executable}.`;

const namesOf = (clients: readonly Named[]): string =>
  clients.map(({ shortName: name }) => name).join(' and ');

export const trustMessages = {
  whyUnknown,
  switchOn,

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
  switchedOff: (client: Named, trust: Trust, hooks: string) =>
    `Switched off in ${client.shortName}, and left so: ${hooks}. ${switchOn(client, trust)}`,
  asksForNoTrust: (version: string) =>
    `version ${version} runs hooks without asking for trust: there is nothing to agree to.`,
  notThere: ({ executable }: Named, { byHand }: Trust) =>
    `--trust: there is no ${executable} on the PATH that could be told. ${byHand}`,
  notChosen: (asking: readonly Named[]) =>
    `--trust: ${namesOf(asking)} ${asking.length === 1 ? 'is' : 'are'} not among the clients, and no other client asks for it.`,
  onlyTrustMissing: (todo: string) =>
    sentence(said<CliMessage>({ code: 'only-trust-missing', todo })),
  /** One sentence, and what the client said last. */
  trouble: (client: Named, trust: Trust, trouble: TrustTrouble): readonly string[] => [
    troubleInWords(client, trust, trouble),
    ...(trouble.said === undefined ? [] : [`What it said last: ${trouble.said}`]),
  ],
  remembers: ({ shortName: name }: Named, { section, file }: Trust, hooks: number) =>
    `${name} goes on to remember that you trust ${hooks === 1 ? 'this hook' : `these ${hooks} hooks`} (${section} in its ${file}): it is ${name}'s own and was left. Installed again just as they were, they run without a question.`,
  trustedInScratch: ({ shortName: name }: Named) =>
    `${name} was told to trust the hooks in the scratch home, and nothing in yours.`,

  // Whether hooks fire
  looking: (asking: readonly Named[]) =>
    `Looking; ${namesOf(asking)} ${asking.length === 1 ? 'takes its' : 'take their'} time ...`,
  fine: ({ shortName: name }: Named) => `${name} trusts its hooks`,
  nothingToTrust: ({ shortName: name }: Named) => `nothing in ${name} that it could trust`,
  hasToStart: ({ shortName: name }: Named) => `${name} has to start before it can trust anything`,
  asksForNone: ({ name }: Client, version: string) =>
    `${name} ${version} runs hooks without asking for trust`,
  state: (
    { shortName: name }: Named,
    { file }: Pick<Trust, 'file'>,
    state: TrustState,
    entry: string,
    from: TrustReading['from'],
  ): string => {
    const says = from === 'client' ? `${name} says` : `${name}'s ${file} says`;
    return {
      trusted: `${says} that you trust ${entry}`,
      untrusted: `${says} that nobody has agreed to ${entry}`,
      changed: `${says} that ${entry} is no longer what you agreed to`,
      disabled: `${says} that you switched off ${entry}`,
      unknown: `whether ${name} runs ${entry} cannot be told`,
    }[state];
  },
  /** The same in a few words, where hooks do not fire. */
  brief: {
    untrusted: () => 'not trusted',
    changed: () => 'changed since you trusted them',
    disabled: ({ shortName: name }: Named) => `switched off in ${name}`,
  },
  todo: (
    client: Client,
    trust: Trust,
    { trust: state, why }: Pick<HookTrust, 'trust' | 'why'>,
    again: string,
  ): string | undefined => {
    if (state === 'trusted') return undefined;
    if (state === 'unknown') return why ? `${whyUnknown(client, why)}.` : trust.byHand;
    if (state === 'disabled') return switchOn(client, trust);
    return `${trust.byHand} Or say so here: ${again} --trust.`;
  },
  fromFile: ({ shortName: name }: Named) =>
    `What follows is read from the file in which ${name} keeps it.`,
  projectUnread: ({ shortName: name }: Named, project: string) =>
    `${name} reads no hooks of ${project} until you trust it`,
  projectUnreadBrief: 'the project is not trusted',
  trustProject: ({ executable }: Named) =>
    `Start ${executable} in the project and trust its folder.`,
} as const;
