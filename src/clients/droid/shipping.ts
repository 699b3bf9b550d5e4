/** How hooks are distributed: as a package. */

import { type Bundle, mcpServers, withHandlers } from '../shipping.ts';

const FOLDER = 'DROID_PLUGIN_ROOT';

/**
 * The folder is only filled in where a command contains the variable. In the environment, the variable is set to an error text.
 * The runner reads it, so the command sets it.
 */
const located = `${FOLDER}="\${${FOLDER}}"; `;

// https://docs.factory.ai/cli/configuration/plugins, and its program; measured with 0.215.0.
export const bundle: Bundle = {
  noun: 'plugin',
  variable: FOLDER,
  files(contents) {
    const { name, version, description, author } = contents;
    const hooks = withHandlers(contents.hooks, ({ command, ...handler }) => ({
      ...handler,
      command: `${located}${command}`,
    }));
    const servers = mcpServers(contents, 'http');
    const owner = { name: author };
    return [
      [
        '.factory-plugin/marketplace.json',
        { name, owner, description, plugins: [{ name, source: `./${name}`, description }] },
      ],
      [`${name}/.factory-plugin/plugin.json`, { name, version, description, author: owner }],
      ...(servers ? [[`${name}/mcp.json`, { mcpServers: servers }] as const] : []),
      [`${name}/hooks/hooks.json`, { hooks }],
    ];
  },
  // Measured: "Marketplace "droid" is already registered from a different source".
  note: 'it names a marketplace after its folder, and takes only one of each name: rename the folder of another package, and install from @<its new name>',
  load: (name) => [`droid plugin marketplace add {out} && droid plugin install ${name}@droid`],
};
