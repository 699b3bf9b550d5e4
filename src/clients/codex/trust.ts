/** Trust in Codex. It skips hooks that nobody has agreed to, without a word. */

import { Refusal } from '../../edit/edit.ts';
import type { ConfiguredHook } from '../configured-hook.ts';
import { handlersIn } from '../entries.ts';
import type { Trust, TrustPlace, TrustReading } from '../trust.ts';
import { codex as client } from './client.ts';
import { trustIn } from './health.ts';
import { rememberedTrust, SINCE, stateFile, trustedHashes, trustInFile } from './trust-file.ts';
import { trustHash } from './trust-hash.ts';

export const trust: Trust = {
  since: SINCE,
  byHand:
    'Codex runs new hooks only after you have agreed: start codex and answer "Trust all and continue", or type /hooks in it.',
  reviewCommand: '/hooks',
  file: client.files[0].name,
  section: '[hooks.state]',

  path: stateFile,
  readsProject: (project, setting) => trustIn(project, project, setting) === 'trusted',
  kept: trustInFile,
  async read(hooks, question) {
    const { launch } = question;
    if (launch === undefined) return fromFile(hooks, question);
    // Only now, because it brings along what starts programs.
    const { askTrust } = await import('./app-server-trust.ts');
    const answer = await askTrust(hooks, { ...question, launch });
    if ('trouble' in answer) return { ...fromFile(hooks, question), trouble: answer.trouble };
    return { from: 'client', hooks: answer.hooks };
  },
  async grant(hooks, question) {
    const { grantTrust } = await import('./app-server-trust.ts');
    return grantTrust(hooks, question);
  },
  remembered: (hooks, at) => unlessUnreadable(() => rememberedTrust(hooks, at)),
  // It goes by what a hook does, whoever's it was before.
  carriedOver(groups, at) {
    const trusted = unlessUnreadable(() => trustedHashes(at));
    if (trusted.length === 0) return [];
    return groups.filter(({ event, group }) => {
      const [written] = handlersIn(client, group);
      const hash = written && trustHash({ ...written, native: event });
      return hash !== undefined && trusted.includes(hash);
    });
  },
};

function fromFile(hooks: readonly ConfiguredHook[], at: TrustPlace): TrustReading {
  try {
    const states = trustInFile(hooks, at);
    return {
      from: 'file',
      hooks: hooks.map((hook, index) => ({ hook, trust: states[index] ?? 'unknown' })),
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const why = { code: 'trust-file-unreadable', why: error.problem } as const;
    return { from: 'file', hooks: hooks.map((hook) => ({ hook, trust: 'unknown', why })) };
  }
}

/** What is in the file; nothing where it cannot be read. */
function unlessUnreadable(look: () => readonly string[]): readonly string[] {
  try {
    return look();
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}
