// https://developers.openai.com/codex/plugins/build, measured with 0.169.0.
import { type Bundle, mcpServers } from '../bundle.ts';

export const codex: Bundle = {
  noun: 'plugin',
  variable: 'PLUGIN_ROOT',
  // "commandWindows": https://developers.openai.com/codex/hooks
  besidePowerShell: true,
  files(contents) {
    const { name, version, description, author, hooks } = contents;
    const servers = mcpServers(contents);
    return [
      [
        '.agents/plugins/marketplace.json',
        {
          name,
          interface: { displayName: name },
          plugins: [
            {
              name,
              source: { source: 'local', path: `./${name}` },
              policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
              category: 'Productivity',
            },
          ],
        },
      ],
      [
        `${name}/.codex-plugin/plugin.json`,
        {
          name,
          version,
          description,
          author: { name: author },
          ...(servers && { mcpServers: './.mcp.json' }),
          hooks: './hooks/hooks.json',
        },
      ],
      ...(servers ? [[`${name}/.mcp.json`, { mcpServers: servers }] as const] : []),
      [`${name}/hooks/hooks.json`, { hooks }],
    ];
  },
  load: (name) => [`codex plugin marketplace add {out} && codex plugin add ${name}@${name}`],
  note: 'it runs the hooks of a plugin only after the user has trusted them, in /hooks',
};
