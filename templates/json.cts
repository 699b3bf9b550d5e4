/** mcp-hooks: writes JSON for values that are nested too deeply for JSON.stringify, but not for JSON.parse. */

/** A list or object in progress: its members, and how many of them are written. */
interface Container {
  readonly values: readonly unknown[];
  /** The names of the members; undefined for a list. */
  readonly keys: readonly string[] | undefined;
  written: number;
}

/** The JSON of a value that came from JSON, however deep. Keys without a value are left out. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  let text = '';
  const open: Container[] = [];
  const write = (one: unknown) => {
    if (typeof one !== 'object' || one === null) {
      text += JSON.stringify(one) ?? 'null';
      return;
    }
    const container = containerOf(one);
    text += container.keys === undefined ? '[' : '{';
    open.push(container);
  };
  write(value);
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const { values, keys, written } = last;
    if (written === values.length) {
      text += keys === undefined ? ']' : '}';
      open.pop();
      continue;
    }
    last.written += 1;
    if (written > 0) text += ',';
    if (keys !== undefined) text += `${JSON.stringify(keys[written])}:`;
    write(values[written]);
  }
  return text;
}

function containerOf(one: object): Container {
  if (Array.isArray(one)) return { values: one, keys: undefined, written: 0 };
  const members = one as Record<string, unknown>;
  const keys = Object.keys(members).filter((key) => members[key] !== undefined);
  return { values: keys.map((key) => members[key]), keys, written: 0 };
}
