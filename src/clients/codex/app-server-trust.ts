/**
 * Queries Codex whether it runs our hooks, and records the user's trust in them, with the requests of Codex's own interface.
 */

import { stripVTControlCharacters } from 'node:util';
import { type Executable, TookTooLong } from '../../system/child.ts';
import { codeOf } from '../../system/errors.ts';
import { realPath } from '../../system/files.ts';
import { getPath, list, str } from '../../system/json.ts';
import { redactor } from '../../system/secrets.ts';
import { inLine } from '../../system/visible.ts';
import type { ConfiguredHook } from '../entries.ts';
import type {
  Granted,
  HookTrust,
  TrustQuestion,
  TrustState,
  TrustTrouble,
  WhyUnknown,
} from '../trust.ts';
import { isTooOld } from '../version.ts';
import type { AppServer, CodexHook } from './app-server.ts';
import { DEAD_PROXY_URL, DEADLINE, hooksIn, Unusable, withAppServer } from './app-server.ts';
import { codex as client } from './client.ts';
import { stateKey } from './trust-hash.ts';

type Question = TrustQuestion & { readonly launch: Executable };

/** Codex's own report on these hooks. */
export const askTrust = (
  hooks: readonly ConfiguredHook[],
  question: Question,
): Promise<{ readonly hooks: readonly HookTrust[] } | { readonly trouble: TrustTrouble }> =>
  asking(question, async (server) => ({
    hooks: (await look(server, hooks, question)).map(({ status }) => status),
  }));

/** Codex itself reports what the hooks are, so the user cannot agree to a hook that Codex reads differently. */
export const grantTrust = (
  hooks: readonly ConfiguredHook[],
  question: Question,
): Promise<Granted> =>
  asking(question, async (server) => {
    const before = await look(server, hooks, question);
    const wanted = before.filter(({ status }) => ['untrusted', 'changed'].includes(status.trust));
    if (wanted.length === 0) return { granted: [], after: before.map(({ status }) => status) };
    await server.trust(wanted.flatMap(({ listed }) => listed ?? []));
    const after = (await look(server, hooks, question)).map(({ status }) => status);
    const granted = after.filter(
      ({ hook, trust }) => trust === 'trusted' && wanted.some(({ status }) => status.hook === hook),
    );
    if (granted.length < wanted.length) throw new Unusable({ code: 'trust-not-taken' });
    return { granted, after };
  });

interface Seen {
  readonly status: HookTrust;
  /** The hook in Codex's list; absent: it is not listed. */
  readonly listed?: CodexHook;
}

async function look(
  server: AppServer,
  hooks: readonly ConfiguredHook[],
  { places, cwd }: Question,
): Promise<Seen[]> {
  if (isTooOld(client, server.version)) throw server.tooOld();
  const folder = places.project ?? cwd;
  const listed = await hooksIn(server, folder);
  const of = matching(listed);
  const unlisted = hooks.every(of) ? undefined : await whyUnlisted(server, folder);
  return hooks.map((hook): Seen => {
    const found = of(hook);
    if (found) return { status: { hook, trust: stateOf(found) }, listed: found };
    return { status: { hook, trust: 'unknown', ...(unlisted && { why: unlisted }) } };
  });
}

/** The hook in Codex's list that matches a written one: the same place and the same command. */
function matching(listed: readonly CodexHook[]): (hook: ConfiguredHook) => CodexHook | undefined {
  const places = new Map(
    listed.map((hook) => {
      const [, path = '', position = ''] = /^(.*):(\w+:\d+:\d+)$/s.exec(hook.key) ?? [];
      return [`${realPath(path)}:${position}`, hook];
    }),
  );
  return (hook) => {
    const found = places.get(stateKey(hook.path, hook));
    const commands = [hook.command, hook.handler.commandWindows];
    return found && commands.includes(found.command) ? found : undefined;
  };
}

function stateOf({ enabled, trustStatus }: CodexHook): TrustState {
  if (!enabled) return 'disabled';
  if (trustStatus === 'trusted' || trustStatus === 'managed') return 'trusted';
  if (trustStatus === 'untrusted') return 'untrusted';
  return trustStatus === 'modified' ? 'changed' : 'unknown';
}

/** Codex omits the hooks of an untrusted project, and marks that layer. */
async function whyUnlisted(server: AppServer, cwd: string): Promise<WhyUnknown> {
  const read = await server.ask('config/read', { cwd, includeLayers: true });
  const disabled = list(getPath(read, 'layers')).some(
    (layer) =>
      getPath(layer, 'name', 'type') === 'project' && str(getPath(layer, 'disabledReason')) !== '',
  );
  return disabled
    ? { code: 'project-untrusted', client: client.name, executable: client.executable }
    : { code: 'hook-not-listed', client: client.name };
}

async function asking<T>(
  { launch, places, deadline = DEADLINE }: Question,
  use: (server: AppServer) => Promise<T>,
): Promise<T | { readonly trouble: TrustTrouble }> {
  try {
    // We only ask about its files. Anything that it wants from the internet can wait.
    const quiet = { ...places.env, HTTPS_PROXY: DEAD_PROXY_URL };
    // Starts in the home folder, not in one with unknown contents. The request names the folder.
    const options = { launch, cwd: places.home, env: quiet, deadline };
    return (await withAppServer(options, use)).value;
  } catch (error) {
    const trouble = troubleOf(error, deadline);
    if (!trouble) throw error;
    return { trouble };
  }
}

const ASKED = {
  client: client.name,
  program: 'codex app-server',
  needed: client.minimum ?? '',
} as const;

/** Undefined for an unknown error, which is a bug of ours. */
function troubleOf(error: unknown, deadline: number): TrustTrouble | undefined {
  if (error instanceof Unusable) return { ...ASKED, ...error.problem, ...lastWords(error.said) };
  if (error instanceof TookTooLong) {
    const said = lastWords(error.stderr || error.stdout);
    return { ...ASKED, code: 'ask-timeout', seconds: deadline / 1000, ...said };
  }
  const cause = codeOf(error);
  if (cause === undefined) return undefined;
  return { ...ASKED, code: 'ask-not-started', executable: client.executable, cause };
}

/** The end of its output, with possible secrets masked, because it quotes lines of the user's files. */
function lastWords(text: string): { said?: string } {
  const said = inLine(redactor({})(stripVTControlCharacters(text).trim().slice(-1000)));
  return said === '' ? {} : { said };
}
