/** Random settings files as text: in any layout, with hooks in any form, and comments everywhere. */
import fc from 'fast-check';
import {
  type Dialect,
  type ItemPath,
  isObject,
  type JsonObject,
  type JsonValue,
  type Layout,
  type Placed,
} from '../../src/edit/edit.ts';
import { AT_ROOT, laidOut, ROWS, rowsFrom, UNDER_HOOKS, underHooks } from './layouts.ts';

export const LENIENT: Dialect = {
  comments: true,
  returns: true,
  trailingCommas: true,
  bom: true,
  empty: true,
  otherwise: 'is refused',
};
/** Claude Code's settings. */
export const STRICT: Dialect = { ...LENIENT, comments: false, trailingCommas: false };
/** Codex CLI's hooks.json, and files that contain only hooks. */
export const STRICTEST: Dialect = { ...STRICT, returns: false, bom: false, empty: false };
export const GEMINI: Dialect = { ...STRICTEST, comments: true };
export const EMPTY_GROUP: JsonObject = { hooks: [] };
/** The option for a client whose trust depends on positions, and for any other. */
export const keeping = (positional: boolean) => (positional ? { placeholder: EMPTY_GROUP } : {});
export const EVENTS = ['PostToolUse', 'Stop', 'SessionStart'] as const;
export const LABELS = ['annal', 'serena'] as const;

export interface Sample {
  readonly source: string;
  /** The document by value; for TOML only what is under `hooks`, without `state`. */
  readonly value: JsonObject;
}

/** The label in the path of the commands, if every handler has the same one. */
export function ownerOf(group: JsonValue): string | undefined {
  const handlers = isObject(group) && Array.isArray(group.hooks) ? group.hooks : [];
  const owners = handlers.map((handler: JsonValue) =>
    isObject(handler) ? /^\/r\/(\w+)\//.exec(String(handler.command))?.[1] : undefined,
  );
  return owners.length > 0 && new Set(owners).size === 1 ? owners[0] : undefined;
}

/** Tells `arrange` which label a group, a handler or a key belongs to. */
export const whose = (positional = false) => ({
  ownerOf,
  isOurKey,
  handlersOf: (group: JsonValue, label: string): ItemPath[] => {
    const owners =
      ownerOf(group) === label ? [] : handlersIn(group).map((one) => ownerOf({ hooks: [one] }));
    const own = [...owners.keys()].filter((index) => owners[index] === label);
    const moves = positional && owners.slice(own[0]).some((owner) => owner !== label);
    return moves ? [] : own.map((index) => ['hooks', index]);
  },
});

const handlersIn = (group: JsonValue): readonly JsonValue[] =>
  isObject(group) && Array.isArray(group.hooks) ? group.hooks : [];

const isOurKey = (path: readonly (string | number)[]): boolean =>
  /^(?:matcher|hooks(?:\.\d+(?:\.(?:type|command|timeout|name))?)?)$/.test(path.join('.'));

/** The others' part of a group: all of it, or the group without the label's handlers if it has other handlers, too. */
export function theirsOf(group: JsonValue, label: string, positional: boolean): JsonValue {
  const own = whose(positional).handlersOf(group, label);
  if (own.length === 0 || !isObject(group)) return group;
  return {
    ...group,
    hooks: handlersIn(group).filter((_, index) => own.every(([, at]) => at !== index)),
  };
}

/** Whether a group has a key that we never write into ours, so that the user must have written it. */
export function hasOthersKeys(value: JsonValue, path: readonly (string | number)[] = []): boolean {
  if (path.length > 0 && !isOurKey(path)) return true;
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).some(([key, inner]) =>
      hasOthersKeys(inner, [...path, Array.isArray(value) ? Number(key) : key]),
    )
  );
}

const awkward = fc.constantFrom(
  '',
  ' "q"',
  " 'q'",
  ' \\ \n \t',
  ' # // /* ',
  ' \u007f\u0001',
  ' é😀\u2028',
);

/** A group of ours in any form. Groups of different events differ, because the command contains the event's name. */
function ours(label: string, event: string): fc.Arbitrary<JsonObject> {
  return fc
    .tuple(
      fc.constantFrom('^Bash$', '', 'a|b'),
      awkward,
      fc.boolean(),
      fc.integer({ min: 1, max: 600 }),
    )
    .map(([matcher, rest, named, timeout]) => ({
      ...(matcher === '' ? {} : { matcher }),
      hooks: [
        {
          type: 'command',
          command: `/r/${label}/${event}${rest}`,
          timeout,
          ...(named ? { name: label } : {}),
        },
      ],
    }));
}

/** At most one group for each event. */
export const wanted = (label: string): fc.Arbitrary<Placed[]> =>
  fc
    .uniqueArray(fc.constantFrom(...EVENTS), { maxLength: 3 })
    .chain((events) =>
      fc.tuple(...events.map((event) => ours(label, event).map((group) => ({ event, group })))),
    );

const theirs: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ hooks: [] }) },
  {
    weight: 5,
    arbitrary: fc.tuple(fc.nat(99), fc.nat(5), fc.nat(2)).map(([id, look, more]) => ({
      ...(look === 0 ? {} : { matcher: `user ${id}` }),
      hooks: Array.from({ length: 1 + (more >> 1) }, (_, nth) => ({
        type: 'command',
        command: look === 1 ? `printf '%s\\n' "${id}" # ]}` : `echo ${id} # "}]"`,
        timeout: id + nth,
        ...(look === 2 ? { async: true } : {}),
      })),
    })),
  },
);

const userHooks = fc.option(
  fc.dictionary(
    fc.constantFrom(...EVENTS, 'Other', 'my "own"'),
    fc.array(theirs, { maxLength: 3 }),
    {
      maxKeys: 3,
    },
  ),
  { nil: undefined },
);

/** Numbers that decide the layout, used in a cycle. */
const decisions = fc.array(fc.nat(99), { minLength: 1, maxLength: 40, size: 'max' });

function decider(list: readonly number[]) {
  let next = 0;
  return (sides: number): number => (list[next++ % list.length] ?? 0) % sides;
}

const COMMENT = 'c@!';

/** Gives each comment a number. */
function numbered(text: string): string {
  let count = 0;
  return text.replaceAll(COMMENT, () => `c${count++}!`);
}

/** The comments that the generators wrote into a text. */
export const commentsOf = (text: string): string[] => text.match(/c\d+!/g)?.sort() ?? [];

// --- JSON ---------------------------------------------------------------------------------------

const key = fc.constantFrom('a', 'b', 'model', '__proto__', 'constructor', 'é "x"', '// no', '');
const scalar = fc.constantFrom(
  0,
  -1.5,
  1e21,
  true,
  false,
  null,
  '',
  'text',
  '/* no */ ,]',
  'a\\"b',
);
const anyValue = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    entries(
      fc.uniqueArray(fc.tuple(key, tie('value')), { maxLength: 3, selector: ([name]) => name }),
    ),
  ),
})).value;

function entries(pairs: fc.Arbitrary<[string, JsonValue][]>): fc.Arbitrary<JsonObject> {
  // fromEntries makes an own property, even of __proto__.
  return pairs.map((list) => Object.fromEntries(list));
}

const jsonValue: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.uniqueArray(fc.tuple(key, anyValue), { maxLength: 3, selector: ([name]) => name }),
    userHooks,
    // Gemini CLI has settings next to the events.
    fc.constantFrom<JsonObject>({}, {}, {}, { enabled: true }, { disabled: ['x'] }),
    fc.nat(3),
  )
  .map(([pairs, hooks, settings, at]) => {
    const all: [string, JsonValue][] = [...pairs];
    if (hooks) all.splice(at, 0, ['hooks', { ...settings, ...hooks }]);
    return Object.fromEntries(all);
  });

const SPACES = ['', '', ' ', '\n', '\n  ', '\t', '\r\n\t', '\n\n'];
/** What can be between any two tokens. */
const TRIVIA = {
  spaces: SPACES,
  'one line': ['', ' ', ' /* c@! */ ', '/*c@! , ] " */'],
  everything: [
    ...SPACES,
    '/*c@!*/',
    ' // c@! , ] } "\n',
    '/* c@!\n */ ',
    '\n// c@!\r\n',
    '/** c@! // **/',
  ],
};

/** The value with random trivia, trailing commas, escapes in keys, and a duplicate of a key that does not matter. */
function scribbled(
  value: JsonObject,
  list: readonly number[],
  trivia: readonly string[],
  trailing: boolean,
  layout: Layout,
): string {
  const decide = decider(list);
  const gap = (): string => trivia[decide(trivia.length)] ?? '';
  const within = (open: string, items: string[], close: string): string => {
    const comma = trailing && items.length > 0 && decide(3) === 0 ? `,${gap()}` : '';
    return open + gap() + items.map((item) => item + gap()).join(`,${gap()}`) + comma + close;
  };
  const name = (text: string): string => {
    const escaped = `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`;
    return text && decide(9) === 0
      ? `"${escaped}${JSON.stringify(text.slice(1)).slice(1)}`
      : JSON.stringify(text);
  };
  const pair = ([of, item]: [string, JsonValue]): string =>
    `${name(of)}${gap()}:${gap()}${print(item)}`;
  const print = (item: JsonValue): string => {
    if (Array.isArray(item)) return within('[', item.map(print), ']');
    if (!isObject(item)) return JSON.stringify(item);
    const pairs = Object.entries(item).map(pair);
    const isFree = item === value && layout !== AT_ROOT;
    const twice = isFree ? Object.entries(item).find(([of]) => of !== 'hooks') : undefined;
    if (twice && decide(9) === 0) pairs.push(pair(twice));
    return within('{', pairs, '}');
  };
  return gap() + print(value) + gap();
}

/** The value as a program writes it and a user edits it: with comments above and after lines, and with trailing commas. */
function tidy(
  value: JsonValue,
  indent: string,
  newline: string,
  list: readonly number[],
  { comments, trailingCommas }: Dialect,
): string {
  const decide = decider(list);
  const lines = JSON.stringify(value, null, indent).split('\n');
  return lines
    .flatMap((line, n) => {
      const last = /^\s*[}\]]/.test(lines[n + 1] ?? '') && !/[[{]$/.test(line);
      const comma = trailingCommas && last && decide(3) === 0 ? ',' : '';
      const remark = comments ? decide(14) : -1;
      const white = /^\s*/.exec(line)?.[0] ?? '';
      const above = remark === 1 ? [`${white}// ${COMMENT} "a": [{`] : [];
      if (remark === 2) above.push(`${white}/* ${COMMENT}`, `${white} , */`);
      return [...above, `${line}${comma}${remark === 0 ? ` // ${COMMENT} ,]` : ''}`];
    })
    .join(newline);
}

/** Nearly empty files: if our entry is the only one, a comma between it and an entry added later is not ours. */
export const smallJson = (
  { comments, trailingCommas }: Dialect,
  layout: Layout = UNDER_HOOKS,
): fc.Arbitrary<Sample> =>
  fc
    .tuple(
      fc.constantFrom<JsonObject>(
        {},
        { hooks: {} },
        ...EVENTS.map((event) => ({ hooks: { [event]: [] } })),
        { hooks: { PostToolUse: [], Stop: [] } },
        { a: 1 },
        { a: {}, hooks: {} },
      ),
      fc.constantFrom(
        '',
        ' ',
        '\n  ',
        '\r\n\t',
        ...(comments ? ['/* c@! */', ' // c@! ,]\n'] : []),
      ),
      fc.constantFrom<string | number>(0, 2, '\t'),
      fc.constantFrom('', '\n'),
      fc.boolean(),
    )
    .map(([value, inside, indent, end, trailing]): Sample => {
      const text = JSON.stringify(laidOut(value, layout), null, indent)
        .replace(/(?<=[{[])(?=[}\]])/g, () => inside)
        .replace(/(?<=[\]}1])(?=\n? *\})/g, () => (trailing && trailingCommas ? ',' : ''));
      return { source: numbered(text + end), value: underHooks(laidOut(value, layout), layout) };
    });

/** A file that a client accepts. */
export const jsonFileFor = (
  dialect: Dialect,
  layout: Layout = UNDER_HOOKS,
): fc.Arbitrary<Sample> => {
  const { comments, trailingCommas, bom, empty } = dialect;
  const blanks = [
    ...(empty ? ['', '\n', ' \t', '\r\n'] : []),
    ...(empty && comments
      ? ['// c@!\n', '// c@!', '/* c@! */', '\n/* c@!\n{} */\n// c@! {}\r\n']
      : []),
  ];
  return fc
    .tuple(
      jsonValue,
      decisions,
      fc.constantFrom(
        ...(['scribbled', 'scribbled', 'spread', 'compact', '  ', '\t', '    '] as const),
        ...(blanks.length > 0 ? (['blank'] as const) : []),
      ),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom('', '\n', '\n\n', '  ', ...(comments ? ['\n// c@!'] : [])),
      fc.nat(5),
    )
    .map(([hooked, list, style, newline, end, mark]) => {
      const value = laidOut(hooked, layout);
      const bare = (): string => {
        switch (style) {
          case 'blank':
            return blanks[(list[0] ?? 0) % blanks.length] ?? '';
          case 'scribbled': {
            const kinds = comments
              ? (['everything', 'one line', 'spaces'] as const)
              : ['spaces' as const];
            const trivia = TRIVIA[kinds[(list.at(-1) ?? 0) % kinds.length] ?? 'spaces'];
            return scribbled(value, list, trivia, trailingCommas, layout) + end;
          }
          case 'compact':
          case 'spread':
            return (
              JSON.stringify(value, null, style === 'spread' ? 1 : 0).replace(
                /\n */g,
                (list[0] ?? 0) % 2 === 0 ? ' ' : '',
              ) + end
            );
          default:
            return tidy(value, style, newline, list, dialect) + end.replaceAll('\n', newline);
        }
      };
      return {
        source: (bom && mark === 0 ? '\uFEFF' : '') + numbered(bare()),
        value: underHooks(style === 'blank' ? {} : value, layout),
      };
    });
};

export const jsonFile = jsonFileFor(STRICT);
export const jsoncFile = jsonFileFor(LENIENT);

// --- TOML ---------------------------------------------------------------------------------------

const ROOT_LINES = [
  'model = "gpt-5" # c@!',
  "path = 'C:\\x' ",
  'n = 0xDEAD_BEEF',
  'f = 1.0',
  'when = 1979-05-27T07:32:00.999-07:00',
  'big = 9223372036854775807',
  'text = """\n[[hooks.PostToolUse]]\n# not a comment c!\n"""',
  "raw = '''\n\n]] # not a comment c!'''",
  'list = [\n  1, # c@!\n\t2\n]',
  '# c@! hooks = {',
  '',
  'dotted.a.b = 1',
  '"hooks.Stop" = "no hook"\t',
  // TOML 1.1
  'tall = {\n  a = 1, # c@! }\n  b = 2,\n}',
  'escaped = "\\e[0m \\x41"',
  'short = 07:32',
];
const TABLES = [
  '[features]\nhooks = true # c@!',
  '[mcp_servers.x]\ncommand = "npx"\nargs = ["-y", "[[hooks]]"]\n\n[mcp_servers.x.env]\nKEY = "s"',
  '[[profiles]]\nname = "a"\n[[profiles]]\nname = "b"',
  '# c@! a comment between tables',
  '  [indented]\n  x = [{ a = 1 }]',
  '[other.hooks] # c@!\n\tStop = []',
  '[ "quoted" . table ]',
];
const STATE_KEY = '"/home/u/.codex/config.toml:post_tool_use:0:0"';
const STATES = [
  '',
  '',
  `[hooks.state.${STATE_KEY}]\ntrusted_hash = "sha256:00" # c@!`,
  `[hooks.state]\n${STATE_KEY} = { enabled = false }`,
];
const BLANK_TOML = ['', '\n', '\r\n \t', '# c@!', '# c@!\n\n# c@! [[hooks.Stop]]\n'];

/**
 * `tables` has each group in `[[hooks.<event>]]`, with its handlers inline or in sub-tables. The other forms have arrays of inline
 * tables. Where TOML allows it, they also have some events in tables.
 */
type Form = 'none' | 'tables' | '[hooks]' | 'inline' | 'dotted';
type Decide = (sides: number) => number;

/** Writes the parts of one file as lists of lines; only text in quotes or brackets spans several lines. */
function tomlWriter(
  decide: Decide,
  { modern, layout }: { readonly modern: boolean; readonly layout: Layout },
) {
  const oneOf = <T>(...choices: readonly [T, ...T[]]): T =>
    choices[decide(choices.length)] ?? choices[0];
  const remark = (): string => oneOf('', '', '', '', ' ', ` # ${COMMENT} , ] " }`);

  const string = (text: string): string => {
    if (!/['\n]/.test(text) && decide(3) === 0) return oneOf(`'${text}'`, `'''${text}'''`);
    return decide(6) === 0 ? `"""${JSON.stringify(text).slice(1, -1)}"""` : JSON.stringify(text);
  };
  const name = (text: string): string => {
    if (!/^\w+$/.test(text)) return JSON.stringify(text);
    return decide(5) === 0 ? oneOf(`"${text}"`, `'${text}'`) : text;
  };
  const value = (item: JsonValue | undefined): string => {
    if (typeof item === 'string') return string(item);
    if (Array.isArray(item)) return list(item.map(value));
    return isObject(item) ? table(item) : String(item);
  };
  const pair = (of: string, item: JsonValue | undefined): string =>
    `${name(of)}${oneOf(' = ', '=', ' =\t')}${value(item)}`;
  const table = (item: JsonObject): string => {
    const pairs = Object.entries(item).map(([of, inner]) => pair(of, inner));
    if (modern && decide(3) === 0) {
      const lines = pairs.map((text, n) => {
        const comma = n < pairs.length - 1 || decide(2) === 0 ? ',' : '';
        return `\n    ${text}${comma}${remark()}`;
      });
      return `{${lines.join('')}\n  }`;
    }
    const inner = pairs.join(oneOf(', ', ',', ' , '));
    return oneOf(`{ ${inner} }`, `{${inner}}`);
  };
  const list = (items: readonly string[]): string => {
    if (items.length === 0 || decide(3) > 0) {
      const comma = items.length > 0 && decide(4) === 0 ? ',' : '';
      const inner = items.join(oneOf(', ', ' , ', ',')) + comma;
      return oneOf(`[${inner}]`, `[ ${inner} ]`);
    }
    const lines = items.map((item, n) => {
      const comma = n < items.length - 1 || decide(2) === 0 ? ',' : '';
      return `${oneOf('  ', '\t')}${item}${comma}${remark()}`;
    });
    if (decide(4) === 0) lines.unshift(`# ${COMMENT} {`);
    if (decide(4) === 0) lines.push(`  # ${COMMENT} , ]`);
    return `[${remark()}\n${lines.join('\n')}\n]`;
  };
  const header = (...keys: string[]): string =>
    decide(5) === 0
      ? `[[ ${keys.map((part) => `"${part}"`).join(' . ')} ]]`
      : `[[${keys.map(name).join('.')}]]`;
  /** The pieces of a group; other tables can be between them. */
  const group = (event: string, { hooks, ...rest }: JsonObject): string[][] => {
    // JSON's escapes are also TOML's, but a table header cannot span lines.
    const of = event.replaceAll('"', '');
    const lines = Object.entries(rest).map(([at, item]) => pair(at, item) + remark());
    const handlers = Array.isArray(hooks) ? hooks : [];
    const keys = layout === AT_ROOT ? [of] : layout === ROWS ? ['hooks'] : ['hooks', of];
    const first = header(...keys) + remark();
    if (handlers.length === 0 || decide(2) === 0) {
      const own = pair('hooks', hooks) + remark();
      return [[first, ...(decide(2) === 0 ? [own, ...lines] : [...lines, own])]];
    }
    const tables = handlers.map((handler: JsonValue) => [
      header(...keys, 'hooks') + remark(),
      ...Object.entries(isObject(handler) ? handler : {}).map(
        ([at, item]) => pair(at, item) + remark(),
      ),
    ]);
    if (decide(4) === 0) return [[first, ...lines], ...tables];
    return [[first, ...lines, ...tables.flatMap((lines) => ['', ...lines])]];
  };
  return { oneOf, remark, pair, list, value, table, name, group };
}

/** Merges several lists into one that keeps the order of each. */
function merged<T>(lists: readonly (readonly T[])[], decide: Decide): T[] {
  const rest = lists.map((list) => [...list]).filter((list) => list.length > 0);
  const all: T[] = [];
  while (rest.length > 0) {
    const at = decide(rest.length);
    const item = rest[at]?.shift();
    if (item !== undefined) all.push(item);
    if (rest[at]?.length === 0) rest.splice(at, 1);
  }
  return all;
}

const isModern = (text: string): boolean => /^(tall|escaped|short) = /.test(text);

function tomlText(
  form: Form,
  hooks: Readonly<Record<string, readonly JsonObject[]>>,
  roots: readonly string[],
  tables: readonly string[],
  state: string,
  modern: boolean,
  decide: Decide,
  layout: Layout,
): { lines: string[]; value: JsonObject } {
  const { remark, pair, list, value, name, group, oneOf } = tomlWriter(decide, { modern, layout });
  const top = roots.filter((line) => modern || !isModern(line));
  const events =
    form === 'none'
      ? []
      : Object.entries(hooks).map(([of, groups]) => [of.replaceAll('"', ''), groups] as const);
  // All rows have the same form.
  const isMixed = form !== 'inline' && layout !== ROWS;
  const inTables = events.filter(
    ([, groups]) => form === 'tables' || (isMixed && groups.length > 0 && decide(4) === 0),
  );
  const inArrays = events.filter((event) => !inTables.includes(event));
  const array = (groups: readonly JsonObject[]) => list(groups.map(value));
  const sections: string[][][] = tables.map((text) => [[text]]);
  const inline =
    layout === UNDER_HOOKS && form === 'inline' && (inArrays.length > 0 || decide(2) === 0);
  if (inline) {
    const pairs = inArrays.map(([of, groups]) => `${name(of)} = ${array(groups)}`);
    if (state) pairs.push(`state = { ${STATE_KEY} = { enabled = false } }`);
    const comma = modern && pairs.length > 0 && decide(2) === 0 ? ',' : '';
    const body = pairs.join(modern ? oneOf(', ', `,${remark()}\n  `) : ', ') + comma;
    const wide = modern && decide(2) === 0;
    top.push(`${name('hooks')} = {${wide ? `\n  ${body}\n` : ` ${body} `}}${remark()}`);
  } else if (layout === AT_ROOT) {
    for (const [of, groups] of inArrays) top.push(`${name(of)} = ${array(groups)}${remark()}`);
  } else if (layout === UNDER_HOOKS && form === 'dotted') {
    for (const [of, groups] of inArrays) {
      top.push(`${name('hooks')}${oneOf('.', ' . ')}${name(of)} = ${array(groups)}${remark()}`);
    }
  } else if (layout === UNDER_HOOKS && form === '[hooks]') {
    const lines = inArrays.map(
      ([of, groups]) => pair(of, []).replace(/\[\s*\]$/, () => array(groups)) + remark(),
    );
    sections.push([[`[${oneOf('hooks', ' "hooks" ')}]${remark()}`, ...lines]]);
  }
  if (layout === ROWS) {
    const rows = rowsFrom(Object.fromEntries(events));
    if (inTables.length > 0)
      // Tables below a row belong to the last row, so no other row may come in between.
      sections.push([rows.flatMap((row) => group('', row).flat())]);
    else if (form !== 'none') top.push(`hooks = ${list(rows.map(value))}${remark()}`);
  } else
    for (const [of, groups] of inTables) {
      sections.push(groups.flatMap((one) => group(of, one)));
    }
  if (state && !inline) sections.push([[state]]);

  const lines = top.flatMap((line) => (decide(7) === 0 ? [`# ${COMMENT}`, line] : [line]));
  for (const section of merged(sections, decide)) {
    const indent = decide(6) === 0 ? oneOf('  ', '\t') : '';
    if (decide(3) > 0) lines.push(oneOf('', '', ' \t'));
    if (decide(5) === 0) lines.push(`${indent}# ${COMMENT} [[hooks.Stop]]`);
    for (const line of section) {
      if (decide(12) === 0) lines.push(`# ${COMMENT}`);
      lines.push(indent + line);
    }
  }
  const isThere = (event: (typeof events)[number]) =>
    event[1].length > 0 || (layout !== ROWS && inArrays.includes(event));
  const present = events.filter(isThere);
  return { lines, value: Object.fromEntries(present) };
}

const blankToml = fc
  .tuple(fc.constantFrom(...BLANK_TOML), fc.constantFrom('', '\uFEFF'))
  .map(([text, mark]): Sample => ({ source: mark + numbered(text), value: {} }));

const fullToml = (layout: Layout) =>
  fc
    .tuple(
      fc.uniqueArray(fc.constantFrom(...ROOT_LINES), { maxLength: 4 }),
      fc.uniqueArray(fc.constantFrom(...TABLES), { maxLength: 3 }),
      userHooks,
      fc.constantFrom<Form>('none', 'tables', 'tables', '[hooks]', 'inline', 'dotted'),
      decisions,
      fc.record({
        newline: fc.constantFrom('lf', 'crlf', 'mixed'),
        bom: fc.nat(5),
        end: fc.constantFrom('', '\n', '\n\n', '\n# c@!'),
        state: fc.constantFrom(...STATES),
        modern: fc.nat(3),
      }),
    )
    .map(
      ([roots, tables, hooks = {}, form, list, { newline, bom, end, state, modern }]): Sample => {
        const decide = decider(list);
        const own = layout === UNDER_HOOKS ? state : '';
        const isNew = modern === 0;
        const { lines, value } = tomlText(form, hooks, roots, tables, own, isNew, decide, layout);
        const text = numbered(lines.join('\n') + end).replaceAll('\n', () => {
          if (newline === 'mixed') return decide(2) === 0 ? '\n' : '\r\n';
          return newline === 'crlf' ? '\r\n' : '\n';
        });
        return { source: (bom === 0 ? '\uFEFF' : '') + text, value };
      },
    );

export const smallToml = fc
  .constantFrom<[string, JsonObject]>(
    ['hooks = {}', {}],
    ['hooks = { }\r\n', {}],
    ['[hooks]', {}],
    ['[hooks] # c@!\n', {}],
    ['hooks = { Stop = [] }\na = 1\n', { Stop: [] }],
    ['[hooks]\nStop = [] # c@!\nPostToolUse = [\n]\n', { Stop: [], PostToolUse: [] }],
    ['hooks.Stop = [ # c@! ]\n]\n', { Stop: [] }],
  )
  .map(([text, value]): Sample => ({ source: numbered(text), value }));

/** The same with hooks in another place. */
export const smallTomlWith = (layout: Layout): fc.Arbitrary<Sample> =>
  fc
    .constantFrom(
      ...(layout === ROWS
        ? ['hooks = []', 'hooks = [ # c@!\n]\r\na = 1\n']
        : ['Stop = []', 'Stop = [] # c@!\nPostToolUse = [\n]\n']),
      'a = 1 # c@!',
    )
    .map((text) => ({ source: numbered(text), value: {} }));

export const tomlFileWith = (layout: Layout): fc.Arbitrary<Sample> =>
  fc.oneof({ weight: 1, arbitrary: blankToml }, { weight: 14, arbitrary: fullToml(layout) });
export const tomlFile = tomlFileWith(UNDER_HOOKS);
