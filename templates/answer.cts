/** mcp-hooks: prints a decision as one JSON object in the client's own shape (`decide` in src/clients/contract.ts). */

import { jsonOf } from './json.cjs';
import type { Decide, Decided, Firing, JsonObject, ProgramHook, Running } from './types.cjs';
import { isObject } from './values.cjs';
import { escaped, origin, quoted, withoutTags } from './words.cjs';

/** The part of a program that defines the form of its answers. */
type Shaper = Pick<Running, 'native' | 'wire'>;

/** A decision. Only the reason of a block is shown. */
type Shown = Omit<Decided, 'decision'> & { readonly decision?: { readonly reason: string } };

/**
 * The answer to an event in ASCII, or '' when there is none.
 *
 * @param act How the text is shown, if there is one.
 * @param result `decision` (with the reason from `attributed`), `modifiedInput` and `modifiedOutput`, as chain.cjs returns
 *   them.
 */
export function answerWith(
  program: Shaper,
  act: ProgramHook['act'],
  text: string,
  result: Shown,
  firing: Pick<Firing, 'payload'> & { readonly output?: unknown },
): string {
  const { native } = program;
  const { decision, modifiedInput, modifiedOutput } = result;
  const shape = shapeOf(program, text === '' ? undefined : act, result);
  if (Object.keys(shape).length === 0) return '';
  const plain = JSON.stringify(shape);
  const values = {
    event: native,
    text: withoutTags(text, plain),
    reason: decision ? withoutTags(decision.reason, plain) : '',
  };
  const objects = {
    '{input}': modifiedInput,
    '{output}': asOutput(modifiedOutput, firing.output, program.wire.decide),
  };
  return jsonOf(filled(shape, values, objects, firing.payload)).replace(
    /[\u007F-\uFFFF]/g,
    escaped,
  );
}

/** The answer with its blanks unfilled. @param act How the text is shown; undefined: no text is shown. */
function shapeOf(
  { wire }: Pick<Shaper, 'wire'>,
  act: ProgramHook['act'] | undefined,
  { decision, ...changed }: Shown,
): JsonObject {
  const { block, input, output, alone, beside } = wire.decide ?? {};
  const shapes: (JsonObject | undefined)[] = [];
  if (!decision && 'modifiedInput' in changed) shapes.push(input);
  if ((!decision || beside) && 'modifiedOutput' in changed) shapes.push(output);
  if (decision) shapes.push(block);
  if (act && !(alone === 'block' ? decision : alone && shapes.length > 0))
    shapes.unshift(act === 'ask' ? wire.ask : wire.tell);
  return shapes.reduce<JsonObject>((all, one = {}) => laidOver(all, one), {});
}

/** Whether the answer has room for a text next to the decision. */
export const takesText = (
  program: Pick<Shaper, 'wire'>,
  act: ProgramHook['act'],
  result: Shown,
): boolean => JSON.stringify(shapeOf(program, act, result)).includes('{text}');

/**
 * A reason, prefixed with the name of the server that gives it. Clients show the first line as their own, so we mark the
 * others.
 */
export function attributed(label: string, reason: string): string {
  const [first = '', ...rest] = reason.split('\n');
  const marked = rest.length === 0 ? '' : `\n${quoted(rest.join('\n'))}`;
  return `${origin(label)} who has allowed it to block: ${first}${marked}`;
}

/** Merges two objects, at any depth. Where both have a key, the second object's value wins. */
function laidOver(below: JsonObject, above: JsonObject): JsonObject {
  const all = { ...below };
  const todo: [into: JsonObject, from: JsonObject][] = [[all, above]];
  // Grows during the loop.
  for (const [into, from] of todo)
    for (const [key, value] of Object.entries(from)) {
      const former = Object.hasOwn(into, key) ? into[key] : undefined;
      const inner = isObject(value) && isObject(former) ? { ...former } : undefined;
      // An assignment to `__proto__` would set the prototype.
      Object.defineProperty(into, key, {
        value: inner ?? value,
        configurable: true,
        enumerable: true,
        writable: true,
      });
      if (inner && isObject(value)) todo.push([inner, value]);
    }
  return all;
}

/** Fills in each blank of a shape once. A value that looks like a blank is not filled in again. */
function filled(
  shape: unknown,
  values: JsonObject,
  objects: JsonObject,
  payload: JsonObject,
): unknown {
  if (typeof shape === 'string') {
    if (Object.hasOwn(objects, shape)) return objects[shape];
    const text = shape.replace(BLANK, (_all, name: string, key?: string) =>
      String(key ? payload[key] : values[name]),
    );
    return text.toWellFormed();
  }
  if (Array.isArray(shape)) return shape.map((one) => filled(one, values, objects, payload));
  if (!isObject(shape)) return shape;
  return Object.fromEntries(
    Object.entries(shape).map(([key, value]) => [key, filled(value, values, objects, payload)]),
  );
}
const BLANK = /\{(event|text|reason|payload:(\w+))\}/g;

/**
 * A changed output in the form that the client accepts: a text, or the tool's own output with the text put in its place. An
 * object of another shape becomes a text, because the client would ignore the object and show the original output.
 */
function asOutput(
  output: unknown,
  given: unknown,
  { outputText: places, outputRest = [] }: Decide = {},
): unknown {
  if (output === undefined) return undefined;
  if (places === 'any') return output;
  const text = typeof output === 'string' ? output : jsonOf(output);
  // If there is no reason to show, a client shows its own words or the original output.
  if (!places) return text.trim() === '' ? NO_OUTPUT : text;
  if (!isObject(given)) return areBlocks(output) ? output : text;
  const place = places.find((one) => isText(given, one));
  if (place === undefined) return isLike(output, given) ? output : undefined;
  const emptied = [place, ...outputRest]
    .filter((one) => isText(given, one))
    .reduce<JsonObject>((rest, one) => put(rest, one.split('.'), ''), given);
  return isObject(output) && isText(output, place)
    ? laidOver(emptied, output)
    : put(emptied, place.split('.'), text);
}

const NO_OUTPUT = '(no output)';

const isText = (value: unknown, place: string): boolean =>
  typeof place.split('.').reduce((inner, key) => Object(inner)[key], value) === 'string';

/** A list of content blocks, as a tool of an MCP server returns it. */
const areBlocks = (output: unknown): boolean =>
  Array.isArray(output) && output.every((one) => isObject(one) && typeof one.type === 'string');

const isLike = (output: unknown, given: JsonObject): boolean =>
  isObject(output) && Object.keys(output).some((key) => Object.hasOwn(given, key));

/** Whether a changed output fits into the shape of the output that the tool returned. */
export const isPlaced = (output: unknown, given: unknown, { decide }: Running['wire']): boolean =>
  asOutput(output, given, decide) !== undefined;

const put = (value: unknown, [key = '', ...rest]: string[], text: string): JsonObject => ({
  ...(isObject(value) ? value : {}),
  [key]: rest.length === 0 ? text : put(Object(value)[key], rest, text),
});
