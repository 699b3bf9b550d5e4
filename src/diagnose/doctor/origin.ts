/** The origin of a declaration. If it contains a secret, the ledger only has a description. */

import type { Install } from '../../install/ledger.ts';
import { scopeFlag } from '../../install/site.ts';
import { isManifest } from '../../sources/same-source.ts';
import { quoted } from '../../system/strings.ts';

type From = Pick<Install, 'label' | 'source' | 'origin' | 'project' | 'local'>;

/** The command that updates an install. */
export const updateCommand = (install: From): string =>
  install.origin ? `mcp-hooks update ${labelWithScope(install)}` : reinstallCommand(install);

/** How to install it from scratch. */
export function reinstallCommand(install: From): string {
  const { source, label } = install;
  const name = `--name ${labelWithScope(install)}`;
  if (isManifest(install)) return `mcp-hooks install ${quoted(source)} ${name}`;
  const isMasked = /\*\*\*/.test(source);
  if (/^https?:/i.test(source))
    return `mcp-hooks install ${name} ${isMasked ? `and the address of ${label}` : source}`;
  return isMasked
    ? `mcp-hooks install ${name} -- and the command of ${label}`
    : `mcp-hooks install ${name} -- ${source}`;
}

/** The label, and the scope unless it is the default. */
export const labelWithScope = (install: From): string => `${install.label}${scopeFlag(install)}`;
