/** Hooks that are written down in a file, or in a file of a folder. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileIn, isFolder, readWrittenDown } from './manifests/read.ts';
import type { Finder } from './resolved-server.ts';

export const findManifest: Finder = async (operand, { cwd, name }) => {
  const path = resolve(cwd, operand);
  if (!looksLikePath(operand) && (!existsSync(path) || isOtherFolder(path))) return undefined;
  const declared = await readWrittenDown(path, operand, name);
  const { label, source, server } = declared;
  return { label, source, declared, ...(server && { server }) };
};

/** Whether nothing but a file or folder is meant by it, be there one or not. */
export const looksLikePath = (operand: string): boolean =>
  /^\.{0,2}\//.test(operand) ||
  /^\.\.?$/.test(operand) ||
  /\.(?:jsonc?|mcpb|dxt|tgz)$/.test(operand);

/** A folder without hooks may have the name of a server by chance. */
const isOtherFolder = (path: string): boolean => isFolder(path) && fileIn(path) === undefined;
