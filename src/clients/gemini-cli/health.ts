// https://github.com/google-gemini/gemini-cli/blob/main/docs/reference/configuration.md
import { dirname, join } from 'node:path';
import { isUnder } from '../health/folder-trust.ts';
import type { FolderLook, Health } from '../health/health.ts';
import { managedHere } from '../shipping.ts';
import { managed } from './shipping.ts';

export const geminiCli: Health = {
  layers: [
    {
      whose: 'defaults',
      path: (machine) =>
        machine.env.GEMINI_CLI_SYSTEM_DEFAULTS_PATH ||
        join(dirname(managedHere(managed, machine)), 'system-defaults.json'),
    },
    { whose: 'user' },
    { whose: 'project' },
    {
      whose: 'managed',
      path: (machine) =>
        machine.env.GEMINI_CLI_SYSTEM_SETTINGS_PATH || managedHere(managed, machine),
    },
  ],
  stops: () => true,
  switches: [{ key: ['hooksConfig', 'enabled'], off: false }],
  disabled: ['hooksConfig', 'disabled'],
  trust: {
    decide: folderTrust,
    undecided:
      'Gemini CLI asks in a terminal and runs no hooks until you answer; without a terminal it does not start',
    todo: 'Start gemini here and trust the folder.',
  },
  plugins: ({ folder, list, json }) => {
    const extensions = join(folder, 'extensions');
    return list(extensions).map((name) => {
      const own = join(extensions, name);
      const { type, source } = json(join(own, '.gemini-extension-install.json'));
      const linked = type === 'link' && typeof source === 'string' ? source : undefined;
      return join(linked ?? own, 'hooks/hooks.json');
    });
  },
};

const LEVELS = ['TRUST_FOLDER', 'TRUST_PARENT', 'DO_NOT_TRUST'];

/** The longest rule that is about the folder or one above it decides; links in it are followed. */
function folderTrust({ env, cwd, folder, json, setting }: FolderLook) {
  const where = env.GEMINI_CLI_TRUSTED_FOLDERS_PATH || join(folder, 'trustedFolders.json');
  if (env.GEMINI_RESTRICTED_MODE === 'true' || env.GEMINI_CLI_TRUST_WORKSPACE === 'false')
    return { where, state: 'refused' } as const;
  if (
    env.GEMINI_CLI_TRUST_WORKSPACE === 'true' ||
    setting('security', 'folderTrust', 'enabled') === false
  )
    return { where, state: 'trusted' } as const;
  const [, level] = Object.entries(json(where))
    .filter(
      ([rule, level]) =>
        LEVELS.some((known) => known === level) &&
        isUnder(cwd, level === 'TRUST_PARENT' ? dirname(rule) : rule),
    )
    .sort(([a], [b]) => b.length - a.length)[0] ?? ['', undefined];
  if (level === 'DO_NOT_TRUST') return { where, state: 'refused' } as const;
  return { where, state: level === undefined ? 'undecided' : 'trusted' } as const;
}
