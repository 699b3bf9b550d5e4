// https://code.claude.com/docs/en/settings
import { join } from 'node:path';
import type { JsonValue } from '../../edit/edit.ts';
import { isObject } from '../../edit/value.ts';
import { foldersUpFrom, foldersUpTo, mainOf, repositoryOf } from '../servers/folders.ts';
import { faultsUnder } from './faults.ts';
import type { Fault, Health, Machine, TrustLook } from './health.ts';

const managed = ({ root }: Machine): string =>
  process.platform === 'darwin'
    ? `${root}/Library/Application Support/ClaudeCode/managed-settings.json`
    : `${root}/etc/claude-code/managed-settings.json`;

/** Events under which one bad entry voids the whole file; under others only the entry is dropped. */
const STRICT = ['PreToolUse', 'PermissionRequest'];
const TYPES: Readonly<Record<string, readonly string[]>> = {
  command: ['command'],
  http: ['url'],
  mcp_tool: ['server', 'tool'],
  prompt: ['prompt'],
  agent: ['prompt'],
};
const WORDS: Readonly<Record<string, readonly string[]>> = {
  shell: ['bash', 'powershell'],
  onFailure: ['continue', 'block'],
};
const isAboveZero = (value: JsonValue): boolean => typeof value === 'number' && value > 0;

/** Settings of another type than these void the file, whatever they are about. Measured; there are more. */
const SETTINGS: Readonly<Record<string, 'boolean' | 'number' | 'string' | 'object'>> = {
  allowManagedHooksOnly: 'boolean',
  apiKeyHelper: 'string',
  cleanupPeriodDays: 'number',
  disableAllHooks: 'boolean',
  enableAllProjectMcpServers: 'boolean',
  enabledPlugins: 'object',
  env: 'object',
  includeCoAuthoredBy: 'boolean',
  language: 'string',
  model: 'string',
  outputStyle: 'string',
  permissions: 'object',
  sandbox: 'object',
  statusLine: 'object',
};

export const claudeCode: Health = {
  layers: [
    { whose: 'user' },
    { whose: 'project' },
    { whose: 'local', path: ({ cwd }) => join(cwd, '.claude/settings.local.json') },
    { whose: 'managed', path: managed },
  ],
  switches: [
    { key: ['disableAllHooks'], off: true },
    { key: ['allowManagedHooksOnly'], off: true, only: 'managed' },
  ],
  faults: (document): Fault[] => [
    ...Object.entries(SETTINGS).flatMap(([key, type]) => {
      const value = document[key];
      const fits = type === 'object' ? isObject(value) : typeof value === type;
      return value === undefined || fits ? [] : [{ path: [key], what: `is no ${type}` }];
    }),
    ...STRICT.flatMap((event) =>
      faultsUnder(document, event, { types: TYPES, words: WORDS, timeout: isAboveZero }),
    ),
  ],
  faulty: () => 'Claude Code ignores the whole file, silently',
  trust: {
    of: 'all',
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
    return paths(plugins);
  },
};

/**
 * Whether it runs hooks without a question: it asks nothing in a folder below a trusted one, as long as that is in the
 * same repository, or in none. Servers that come with a folder want more (../servers/claude-code.ts). Measured in a
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
