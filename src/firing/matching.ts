/** Whether a client would start a hook at all: the matcher of its entry, read as that client reads it. */

import type { Matching } from '../clients/client.ts';
import { regexIn } from '../compile/glob.ts';
import type { JsonObject } from '../edit/edit.ts';
import type { WrittenHook } from '../written.ts';

export interface Fit {
  readonly fits: boolean;
  /** What the matcher is compared with: the name of the tool, or why a session starts. Undefined: nothing. */
  readonly value?: string;
}

/** Whether the client starts this hook for this payload. */
export function fit(
  { client, native, matcher }: Pick<WrittenHook, 'client' | 'native' | 'matcher'>,
  payload: JsonObject,
): Fit {
  const about = client.nativeEvents[native]?.matcher ?? 'none';
  if (about === 'none') return { fits: true }; // a matcher is not looked at there
  const value = payload[about === 'tool' ? client.wire.toolName : client.wire.source];
  if (typeof value !== 'string') return { fits: false };
  return { fits: matcherFits(client.matching, matcher ?? '', value), value };
}

function matcherFits({ lists, aliases, otherwise }: Matching, matcher: string, name: string) {
  const wanted = matcher.trim();
  if (wanted === '' || wanted === '*') return true;
  const names = [name, ...(aliases && Object.hasOwn(aliases, name) ? (aliases[name] ?? []) : [])];
  if (lists !== undefined && new RegExp(`^(?:${lists})$`).test(matcher))
    return matcher.split(/[|,]/).some((one) => names.includes(one.trim()));
  const pattern = regexIn(wanted);
  if (!pattern) return otherwise === 'name' && names.includes(wanted);
  return names.some((one) => pattern.test(one));
}
