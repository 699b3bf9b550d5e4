/** `{server}` in a declaration: the name under which each client has configured the server whose hooks these are. */

import type { Client } from '../clients/contract.ts';
import type { HookDeclaration } from '../declaration/declaration.ts';
import { stringsIn } from '../system/strings.ts';
import { literally } from './glob.ts';
import { sanitise, translateMentions } from './names.ts';

export const OWN_SERVER = '{server}';

/** Names are cut after this many characters: only a mistake or an attack is longer. */
const LONGEST = 64;

/** Whether a hook needs the client's name for the server. */
export const namesOwnServer = (hook: HookDeclaration): boolean => {
  const { context, block, matcher } = hook;
  const { tool_name, tool_server, exclude } = matcher ?? {};
  return (
    [context, block, tool_name, tool_server, ...(exclude?.tools ?? [])].some((text) =>
      text?.includes(OWN_SERVER),
    ) || handsOwnServer(hook)
  );
};

/** Whether its tool gets the name. */
export const handsOwnServer = ({ context_tool_args: args }: HookDeclaration): boolean =>
  stringsIn(args).some((text) => text.includes(OWN_SERVER));

/** The hook for a server that is called `name`. `textFor` handles its texts, because only there is it known who reads them. */
export function withOwnServer(hook: HookDeclaration, name: string): HookDeclaration {
  const { matcher } = hook;
  if (!matcher || !namesOwnServer(hook)) return hook;
  const { tool_name, tool_server, exclude } = matcher;
  const inGlob = (glob: string) => glob.replaceAll(OWN_SERVER, () => literally(name));
  return {
    ...hook,
    matcher: {
      ...matcher,
      ...(tool_name !== undefined && { tool_name: inGlob(tool_name) }),
      ...(tool_server !== undefined && {
        tool_server: tool_server.replaceAll(OWN_SERVER, () => name),
      }),
      ...(exclude?.tools && { exclude: { ...exclude, tools: exclude.tools.map(inGlob) } }),
    },
  };
}

/**
 * A text as a client's model reads it. Whoever has named the server must not be able to write through its name, so in a text
 * it has only characters that the client allows in a tool's name.
 */
export const textFor = (client: Client, text: string, name: string): string =>
  translateMentions(client, text, plain(client, name), handedName(name));

/** The same where names of other servers stay as they are. */
export const reasonFor = (client: Client, text: string, name: string): string =>
  text.includes(OWN_SERVER)
    ? text.replace(OWN_NAMES, (found) =>
        translateMentions(client, found, plain(client, name), handedName(name)),
      )
    : text;

/**
 * The whole name for a tool's arguments, as data. The runner fills it in together with the other variables, so a name that
 * looks like a variable is not taken for one.
 */
export const handedName = (name: string): string => [...name].slice(0, LONGEST).join('');

const OWN_NAMES = /\bmcp__\{server\}__[\w-]+|\{server\}/g;

const plain = ({ mcpNames }: Client, name: string): string =>
  sanitise(mcpNames, name).slice(0, LONGEST);
