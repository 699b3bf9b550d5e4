/** `{server}` in a declaration: the name under which each client has configured the server whose hooks these are. */

import type { Client } from '../clients/contract.ts';
import type { HookDeclaration } from '../declaration/declaration.ts';
import { stringsIn } from '../system/strings.ts';
import { literally } from './glob.ts';
import { sanitise, translateMentions } from './names.ts';

/** As a declaration has it. */
export const OWN_SERVER = '{server}';

/** More characters of a name are of no use: nothing but a mistake, or an attack, is that long. */
const LONGEST = 64;

/** Whether a hook has to be told the name in the client. */
export const namesOwnServer = (hook: HookDeclaration): boolean => {
  const { context, block, matcher } = hook;
  const { tool_name, tool_server, exclude } = matcher ?? {};
  return (
    [context, block, tool_name, tool_server, ...(exclude?.tools ?? [])].some((text) =>
      text?.includes(OWN_SERVER),
    ) || handsOwnServer(hook)
  );
};

/** Whether its tool is told the name. */
export const handsOwnServer = ({ context_tool_args: args }: HookDeclaration): boolean =>
  stringsIn(args).some((text) => text.includes(OWN_SERVER));

/** The hook as it is meant where the server is called `name`. Its texts are left to `textFor`, as only there is it known who reads them. */
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
 * A text as the model of a client is to read it. Whoever has named the server must not speak through its name: in a text
 * it has no other characters than the client lets a tool's name have.
 */
export const textFor = (client: Client, text: string, name: string): string =>
  translateMentions(client, text, plain(client, name));

/** The same where names of other servers stay as they are. */
export const reasonFor = (client: Client, text: string, name: string): string =>
  text.includes(OWN_SERVER)
    ? text.replace(OWN_NAMES, (found) => translateMentions(client, found, plain(client, name)))
    : text;

/**
 * The name for the arguments of a tool, whole, as data. The runner fills it in together with the other variables, so that
 * a name which looks like one of these is none.
 */
export const handedName = (name: string): string => [...name].slice(0, LONGEST).join('');

const OWN_NAMES = /\bmcp__\{server\}__[\w-]+|\{server\}/g;

const plain = ({ mcpNames }: Client, name: string): string =>
  sanitise(mcpNames, name).slice(0, LONGEST);
