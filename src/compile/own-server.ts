/** `{server}` in a declaration: the name under which each client has configured the server that the hooks belong to. */

import type { Client } from '../clients/contract.ts';
import type { HookDeclaration } from '../declaration/declaration.ts';
import { stringsIn } from '../system/strings.ts';
import { literally } from './glob.ts';
import { sanitise, translateMentions } from './names.ts';

export const OWN_SERVER = '{server}';

/** The maximum length of a name in characters. A longer one is a mistake or an attack, and is cut. */
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

/** Whether a hook passes the name to its tool. */
export const handsOwnServer = ({ context_tool_args: args }: HookDeclaration): boolean =>
  stringsIn(args).some((text) => text.includes(OWN_SERVER));

/** The hook for a server with this name. Its texts are left to `textFor`, because only the caller knows who reads them. */
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
 * A text as a client's model reads it. The server's name must not be a way to inject text, so it is reduced to the characters
 * that the client allows in a tool's name.
 */
export const textFor = (client: Client, text: string, name: string): string =>
  translateMentions(client, text, plain(client, name), handedName(name));

/** The same, but other servers' names are not changed. */
export const reasonFor = (client: Client, text: string, name: string): string =>
  text.includes(OWN_SERVER)
    ? text.replace(OWN_NAMES, (found) =>
        translateMentions(client, found, plain(client, name), handedName(name)),
      )
    : text;

/**
 * The full name for a tool's arguments, as data. The runner fills it in together with the other variables, so a name that looks
 * like a variable is not replaced again.
 */
export const handedName = (name: string): string => [...name].slice(0, LONGEST).join('');

const OWN_NAMES = /\bmcp__\{server\}__[\w-]+|\{server\}/g;

const plain = ({ mcpNames }: Client, name: string): string =>
  sanitise(mcpNames, name).slice(0, LONGEST);
