/** How hooks are distributed: as a package, and to all users of a machine. */

import type { JsonObject } from '../../edit/edit.ts';
import { UNDER_HOOKS } from '../contract.ts';
import { type Bundle, type BundleContents, type Managed, valuesOf } from '../shipping.ts';

/** Codex drops `headers`, and fills in no variables, but has keys for variables that it passes on (0.169.0). */
function serversIn({ label, server }: BundleContents): JsonObject | undefined {
  if (!server) return undefined;
  if ('url' in server) {
    const { fixed, variables, bearer } = valuesOf(server.headers);
    return {
      [label]: {
        url: server.url,
        ...(fixed && { http_headers: fixed }),
        ...(Object.keys(variables).length > 0 && { env_http_headers: variables }),
        ...(bearer !== undefined && { bearer_token_env_var: bearer }),
      },
    };
  }
  const { fixed, variables } = valuesOf(server.env);
  const passedOn = Object.keys(variables).filter((name) => variables[name] === name);
  return {
    [label]: {
      command: server.command,
      args: [...server.args],
      ...(fixed && { env: fixed }),
      ...(passedOn.length > 0 && { env_vars: passedOn }),
    },
  };
}

// https://developers.openai.com/codex/plugins/build, measured with 0.169.0.
export const bundle: Bundle = {
  noun: 'plugin',
  variable: 'PLUGIN_ROOT',
  // "commandWindows": https://developers.openai.com/codex/hooks
  besidePowerShell: true,
  files(contents) {
    const { name, version, description, author, hooks } = contents;
    const servers = serversIn(contents);
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

// https://developers.openai.com/codex/enterprise/managed-configuration: hooks in it are trusted.
// Measured on Linux with 0.169.0:
// - they run without a question, even with `allow_managed_hooks_only`, and without a `managed_dir`, which may occur only
//   once;
// - a user's `features.hooks = false` switches them off;
// - there is no folder of such files (requirements.d, config.d);
// - /etc/codex/config.toml and /etc/codex/hooks.json run in the same way.
export const managed: Managed = {
  kind: 'block',
  at: {
    linux: '/etc/codex/requirements.toml',
    darwin: '/etc/codex/requirements.toml',
    win32: 'C:\\ProgramData\\OpenAI\\Codex\\requirements.toml',
  },
  format: 'toml',
  layout: UNDER_HOOKS,
};
