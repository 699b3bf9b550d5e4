/** Tool calls that hooks are about: one that fits what a hook matches, made so that it does nothing. */

import type { Client } from '../../clients/contract.ts';
import type { ClientDriver } from '../../clients/driver/driver.ts';
import type { Step } from '../../clients/driver/script.ts';
import { namesFor } from '../../compile/glob.ts';
import { mcpToolName } from '../../compile/names.ts';
import type { EventProgram, ProgramHook } from '../../compile/program.ts';
import { secondStage } from '../../compile/second-stage.ts';
import { strings } from '../../system/json.ts';

/** What the model calls, in order, and the MCP tool that has to be there for it. */
export interface Fitting {
  readonly steps: readonly Step[];
  /** The name of the tool in the client's hooks. */
  readonly tool: string;
  readonly standIn?: { readonly server: string; readonly tool: string };
}

type When = NonNullable<ProgramHook['when']>;

/** Undefined: there is none that a script could make. */
export function fittingCall(
  { tool, mcpTool, input = '', server }: When,
  { names }: Pick<EventProgram, 'names'>,
  client: Client,
  driver: ClientDriver,
  project: string,
): Fitting | undefined {
  const isMeant = (name: string) =>
    tool === undefined || secondStage().isOf(name, { tool, ...(mcpTool && { mcpTool }) });
  if (server === undefined)
    for (const [native, calling] of Object.entries(driver.tools)) {
      if (![native, ...(names.aliases[native] ?? [])].some(isMeant)) continue;
      const steps = calling(input, project);
      if (steps && contains(steps, input)) return { steps, tool: native };
    }
  const clean = (text: string) => text.replace(new RegExp(`[^${names.allowed}]`, 'g'), '_');
  const wanted = [
    ...(server === undefined ? [] : [`mcp__${clean(server)}__note`]),
    ...namesFor(tool ?? []),
  ].flatMap((name) => split(name, server === undefined ? undefined : clean(server)));
  for (const one of wanted) {
    if (!isMeant(`mcp__${one.server}__${one.tool}`)) continue;
    const standIn = { server: server ?? one.server, tool: one.tool };
    const name = mcpToolName(client.mcpNames, standIn.server, standIn.tool);
    const call = {
      name: driver.mcpTool?.(standIn.server, standIn.tool) ?? name,
      input: { text: input },
      mcp: standIn,
    };
    return { steps: [{ call }], tool: name, standIn };
  }
  return undefined;
}

/** The server and the tool in `mcp__<server>__<tool>`. */
function split(name: string, server: string | undefined) {
  const [, first = '', rest = ''] =
    server !== undefined && name.startsWith(`mcp__${server}__`)
      ? ['', server, name.slice(`mcp__${server}__`.length)]
      : (/^mcp__(.+?)__(.+)$/.exec(name) ?? []);
  return first === '' || rest === '' ? [] : [{ server: first, tool: rest }];
}

/** In a string of the call, as the hook looks for it. */
const contains = (steps: readonly Step[], word: string): boolean =>
  steps.some((step) =>
    'shell' in step
      ? step.shell.includes(word)
      : 'call' in step && [...strings(step.call.input)].some((text) => text.includes(word)),
  );
