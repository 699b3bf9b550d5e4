/**
 * No file is broken, and nothing of the user's is lost. If the user writes next to our entries, an uninstall leaves a file that the
 * client reads, with everything that the user wrote. Text inside our entries is not lost, either. The parsers here take no part in
 * editing.
 */
import { isDeepStrictEqual } from 'node:util';
import iarna from '@iarna/toml';
import { describe } from 'vitest';
import { clientOf, entriesIn, IDS, MOMENTS } from '../support/runner/clients.ts';
import type { World } from '../support/world.ts';
import { attack } from './attack.ts';

interface Place {
  readonly client: string;
  readonly flags: string;
  readonly file: string;
  /** The native events of the two hooks. */
  readonly events: readonly [string, string];
  readonly starts: readonly string[];
  readonly comments?: true;
}

const OBJECTS = ['{}', '{\n}\n', '{\n\t"theirs": [\n\t\t1\n\t]\n}\n'];
const HOOKS = ['{"hooks":{}}', '{\n  "hooks": {}\n}\n'];
const lists = ([first, second]: readonly [string, string]) => [
  `{"hooks":{"${first}":[]}}`,
  `{\n  "hooks": {\n    "${first}": [],\n    "${second}": [ ]\n  }\n}\n`,
];
const CLAUDE = ['PostToolUse', 'UserPromptSubmit'] as const;
const GEMINI = ['AfterTool', 'BeforeAgent'] as const;
/** Codex uses this file only if it already has hooks. */
const FULL = `{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"true"}]}]%}}`;

const PLACES: Readonly<Record<string, Place>> = {
  "Claude Code's settings": {
    client: 'claude-code',
    flags: '',
    file: '~/.claude/settings.json',
    events: CLAUDE,
    starts: ['', ...OBJECTS, ...HOOKS, ...lists(CLAUDE)],
  },
  "a project's settings for Claude Code": {
    client: 'claude-code',
    flags: '--scope project',
    file: '.claude/settings.json',
    events: CLAUDE,
    starts: ['{ }\n', '{ "hooks": { } }'],
  },
  "Gemini CLI's settings": {
    client: 'gemini-cli',
    flags: '',
    file: '~/.gemini/settings.json',
    events: GEMINI,
    starts: ['{/* mine */}', ...OBJECTS, ...HOOKS, ...lists(GEMINI)],
    comments: true,
  },
  "Codex CLI's hooks.json": {
    client: 'codex',
    flags: '',
    file: '~/.codex/hooks.json',
    events: CLAUDE,
    starts: [FULL.replace('%', ''), FULL.replace('%', ',"PostToolUse":[]')],
  },
  ...Object.fromEntries(
    IDS.filter((id) => clientOf(id).placement.kind === 'own-file').map((id) => {
      const events = [MOMENTS.after[id].event, MOMENTS.prompt[id].event] as const;
      const place = { client: id, flags: '', file: entriesIn(id, 'annal'), events };
      return [`our own file in the folder of ${id}`, { ...place, starts: ['no file'] }];
    }),
  ),
};

/** An edit by the user; undefined if the text has no place for it. */
type Edit = (text: string, place: Place) => string | undefined;

/** The position of the bracket that closes the one at an offset. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:\\.|[^"\\])*"|[[\]{}]/g)) {
    if (index < open) continue;
    if (token === '{' || token === '[') depth += 1;
    if ((token === '}' || token === ']') && --depth === 0) return index;
  }
  throw new Error('It is never closed.');
}

/** Inserts text first or last between the brackets that `opened` ends with, with a comma if needed. */
const beside = (opened: RegExp, item: string, isFirst: boolean): Edit => {
  return (text) => {
    const found = opened.exec(text);
    if (!found) return undefined;
    const open = found.index + found[0].length - 1;
    const close = closing(text, open);
    const inner = text.slice(open + 1, close);
    const isEmpty = inner.replace(/\/\*.*?\*\//g, '').trim() === '';
    const comma = isEmpty ? '' : ',';
    if (isFirst) return `${text.slice(0, open + 1)}${item}${comma}${text.slice(open + 1)}`;
    const end = open + 1 + inner.trimEnd().length;
    return `${text.slice(0, end)}${comma}${item}${text.slice(end)}`;
  };
};

const KEY = '"security":{"a":1}';
/** The only other key that Codex allows there. */
const keyOf = ({ client }: Place) => (client === 'codex' ? '"description":"theirs"' : KEY);
const EVENT = '"Their": []';
const GROUP = '{"hooks":[{"type":"command","command":"theirs , ] }"}]}';
const root = /\{/;
const hooks = /"hooks"\s*:\s*\{/;
const first = ({ events }: Place): RegExp => new RegExp(`"${events[0]}"\\s*:\\s*\\[`);
const both =
  (...edits: readonly Edit[]): Edit =>
  (text, place) =>
    edits.reduce<string | undefined>((out, edit) => out && edit(out, place), text);
const key =
  (isFirst: boolean, around = '%'): Edit =>
  (text, place) =>
    beside(root, around.replace('%', keyOf(place)), isFirst)(text, place);
const EDITS: Readonly<Record<string, Edit>> = {
  'a key before': key(true),
  'a key before, on a line of its own': key(true, '\n  %'),
  'a key after': key(false),
  'an event before': beside(hooks, EVENT, true),
  'an event after': beside(hooks, EVENT, false),
  'a group before': (text, place) => beside(first(place), GROUP, true)(text, place),
  'a group after': (text, place) => beside(first(place), GROUP, false)(text, place),
  'a key and an event before': both(key(true), beside(hooks, EVENT, true)),
  'a key, an event and a group before': (text, place) =>
    both(key(true), beside(hooks, EVENT, true), beside(first(place), GROUP, true))(text, place),
  'a key before and one after': (text, place) =>
    place.client === 'codex'
      ? undefined
      : both(key(true), beside(root, '"b": 2', false))(text, place),
  'a key before, with CRLF': (text, place) =>
    key(true, '\n%')(text, place)?.replace(/\r?\n/g, '\r\n'),
  'a comment before': (text, { comments }) => comments && text.replace('{', '{ // theirs, "\n'),
  'a key with a comment before': (text, place) =>
    place.comments && beside(root, `\n  /* one, */ ${KEY} // theirs, "\n `, true)(text, place),
  'a comment behind the comma of a key before': (text, place) =>
    place.comments &&
    beside(root, `\n  ${KEY}`, true)(text, place)?.replace(`${KEY},`, `${KEY}, // theirs }\n`),
};

/** Parses as strictly as the client: JSON, for Gemini CLI with comments; a blank file if the client allows it. */
function strictly(text: string, { comments, starts }: Place): Record<string, unknown> {
  const bare = comments ? withoutComments(text) : text;
  return bare.trim() === '' && starts.includes('') ? {} : JSON.parse(bare);
}

const withoutComments = (text: string): string =>
  text.replace(
    /("(?:\\.|[^"\\])*")|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g,
    (_, string?: string) => string ?? ' ',
  );

/** The document without our groups, and without empty events and `hooks`. */
function theirs(document: Record<string, unknown>): Record<string, unknown> {
  const events = Object.entries((document.hooks ?? {}) as Record<string, unknown[]>)
    .map(([event, all]) => [event, all.filter((one) => !isOurs(one) && !isEmpty(one))] as const)
    .filter(([, groups]) => groups.length > 0);
  return { ...document, hooks: Object.fromEntries(events) };
}

/** Codex's trust depends on positions, so an empty group may keep one. */
const isEmpty = (value: unknown): boolean => isDeepStrictEqual(value, { hooks: [] });
const isOurs = (value: unknown): boolean => JSON.stringify(value ?? null).includes('.mcp-hooks');

const manifest = (words: string) =>
  JSON.stringify({
    name: 'annal',
    hooks: {
      declarations: [
        { event: 'post_tool_use', matcher: { tool_name: words }, context: 'Hi.' },
        { event: 'pre_request', context: 'Hi.' },
      ].map((one) => ({ ...one, priority: 'suggestion' })),
    },
  });

const readOr = (world: World, file: string): Promise<string | undefined> =>
  world.read(file).catch(() => undefined);

/** The first fault after an uninstall; undefined if there is none. */
async function afterwards(
  world: World,
  place: Place,
  start: string,
  edit: Edit | undefined,
  updated = start.length === 2,
): Promise<string | undefined> {
  const { client, flags, file } = place;
  await world.write('annal.json', manifest('Bash'));
  if (start === 'no file') await world.remove(file);
  else await world.write(file, start);
  const install = `install annal.json --client ${client} ${flags} --yes`;
  const { code, err } = await world.run(install);
  if (code !== 0 || !isOurs(await world.read(file))) return `not installed: ${err}`;
  const edited = edit?.(await world.read(file), place);
  if (edit && edited === undefined) {
    await world.run(`uninstall annal ${flags} --yes`);
    return undefined;
  }
  if (edited !== undefined) await world.write(file, edited);
  const whole = await world.read(file);
  const shall = theirs(strictly(whole, place));
  if (updated) {
    await world.write('annal.json', manifest('Edit'));
    const { code, err } = await world.run(install);
    const text = await world.read(file);
    const isAsShould = isDeepStrictEqual(theirs(strictly(text, place)), shall);
    if (code !== 0 || !isOurs(text) || !isAsShould) return `updated: ${text} ${err}`;
  }
  await world.run(`uninstall annal ${flags} --yes`);
  const text = await readOr(world, file);
  if (edited === undefined) return (text ?? 'no file') === start ? undefined : `left: ${text}`;
  try {
    if (isOurs(text)) return `ours: ${text}`;
    const marks = withoutMarks(whole).filter((one) => !text?.includes(one));
    if (marks.length > 0) return `lost: ${marks}`;
    const isGone = text === undefined && start === 'no file' && Object.keys(shall).length === 1;
    const left = isGone ? shall : theirs(strictly(text ?? '', place));
    return isDeepStrictEqual(left, shall) ? undefined : `other values: ${text}`;
  } catch {
    return `broken: ${text}`;
  }
}

const withoutMarks = (text: string): string[] => text.match(/\/\/ theirs.*|\/\* .*? \*\//g) ?? [];

const STARTS = Object.entries(PLACES).flatMap(([name, place]) =>
  place.starts.map((start) => ({ where: `${name}, ${JSON.stringify(start)}`, place, start })),
);

describe.each(STARTS)('$where', ({ place, start }) => {
  attack(
    'what the owner writes beside our entries stays, and the file stays valid',
    async ({ world, expect }) => {
      const wrong: unknown[] = [];
      for (const [name, edit] of [['nothing', undefined] as const, ...Object.entries(EDITS)]) {
        const why = await afterwards(world, place, start, edit);
        if (why !== undefined) wrong.push({ edit: name, why });
      }
      expect(wrong).toEqual([]);
    },
  );
});
const TOML: Place = {
  client: 'codex',
  flags: '',
  file: '~/.codex/config.toml',
  events: CLAUDE,
  starts: [
    '',
    '# mine',
    'model = "x" # mine\n',
    '[tui]\n[[hooks.PostToolUse]] # mine\nhooks = []\n',
  ],
};
const ARRAYS = [
  'hooks = {}\n',
  'hooks = { PostToolUse = [] }\n',
  '[hooks]\nUserPromptSubmit = []\n',
];

/** Replaces a part of our first entry. */
const within =
  (ours: RegExp, theirs: string): Edit =>
  (text) =>
    ours.test(text) ? text.replace(ours, theirs) : undefined;
const atEnd =
  (theirs: string): Edit =>
  (text) =>
    `${text}${theirs}`;

const INLINE = '{ type = "command", command = "OWN # , ] }" }';
const TYPED = '{"type":"command","command":"OWN # , ] }"}';
/** Our own handler, from its beginning to its end. */
const JSON_HANDLER = /\{ ?"(?:name|type)"[^{}]*(?:\{[^}]*\}[^{}]*)*?"timeout": ?\d+ ?\}/;
const TOML_HANDLER = /\{ type = [^\n]*?timeout = \d+ \}/;

interface Inside {
  readonly edit: Edit;
  /** Only for files that may have comments. */
  readonly comment?: true;
  /** Whether the file is refused until the user has removed the edit, or the edit is kept and our entry removed. */
  readonly outcome: 'refused' | 'kept';
  /** Removing ours would move a handler that Codex trusts, so ours stays with it. */
  readonly moves?: true;
}

const IN_JSON: Readonly<Record<string, Inside>> = {
  'a key of the handler': {
    edit: within(/"timeout": ?(?=\d)/, '"OWN, }": [{"timeout": 1}], $&'),
    outcome: 'refused',
  },
  'a comment in the handler': {
    edit: within(/"timeout": ?(?=\d)/, '/* OWN , } */ $&'),
    comment: true,
    outcome: 'refused',
  },
};
const IN_GROUPS: Readonly<Record<string, Inside>> = {
  'a key of the group before': {
    edit: within(/"matcher"/, '"OWN": {"hooks": []}, $&'),
    outcome: 'refused',
  },
  'a key of the group behind': {
    edit: within(new RegExp(`(${JSON_HANDLER.source}\\s*\\])`), '$1, "OWN": 1'),
    outcome: 'refused',
  },
  'a comment in the group': {
    edit: within(/"matcher"/, '// OWN }\n $&'),
    comment: true,
    outcome: 'refused',
  },
  'a handler before ours': { edit: within(JSON_HANDLER, `${TYPED}, $&`), outcome: 'kept' },
  'a handler behind ours': {
    edit: within(JSON_HANDLER, `$&, ${TYPED}`),
    outcome: 'kept',
    moves: true,
  },
  'a handler behind ours, on a line of its own': {
    edit: within(JSON_HANDLER, `$&,\n /* OWN , */ ${TYPED} // OWN ]\n `),
    comment: true,
    outcome: 'kept',
  },
  'a handler with a key in ours': {
    edit: both(within(/"timeout": ?(?=\d)/, '"OWN": 1, $&'), within(JSON_HANDLER, `${TYPED}, $&`)),
    outcome: 'refused',
  },
};
const IN_TOML: Readonly<Record<string, Inside>> = {
  'a key of the handler': {
    edit: within(/timeout = (?=\d)/, 'OWN = [{ timeout = 1 }], $&'),
    outcome: 'refused',
  },
  'a handler before ours': { edit: within(TOML_HANDLER, `${INLINE}, $&`), outcome: 'kept' },
  'a handler behind ours': {
    edit: within(TOML_HANDLER, `$&, ${INLINE}`),
    outcome: 'kept',
    moves: true,
  },
};
const IN_TABLES: Readonly<Record<string, Inside>> = {
  'a key at the end': { edit: atEnd('OWN = "x"\n'), outcome: 'refused' },
  'a key at the end, below a comment': {
    edit: atEnd('\n# OWN\ntheir.name = 1'),
    outcome: 'refused',
  },
  'a key before ours': {
    edit: within(/^hooks = \[\{/m, 'OWN = """\nhooks = [{\n"""\n$&'),
    outcome: 'refused',
  },
  'a comment between ours': { edit: within(/^hooks = \[\{/m, '# OWN\n$&'), outcome: 'refused' },
  'a comment behind the header': {
    edit: (text) => text.replace(/\]\](?=\nmatcher)/, ']] # OWN'),
    outcome: 'refused',
  },
  'a table of the group': {
    edit: atEnd('\n[hooks.UserPromptSubmit.OWN]\nx = 1\n'),
    outcome: 'refused',
  },
  'a handler before ours, in tables': {
    edit: both(
      within(
        new RegExp(`^hooks = \\[(${TOML_HANDLER.source})\\]`, 'm'),
        '[[hooks.UserPromptSubmit.hooks]] # OWN\ntype = "command"\ncommand = "OWN"\n\n[[hooks.UserPromptSubmit.hooks]]\n$1',
      ),
      (text) =>
        text.replace(/^\{ (type = .*?), (command = .*), (timeout = \d+) \}$/m, '$1\n$2\n$3'),
    ),
    outcome: 'kept',
  },
};

const INSIDE = [
  ...STARTS.map((one) => ({
    ...one,
    edits: one.start === 'no file' ? IN_JSON : { ...IN_JSON, ...IN_GROUPS },
  })),
  ...TOML.starts.map((start) => ({
    where: `tables, ${start}`,
    place: TOML,
    start,
    edits: { ...IN_TOML, ...IN_TABLES },
  })),
  ...ARRAYS.map((start) => ({ where: `arrays, ${start}`, place: TOML, start, edits: IN_TOML })),
];

/** The document, parsed from JSON, or from TOML by a parser that takes no part in editing. */
const documentIn = (text: string, place: Place): Record<string, unknown> =>
  place === TOML ? JSON.parse(JSON.stringify(iarna.parse(text))) : strictly(text, place);

/** The number of pieces around a word that only the user writes. */
const count = (text: string): number => text.split('OWN').length;

/** The document without our handlers. */
function withoutOurs(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one) => !isHandler(one)).map(withoutOurs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutOurs(one)]));
}
const isHandler = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'command' in value && isOurs(value);

/** The groups with a handler of the user's. */
const groupsWithTheirs = (document: unknown): unknown[] =>
  Object.values((document as { hooks?: Record<string, unknown[]> }).hooks ?? {})
    .flat()
    .filter((group) => JSON.stringify(group).includes('OWN'));

/** The first fault after a command; undefined if there is none. */
async function inside(
  world: World,
  place: Place,
  start: string,
  { edit, outcome, moves }: Inside,
): Promise<string | undefined> {
  const { client, flags, file } = place;
  await world.write('annal.json', manifest('Bash'));
  if (start === 'no file') await world.remove(file);
  else await world.write(file, start);
  const install = `install annal.json --client ${client} ${flags} --yes`;
  const uninstall = `uninstall annal ${flags} --yes`;
  const installed = await world.run(install);
  const before = await world.read(file);
  if (installed.code !== 0 || !isOurs(before)) return `not installed: ${installed.err}`;
  const edited = edit(before, place);
  if (edited === undefined || edited === before) return `no place for it: ${before}`;
  const theirs = groupsWithTheirs(withoutOurs(documentIn(edited, place)));
  let isUpdated = false;
  const isLeft = moves && client === 'codex';
  await world.write('annal.json', manifest('Edit'));
  for (const command of [install, uninstall]) {
    await world.write(file, edited);
    const { code, out, err } = await world.run(command);
    const text = await readOr(world, file);
    if (outcome === 'refused') {
      // The update may not change the edited entry.
      if (command === install && code === 0 && text && count(text) === count(edited)) {
        isUpdated = true;
        continue;
      }
      const line = edited.slice(0, edited.indexOf('OWN')).split('\n').length;
      const isNamed = `${out}${err}`
        .replace(/\s+/g, ' ')
        .includes(`${file.split('/').at(-1)}:${line}`);
      if (code === 0 || text !== edited || !isNamed)
        return `${command}: ${code} ${out} ${err} ${text}`;
      continue;
    }
    if (code !== 0 || text === undefined) return `${command}: ${code} ${err}`;
    const left = groupsWithTheirs(documentIn(text, place));
    const shall = isLeft ? groupsWithTheirs(documentIn(edited, place)) : theirs;
    if (!isDeepStrictEqual(left, shall)) return `${command}: ${text}`;
    if (count(text) !== count(edited)) return `lost: ${text}`;
    if (!isLeft && command === uninstall && isOurs(text)) return `ours: ${text}`;
  }
  if (outcome !== 'refused' || isUpdated) return undefined;
  await world.write(file, before);
  await world.run(uninstall);
  const text = await readOr(world, file);
  return (text ?? 'no file') === start ? undefined : `left: ${text}`;
}

describe.each(INSIDE)('$where', ({ place, start, edits }) => {
  attack('what the owner writes inside our entries is never lost', async ({ world, expect }) => {
    const wrong: unknown[] = [];
    for (const [name, one] of Object.entries(edits)) {
      if (one.comment && !place.comments) continue;
      const why = await inside(world, place, start, one);
      if (why !== undefined) wrong.push({ edit: name, why });
      await world.run(`uninstall annal ${place.flags} --yes`);
    }
    expect(wrong).toEqual([]);
  });
});
