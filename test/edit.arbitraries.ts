/** Random settings files, as text: any layout, any form that hooks can take, comments everywhere. */
import fc from 'fast-check';
import type { Dialect, JsonObject, JsonValue, Placed } from '../src/edit/edit.ts';
import { isObject } from '../src/edit/value.ts';

export const LENIENT: Dialect = {
  comments: true,
  trailingCommas: true,
  bom: true,
  empty: true,
  otherwise: 'is refused',
};
export const EVENTS = ['PostToolUse', 'Stop', 'SessionStart'] as const;
export const LABELS = ['annal', 'serena'] as const;

/** The label in the commands' path; every handler has to have it. */
export function ownerOf(group: JsonValue): string | undefined {
  const handlers = isObject(group) && Array.isArray(group.hooks) ? group.hooks : [];
  const owners = handlers.map((handler: JsonValue) =>
    isObject(handler) ? /^\/r\/(\w+)\//.exec(String(handler.command))?.[1] : undefined,
  );
  return owners.length > 0 && new Set(owners).size === 1 ? owners[0] : undefined;
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

/** A group of ours, of any look. */
export function ours(label: string): fc.Arbitrary<JsonObject> {
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
          command: `/r/${label}/run${rest}`,
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
      fc.tuple(...events.map((event) => ours(label).map((group) => ({ event, group })))),
    );

const theirs: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ hooks: [] }) },
  {
    weight: 5,
    arbitrary: fc.nat(99).map((id) => ({
      matcher: `user ${id}`,
      hooks: [{ type: 'command', command: `echo ${id} # "}]"`, timeout: id }],
    })),
  },
);

const userHooks = fc.option(
  fc.dictionary(fc.constantFrom(...EVENTS, 'Other'), fc.array(theirs, { maxLength: 3 }), {
    maxKeys: 3,
  }),
  { nil: undefined },
);

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
  // fromEntries: an own property, also for __proto__
  return pairs.map((list) => Object.fromEntries(list));
}

const jsonValue: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.uniqueArray(fc.tuple(key, anyValue), { maxLength: 3, selector: ([name]) => name }),
    userHooks,
    fc.nat(3),
  )
  .map(([pairs, hooks, at]) => {
    const all: [string, JsonValue][] = [...pairs];
    if (hooks) all.splice(at, 0, ['hooks', hooks]);
    return Object.fromEntries(all);
  });

export interface Sample {
  readonly source: string;
  readonly value: JsonObject;
}

const TRIVIA = [
  '',
  '',
  ' ',
  '\n',
  '\n  ',
  '\r\n\t',
  '/*#*/',
  ' // # , ] }\n',
  '/* #\n */ ',
  '\n// #\r\n',
];

/** The value with random white space and comments between any two tokens, and trailing commas. */
function scribbled(value: JsonValue, choices: readonly number[]): string {
  let next = 0;
  let comments = 0;
  const choose = (): number => choices[next++ % choices.length] ?? 0;
  const gap = (): string =>
    (TRIVIA[choose() % TRIVIA.length] ?? '').replace('#', () => `c${comments++}!`);
  const list = (open: string, items: string[], close: string): string => {
    const trailing = items.length > 0 && choose() % 3 === 0 ? `,${gap()}` : '';
    return open + gap() + items.map((item) => item + gap()).join(`,${gap()}`) + trailing + close;
  };
  const print = (item: JsonValue): string => {
    if (Array.isArray(item)) return list('[', item.map(print), ']');
    if (!isObject(item)) return JSON.stringify(item);
    const pairs = Object.entries(item);
    return list(
      '{',
      pairs.map(([name, v]) => `${JSON.stringify(name)}${gap()}:${gap()}${print(v)}`),
      '}',
    );
  };
  return gap() + print(value) + gap();
}

/** As programs write it, with a comment here and there at the end of a line. */
function tidy(
  value: JsonValue,
  indent: string,
  newline: string,
  choices: readonly number[],
): string {
  return JSON.stringify(value, null, indent)
    .split('\n')
    .map((line, n) =>
      (choices[n % choices.length] ?? 0) % 7 === 0 ? `${line} // c${n}! ,]` : line,
    )
    .join(newline);
}

const choices = fc.array(fc.nat(99), { minLength: 1, maxLength: 40 });

export const jsoncFile: fc.Arbitrary<Sample> = fc
  .tuple(
    jsonValue,
    choices,
    fc.constantFrom('scribbled', '  ', '\t', '    ', 'one line', 'blank'),
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '\n'),
    fc.boolean(),
  )
  .map(([value, seed, layout, newline, end, bom]) => {
    const mark = bom && (seed[0] ?? 0) % 4 === 0 ? '\uFEFF' : '';
    if (layout === 'blank') {
      const blank = ['', '\n', '// c0!\n', '/* c0! */', '  '][(seed[0] ?? 0) % 5] ?? '';
      return { source: mark + blank, value: {} };
    }
    const text =
      layout === 'scribbled'
        ? scribbled(value, seed)
        : layout === 'one line'
          ? JSON.stringify(value, null, (seed[0] ?? 0) % 2).replace(/\n */g, '')
          : tidy(value, layout, newline, seed);
    return { source: mark + text + end, value };
  });

/** Strict JSON, as Claude Code and Codex's hooks.json want it. */
export const jsonFile: fc.Arbitrary<Sample> = fc
  .tuple(
    jsonValue,
    fc.constantFrom('', '  ', '\t', '    '),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
  )
  .map(([value, indent, newline, end]) => ({
    source: JSON.stringify(value, null, indent).replaceAll('\n', newline) + (end ? newline : ''),
    value,
  }));

// --- TOML ---------------------------------------------------------------------------------------

const ROOT_LINES = [
  'model = "gpt-5" # c0!',
  "path = 'C:\\x' ",
  'n = 0xDEAD_BEEF',
  'f = 1.0',
  'when = 1979-05-27T07:32:00.999-07:00',
  'big = 9223372036854775807',
  'text = """\n[[hooks.PostToolUse]]\n# not a comment c!\n"""',
  'list = [\n  1, # c1!\n  2\n]',
  '# c2! hooks = {',
  '',
  'dotted.a.b = 1',
];
const TABLES = [
  '[features]\nhooks = true # c3!',
  '[mcp_servers.x]\ncommand = "npx"\nargs = ["-y", "[[hooks]]"]\n\n[mcp_servers.x.env]\nKEY = "s"',
  '[[profiles]]\nname = "a"\n[[profiles]]\nname = "b"',
  '# c4! a comment between tables',
  '  [indented]\n  x = [{ a = 1 }]',
];
const STATE =
  '[hooks.state."/home/u/.codex/config.toml:post_tool_use:0:0"]\ntrusted_hash = "sha256:00" # c5!';

type Form = 'none' | 'headers' | 'quoted' | 'nested' | 'table' | 'tall table' | 'inline' | 'dotted';

const str = (text: string): string => JSON.stringify(text);
const inlineGroup = (group: JsonObject): string => {
  const handlers = (group.hooks as JsonObject[]).map(
    (h) => `{ type = "command", command = ${str(String(h.command))}, timeout = ${h.timeout} }`,
  );
  const matcher = group.matcher === undefined ? '' : `matcher = ${str(String(group.matcher))}, `;
  return `{ ${matcher}hooks = [${handlers.join(', ')}] }`;
};

function headerGroup(event: string, group: JsonObject, form: Form, tail: string): string {
  const name = form === 'quoted' ? `[["hooks" . '${event}']]` : `[[hooks.${event}]]`;
  const matcher =
    group.matcher === undefined ? [] : [`matcher = ${str(String(group.matcher))}${tail}`];
  const handlers = group.hooks as JsonObject[];
  if (form !== 'nested' || handlers.length === 0) {
    const list = /hooks = (\[.*\]) \}$/.exec(inlineGroup({ hooks: handlers }))?.[1] ?? '[]';
    return [name, ...matcher, `hooks = ${list}`].join('\n');
  }
  const tables = handlers.map(
    (h) =>
      `[[hooks.${event}.hooks]]${tail}\ntype = "command"\ncommand = ${str(String(h.command))}\ntimeout = ${h.timeout}`,
  );
  return [name, ...matcher, '', ...tables].join('\n');
}

function array(groups: readonly JsonObject[], form: Form, choose: () => number): string {
  const items = groups.map(inlineGroup);
  if (form !== 'tall table') {
    const comma = items.length > 0 && choose() % 3 === 0 ? ',' : '';
    return choose() % 2 === 0
      ? `[${items.join(', ')}${comma}]`
      : `[ ${items.join(' , ')}${comma} ]`;
  }
  const last = items.length - 1;
  const lines = items.map((item, n) => {
    const comma = n < last || choose() % 2 === 0 ? ',' : '';
    return `  ${item}${comma}${choose() % 3 === 0 ? ` # c1${n}! ]` : ''}`;
  });
  if (choose() % 4 === 0) lines.push('  # c19! , ]');
  return `[\n${lines.map((line) => `${line}\n`).join('')}]`;
}

export const tomlFile: fc.Arbitrary<Sample> = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...ROOT_LINES), { maxLength: 4 }),
    fc.uniqueArray(fc.constantFrom(...TABLES), { maxLength: 3 }),
    userHooks,
    fc.constantFrom<Form>(
      'none',
      'headers',
      'quoted',
      'nested',
      'table',
      'tall table',
      'inline',
      'dotted',
    ),
    choices,
    fc.record({
      crlf: fc.boolean(),
      bom: fc.nat(5),
      end: fc.constantFrom('', '\n', '\n\n', '\n# c9!'),
      state: fc.boolean(),
    }),
  )
  .map(([root, tables, hooks = {}, form, seed, { crlf, bom, end, state }]) => {
    let next = 0;
    const choose = (): number => seed[next++ % seed.length] ?? 0;
    const events: [string, JsonObject[]][] = form === 'none' ? [] : Object.entries(hooks);
    const top = [...root];
    const sections = [...tables];
    const value: Record<string, JsonValue> = {};
    for (const [event, groups] of events) {
      if (groups.length > 0 || !['headers', 'quoted', 'nested'].includes(form))
        value[event] = groups;
    }
    if (form === 'inline') {
      const pairs = events.map(([event, groups]) => `${event} = ${array(groups, form, choose)}`);
      top.push(
        pairs.length > 0 || choose() % 2 === 0
          ? `hooks = { ${pairs.join(', ')} } # c6!`
          : 'hooks = {}',
      );
    } else if (form === 'dotted') {
      top.push(
        ...events.map(([event, groups]) => `hooks . ${event} = ${array(groups, form, choose)}`),
      );
    } else if (form === 'table' || form === 'tall table') {
      const lines = events.map(
        ([event, groups]) => `${event} = ${array(groups, form, choose)} # c7!`,
      );
      sections.splice(choose() % (sections.length + 1), 0, ['[hooks]', ...lines].join('\n'));
    } else {
      const blocks = events.flatMap(([event, groups]) =>
        groups.map((group) => headerGroup(event, group, form, choose() % 3 === 0 ? ' # c8!' : '')),
      );
      sections.splice(choose() % (sections.length + 1), 0, ...blocks);
    }
    if (state && form !== 'inline') {
      sections.splice(
        form.startsWith('t') ? sections.length : choose() % (sections.length + 1),
        0,
        STATE,
      );
    }
    const glue = choose() % 2 === 0 ? '\n\n' : '\n';
    const text = [...top, ...sections].join(glue) + end;
    return {
      source: (bom === 0 ? '\uFEFF' : '') + (crlf ? text.replaceAll('\n', '\r\n') : text),
      value: form === 'none' ? {} : value,
    };
  });

/** Every comment that the generators write carries a number. */
export const commentsOf = (text: string): string[] => text.match(/c\d+!/g)?.sort() ?? [];
