// https://code.claude.com/docs/en/plugins-reference and https://code.claude.com/docs/en/plugin-marketplaces, measured with 2.1.329.
import { type Bundle, mcpServers } from '../bundle.ts';

export const claudeCode: Bundle = {
  noun: 'plugin',
  // In the environment of its hooks; a shell fills it in.
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
