/** How hooks are given to others: as a package, and to everybody on a machine. */

import { UNDER_HOOKS } from '../contract.ts';
import { type Bundle, type Managed, mcpServers, withVariable } from '../shipping.ts';

const VARIABLE = 'MCP_HOOKS_EXTENSION';

/** Qwen Code fills this into every string of the file. In a command, it would be shell text. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is theirs
const FOLDER = '${extensionPath}';

// https://github.com/QwenLM/qwen-code/blob/main/docs/users/extension/introduction.md, measured with 0.24.4.
export const bundle: Bundle = {
  noun: 'extension',
  variable: VARIABLE,
  files(contents) {
    const { name, version, description, hooks, server } = contents;
    const servers =
      server && 'url' in server
        ? { [contents.label]: { httpUrl: server.url, headers: { ...server.headers } } }
        : mcpServers(contents);
    return [
      [
        `${name}/qwen-extension.json`,
        {
          ...{ name, version, description },
          ...(servers && { mcpServers: servers }),
          hooks: withVariable(hooks, VARIABLE, FOLDER),
        },
      ],
    ];
  },
  load: (name) => [`qwen extensions install {out}/${name}`],
};

// The paths are from its program (0.24.4). QWEN_CODE_SYSTEM_SETTINGS_PATH names another file.
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
