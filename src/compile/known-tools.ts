/** What a declaration names by mistake: tools that no client has. */

import { CLIENTS } from '../clients/index.ts';
import { lazily } from '../lazily.ts';
import { nearest } from '../nearest.ts';
import { anchored, escapeRegex, type Glob, parseGlob, toRegex } from './glob.ts';
import { globsOf } from './unglob.ts';

/** A name, or a pattern of names, that no tool has. */
export interface MissingTool {
  /** One alternative of the glob. */
  readonly glob: string;
  readonly why:
    | 'empty'
    /** A bracket is not closed, or there is nothing to choose from. */
    | 'bracket'
    /** The name of an MCP server without that of a tool. */
    | 'server'
    | 'unknown';
  /** What was probably meant. */
  readonly near?: string;
}

/** Every name under which a client has a tool of its own, and those of SEP-2282. */
const knownTools = lazily(
  () =>
    new Set(
      CLIENTS.flatMap(({ tools, otherTools }) => [
        ...Object.keys(tools),
        ...Object.values(tools),
        ...otherTools,
      ]),
    ),
);

/** The alternatives of a glob that match no tool of any client and can match no tool of an MCP server. */
export const missingTools = (glob: string): MissingTool[] =>
  parseGlob(glob).flatMap((one) => {
    const why = whyMissing(one);
    if (!why) return [];
    const name = one.literal ? one.prefix : (globsOf(toRegex(one))[0] ?? '');
    const near = why === 'server' ? undefined : meant(literals(one));
    return [{ glob: name, why, ...(near !== undefined && { near }) }];
  });

/** Whether no alternative matches a tool: a hook on this never fires. */
export const matchesNoTool = (glob: string): boolean =>
  parseGlob(glob).every((one) => whyMissing(one));

function whyMissing(one: Glob): MissingTool['why'] | undefined {
  const { literal, prefix, pieces } = one;
  if (pieces.length === 0) return 'empty';
  if (/[[\]{}]/.test(literals(one))) return 'bracket';
  if (literal && prefix.startsWith(MCP)) return /^mcp__.+?__./s.test(prefix) ? undefined : 'server';
  if (literal) return knownTools().has(prefix) ? undefined : 'unknown';
  if (mayBeMcp(one)) return undefined;
  const pattern = new RegExp(anchored([toRegex(one)]));
  return [...knownTools()].some((name) => pattern.test(name)) ? undefined : 'unknown';
}

const MCP = 'mcp__';

const literals = ({ pieces }: Glob): string =>
  pieces.map((piece) => ('literal' in piece ? piece.literal : '')).join('');

/** Whether the name of a tool of an MCP server can fit. */
function mayBeMcp({ pieces }: Glob): boolean {
  const characters = pieces.flatMap((piece) =>
    'wild' in piece ? [piece.wild] : [...piece.literal].map(escapeRegex),
  );
  const star = characters.indexOf('.*');
  if (star === -1 && characters.length <= MCP.length) return false;
  const start = (star === -1 ? characters : characters.slice(0, star)).slice(0, MCP.length);
  return new RegExp(anchored([start.join('')])).test(MCP.slice(0, start.length));
}

/** The tool that was probably meant, or the tools: a regular expression has `|` between them. */
function meant(name: string): string | undefined {
  const names = name.split('|');
  if (names.length > 1 && names.every((one) => knownTools().has(one)))
    return `{${names.join(',')}}`;
  return nearest(name.replace(/[^\w.:-]/g, ''), [...knownTools()])[0];
}
