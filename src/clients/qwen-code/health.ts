// https://github.com/QwenLM/qwen-code/blob/main/docs/users/configuration/settings.md, measured with 0.24.4.
import { join } from 'node:path';
import { byRules, extensionFiles, layersOf } from '../gemini-shaped.ts';
import type { Health } from '../health/health.ts';
import { managed } from './shipping.ts';

export const qwenCode: Health = {
  layers: layersOf('QWEN_CODE', managed),
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
  plugins: extensionFiles('.qwen-extension-install.json', 'qwen-extension.json'),
};
