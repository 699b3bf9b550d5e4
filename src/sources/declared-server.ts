/** The server that a declaration names, as a client would start or reach it. */

import { homeIn } from '../clients/places.ts';
import type { ServerHooks, ServerLaunch } from '../declaration/declared.ts';
import { type FillOptions, fill, type Parts } from './entry.ts';
import { startedAt } from './launch.ts';
import { launchRedactor } from './redacted.ts';
import type { ResolvedServer } from './resolved-server.ts';

/** @throws UserError for anything that only its client can expand. */
export function declaredServer(
  declared: Pick<ServerHooks, 'label' | 'source'> & { server: ServerLaunch },
  around: FillOptions,
): ResolvedServer {
  const { label, source, server } = startedAt(declared, homeIn(around.env));
  const values = ('url' in server ? server.headers : server.env) ?? {};
  const parts: Parts =
    'url' in server
      ? { url: server.url, headers: values, headersFromVariables: {} }
      : { command: server.command, args: server.args ?? [], env: values, passedOn: [] };
  const cwd = ('cwd' in server && server.cwd) || around.cwd;
  const filled = fill(parts, Object.keys(values), { ...around, cwd });
  return { label, source, server, launch: () => filled, hide: launchRedactor(parts, filled) };
}
