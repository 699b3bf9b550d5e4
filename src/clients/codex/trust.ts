/** Whether Codex runs hooks of ours, and telling it that the user trusts them, by the requests of its own interface. */

import { resolve } from 'node:path';
import { messages } from '../../cli/messages.ts';
import { Refusal } from '../../edit/edit.ts';
import type { WrittenHook } from '../../install/configured-hooks.ts';
import type { Launch } from '../../system/child.ts';
import { disk } from '../../system/disk.ts';
import { UserError } from '../../system/errors.ts';
import { followLinks } from '../../system/files.ts';
import { at as inJson, list, str } from '../../system/json.ts';
import type { EventGap } from '../contract.ts';
import { which } from '../detect.ts';
import { hasNot, isTooOld, lacks } from '../gaps.ts';
import type { Places } from '../places.ts';
import { type AppServer, type CodexHook, hooksIn, withAppServer } from './app-server.ts';
import { codex as client } from './client.ts';
import { asUserError, needsNewer } from './trouble.ts';
import { type TrustState, trustInFile } from './trust-file.ts';
import { eventName } from './trust-hash.ts';

export interface At {
  readonly places: Places;
  /** The folder in which Codex would be started. */
  readonly cwd: string;
  /** What starts Codex; undefined: what the PATH has; null: it is not to be asked. */
  readonly codex?: Launch | null;
  /** Milliseconds until a Codex that does not answer is ended. */
  readonly deadline?: number;
}

export const DEADLINE = 20_000;
/** A port of this machine on which nobody listens. */
export const NOBODY = 'http://127.0.0.1:9';

export interface HookTrust {
  readonly hook: WrittenHook;
  readonly trust: TrustState;
  /** `unknown`: why. */
  readonly why?: string;
  /** `unknown`: this Codex does not have its event. */
  readonly gap?: EventGap;
}

export interface Trust {
  /** Who says so: Codex itself, or the file in which it keeps trust. */
  readonly from: 'codex' | 'file';
  /** Why Codex, which is there, could not be asked. */
  readonly notAsked?: string;
  readonly hooks: readonly HookTrust[];
}

export interface Granted {
  /** What was not trusted before and is now. */
  readonly granted: readonly HookTrust[];
  /** All that were to be trusted, as Codex sees them afterwards. */
  readonly after: readonly HookTrust[];
}

/** What starts the user's Codex; undefined: it is not on the PATH. */
export function findCodex({ places, cwd, codex }: At): Launch | undefined {
  if (codex !== undefined) return codex ?? undefined;
  const found = which(client.executable, places);
  return found === undefined ? undefined : [resolve(cwd, found)];
}

/** The trust in hooks of one scope: Codex is asked where it is there, else its file is read. */
export async function readTrust(hooks: readonly WrittenHook[], at: At): Promise<Trust> {
  const codex = findCodex(at);
  if (codex === undefined) return fromFile(hooks, at);
  try {
    const seen = await asking(codex, at, (server) => look(server, hooks, at));
    return { from: 'codex', hooks: seen.map(({ key: _, hash: __, ...one }) => one) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { ...fromFile(hooks, at), notAsked: [error.message, ...error.details].join(' ') };
  }
}

function fromFile(hooks: readonly WrittenHook[], { places }: At): Trust {
  try {
    const states = trustInFile(hooks, places, disk);
    const of = (at: number) => states[at] ?? 'unknown';
    return { from: 'file', hooks: hooks.map((hook, at) => ({ hook, trust: of(at) })) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const why = error.message;
    return { from: 'file', hooks: hooks.map((hook) => ({ hook, trust: 'unknown', why })) };
  }
}

/**
 * Tells Codex that the user trusts these hooks, as they are at this moment. What they are is for Codex to say, so that
 * nothing is agreed to that it reads otherwise. No other hook's trust is touched, and none is switched on.
 *
 * @throws UserError when Codex cannot be asked, or will not.
 */
export async function grantTrust(
  hooks: readonly WrittenHook[],
  at: At & { readonly codex: Launch },
): Promise<Granted> {
  return asking(at.codex, at, async (server) => {
    const before = await look(server, hooks, at);
    const wanted = before.filter(({ trust }) => trust === 'untrusted' || trust === 'changed');
    if (wanted.length === 0) return { granted: [], after: before };
    const value = Object.fromEntries(wanted.map(({ key, hash }) => [key, { trusted_hash: hash }]));
    await server.ask('config/batchWrite', {
      edits: [{ keyPath: 'hooks.state', mergeStrategy: 'upsert', value }],
      reloadUserConfig: true,
    });
    const after = await look(server, hooks, at);
    const granted = after.filter(
      ({ hook, trust }) => trust === 'trusted' && wanted.some((one) => one.hook === hook),
    );
    if (granted.length < wanted.length) throw new UserError(messages.codexDidNotTake);
    return { granted, after };
  });
}

/** A hook as Codex sees it; without `key` it does not see it. */
interface Seen extends HookTrust {
  readonly key: string;
  readonly hash: string;
}

async function look(server: AppServer, hooks: readonly WrittenHook[], at: At): Promise<Seen[]> {
  if (isTooOld(client, server.version)) throw new UserError(needsNewer(server.version));
  // What it runs without asking is as good as trusted.
  if (lacks(client, 'trust', server.version))
    return hooks.map((hook) => ({ hook, trust: 'trusted', key: '', hash: '' }));
  const cwd = at.places.project ?? at.cwd;
  const listed = await hooksIn(server, cwd);
  if (listed.some(({ currentHash }) => currentHash === ''))
    throw new UserError(needsNewer(server.version));
  const of = matching(listed);
  const gapOf = ({ native }: WrittenHook) => hasNot(client, server.version, native);
  const why = hooks.every((hook) => of(hook) || gapOf(hook)) ? '' : await whyUnlisted(server, cwd);
  return hooks.map((hook): Seen => {
    const found = of(hook);
    if (!found) {
      const gap = gapOf(hook);
      const reason = gap ? messages.gap(client, server.version, gap) : why;
      return { hook, trust: 'unknown', why: reason, ...(gap && { gap }), key: '', hash: '' };
    }
    return { hook, trust: stateOf(found), key: found.key, hash: found.currentHash };
  });
}

/** The hook in Codex's list that is written there: the same place and the same command. */
function matching(listed: readonly CodexHook[]): (hook: WrittenHook) => CodexHook | undefined {
  const places = new Map(
    listed.map((hook) => {
      const [, path = '', position = ''] = /^(.*):(\w+:\d+:\d+)$/s.exec(hook.key) ?? [];
      return [`${real(path)}:${position}`, hook];
    }),
  );
  return ({ path, native, index, handlerIndex, command, handler }) => {
    const found = places.get(`${path}:${eventName(native)}:${index}:${handlerIndex}`);
    return found && [command, handler.commandWindows].includes(found.command) ? found : undefined;
  };
}

function real(path: string): string {
  try {
    return followLinks(path);
  } catch {
    return path; // no file, as for hooks from the command line
  }
}

function stateOf({ enabled, trustStatus }: CodexHook): TrustState {
  if (!enabled) return 'disabled';
  if (trustStatus === 'trusted' || trustStatus === 'managed') return 'trusted';
  if (trustStatus === 'untrusted') return 'untrusted';
  return trustStatus === 'modified' ? 'changed' : 'unknown';
}

/** Codex leaves out what is in a project that the user does not trust, and says so of the layer. */
async function whyUnlisted(server: AppServer, cwd: string): Promise<string> {
  const read = await server.ask('config/read', { cwd, includeLayers: true });
  const disabled = list(inJson(read, 'layers')).some(
    (layer) =>
      inJson(layer, 'name', 'type') === 'project' && str(inJson(layer, 'disabledReason')) !== '',
  );
  return disabled ? messages.projectUntrusted : messages.codexUnlisted;
}

/** @throws UserError when Codex cannot be asked, in words. */
async function asking<T>(
  launch: Launch,
  { places, deadline = DEADLINE }: At,
  use: (server: AppServer) => Promise<T>,
): Promise<T> {
  let version: string | undefined;
  const noting = (server: AppServer) => {
    version = server.version;
    return use(server);
  };
  try {
    // It is asked about its files: what it wants from the internet besides is left for another time.
    const quiet = { ...places.env, HTTPS_PROXY: NOBODY };
    // Not in a folder of which nobody knows what is in it: it is told which one is meant.
    const options = { launch, cwd: places.home, env: quiet, deadline };
    return (await withAppServer(options, noting)).value;
  } catch (error) {
    throw asUserError(error, { deadline, ...(version !== undefined && { version }) });
  }
}
