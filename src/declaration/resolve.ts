/** From what the user typed to a declaration. Addresses, packages and configured names will come in here. */

import { existsSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { UserError } from '../errors.ts';
import { messages } from '../messages.ts';
import { type Declared, LABEL } from './declaration.ts';

export interface Request {
  /** The operand: today the path of a manifest. */
  readonly source?: string;
  /** What stands after `--`: the command that starts the server. */
  readonly command: readonly string[];
  readonly name?: string;
  readonly cwd: string;
  /** Milliseconds that a server has to answer. */
  readonly deadline: number;
  readonly version: string;
}

/** Reads the declaration. Throws a UserError for a source that cannot be read or is wrong. */
export async function resolveServer(request: Request): Promise<Declared> {
  const { source, name, cwd } = request;
  const [command, ...args] = request.command;
  if (name !== undefined && !LABEL.test(name)) throw new UserError(messages.badLabel(name));
  if (source !== undefined && command !== undefined) throw new UserError(messages.twoSources);
  if (command !== undefined) {
    if (name === undefined) throw new UserError(messages.labelNeeded);
    const { askServer } = await import('./handshake.ts');
    // Its tools are called from wherever a session is: what names a file here has to name it there.
    const [file = command, ...files] = [command, ...args].map((word) => fileAt(cwd, word));
    return askServer({ ...request, label: name, command: file, args: files });
  }
  if (source === undefined) throw new UserError(messages.noSource);
  const path = resolve(cwd, source);
  if (!existsSync(path) && !looksLikePath(source)) throw new UserError(messages.notYet(source));
  const { readManifest } = await import('./manifest.ts');
  return readManifest(path, source, name);
}

/** A word that is the relative path of a file, as an absolute one; any other word as it is. */
function fileAt(cwd: string, word: string): string {
  if (isAbsolute(word) || !/[./]/.test(word)) return word;
  try {
    const path = resolve(cwd, word);
    return statSync(path).isFile() ? path : word;
  } catch {
    return word; // no path at all, or too long for one
  }
}

const looksLikePath = (source: string): boolean =>
  /^\.{0,2}\//.test(source) || /\.jsonc?$/.test(source);
