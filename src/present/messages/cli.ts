/** The reasons for which commands refuse: codes, their facts, and the texts for them. */

import type { Scope } from '../../clients/contract.ts';
import type { Message } from '../../system/errors.ts';
import { count } from '../../system/plurals.ts';
import { inLine } from '../../system/visible.ts';
import { FIND_HOOKS, installed, type MessageOf, type Say } from '../../system/words.ts';
import { clients } from './clients.ts';
import { NOTHING, otherScopes, UNFIRED } from './words.ts';

type Names = readonly string[];
type LabelAndPlace = Record<'label' | 'where', string>;

const INSTALLED_THERE: Readonly<Record<Scope, string>> = {
  user: 'It is installed in user scope: leave out --scope.',
  project: 'It is installed in this project: add --scope project.',
  local: 'It is installed in this project: add --scope local.',
};

export const cli = {
  'payload-too-deep': 'it is nested too deeply',
  'payload-empty': 'it is empty; a JSON object is needed',
  'payload-no-object': 'it is not a JSON object',
  'client-stops-here':
    '{client} does not start with its configuration, so no hook would run: {why}.{nothing}',
  'leave-client-out': 'Fix it and run this again, or leave {client} out with --client.',
  'use-other-scope': ({ id, folder }: { id: string; folder?: string }) => otherScopes(id, folder),
  'no-hooks':
    "{label} declares no hooks, so there is nothing to install. Its author can declare some (SEP-2282), or you can write a manifest for it: mcp-hooks init drafts one from the server's tools.",
  'no-hook-here':
    '{label} declares hooks, but none that a client here could fire, so there is nothing to install.',
  'nothing-left': 'Nothing that {label} declares can be installed.',
  'none-understood':
    '{label} declares hooks, but mcp-hooks understands none of them, so there is nothing to install.',
  'declares-no-more': '{label} declares no hooks any more.',
  'only-trust-missing': 'The hooks are written; only the trust is missing. {todo}',
  'server-unauthorized': '{name} rejected the configured credentials (HTTP {status})',
  'allow-or-revoke': ({ grants }: { grants: Names }, say: Say) =>
    `Either --allow or --revoke, not both: ${grants.join(', ')}.${say.nothing}`,
  unexpected: 'Unexpected error: {what}',
  'in-foreign-file': 'it is configured in a file of this folder; --yes starts it',
  'no-start': 'no command and no address',
  'start-needs-yes': 'No terminal to confirm in. Review the command, then pass --yes.{nothing}',
  'not-started': 'It was not started.{nothing}',
  'manifests-only':
    'validate reads manifests; to check a server that declares hooks in code, run mcp-hooks verify --name {name} -- {command}',
  'build-needs-out':
    'There is no output folder: add --out <folder>, for example --out dist-hooks.{nothing}',
  'no-target': ({ name, known }: { name: string; known: Names }, say: Say) =>
    `--target: there is no "${name}"; known: ${known.join(', ')}.${say.nothing}`,
  'file-there':
    '{file} already exists. Choose another file with --out, or pass --force to overwrite it.{nothing}',
  'file-is-link':
    '{file} is a link, which init does not follow. Choose another file with --out.{nothing}',
  'written-down': 'The hooks of {label} are already in a manifest.{nothing}',
  'declares-itself': (
    { label, hooks, install }: { label: string; hooks: number; install: string },
    say: Say,
  ) =>
    `${label} already declares ${count(hooks, 'hook')}, so you need no manifest.${say.nothing} To write one that replaces ${hooks === 1 ? 'it' : 'them'}, choose its hooks with --hooks. To install what ${label} declares: ${install}`,
  'tool-unknown': (
    { label, tool, known }: { label: string; tool: string; known: Names },
    say: Say,
  ) =>
    `${label} has no tool ${JSON.stringify(tool)}.${known.length > 0 ? ` It has: ${known.join(', ')}.` : ''}${say.nothing}`,
  'tool-needs': ({ tool, names }: { tool: string; names: Names }, say: Say) =>
    `${JSON.stringify(tool)} needs arguments that no session can provide: ${names.join(', ')}. Choose another tool with --tool, or run this in a terminal, which asks you for them.${say.nothing}`,
  'nothing-to-propose': '{label} has no tool that a hook could use.{nothing}',
  'no-tool-for': ({ label, hook }: Record<'label' | 'hook', string>, say: Say) =>
    `${label} has no tool for the hook ${JSON.stringify(hook)}: choose others with --hooks.${say.nothing}`,
  'which-tool': 'Which tool reads saved notes?',
  'which-moment': 'When?',
  'draft-secret': ({ where }: { readonly where: string }) =>
    `Something in the server's start may be a secret, and no variable could take its place: ${where}. Set a variable of the environment to it, and name that in the command (\${NAME}). Nothing was written.`,
  'draft-refused': 'What would be written is not a valid manifest.{nothing}',
  'no-server-to-ask':
    '{path} does not say how its server is started, so it cannot be asked for its tools.',
  'fleet-folder-unfit':
    '--runner-folder takes an absolute path of letters, digits, spaces and . _ - + @, such as /opt/mcp-hooks, not {folder}.{nothing}',
  'package-version-unfit':
    '--package-version takes a version as npm writes it, such as 1.2.3 or 1.2.3-beta.1, not {version}.{nothing}',
  'secret-in-package':
    'The {field} in the manifest may be a secret, and everyone who gets the output could read it.{nothing} Change it, then build again.',
  'tools-of-several': ({ names }: { names: Names }) =>
    `its hooks call tools of several servers, and an install takes those of one (--name): ${names.map((one) => inLine(one, 100)).join(', ')}`,
  'declares-none': 'it declares no hooks',
  /** `review`: the command that shows what would change. */
  'needs-yes': 'No terminal to confirm in. Review with {review}, then pass --yes.{nothing}',
  declined: () => NOTHING,
  'output-lost': ({ why }: { why: Message }, say: Say) =>
    `The output of this command cannot be written: ${say(why)}. The command continues.`,
  /** `written`: absent if the command does not write files of the user. */
  interrupted: ({ written }: { written?: boolean }) =>
    written === undefined
      ? 'Interrupted.'
      : written
        ? 'Interrupted. What was written before stays: mcp-hooks list shows it. For the rest, run the same command again.'
        : `Interrupted. ${NOTHING}`,
  'changed-while-asked':
    'A file was changed in the meantime, so this is no longer what you approved.{nothing} Run the same command again.',
  'unknown-event': (facts: { event: string; declared: Names; native: Names; near: Names }) =>
    `There is no event "${facts.event}"${facts.near.length > 0 ? `; did you mean ${facts.near.join(' or ')}?` : `; known: ${facts.declared.join(', ')}; or a client's own name, such as ${facts.native[0]}.`} ${UNFIRED}`,
  'event-missing': ({ label, events }: { label: string; events: Names }) =>
    `Name the event: the hooks of ${label} are for ${events.join(', ')}. Try: mcp-hooks fire ${label} ${events[0]}`,
  'not-installed-there': '{label} is not installed here, in {where}.',
  /** `there`: the scope in which it is installed for this same folder. */
  'unknown-label-in': (
    facts: LabelAndPlace & { near: Names; all: Names; there: Scope | undefined },
  ) =>
    `${facts.label} is not installed in ${facts.where}. ${facts.there ? INSTALLED_THERE[facts.there] : installed(facts.near, facts.all)} ${UNFIRED}${facts.all.length > 0 || facts.there ? '' : ` ${FIND_HOOKS}`}`,
  'payload-unread': ({ path, why }: { path: string; why: Message }, say: Say) =>
    `${path} cannot be read: ${say(why)}. ${UNFIRED}`,
  'not-json': ({ what }: { what: string }) => `${what} is not a JSON object. ${UNFIRED}`,
  'foreign-facts': ({ flags, event }: { flags: Names; event: string }) =>
    `${flags.join(' and ')} ${flags.length > 1 ? 'do' : 'does'} not apply to ${event}: no client sends that with the event. ${UNFIRED}`,
  'too-few-times': ({ times, needed }: Record<'times' | 'needed', number>) =>
    `--times ${times} is too few: there are ${needed} values of --tool or --input, which take turns. ${UNFIRED}`,
  'no-log': ({ label, known }: { label: string; known: Names }) =>
    `${label} is not installed and has no log. ${known.length > 0 ? `Known here: ${known.join(', ')}.` : 'Nothing is installed, and no hook has fired yet.'} Hooks that a plugin or an extension brings are in the log once they have fired.${known.length > 0 ? '' : ` ${FIND_HOOKS}`}`,
  'watch-needs-otlp': '--watch is for sending: add --otlp <endpoint>.',
  'no-origin':
    'mcp-hooks cannot tell where the hooks of {label} came from: their command holds a secret.{nothing} Install them again: {command}',
  'no-client': ({ names }: { names: Names }, say: Say) =>
    `${clients['no-client-found']({ code: 'no-client-found', names }, say)} --client installs for one anyway.`,
  'strict-left-out': '--strict: not everything that the server declares is understood.{nothing}',
  'not-installed': ({ label, where, others }: LabelAndPlace & { others: Names }) =>
    `${label} is not installed in ${where}. ${others.length > 0 ? `Installed: ${others.join(', ')}.` : FIND_HOOKS}`,
  'header-needs-label': '--header is for one server: name its label.{nothing}',
  'ledger-unread-so-no-update':
    "{path}, the record of what is installed, cannot be read, so mcp-hooks doesn't know what to update. Install your servers again.{nothing}",
  'nothing-to-verify': `Nothing is installed, so there is nothing to verify. ${FIND_HOOKS}`,
  'no-such-hook': ({ label, given }: Record<'label' | 'given', string>) =>
    `${label} has no hook ${inLine(given, 20)}.`,
  'hook-numbered': ({ number, words }: { number: number; words: string }) => `${number}  ${words}`,
  'all-muted':
    '{path} mutes all servers. Remove "muted": true from its first level to choose by server.',
  'muted-as-a-whole':
    'All hooks of {label} are muted. To show them again: mcp-hooks unmute {label}',
  'not-as-installed': '{label} is not as it was installed, so no client was asked to trust it.',
  'altered-in': ({ client, state }: { client: string; state: Message }, say: Say) =>
    `${client}: ${say(state)}. Install it again to fix that.`,
  'not-tried': '{what} cannot be installed, so it was not tried.',
  'one-server-only': '--name and --from are for one server.{nothing}',
  'header-for-one': '--header is for one server.{nothing}',
  'command-for-one': 'A command after -- is for one server.{nothing}',
  'ledger-unread-so-not-all':
    "{path}, the record of what is installed, cannot be read, so mcp-hooks doesn't know what there is to uninstall. Name it.{nothing}",
  'names-or-all': 'Say what to {command}: one or more names, or --all.{nothing}',
  'label-twice':
    'Another server in this command has the name {label}, too.{nothing} Install this one alone, with another name: --name <label>.',
  'not-in-clients': ({ label, names }: { label?: string | undefined; names: Names }) =>
    `${label === undefined ? 'Nothing is' : `${label} is not`} installed in ${names.join(', ')}.`,
} as const;

export type CliMessage = MessageOf<typeof cli>;
