/** A server at an http or https address. */

import { LABEL } from '../declaration/declaration.ts';
import { hasUser } from '../declaration/schema.ts';
import { UserError } from '../system/errors.ts';
import { inLine } from '../system/visible.ts';
import type { SourceMessage } from './messages.ts';
import type { Finder } from './resolved-server.ts';

export const findAddress: Finder = async (operand, { name }) => {
  const isWeb = /^https?:/i.test(operand);
  if (!isWeb && !/^[a-z][a-z0-9+.-]+:\/\//i.test(operand)) return undefined;
  if (!isWeb || !URL.canParse(operand))
    throw new UserError<SourceMessage>({ code: 'no-address', text: inLine(operand, 200) });
  const { host, hostname, origin } = new URL(operand);
  if (hasUser(operand))
    throw new UserError<SourceMessage>({ code: 'address-with-user', name: origin });
  const proposed = labelOf(hostname);
  const label = name ?? proposed;
  if (label === undefined)
    throw new UserError<SourceMessage>({ code: 'address-needs-label', host });
  return {
    label,
    source: { kind: 'url', url: operand },
    server: { url: operand },
    launch: () => ({ url: operand, headers: {} }),
    ...(name === undefined && { notes: [{ code: 'called-after-host', label, host }] }),
  };
};

/** Names that say what a host is for and not whose it is. */
const GENERIC: readonly string[] = ['www', 'mcp', 'api', 'app', 'server', 'remote', 'sse'];

/** Second levels under which names are given in some countries: `example.co.uk`. */
const SHARED: readonly string[] = ['co', 'com', 'org', 'net', 'ac', 'gov'];

/** `mcp.linear.app` is called linear; undefined where a host has no name of its own. */
function labelOf(hostname: string): string | undefined {
  const parts = hostname.split('.');
  if (parts.length < 2 || /^[\d.]+$/.test(hostname)) return undefined;
  parts.pop();
  if (parts.length > 1 && SHARED.includes(parts.at(-1) ?? '')) parts.pop();
  const own = parts.filter((part) => !GENERIC.includes(part));
  const label = (own.length > 0 ? own : parts).join('.');
  return LABEL.test(label) ? label : undefined;
}
