/** Finds the server that the user means. The first kind of source that recognises the words is used. */

import { dirname } from 'node:path';
import type { ClientMessage } from '../clients/messages.ts';
import { asKept, homeIn } from '../clients/places.ts';
import { CLIENTS } from '../clients/registry.ts';
import { mayRefer, valuesMark, variablesNamed } from '../compile/steering.ts';
import { isLabel } from '../declaration/declaration.ts';
import type { ServerLaunch, Source } from '../declaration/declared.ts';
import type { DeclarationMessage } from '../declaration/messages.ts';
import { hasUser } from '../declaration/schema.ts';
import { UserError } from '../system/errors.ts';
import { isInside } from '../system/files.ts';
import { inLine } from '../system/visible.ts';
import { environmentIn, folderAgreed, type Here } from './folder.ts';
import { withHeaders } from './headers.ts';
import { fileAt } from './launch.ts';
import { manifestOfFolder, refuseStrange } from './manifests/of-folder.ts';
import { findManifest } from './manifests/read.ts';
import { SourceError } from './messages.ts';
import { findNpm } from './npm/npm.ts';
import { decidingWords } from './redacted.ts';
import type { Finder, Request, ResolvedServer } from './resolved-server.ts';

/** Tried last, and loaded only then: it knows more clients than we install into. */
const findConfigured: Finder = async (operand, request) =>
  (await import('./configured.ts')).findConfigured(operand, request);

const FINDERS: readonly Finder[] = [findManifest, findAddress, findNpm, findConfigured];

/** Does not start the server. @throws UserError for a source that does not exist, cannot be read or is invalid. */
export async function findServer(request: Request): Promise<ResolvedServer> {
  const { operand, name } = request;
  if (name !== undefined && !isLabel(name))
    throw new UserError<DeclarationMessage>({ code: 'bad-label', label: name });
  if (request.command.length > 0) {
    if (operand !== undefined) throw new SourceError({ code: 'two-sources' });
    return bound(withHeaders(typed(request), request), request);
  }
  // An unset shell variable leaves an empty word, which must not mean the current folder.
  if (!operand?.trim()) throw new SourceError({ code: 'no-source' });
  for (const finder of request.from === undefined ? FINDERS : [findConfigured]) {
    const target = await finder(operand, request);
    if (target) return bound(withHeaders(target, request), request);
  }
  const origin = request.installed?.(operand);
  if (origin) return findAgain(origin, name ?? operand, request);
  throw new SourceError({ code: 'unknown-source', source: operand });
}

/**
 * Finds the manifest of the current folder, for a command without a server. If it is installed for the user, its hooks run only
 * in its folder, and it replaces nothing: if its name is taken, a number is appended.
 *
 * @param labelOf The label under which a source is installed.
 */
export async function findOfFolder(
  request: Request,
  { limited, labelOf }: { limited: boolean; labelOf: (source: Source) => string | undefined },
): Promise<ResolvedServer> {
  const { cwd, env, installed } = request;
  const path = manifestOfFolder(cwd, { above: limited });
  if (path === undefined)
    throw new SourceError({ code: 'no-source' }, [{ code: 'no-team-manifest', above: limited }]);
  const onlyIn = limited ? dirname(path) : undefined;
  const home = asKept(homeIn(env) ?? '');
  if (onlyIn !== undefined && (onlyIn === home || isInside(home, onlyIn)))
    throw new UserError<ClientMessage>({ code: 'home-is-no-project' });
  const find = async (name: string | undefined) =>
    forFolder(await findServer({ ...request, operand: path, name, installed: undefined }), onlyIn);
  const known = request.name ?? labelOf({ kind: 'manifest', path });
  const found = await find(known);
  if (known !== undefined || !limited || !installed?.(found.label)) return found;
  const numbered = (number: number) => `${found.label.slice(0, LONGEST)}-${number}`;
  let number = 2;
  while (installed(numbered(number))) number += 1;
  return find(numbered(number));
}

/** Maximum length of a label before a number is appended. */
const LONGEST = 58;

const forFolder = (target: ResolvedServer, onlyIn: string | undefined): ResolvedServer => {
  const { declared, source } = target;
  if (onlyIn === undefined || source.kind !== 'manifest' || !declared) return target;
  const own = { ...source, onlyIn };
  return { ...target, source: own, declared: { ...declared, source: own } };
};

/** Binds the values of the user's variables in words that determine what runs. */
export function bound(target: ResolvedServer, here: Here): ResolvedServer {
  const { server, declared } = target;
  const decided = server && decidedBy(server, here);
  if (!decided) return target;
  return {
    ...target,
    server: decided,
    ...(declared && { declared: { ...declared, server: decided } }),
  };
}

/** Variables that a client sets for its hooks, which are not the user's. */
const OF_CLIENTS = CLIENTS.flatMap(({ givenToServers: { expansion } }) => expansion?.except ?? []);

function decidedBy(server: ServerLaunch, { env, cwd }: Here): ServerLaunch | undefined {
  if ('url' in server) return undefined;
  const words = decidingWords([server.command, ...(server.args ?? [])]);
  const named = words.filter(mayRefer).flatMap(variablesNamed);
  const names = [...new Set(named)].filter(
    (name) => !OF_CLIENTS.some((pattern) => new RegExp(pattern).test(name)),
  );
  const mark = valuesMark(names, environmentIn(cwd, env));
  return mark === undefined ? undefined : { ...server, deciding: { names, mark } };
}

/** Finds a server at its recorded source. @throws UserError as `findServer` does. */
export async function findAgain(
  source: Source,
  name: string,
  { cwd, env, deadline, headers }: Pick<Request, 'cwd' | 'env' | 'deadline' | 'headers'>,
): Promise<ResolvedServer> {
  // Without the rest of the request, because the search would reach the install again.
  const around = { cwd, env, deadline, headers };
  if (source.kind === 'catalogue') return findAgain(source.of, name, around);
  const find = (operand: string, more?: Partial<Request>) =>
    findServer({ ...around, command: [], name, operand, ...more });
  if (source.kind === 'manifest') {
    if (source.onlyIn !== undefined) refuseStrange(source.path);
    return forFolder(await find(source.path), source.onlyIn);
  }
  if (source.kind === 'url') return find(source.url, { knownHeaders: source.headers });
  if (source.kind === 'npm') return find(`npm:${source.spec}`);
  if (source.kind === 'configured') {
    const { client: from, file, path } = source;
    return find(source.name, { from, place: { file, path } });
  }
  const there = { env, cwd: folderAgreed(source.cwd, around) };
  return bound(withHeaders(started(source, name, there), around), there);
}

function typed({ command: words, name, cwd, env }: Request): ResolvedServer {
  if (name === undefined) throw new SourceError({ code: 'label-needed' });
  // Tools are called from the folder of each session, so words that name a file here need its full path.
  const [command = '', ...args] = words.map((word) => fileAt(cwd, word));
  return started({ kind: 'command', command, args, cwd }, name, { cwd, env });
}

type Typed = Extract<Source, { kind: 'command' }>;

function started(source: Typed, label: string, { cwd, env }: Here): ResolvedServer {
  const { command, args } = source;
  const launch = () => ({ command, args, cwd, env: environmentIn(cwd, env) });
  return { label, source, server: { command, args }, launch };
}

async function findAddress(
  operand: string,
  { name }: Request,
): Promise<ResolvedServer | undefined> {
  const isWeb = /^https?:/i.test(operand);
  if (!isWeb && !/^[a-z][a-z0-9+.-]+:\/\//i.test(operand)) return undefined;
  if (!isWeb || !URL.canParse(operand))
    throw new SourceError({ code: 'no-address', text: inLine(operand, 200) });
  const { host, hostname, origin } = new URL(operand);
  if (hasUser(operand)) throw new SourceError({ code: 'address-with-user', name: origin });
  const proposed = labelOfHost(hostname);
  const label = name ?? proposed;
  if (label === undefined) throw new SourceError({ code: 'address-needs-label', host });
  return {
    label,
    source: { kind: 'url', url: operand },
    server: { url: operand },
    launch: () => ({ url: operand, headers: {} }),
    ...(name === undefined && { notes: [{ code: 'called-after-host', label, host }] }),
  };
}

/** Names that describe the purpose of a host and not its owner. */
const GENERIC: readonly string[] = ['www', 'mcp', 'api', 'app', 'server', 'remote', 'sse'];

/** Second-level domains under which some countries register names: `example.co.uk`. */
const SHARED: readonly string[] = ['co', 'com', 'org', 'net', 'ac', 'gov'];

/** `mcp.linear.app` gets the label linear. Undefined if a host has no name of its own. */
function labelOfHost(hostname: string): string | undefined {
  const parts = hostname.split('.');
  if (parts.length < 2 || /^[\d.]+$/.test(hostname)) return undefined;
  parts.pop();
  if (parts.length > 1 && SHARED.includes(parts.at(-1) ?? '')) parts.pop();
  const own = parts.filter((part) => !GENERIC.includes(part));
  const label = (own.length > 0 ? own : parts).join('.');
  return isLabel(label) ? label : undefined;
}
