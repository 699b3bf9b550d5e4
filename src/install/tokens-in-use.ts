/** Which sign-ins an install uses. A saved sign-in is removed with the last label that uses it. */

import { dirname, join } from 'node:path';
import { runnerFolder, tokensFolder } from '../clients/places.ts';
import type { EventProgram } from '../compile/program.ts';
import { readPrograms } from '../compile/runner-files.ts';
import { serverSource } from '../declaration/declared.ts';
import { leftBeside, serverAt, tokensFile } from '../sources/oauth/address.ts';
import type { Install, Ledger } from './ledger.ts';
import type { PlanOptions } from './planned-file.ts';
import { placesAt } from './site.ts';

/** The token files for the servers that an install was read from, or whose tools its hooks call. */
export function signInsOf(
  install: Install,
  programs: readonly Pick<EventProgram, 'server'>[],
  state: string,
): string[] {
  const origin = install.origin && serverSource(install.origin);
  const folder = tokensFolder(state);
  const address = origin?.kind === 'url' ? serverAt(origin.url) : undefined;
  const files = [
    ...(address === undefined ? [] : [tokensFile(state, address)]),
    ...(origin?.kind === 'configured' && origin.tokens !== undefined
      ? [join(folder, origin.tokens)]
      : []),
    ...programs.flatMap(({ server }) => (server && 'tokens' in server && server.tokens) || []),
  ];
  // A program may have been edited, and the files named in it may be deleted.
  return [...new Set(files)].filter((file) => dirname(file) === folder);
}

/** The saved sign-ins that no other install uses. */
export function unusedSignIns(
  ledger: Ledger,
  gone: Install | undefined,
  { places, disk }: PlanOptions,
): string[] {
  if (!gone) return [];
  const files = (install: Install) => {
    const { label, runner } = install;
    const folder = runnerFolder(placesAt(install, places), label);
    const programs = readPrograms(folder, Object.keys(runner), disk.read);
    return signInsOf(install, programs, places.state);
  };
  const own = files(gone);
  if (own.length === 0) return [];
  const others = ledger.installs.filter((one) => one !== gone).flatMap(files);
  const names = disk.list(tokensFolder(places.state));
  return own
    .filter((file) => !others.includes(file))
    .flatMap((file) => [file, ...leftBeside(file, names)]);
}
