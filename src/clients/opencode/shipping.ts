/** How hooks are distributed: as a package. */

import { pluginPackage } from '../program-file.ts';
import type { Bundle, BundleContents } from '../shipping.ts';
import { CODE } from './plugin.ts';
import { opencode as servers } from './servers.ts';

/**
 * Its plugins may change its configuration, so ours can add a server. The user's own server of the same name has precedence.
 */
const withServer = ({ label, server }: BundleContents): string =>
  server === undefined
    ? ''
    : `
export const Server = async () => ({
  config: async (config) => {
    config.mcp = { ...${JSON.stringify({ [label]: servers.written?.entry(server) })}, ...config.mcp };
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
