// https://github.com/google-gemini/gemini-cli/blob/main/docs/reference/configuration.md
import { join } from 'node:path';
import { byRules, extensionFiles, layersOf } from '../gemini-shaped.ts';
import type { FolderLook, Health } from '../health/health.ts';
import { managed } from './shipping.ts';

export const geminiCli: Health = {
  layers: layersOf('GEMINI_CLI', managed),
  stops: () => true,
  switches: [{ key: ['hooksConfig', 'enabled'], off: false }],
  disabled: ['hooksConfig', 'disabled'],
  trust: {
    decide: folderTrust,
    undecided:
      'Gemini CLI asks in a terminal and runs no hooks until you answer; without a terminal it does not start',
    todo: 'Start gemini here and trust the folder.',
  },
  plugins: extensionFiles('.gemini-extension-install.json', 'hooks/hooks.json'),
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
