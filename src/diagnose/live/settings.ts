/**
 * The user's file of settings as a session of ours may have it: with everything for which the client might drop it, and
 * with `true` in the place of every command that is not ours.
 */

import type { Client, ConfigFile } from '../../clients/contract.ts';
import type { ClientDriver } from '../../clients/driver/driver.ts';
import type { ConfiguredHook } from '../../clients/entries.ts';
import { isObject, type JsonObject, type JsonValue, type Placed, splice } from '../../edit/edit.ts';
import { FORMATS } from '../../edit/formats.ts';
import { decode } from '../../edit/text.ts';
import { eventsOf } from '../../edit/value.ts';

const NOTHING = 'true';
/** Names of settings whose values are run. */
const RUN = /command|helper$|export$|refresh$|wrapper$|^script$/i;

/** What a file is made of. */
export interface Given {
  readonly client: Client;
  readonly driver: Pick<ClientDriver, 'keeps'>;
  /** The user's. */
  readonly bytes: Buffer;
  /** What the client needs to run here; null: nothing. */
  readonly prepared: string | null;
  /** The entries of the label in the file. */
  readonly ours: readonly ConfiguredHook[];
  /** Turns the path of the user's state folder into that of the copy. */
  readonly move: (text: string) => string;
}

export function settingsFor({ name, format, dialect }: ConfigFile, given: Given): string {
  const { client, driver, bytes, prepared, ours, move } = given;
  const { read, insert } = FORMATS[format];
  const document = read(decode(bytes), dialect);
  const others = driver.keeps?.(withoutHooks(document), name);
  const base =
    others && format === 'json'
      ? `${JSON.stringify({ ...read(prepared ?? '{}', dialect), ...quiet(others) }, null, 2)}\n`
      : (prepared ?? (format === 'json' ? '{}\n' : ''));
  const placed = [...eventsOf(document)].flatMap(([event, groups]): Placed[] =>
    groups.flatMap((group, index) => {
      const isOurs = (at: number) =>
        ours.some((o) => o.native === event && o.index === index && o.handlerIndex === at);
      return isObject(group) ? [{ event, group: groupFor(client, group, isOurs, move) }] : [];
    }),
  );
  // One after the other, because each goes behind what its event has.
  return placed.reduce((text, one) => splice(text, insert(text, [one])), base);
}

function groupFor(
  { entry }: Client,
  group: JsonObject,
  isOurs: (handler: number) => boolean,
  move: (text: string) => string,
): JsonObject {
  const handlerFor = (handler: JsonObject, at: number) => {
    if (isOurs(at)) return moved(handler, move);
    return handler.type === 'command' ? quiet(handler) : { type: 'command', command: NOTHING };
  };
  if (entry.shape === 'flat') return handlerFor(group, 0);
  if (!Array.isArray(group.hooks)) return group;
  const hooks = group.hooks.map((handler: JsonValue, at) =>
    isObject(handler) ? handlerFor(handler, at) : handler,
  );
  return { ...group, hooks };
}

const moved = (handler: JsonObject, move: (text: string) => string): JsonObject =>
  Object.fromEntries(
    Object.entries(handler).map(([key, value]): [string, JsonValue] => [
      key,
      typeof value === 'string' ? move(value) : value,
    ]),
  );

/** The same settings, and nothing in them is run. */
const quiet = (settings: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(settings).map(([key, value]): [string, JsonValue] => {
      if (typeof value === 'string') return [key, RUN.test(key) ? NOTHING : value];
      return [key, isObject(value) ? quiet(value) : value];
    }),
  );

const withoutHooks = ({ hooks: _, ...others }: JsonObject): JsonObject => others;
