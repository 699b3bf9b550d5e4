/** The words for src/clients/messages.ts. */

import type { ClientMessage } from '../../clients/messages.ts';
import type { Words } from '../../system/words.ts';

export const clients = {
  'project-not-read': ({ client, executable }) =>
    `${client} reads nothing of this project before you trust its folder: start ${executable} in it and say yes`,
  'hook-not-listed': ({ client }) =>
    `${client} does not see it where it is written: hooks may be switched off, or the file is not read`,
  'said-last': ({ text }) => `What it said last: ${text}`,
  'trust-no-answer': ({ program, seconds }) =>
    `${program} did not answer within ${seconds} seconds and was ended (--timeout allows more).`,
  'trust-ended-early': ({ program, exitCode, client, since }) =>
    `${program} ended (exit code ${exitCode}) before it answered. It needs ${client} ${since} or newer.`,
  'trust-not-json': ({ program }) => `${program} answered with something that is not JSON.`,
  'trust-refused': ({ program }) => `${program} refused.`,
  'trust-not-started': ({ executable, errno }) =>
    `${executable} could not be started: ${errno === 'ENOENT' ? 'there is no such command' : errno}.`,
  'trust-too-old': ({ client, since, version }) =>
    `This ${client}${version === undefined ? '' : ` (${version})`} cannot be asked about trust: ${since} or newer is needed.`,
  'switch-on': ({ command, executable }) =>
    `To switch it on again, type ${command} in ${executable}.`,
  'trust-not-taken': ({ client }) =>
    `${client} was told that you trust the hooks, and still does not count them as trusted.`,
  'settings-fault': ({ client, path, what, lost, whole }) =>
    `${path} ${what}: ${lost === 'file' ? whole : `${client} ignores ${lost === 'hooks' ? 'all hooks in the file' : 'it'}`}`,
  'lacks-server-names': ({ until, ...here }) =>
    `${named(here)} knows the tools of MCP servers by their own names; the first version that puts the server before them is ${until}`,
  'lacks-event': ({ native, until, ...here }) =>
    `${named(here)} has no ${native} event; the first version with it is ${until}`,
  'lacks-context': ({ native, until, ...here }) =>
    `${named(here)} does not pass the text of a ${native} hook to the model; the first version that does is ${until}`,
  'no-client-found': ({ names }, say) =>
    `No client was found on this machine: no config folder and no executable of ${names.join(', ')}.${say.nothing}`,
  'unknown-client': ({ name, known }) =>
    `There is no client "${name}"; known: ${known.join(', ')}.`,
  'no-home': ({ variable }, say) =>
    `${variable} is not set, so there is no place for settings.${say.nothing}`,
  'home-missing': ({ variable, home }, say) =>
    `${variable} is ${home}, which is not a folder.${say.nothing}`,
  'home-is-no-project': (_, say) =>
    `This folder is your home, whose settings are the user's: use --scope user, or go to a project.${say.nothing}`,
} satisfies Words<ClientMessage>;

const named = ({ client, version }: { readonly client: string; readonly version?: string }) =>
  version === undefined ? client : `${client} ${version}`;
