/** Trust in Codex as `doctor` tells of it: one finding for each entry, and one where Codex could not be asked. */

import { messages } from '../../cli/messages.ts';
import { hookInWords } from '../../cli/render/plan.ts';
import { inLine } from '../../system/visible.ts';
import type { ConfiguredHook } from '../configured-hook.ts';
import { type Places, tilde } from '../places.ts';
import { codex } from './client.ts';
import type { HookTrust, Trust } from './trust.ts';
import type { TrustState } from './trust-file.ts';

export interface TrustFinding {
  readonly level: 'ok' | 'info' | 'warning' | 'error';
  /** What is so. */
  readonly text: string;
  /** Why its hooks do not fire, in a few words; absent: they do, or that is not known. */
  readonly brief?: string;
  /** What to do about it. */
  readonly todo?: string;
  /** The entry it is about. */
  readonly hook?: ConfiguredHook;
}

const INSTALL = 'mcp-hooks install';

const LEVELS: Readonly<Record<TrustState, TrustFinding['level']>> = {
  trusted: 'ok',
  untrusted: 'error',
  changed: 'error',
  disabled: 'error',
  unknown: 'warning',
};

/**
 * What there is to say of what `readTrust` has found.
 *
 * @param again The command that installs the hooks again.
 */
export function trustOf(
  { from, notAsked, hooks }: Trust,
  { home }: Places,
  again: string = INSTALL,
): TrustFinding[] {
  const notes: TrustFinding[] =
    notAsked === undefined
      ? []
      : [{ level: 'warning', text: notAsked, todo: messages.trustFromFile }];
  const finding = ({ hook, trust, why }: HookTrust): TrustFinding => {
    const entry = `${hookInWords(hook.native, hook.matcher)} in ${inLine(tilde(hook.path, home))}`;
    const todo = todoFor(trust, why, again);
    const text = messages.trustIn[trust](entry, from);
    const brief =
      trust === 'trusted' || trust === 'unknown' ? undefined : messages.trustBrief[trust];
    return {
      level: LEVELS[trust],
      text,
      hook,
      ...(brief !== undefined && { brief }),
      ...(todo !== undefined && { todo }),
    };
  };
  return [...notes, ...hooks.map(finding)];
}

function todoFor(trust: TrustState, why: string | undefined, again: string): string | undefined {
  if (trust === 'trusted') return undefined;
  if (trust === 'unknown') return why === undefined ? codex.afterInstall : `${why}.`;
  if (trust === 'disabled') return messages.codexSwitchOn;
  return [codex.afterInstall, messages.orTrust(again)].join(' ');
}
