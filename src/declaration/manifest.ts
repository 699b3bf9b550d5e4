/** A manifest: a JSON or JSONC file in which a server's hooks are written down. Strict, with places. */

import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { UserError } from '../errors.ts';
import { messages } from '../messages.ts';
import {
  type Declaration,
  type Declared,
  EXTENSION,
  LABEL,
  type Problem,
  type ServerLaunch,
  type Unsupported,
} from './declaration.ts';
import { locate, readDocument } from './document.ts';
import { anchorAt } from './launch.ts';
import { beyondLimits, DEPTH, MANIFEST_BYTES } from './limits.ts';
import { checkDeclaration, checkServer, isRecord, isUnknownEvent, kind } from './schema.ts';

/**
 * Reads and checks a manifest. Throws a UserError that lists everything wrong with it.
 *
 * @param file Absolute path.
 * @param path The path as the user wrote it, for errors.
 * @param name The label, when the user chose one.
 */
export async function readManifest(file: string, path: string, name?: string): Promise<Declared> {
  const declared = parseManifest(loadManifest(file, path), file, name);
  if (declared.problems.some(({ level }) => level === 'error'))
    throw new UserError(messages.manifestRefused(path), locate(path, declared.problems));
  const { server } = declared;
  return server ? { ...declared, server: anchorAt(dirname(file), server) } : declared;
}

/**
 * Checks the text of a manifest.
 *
 * @param text JSON or JSONC.
 * @param file Absolute path it was read from: the label's last resort, and where `context_tool` looks for
 *   values that are not copied.
 * @param name The label, when the user chose one.
 * @returns The declaration; `problems` holds every error and warning with line and column.
 */
export function parseManifest(text: string, file: string, name?: string): Declared {
  const document = readDocument(text, {
    tooDeep: messages.manifestTooDeep(DEPTH),
    empty: messages.manifestEmpty,
  });
  const { value } = document;
  const found: Problem[] = [...document.problems];
  const label = name ?? basename(file, extname(file));
  const done = (
    hooks: readonly Declaration[] = [],
    server?: ServerLaunch,
    own = label,
    unsupported: readonly Unsupported[] = [],
  ): Declared => ({
    label: own,
    hooks,
    ...(server && { server }),
    source: { kind: 'manifest', path: file },
    problems: document.place(found),
    unsupported,
  });
  if (value === undefined) return done();

  const error = (message: string, path: readonly PropertyKey[]) => {
    found.push({ level: 'error', message, path });
  };
  if (!isRecord(value)) {
    error(`a manifest must be an object, not ${kind(value)}`, []);
    return done();
  }

  const own = name ?? (value.name === undefined ? label : value.name);
  if (typeof own !== 'string') error('"name" must be a string', ['name']);
  else if (!LABEL.test(own))
    error(messages.badLabel(own), value.name === own && name === undefined ? ['name'] : []);

  const form = findForm(value);
  if (!form) {
    error(messages.noDeclarations, []);
    return done();
  }
  const allowed = [...ENVELOPE, form.path[0] ?? 'declarations'];
  for (const key of Object.keys(value))
    if (!allowed.includes(key))
      error(`unknown key "${key}"; allowed: ${allowed.join(', ')}`, [key]);

  const server = 'server' in value ? checkServer(value.server, ['server']) : { problems: [] };
  found.push(...server.problems);

  const beyond = beyondLimits(form.hooks, form.path);
  if (beyond.length > 0) {
    found.push(...beyond);
    return done([], server.value);
  }
  const { declarations, problems, unsupported } = readDeclarations(form.hooks, form.path);
  found.push(...problems);
  const tool = toolIn(form.hooks);
  if (tool !== undefined && !('server' in value)) error(messages.toolNeedsServer(tool), []);
  return done(declarations, server.value, typeof own === 'string' ? own : label, unsupported);
}

/** A tool that some entry wants called, also an entry that is wrong elsewhere. */
function toolIn(hooks: unknown): string | undefined {
  const entries = isRecord(hooks) && Array.isArray(hooks.declarations) ? hooks.declarations : [];
  return entries
    .map((entry: unknown) => (isRecord(entry) ? entry.context_tool : undefined))
    .find((name) => typeof name === 'string');
}

const ENVELOPE: readonly string[] = ['$schema', 'name', 'server'];

/** Every entry of a hooks capability that is right, all that is wrong with the others, and which are for other events. */
export function readDeclarations(
  hooks: unknown,
  path: readonly PropertyKey[],
): { declarations: Declaration[]; problems: Problem[]; unsupported: Unsupported[] } {
  const problems: Problem[] = [];
  const unsupported: Unsupported[] = [];
  const declarations: Declaration[] = [];
  const error = (message: string, at: readonly PropertyKey[]) => {
    problems.push({ level: 'error', message, path: at });
  };
  if (!isRecord(hooks)) {
    error(`"hooks" must be an object with "declarations", not ${kind(hooks)}`, path);
    return { declarations, problems, unsupported };
  }
  // A bare `{ "declarations": [...] }` is the whole document: its other keys are the envelope's.
  for (const key of Object.keys(hooks))
    if (key !== 'declarations' && path.length > 0)
      error(`unknown key "${key}"; allowed: declarations`, [...path, key]);
  if (!Array.isArray(hooks.declarations)) {
    error(
      'declarations' in hooks
        ? `"declarations" must be an array, not ${kind(hooks.declarations)}`
        : '"declarations" is missing; it must be an array',
      'declarations' in hooks ? [...path, 'declarations'] : path,
    );
    return { declarations, problems, unsupported };
  }
  hooks.declarations.forEach((entry: unknown, index) => {
    const at = [...path, 'declarations', index];
    const checked = checkDeclaration(entry, at);
    problems.push(...checked.problems);
    if (checked.value) declarations.push(checked.value);
    if (isUnknownEvent(entry)) {
      const { event, context, context_tool } = entry;
      unsupported.push({
        event,
        ...(typeof context === 'string' && { context }),
        ...(typeof context_tool === 'string' && { context_tool }),
        path: at,
      });
    }
  });
  return { declarations, problems, unsupported };
}

/** The places a hooks capability may stand in, in the order in which they are believed. */
const FORMS: readonly (readonly string[])[] = [
  ['hooks'],
  [],
  ['capabilities', 'extensions', EXTENSION],
  ['capabilities', 'hooks'],
  ['capabilities', 'experimental', 'hooks'],
  ['experimental', 'hooks'],
];

interface Form {
  readonly path: readonly string[];
  readonly hooks: unknown;
}

/** Where in a manifest, or in a server's capabilities wrapped as one, the hooks are. */
export const findForm = (document: Record<string, unknown>): Form | undefined =>
  formsIn(document)[0];

/** All the places that hold hooks; the first is the one that counts. */
export function formsIn(document: Record<string, unknown>): Form[] {
  const found = FORMS.flatMap((path) => {
    let here: unknown = document;
    for (const key of path) here = isRecord(here) ? here[key] : undefined;
    const bare = path.length === 0 && !('declarations' in document);
    return bare || here === undefined ? [] : [{ path, hooks: here }];
  });
  // An empty object may only say that the extension is known.
  const declares = ({ hooks }: Form) => isRecord(hooks) && 'declarations' in hooks;
  return [...found.filter(declares), ...found.filter((form) => !declares(form))];
}

/** The text of a manifest; a UserError when there is none or it is too large. */
export function loadManifest(file: string, path: string): string {
  try {
    const found = statSync(file);
    if (!found.isFile() && !found.isDirectory()) throw new UserError(messages.noFile(path));
    const { size } = found;
    if (size > MANIFEST_BYTES)
      throw new UserError(messages.manifestTooLarge(path, size, MANIFEST_BYTES));
    const bytes = readFileSync(file);
    const text = bytes.toString('utf8');
    if (!Buffer.from(text).equals(bytes)) throw new UserError(messages.notUtf8(path));
    return text;
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(messages.cannotRead(path, error));
  }
}
