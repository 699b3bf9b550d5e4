/** The messages of clients: codes and their facts. The words are in src/present/messages/clients.ts. */

import type { Said } from '../system/errors.ts';

export type ClientMessage =
  | Said<'settings-fault', SettingsFault>
  | Said<'no-client-found', { names: readonly string[] }>
  | Said<'unknown-client', { name: string; near: readonly string[]; known: readonly string[] }>
  | Said<'client-lacks', { client: string; part: LackedPart }>
  | Said<'no-home' | 'home-with-control' | 'home-not-text', { variable: string }>
  | Said<'home-missing', { variable: string; home: string }>
  | Said<'home-is-no-project'>;

/** `what`: the mistake in the client's own words; `whole`: what happens to a file that is lost as a whole. */
export interface SettingsFault {
  readonly client: string;
  /** The keys from the root of the document, joined by dots. */
  readonly path: string;
  readonly what: string;
  readonly lost: 'file' | 'hooks' | 'entry';
  readonly whole: string;
}

/** The parts of a client's folder that a command may require. */
export type LackedPart = 'bundle' | 'servers' | 'driver';

export const lacking = (
  { name: client }: { readonly name: string },
  part: LackedPart,
): ClientMessage => ({
  code: 'client-lacks',
  client,
  part,
});

/** How to install a client with npm, after "Install it" or "Update it". */
export const byNpm = (npmPackage: string | null, version = '', option = '--global'): string =>
  npmPackage === null ? '' : `: npm install ${option} ${npmPackage}${version}`;
