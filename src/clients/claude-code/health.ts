// https://code.claude.com/docs/en/settings
import { dirname, join } from 'node:path';
import { isObject, type JsonValue } from '../../edit/edit.ts';
import { foldersUpFrom, foldersUpTo, mainOf, repositoryOf } from '../../system/git/folders.ts';
import type { AlsoRunBy, FolderLook, Health, Machine } from '../health/health.ts';
import { managedHere } from '../shipping.ts';
import { hookFaults } from './hooks-shape.ts';
import { SETTINGS } from './settings-shape.ts';
import { managed as dropIns } from './shipping.ts';

const managed = (machine: Machine): string =>
  join(dirname(managedHere(dropIns, machine)), 'managed-settings.json');

const ALL = "the user's and a project's";
const also = (name: string, executables: string[], folders: string[]): AlsoRunBy => ({
  name,
  executables,
  folders,
  which: ALL,
});

export const claudeCode: Health = {
  layers: [
    { whose: 'user' },
    { whose: 'project' },
    { whose: 'local' },
    { whose: 'managed', path: managed },
    { whose: 'managed', folder: (machine) => managedHere(dropIns, machine) },
  ],
  switches: [
    { key: ['disableAllHooks'], off: true },
    { key: ['allowManagedHooksOnly'], off: true, only: 'managed' },
  ],
  faults: (document) => [...SETTINGS(document), ...hookFaults(document)],
  faulty: () => 'Claude Code ignores the whole file, silently',
  trust: {
    decide: folderTrust,
    undecided: 'in a terminal Claude Code runs no hooks until you answer its question',
    todo: 'Start claude here and trust the folder (`claude -p` needs no trust).',
  },
  alsoRunBy: [
    { ...also('VS Code', ['code'], []), id: 'vs-code' },
    {
      ...also('Cursor', ['cursor', 'cursor-agent'], ['.cursor']),
      id: 'cursor',
      which: `${ALL}, when configurations of others are switched on in it`,
    },
    also('Devin', ['devin'], ['.config/devin']),
    also('Grok Build', ['grok'], ['.grok']),
    {
      ...also('GitHub Copilot CLI', ['copilot'], ['.copilot']),
      id: 'copilot-cli',
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
 * Claude Code does not ask in a folder below a trusted one if both are in the same repository, or in none. Measured in a
 * terminal with 2.1.329.
 */
function folderTrust({ cwd, json, ...machine }: FolderLook) {
  const where = recordsFile(machine);
  const { projects } = json(where);
  const top = repositoryOf(cwd);
  const folders = top === undefined ? foldersUpFrom(cwd) : [...foldersUpTo(cwd, top), mainOf(top)];
  const isTrusted = folders.some((folder) => isTrustedIn(projects, folder));
  return { where, state: isTrusted ? 'trusted' : 'undecided' } as const;
}

/** The file with Claude Code's own records of projects, and with the user's servers. */
export const recordsFile = ({ env, home }: Pick<Machine, 'env' | 'home'>): string =>
  join(env.CLAUDE_CONFIG_DIR || home, '.claude.json');

/** Whether the user has trusted this exact folder. */
export function isTrustedIn(projects: JsonValue | undefined, folder: string): boolean {
  const known = isObject(projects) && Object.hasOwn(projects, folder) && projects[folder];
  return isObject(known) && known.hasTrustDialogAccepted === true;
}
