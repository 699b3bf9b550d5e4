// https://code.claude.com/docs/en/settings: hooks of all files count, the user's as well. Measured on Linux with 2.1.329:
// - the folder is read without a managed-settings.json next to it, and in spite of a user's `disableAllHooks`;
// - with `allowManagedHooksOnly` these hooks still run;
// - if any file of the folder is not a JSON object, Claude Code does not start.
// The other paths are from its program.
import { UNDER_HOOKS } from '../contract.ts';
import type { Managed } from '../managed.ts';

export const claudeCode: Managed = {
  kind: 'folder',
  at: {
    linux: '/etc/claude-code/managed-settings.d',
    darwin: '/Library/Application Support/ClaudeCode/managed-settings.d',
    win32: 'C:\\Program Files\\ClaudeCode\\managed-settings.d',
  },
  format: 'json',
  layout: UNDER_HOOKS,
};
