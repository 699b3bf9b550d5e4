/** How hooks are distributed: as a package. */

import { pluginPackage } from '../program-file.ts';
import type { Bundle } from '../shipping.ts';
import { CODE } from './plugin.ts';

// https://docs.cline.bot/cline-cli/plugins, and its program (3.0.65).
export const bundle: Bundle = {
  ...pluginPackage(CODE, { cline: { plugins: ['./index.js'] } }),
  load: (name) => [`cline plugin install {out}/${name}`],
};
