/** The texts for the messages of src/clients. */

import type { ClientMessage, LackedPart } from '../../clients/messages.ts';
import type { Words } from '../../system/words.ts';

/** What we do not know about a client, or cannot do with it, by the part that its folder lacks. */
const LACKING = {
  bundle: (client) => `knows no package with which hooks are shipped to ${client}`,
  servers: (client) => `does not know where ${client} keeps its MCP servers`,
  driver: (client) => `cannot run ${client} with a scripted model`,
} satisfies Record<LackedPart, (client: string) => string>;

export const clients = {
  'settings-fault': ({ client, path, what, lost, whole }) =>
    `${path} ${what}: ${lost === 'file' ? whole : `${client} ignores ${lost === 'hooks' ? 'all hooks in the file' : 'it'}`}`,
  'no-client-found': ({ names }, say) =>
    `No client was found on this machine: no config folder and no executable of ${names.join(', ')}.${say.nothing}`,
  'unknown-client': ({ name, near, known }) =>
    `There is no client "${name}"; ${near.length > 0 ? `did you mean ${near.join(' or ')}?` : `known: ${known.join(', ')}.`}`,
  'client-lacks': ({ client, part }) => `mcp-hooks ${LACKING[part](client)}.`,
  'no-home': ({ variable }, say) =>
    `${variable} is not set, so there is no place for settings.${say.nothing}`,
  'home-with-control': ({ variable }, say) =>
    `${variable} has a line break or another control character in it. Clients read no hooks from such a folder.${say.nothing}`,
  'home-not-text': ({ variable }, say) =>
    `${variable} is not valid UTF-8, so mcp-hooks cannot look into that folder.${say.nothing}`,
  'home-missing': ({ variable, home }, say) =>
    `${variable} is ${home}, which is not a folder.${say.nothing}`,
  'home-is-no-project': (_, say) =>
    `This folder is your home folder. Its settings are yours, not those of a project${say.hint(': use --scope user, or go to a project')}.${say.nothing}`,
} satisfies Words<ClientMessage>;
