/** How hooks are distributed: as a package, and to all users of a machine. */

import { UNDER_HOOKS } from '../contract.ts';
import { EXTENSION, hooksIn, serversIn } from '../gemini-shaped.ts';
import type { Bundle, Managed } from '../shipping.ts';

// https://geminicli.com/docs/extensions/reference/, measured with 0.61.0.
export const bundle: Bundle = {
  noun: 'extension',
  variable: EXTENSION,
  files(contents) {
    const { name, version, description } = contents;
    const servers = serversIn(contents);
    return [
      [
        `${name}/gemini-extension.json`,
        {
          name,
          version,
          description,
          ...(servers && { mcpServers: servers }),
        },
      ],
      [`${name}/hooks/hooks.json`, { hooks: hooksIn(contents) }],
    ];
  },
  validate: (name) => ['extensions', 'validate', name],
  load: (name) => [
    `gemini extensions install {out}/${name}`,
    `gemini extensions link {out}/${name}`,
  ],
};

// https://github.com/google-gemini/gemini-cli/blob/main/docs/reference/configuration.md. Measured on Linux with 0.61.0:
// - hooks of the system's settings run together with the user's;
// - a user's `hooksConfig.enabled: false` switches them off, unless it is `true` in this file;
// - there is no folder of such files (settings.d), and no extensions for the whole machine.
// GEMINI_CLI_SYSTEM_SETTINGS_PATH names another file. The other paths are from its program.
export const managed: Managed = {
  kind: 'whole',
  at: {
    linux: '/etc/gemini-cli/settings.json',
    darwin: '/Library/Application Support/GeminiCli/settings.json',
    win32: 'C:\\ProgramData\\gemini-cli\\settings.json',
  },
  format: 'json',
  layout: UNDER_HOOKS,
};
