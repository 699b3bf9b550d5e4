/** Hooks that are written down in a file. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readManifest } from '../declaration/manifest.ts';
import type { Finder } from './target.ts';

export const findManifest: Finder = async (operand, { cwd, name }) => {
  const path = resolve(cwd, operand);
  if (!existsSync(path) && !looksLikePath(operand)) return undefined;
  const declared = await readManifest(path, operand, name);
  const { label, source, server } = declared;
  return { label, source, declared, ...(server && { server }) };
};

const looksLikePath = (source: string): boolean =>
  /^\.{0,2}\//.test(source) || /\.jsonc?$/.test(source);
