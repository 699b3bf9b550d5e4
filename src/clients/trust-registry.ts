/** The clients that want the user's agreement before they run hooks. */

import { codex } from './codex/trust.ts';
import type { Client } from './contract.ts';
import type { Version } from './gaps.ts';
import { CLIENTS } from './registry.ts';
import type { Trust } from './trust.ts';
import { compareVersions } from './version.ts';

/** By the client's id; null: it runs what is configured. */
export const TRUST: Readonly<Record<string, Trust | null>> = {
  'claude-code': null,
  codex,
  'gemini-cli': null,
};

/** How a client is asked; undefined: it asks for nothing, in any version. */
export const trustOf = ({ id }: Client): Trust | undefined => TRUST[id] ?? undefined;

/** How a version of a client is asked; undefined: it runs what is configured. */
export function trustIn(client: Client, version: Version): Trust | undefined {
  const trust = trustOf(client);
  const isBefore = version !== undefined && trust && compareVersions(version, trust.since) < 0;
  return isBefore ? undefined : trust;
}

/** Every client that asks, and how. */
export const TRUSTING: readonly { readonly client: Client; readonly trust: Trust }[] =
  CLIENTS.flatMap((client) => {
    const trust = trustOf(client);
    return trust ? [{ client, trust }] : [];
  });
