/** Whether hooks fire, and why not. */

import type { Client } from '../clients/contract.ts';
import type { Whose } from '../clients/health/health.ts';
import { byNpm } from '../clients/messages.ts';
import type { TrustReading, TrustState, TrustTrouble, WhyUnknown } from '../clients/trust.ts';
import type { RunnerReason } from '../compile/runner-messages.ts';
import type { InstallMessage } from '../install/messages.ts';
import type { Message, Said } from '../system/errors.ts';
import type { SystemMessage } from '../system/messages.ts';
import { count, hooksInWords, listed } from '../system/plurals.ts';
import { type FactsOf, FIND_HOOKS, installed, type MessageOf, type Say } from '../system/words.ts';

type Names = readonly string[];

/** The messages of the trust checks. */
export type TrustMessage =
  | TrustTrouble
  | WhyUnknown
  | Said<`hook-${TrustState}`, HookFacts>
  | Said<'all-trusted' | 'nothing-to-trust' | 'start-before-trust', { client: string }>
  | Said<'plugin-untrusted', { client: string; label: string }>
  | Said<'trust-from-file', { client: string; file: string }>
  | Said<'switched-off-in', { client: string }>
  | Said<'trust-by-hand', { byHand: string; run?: string }>
  | Said<'switch-on', { command: string; executable: string }>
  | Said<'why-unknown', { why: WhyUnknown }>
  | Said<'trust-trouble', { trouble: TrustTrouble }>
  | Said<'project-unread', { client: string; project: string }>
  | Said<'trust-project', { executable: string }>
  | Said<'edited-not-trusted', { client: string; native: string }>
  | Said<'entry-edited'>
  | Said<'not-trusted' | 'changed-since-trusted' | 'project-not-trusted'>;

/** A hook for which a client requires the user's trust. */
interface HookFacts {
  readonly client: string;
  readonly native: string;
  readonly matcher?: string;
  readonly path: string;
  readonly from: TrustReading['from'];
  /** The name of the client's trust file. */
  readonly file: string;
}

const WHOSE: Readonly<Record<Whose, string>> = {
  defaults: "this machine's settings",
  user: 'your settings',
  project: "this project's settings",
  local: 'your own settings of this project',
  managed: 'the managed settings',
};

type Packaged = Pick<Client, 'npmPackage'>;

type Numbered = readonly { readonly number: number; readonly event: string }[];

const hooksWithEvents = (hooks: Numbered): string =>
  hooks.map(({ number, event }) => `hook ${number} (${event})`).join(', ');

/** What it means if a hook cannot write anything. */
const UNREMEMBERED =
  'hooks keep no state and no log: `once` and `cooldown` are ignored, and texts for a later event are lost';

export const diagnose = {
  'runner-unchanged': 'runner unchanged',
  'so-no-tools': ({ why }: { why: Message }, say: Say) => `${say(why)}: its tools are not called`,
  'no-trust-needed': ({ inProject }: { inProject: boolean }) =>
    `${inProject ? "no hook in the user's settings" : 'no hook'} depends on trust in the folder`,
  'from-administrator': 'it has hooks of {label} from the administrator of this machine',
  'from-administrator-too':
    'it also has hooks of {label} from the administrator of this machine; yours take precedence',
  'administrator-runner-gone':
    'it has hooks of {label} from the administrator of this machine, but their runner is missing: they do nothing',
  'in-both-scopes': (facts: { forUser: boolean; clients: Names; folder: string }) =>
    `it is also installed ${facts.forUser ? 'for the user' : 'for everybody in the project'} (${facts.clients.join(', ')}): in ${facts.folder} its hooks run twice`,
  'uninstall-in-folder': (facts: Record<'label' | 'scopeFlag' | 'otherFlag', string>) =>
    `Remove one of them. In that folder: mcp-hooks uninstall ${facts.label}${facts.scopeFlag}, or ${facts.otherFlag === '' ? 'anywhere' : 'there'}: mcp-hooks uninstall ${facts.label}${facts.otherFlag && ` ${facts.otherFlag}`}`,
  /** A plugin has the same hooks. */
  'shipped-too':
    'a plugin or extension of {client} has its hooks as well, and they do nothing while these are installed',
  'keep-or-leave-to-plugin':
    'Keep both, or leave it to the plugin: mcp-hooks uninstall {label} --client {id}',
  'hook-of-others': (facts: Record<'client' | 'native', string> & { name?: string }) =>
    `${facts.client}: a hook for ${facts.native} that is not ours ${facts.name === undefined ? 'starts its server' : `is called ${facts.name}`}: it may add the same text`,
  'by-hand-too': (facts: Record<'client' | 'native', string> & { isText: boolean }) =>
    `${facts.client}: a hook for ${facts.native} that is not ours ${facts.isText ? 'adds the same text: the model reads it twice' : 'runs the same program: it runs twice'}`,
  'take-by-hand-out': 'Remove it from the file, or: mcp-hooks uninstall {label} --client {id}',
  'only-one-shown':
    "{client}: another hook for {native} is in its settings, and only one hook's text reaches the model",
  'hook-elsewhere':
    'If it adds a text, move it to another event than {native}; otherwise remove it.',
  'stranger-in-own-file': 'a hook that is not ours is in the file that belongs to {label} alone',
  'copied-here': 'it has entries of {label} without an install: edited, or copied from elsewhere',
  'take-copy-out': 'Remove them from the file by hand.',
  'take-stranger-out': 'Review the hook and remove it. Put your own hooks into another file.',
  'tools-not-granted': ({ hooks, allowedNow }: { hooks: readonly number[]; allowedNow: boolean }) =>
    `skipped when it was installed because it was not allowed: ${hooksInWords(hooks)}${allowedNow ? '; the policy allows it now' : ''}`,
  'too-many-then': ({ hooks, allowedNow }: { hooks: readonly number[]; allowedNow: boolean }) => {
    const what = `more hooks than "hooksPerServer" allowed when it was installed: ${hooksInWords(hooks)}`;
    return allowedNow ? `${what}; the policy allows more now` : `left out: ${what}`;
  },
  'tools-forbidden': ({ hooks }: { hooks: Numbered }) =>
    `your policy.json forbids tool calls, so ${hooks.length === 1 ? 'this hook does' : 'these hooks do'} nothing: ${hooksWithEvents(hooks)}`,
  'policy-forbids-tools': 'your policy.json forbids tool calls',
  'commands-forbidden': ({ hooks }: { hooks: Numbered }) =>
    `the policy forbids running programs, so these do nothing: ${hooksWithEvents(hooks)}`,
  'project-code-forbidden': ({ hooks }: { hooks: Numbered }) =>
    `the policy forbids running the project's own code, so these do nothing: ${hooksWithEvents(hooks)}`,
  'blocks-forbidden': ({ hooks }: { hooks: Numbered }) =>
    `the policy forbids stopping anything, so these do nothing: ${hooksWithEvents(hooks)}`,
  'beyond-hooks-per-server': ({ hooks }: { hooks: Numbered }) =>
    `more hooks than "hooksPerServer" allows; the weakest are left out: ${hooksWithEvents(hooks)}`,
  'beyond-hooks-per-event': ({ hooks }: { hooks: Numbered }) =>
    `more hooks on one event than "hooksPerEvent" allows; the weakest may be left out: ${hooksWithEvents(hooks)}`,
  'allow-tools': 'To allow them, remove "contextTool": false.',
  'allow-commands': 'Remove "command": false.',
  'allow-project-code': 'Remove "projectCode": false.',
  'allow-blocks': 'Remove "block": false.',
  'raise-hooks-per-server': 'To let them in, raise "hooksPerServer" in policy.json.',
  'raise-hooks-per-event': 'To let them in, raise "hooksPerEvent" in policy.json.',
  'no-tool-failed': 'no tool call failed',
  'verify-again': 'mcp-hooks verify {label}',
  'download-first':
    '{launcher} may still have to download its server. Wait for it with mcp-hooks verify {label}, or run this once by hand: {command}',
  'configured-as-it-was': 'server configured as it was',
  'update-asks': 'mcp-hooks update {label}',
  'no-longer-configured': '{name} is no longer configured there',
  'configure-again': 'Configure it again, or look for it elsewhere: mcp-hooks update {label}',
  'configuration-changed': 'its configuration has changed',
  'configuration-unread': 'the configuration of {name} cannot be read',
  'mend-file': 'Fix the file.',
  'hooks-installed': 'hooks installed',
  'nothing-installed': 'nothing installed',
  'not-used': 'found {found}, but no hooks are installed for it',
  'install-in-client': 'To install hooks there, too: mcp-hooks install <server> --client {id}',
  'entries-intact': 'entries intact',
  'project-gone': 'its project is gone, and its hooks with it',
  'leave-runner': 'No action needed: the leftover runner is never started.',
  'entries-not-looked-at': '{client}: its entries cannot be checked until the file can be read',
  'puts-right': '{command}',
  'move-out': 'Move it out of that hook, or remove it. Then: {command}',
  'remove-program': 'Undo the edit, or remove the file. Then: {command}',
  'take-hook-out': 'Remove that hook from the file by hand. Then: {command}',
  'runner-part-missing': 'runner damaged ({file} is missing): its hooks do nothing',
  'runner-altered': 'its runner was modified ({file})',
  'copy-gone': 'its copy of {exact} is gone: hooks start npx at each call',
  'copy-changed': 'its copy of {exact} was modified: hooks start npx at each call',
  'npx-has-other': 'npx has another version than {exact}: hooks start npx at each call',
  'writes-anew': '{command}',
  'node-there': 'its Node exists',
  'other-node':
    'the node that it was installed with is gone; the hooks fall back to {node} from the PATH',
  'no-node': 'the node that it was installed with is gone, and none was found on the PATH',
  'with-new-node': 'With the node that is to run the hooks: {command}',
  'paths-of-today': 'paths up to date',
  'looks-elsewhere': '{client} now reads {path}, but its hooks are in {file}',
  'start-as-then': ({
    client,
    variables,
    command,
  }: Record<'client' | 'command', string> & { readonly variables: readonly string[] }) =>
    `Start ${client} with the ${listed([...variables, 'HOME'])} with which the hooks were installed, or: ${command}`,
  'runner-of-another-folder': 'its runner was made for another folder: {folder}',
  'makes-anew': '{command}',
  'on-path': 'on the PATH',
  'not-on-path': '{executable} is not on the PATH',
  /** `scope`: the flag for the scope that has its hooks, or nothing for user scope. */
  'install-or-take-out': ({ npmPackage, id, scope }: Packaged & Record<'id' | 'scope', string>) =>
    `Install it${byNpm(npmPackage)}. Or remove its hooks: mcp-hooks uninstall --all --client ${id}${scope}`,
  'install-client': ({ npmPackage }: Packaged) => `Install it${byNpm(npmPackage)}`,
  'version-verified': 'version verified',
  'no-version': 'client not found, version unknown',
  'version-unknown':
    'its version is unknown unless it is started; the hooks are known to fire in {verified}',
  'ask-version': 'Needed: {minimum} or newer. To see yours: {executable} --version',
  'version-too-old': 'it is {version}, which is too old for our hooks',
  'newer-needed': ({ minimum, npmPackage }: Packaged & { minimum: string }) =>
    `${minimum} or newer is needed${byNpm(npmPackage, '@latest')}`,
  'client-never-run': "untested: its hooks are based on the client's documentation",
  'as-verified': '{version} as verified',
  'version-not-verified': (
    facts: Record<'version' | 'verified', string> & { than: 'older' | 'newer' },
  ) =>
    `it is ${facts.version}, ${facts.than} than ${facts.verified}, in which the hooks are known to fire`,
  'verify-live': 'To see whether they fire in yours: mcp-hooks verify --live --client {id}',
  'no-recordings': 'There are no recorded payloads of {id} in fixtures/events.',
  'run-by-no-other': 'run by no other program',
  'also-run-by': '{name} is on this machine and runs its hooks, too: {hooks}',
  'also-run-is-fine': 'Its model reads the texts, too. No action needed if you want that.',
  'folder-trusted': 'folder trusted',
  'folder-refused': 'no hook runs in {folder}: it is not trusted',
  'folder-undecided': '{folder} is not trusted yet: {undecided}',
  'takes-name': '{command}',
  'same-server': 'If the two servers differ, rename one of them in {client}. Then: {command}',
  'add-own-server': 'To add the server to {client}: {command} --with-server',
  'added-servers-there': 'the servers that it added to clients are there',
  'added-server-gone': '{client}: the server {name} that was added to it is no longer configured',
  'added-server-changed':
    '{client}: the server {name} that was added to it was changed since, so update and uninstall leave it as it is',
  'added-server-unread':
    '{client}: the file with the server {name} that was added to it cannot be read',
  'added-server-cannot-start': (
    facts: Record<'client' | 'name', string> & { program?: string; file?: string },
  ) =>
    `${facts.client}: the server ${facts.name} that was added to it cannot start, because ${facts.file === undefined ? `${facts.program} is not on the PATH` : `${facts.file} is gone`}`,
  'restore-or-update':
    'Install or restore it. If the server starts in another way today: {command}',
  'configure-server':
    'Configure the server in {client} under that name, or use in the declaration the name that it has there.',
  'no-strays': 'no unknown entries',
  'entries-unrecorded':
    'it has entries of {label}, which are not in the record of what is installed',
  'install-or-uninstall':
    'Install {label} again, or remove them: mcp-hooks uninstall {label}{scopeFlag}',
  'other-state-folder': 'it runs hooks of another state folder than {own}: {other}',
  'look-at-other-state': 'To check those: MCP_HOOKS_HOME={state} mcp-hooks doctor',
  'state-folder-gone': 'it has hooks whose runner is no longer there: {state}',
  'state-folder-moved':
    'That folder was moved or removed: install again, then remove the old entries from the file.',
  'declared-by-no-other': 'declared by no other server',
  'declared-twice': '{other} declares the same hooks: the model reads them twice',
  'take-one-out':
    'Uninstall one of them: mcp-hooks uninstall {label}, or: mcp-hooks uninstall {other}',
  'take-either-out': 'If it does, remove it, or: mcp-hooks uninstall {label} --client {id}',
  'policy-readable': 'policy readable',
  'nothing-left-out': 'nothing left out',
  'rules-unknown': 'its rules are not known',
  muted: 'muted in policy.json',
  'hooks-muted': ({ hooks }: { hooks: Numbered }) => `you have muted ${hooksWithEvents(hooks)}`,
  unmute: '{command}',
  'puts-in': '{command}',
  'puts-in-when-allowed': ({ command, grants }: { command: string; grants: Names }) =>
    `${command} --allow ${grants.join(',')}`,
  'puts-them-in': '{command}',
  'raise-then-puts-in': 'Raise "hooksPerServer" in policy.json. Then: {command}',
  'server-declares-same': 'server starts and declares the same',
  'no-server-needed': 'no server needed',
  'server-not-looked-at': 'its server was not started; --servers does that',
  'nothing-understood-any-more': 'its server no longer declares hooks that mcp-hooks understands',
  'nothing-declared-any-more': 'its server declares no hooks any more',
  'goes-on-as-it-is':
    'The installed hooks keep working; to remove them: mcp-hooks uninstall {where}',
  'shows-changes': '{command}',
  'manifest-names-no-server': 'its manifest does not say how its server is started',
  'hooks-are-manifests': "its server starts; its hooks are the manifest's",
  'hooks-are-catalogues': 'its server starts; its hooks are from the catalogue',
  'compare-with-manifest':
    'The installed hooks come from the manifest: compare it with what the server declares.',
  'another-server': 'its server is not the one you approved, so it was not started',
  'shows-and-asks': '{command}',
  'server-declares-else': 'its server declares other hooks than those installed',
  'brings-up-to-date': '{command}',
  'remembered-in-words': 'the record does not hold enough to start its server',
  'settings-readable': 'settings readable',
  'link-unknown':
    'Until you replace the link, mcp-hooks looks for no hooks behind it, and cannot tell whether {client} follows it.',
  /** `places`: the line and column of each comma. */
  'remove-commas': ({ client, places }: { client: string; places: Names }) =>
    places.length === 1
      ? `Remove that comma, and ${client} reads the file again.`
      : `Remove the commas at ${places.join(' and ')}, and ${client} reads the file again.`,
  'mend-for-hooks': 'Fix the file: until then {client} runs no hook in it.',
  'settings-valid': 'settings valid',
  'no-other-void': 'no other file is invalid',
  'not-switched-off': 'not switched off',
  'switched-off': ({ whose, key, value }: { whose: Whose; key: string; value: boolean }) =>
    `no hook runs: ${WHOSE[whose]} set ${key} = ${value}`,
  'switched-off-elsewhere': (facts: { whose: Whose; key: string; value: boolean }) =>
    `${WHOSE[facts.whose]} set ${facts.key} = ${facts.value}; a stronger file switches hooks on again here, but not elsewhere`,
  'switched-off-otherwise': 'no hook runs: {why}',
  'switch-on-by-hand': '{byHand}',
  'ask-administrator': 'Ask the administrator of this machine.',
  'take-out-or-set': ({ key, file, value }: Record<'key' | 'file', string> & { value: boolean }) =>
    `Remove ${key} from ${file}, or set it to ${value}.`,
  'hooks-folder-unread': ({ why }: { why: SystemMessage }, say: Say) =>
    `its folder of hooks cannot be read: ${say(why)}`,
  'mend-hooks-folder':
    'Make it a folder that you can read: until then {client} runs no hook in it.',
  'switched-off-by-name': '{label}: its hook for {native} is switched off by its name',
  'enable-hook': 'Type /hooks enable {hook} in {client}, or remove it from {key}.',
  'no-sign-in-missing': 'no sign-in missing',
  'log-in': 'mcp-hooks login {server}',
  'sign-in-wanted': '{server} wants you to sign in, and its tools are not called until then',
  'sign-in-unread': 'the saved sign-in to {server} cannot be read',
  'signed-out': 'you are no longer signed in to {server}',
  'declaration-unchanged': 'declaration unchanged',
  'declared-by-server': 'declared by its server',
  'from-catalogue': "from mcp-hooks' catalogue ({name}), not by the server's author",
  'catalogue-changed': "mcp-hooks' catalogue ({name}) now has other hooks for this server",
  'put-back': ({ isNeeded }: { isNeeded: boolean }) =>
    `Restore or fix it${isNeeded ? '' : '; the installed hooks keep working'}.`,
  'programs-unchanged': 'no program has changed',
  'program-changed': ({ hooks }: { hooks: readonly number[] }) =>
    `${hooksInWords(hooks)} would run a file that has changed since you allowed it`,
  'program-gone': ({ hooks }: { hooks: readonly number[] }) =>
    `${hooksInWords(hooks)} would run a file that is gone`,
  'allow-program': (facts: Record<'command' | 'where', string> & { grants: Names }) =>
    `Review the changes with mcp-hooks diff ${facts.where}. To allow them: ${facts.command} --allow ${facts.grants.join(',')}`,
  'restore-program': 'Restore it as it was.',
  'manifest-and-values-gone': ({ hooks }: { hooks: readonly number[] }) =>
    `its manifest is gone, and with it the values that its server is given: its texts keep working; ${hooksInWords(hooks)} cannot call ${hooks.length > 1 ? 'their tools' : 'its tool'} any more`,
  'manifest-gone': 'its manifest is gone',
  'folder-gone': 'its folder is gone, so its hooks do nothing',
  'restore-or-uninstall': 'Restore it, or remove the hooks: mcp-hooks uninstall {label}',
  'manifest-unusable': 'its manifest cannot be used any more (mcp-hooks validate says why)',
  'put-back-or-moved': ({ where, isNeeded }: { where: string; isNeeded?: boolean }) =>
    `Restore it${isNeeded ? '' : '; the installed hooks keep working'}. If you moved it: mcp-hooks install <new path> --name ${where} --replace`,
  'update-or-diff': '{command}',
  'manifest-declares-else': 'its manifest has changed since it was installed',
  'state-writable': 'folder writable',
  'open-to-others': 'other users may write into it, so they could change what hooks run and may do',
  'close-it': 'Remove their access with chmod go-w, then check who owns the files in it.',
  'record-readable': 'record readable',
  'record-unread': 'the record of what is installed cannot be read',
  'install-again':
    'Install again what you had: mcp-hooks recognises its entries by their commands, and moves the broken file aside.',
  'no-run-interrupted': 'no run interrupted',
  'another-at-work': 'another mcp-hooks is at work right now',
  'run-interrupted': 'a run was interrupted: it is only partly written',
  'do-again': 'Run the same command again: it finishes what was begun.',
  'file-left': 'a killed run left a file behind',
  'next-run-takes-away': 'The next install or uninstall removes it.',
  'lock-left': 'a killed run left its lock behind',
  'lock-occupied': 'a file blocks the path of the lock, so nothing can be installed',
  'move-away': 'Move it away.',
  'no-old-sessions': 'no old sessions',
  'sessions-old': ({ files, days }: Record<'files' | 'days', number>) =>
    `${count(files, 'file')} of sessions, some older than ${days} days: the automatic cleanup has not run lately`,
  'sessions-many': ({ files }: { files: number }) => `${count(files, 'file')} of sessions`,
  'delete-sessions':
    'You can delete the files while no session runs; resumed sessions then show their start texts again.',
  'no-failure-lately': 'no failure lately',
  'firings-failed': (
    { firings, days, last }: { firings: number; days: number; last: readonly RunnerReason[] },
    say: Say,
  ) =>
    `${count(firings, 'firing')} of the last ${days} days failed; the last: ${last.map(say).join(', ')}`,
  /** For hooks that may decide. */
  'guards-failed': ({ passed, denied, days }: Record<'passed' | 'denied' | 'days', number>) => {
    const times = [
      ...(passed > 0 ? [`let ${count(passed, 'event')} pass`] : []),
      ...(denied > 0 ? [`blocked ${count(denied, 'event')}`] : []),
    ];
    return `in the last ${days} days, hooks that may decide failed and ${times.join(', and ')}`;
  },
  'show-failed': 'mcp-hooks log {label} --failed',
  'log-grown': 'its log has grown to {mebibytes} MiB, and no hook has shortened it',
  'delete-log': 'To let hooks trim it: mcp-hooks stats',
  /** Why something could not be inspected. As nothing was to be written, the sentence need not say that nothing was. */
  refused: ({ problem }: { problem: Message }, say: Say) => say.bare(problem),
  'refused-with-details': (
    { problem, details }: { problem: Message; details: readonly Message[] },
    say: Say,
  ) => [problem, ...details].map((one) => say.bare(one).trim()).join(' '),
  'start-by-hand': 'Start the server yourself, and fix the errors that it prints.',
  /** The advice of a refusal, or else to fix the problem. */
  mend: ({ details }: { details: readonly Message[] }, say: Say) =>
    details.map((one) => say(one).trim()).join(' ') || 'Fix that, then check again.',
  'policy-wrong': ({ problem }: { problem: Message }, say: Say) =>
    `until the policy is fixed, no hook adds anything, and those that block when they fail block: ${say(problem)}`,
  'policy-not-valid': 'policy.json is not valid',
  'policy-unknown-label':
    'policy.json has rules for "{name}", and nothing is installed under that name: did you mean {near}?',
  'rename-in-policy': 'Correct the name, or remove its rules.',
  'state-not-writable': ({ why }: { why: SystemMessage }, say: Say) =>
    `nothing can be installed, and ${UNREMEMBERED}: ${say(why)}`,
  'memory-not-writable': ({ why }: { why: SystemMessage }, say: Say) =>
    `${UNREMEMBERED}: ${say(why)}`,
  'state-not-makeable': ({ why }: { why: SystemMessage }, say: Say) =>
    `nothing can be installed, and hooks that a plugin or an administrator brings show nothing, because they can keep no state and no log: ${say(why)}`,
  'own-folder-needed': (_: object, say: Say) =>
    `It has to be a folder of yours that you can write to.${say.hint(' MCP_HOOKS_HOME names another one.')}`,
  'mend-policy': 'Fix it, or delete it: without it the defaults apply.',
  'drift-in-client': ({ client, drift }: { client: string; drift: InstallMessage }, say: Say) =>
    `${client}: ${say(drift)}`,
  /** The clients in which hooks of a label have fired that is not installed. */
  shipped: ({ label, clients }: { label: string; clients: Names }) =>
    `Hooks called ${label} have fired in ${clients.join(' and ')} anyway: they come from a plugin or an extension there, or from the administrator of this machine. Update or remove them there. To see their texts: mcp-hooks log ${label}`,
  'administrator-only': ({ label, clients }: { label: string; clients: Names }) =>
    `The administrator of this machine has installed hooks called ${label} in ${listed(clients)}. Only the administrator can change or remove them. To switch off all of them for yourself: mcp-hooks mute ${label}`,
  'unknown-label': (
    { label, near, known }: { label: string; near: Names; known: Names },
    say: Say,
  ) =>
    `${label} is not installed. ${installed(near, known)}${known.length > 0 ? '' : say.hint(` ${FIND_HOOKS}`)}`,
  'last-call-failed': (
    facts: Record<'client' | 'native', string> & {
      hooks: readonly number[];
      why: readonly RunnerReason[];
    },
    say: Say,
  ) =>
    `${facts.client}: ${hooksInWords(facts.hooks)} called its tool on ${facts.native}, and the last call failed: ${facts.why.map(say).join(', ')}`,
  'steering-changed': 'a variable that decides what runs has changed',
  'passes-on-others': 'it passes on other variables of yours than you agreed to',
  'matcher-edited': (facts: Record<'client' | 'native', string> & { hooks: readonly number[] }) =>
    `${facts.client}: the matcher of its ${facts.native} entry was edited: ${hooksInWords(facts.hooks)} no longer ${facts.hooks.length > 1 ? 'run' : 'runs'}`,
  'ours-elsewhere': 'No hook of ours is in this file. Fix it and {client} reads it again.',
  'mend-settings': 'Fix it or remove it: while it is there, no hook in the file runs.',
  /** `why`: in the client's own words. */
  'client-stops': '{client} does not start with its configuration: {why}',
  /** `program`: the command with which the user can check. */
  'mend-startup': 'Fix its configuration; until then no hook runs. Check with: {program}',
  'entry-altered':
    'A hook in {file} starts its runner and is not the one that was installed, so it was not run. Review that hook and remove it. Then: {again}',
  'entry-holds-more':
    'Its hook in {file} has something in it that mcp-hooks did not write, so it was not run. Move that out of the hook, or remove it. Then: {again}',
  'entry-unknown':
    'A hook in {file} starts the runner of {label}, and is not in the record of what is installed, so it was not run. Review that hook and remove it, or install {label} again.',
  'runner-not-run': ({ drift, again }: { drift: Message; again: string }, say: Say) =>
    `${say(drift)}, so it was not run. To write it again: ${again}`,
} as const;

export type DiagnoseMessage = MessageOf<typeof diagnose>;

/** The codes of messages without facts. */
export type PlainCode = {
  [Code in keyof typeof diagnose]: keyof FactsOf<(typeof diagnose)[Code]> extends never
    ? Code
    : never;
}[keyof typeof diagnose];

export const telemetry = {
  'endpoint-unfit':
    '--otlp needs the address of a collector, with http:// or https:// before it, such as http://localhost:4318. Nothing was sent.',
  'endpoint-with-user':
    '--otlp takes no user or password in the address: pass them in OTEL_EXPORTER_OTLP_HEADERS. Nothing was sent.',
  'not-sent': (
    { label, endpoint, why }: Record<'label' | 'endpoint', string> & { why: Message },
    say: Say,
  ) =>
    `The metrics of ${label} could not be sent to ${endpoint}: ${say(why)}. Check that a collector takes OTLP over HTTP there, and run this again: nothing is lost.`,
  'collector-refused': 'it answered with HTTP {status}',
  'sent-by-another':
    'Another mcp-hooks has been sending the metrics of {label} for half a minute. Nothing was sent; try again later.',
  'sent-unread': '{path} is damaged, so nothing was sent. Delete it to send the whole log again.',
} as const;

export type TelemetryMessage = MessageOf<typeof telemetry>;
