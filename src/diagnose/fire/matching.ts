/** Whether a client would start a hook at all, by the matcher of its entry, interpreted as in that client. */

import { createContext, runInContext } from 'node:vm';
import type { Matching } from '../../clients/contract.ts';
import { wireOf } from '../../clients/contract.ts';
import type { ConfiguredHook } from '../../clients/entries.ts';
import { valueAt } from '../../clients/payload.ts';
import type { JsonObject } from '../../edit/edit.ts';
import { codeOf } from '../../system/errors.ts';
import { memoize } from '../../system/memoize.ts';

type Matched = Pick<ConfiguredHook, 'client' | 'native' | 'matcher'>;
type Fit = { readonly fits: boolean; readonly tooSlow?: true; readonly value?: string };

/**
 * Whether the client starts this hook for this payload, or gives up because matching takes too long. `value` is compared with
 * the matcher: the tool's name, or the reason for a session's start.
 */
export function fit({ client, native, matcher }: Matched, payload: JsonObject): Fit {
  const about = client.nativeEvents[native]?.matcher ?? 'none';
  if (about === 'none') return { fits: true }; // this event ignores matchers
  const wire = wireOf(client, native);
  const value = valueAt(payload, about === 'tool' ? wire.toolName : wire.source);
  if (typeof value !== 'string') return { fits: false };
  const tooSlow = { fits: false, tooSlow: true, value } as const;
  if (SLOW.has(matcher)) return tooSlow;
  try {
    return { fits: matcherFits(client.matching, matcher ?? '', value), value };
  } catch (error) {
    if (codeOf(error) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    SLOW.add(matcher);
    return tooSlow;
  }
}

/** Matchers that took too long. Each is tried only once, even for many hooks. */
const SLOW = new Set<string | undefined>();

function matcherFits(matching: Matching, matcher: string, name: string): boolean {
  const { lists, aliases, anchored, noStar, otherwise } = matching;
  const wanted = matcher.trim();
  if (wanted === '' || (wanted === '*' && !noStar)) return true;
  const names = [name, ...(aliases && Object.hasOwn(aliases, name) ? (aliases[name] ?? []) : [])];
  if (lists !== undefined && new RegExp(`^(?:${lists})$`).test(matcher))
    return matcher.split(/[|,]/).some((one) => names.includes(one.trim()));
  try {
    new RegExp(wanted);
  } catch {
    return otherwise === 'name' && names.includes(wanted);
  }
  // The pattern may not be ours and may never finish.
  const aside = context();
  Object.assign(aside, { names, wanted: anchored ? `^(?:${wanted})$` : wanted });
  const code = 'names.some((name) => new RegExp(wanted).test(name))';
  return runInContext(code, aside, { timeout: PATIENCE }) === true;
}

const context = memoize(() => createContext({}));

/** In milliseconds. */
const PATIENCE = 1000;
