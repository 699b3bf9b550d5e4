/** Whether a client reads one of its settings files. Install, verify and doctor all use this answer. */

import { basename } from 'node:path';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { type JsonObject, type Layout, position, Refusal } from '../../edit/edit.ts';
import { withoutBom } from '../../edit/text.ts';
import { groupAt } from '../../edit/value.ts';
import { type Client, HANDLERS } from '../contract.ts';
import type { ClientMessage } from '../messages.ts';
import { healthOf } from '../registry.ts';
import type { Fault } from './health.ts';

/** A file that the client can parse. */
export interface Parsed {
  readonly path: string;
  readonly text: string;
  readonly document: JsonObject;
}

/** All mistakes in a file that make the client drop something. */
export const faultsIn = (client: Client, { path, document }: Parsed): readonly Fault[] =>
  healthOf(client).faults?.(document, path) ?? [];

/**
 * Why a file's hooks are not read, with one refusal per mistake. By default, mistakes that cost a single entry do not count.
 */
export function unread(
  client: Client,
  file: Parsed,
  counts: (fault: Fault) => boolean = ({ lost }) => lost !== 'entry',
): Refusal[] {
  return faultsIn(client, file)
    .filter(counts)
    .map(({ path, what, lost: dropped }) => {
      const { line, column } = placeOf(file, path);
      const whole = healthOf(client).faulty?.(file.path) ?? '';
      const lost = dropped ?? 'file';
      const facts = { client: client.name, path: path.join('.'), what, lost, whole } as const;
      return new Refusal<ClientMessage>({ code: 'settings-fault', ...facts }, line, column);
    });
}

export const stopsAt = (client: Client, path: string): boolean =>
  healthOf(client).stops?.(path) ?? false;

/** Whether the client drops one handler and nothing else. */
export type Dropped = (native: string, group: number, handler: number) => boolean;

export function droppedIn(client: Client, file: Parsed, layout: Layout): Dropped {
  const lost = faultsIn(client, file)
    .filter((fault) => fault.lost === 'entry')
    .map(({ path }) => groupAt(file.document, path, layout));
  return (native, group, handler) =>
    lost.some((at) => {
      if (at?.event !== native || (at.index !== undefined && at.index !== group)) return false;
      const [key, index] = at.inside;
      return key !== HANDLERS || index === undefined || index === handler;
    });
}

/** A value's position, if the format has positions. */
function placeOf(
  { path, text }: Parsed,
  keys: readonly (string | number)[],
): { line?: number; column?: number } {
  if (!basename(path).endsWith('.json')) return {};
  const source = withoutBom(text);
  const root = parseTree(source);
  const node = root && findNodeAtLocation(root, [...keys]);
  return node ? position(source, node.offset) : {};
}
