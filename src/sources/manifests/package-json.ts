/**
 * A package.json with `"mcpHooks"`: a complete manifest.
 *
 * Source: https://docs.npmjs.com/cli/configuring-npm/package-json (`bin`); npm ignores unknown keys.
 */

import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { basename, extname, join, relative, resolve, sep } from 'node:path';
import { readManifestText, type ServerStart } from '../../declaration/manifest.ts';
import { isRecord } from '../../declaration/schema.ts';
import { attempt } from '../../system/errors.ts';
import { isRegular } from '../../system/regular-file.ts';
import type { SourceMessage } from '../messages.ts';
import type { Contents, Kind } from './kind.ts';
import { loadManifest } from './load.ts';

export const packageJson: Kind = {
  is: (_, file) => basename(file) === 'package.json',
  find: (contents) => ('mcpHooks' in contents ? { at: ['mcpHooks'] } : { code: 'package-without' }),
  name: (contents) => nameOf(contents),
  serverStart: (contents, where) =>
    'folder' in where ? fromFolder(contents, where.folder) : { reason: { code: 'bundle-packed' } },
};

/** The package.json of a folder, if it exists and can be parsed. The user did not name it, so its contents are unchecked. */
export function packageIn(folder: string): Contents | undefined {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return undefined;
  const value = attempt(() => readManifestText(loadManifest(file, file)).value);
  return isRecord(value) ? value : undefined;
}

export const nameOf = ({ name }: Contents): string | undefined =>
  typeof name === 'string' ? name.replace(/^@[^/]*\//, '') : undefined;

/** The command of a package: its only one, or the one with the package's name, as npx chooses. */
export function commandOfPackage(
  contents: Contents,
): { readonly path: string } | { readonly why: SourceMessage } {
  const name = nameOf(contents) ?? '';
  const all = commandsOf(contents, name);
  if (all.size === 0) return { why: { code: 'no-bin' } };
  const path = all.get(name) ?? onlyOne(all);
  return path === undefined ? { why: { code: 'several-bins', names: [...all.keys()] } } : { path };
}

/** The files of a package's commands by name. An unnamed command has the package's name. */
export function commandsOf({ bin }: Contents, own: string): Map<string, string> {
  const named = typeof bin === 'string' ? { [own]: bin } : isRecord(bin) ? bin : {};
  const isPath = (entry: [string, unknown]): entry is [string, string] =>
    typeof entry[1] === 'string';
  return new Map(Object.entries(named).filter(isPath));
}

export function onlyOne(commands: ReadonlyMap<string, string>): string | undefined {
  const [file, ...more] = new Set(commands.values());
  return more.length === 0 ? file : undefined;
}

/** The package is on disk, so its command is a file for node, and no registry is queried. */
function fromFolder(contents: Contents, folder: string): ServerStart<SourceMessage> {
  const command = commandOfPackage(contents);
  if ('why' in command) return { reason: command.why };
  const file = resolve(folder, command.path);
  if (relative(folder, file).split(sep)[0] === '..')
    return { reason: { code: 'bin-outside', path: command.path } };
  if (!isRegular(file)) return { reason: { code: 'bin-missing', path: file } };
  if (!isForNode(file)) return { reason: { code: 'bin-not-for-node', path: file } };
  return { server: { command: 'node', args: [file] } };
}

/** Libraries for MCP servers. */
const MADE_WITH = /^(?:@modelcontextprotocol\/(?:sdk|server)|fastmcp|mcp-framework|xmcp)$/;

/** How to start the server in a folder's package. Undefined if there is no server, or none that node starts. */
export function packageStart(
  folder: string,
):
  | { readonly name?: string; readonly command: string; readonly args: readonly string[] }
  | undefined {
  const contents = packageIn(folder);
  if (!contents) return undefined;
  const { dependencies } = contents;
  const uses = isRecord(dependencies) ? Object.keys(dependencies) : [];
  if (!uses.some((one) => MADE_WITH.test(one))) return undefined;
  const { server } = fromFolder(contents, folder);
  if (!server || 'url' in server) return undefined;
  const name = nameOf(contents);
  return { ...(name !== undefined && { name }), command: server.command, args: server.args ?? [] };
}

/** Whether a file is for node, judged by its name or its first line. */
export function isForNode(file: string): boolean {
  if (['.js', '.cjs', '.mjs'].includes(extname(file))) return true;
  const opened = openSync(file, 'r');
  try {
    const start = Buffer.alloc(200);
    const [line = ''] = start.toString('latin1', 0, readSync(opened, start)).split('\n');
    return /^#!.*\bnode\b/.test(line);
  } finally {
    closeSync(opened);
  }
}
