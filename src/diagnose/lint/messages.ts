/** Messages about manifests that only authors see. */

import { listed } from '../../system/plurals.ts';
import { inLine } from '../../system/visible.ts';
import { type MessageOf, noSuchTool } from '../../system/words.ts';

type Names = readonly string[];

export type WhyNothing =
  | { readonly why: 'built-in' | 'other-server'; readonly tool: string; readonly server: string }
  | { readonly why: 'excluded'; readonly tool: string }
  | { readonly why: 'no-failure' };

interface NoSuchTool {
  readonly tool: string;
  readonly near?: string;
  readonly known?: Names;
}

const inQuotes = (text: string): string => JSON.stringify(text);

function nothing(message: WhyNothing): string {
  switch (message.why) {
    case 'built-in':
      return `${inQuotes(message.tool)} is not a tool of an MCP server, and "tool_server" asks for one of ${inQuotes(message.server)}`;
    case 'other-server':
      return `${inQuotes(message.tool)} is not a tool of ${inQuotes(message.server)}, which "tool_server" asks for`;
    case 'excluded':
      return `"exclude" leaves out all of ${inQuotes(message.tool)}`;
    case 'no-failure':
      return '"repeat" asks for calls that failed, and "failed" for others';
  }
}

export const lint = {
  'gives-orders': ({ words }: { words: string }) =>
    `${inQuotes(words)} is an order, and models are trained to distrust orders from a server; say what they can do instead`,
  /** `found`: the length of the text in that unit, including the marks of its lines. */
  'cut-by-client': (facts: {
    clients: Names;
    unit: 'characters' | 'bytes';
    limit: number;
    found: number;
  }) =>
    `the text has ${facts.found.toLocaleString('en')} ${facts.unit} with the marks of its lines, and ${listed(facts.clients)} ${facts.clients.length > 1 ? 'show' : 'shows'} the first ${facts.limit.toLocaleString('en')}`,
  'after-each-call':
    'the model reads it after every tool call; "matcher" limits it to some calls, and "once" or "cooldown" (version 2) shows it less often',
  /** `blocks`: the cost arises only if the hook blocks. */
  'costs-a-turn': ({ clients, blocks }: { clients: Names; blocks: boolean }) =>
    `it costs a turn of the model ${blocks ? 'whenever it blocks ' : ''}in ${listed(clients)}`,
  'tool-not-there': ({ tool, clients }: { tool: string; clients: Names }) =>
    `${listed(clients)} ${clients.length > 1 ? 'have' : 'has'} no tool ${inQuotes(tool)}, so the program sees no such call there`,
  'tool-of-some': ({ tool, near, clients }: { tool: string; near: string; clients: Names }) =>
    `only ${listed(clients)} ${clients.length > 1 ? 'have' : 'has'} a tool ${inQuotes(tool)}; ${inQuotes(near)} is translated for each client`,
  'matches-nothing': (message: WhyNothing) => `the hook never fires: ${nothing(message)}`,
  /** `other`: the number of an earlier hook, from 1. */
  'fires-together': 'it fires whenever hook {other} does: one text for both is shorter to read',
  'hook-repeated': 'it is the same as hook {other}',
  /** `known`: the server's tools, if none has a similar name. */
  'no-such-server-tool': ({ tool, near, known = [] }: NoSuchTool) =>
    `${noSuchTool(tool, near)}${known.length > 0 ? `; it has: ${inLine(known.join(', '), 300)}` : ''}`,
} as const;

export type LintMessage = MessageOf<typeof lint>;
