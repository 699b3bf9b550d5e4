/** The catalogue: hooks for widely used servers that declare none, one file per server. It is part of the package. */

import { readdirSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import * as z from 'zod/mini';
import { doubts } from '../../compile/doubts.ts';
import {
  type ServerHooks,
  type ServerLaunch,
  type Source,
  serverSource,
} from '../../declaration/declared.ts';
import { checkManifest, readManifestText } from '../../declaration/manifest.ts';
import type { Env } from '../../system/env.ts';
import { type Message, UserError } from '../../system/errors.ts';
import { memoize } from '../../system/memoize.ts';
import { CATALOGUE } from '../../system/package-files.ts';
import type { SourceMessage } from '../messages.ts';
import type { ResolvedServer } from '../resolved-server.ts';
import { isMatch, matchSchema } from './match.ts';

/** The contents of a server's file. */
export function catalogueSchema() {
  const text = z.string().check(z.minLength(1));
  return z.strictObject({
    /** What the server is, in a few words, for people. */
    server: text,
    /** What its hooks do for someone who uses the server all day, in one sentence. */
    why: text,
    match: matchSchema(),
    /** How the names of its tools were verified. */
    checked: z.strictObject({
      /**
       * `run`: a test queries the real server. `asked`: the server was started from its source on that day, and its answer is
       * in `fixtures/catalogue`. `read`: its source was read but not run, and the list in `fixtures/catalogue` comes from the
       * source. `documented`: its source is not public, and the list comes from a page that names its tools.
       */
      how: z.enum(['run', 'asked', 'read', 'documented']),
      on: z.iso.date(),
      version: text,
      source: z.url({ protocol: /^https$/ }),
    }),
    hooks: z.strictObject({
      declarations: z.array(z.looseObject({})).check(z.minLength(1), z.maxLength(3)),
    }),
  });
}

type CatalogueFile = z.infer<ReturnType<typeof catalogueSchema>>;

export interface CatalogueEntry extends CatalogueFile {
  /** The name of the file. */
  readonly name: string;
}

/** The whole catalogue, sorted by name. */
export const catalogue = memoize((): readonly CatalogueEntry[] =>
  readdirSync(CATALOGUE)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const value: CatalogueFile = JSON.parse(readFileSync(join(CATALOGUE, file), 'utf8'));
      return { ...value, name: parse(file).name };
    }),
);

/** The entry for a server that is started or reached like this. */
export const catalogueEntryFor = (launch: ServerLaunch, env: Env): CatalogueEntry | undefined =>
  catalogue().find(({ match }) => isMatch(match, launch, env));

/** Undefined if this version has no entry of that name. */
export const entryNamed = (name: string): CatalogueEntry | undefined =>
  catalogue().find((entry) => entry.name === name);

interface CatalogueOptions {
  readonly env: Env;
  /** The server is configured in a file that came with a folder. */
  readonly foreign: boolean;
}

/**
 * The catalogue's hooks for a server that declares none. Undefined if a folder's file determines by more than a command what
 * runs: that server may be anything.
 */
export function cataloguedFor(
  declared: ServerHooks,
  { env, foreign }: CatalogueOptions,
): ServerHooks | undefined {
  const { hooks, problems, unsupported = [], found, server } = declared;
  if (hooks.length > 0 || unsupported.length > 0 || found?.key !== undefined) return undefined;
  if (!server || problems.some(({ leftOut }) => leftOut)) return undefined;
  if (foreign && isSteered(server)) return undefined;
  const entry = catalogueEntryFor(server, env);
  return entry && hooksFrom(entry, declared);
}

/** Whether an entry determines what runs by more than its command: by variables, a file of variables, or a folder with code. */
const isSteered = (server: ServerLaunch): boolean =>
  Object.keys(server.configured?.steering ?? {}).length > 0 ||
  server.configured?.envFile !== undefined ||
  ('cwd' in server && server.cwd !== undefined);

/** The same for a server that could not be queried. Also undefined if the error shows that it was queried, or must not be. */
export function cataloguedUnasked(
  { label, source, server, notes, problems = [] }: ResolvedServer,
  error: unknown,
  around: CatalogueOptions,
): ServerHooks | undefined {
  if (!(error instanceof UserError) || !isUnasked(error.problem)) return undefined;
  const known = { ...(server && { server }), ...(notes && { notes }) };
  const found = cataloguedFor({ label, source, hooks: [], problems, ...known }, around);
  return found && { ...found, unasked: { why: error.problem, details: error.details } };
}

const isUnasked = ({ code }: Message): boolean => UNASKED.some((one) => one === code);

/** The server could not be started or reached, did not answer like an MCP server, or requires a sign-in. */
const UNASKED: readonly SourceMessage['code'][] = [
  'only-its-client',
  'not-filled-in',
  'server-folder-missing',
  'server-not-started',
  'server-exited',
  'server-timeout',
  'server-error',
  'server-not-mcp',
  'download-too-long',
  'address-unreached',
  'address-timeout',
  'address-status',
  'address-moved',
  'address-hung-up',
  'insecure-address',
  'sign-in-needed',
  'sign-in-needs-terminal',
  'sign-in-first',
  'sign-in-failed',
  'sign-in-refused',
  'sign-in-elsewhere',
  'sign-in-late',
  'no-redirect',
  'no-registration',
  'still-unauthorized',
];

/** The declaration for a server that has an entry. */
export function hooksFrom(
  { name, hooks }: CatalogueEntry,
  {
    label,
    server,
    notes,
    problems,
    source,
  }: Pick<ServerHooks, 'label' | 'server' | 'notes' | 'problems' | 'source'>,
): ServerHooks {
  const own: Source = { kind: 'catalogue', name, of: serverSource(source) };
  const found = checkManifest(readManifestText(JSON.stringify({ version: 2, hooks })), {
    ...{ source: own, at: [], label, name: label, doubts },
    serverStart: () => ({ ...(server && { server }) }),
  });
  return {
    ...found,
    problems: [...problems, ...found.problems],
    ...(notes && { notes }),
    ...(server && { server }),
  };
}
