/** Whether a client would start a hook at all: the matcher of its entry, read as that client reads it. */

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
 * Whether the client starts this hook for this payload, or gives up because matching takes too long. `value` is what the
 * matcher is compared with: the name of the tool, or why a session starts.
 */
export function fit({ client, native, matcher }: Matched, payload: JsonObject): Fit {
  const about = client.nativeEvents[native]?.matcher ?? 'none';
  if (about === 'none') return { fits: true }; // matchers are ignored there
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

/** Matchers that took too long. Each is waited for only once, even if it is compared for many hooks. */
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
  // A pattern by somebody else may never finish.
  const aside = context();
  Object.assign(aside, { names, wanted: anchored ? `^(?:${wanted})$` : wanted });
  const code = 'names.some((name) => new RegExp(wanted).test(name))';
  return runInContext(code, aside, { timeout: PATIENCE }) === true;
}

const context = memoize(() => createContext({}));

/** Milliseconds. */
const PATIENCE = 1000;
