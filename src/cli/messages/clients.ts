/** The words for what clients has to say. */

import type { ClientMessage } from '../../clients/messages.ts';
import type { Words } from '../../system/words.ts';

export const clients = {
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
  'home-with-control': ({ variable }, say) =>
    `${variable} has a line break or another control character in it. Clients read no hooks from such a folder.${say.nothing}`,
  'home-not-text': ({ variable }, say) =>
    `${variable} is not valid UTF-8, so mcp-hooks cannot look into that folder.${say.nothing}`,
  'home-missing': ({ variable, home }, say) =>
    `${variable} is ${home}, which is not a folder.${say.nothing}`,
  'home-is-no-project': (_, say) =>
    `This folder is your home folder. Its settings are yours, not those of a project: use --scope user, or go to a project.${say.nothing}`,
} satisfies Words<ClientMessage>;

const named = ({ client, version }: { readonly client: string; readonly version?: string }) =>
  version === undefined ? client : `${client} ${version}`;
