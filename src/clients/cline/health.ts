// Its program (3.0.65).
import { join } from 'node:path';
import type { Health } from '../health/health.ts';
import { cline as client } from './client.ts';
import { PLUGIN } from './plugin.ts';
import { dataFolder } from './servers.ts';

export const cline: Health = {
  layers: [{ whose: 'user' }, { whose: 'project' }],
  switches: [],
  // Its list of plugins switches them on and off.
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
