/** Hooks that the user mutes, in the text of `policy.json`. Existing comments, order and layout are preserved. */

import { type MutedHooks, type Policy, policyIn } from '../declaration/policy.ts';
import { cut, put } from '../edit/json.ts';
import { UserError } from '../system/errors.ts';
import { canonical } from '../system/fingerprint.ts';
import type { InstallMessage } from './messages.ts';

/** Which hooks of a label: all of them, or some by their IDs. */
export interface Meant {
  readonly label: string;
  readonly hooks?: MutedHooks | undefined;
}

/**
 * The text of the policy with those hooks muted.
 *
 * @param path The file, for messages.
 * @throws PolicyRefused when the policy is not valid; UserError when its text cannot be edited safely.
 */
export function muteIn(text: string | null, meant: Meant, path: string): string | null {
  const known = mutedIn(text, meant, path);
  if (known === true) return text;
  const { hooks } = meant;
  const at = placeOf(meant);
  if (!hooks) return checked(put(text ?? '', at, true), true, { text, meant, path });
  const added = Object.entries(hooks).filter(([id]) => !Object.hasOwn(known, id));
  const next = added.reduce((now, [id, words]) => put(now, [...at, id], words), text ?? '');
  return checked(next, { ...hooks, ...known }, { text, meant, path });
}

/**
 * The text of the policy with those hooks unmuted; null if it had no other content.
 *
 * @param path The file, for messages.
 * @throws As `muteIn`.
 */
export function unmuteIn(text: string | null, meant: Meant, path: string): string | null {
  const known = mutedIn(text, meant, path);
  if (text === null) return null;
  const { hooks } = meant;
  const at = placeOf(meant);
  const left = Object.entries(known).filter(([id]) => hooks && !Object.hasOwn(hooks, id));
  const next = hooks
    ? Object.keys(hooks).reduce((now, id) => cut(now, [...at, id]), text)
    : cut(text, at);
  checked(next, Object.fromEntries(left), { text, meant, path });
  return /^\s*\{\s*\}\s*$/.test(next) ? null : next;
}

const placeOf = ({ label }: Meant) => ['servers', label, 'muted'];

const policyOf = (text: string | null, path: string): Policy =>
  text === null ? {} : policyIn(text, path);

function mutedIn(text: string | null, { label }: Meant, path: string): true | MutedHooks {
  const { servers = {} } = policyOf(text, path);
  const { muted = {} } = Object.hasOwn(servers, label) ? (servers[label] ?? {}) : {};
  return typeof muted === 'boolean' ? muted || {} : muted;
}

/** The next text, if it has the intended meaning and nothing else changed. */
function checked(
  next: string,
  muted: true | MutedHooks,
  { text, meant, path }: { text: string | null; meant: Meant; path: string },
): string {
  const { label } = meant;
  const { servers = {}, ...all } = policyOf(text, path);
  const { muted: _, ...rules } = servers[label] ?? {};
  const wanted = { ...all, servers: { ...servers, [label]: { ...rules, muted } } };
  if (essence(policyOf(next, path)) !== essence(wanted))
    throw new UserError<InstallMessage>({ code: 'policy-by-hand', path, label });
  return next;
}

/** The meaning of a policy. An empty object, which may remain because of a comment in it, has no meaning. */
function essence({ servers = {}, ...all }: Policy): string {
  const isEmpty = (value: unknown) =>
    typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  const filled = (value: object) =>
    Object.fromEntries(Object.entries(value).filter(([, one]) => !isEmpty(one)));
  const rules = Object.entries(servers).map(([label, own]) => [label, filled(own)] as const);
  return canonical([all, filled(Object.fromEntries(rules))]);
}
