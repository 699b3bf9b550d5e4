/**
 * How Codex 0.169.0 stores its trust in a hook: under the hook's position, with a hash of its handler. Measured:
 * test/real-clients/trust.test.ts compares both with the real Codex.
 */

import type { JsonValue } from '../../edit/edit.ts';
import { sha256 } from '../../system/fingerprint.ts';
import type { ConfiguredHook } from '../entries.ts';
import { words } from '../words.ts';

type Hashed = Pick<ConfiguredHook, 'native' | 'matcher' | 'handler'>;

/** The form of `PostToolUse` in Codex's keys and hashes. */
export const eventName = (native: string): string =>
  native.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase();

/** @param source Codex's name for the hook's file. */
export const stateKey = (
  source: string,
  { native, index, handlerIndex }: Pick<ConfiguredHook, 'native' | 'index' | 'handlerIndex'>,
): string => `${source}:${eventName(native)}:${index}:${handlerIndex}`;

/** Under any other event, Codex drops a matcher. */
const MATCHED = words(`
  PreToolUse PermissionRequest PostToolUse PreCompact PostCompact SessionStart SessionEnd
  SubagentStart SubagentStop`);
/** The events whose handlers may declare how much context they add. */
const WITH_CONTEXT = words(`
  SessionStart SubagentStart UserPromptSubmit PreToolUse PostToolUse`);
const CONTEXT_LIMIT = 2500;
/** In seconds: the default and the maximum. */
const TIMEOUT = { default: 600, most: Number.MAX_SAFE_INTEGER };
const AT_END = { default: 1, most: 3 };

/**
 * The hash of a command by value: layout, unknown keys and explicit defaults do not matter. Undefined: Codex has no hash for
 * it.
 */
export function trustHash(
  { native, matcher, handler }: Hashed,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const { type, statusMessage, additionalContextLimit: limit } = handler;
  const command =
    (platform === 'win32' ? (handler.commandWindows ?? handler.command_windows) : undefined) ??
    handler.command;
  const limits = native === 'SessionEnd' || native === 'Interrupt' ? AT_END : TIMEOUT;
  const timeout = handler.timeout ?? limits.default;
  const async = handler.async ?? false;
  if (type !== 'command' || typeof command !== 'string' || typeof async !== 'boolean')
    return undefined;
  if (!isCount(timeout) || !isCount(limit ?? 0)) return undefined;
  if (statusMessage !== undefined && typeof statusMessage !== 'string') return undefined;
  const limited = WITH_CONTEXT.includes(native) && (limit ?? CONTEXT_LIMIT) !== CONTEXT_LIMIT;
  const identity = {
    event_name: eventName(native),
    // Sorted by key, as in Codex.
    hooks: [
      {
        ...(limited && { additionalContextLimit: limit }),
        async,
        command,
        ...(statusMessage !== undefined && { statusMessage }),
        timeout: Math.min(Math.max(timeout, 1), limits.most),
        type,
      },
    ],
    ...(matcher !== undefined && MATCHED.includes(native) && { matcher }),
  };
  return `sha256:${sha256(JSON.stringify(identity))}`;
}

const isCount = (value: JsonValue): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
