/** Tool calls that hooks are about: one that fits what a hook matches, made so that it does nothing. */

import type { Client as KnownClient } from '../clients/client.ts';
import { mcpToolName } from '../compile/names.ts';
import type { EventProgram, ProgramHook } from '../compile/program.ts';
import type { Client } from './client.ts';
import { strings } from './json.ts';
import type { Step } from './script.ts';

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
  { tool, input = '', server }: When,
  { names }: Pick<EventProgram, 'names'>,
  client: KnownClient,
  live: Client,
  project: string,
): Fitting | undefined {
  const pattern = readPattern(tool ?? '');
  if (!pattern) return undefined;
  if (server === undefined)
    for (const [native, calling] of Object.entries(live.tools)) {
      if (![native, ...(names.aliases[native] ?? [])].some((name) => pattern.test(name))) continue;
      const steps = calling(input, project);
      if (steps && contains(steps, input)) return { steps, tool: native };
    }
  const clean = (text: string) => text.replace(new RegExp(`[^${names.allowed}]`, 'g'), '_');
  const wanted = [
    ...(server === undefined ? [] : [`mcp__${clean(server)}__note`]),
    ...(tool === undefined ? [] : examples(tool)),
  ].flatMap((name) => split(name, server === undefined ? undefined : clean(server)));
  for (const one of wanted) {
    if (!pattern.test(`mcp__${one.server}__${one.tool}`)) continue;
    const standIn = { server: server ?? one.server, tool: one.tool };
    const name = mcpToolName(client.mcpNames, standIn.server, standIn.tool);
    const call = {
      name: live.mcpTool?.(standIn.server, standIn.tool) ?? name,
      input: { text: input },
    };
    return { steps: [{ call }], tool: name, standIn };
  }
  return undefined;
}

/** Undefined: somebody has edited it into none. */
function readPattern(source: string): RegExp | undefined {
  try {
    return new RegExp(source);
  } catch {
    return undefined;
  }
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

/**
 * For each alternative of a pattern that was made of a glob (src/compile/glob.ts) a text that it may match; whoever
 * wants to be sure tries.
 */
function examples(pattern: string): string[] {
  const inner = /^\^\(\?:([\s\S]*)\)\$$/.exec(pattern)?.[1] ?? pattern;
  const pieces = inner.match(/\(\?=mcp__\)|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|\.\*|[\s\S]/g);
  const out = [''];
  for (const piece of pieces ?? [])
    if (piece === '|') out.push('');
    else out.push((out.pop() ?? '') + example(piece));
  return out;
}

function example(piece: string): string {
  if (piece.startsWith('(?=')) return '';
  if (piece === '.*') return 'x';
  if (piece === '.') return '_';
  if (piece.startsWith('\\')) return piece.slice(1);
  if (!piece.startsWith('[') || piece.length === 1) return piece;
  const one = new RegExp(piece);
  return [...'abcxyzABCXYZ0189_-'].find((character) => one.test(character)) ?? '';
}
