/** mcp-hooks: writes JSON of values that are nested more deeply than JSON.stringify can write, and JSON.parse reads. */
'use strict';

/** JSON of a value that came from JSON, however deep it is. Keys without a value are left out. */
function jsonOf(value) {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  const parts = [];
  // Values to be written, and in lists of one what is written already.
  const left = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (one instanceof Written) parts.push(one.text);
    else if (typeof one !== 'object' || one === null) parts.push(JSON.stringify(one) ?? 'null');
    else {
      const isList = Array.isArray(one);
      const keys = Object.keys(one).filter((key) => isList || one[key] !== undefined);
      parts.push(isList ? '[' : '{');
      left.push(new Written(isList ? ']' : '}'));
      for (let at = keys.length - 1; at >= 0; at--) {
        left.push(one[keys[at]]);
        const name = isList ? '' : `${JSON.stringify(keys[at])}:`;
        left.push(new Written(`${at === 0 ? '' : ','}${name}`));
      }
    }
  }
  return parts.join('');
}

class Written {
  constructor(text) {
    this.text = text;
  }
}

module.exports = { jsonOf };
