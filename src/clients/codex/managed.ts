// https://developers.openai.com/codex/enterprise/managed-configuration: hooks in it are trusted.
// Measured on Linux with 0.169.0:
// - they run without a question, even with `allow_managed_hooks_only`, and without a `managed_dir`, which may occur only
//   once;
// - a user's `features.hooks = false` silences them;
// - there is no folder of such files (requirements.d, config.d);
// - /etc/codex/config.toml and /etc/codex/hooks.json run in the same way.
import { UNDER_HOOKS } from '../contract.ts';
import type { Managed } from '../managed.ts';

export const codex: Managed = {
  kind: 'block',
  at: {
    linux: '/etc/codex/requirements.toml',
    darwin: '/etc/codex/requirements.toml',
    win32: 'C:\\ProgramData\\OpenAI\\Codex\\requirements.toml',
  },
  format: 'toml',
  layout: UNDER_HOOKS,
};
