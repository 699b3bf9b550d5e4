// https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-plugin-reference, measured with 1.0.102.
import { type Bundle, mcpServers } from '../bundle.ts';

export const copilotCli: Bundle = {
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
