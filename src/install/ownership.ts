/** Which hook groups in a client's file are ours, and whose of ours: told by value, so that every reformatting leaves it. */

import { basename, dirname } from 'node:path';
import { type Places, runnerFolder } from '../clients/places.ts';
import { runnersIn, slashed, startedBy } from '../compile/command.ts';
import { LABEL } from '../declaration/declaration.ts';
import type { JsonValue } from '../edit/edit.ts';
import { isObject } from '../edit/value.ts';

type Whose = (group: JsonValue) => string | undefined;

/**
 * Whose a native hook group is: the label whose runner its commands start. Each of them is to the last character one
 * that we write; a group with anything else in it is the user's.
 */
export function ownership(places: Places): Whose {
  return (group) => {
    const labels = handlersOf(group).map((handler) => {
      const [first, ...others] = commandsOf(handler).map((command) => {
        const file = startedBy(command);
        return file === undefined ? undefined : labelOf(slashed(file, places.state), places);
      });
      return others.every((label) => label === first) ? first : undefined;
    });
    return labels.every((label) => label === labels[0]) ? labels[0] : undefined;
  };
}

/** The label whose runner a group names that is not ours: an entry of ours to which somebody has done something. */
export function mentioned(places: Places): Whose {
  const ownerOf = ownership(places);
  return (group) => {
    const named = handlersOf(group)
      .flatMap(commandsOf)
      .flatMap((command) => runnersIn(command, places.state))
      .map((file) => labelOf(file, places))
      .find((label) => label !== undefined);
    return named === undefined || ownerOf(group) !== undefined ? undefined : named;
  };
}

/** Whether a group is one that we write for a label, wherever our folder is or was. */
export const isFormOf = (label: string, group: JsonValue | undefined): boolean => {
  const commands = group === undefined ? [] : handlersOf(group).map(commandsOf);
  const isOurs = (command: string) => basename(dirname(startedBy(command) ?? '')) === label;
  return commands.length > 0 && commands.every((all) => all.length > 0 && all.every(isOurs));
};

const handlersOf = (group: JsonValue): readonly JsonValue[] =>
  isObject(group) && Array.isArray(group.hooks) ? group.hooks : [];

/** All that a handler has run: Codex has a command for Windows besides. */
const commandsOf = (handler: JsonValue): string[] =>
  isObject(handler)
    ? [handler.command, handler.commandWindows, handler.command_windows].filter(
        (command) => typeof command === 'string',
      )
    : [];

/** @param file A path with slashes. */
function labelOf(file: string, places: Places): string | undefined {
  const folder = dirname(file);
  const label = basename(folder);
  const ours = LABEL.test(label) && folder === slashed(runnerFolder(places, label), places.state);
  return ours && RUNNER.test(basename(file)) ? label : undefined;
}

/** What is started of a runner: a first stage, in earlier versions one for all events, or the second stage. */
const RUNNER = /^(?:[a-z-]+\.\w+\.sh|run\.sh|runner\.cjs)$/;
