/** How hooks are distributed: as a package, and to all users of a machine. */

import type { JsonObject } from '../../edit/edit.ts';
import { UNDER_HOOKS } from '../contract.ts';
import { type Bundle, type BundleContents, type Managed, mcpServers } from '../shipping.ts';

const REFERENCE = /^\$\{\w+\}$/;
const BEARER = 'Bearer ';

/**
 * Codex drops `headers`, and fills in no variables, but it has keys for headers and tokens from variables. A value with more
 * than a variable cannot be written.
 */
function serversIn(contents: BundleContents): JsonObject | undefined {
  const { label, server } = contents;
  if (!server || !('url' in server)) return mcpServers(contents);
  const { url, headers = {} } = server;
  const all = Object.entries(headers);
  const fixed = all.filter(([, value]) => !value.includes('${'));
  const named = all.flatMap(([name, value]) =>
    REFERENCE.test(value) ? [[name, value.slice(2, -1)]] : [],
  );
  const token = all.find(
    ([name, value]) =>
      /^authorization$/i.test(name) &&
      value.startsWith(BEARER) &&
      REFERENCE.test(value.slice(BEARER.length)),
  )?.[1];
  return {
    [label]: {
      url,
      ...(fixed.length > 0 && { http_headers: Object.fromEntries(fixed) }),
      ...(named.length > 0 && { env_http_headers: Object.fromEntries(named) }),
      ...(token !== undefined && { bearer_token_env_var: token.slice(BEARER.length + 2, -1) }),
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
