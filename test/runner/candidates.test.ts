// The check that decides whether the rules for secrets are loaded: it may only skip texts in which no rule finds anything.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FORMS, noise } from './forms.ts';
import { GIVEN } from './given.ts';

const built = join(import.meta.dirname, '../../dist/templates/redact.cjs');
const load = createRequire(built);
const { mayHoldSecrets } = load('./redact.cjs');
const { find } = load('./secrets.cjs');

const holds = (text: string): boolean => find(text).size > 0;
const missed = (text: string): boolean => holds(text) && !mayHoldSecrets([text]);

const TEXTS = [
  ...FORMS.map(([, , text]) => text),
  ...Object.values(GIVEN).flatMap((texts) => texts.map(([text]) => text)),
  // The shortest texts of some kinds.
  `bearer ${noise(16)}`,
  'a://b:c1d2@example',
  `tokens = "${noise(8)}"`,
];

/** Shorter and shorter versions of a text that still hold the secret. */
function* smaller(text: string): Generator<string> {
  let rest = text;
  for (let size = Math.ceil(rest.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let at = rest.length - size; at >= 0; at--) {
      const next = rest.slice(0, at) + rest.slice(at + size);
      if (!holds(next)) continue;
      rest = next;
      yield rest;
    }
}

test('ordinary text is known to hold no secret without the rules', () => {
  const texts = [
    'The build needs Node 20.',
    'Keys of two tokens, a password and basic authentication: see src/index.ts, or https://x.com',
    "I'd rather pass on that; the author's keyboard is broken.\n\n- one\n- two (3 %)\n",
  ];
  const alone = mkdtempSync(join(tmpdir(), 'candidates-'));
  try {
    copyFileSync(built, join(alone, 'redact.cjs'));
    const { mayHoldSecrets: mayHold } = createRequire(join(alone, 'redact.cjs'))('./redact.cjs');
    expect(texts.filter((text) => mayHold([text]))).toEqual([]);
    expect(mayHold(['PASSWORD=correcthorse'])).toBe(true);
  } finally {
    rmSync(alone, { recursive: true });
  }
});

describe('every text in which the rules find a secret is a candidate', () => {
  test.each(TEXTS)('%s', (text) => {
    expect(holds(text)).toBe(true);
    expect([text, ...smaller(text)].filter(missed)).toEqual([]);
  });
});

/** Words that rules look for, with possible values. */
const PARTS = [
  ...TEXTS.flatMap((text) => text.match(/\w+|[^\w\s]+|\s+/g) ?? []),
  ...[
    '"',
    "'",
    '\\',
    '\\n',
    '\\"',
    '=',
    ': ',
    ' ',
    '\n',
    '-',
    '--',
    '%3D',
    '=>',
    ';',
    '://',
    '@',
    '<',
    '>',
  ],
];

test('texts with random parts are candidates, too, if the rules find a secret', () => {
  let held = 0;
  const text = fc
    .array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 12 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (one) => {
      if (holds(one)) held++;
      expect(missed(one)).toBe(false);
    }),
    { numRuns: Number(process.env.MCP_HOOKS_PROPERTY_RUNS ?? 20_000) },
  );
  expect(held).toBeGreaterThan(1000);
});
