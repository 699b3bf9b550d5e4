// Its program (3.0.65).
import { join } from 'node:path';
import { isObject } from '../../edit/edit.ts';
import type { Health } from '../health/health.ts';
import { cline as client } from './client.ts';
import { PLUGIN } from './plugin.ts';
import { dataFolder } from './servers.ts';

export const cline: Health = {
  layers: [{ whose: 'user' }, { whose: 'project' }],
  switches: [],
  // An installed plugin is copied below a folder named after its source, next to a package.json that lists what to load.
  plugins: ({ folder, cwd, list, json }) => {
    const below = (at: string) => list(at).map((name) => join(at, name));
    const copies = [folder, join(cwd, client.projectFolder)]
      .map((at) => join(at, 'plugins/_installed'))
      .flatMap(below)
      .flatMap(below);
    return copies.flatMap((copy) => {
      const { cline: own } = json(join(copy, 'package.json'));
      const plugins = isObject(own) && Array.isArray(own.plugins) ? own.plugins : [];
      return plugins
        .flatMap((one) => (isObject(one) && Array.isArray(one.paths) ? one.paths : []))
        .flatMap((path) => (typeof path === 'string' ? [join(copy, path)] : []));
    });
  },
  // Its list of plugins enables and disables them.
  off: ({ env, home, cwd, json }) => {
    const data = dataFolder(env, home, process.platform);
    const where = env.CLINE_GLOBAL_SETTINGS_PATH || join(data, 'settings', 'global-settings.json');
    const { disabledPlugins } = json(where);
    const disabled = Array.isArray(disabledPlugins) ? disabledPlugins : [];
    return [client.userFolder(env, home, process.platform), join(cwd, client.projectFolder)]
      .map((folder) => join(folder, PLUGIN.name))
      .filter((file) => disabled.includes(file))
      .map((file) => ({
        why: 'its plugin is disabled in Cline',
        where,
        file,
        todo: `Remove ${file} from disabledPlugins.`,
      }));
  },
};
