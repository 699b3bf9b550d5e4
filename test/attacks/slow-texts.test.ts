/** No text makes the search for secrets slow: its time grows linearly with the text. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe } from 'vitest';
import { attack } from './attack.ts';

const load = createRequire(join(import.meta.dirname, '../../dist/templates/redact.cjs'));
const { masked, mayHoldSecrets } = load('./redact.cjs');

/** Milliseconds of processor time, the minimum of a few tries, because other programs use the machine, too. */
async function costOf(value: unknown, tries = 3): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let nth = 0; nth < tries; nth++) {
    const begun = process.cpuUsage();
    mayHoldSecrets([value]);
    await masked([value]);
    const { user, system } = process.cpuUsage(begun);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

const filled = (length: number, text: string): string =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);

const CODE = `const token = await nextToken(tokens, 12); // see https://example.com/a1\n`;
const LENGTH = 20_000;
/** A quadratic rule takes hundreds of times as long as a linear one. */
const FACTOR = 40;

/** Beginnings that rules look for, what they look for next, and what keeps them reading. */
const WORDS = `password= password=" passwd:' secret= secret_key: token= token=" api_key=" access-key: credential=
  account_key= private_key=" Authorization:Bearer authorization= authorization:basic X-Api-Key: x-token Cookie:a= cookie="
  --token --password bearer basic _auth= "auth":" sig= ;pwd= :// ://a: ://a:b@ machine default login account
  mysql curl docker sshpass -p -u -b --cookie= aws openssl az -----BEGIN -----BEGIN-PRIVATE-KEY----- -----END
  Private-Lines: eyJ .eyJ ghp_ sk- sk-proj- xoxb- AKIA AIza SG. :AA .atlasv1. Q~ AZDO glpat- hvs. pypi-AgE M1 N_ 1//0 0/ pat`;
const PUMPS = [
  'a',
  'a_',
  'a_A-',
  'A',
  '1',
  'a1',
  '-',
  '_',
  '.',
  '/',
  '=',
  ':',
  ';',
  '@',
  ' ',
  '\t',
  '\n',
];
const FRAGMENTS = [
  ...WORDS.split(/\s+/),
  ...PUMPS,
  ...['"', "'", '\\', '\\"', '\\n', '{', '(', '$', '%', '\r\n', '\u2028', '\ud800'],
];

/** A repeatable sequence of random numbers. */
function* chances(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    yield (state >> 8) / 0x800000;
  }
}

/** Texts with a beginning, a repeated part, and an end that matches nothing. */
function* texts(seed: number, count: number): Generator<string> {
  const chance = chances(seed);
  const next = () => chance.next().value ?? 0;
  const some = (most: number) =>
    Array.from(
      { length: Math.floor(next() * (most + 1)) },
      () => FRAGMENTS[Math.floor(next() * FRAGMENTS.length)],
    ).join(next() < 0.5 ? '' : ' ');
  for (let nth = 0; nth < count; nth++)
    yield some(2) + filled(LENGTH, `${some(3)}${PUMPS[nth % PUMPS.length]}`) + some(1);
}

describe('no text takes many times longer than ordinary code of its length', () => {
  const slowOf = async (all: Iterable<string>) => {
    await costOf(filled(LENGTH, CODE), 10);
    const usual = await costOf(filled(LENGTH, CODE), 10);
    const slow: string[] = [];
    for (const text of all) {
      if ((await costOf(text, 1)) <= usual * FACTOR) continue;
      if ((await costOf(text)) > usual * FACTOR) slow.push(text.slice(0, 100));
    }
    return slow;
  };

  attack(
    'a text that repeats a word of a rule is searched in bounded time',
    async ({ expect }) => {
      const all = WORDS.split(/\s+/).flatMap((word) =>
        PUMPS.flatMap((pump) => [
          filled(LENGTH, word + pump),
          `${word} ${filled(LENGTH, pump)}`,
          `${filled(LENGTH, pump)}${word}!`,
        ]),
      );
      const prose = `${'a_'.repeat(LENGTH / 2)}0`;
      all.push(`Authorization: Bearer ${prose}`, `basic ${prose}`);
      expect(await slowOf(all)).toEqual([]);
    },
    300_000,
  );

  attack(
    'a random text is searched in bounded time',
    async ({ expect }) => {
      expect(await slowOf(texts(27, 600))).toEqual([]);
    },
    300_000,
  );
});

/** Four times the size takes about four times as long, and sixteen times if it is quadratic. */
const GROWTH = 10;

async function growth(make: (size: number) => unknown, size: number): Promise<number> {
  const [small, large] = [make(size / 2), make(2 * size)];
  await costOf(small, 1);
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 4 && least > GROWTH; tries++)
    least = Math.min(least, (await costOf(large)) / Math.max(10, await costOf(small)));
  return least;
}

const nested = (levels: number) => {
  let value: unknown = `password="aB3dE6gH9jK2"`;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? { a: value } : [value, 1];
  return value;
};

attack(
  'the time for a large input grows no faster than its size',
  async ({ expect }) => {
    const made: Record<string, [make: (size: number) => unknown, size: number]> = {
      code: [(size) => filled(size, CODE), 500_000],
      'one letter': [(size) => 'a'.repeat(size), 500_000],
      'letters and digits': [(size) => filled(size, 'aB3'), 500_000],
      cookies: [(size) => filled(size, 'Cookie: a=1;'), 500_000],
      passwords: [
        (size) => Array.from({ length: size }, (_, at) => `password="secret-${at}x"`).join('\n'),
        15_000,
      ],
      tokens: [
        (size) =>
          Array.from({ length: size }, (_, at) => `ghp_${1e12 + at}${'aB3d'.repeat(8)}`).join(' '),
        8000,
      ],
      // With longer lists, the garbage collector takes most of the time.
      'short items': [(size) => Array.from({ length: size }, (_, at) => `${at}`), 50_000],
      'numbers in lists': [(size) => Array.from({ length: size }, (_, at) => [at]), 50_000],
      'objects with a telling name': [
        (size) => Array.from({ length: size }, (_, at) => ({ token: `next${at}` })),
        20_000,
      ],
      levels: [nested, 100_000],
    };
    const seen: Record<string, number> = {};
    for (const [name, [make, size]] of Object.entries(made)) {
      const grown = await growth(make, size);
      if (grown > GROWTH) seen[name] = grown;
    }
    expect(seen).toEqual({});
  },
  300_000,
);

attack('a search that runs out of time passes nothing on', async ({ expect }) => {
  const text = `password="aB3dE6gH9jK2"`;
  const until = Date.now() - 1;
  expect(await masked([text, { a: 1 }, undefined], { until })).toEqual({
    values: ['***', '***', undefined],
    reason: 'unmasked',
  });
  expect((await masked([text], { until: Date.now() + 60_000 })).values).toEqual(['password="***"']);
});

attack('an input with too many secrets is not passed on', async ({ expect }) => {
  const lines = (make: (at: number) => string) =>
    Array.from({ length: 40_000 }, (_, at) => make(at));
  for (const value of [
    lines((at) => `password="similar-${at}"`).join('\n'),
    lines((at) => `ghp_${1e12 + at}${'aB3d'.repeat(6)}`).join(' '),
    lines((at) => `similar-${at}`).map((password) => ({ password })),
  ]) {
    expect(await masked([value])).toEqual({ values: ['***'], reason: 'unmasked' });
    // The next text is searched from its beginning, without state from before.
    expect((await masked([`password="aB3dE6gH9jK2"`])).values).toEqual(['password="***"']);
  }
});

attack('secrets that overlap are both masked', async ({ expect }) => {
  const [one, two] = ['abcdefgh12', 'h12345678z'];
  const text = `password="${one}" secret="${two}" said abcdefgh12345678z.`;
  expect((await masked([text])).values).toEqual(['password="***" secret="***" said ***.']);
});
