// https://docs.github.com/en/copilot/reference/hooks-reference#policy-hooks: owned by root, and nobody else may write to them.
// Measured on Linux with 1.0.102:
// - without `"version": 1` a file is ignored;
// - with events in PascalCase a hook with `command` does not run, and neither do the user's; with `bash` all of them do;
// - `disableAllHooks` of a project or of the user does not silence them.
import { UNDER_HOOKS } from '../contract.ts';
import type { Managed } from '../managed.ts';

const FOLDER = '/etc/github-copilot/policy.d';

export const copilotCli: Managed = {
  kind: 'folder',
  at: { linux: FOLDER, darwin: FOLDER, win32: 'C:\\ProgramData\\GitHub\\Copilot\\policy.d' },
  format: 'json',
  layout: UNDER_HOOKS,
  start: '{\n  "version": 1\n}\n',
  entry: {
    shape: 'flat',
    handler: ({ command, timeout }) => ({ type: 'command', bash: command, timeoutSec: timeout }),
    commands: ['bash'],
  },
};
