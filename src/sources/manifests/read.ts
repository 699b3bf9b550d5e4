/** Reads hooks from files: from a manifest, or from a file with other contents as well. */

import { existsSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { homeIn } from '../../clients/places.ts';
import { doubts } from '../../compile/doubts.ts';
import type { CommandFolder } from '../../declaration/command.ts';
import { isLabel } from '../../declaration/declaration.ts';
import type {
  KeyPath,
  Problem,
  ServerHooks,
  ServerLaunch,
  Source,
} from '../../declaration/declared.ts';
import { type Document, locate } from '../../declaration/document.ts';
import {
  checkManifest,
  type Doubts,
  readManifestText,
  type ServerStart,
  type Surroundings,
} from '../../declaration/manifest.ts';
import type { DeclarationMessage } from '../../declaration/messages.ts';
import { isRecord } from '../../declaration/schema.ts';
import { said, UserError } from '../../system/errors.ts';
import { anchorAt, startedAt } from '../launch.ts';
import { SourceError, type SourceMessage } from '../messages.ts';
import type { Finder, Request, ResolvedServer } from '../resolved-server.ts';
import { isArchive, isPackage, openArchive } from './archive.ts';
import { bundle } from './bundle.ts';
import { commandFolder } from './command-files.ts';
import {
  type ByConvention,
  baseCoat,
  type Convention,
  commandList,
  readByConvention,
} from './convention.ts';
import type { FileLocation, Kind } from './kind.ts';
import { loadManifest } from './load.ts';
import { nameOf, packageIn, packageJson } from './package-json.ts';
import { registry } from './registry.ts';

/**
 * The kinds of files that contain a manifest. The first kind that recognises a file is used. A file of no kind is itself a
 * manifest.
 */
const KINDS: readonly Kind[] = [packageJson, bundle, registry];

/** The file names of a separate manifest in a folder. */
export const IN_FOLDER = ['mcp-hooks.json', 'mcp-hooks.jsonc'];

/** The files of a folder that may contain hooks, most trusted first. */
const LOOKED = [...IN_FOLDER, 'package.json', 'manifest.json', 'server.json'];

/** Other conventions, whose files are not manifests. */
const CONVENTIONS: readonly Convention[] = [baseCoat, commandList];

export const findManifest: Finder = async (operand, request) => {
  const path = resolve(request.cwd, operand);
  if (!looksLikePath(operand) && (!existsSync(path) || isOtherFolder(path))) return undefined;
  const written = await checkManifestFile(path, operand, request.name);
  const declared = accept(await withServer(written, request));
  return fromManifest(startedAt(declared, homeIn(request.env)));
};

/** For a file that only names the server of its tools: adds how the configured server is started. */
async function withServer(written: FoundManifest, request: Request): Promise<FoundManifest> {
  const { declared, shown, named: name } = written;
  if (name === undefined) return written;
  const { findConfigured } = await import('../configured.ts');
  // Searched under its own name, regardless of its label. Installs are not searched.
  const { name: _, installed: __, ...around } = request;
  try {
    const { server, notes = [] } = (await findConfigured(name, around)) ?? {};
    return {
      shown,
      declared: {
        ...declared,
        ...(server && { server }),
        notes: [...(declared.notes ?? []), ...notes],
      },
    };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const { code } = error.problem;
    if (code !== 'not-configured' && code !== 'several-servers') throw error;
    throw new SourceError(
      { code: code === 'not-configured' ? 'tools-server-unknown' : 'tools-server-unclear', name },
      [{ code: 'write-server-start', path: shown, name }],
    );
  }
}

/** The server does not have to be queried. */
export const fromManifest = (declared: ServerHooks): ResolvedServer => {
  const { label, source, server } = declared;
  return { label, source, declared, server };
};

/** Whether the operand can only mean a file or folder, existing or not. */
export const looksLikePath = (operand: string): boolean =>
  /^\.{0,2}\//.test(operand) ||
  /^\.\.?$/.test(operand) ||
  /\.(?:jsonc?|mcpb|dxt|tgz)$/.test(operand);

/** A folder without hooks may have the name of a server by chance. */
const isOtherFolder = (path: string): boolean => isFolder(path) && fileIn(path) === undefined;

export interface FoundManifest {
  readonly declared: ServerHooks;
  /** The path of the file that contains the hooks, for errors. */
  readonly shown: string;
  /** As in `ByConvention`. */
  readonly named?: string;
  readonly several?: readonly string[];
}

/**
 * @throws UserError that lists all problems. `path`: absolute, of a file or a folder. `shown`: the path as the user typed it.
 */
export const readManifestFile = async (path: string, shown: string, name?: string) =>
  accept(await checkManifestFile(path, shown, name));

/**
 * The same for callers that show the problems. Throws only if nothing can be read at all.
 *
 * @param own Checks for each hook. By default, the checks for users.
 */
export async function checkManifestFile(
  path: string,
  shown: string,
  name?: string,
  own?: Doubts,
): Promise<FoundManifest> {
  const found = isFolder(path) ? fileIn(path) : '';
  if (found === undefined)
    throw new SourceError({ code: 'folder-without-hooks', folder: shown, looked: LOOKED });
  const file = join(path, found);
  const source: Source = { kind: 'manifest', path: file };
  if (isPackage(file) && existsSync(file))
    throw new SourceError({ code: 'packed-package', path: shown }, [
      { code: 'unpack-it', path: shown },
    ]);
  if (isArchive(file)) {
    const archive = await openArchive(file, shown);
    const where = { packed: archive.has };
    return checkManifestText({
      ...archive,
      file: 'manifest.json',
      kind: bundle,
      source,
      where,
      name,
      doubts: own,
    });
  }
  const inside = found === '' ? shown : join(shown, found);
  const text = loadManifest(file, inside);
  const where = { folder: dirname(file) };
  const isNamed = found === '' || IN_FOLDER.includes(found);
  return checkManifestText({
    text,
    shown: inside,
    file,
    source,
    where,
    name,
    isNamed,
    doubts: own,
  });
}

export function accept({ declared, shown, named, several }: FoundManifest): ServerHooks {
  if (declared.problems.some(({ level }) => level === 'error'))
    throw new UserError<DeclarationMessage>(
      { code: 'manifest-refused', path: shown },
      locate(shown, declared.problems),
    );
  const [first] = several ?? [];
  if (several && first !== undefined)
    throw new SourceError({ code: 'servers-in-file', path: shown, names: several }, [
      { code: 'choose-by-name', path: shown, name: first },
    ]);
  return named === undefined ? declared : withoutTools(declared, named);
}

/** Leaves out the hooks with tools, because their server was not looked up. */
function withoutTools(declared: ServerHooks, name: string): ServerHooks {
  const why = said<SourceMessage>({ code: 'server-start-missing', name });
  const left = declared.hooks.flatMap(({ context_tool: tool }): Problem[] => {
    const message = tool === undefined ? undefined : { code: 'tool-left-out', tool, why };
    return message ? [{ level: 'warning', message, path: [], leftOut: true }] : [];
  });
  return {
    ...declared,
    hooks: declared.hooks.filter(({ context_tool }) => context_tool === undefined),
    problems: [...declared.problems, ...left],
  };
}

interface ManifestText {
  readonly text: string;
  readonly shown: string;
  /** The path, or the name in an archive. */
  readonly file: string;
  readonly source: Source;
  readonly where: FileLocation;
  /** Absent if the kind is recognised by the contents. */
  readonly kind?: Kind;
  readonly name?: string | undefined;
  /** The user named its path, or its folder if the file has a default name for manifests. */
  readonly isNamed?: boolean;
  /** As `own` of `checkManifestFile`. */
  readonly doubts?: Doubts | undefined;
  /** The server's name and start, if they follow from the file's location. Otherwise, the file itself provides them. */
  readonly known?: { readonly label: string; readonly serverStart?: () => ServerStart };
}

/** Checks the text of a file of any kind. A manifest's references to files are relative to its folder. */
export function checkManifestText(written: ManifestText): FoundManifest {
  const { shown, where } = written;
  const { declared, ...rest } = checkText(written, readManifestText(written.text));
  const { server } = declared;
  if (!server || !('folder' in where)) return { ...rest, declared, shown };
  return { ...rest, declared: { ...declared, server: anchorAt(where.folder, server) }, shown };
}

function checkText(written: ManifestText, document: Document): ByConvention {
  const { file, source, where, name, known } = written;
  const contents = isRecord(document.value) ? document.value : undefined;
  const kind = written.kind ?? KINDS.find((one) => contents && one.is(contents, file));
  const objection = 'packed' in where ? objectionTo(where.packed) : undefined;
  const around = { source, doubts: written.doubts ?? doubts, name, objection };
  if (!kind || !contents) {
    const plain = { ...around, ...(known ?? besidePlain(file)), commandsFrom: folderOf(written) };
    const convention = CONVENTIONS.find((one) => one.is(document.value));
    return convention
      ? readByConvention(document, convention, plain)
      : { declared: checkManifest(document, { ...plain, at: [] }) };
  }

  const own = kind.name(contents);
  const label = own ?? '';
  const found = kind.find(contents);
  if ('code' in found) {
    const problems = document.place([{ level: 'error', message: found, path: [] }]);
    return { declared: { label: name ?? label, hooks: [], source, problems } };
  }
  const onTheWay = document.problems.filter(({ path }) => meet(path, found.at));
  const problems = [...onTheWay, ...(found.problems ?? [])];
  const declared = checkManifest(
    { ...document, problems },
    {
      ...around,
      at: found.at,
      foreign: found.foreign,
      label,
      ...(own !== undefined && { labelAt: ['name'] }),
      serverStart: () => kind.serverStart(contents, where),
      ...known,
    },
  );
  return { declared };
}

/** The folder of a manifest that the user named. Commands are not taken from any other manifest. */
const folderOf = ({ where, isNamed }: ManifestText): CommandFolder | undefined =>
  'folder' in where && isNamed ? commandFolder(where.folder) : undefined;

/** Why a server in an archive cannot be used: its files are not on disk, and its values could not be read again. */
const objectionTo =
  (packed: (path: string) => boolean) =>
  (server: ServerLaunch): SourceMessage | undefined => {
    const values = 'url' in server ? server.headers : server.env;
    if (Object.keys(values ?? {}).length > 0) return { code: 'values-in-package' };
    const words = 'url' in server ? [] : [server.command, ...(server.args ?? [])];
    const inside = words.some((word) => /^\.\.?[\\/]/.test(word) || packed(word));
    return inside ? { code: 'not-on-disk' } : undefined;
  };

const meet = (one: KeyPath, other: KeyPath): boolean =>
  one.every((key, index) => index >= other.length || other[index] === key);

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** The file of a folder that contains hooks. An unreadable file counts, so that the error gives the reason. */
function fileIn(folder: string): string | undefined {
  return LOOKED.find((name) => {
    const file = join(folder, name);
    if (!existsSync(file)) return false;
    if (IN_FOLDER.includes(name)) return true;
    const { value } = readManifestText(loadManifest(file, file));
    if (!isRecord(value)) return true;
    const kind = KINDS.find((one) => one.is(value, basename(file)));
    return kind !== undefined && 'at' in kind.find(value);
  });
}

/**
 * The manifest of an npm package, read from its installation folder as it would be read from npm. Paths relative to that folder
 * are not used, because the folder may be a cache.
 *
 * @param path The absolute path of the manifest, next to a package.json. `shown`: as given.
 */
export function readOfPackage(path: string, shown: string, name?: string): ServerHooks {
  const [folder, file] = [dirname(path), basename(path)];
  const text = loadManifest(path, shown);
  const spec = packageIn(folder)?.name;
  if (typeof spec !== 'string') throw new SourceError({ code: 'package-unnamed', folder });
  const written = checkManifestText({
    text,
    shown,
    file,
    source: { kind: 'npm', spec },
    where: { packed: (inside) => existsSync(join(folder, inside)) },
    name,
    known: { label: nameOf({ name: spec }) ?? spec },
  });
  return accept(written);
}

/** Checks the text of a separate manifest file at an absolute path. */
export const parseManifest = (text: string, file: string, name?: string): ServerHooks =>
  checkManifest(readManifestText(text), {
    source: { kind: 'manifest', path: file },
    at: [],
    commandsFrom: commandFolder(dirname(file)),
    label: basename(file, extname(file)),
    ...(name !== undefined && { name }),
    doubts,
  });

/** A manifest with a default name does not name its server, but a package.json next to it may. */
function besidePlain(file: string): Pick<Surroundings, 'label' | 'serverStart'> {
  const label = basename(file, extname(file));
  if (!IN_FOLDER.includes(basename(file))) return { label };
  const folder = dirname(file);
  const contents = packageIn(folder);
  const names = [contents && nameOf(contents), basename(folder)];
  return {
    label: names.find((name) => name !== undefined && isLabel(name)) ?? label,
    ...(contents && { serverStart: () => packageJson.serverStart(contents, { folder }) }),
  };
}
