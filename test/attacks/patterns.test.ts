/**
 * No text keeps one of our regular expressions busy. `recheck` judges each of them. test/attacks/patterns.json lists them by verdict,
 * and those of a single client are in its folder of test/clients. An expression that is not listed yet is judged by the test.
 * `UPDATE_PATTERNS=1 npx vitest run patterns` writes the lists.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_IDS } from '../support/runner/clients.ts';
import { attack } from './attack.ts';
import { keyOf, type Pattern, patterns } from './patterns.ts';

// Needs neither Java nor a native program.
process.env.RECHECK_BACKEND = 'pure';
const { checkSync } = await import('recheck');

const TEST = join(import.meta.dirname, '..');
const { version } = JSON.parse(
  readFileSync(join(TEST, '../node_modules/recheck/package.json'), 'utf8'),
);

interface List {
  readonly recheck: string;
  /** Linear according to recheck, and linear when measured. */
  readonly linear: readonly string[];
  readonly measured: readonly string[];
  /**
   * Other expressions, for texts that are short or that only we write, with the largest number of characters. This list is written
   * by hand.
   */
  readonly short: Readonly<Record<string, { readonly verdict: string; readonly most: string }>>;
}

const SAFE = 'linear';
const MEASURED = 'linear when measured';

/** The list with this pattern: that of its client, or the general one. */
function listOf({ where }: Pattern): string {
  const owners = where.split(', ').map((one) => /^src\/clients\/([^/]+)(?:\/|$)/.exec(one)?.[1]);
  const [owner] = owners;
  const isOwn = ALL_IDS.some((id) => id === owner) && owners.every((one) => one === owner);
  return join(TEST, isOwn ? `clients/${owner}` : 'attacks', 'patterns.json');
}

const LISTS = [
  join(TEST, 'attacks/patterns.json'),
  ...ALL_IDS.map((id) => join(TEST, 'clients', id, 'patterns.json')),
];

function verdictOf({ source, flags }: Pattern): string {
  // V8's own engine for linear time; `recheck` doesn't know its flag.
  if (flags.includes('l')) return SAFE;
  const found = checkSync(source, flags, { timeout: 15_000 });
  if (found.status === 'safe') return SAFE;
  // recheck is too strict about some lookbehinds and bounded repetitions, and sometimes runs out of time.
  const attack = found.status === 'vulnerable' ? found.attack : undefined;
  const { prefix = '', pump = '' } = attack?.pumps[0] ?? {};
  const known: Attack = [prefix, pump, attack?.suffix ?? ''];
  if (!isSlow(new RegExp(source, flags), [known, ...pumpsFor(source)])) return MEASURED;
  return found.status === 'vulnerable' ? found.complexity.summary : found.status;
}
type Attack = readonly [prefix: string, pump: string, suffix: string];

/** Texts that repeat words and characters of a pattern. */
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

/** Whether one of the texts takes too long: a quadratic pattern takes seconds for the last of these lengths. */
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

attack(
  'a regular expression takes linear time, or the list says how short its text is',
  ({ expect }) => {
    const all = patterns();
    const slow: string[] = [];
    for (const file of LISTS) {
      const listed: List = existsSync(file)
        ? JSON.parse(readFileSync(file, 'utf8'))
        : { recheck: '', linear: [], measured: [], short: {} };
      const isKnown = listed.recheck === version;
      const linear = new Set(isKnown ? listed.linear : []);
      const measured = new Set(isKnown ? listed.measured : []);
      const verdict = (one: Pattern, key: string) =>
        linear.has(key)
          ? SAFE
          : measured.has(key)
            ? MEASURED
            : (isKnown && listed.short[key]?.verdict) || verdictOf(one);
      const found = all
        .filter((one) => listOf(one) === file)
        .map((one) => ({ key: keyOf(one), verdict: verdict(one, keyOf(one)) }));
      const judgedAs = (wanted: string) =>
        found.filter((one) => one.verdict === wanted).map(({ key }) => key);
      const others = found.filter((one) => one.verdict !== SAFE && one.verdict !== MEASURED);
      const made: List = {
        recheck: version,
        linear: judgedAs(SAFE),
        measured: judgedAs(MEASURED),
        short: Object.fromEntries(
          others.map(({ key, verdict }) => [key, { verdict, most: listed.short[key]?.most ?? '' }]),
        ),
      };
      if (process.env.UPDATE_PATTERNS) writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`);
      else if (isKnown) expect(made).toEqual(listed);
      slow.push(...others.filter(({ key }) => !listed.short[key]?.most).map(({ key }) => key));
    }
    expect(slow).toEqual([]);
    expect(all.length).toBeGreaterThan(500);
  },
  900_000,
);
