/** How hooks are distributed: as a package, and to all users of a machine. */

import { UNDER_HOOKS } from '../contract.ts';
import { EXTENSION, hooksIn, serversIn } from '../gemini-shaped.ts';
import type { Bundle, Managed } from '../shipping.ts';

// https://github.com/QwenLM/qwen-code/blob/main/docs/users/extension/introduction.md, measured with 0.24.4.
export const bundle: Bundle = {
  noun: 'extension',
  variable: EXTENSION,
  files(contents) {
    const { name, version, description } = contents;
    const servers = serversIn(contents);
    return [
      [
        `${name}/qwen-extension.json`,
        {
          ...{ name, version, description },
          ...(servers && { mcpServers: servers }),
          hooks: hooksIn(contents),
        },
      ],
    ];
  },
  load: (name) => [`qwen extensions install {out}/${name}`],
};

// Measured on Linux with 0.24.4:
// - hooks of the system's settings run together with the user's;
// - a user's `disableAllHooks: true` switches them off, unless it is `false` in this file.
// QWEN_CODE_SYSTEM_SETTINGS_PATH names another file. The paths are from its program.
export const managed: Managed = {
  kind: 'whole',
  at: {
    linux: '/etc/qwen-code/settings.json',
    darwin: '/Library/Application Support/QwenCode/settings.json',
    win32: 'C:\\ProgramData\\qwen-code\\settings.json',
  },
  format: 'json',
  layout: UNDER_HOOKS,
};
