/** From what the user typed to a declaration. Addresses, packages and configured names will come in here. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UserError } from '../errors.ts';
import { messages } from '../messages.ts';
import { type Declared, LABEL } from './declaration.ts';
import { askServer } from './handshake.ts';
import { fileAt } from './launch.ts';
import { readManifest } from './manifest.ts';

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
    // Its tools are called from wherever a session is: what names a file here has to name it there.
    const [file = command, ...files] = [command, ...args].map((word) => fileAt(cwd, word));
    return askServer({ ...request, label: name, command: file, args: files });
  }
  if (source === undefined) throw new UserError(messages.noSource);
  const path = resolve(cwd, source);
  if (!existsSync(path) && !looksLikePath(source)) throw new UserError(messages.notYet(source));
  return readManifest(path, source, name);
}

const looksLikePath = (source: string): boolean =>
  /^\.{0,2}\//.test(source) || /\.jsonc?$/.test(source);
