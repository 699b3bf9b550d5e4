const escaped = (text: string, which: RegExp) =>
  text.replace(which, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The ways in which programs write JSON: JSON.stringify; indented; with Python's and PHP's escapes; Go's. */
export const WRITERS: Readonly<Record<string, (value: unknown) => string>> = {
  compact: (value) => JSON.stringify(value),
  indented: (value) => JSON.stringify(value, null, 2),
  'in ASCII': (value) => escaped(JSON.stringify(value), /[\u0080-\uffff]/g),
  'with slashes escaped': (value) => JSON.stringify(value).replaceAll('/', '\\/'),
  'safe in HTML': (value) => escaped(JSON.stringify(value), /[<>&\u2028\u2029']/g),
};
