/** mcp-hooks: writes JSON of values that are nested more deeply than JSON.stringify can write, and JSON.parse reads. */

/** A list or object that is being written: its members, and how many of them are written already. */
interface Container {
  readonly values: readonly unknown[];
  /** Names of the members; a list has none. */
  readonly keys: readonly string[] | undefined;
  written: number;
}

/** JSON of a value that came from JSON, however deep it is. Keys without a value are left out. */
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
