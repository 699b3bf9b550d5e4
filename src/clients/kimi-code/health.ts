// https://moonshotai.github.io/kimi-code/en/customization/hooks, measured with 2.1.0.
import { join } from 'node:path';
import { isObject, type JsonObject } from '../../edit/edit.ts';
import { knownEvents } from '../contract.ts';
import type { Fault, Health } from '../health/health.ts';
import * as is from '../health/shapes.ts';
import { kimiCode as client } from './client.ts';

const ROW = is.fields(
  {
    event: is.word(...knownEvents(client)),
    matcher: is.text,
    command: is.matching(/[\s\S]/, 'is not a text'),
    timeout: is.anyOf('is not a whole number from 1 to 600', (value) => [
      ...is.integer(1)(value),
      ...is.within((seconds) => seconds <= 600, 'up to 600')(value),
    ]),
  },
  'event',
  'command',
);
const KEYS = ['event', 'matcher', 'command', 'timeout'];

/** A mistake in any row makes it drop all rows. */
const faultsIn = ({ hooks }: JsonObject): Fault[] => {
  if (hooks === undefined) return [];
  const unknown = (Array.isArray(hooks) ? hooks : []).flatMap((row, at) =>
    isObject(row)
      ? Object.keys(row)
          .filter((key) => !KEYS.includes(key))
          .map((key) => ({ path: [at, key], what: 'is a key that Kimi Code does not know there' }))
      : [],
  );
  return [...is.list(ROW)(hooks), ...unknown].map((fault) => ({
    ...fault,
    path: ['hooks', ...fault.path],
    lost: 'hooks',
  }));
};

export const kimiCode: Health = {
  layers: [{ whose: 'user' }],
  switches: [],
  faults: faultsIn,
  plugins: ({ folder, json }) => {
    const { plugins } = json(join(folder, 'plugins/installed.json'));
    return (Array.isArray(plugins) ? plugins : []).flatMap((one) =>
      isObject(one) && typeof one.root === 'string' ? [join(one.root, 'kimi.plugin.json')] : [],
    );
  },
};
