/** What the ledger's words for a source mean: it remembers no more than these. */

import { existsSync } from 'node:fs';
import { shellQuote } from '../compile/command.ts';
import type { Install } from '../ledger.ts';

/** Whether they are the path of a manifest; else they are a command, its words joined by spaces. */
export const isManifest = ({ source }: Install): boolean =>
  /^\/.*\.jsonc?$/.test(source) && (existsSync(source) || !/ [/-]/.test(source));

/** How one installs it again. */
export function again(install: Install): string {
  const { label, source, origin, project } = install;
  const scope = project === null ? '' : ' --scope project';
  if (origin?.kind === 'configured')
    return `mcp-hooks install ${shellQuote(origin.name)} --from ${origin.client} --name ${label}${scope}`;
  return isManifest(install)
    ? `mcp-hooks install ${source} --name ${label}${scope}`
    : `mcp-hooks install --name ${label}${scope} -- ${source}`;
}
