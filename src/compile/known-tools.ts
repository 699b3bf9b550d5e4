/** Finds tools in a declaration that no client has, which is probably a mistake. */

import { CLIENTS } from '../clients/list.ts';
import { memoize } from '../system/memoize.ts';
import { nearest } from '../system/nearest.ts';
import { type Glob, globsOf, isLike, isLiteral, type Piece, parseGlob, piecesOf } from './glob.ts';
import { DECLARED, toolNames } from './names.ts';

/** A name or pattern that matches no tool. */
export interface MissingTool {
  readonly code: 'missing-tool';
  readonly glob: string;
  readonly why:
    | 'empty'
    /** A bracket is not closed, or its class is empty. */
    | 'bracket'
    /** The name of an MCP server without the name of a tool. */
    | 'server'
    | 'unknown';
  readonly near?: string;
}

const knownTools = memoize(() => new Set(CLIENTS.flatMap(toolNames)));

/** The alternatives of a glob that match no tool of any client and cannot match an MCP server's tool. */
export const missingTools = (glob: string): MissingTool[] =>
  parseGlob(glob).flatMap((one) => {
    const why = whyMissing(one);
    if (!why) return [];
    const [name = ''] = isLiteral(one) ? one : globsOf([one]);
    const near = why === 'server' ? undefined : meant(literals(one));
    return [{ code: 'missing-tool', glob: name, why, ...(near !== undefined && { near }) }];
  });

/** Whether no alternative matches a tool, so that a hook on it never fires. */
export const matchesNoTool = (glob: string): boolean =>
  parseGlob(glob).every((one) => whyMissing(one));

function whyMissing(one: Glob): MissingTool['why'] | undefined {
  if (one.length === 1 && one[0]?.length === 0) return 'empty';
  if (/[[\]{}]/.test(literals(one))) return 'bracket';
  if (isLiteral(one)) {
    const [name] = one;
    if (name.startsWith(MCP)) return /^mcp__.+?__./s.test(name) ? undefined : 'server';
    return knownTools().has(name) ? undefined : 'unknown';
  }
  if (mayBeMcp(one)) return undefined;
  return [...knownTools()].some((name) => isLike(name, one)) ? undefined : 'unknown';
}

const MCP = DECLARED.prefix;

/** Whether a `tool_name` can match an MCP server's tool. */
export const canBeMcp = (tool: string): boolean => parseGlob(tool).some(mayBeMcp);

const literals = (glob: Glob): string =>
  glob
    .flatMap(piecesOf)
    .filter((piece) => typeof piece === 'string')
    .join('');

/** Whether a glob can match the name of an MCP server's tool. */
function mayBeMcp([first = '', ...rest]: Glob): boolean {
  // One piece for each character.
  const single = piecesOf(first).flatMap((piece): Piece[] => {
    if (typeof piece === 'string') return [...piece];
    return typeof piece === 'number' ? Array.from({ length: piece }, () => 1) : [piece];
  });
  if (rest.length === 0 && single.length <= MCP.length) return false;
  const start = single.slice(0, MCP.length);
  return isLike(MCP.slice(0, start.length), [start]);
}

/** The tool that was probably meant, or several if `|` separates them, as in a regular expression. */
function meant(name: string): string | undefined {
  const names = name.split('|');
  if (names.length > 1 && names.every((one) => knownTools().has(one)))
    return `{${names.join(',')}}`;
  return nearest(name.replace(/[^\w.:-]/g, ''), [...knownTools()])[0];
}
