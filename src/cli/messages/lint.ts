/** The words for src/diagnose/lint/messages.ts. */

import type { LintMessage, WhyNothing } from '../../diagnose/lint/messages.ts';
import { listed } from '../../system/plurals.ts';
import type { Words } from '../../system/words.ts';
import { noSuchTool } from './words.ts';

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
  'gives-orders': ({ words }) =>
    `${inQuotes(words)} is an order, and models are trained to distrust orders from a server; say what they can do instead`,
  'cut-by-client': ({ clients, unit, limit, found }) =>
    `the text has ${found.toLocaleString('en')} ${unit} with the marks of its lines, and ${listed(clients)} ${clients.length > 1 ? 'show' : 'shows'} the first ${limit.toLocaleString('en')}`,
  'costs-a-turn': ({ clients, blocks }) =>
    `it costs a turn of the model ${blocks ? 'whenever it blocks ' : ''}in ${listed(clients)}`,
  'matches-nothing': (message) => `the hook never fires: ${nothing(message)}`,
  'fires-together': ({ other }) =>
    `it fires whenever hook ${other} does: one text for both is shorter to read`,
  'hook-repeated': ({ other }) => `it is the same as hook ${other}`,
  'no-such-server-tool': ({ tool, near }) => noSuchTool(tool, near),
} satisfies Words<LintMessage>;
