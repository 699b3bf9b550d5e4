/** The effect of a hook's output in a client, in the terms of a declaration. */

import { type Client, wireOf } from '../../clients/contract.ts';
import { DECIDABLE, type Event } from '../../declaration/declaration.ts';
import { isObject, type JsonObject, type JsonValue } from '../../edit/edit.ts';
import { attempt } from '../../system/errors.ts';
import type { LeftOut } from './messages.ts';
import type { Printed } from './printed.ts';

export type Answer =
  /** `isAnswer`: it is a JSON answer, and the client reads its text. */
  | { readonly context: string; readonly isAnswer: boolean }
  /** An empty text: there is no reason. */
  | { readonly block: string }
  | LeftOut;

/** The exit code by which a hook blocks, with the reason on standard error. */
const BLOCKS = 2;

/** @param native The client's own event. */
export function answerOf(
  { out, err, status }: Printed,
  event: Event,
  client: Client,
  native: string,
): Answer {
  if (status === BLOCKS) return blocked(err.trim(), event);
  if (status !== 0) return { code: 'hand-prints-nothing' };
  const text = out.trim();
  const object = text.startsWith('{') ? attempt((): JsonValue => JSON.parse(text)) : undefined;
  if (isObject(object))
    return inOwnWords(object, event, client, native) ?? fromObject(object, event);
  return text === '' ? { code: 'hand-prints-nothing' } : { context: text, isAnswer: false };
}

/** An answer in the form that we would use. Other hooks need not use it. */
function inOwnWords(
  object: JsonObject,
  event: Event,
  client: Client,
  native: string,
): Answer | undefined {
  const { tell, decide } = wireOf(client, native);
  const reason = decide?.block && filledIn(decide.block, '{reason}', object);
  if (reason !== undefined) return blocked(reason, event);
  const context = filledIn(tell, '{text}', object);
  const isAll = Object.keys(object).every((key) => Object.hasOwn(tell, key));
  return context !== undefined && isAll ? { context, isAnswer: true } : undefined;
}

/**
 * The text at the placeholder `word` of a form; undefined: the object does not have this form. Some places of the same word may
 * be missing.
 */
function filledIn(form: JsonObject, word: string, object: JsonObject): string | undefined {
  const others = Object.entries(form).filter(([, value]) => value !== word);
  const places = Object.keys(form).filter((key) => form[key] === word);
  if (!others.every(([key, value]) => object[key] === value)) return undefined;
  return places.map((key) => textOf(object[key])).findLast((text) => text !== undefined);
}

function fromObject(object: JsonObject, event: Event): Answer {
  const native = isObject(object.hookSpecificOutput) ? object.hookSpecificOutput : {};
  const context = textOf(native.additionalContext) ?? textOf(object.additionalContext);
  const { decision } = object;
  const { permissionDecision } = native;
  const denied =
    decision === 'block' || decision === 'deny'
      ? (textOf(object.reason) ?? '')
      : permissionDecision === 'deny'
        ? (textOf(native.permissionDecisionReason) ?? textOf(object.reason) ?? '')
        : undefined;
  if (denied !== undefined)
    return context === undefined ? blocked(denied, event) : { code: 'hand-several-answers' };
  if (decision !== undefined || permissionDecision !== undefined) return { code: 'hand-approves' };
  const others = ['updatedInput', 'updatedToolOutput'].some((key) => key in native);
  if (others || object.continue === false) return { code: 'hand-several-answers' };
  if (context !== undefined) return { context, isAnswer: true };
  return textOf(object.systemMessage) === undefined
    ? { code: 'hand-prints-nothing' }
    : { code: 'hand-for-user' };
}

function blocked(reason: string, event: Event): Answer {
  if (!DECIDABLE.block.includes(event)) return { code: 'hand-no-block', event };
  return { block: reason };
}

/** Undefined for a blank text. */
const textOf = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;
