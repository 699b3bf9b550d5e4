/** Whether Codex runs what is written in its settings: it skips what nobody has agreed to without a word. */

import { messages } from '../../cli/messages.ts';
import { codex } from '../../clients/codex/client.ts';
import { trustIn } from '../../clients/codex/health.ts';
import type { Trust } from '../../clients/codex/trust.ts';
import { stateFile, trustInFile } from '../../clients/codex/trust-file.ts';
import type { ConfiguredHook } from '../../clients/configured-hook.ts';
import { hasNot, lacks } from '../../clients/gaps.ts';
import { type Places, tilde } from '../../clients/places.ts';
import { Refusal } from '../../edit/edit.ts';
import { readWritten } from '../../install/configured-hooks.ts';
import type { Install } from '../../install/ledger.ts';
import { type Check, type Found, ofInstalls } from './check.ts';
import { whyCodexStops } from './codex-starts.ts';
import type { At } from './context.ts';
import { versionAt } from './executables.ts';
import { installing } from './origin.ts';

export const codexTrust: Check = ofInstalls(
  'codex-trust',
  'Codex trusts its hooks',
  async (install, at): Promise<Found[]> => {
    const places = at.placesOf(install);
    const version = versionAt(codex, at);
    const all = readWritten(codex, places, at).hooks.filter(
      // It never asks about an event that it does not have.
      ({ label, native }) => label !== undefined && !hasNot(codex, version, native),
    );
    const mine = ({ label }: ConfiguredHook) => label === install.label;
    const hooks = all.filter(mine);
    if (hooks.length === 0) return [{ level: 'ok', what: 'nothing in Codex that it could trust' }];
    // Said of its settings: agreeing to hooks is for a Codex that starts.
    if ((await whyCodexStops(at)) !== undefined)
      return [{ level: 'ok', what: 'Codex has to start before it can trust anything' }];
    const folder = untrustedProject(install, at);
    if (folder) return [folder];
    if (lacks(codex, 'trust', version))
      return [
        { level: 'ok', what: `${codex.name} ${version} runs hooks without asking for trust` },
      ];
    if (isSaidInFile(hooks, places, at)) return [];
    const trust = await asked(all, places, at);
    const { trustOf } = await import('../../clients/codex/trust-findings.ts');
    const own = { ...trust, hooks: trust.hooks.filter(({ hook }) => mine(hook)) };
    return trustOf(own, places, installing(install))
      .filter(({ level }) => level !== 'ok')
      .map(({ level, text, brief, todo, hook }) => ({
        level,
        what: text,
        ...(brief !== undefined && { brief }),
        ...(todo !== undefined && { todo }),
        ...(hook && { where: hook.path }),
        ...(level === 'error' && hook && { blocks: { client: codex.id, natives: [hook.native] } }),
      }));
  },
  codex.id,
);

/** Codex reads nothing of a project that it does not trust, and lists none of its hooks when it is asked. */
function untrustedProject({ project }: Install, at: At): Found | undefined {
  if (project === null) return undefined;
  const { setting } = at.trustLook(codex);
  if (trustIn(project, project, setting) === 'trusted') return undefined;
  return {
    level: 'error',
    what: messages.projectUnread(tilde(project, at.user.home)),
    brief: messages.projectUnreadBrief,
    where: stateFile(at.user),
    todo: messages.trustProject,
    blocks: { client: codex.id },
  };
}

/** Codex is started once for all labels of a scope. */
function asked(hooks: readonly ConfiguredHook[], places: Places, at: At): Promise<Trust> {
  const answers = ANSWERS.get(at) ?? new Map<string | undefined, Promise<Trust>>();
  ANSWERS.set(at, answers);
  const answer =
    answers.get(places.project) ??
    // Only now, because it brings along what starts programs.
    import('../../clients/codex/trust.ts').then(({ readTrust }) =>
      readTrust(hooks, {
        places,
        cwd: at.machine.cwd,
        deadline: at.deadline,
        ...(!at.asksClients && { codex: null }),
      }),
    );
  answers.set(places.project, answer);
  return answer;
}
/** By project. */
const ANSWERS = new WeakMap<At, Map<string | undefined, Promise<Trust>>>();

/**
 * Whether the file in which Codex keeps trust says it of all, in the version whose way of saying so we know: then Codex
 * itself, which takes half a second to start, need not be asked.
 */
function isSaidInFile(hooks: readonly ConfiguredHook[], places: Places, at: At): boolean {
  if (versionAt(codex, at) !== codex.verified) return false;
  try {
    return trustInFile(hooks, places, at).every((trust) => trust === 'trusted');
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
