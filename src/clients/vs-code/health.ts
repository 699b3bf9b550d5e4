// https://code.visualstudio.com/docs/agent-customization/hooks, and chat.useHooks in
// https://code.visualstudio.com/docs/enterprise/manage-ai-settings. An administrator can switch hooks off, too: with a policy,
// which we do not read.
import { join } from 'node:path';
import { isObject } from '../../edit/edit.ts';
import type { Health, SwitchedOff, TrustLook } from '../health/health.ts';
import { vsCode as client } from './client.ts';
import { profile } from './profile.ts';

const SWITCH = 'chat.useHooks';
const LOCATIONS = 'chat.hookFilesLocations';

function off({ env, home, cwd, folder, json, list }: TrustLook): SwitchedOff[] {
  const settings = [
    join(cwd, '.vscode/settings.json'),
    join(profile({ env, home, platform: process.platform }), 'settings.json'),
  ].map((where) => ({ where, document: json(where) }));
  // The settings of a workspace override the user's, each location by itself.
  const on = settings.find(({ document }) => SWITCH in document);
  if (on?.document[SWITCH] === false)
    return [
      {
        why: `VS Code's setting ${SWITCH} is false`,
        where: on.where,
        todo: `Remove ${SWITCH}, or set it to true.`,
      },
    ];
  const places = [
    { shown: '~/.copilot/hooks', at: join(folder, 'hooks') },
    { shown: '.github/hooks', at: join(cwd, client.projectFolder, 'hooks') },
  ];
  return places.flatMap(({ shown, at }) =>
    list(at).flatMap((name) => {
      const keys = [`${shown}/${name}`, shown, `${shown}/`];
      for (const { where, document } of settings) {
        const locations = document[LOCATIONS];
        const key = isObject(locations) ? keys.find((one) => one in locations) : undefined;
        if (!isObject(locations) || key === undefined) continue;
        if (locations[key] !== false) return [];
        return {
          why: `VS Code's setting ${LOCATIONS} excludes ${key}`,
          where,
          file: join(at, name),
          todo: `Remove ${key} from ${LOCATIONS}, or set it to true.`,
        };
      }
      return [];
    }),
  );
}

export const vsCode: Health = {
  layers: [{ whose: 'user' }, { whose: 'project' }],
  switches: [],
  off,
};
