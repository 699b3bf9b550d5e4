// https://github.com/google-gemini/gemini-cli/blob/main/docs/reference/configuration.md
import { dirname, join } from 'node:path';
import type { FolderLook, Health } from '../health/health.ts';
import { byRules } from '../health/trusted-folders.ts';
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

function folderTrust(look: FolderLook) {
  const { env, folder, setting } = look;
  const where = env.GEMINI_CLI_TRUSTED_FOLDERS_PATH || join(folder, 'trustedFolders.json');
  if (env.GEMINI_RESTRICTED_MODE === 'true' || env.GEMINI_CLI_TRUST_WORKSPACE === 'false')
    return { where, state: 'refused' } as const;
  if (
    env.GEMINI_CLI_TRUST_WORKSPACE === 'true' ||
    setting('security', 'folderTrust', 'enabled') === false
  )
    return { where, state: 'trusted' } as const;
  return byRules(where, look);
}
