/** Which hook groups in a client's file are ours, and whose of ours: told by value, so that every reformatting leaves it. */

import { basename, dirname } from 'node:path';
import { runnersIn, slashed } from './compile/command.ts';
import type { JsonValue } from './edit/edit.ts';
import { type Places, runnerFolder } from './places.ts';

/** Whose a native hook group is: the label whose runner its commands start. */
export function ownership(places: Places): (group: JsonValue) => string | undefined {
  return (group) => {
    if (typeof group !== 'object' || group === null || !('hooks' in group)) return undefined;
    const { hooks } = group;
    if (!Array.isArray(hooks)) return undefined;
    const labels = hooks.map((handler: JsonValue) => {
      if (typeof handler !== 'object' || handler === null || !('command' in handler))
        return undefined;
      const [runner] =
        typeof handler.command === 'string' ? runnersIn(handler.command, places.state) : [];
      if (runner === undefined) return undefined;
      const label = basename(dirname(runner));
      const folder = slashed(runnerFolder(places, label), places.state);
      return folder === dirname(runner) ? label : undefined;
    });
    return labels.every((label) => label === labels[0]) ? labels[0] : undefined;
  };
}
