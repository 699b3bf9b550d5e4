/** How hooks are distributed: as a package, and to all users of a machine. */

import { UNDER_HOOKS } from '../contract.ts';
import { type Bundle, type Managed, mcpServers } from '../shipping.ts';

// https://code.claude.com/docs/en/plugins-reference and https://code.claude.com/docs/en/plugin-marketplaces, measured with 2.1.329.
export const bundle: Bundle = {
  noun: 'plugin',
  // In the environment of its hooks; a shell expands it.
  variable: 'CLAUDE_PLUGIN_ROOT',
  files(contents) {
    const { name, version, description, author, hooks } = contents;
    const servers = mcpServers(contents, 'http');
    const owner = { name: author };
    return [
      [
        '.claude-plugin/marketplace.json',
        {
          name,
          owner,
          description,
          plugins: [{ name, source: `./${name}`, description }],
        },
      ],
      [`${name}/.claude-plugin/plugin.json`, { name, version, description, author: owner }],
      ...(servers ? [[`${name}/.mcp.json`, { mcpServers: servers }] as const] : []),
      [`${name}/hooks/hooks.json`, { description, hooks }],
    ];
  },
  validate: (name) => ['plugin', 'validate', name],
  load: (name) => [
    `claude --plugin-dir {out}/${name}`,
    `claude plugin marketplace add {out} && claude plugin install ${name}@${name}`,
  ],
};

// https://code.claude.com/docs/en/settings: hooks of all files count, including the user's. Measured on Linux with 2.1.329:
// - the folder is read without a managed-settings.json next to it, and in spite of a user's `disableAllHooks`;
// - with `allowManagedHooksOnly` these hooks still run;
// - if any file of the folder is not a JSON object, Claude Code does not start.
// The other paths are from its program.
export const managed: Managed = {
  kind: 'folder',
  at: {
    linux: '/etc/claude-code/managed-settings.d',
    darwin: '/Library/Application Support/ClaudeCode/managed-settings.d',
    win32: 'C:\\Program Files\\ClaudeCode\\managed-settings.d',
  },
  format: 'json',
  layout: UNDER_HOOKS,
};
