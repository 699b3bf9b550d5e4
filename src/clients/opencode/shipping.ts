/** How hooks are distributed: as a package. */

import { pluginPackage } from '../program-file.ts';
import type { Bundle, BundleContents } from '../shipping.ts';
import { CODE } from './plugin.ts';
import { opencode as servers } from './servers.ts';

/**
 * Its plugins may change its configuration, so ours can add a server. The user's own server of the same name has precedence.
 * Only in a file does OpenCode fill in variables.
 */
const withServer = ({ label, server }: BundleContents): string =>
  server === undefined
    ? ''
    : `
import { env } from 'node:process';

const filledIn = (_, value) =>
  typeof value === 'string'
    ? value.replace(/\\$\\{(\\w+)\\}/g, (__, name) => env[name] ?? '')
    : value;

export const Server = async () => ({
  config: async (config) => {
    const own = ${JSON.stringify(JSON.stringify({ [label]: servers.written?.entry(server) }))};
    config.mcp = { ...JSON.parse(own, filledIn), ...config.mcp };
  },
});
`;

// https://opencode.ai/docs/plugins, measured with 1.18.33.
export const bundle: Bundle = {
  ...pluginPackage(CODE, {}, withServer),
  load: (name) => [
    `opencode plugin --global {out}/${name}`,
    `ln -s {out}/${name}/index.js ~/.config/opencode/plugins/${name}.js`,
  ],
};
