// https://docs.github.com/en/copilot/reference/hooks-reference and `copilot help config`, 1.0.102
// Measured: `disableAllHooks` in these files of a trusted project switches off all hooks, including the user's. In the user's
// own settings.json it has no effect with -p. Not tried: `disabledHooks` there, and the contents of the machine's managed
// settings.
import { join } from 'node:path';
import { isObject } from '../../edit/edit.ts';
import { repositoryOf } from '../../system/git/folders.ts';
import { isUnder } from '../health/folder-trust.ts';
import type { FolderLook, Health, Layer } from '../health/health.ts';
import { managedHere } from '../shipping.ts';
import { managed as policy } from './shipping.ts';

/** A project's file, at the top of its repository. */
const inProject = (path: string): Layer => ({
  whose: 'project',
  path: ({ cwd }) => join(repositoryOf(cwd) ?? cwd, path),
});

export const copilotCli: Health = {
  layers: [
    { whose: 'user' },
    { whose: 'project' },
    inProject('.claude/settings.json'),
    inProject('.github/copilot/settings.json'),
    inProject('.github/copilot/settings.local.json'),
    { whose: 'managed', path: ({ root }) => `${root}/etc/github-copilot/managed-settings.json` },
    { whose: 'managed', folder: (machine) => managedHere(policy, machine) },
  ],
  switches: [
    { key: ['disableAllHooks'], off: true, only: 'project' },
    { key: ['allowManagedHooksOnly'], off: true, only: 'managed' },
  ],
  trust: {
    decide: folderTrust,
    onlyProjects: true,
    undecided:
      'GitHub Copilot CLI asks in a terminal; until you say yes, and without a terminal, it runs your hooks but no project hooks',
    todo: 'Start copilot here and trust the folder, or pass --trust-folder with -p.',
  },
  alsoRunBy: [
    {
      id: 'vs-code',
      name: 'VS Code',
      executables: ['code', 'code-insiders'],
      folders: ['.config/Code', '.vscode'],
      which: "the user's and a project's",
    },
  ],
  // Hooks of a marketplace in a folder are read there; others are copied.
  plugins: ({ folder, json }) => {
    const { enabledPlugins, extraKnownMarketplaces } = json(join(folder, 'settings.json'));
    const markets = isObject(extraKnownMarketplaces) ? extraKnownMarketplaces : {};
    return Object.keys(isObject(enabledPlugins) ? enabledPlugins : {}).map((plugin) => {
      const [name = '', market = ''] = plugin.split('@');
      const known = Object.hasOwn(markets, market) ? markets[market] : undefined;
      const source = isObject(known) && isObject(known.source) ? known.source.path : undefined;
      const live = typeof source === 'string' ? join(source, name) : undefined;
      return join(live ?? join(folder, 'installed-plugins', market, name), 'hooks.json');
    });
  },
};

/**
 * A folder is trusted if it, or a parent of it, is in `trustedFolders` of config.json. In settings.json the key has no effect.
 * Copilot does not store a "No".
 */
function folderTrust({ env, cwd, folder, json }: FolderLook) {
  const where = join(folder, 'config.json');
  if (env.COPILOT_ALLOW_ALL === 'true') return { where, state: 'trusted' } as const;
  const { trustedFolders, trusted_folders } = json(where);
  const all = [trustedFolders, trusted_folders].flatMap((one) => (Array.isArray(one) ? one : []));
  const isTrusted = all.some((rule) => typeof rule === 'string' && isUnder(cwd, rule));
  return { where, state: isTrusted ? 'trusted' : 'undecided' } as const;
}
