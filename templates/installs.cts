/** mcp-hooks: what the user has installed, as the ledger records it. */

import fs = require('node:fs');

import { textOf } from './files.cjs';
import type { Running } from './types.cjs';
import { attempt } from './values.cjs';

/** The part of the ledger (src/install/ledger.ts) that is read here. */
export interface Placed {
  readonly project: string | null;
}
interface Ledger {
  readonly installs: readonly (Placed & {
    readonly label: string;
    readonly clients: readonly string[];
  })[];
  readonly files: Readonly<Record<string, Placed & { readonly client: string }>>;
}

/** Undefined: it cannot be read. */
export function ledgerIn(state: string): Ledger | undefined {
  const text = read(`${state}/ledger.json`);
  return text === undefined ? undefined : JSON.parse(text);
}

/** Whether a label is installed for another client, in a scope that applies here. Without a ledger, that is unknown. */
export const isInstalledFor = (client: string, { state, label }: Running): boolean =>
  attempt(() =>
    ledgerIn(state)?.installs.some(
      (one) => one.label === label && one.clients.includes(client) && isHere(one),
    ),
  ) ?? false;

/**
 * Whether a scope applies: it is the user's, or a project's that the client uses. @param folder The variable with which the
 * client names the project as its folder. Otherwise the current folder is in the project.
 */
export function isHere({ project }: Placed, folder?: string): boolean {
  if (project === null) return true;
  const named = folder === undefined ? undefined : process.env[folder];
  const here = fs.realpathSync(named ?? process.cwd());
  return here === project || (named === undefined && here.startsWith(`${project}/`));
}

export const read = (path: string): string | undefined => attempt(() => textOf(path));
