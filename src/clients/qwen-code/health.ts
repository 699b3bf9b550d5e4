// https://github.com/QwenLM/qwen-code/blob/main/docs/users/configuration/settings.md, measured with 0.24.4.
import { dirname, join } from 'node:path';
import type { Health } from '../health/health.ts';
import { byRules } from '../health/trusted-folders.ts';
import { managedHere } from '../shipping.ts';
import { managed } from './shipping.ts';

export const qwenCode: Health = {
  layers: [
    {
      whose: 'defaults',
      path: (machine) =>
        machine.env.QWEN_CODE_SYSTEM_DEFAULTS_PATH ||
        join(dirname(managedHere(managed, machine)), 'system-defaults.json'),
    },
    { whose: 'user' },
    { whose: 'project' },
    {
      whose: 'managed',
      path: (machine) =>
        machine.env.QWEN_CODE_SYSTEM_SETTINGS_PATH || managedHere(managed, machine),
    },
  ],
  stops: () => true,
  switches: [{ key: ['disableAllHooks'], off: true }],
  trust: {
    decide: (look) => {
      const { env, folder, setting } = look;
      const where = env.QWEN_CODE_TRUSTED_FOLDERS_PATH || join(folder, 'trustedFolders.json');
      return setting('security', 'folderTrust', 'enabled') === true
        ? byRules(where, look)
        : { where, state: 'trusted' };
    },
    undecided: 'Qwen Code asks in a terminal and runs no hooks of the project until you answer',
    onlyProjects: true,
    todo: 'Start qwen here and trust the folder.',
  },
  plugins: ({ folder, list, json }) => {
    const extensions = join(folder, 'extensions');
    return list(extensions).map((name) => {
      const own = join(extensions, name);
      const { type, source } = json(join(own, '.qwen-extension-install.json'));
      const linked = type === 'link' && typeof source === 'string' ? source : undefined;
      return join(linked ?? own, 'qwen-extension.json');
    });
  },
};
