/** mcp-hooks: what was decided, as one JSON object in the client's own shape (`decide` in src/clients/contract.ts). */
'use strict';
const { jsonOf } = require('./json.cjs');
const { isObject } = require('./values.cjs');
const { escaped, origin, quoted, withoutTags } = require('./words.cjs');

/**
 * The answer to an event in ASCII, or '' when there is none.
 *
 * @param act How the text is said, if there is a text.
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
    '{output}': asOutput(modifiedOutput, firing.output, at.wire.decide),
  };
  return jsonOf(filled(shape, values, objects, firing.payload)).replace(
    /[\u007F-\uFFFF]/g,
    escaped,
  );
}

/** The answer with its blanks still empty. @param act How something is said; undefined: nothing is said. */
function shapeOf({ wire }, act, { decision, ...changed }) {
  const { block, input, output, alone, beside } = wire.decide ?? {};
  const shapes = [];
  if (!decision && 'modifiedInput' in changed) shapes.push(input);
  if ((!decision || beside) && 'modifiedOutput' in changed) shapes.push(output);
  if (decision) shapes.push(block);
  if (act && !(alone && shapes.length > 0)) shapes.unshift(act === 'ask' ? wire.ask : wire.tell);
  return shapes.reduce((all, one) => laidOver(all, one), {});
}

/** Whether the answer has room for a text next to the decision. */
const saysToo = (at, act, result) => JSON.stringify(shapeOf(at, act, result)).includes('{text}');

/** A reason, after the name of the server that gives it. A client shows its first line as its own; the other lines get our mark. */
function spoken(label, reason) {
  const [first, ...rest] = reason.split('\n');
  const marked = rest.length === 0 ? '' : `\n${quoted(rest.join('\n'))}`;
  return `${origin(label)} who has allowed it to block: ${first}${marked}`;
}

/** The keys of the second object win. Where both hold an object, the same goes for the keys in it, however deep they are. */
function laidOver(below, above) {
  const all = { ...below };
  const todo = [[all, above]];
  // Grows while it is read.
  for (const [into, from] of todo)
    for (const [key, value] of Object.entries(from)) {
      const former = Object.hasOwn(into, key) ? into[key] : undefined;
      const both = isObject(value) && isObject(former);
      const made = both ? { ...former } : value;
      // An assignment to `__proto__` would set the prototype.
      Object.defineProperty(into, key, {
        value: made,
        configurable: true,
        enumerable: true,
        writable: true,
      });
      if (both) todo.push([made, value]);
    }
  return all;
}

/** Fills in each blank of a shape once: a filled-in value that looks like a blank stays as it is. */
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

/**
 * A changed output, as the client takes it: a text, or the tool's own output with the text in its place. An object of another
 * shape becomes a text: the client would ignore it, and show the output as it was.
 */
function asOutput(output, given, { outputText: places, outputRest = [] } = {}) {
  if (output === undefined) return undefined;
  if (places === 'any') return output;
  const text = typeof output === 'string' ? output : jsonOf(output);
  // Without a reason to show, a client shows its own words, or the output as it was.
  if (!places) return text.trim() === '' ? NO_OUTPUT : text;
  if (!isObject(given)) return areBlocks(output) ? output : text;
  const place = places.find((one) => isText(given, one));
  if (place === undefined) return isLike(output, given) ? output : undefined;
  const emptied = [place, ...outputRest]
    .filter((one) => isText(given, one))
    .reduce((rest, one) => put(rest, one.split('.'), ''), given);
  return isText(output, place) ? laidOver(emptied, output) : put(emptied, place.split('.'), text);
}

const NO_OUTPUT = '(no output)';

const isText = (value, place) =>
  typeof place.split('.').reduce((inner, key) => inner?.[key], value) === 'string';

/** A list as a tool of an MCP server returns it. */
const areBlocks = (output) =>
  Array.isArray(output) && output.every((one) => isObject(one) && typeof one.type === 'string');

const isLike = (output, given) =>
  isObject(output) && Object.keys(output).some((key) => Object.hasOwn(given, key));

/** Whether a changed output has a place in the one that the tool returned. */
const isPlaced = (output, given, { decide }) => asOutput(output, given, decide) !== undefined;

const put = (value, [key, ...rest], text) => ({
  ...(isObject(value) ? value : {}),
  [key]: rest.length === 0 ? text : put(value?.[key], rest, text),
});

module.exports = { answerWith, isPlaced, saysToo, spoken };
