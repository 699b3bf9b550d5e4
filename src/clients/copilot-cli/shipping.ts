/** How hooks are distributed: as a package, and to all users of a machine. */

import { UNDER_HOOKS } from '../contract.ts';
import { type Bundle, type Managed, mcpServers } from '../shipping.ts';

// https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-plugin-reference, measured with 1.0.102.
export const bundle: Bundle = {
  noun: 'plugin',
  variable: 'COPILOT_PLUGIN_ROOT',
  // "powershell": https://docs.github.com/en/copilot/reference/hooks-reference
  besidePowerShell: true,
  files(contents) {
    const { name, version, description, author, hooks } = contents;
    const servers = mcpServers(contents, 'http');
    return [
      [
        '.github/plugin/marketplace.json',
        {
          name,
          owner: { name: author },
          metadata: { description },
          plugins: [{ name, source: `./${name}`, description, version }],
        },
      ],
      [
        `${name}/plugin.json`,
        {
          name,
          version,
          description,
          author: { name: author },
          hooks: 'hooks.json',
          ...(servers && { mcpServers: '.mcp.json' }),
        },
      ],
      ...(servers ? [[`${name}/.mcp.json`, { mcpServers: servers }] as const] : []),
      [`${name}/hooks.json`, { version: 1, hooks }],
    ];
  },
  // "hook session with no configured processor" in its log. With --plugin-dir it runs them there, too.
  note: 'where an editor starts it (--acp), it runs no hooks of installed plugins',
  load: (name) => [
    `copilot --plugin-dir {out}/${name}`,
    `copilot plugin marketplace add {out} && copilot plugin install ${name}@${name}`,
  ],
};

const FOLDER = '/etc/github-copilot/policy.d';

// https://docs.github.com/en/copilot/reference/hooks-reference#policy-hooks: owned by root, and not writable by other users.
// Measured on Linux with 1.0.102:
// - without `"version": 1` a file is ignored;
// - with PascalCase events, a hook with `command` does not run, and neither do the user's; with `bash` all of them do;
// - `disableAllHooks` of a project or of the user does not switch them off.
export const managed: Managed = {
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
