/** mcp-hooks: what was decided, as one JSON object in the client's own shape (`decide` in src/clients/contract.ts). */
'use strict';
const { isObject } = require('./values.cjs');
const { escaped, origin, quoted, withoutTags } = require('./words.cjs');

/**
 * The answer to an event in ASCII, or '' when there is none.
 *
 * @param act By which the text is said, if there is one.
 * @param result `decision` (its reason as `spoken` has it), `modifiedInput` and `modifiedOutput` of chain.cjs.
 */
function answerWith(at, act, text, result, firing) {
  const { native } = at;
  const { decision, modifiedInput, modifiedOutput } = result;
  const shape = shapeOf(at, text === '' ? undefined : act, result);
  if (Object.keys(shape).length === 0) return '';
  const plain = JSON.stringify(shape);
  const values = {
    event: native,
    text: withoutTags(text, plain),
    reason: decision ? withoutTags(decision.reason, plain) : '',
  };
  const objects = {
    '{input}': modifiedInput,
    '{output}': asOutput(modifiedOutput, firing.output, at.wire.decide?.outputText),
  };
  return JSON.stringify(filled(shape, values, objects, firing.payload)).replace(
    /[\u007F-\uFFFF]/g,
    escaped,
  );
}

/** The answer with its blanks. @param act By which something is said; undefined: nothing is. */
function shapeOf({ wire }, act, { decision, ...changed }) {
  const { block, input, output, alone } = wire.decide ?? {};
  const shapes = [];
  if (decision) shapes.push(block);
  else {
    if ('modifiedInput' in changed) shapes.push(input);
    if ('modifiedOutput' in changed) shapes.push(output);
  }
  if (act && !(alone && shapes.length > 0)) shapes.unshift(act === 'ask' ? wire.ask : wire.tell);
  return shapes.reduce((all, one) => laidOver(all, one), {});
}

/** Whether there is room for a text beside what was decided. */
const saysToo = (at, act, result) => JSON.stringify(shapeOf(at, act, result)).includes('{text}');

/** A reason behind who gives it. A client shows its first line as its own; what begins another one has our mark. */
function spoken(label, reason) {
  const [first, ...rest] = reason.split('\n');
  const marked = rest.length === 0 ? '' : `\n${quoted(rest.join('\n'))}`;
  return `${origin(label)} who has allowed it to block: ${first}${marked}`;
}

/** Keys of the second one win; where both have an object, so within it. */
const laidOver = (below, above) => ({
  ...below,
  ...Object.fromEntries(
    Object.entries(above).map(([key, value]) => {
      const both = isObject(value) && isObject(below[key]);
      return [key, both ? laidOver(below[key], value) : value];
    }),
  ),
});

/** Each blank of a shape is filled in once: what stands in there is nobody's shape. */
function filled(shape, values, objects, payload) {
  if (typeof shape === 'string') {
    if (Object.hasOwn(objects, shape)) return objects[shape];
    const text = shape.replace(BLANK, (_all, name, key) => (key ? payload[key] : values[name]));
    return text.toWellFormed();
  }
  if (Array.isArray(shape)) return shape.map((one) => filled(one, values, objects, payload));
  if (!isObject(shape)) return shape;
  return Object.fromEntries(
    Object.entries(shape).map(([key, value]) => [key, filled(value, values, objects, payload)]),
  );
}
const BLANK = /\{(event|text|reason|payload:(\w+))\}/g;

/** Another output, as the client takes it: a text, or what it had itself with the text in its place. */
function asOutput(output, given, places) {
  if (output === undefined) return undefined;
  if (places === 'any') return output;
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  if (!places) return text;
  if (isObject(output) || !isObject(given)) return output;
  const place = placeOf(given, places);
  return place === undefined ? undefined : put(given, place.split('.'), text);
}

/** Where a text stands in a tool's output that is an object. */
const placeOf = (given, places) => {
  const at = (place) => place.split('.').reduce((value, key) => value?.[key], given);
  return places.find((place) => typeof at(place) === 'string');
};

/** Whether there is a place for another output than the one that was given. */
const isPlaced = (output, given, { decide: { outputText: places } = {} }) =>
  asOutput(output, given, places) !== undefined;

const put = (value, [key, ...rest], text) => ({
  ...(isObject(value) ? value : {}),
  [key]: rest.length === 0 ? text : put(value?.[key], rest, text),
});

module.exports = { answerWith, isPlaced, saysToo, spoken };
