/** Headers as the user types them: `--header 'Authorization: Bearer ${TOKEN}'`. */

import type { Header, KnownHeaders } from '../declaration/declared.ts';
import type { Env } from '../system/env.ts';
import { SourceError, type SourceMessage } from './messages.ts';
import type { Request, ResolvedServer } from './resolved-server.ts';

const OURS =
  /^(?:accept|connection|content-length|content-type|host|last-event-id|mcp-.*|transfer-encoding)$/i;
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** A header, or why the text is not a valid one. The message does not repeat the text. */
export function parseHeader(typed: string): Header | SourceMessage {
  const [, name, value] =
    /^([A-Za-z0-9][A-Za-z0-9_-]{0,99}):[ \t]*([ -~]*[!-~])[ \t]*$/.exec(typed) ?? [];
  if (name === undefined || value === undefined) return { code: 'bad-header' };
  return OURS.test(name) ? { code: 'our-header', name } : { name, value };
}

/** Adds the user's headers to a server, including those that were stored earlier. */
export function withHeaders(
  target: ResolvedServer,
  {
    headers: given = [],
    knownHeaders: known = {},
    env,
  }: Pick<Request, 'headers' | 'knownHeaders' | 'env'>,
): ResolvedServer {
  const names = given.map(({ name }) => name.toLowerCase());
  const kept = Object.entries(known).filter(([name]) => !names.includes(name.toLowerCase()));
  if (given.length + kept.length === 0) return target;
  const { source, server, launch } = target;
  if (source.kind !== 'url' || !server || !('url' in server))
    throw new SourceError({ code: 'headers-need-address' });
  const missing = kept.flatMap(([name, value]) => (value === null ? name : []));
  if (missing.length > 0) throw new SourceError({ code: 'header-again', names: missing });
  const all = [...given, ...kept.map(([name, value]) => ({ name, value: value ?? '' }))];
  const toKeep = given.map(({ name, value }) => [name, isTemplate(value) ? value : null]);
  const headers: KnownHeaders = { ...Object.fromEntries(kept), ...Object.fromEntries(toKeep) };
  return {
    ...target,
    source: { ...source, headers },
    launch: () => ({
      ...(launch?.() ?? server),
      url: server.url,
      headers: Object.fromEntries(all.map((header) => [header.name, fillIn(header, env)])),
    }),
  };
}

/** Whether one of these headers authorises the user, so that no sign-in is needed. */
export const hasAuthorizationHeader = (headers: Readonly<Record<string, unknown>> = {}): boolean =>
  Object.keys(headers).some((name) => /^authorization$/i.test(name));

/** Whether every possible secret in a value is a variable. A word such as `Bearer` may precede it. */
const isTemplate = (value: string): boolean =>
  value.search(VARIABLE) !== -1 &&
  /^(?:[A-Za-z][A-Za-z-]{0,15})?[ =:]*$/.test(value.replace(VARIABLE, ''));

function fillIn({ name, value }: Header, env: Env): string {
  if (!isTemplate(value)) return value;
  return value.replace(VARIABLE, (_all, variable: string) => {
    const found = env[variable];
    if (!found) throw new SourceError({ code: 'header-unset', name, variable });
    // The HTTP library would quote such a value in an error.
    if (!/^[ -~]+$/.test(found)) throw new SourceError({ code: 'header-unfit', name, variable });
    return found;
  });
}
