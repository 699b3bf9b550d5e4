/** From what the user typed to the server that is meant: each kind of source in turn, the first that knows it. */

import { LABEL } from '../declaration/declaration.ts';
import { fileAt } from '../declaration/launch.ts';
import { UserError } from '../errors.ts';
import { messages } from '../messages.ts';
import { findManifest } from './manifest.ts';
import type { Finder, Request, Target } from './target.ts';

/** In the order in which they are asked. */
const FINDERS: readonly Finder[] = [findManifest];

/**
 * Finds the server; starts nothing and asks nobody.
 *
 * @throws UserError for a source that is not there, cannot be read or is wrong.
 */
export async function findServer(request: Request): Promise<Target> {
  const { operand, name } = request;
  if (name !== undefined && !LABEL.test(name)) throw new UserError(messages.badLabel(name));
  if (request.command.length > 0) {
    if (operand !== undefined) throw new UserError(messages.twoSources);
    return typed(request);
  }
  if (operand === undefined) throw new UserError(messages.noSource);
  for (const finder of FINDERS) {
    const target = await finder(operand, request);
    if (target) return target;
  }
  throw new UserError(messages.notYet(operand));
}

/** What stands after `--`. */
function typed({ command: words, name, cwd }: Request): Target {
  if (name === undefined) throw new UserError(messages.labelNeeded);
  // Its tools are called from wherever a session is: what names a file here has to name it there.
  const [command = '', ...args] = words.map((word) => fileAt(cwd, word));
  return { label: name, source: { kind: 'command', command, args }, server: { command, args } };
}
