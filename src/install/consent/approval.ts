/** The declaration that a user agreed to, as it is kept next to the runner. Whatever a server says later is compared with it. */

import { basename } from 'node:path';
import type { Bound } from '../../declaration/command.ts';
import { type HookDeclaration, isExtended } from '../../declaration/declaration.ts';
import { type ServerHooks, serverSource } from '../../declaration/declared.ts';
import { readDeclarations } from '../../declaration/manifest.ts';
import { isRecord } from '../../declaration/schema.ts';
import type { ResolvedServer } from '../../sources/resolved-server.ts';
import { attempt } from '../../system/errors.ts';
import { serverDigest } from './grants.ts';

/** How the server is started or reached whose tools a declaration calls, line by line; empty if it calls none. */
export interface LaunchText {
  /** Without possible secrets. */
  readonly recorded: readonly string[];
  /** In full: shown and not kept. */
  readonly shown: readonly string[];
}

/** Puts that into words, which the command line chooses. */
export type DescribeLaunch = (declared: ServerHooks) => LaunchText;

/** If a hook has a command, this has the folder of its commands and the files that they name. */
export interface Approval extends Bound {
  /** All hooks, including those that were left out. */
  readonly hooks: readonly HookDeclaration[];
  /** What is run or asked for its tools, in words and without possible secrets. */
  readonly launch: readonly string[];
  /** The same words in full, line by line: shown and not kept. */
  readonly shown?: readonly string[];
  /** The server's mark: the words for it may be masked, or it was started in order to ask it, which may need a yes. */
  readonly server?: string;
  /** The name of the folder of its copy, which has a checksum of all that is copied; absent: there is none, or it is not known. */
  readonly copy?: string;
}

export function approvalOf(declared: ServerHooks, describe: DescribeLaunch): Approval {
  const { hooks, server, source, found, commandsFrom, commandFiles } = declared;
  const { recorded: launch, shown } = describe(declared);
  // For a server in the catalogue, the server itself has said that it declares nothing.
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

/** Undefined: it is not there, or cannot be understood. */
export function parseApproval(bytes: Buffer | null): Approval | undefined {
  const value: unknown = attempt(() => JSON.parse(bytes?.toString() ?? ''));
  if (!isRecord(value) || !Array.isArray(value.launch)) return undefined;
  const { launch, server, copy, version, commandsFrom, commandFiles } = value;
  const { declarations, problems } = readDeclarations(
    { declarations: value.hooks },
    [],
    () => [], // the user has agreed to it
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

/** Whether a server may be asked without a new yes: it starts just as when the user agreed, or it never needed a yes. */
export const isApproved = ({ consent, server }: ResolvedServer, approval: Approval | undefined) =>
  consent === undefined ||
  (server !== undefined &&
    approval?.server !== undefined &&
    approval.server === serverDigest(server));
