// https://docs.factory.ai/reference/hooks-reference, and its program (0.215.0).
import { basename, join } from 'node:path';
import { isObject } from '../../edit/edit.ts';
import { knownEvents } from '../contract.ts';
import { isUnder } from '../health/folder-trust.ts';
import type { Fault, Health } from '../health/health.ts';
import * as is from '../health/shapes.ts';
import { droid as client } from './client.ts';

const GROUP = is.groupOf(
  is.variants({ command: is.fields({ command: is.text, timeout: is.number }, 'command') }),
  { commandRegex: is.text },
);
const EVENTS = knownEvents(client);

export const droid: Health = {
  // One file for each installed plugin.
  plugins: ({ folder, list, json }) => {
    const installed = join(folder, 'plugins/installed_plugins');
    return list(installed).flatMap((name) => {
      const { entry } = json(join(installed, name));
      const path = isObject(entry) ? entry.installPath : undefined;
      return typeof path === 'string' ? [join(path, 'hooks/hooks.json')] : [];
    });
  },
  layers: [{ whose: 'user' }, { whose: 'project' }],
  switches: [
    { key: ['hooksDisabled'], off: true },
    { key: ['hooks', 'hooksDisabled'], off: true },
  ],
  // A single mistake makes it ignore all hooks in the file.
  faults: (document, file): readonly Fault[] => {
    const { user } = client.placement.files;
    const { layout } = user.find(({ name }) => basename(name) === basename(file)) ?? user[0];
    return EVENTS.flatMap((event) => is.faultsUnder(document, event, GROUP, layout)).map(
      (fault) => ({ ...fault, lost: 'hooks' as const }),
    );
  },
  trust: {
    decide: ({ cwd, folder, json }) => {
      const where = join(folder, 'settings.json');
      const { trustedFolders } = json(where);
      const trusted = Object.keys(isObject(trustedFolders) ? trustedFolders : {});
      const isTrusted = trusted.some((rule) => isUnder(cwd, rule));
      return { where, state: isTrusted ? 'trusted' : 'undecided' };
    },
    undecided:
      'Factory Droid asks in a terminal and runs no hooks until you answer; `droid exec` runs them',
    todo: 'Start droid here and trust the folder.',
  },
};
