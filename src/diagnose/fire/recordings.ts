/** What real clients sent to hooks on stdin (fixtures/events), and the same as if it happened here and now. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Client, Wire } from '../../clients/contract.ts';
import { valueAt } from '../../clients/payload.ts';
import { escapeRegex } from '../../compile/glob.ts';
import { isObject, type JsonObject, type JsonValue } from '../../edit/edit.ts';
import { UserError } from '../../system/errors.ts';
import { EVENTS } from '../../system/package-files.ts';
import type { DiagnoseMessage } from '../messages.ts';

export interface Recording {
  /** The native event, and what distinguishes the recording: `<event>`, `<event>.mcp`. */
  readonly name: string;
  readonly payload: JsonObject;
}

/**
 * The recordings of a native event, read once, the ordinary one first.
 *
 * @throws UserError for a client without any recordings.
 */
export function recordings({ id }: Client, native: string): readonly Recording[] {
  const key = `${id}.${native}`;
  const found = known.get(key) ?? readRecordings(id, native);
  known.set(key, found);
  return found;
}

const known = new Map<string, readonly Recording[]>();

function readRecordings(id: string, native: string): Recording[] {
  const folder = join(EVENTS, id);
  if (!existsSync(folder)) throw new UserError<DiagnoseMessage>({ code: 'no-recordings', id });
  return readdirSync(folder)
    .filter((file) => file.startsWith(`${native}.`) && file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort()
    .flatMap((name) => {
      const payload: JsonValue = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
      return isObject(payload) ? [{ name, payload }] : [];
    });
}

/** Where a moment is made to happen. */
export interface Scene {
  readonly cwd: string;
  readonly home: string;
  readonly session: string;
}

/** The payload for another folder, home and session. The session stays the first key, which the first stage expects. */
export function replayed(wire: Pick<Wire, 'cwd' | 'session'>, payload: JsonObject, scene: Scene) {
  const [cwd, session] = [wire.cwd, wire.session].map((path) => valueAt(payload, path));
  const to: Readonly<Record<string, string>> = {
    ...(typeof session === 'string' && { [session]: scene.session }),
    ...(typeof cwd === 'string' && { [cwd]: scene.cwd, [dirname(cwd)]: scene.home }),
  };
  if (Object.keys(to).length === 0) return payload;
  const known = new RegExp(Object.keys(to).map(escapeRegex).join('|'), 'g');
  const moved = (text: string) => text.replace(known, (found) => to[found] ?? found);
  return mapStrings(payload, moved);
}

function mapStrings(object: JsonObject, change: (text: string) => string): JsonObject {
  const map = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return change(value);
    if (Array.isArray(value)) return value.map(map);
    return isObject(value) ? mapStrings(value, change) : value;
  };
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
