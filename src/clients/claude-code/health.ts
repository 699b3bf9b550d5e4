// https://code.claude.com/docs/en/settings
import { join } from 'node:path';
import { isObject, type JsonValue } from '../../edit/edit.ts';
import { foldersUpFrom, foldersUpTo, mainOf, repositoryOf } from '../../system/git/folders.ts';
import type { Health, Machine, TrustLook } from '../health/health.ts';
import { hookFaults } from './hooks-shape.ts';
import { SETTINGS } from './settings-shape.ts';

const managed = ({ root }: Machine): string =>
  process.platform === 'darwin'
    ? `${root}/Library/Application Support/ClaudeCode/managed-settings.json`
    : `${root}/etc/claude-code/managed-settings.json`;

export const claudeCode: Health = {
  layers: [
    { whose: 'user' },
    { whose: 'project' },
    { whose: 'local' },
    { whose: 'managed', path: managed },
  ],
  switches: [
    { key: ['disableAllHooks'], off: true },
    { key: ['allowManagedHooksOnly'], off: true, only: 'managed' },
  ],
  faults: (document) => [...SETTINGS(document), ...hookFaults(document)],
  faulty: () => 'Claude Code ignores the whole file, silently',
  trust: {
    decide: folderTrust,
    asks: true,
    undecided: 'in a terminal Claude Code runs no hook before you have answered its question',
    todo: 'Start claude here and say yes; with -p it does not ask, and hooks run.',
  },
  alsoRunBy: [
    { name: 'VS Code', executables: ['code'], folders: [], which: "the user's and a project's" },
    {
      name: 'Cursor',
      executables: ['cursor', 'cursor-agent'],
      folders: ['.cursor'],
      which: "the user's and a project's, when configurations of others are switched on in it",
    },
    {
      name: 'Devin',
      executables: ['devin'],
      folders: ['.config/devin'],
      which: "the user's and a project's",
    },
    {
      name: 'Grok Build',
      executables: ['grok'],
      folders: ['.grok'],
      which: "the user's and a project's",
    },
    {
      id: 'copilot-cli',
      name: 'GitHub Copilot CLI',
      executables: ['copilot'],
      folders: ['.copilot'],
      which: "a project's, not the user's",
    },
  ],
  plugins: ({ folder, json }) => {
    const { plugins } = json(join(folder, 'plugins/installed_plugins.json'));
    const paths = (value: JsonValue | undefined): string[] =>
      Array.isArray(value)
        ? value.flatMap(paths)
        : isObject(value)
          ? typeof value.installPath === 'string'
            ? [value.installPath]
            : Object.values(value).flatMap(paths)
          : [];
    return paths(plugins).map((path) => join(path, 'hooks/hooks.json'));
  },
};

/**
 * Whether it runs hooks without a question: it asks nothing in a folder below a trusted one, as long as that is in the
 * same repository, or in none. Servers that come with a folder want more (servers.ts). Measured in a
 * terminal with 2.1.329.
 */
function folderTrust({ env, home, cwd, json }: TrustLook) {
  const where = join(env.CLAUDE_CONFIG_DIR || home, '.claude.json');
  const { projects } = json(where);
  const top = repositoryOf(cwd);
  const folders = top === undefined ? foldersUpFrom(cwd) : [...foldersUpTo(cwd, top), mainOf(top)];
  const isTrusted = folders.some((folder) => isTrustedIn(projects, folder));
  return { where, state: isTrusted ? 'trusted' : 'undecided' } as const;
}

/** Whether the user has said yes to the folder itself. */
export function isTrustedIn(projects: JsonValue | undefined, folder: string): boolean {
  const known = isObject(projects) && Object.hasOwn(projects, folder) && projects[folder];
  return isObject(known) && known.hasTrustDialogAccepted === true;
}
