// https://github.com/google-gemini/gemini-cli/blob/main/docs/reference/configuration.md. Measured on Linux with 0.61.0:
// - hooks of the system's settings run together with the user's;
// - a user's `hooksConfig.enabled: false` silences them, unless it is `true` in this file;
// - there is no folder of such files (settings.d), and no extensions for the whole machine.
// GEMINI_CLI_SYSTEM_SETTINGS_PATH names another file. The other paths are from its program.
import { UNDER_HOOKS } from '../contract.ts';
import type { Managed } from '../managed.ts';

export const geminiCli: Managed = {
  kind: 'whole',
  at: {
    linux: '/etc/gemini-cli/settings.json',
    darwin: '/Library/Application Support/GeminiCli/settings.json',
    win32: 'C:\\ProgramData\\gemini-cli\\settings.json',
  },
  format: 'json',
  layout: UNDER_HOOKS,
};
