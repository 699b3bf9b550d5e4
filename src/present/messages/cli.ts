/** What commands refuse: codes, the facts of each, and the words for them. */

import type { Scope } from '../../clients/contract.ts';
import type { Message } from '../../system/errors.ts';
import { installed, type MessageOf, type Say } from '../../system/words.ts';
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
  'payload-too-deep': () => 'it is nested too deeply',
  'payload-empty': () => 'it is empty; a JSON object is needed',
  'payload-no-object': () => 'it is not a JSON object',
  'client-stops-here': ({ client, why }: Record<'client' | 'why', string>, say: Say) =>
    `${client} does not start with its configuration, so no hook would run: ${why}.${say.nothing}`,
  'leave-client-out': ({ client }: { client: string }) =>
    `Fix it and run this again, or leave ${client} out with --client.`,
  'use-other-scope': ({ id, folder }: { id: string; folder?: string }) => otherScopes(id, folder),
  'no-hooks': ({ label }: { label: string }) =>
    `${label} declares no hooks, so there is nothing to install. Its author can declare some (SEP-2282), or you can write a manifest for it: mcp-hooks init drafts one from the server's tools.`,
  'no-hook-here': ({ label }: { label: string }) =>
    `${label} declares hooks, but none that a client here could fire, so there is nothing to install.`,
  'nothing-left': ({ label }: { label: string }) =>
    `Nothing that ${label} declares can be installed.`,
  'none-understood': ({ label }: { label: string }) =>
    `${label} declares hooks, but mcp-hooks understands none of them, so there is nothing to install.`,
  'declares-no-more': ({ label }: { label: string }) => `${label} declares no hooks any more.`,
  'only-trust-missing': ({ todo }: { todo: string }) =>
    `The hooks are written; only the trust is missing. ${todo}`,
  'server-unauthorized': ({ name, status }: { name: string; status: number }) =>
    `${name} rejected the configured credentials (HTTP ${status})`,
  'allow-or-revoke': ({ grants }: { grants: Names }, say: Say) =>
    `Either --allow or --revoke, not both: ${grants.join(', ')}.${say.nothing}`,
  unexpected: ({ what }: { what: string }) => `Unexpected error: ${what}`,
  'in-foreign-file': () => 'it is configured in a file of this folder; --yes starts it',
  'no-start': () => 'no command and no address',
  'start-needs-yes': (_: object, say: Say) =>
    `No terminal to confirm in. Review the command, then pass --yes.${say.nothing}`,
  'not-started': (_: object, say: Say) => `It was not started.${say.nothing}`,
  'manifests-only': ({ name, command }: Record<'name' | 'command', string>) =>
    `validate reads manifests; to check a server that declares hooks in code, run mcp-hooks verify --name ${name} -- ${command}`,
  'build-needs-out': (_: object, say: Say) =>
    `There is no output folder: add --out <folder>, for example --out dist-hooks.${say.nothing}`,
  'no-target': ({ name, known }: { name: string; known: Names }, say: Say) =>
    `--target: there is no "${name}"; known: ${known.join(', ')}.${say.nothing}`,
  'file-there': ({ file }: { file: string }, say: Say) =>
    `${file} already exists. Choose another file with --out, or pass --force to overwrite it.${say.nothing}`,
  'file-is-link': ({ file }: { file: string }, say: Say) =>
    `${file} is a link, which init does not follow. Choose another file with --out.${say.nothing}`,
  'written-down': ({ label }: { label: string }, say: Say) =>
    `The hooks of ${label} are already in a manifest.${say.nothing}`,
  'tool-unknown': (
    { label, tool, known }: { label: string; tool: string; known: Names },
    say: Say,
  ) =>
    `${label} has no tool ${JSON.stringify(tool)}.${known.length > 0 ? ` It has: ${known.join(', ')}.` : ''}${say.nothing}`,
  'tool-needs': ({ tool, names }: { tool: string; names: Names }, say: Say) =>
    `${JSON.stringify(tool)} needs arguments that no session can provide: ${names.join(', ')}. Choose another tool with --tool, or run this in a terminal, which asks you for them.${say.nothing}`,
  'nothing-to-propose': ({ label }: { label: string }, say: Say) =>
    `${label} has no tool that a hook could use.${say.nothing}`,
  'no-tool-for': ({ label, hook }: Record<'label' | 'hook', string>, say: Say) =>
    `${label} has no tool for the hook ${JSON.stringify(hook)}: choose others with --hooks.${say.nothing}`,
  'which-tool': () => 'Which tool finds what is known?',
  'which-moment': () => 'When?',
  'draft-secret': ({ where }: { readonly where: string }) =>
    `Something in the server's start may be a secret, and no variable could take its place: ${where}. Set a variable of the environment to it, and name that in the command (\${NAME}). Nothing was written.`,
  'draft-refused': (_: object, say: Say) =>
    `What would be written is not a valid manifest.${say.nothing}`,
  'no-server-to-ask': ({ path }: { path: string }) =>
    `${path} does not say how its server is started, so it cannot be asked for its tools.`,
  'fleet-folder-unfit': ({ folder }: { folder: string }, say: Say) =>
    `--runner-folder takes an absolute path of letters, digits, spaces and . _ - + @, such as /opt/mcp-hooks, not ${folder}.${say.nothing}`,
  'package-version-unfit': ({ version }: { version: string }, say: Say) =>
    `--package-version takes a version as npm writes it, such as 1.2.3 or 1.2.3-beta.1, not ${version}.${say.nothing}`,
  'declares-none': () => 'it declares no hooks',
  /** `review`: the command that shows what would change. */
  'needs-yes': ({ review }: { review: string }, say: Say) =>
    `No terminal to confirm in. Review with ${review}, then pass --yes.${say.nothing}`,
  declined: () => NOTHING,
  'output-lost': ({ why }: { why: Message }, say: Say) =>
    `The output of this command cannot be written: ${say(why)}. The command does its work without it.`,
  /** `written`: absent where the command writes nothing of the user's. */
  interrupted: ({ written }: { written?: boolean }) =>
    written === undefined
      ? 'Interrupted.'
      : written
        ? 'Interrupted. What was written before stays: mcp-hooks list shows it. For the rest, run the same command again.'
        : `Interrupted. ${NOTHING}`,
  'changed-while-asked': (_: object, say: Say) =>
    `A file was changed in the meantime, so this is no longer what you approved.${say.nothing} Run the same command again.`,
  'unknown-event': ({
    event,
    declared,
    native,
  }: {
    event: string;
    declared: Names;
    native: Names;
  }) =>
    `There is no event "${event}"; known: ${declared.join(', ')}; or a client's own: ${native.join(', ')}. ${UNFIRED}`,
  'not-installed-there': ({ label, where }: LabelAndPlace) =>
    `${label} is not installed here, in ${where}.`,
  /** `there`: the scope in which it is installed for this very folder. */
  'unknown-label-in': ({
    label,
    where,
    near,
    all,
    there,
  }: LabelAndPlace & { near: Names; all: Names; there: Scope | undefined }) =>
    `${label} is not installed in ${where}. ${there ? INSTALLED_THERE[there] : installed(near, all)} ${UNFIRED}`,
  'payload-unread': ({ path, why }: { path: string; why: Message }, say: Say) =>
    `${path} cannot be read: ${say(why)}. ${UNFIRED}`,
  'not-json': ({ what }: { what: string }) => `${what} is not a JSON object. ${UNFIRED}`,
  'foreign-facts': ({ flags, event }: { flags: Names; event: string }) =>
    `${flags.join(' and ')} ${flags.length > 1 ? 'mean' : 'means'} nothing for ${event}: no client sends that with it. ${UNFIRED}`,
  'too-few-times': ({ times, needed }: Record<'times' | 'needed', number>) =>
    `--times ${times} is too few: ${needed} of --tool or --input are to take turns. ${UNFIRED}`,
  'no-log': ({ label, known }: { label: string; known: Names }) =>
    `${label} is not installed and has no log. ${known.length > 0 ? `Known here: ${known.join(', ')}.` : 'Nothing is installed, and no hook has fired yet.'} Hooks that a plugin or an extension brings are in the log once they have fired.`,
  'watch-needs-otlp': () => '--watch is for sending: add --otlp <endpoint>.',
  'no-origin': ({ label, command }: Record<'label' | 'command', string>, say: Say) =>
    `mcp-hooks cannot tell where the hooks of ${label} came from: their command holds a secret.${say.nothing} Install them again: ${command}`,
  'no-client': ({ names }: { names: Names }, say: Say) =>
    `${clients['no-client-found']({ code: 'no-client-found', names }, say)} --client installs for one anyway.`,
  'strict-left-out': (_: object, say: Say) =>
    `--strict: not everything that the server declares is understood.${say.nothing}`,
  'label-twin': ({ label, other }: Record<'label' | 'other', string>, say: Say) =>
    `${label} and ${other}, which is installed, are the same name to this file system.${say.nothing} Give this one another name with --name <label>.`,
  'not-installed': ({ label, where, others }: LabelAndPlace & { others: Names }) =>
    `${label} is not installed in ${where}.${others.length > 0 ? ` Installed: ${others.join(', ')}.` : ''}`,
  'header-needs-label': (_: object, say: Say) =>
    `--header is for one server: name its label.${say.nothing}`,
  'ledger-unread-so-no-update': ({ path }: { path: string }, say: Say) =>
    `${path}, the record of what is installed, cannot be read, so mcp-hooks doesn't know what to update. Install your servers again.${say.nothing}`,
  'nothing-to-verify': () => 'Nothing is installed, so there is nothing to verify.',
  'not-as-installed': ({ label }: { label: string }) =>
    `${label} is not as it was installed, so no client was asked to trust it.`,
  'altered-in': ({ client, state }: { client: string; state: Message }, say: Say) =>
    `${client}: ${say(state)}. Install it again to fix that.`,
  'not-tried': ({ what }: { what: string }) => `${what} cannot be installed, so it was not tried.`,
  'one-server-only': (_: object, say: Say) => `--name and --from are for one server.${say.nothing}`,
  'header-for-one': (_: object, say: Say) => `--header is for one server.${say.nothing}`,
  'command-for-one': (_: object, say: Say) => `A command after -- is for one server.${say.nothing}`,
  'ledger-unread-so-not-all': ({ path }: { path: string }, say: Say) =>
    `${path}, the record of what is installed, cannot be read, so mcp-hooks doesn't know what there is to uninstall. Name it.${say.nothing}`,
  'names-or-all': (_: object, say: Say) =>
    `Say what to uninstall: one or more names, or --all.${say.nothing}`,
  'not-in-clients': ({ label, names }: { label?: string | undefined; names: Names }) =>
    `${label === undefined ? 'Nothing is' : `${label} is not`} installed in ${names.join(', ')}.`,
};

export type CliMessage = MessageOf<typeof cli>;
