/** The worst declarations of a server within the limits, and the worst payloads of a client, of a megabyte each. */

/** Bytes of a payload. */
const SIZE = 1_000_000;
/** Characters of a field of a matcher, and how many entries a list has. */
const FIELD = 1000;
const LIST = 100;
/** How many hooks of a server are installed. */
const HOOKS = 64;

const filled = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

export const nested = (open: string, inside: string, close: string, depth: number): string =>
  open.repeat(depth) + inside + close.repeat(depth);

/** A tool's input and output. */
const MADE: Readonly<Record<string, unknown>> = {
  'one long string': { command: 'a'.repeat(SIZE) },
  'one long path': { file_path: filled('a/', SIZE) },
  'many paths': { paths: Array.from({ length: SIZE / 12 }, (_, at) => `a/b${at}`) },
  'long paths': { paths: Array.from({ length: SIZE / 4100 }, () => filled('a/', 4090)) },
  'a patch of many files': {
    command: Array.from({ length: SIZE / 30 }, (_, at) => `*** Add File: ab/${at}`).join('\n'),
  },
  'stars without end': { command: filled('*** Add File: ', SIZE) },
  'line ends': { command: '\n'.repeat(SIZE / 2) },
  'many keys': Object.fromEntries(Array.from({ length: SIZE / 14 }, (_, at) => [`key${at}`, 'a'])),
  'many strings': { all: Array.from({ length: SIZE / 5 }, () => 'aa') },
  'many numbers': { all: Array.from({ length: SIZE / 2 }, () => 1) },
  quotes: { command: '"'.repeat(SIZE / 2) },
  'control characters': { command: '\u0001'.repeat(SIZE / 6) },
  'three bytes each': { command: '\u2028'.repeat(SIZE / 3) },
  'halves of characters': { command: '\ud800'.repeat(SIZE / 6) },
  'ordinary code': {
    file_path: 'src/a.ts',
    content: filled('export const one = (two: string) => two.trim() === "three"; // four\n', SIZE),
  },
};

/** A tool's input and output, as JSON. */
export const VALUES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(MADE).map(([what, value]) => [what, JSON.stringify(value)])),
  'brackets 3,000 deep': nested('[', '"a"', ']', 3000),
  'brackets 100,000 deep': nested('[', '"a"', ']', 100_000),
  'keys 100,000 deep': nested('{"path":', '"a"', '}', 100_000),
  'numbers, written at length': `[${Array.from({ length: SIZE / 12 }, (_, at) => `1.0${at}e-5`).join()}]`,
};

const hooks = (count: number, make: (index: number) => object): object[] =>
  Array.from({ length: count }, (_, index) => ({
    event: 'post_tool_use',
    ...make(index),
  }));
const matching = (make: (index: number) => object) =>
  hooks(HOOKS, (index) => ({ context: 'x', matcher: make(index) }));
/** A text that differs for each index, but has the same length. */
const distinct = (piece: string, index: number, length = FIELD): string =>
  filled(piece, length - 3) + String(index).padStart(3, '0');
const globs = (index: number): string[] =>
  Array.from({ length: LIST }, (_, at) => `*${distinct('a', LIST * index + at, 20)}*a?[a-z]*`);

const PATTERNS = [
  '(a+)+$b',
  'a*'.repeat(490),
  '(.*)(.*)(.*)(.*)(.*)b',
  `${'a?'.repeat(60)}${'a'.repeat(60)}b`,
  '[^b]*[^c]*[^d]*[^e]*e',
];

/** Declarations of a server. */
export const DECLARATIONS: Readonly<Record<string, readonly object[]>> = {
  'a text of placeholders': hooks(1, () => ({ context: filled('{tool_input}', 840_000) })),
  'texts of placeholders': hooks(16, () => ({ context: '{tool_input}'.repeat(600) })),
  'texts of both placeholders': hooks(HOOKS, () => ({
    context: '{tool_input}{tool_output}{tool_name}{project_name}'.repeat(250),
  })),
  braces: hooks(HOOKS, () => ({ context: filled('{{a}{b', 10_000) })),
  'names of tools': matching((index) => ({ tool_name: `*${distinct('a', index, 900)}*b*c*` })),
  'excluded tools': matching((index) => ({ exclude: { tools: globs(index) } })),
  'excluded paths': matching((index) => ({ exclude: { paths: globs(index) } })),
  'what an input contains': matching((index) => ({ input_contains: distinct('a', index) })),
  'what an input contains, from behind': matching((index) => ({
    input_contains: `${index}b${'a'.repeat(FIELD - 4)}`,
  })),
  'what an output contains': matching((index) => ({
    output_contains: `${index}b${'a'.repeat(FIELD - 4)}`,
  })),
  'patterns of an input': matching((index) => ({
    input_matches: `${PATTERNS[index % PATTERNS.length]}${index}`,
  })),
  'patterns of an output': matching((index) => ({
    output_matches: `${PATTERNS[index % PATTERNS.length]}${index}`,
  })),
  repetitions: matching(() => ({ repeat: { times: 2, within: 60, same: 'call' } })),
  'branches and projects': matching((index) => ({
    branch: `*${distinct('a', index, 900)}*b*c*`,
    project: `*${distinct('a', index, 900)}*b*c*`,
  })),
  budgets: hooks(HOOKS, () => ({ event: 'budget_exceeded', context: 'x', budget: { tokens: 1 } })),
  blocks: hooks(HOOKS, () => ({
    block: '{tool_input}'.repeat(600),
    matcher: { input_contains: 'no such' },
  })),
  changed: hooks(HOOKS, () => ({
    command: ['true'],
    may: ['modify'],
    matcher: { exclude: { paths: globs(0) } },
  })),
  'arguments of tools': hooks(HOOKS, () => ({
    context_tool: 'none',
    context_tool_args: { a: filled('{tool_input}', 10_000) },
  })),
};
