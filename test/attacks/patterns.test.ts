/**
 * No text keeps a regular expression of ours busy. `recheck` judges each of them; test/attacks/patterns.json lists all with its
 * verdict. One that is not listed yet is judged when the test runs. `UPDATE_PATTERNS=1 npx vitest run patterns` writes the list.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attack } from './attack.ts';
import { keyOf, type Pattern, patterns } from './patterns.ts';

// Without Java, and without a program for each system.
process.env.RECHECK_BACKEND = 'pure';
const { checkSync } = await import('recheck');

const LIST = join(import.meta.dirname, 'patterns.json');
const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../node_modules/recheck/package.json'), 'utf8'),
);

interface Judged {
  readonly verdict: string;
  readonly where: string;
  readonly most?: string;
}
interface Listed {
  readonly recheck: string;
  readonly patterns: Readonly<Record<string, Judged>>;
}

const SAFE = 'linear';

/**
 * Expressions that take longer than linear time on a text that cannot be long, or whose text nobody else writes; with the most
 * that they are given, in characters.
 */
const SHORT: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'patterns-short.json'), 'utf8'),
);

function verdictOf({ source, flags }: Pattern): string {
  // V8's own engine for linear time; `recheck` doesn't know its flag.
  if (flags.includes('l')) return SAFE;
  const found = checkSync(source, flags, { timeout: 15_000 });
  if (found.status === 'safe') return SAFE;
  // It makes too much of some lookbehinds and bounded repetitions, and sometimes has no time to decide.
  const attack = found.status === 'vulnerable' ? found.attack : undefined;
  const { prefix = '', pump = '' } = attack?.pumps[0] ?? {};
  const known: Attack = [prefix, pump, attack?.suffix ?? ''];
  if (!isSlow(new RegExp(source, flags), [known, ...pumpsFor(source)])) return MEASURED;
  return found.status === 'vulnerable' ? found.complexity.summary : found.status;
}
const MEASURED = 'linear when measured';

type Attack = readonly [prefix: string, pump: string, suffix: string];

/** Texts that repeat what a pattern speaks of. */
function pumpsFor(source: string): Attack[] {
  const words = [...new Set(source.match(/[A-Za-z_]{2,}|[^\w\\]/g) ?? [])].slice(0, 40);
  const pumps = [
    ...words,
    'a',
    'A',
    '0',
    '_',
    '-',
    ' ',
    '\t',
    '\n',
    '.',
    '"',
    "'",
    '\\',
    '/',
    'a_',
    ' =',
  ];
  return pumps.flatMap((pump): Attack[] => [
    ['', pump, '\0'],
    [words[0] ?? '', pump, '\n!'],
  ]);
}

/** Whether one of the texts takes more than its share: a quadratic pattern takes seconds for the last of these lengths. */
function isSlow(pattern: RegExp, attacks: readonly Attack[]): boolean {
  return attacks.some(([prefix, pump, suffix]) =>
    pump === ''
      ? false
      : [30, 1000, 8000, 64_000].some((length) => {
          const text = prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix;
          return [1, 2, 3].every(() => {
            const begun = process.cpuUsage();
            pattern.lastIndex = 0;
            text.replace(pattern, '');
            const { user, system } = process.cpuUsage(begun);
            return user + system > 150_000;
          });
        }),
  );
}

const write = (judged: Readonly<Record<string, Judged>>): void =>
  writeFileSync(LIST, `${JSON.stringify({ recheck: version, patterns: judged }, null, 2)}\n`);

attack(
  'a regular expression takes longer than linear time',
  ({ expect }) => {
    const listed: Listed = JSON.parse(readFileSync(LIST, 'utf8'));
    const known = listed.recheck === version ? listed.patterns : {};
    const all = patterns();
    const judged: Record<string, Judged> = {};
    for (const one of all) {
      const key = keyOf(one);
      judged[key] = { verdict: known[key]?.verdict ?? verdictOf(one), where: one.where };
      const most = SHORT[key];
      if (most !== undefined) judged[key] = { ...judged[key], most };
    }
    if (process.env.UPDATE_PATTERNS) write(judged);
    const slow = Object.entries(judged).filter(
      ([, { verdict, most }]) => verdict !== SAFE && verdict !== MEASURED && most === undefined,
    );
    expect(Object.fromEntries(slow)).toEqual({});
    expect(Object.keys(SHORT).filter((key) => judged[key] === undefined)).toEqual([]);
    // The list names no expression that is gone, and each one says where it is.
    if (listed.recheck === version && !process.env.UPDATE_PATTERNS)
      expect(Object.keys(listed.patterns).sort()).toEqual(Object.keys(judged).sort());
    expect(all.length).toBeGreaterThan(500);
  },
  900_000,
);
