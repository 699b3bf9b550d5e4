/**
 * The declaration that the user agreed to, stored next to the runner. Later declarations of the server are compared with it.
 */

import { basename } from 'node:path';
import type { Bound } from '../../declaration/command.ts';
import { type HookDeclaration, isExtended } from '../../declaration/declaration.ts';
import { type ServerHooks, serverSource } from '../../declaration/declared.ts';
import { readDeclarations } from '../../declaration/manifest.ts';
import { isRecord } from '../../declaration/schema.ts';
import type { ResolvedServer } from '../../sources/resolved-server.ts';
import { attempt } from '../../system/errors.ts';
import { serverDigest } from './grants.ts';

/**
 * How the server whose tools a declaration calls is started or reached, line by line. Empty if the declaration calls no tools.
 */
interface LaunchText {
  /** Without possible secrets. */
  readonly recorded: readonly string[];
  /** In full: shown to the user, but not stored. */
  readonly shown: readonly string[];
}

/** Describes the launch. The command line supplies this function. */
export type DescribeLaunch = (declared: ServerHooks) => LaunchText;

/** For hooks with a command, this includes the folder of the commands and the files that they name. */
export interface Approval extends Bound {
  /** All hooks, including those that were left out. */
  readonly hooks: readonly HookDeclaration[];
  /** What is started or queried for the tools, in words and without possible secrets. */
  readonly launch: readonly string[];
  /** The same words in full, line by line: shown to the user, but not stored. */
  readonly shown?: readonly string[];
  /**
   * The server's mark. The words for the server may be masked, or the server was started in order to query it, which may need
   * consent.
   */
  readonly server?: string;
  /**
   * The folder name of the package copy, which includes a checksum of all copied files. Absent if there is no copy, or if it is
   * unknown.
   */
  readonly copy?: string;
}

export function approvalOf(declared: ServerHooks, describe: DescribeLaunch): Approval {
  const { hooks, server, source, found, commandsFrom, commandFiles } = declared;
  const { recorded: launch, shown } = describe(declared);
  // For a server in the catalogue, the server itself has reported that it declares nothing.
  const { kind } = serverSource(source);
  const isAsked = found !== undefined || source.kind === 'catalogue';
  const wasAsked = isAsked && (kind === 'npm' || kind === 'configured');
  const isMarked = launch.length > 0 || wasAsked;
  return {
    hooks,
    launch,
    shown,
    ...(server && isMarked && { server: serverDigest(server) }),
    ...(server?.copy && launch.length > 0 && { copy: basename(server.copy.folder) }),
    ...(commandFiles && { commandsFrom, commandFiles }),
  };
}

export function writeApproval(declared: ServerHooks, describe: DescribeLaunch): Buffer {
  const { shown: _, ...kept } = approvalOf(declared, describe);
  const version = kept.hooks.some(isExtended) ? { version: 2 } : {};
  return Buffer.from(`${JSON.stringify({ ...version, ...kept }, null, 1)}\n`);
}

/** Undefined if there is no stored approval, or if it cannot be understood. */
export function parseApproval(bytes: Buffer | null): Approval | undefined {
  const value: unknown = attempt(() => JSON.parse(bytes?.toString() ?? ''));
  if (!isRecord(value) || !Array.isArray(value.launch)) return undefined;
  const { launch, server, copy, version, commandsFrom, commandFiles } = value;
  const { declarations, problems } = readDeclarations(
    { declarations: value.hooks },
    [],
    () => [], // the user already agreed to these
    [],
    { version: version === 2 ? version : undefined, commandsFrom: null },
  );
  if (problems.some(({ level }) => level === 'error')) return undefined;
  return {
    hooks: declarations,
    launch: launch.map(String),
    ...(typeof server === 'string' && { server }),
    ...(typeof copy === 'string' && { copy }),
    ...(typeof commandsFrom === 'string' &&
      isHashes(commandFiles) && { commandsFrom, commandFiles }),
  };
}

const isHashes = (value: unknown): value is Record<string, string> =>
  isRecord(value) && Object.values(value).every((one) => typeof one === 'string');

/**
 * Whether a server may be queried without asking the user again: it starts exactly as when the user agreed, or it never needed
 * consent.
 */
export const isApproved = ({ consent, server }: ResolvedServer, approval: Approval | undefined) =>
  consent === undefined ||
  (server !== undefined &&
    approval?.server !== undefined &&
    approval.server === serverDigest(server));
