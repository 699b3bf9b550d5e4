/** Hooks that the user switches off and on again, one by one or all of them, without uninstalling them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { MutedHooks } from '../../src/declaration/policy.ts';
import { muteIn, unmuteIn } from '../../src/install/mute.ts';
import { env } from '../support/fired.ts';
import { all, IDS } from '../support/runner/at-once.ts';
import { test, type World } from '../support/world.ts';

const first = { event: 'pre_request', context: 'One.', priority: 'suggestion' };
const second = { event: 'pre_request', context: 'Two.', priority: 'suggestion' };
const third = { event: 'pre_request', context: 'Three.', priority: 'suggestion', cooldown: 1 };

const write = (world: World, declarations: readonly object[]) =>
  world.write('annal.json', JSON.stringify({ version: 2, name: 'annal', hooks: { declarations } }));

const policyOf = ({ home }: World) => join(home, '.mcp-hooks/policy.json');

async function installed(world: World, declarations: readonly object[]): Promise<void> {
  await write(world, declarations);
  const { code, err } = await world.run(`install annal.json --yes --client ${IDS.join()}`);
  expect({ code, err }).toEqual({ code: 0, err: '' });
}

/** What each client's model reads with a prompt. */
async function shown(world: World): Promise<Record<string, string>> {
  const { out } = await world.run('fire annal pre_request --prompt hi --json', { env });
  const clients: readonly { id: string; firings: readonly { text: string | null }[] }[] =
    JSON.parse(out).clients;
  return Object.fromEntries(
    clients.map(({ id, firings }) => [
      id,
      firings.flatMap(({ text }) => text?.match(/One|Two|Three/g) ?? []).join(' '),
    ]),
  );
}

/** First two hooks of SEP-2282, then a third one that makes them run as a chain. */
describe.each([
  ['', [first, second], 'One Two', 'One'],
  [' of a chain', [first, second, third], 'One Two Three', 'One Three'],
])('hooks%s', (_, hooks, everything, others) => {
  test('one is muted alone, and shown again', async ({ world }) => {
    await installed(world, hooks);
    expect(await shown(world)).toEqual(all(everything));
    const { out } = await world.run('mute annal 2');
    expect(out).toBe(
      'Muted in ~/.mcp-hooks/policy.json: annal 2 (pre_request: Two.). To undo: mcp-hooks unmute annal 2\n',
    );
    expect(await shown(world)).toEqual(all(others));
    await world.run('unmute annal 2');
    expect(await shown(world)).toEqual(all(everything));
    expect(existsSync(policyOf(world))).toBe(false);
  });

  test('all are muted, and shown again', async ({ world }) => {
    await installed(world, hooks);
    await world.run('mute annal');
    expect(await shown(world)).toEqual(all(''));
    await world.run('unmute annal');
    expect(await shown(world)).toEqual(all(everything));
  });
});

test('unmute says so if nothing was muted', async ({ world }) => {
  await installed(world, [first, second]);
  await world.run('mute annal 1');
  const { out: other } = await world.run('unmute annal 2');
  expect(other).toBe('Not muted before: annal 2 (pre_request: Two.).\n');
  const { out: one } = await world.run('unmute annal 1');
  expect(one).toBe('No longer muted: annal 1 (pre_request: One.).\n');
  const { out: none } = await world.run('unmute annal');
  expect(none).toBe('No hook of annal was muted.\n');
});

test('after an update that moves the hooks, the same one is muted', async ({ world }) => {
  await installed(world, [first, second]);
  await world.run('mute annal 2');
  await write(world, [second, { ...first, context: 'Three.' }, first]);
  await world.run('update annal --yes');
  expect(await shown(world)).toEqual(all('Three One'));
});

test('a hook whose declaration has changed is no longer muted', async ({ world }) => {
  await installed(world, [first, second]);
  await world.run('mute annal 2');
  await write(world, [first, { ...second, context: 'Three.' }]);
  await world.run('update annal --yes');
  expect(await shown(world)).toEqual(all('One Three'));
});

test('list, doctor, diff, fire and verify name the muted hooks', async ({ world }) => {
  await installed(world, [first, second]);
  await world.run('mute annal 2');
  const { out: list } = await world.run('list');
  expect(list).toContain('hook 2 does not fire: ');
  const { out: doctor } = await world.run('doctor annal', { env });
  expect(doctor).toMatch(/note +you have muted hook 2 \(pre_request\)/);
  expect(doctor).toContain('mcp-hooks unmute annal 2\n');
  const { out: diff } = await world.run('diff annal.json');
  expect(diff).toContain('hook 2: It is not shown: it is muted.');
  const { out: fire } = await world.run('fire annal pre_request --prompt hi', { env });
  expect(fire).toContain('hook 2 (pre_request): it is muted');
  const { out: verify } = await world.run('verify annal', { env });
  expect(verify).toMatch(/off +hook 2 on .*: your policy\.json switches it\s+off/);
});

describe('an error changes nothing', () => {
  const cases: readonly [string, string, string][] = [
    ['mute annal 3', 'no-such-hook', ''],
    ['mute annal 2x', 'no-such-hook', ''],
    ['mute annal 1 9', 'no-such-hook', ''],
    ['mute other', 'not-installed', ''],
    ['unmute other', 'not-installed', ''],
    ['unmute annal 1', 'muted-as-a-whole', '{"servers":{"annal":{"muted":true}}}'],
    ['mute annal 1', 'all-muted', '{"muted":true}'],
    ['unmute annal', 'all-muted', '{"muted":true}'],
    ['mute annal 1', 'policy-refused', '{"muted":1}'],
    ['mute annal 1', 'policy-refused', '{"muted":{"a":"b"}}'],
  ];
  for (const [command, code, policy] of cases)
    test(`${command}: ${code}${policy && `, with ${policy}`}`, async ({ world }) => {
      await installed(world, [first, second]);
      if (policy) writeFileSync(policyOf(world), policy);
      const { out } = await world.run(`${command} --json`);
      expect(JSON.parse(out).code).toBe(code);
      expect(existsSync(policyOf(world)) && readFileSync(policyOf(world), 'utf8')).toBe(
        policy || false,
      );
    });
});

test('a muted hook can be unmuted after its server was uninstalled', async ({ world }) => {
  await installed(world, [first]);
  await world.run('mute annal 1');
  await world.run('uninstall annal --yes');
  const { code } = await world.run('unmute annal');
  expect(code).toBe(0);
  expect(existsSync(policyOf(world))).toBe(false);
});

describe('the text of a policy', () => {
  const label = 'annal';
  const rules = fc.constantFrom('"cooldown": 3', '"trusted": true', '"toolSeconds": 2');
  /** An object on one line, or with each key on a line of its own. */
  const object = (items: fc.Arbitrary<string[]>) =>
    fc
      .tuple(
        items,
        fc.boolean(),
        fc.constantFrom('', ','),
        fc.constantFrom('', ' ', ' /* note */ '),
      )
      .map(([keys, isTall, comma, note]) => {
        if (!isTall) return `{${note}${keys.join(`,${note}`)}${note}}`;
        const lines = keys.map((key, at) => `${key}${at < keys.length - 1 ? ',' : comma} // note`);
        return `{\n${lines.join('\n').replace(/^/gm, '  ')}\n}`;
      });
  const own = object(fc.uniqueArray(rules, { minLength: 1, maxLength: 2 }));
  const servers = object(
    fc
      .tuple(fc.option(own), fc.option(own))
      .map(([mine, other]) => [
        ...(mine === null ? [] : [`"annal": ${mine}`]),
        ...(other === null || mine === null ? ['"chatty": { "muted": true }'] : [`"b": ${other}`]),
      ]),
  );
  const policy = object(
    fc
      .tuple(fc.uniqueArray(rules, { maxLength: 2 }), fc.option(servers))
      .map(([all, some]) => [...all, ...(some === null ? [] : [`"servers": ${some}`])])
      .filter((items) => items.length > 0),
  );
  const hooks = fc.constantFrom<MutedHooks | undefined>(
    undefined,
    { '1-a': 'One.' },
    { '1-a': 'One.', '2-b': '"Two"' },
  );

  test('is the same to the byte after a hook was muted and unmuted', () => {
    fc.assert(
      fc.property(policy, hooks, (text, some) => {
        const meant = { label, hooks: some };
        const muted = muteIn(text, meant, 'policy.json');
        expect(muted).not.toBe(text);
        expect(unmuteIn(muted, meant, 'policy.json')).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test('keeps other muted hooks and the comments', () => {
    const text = `{
  "servers": {
    // mine
    "annal": { "muted": { "1-a": "One." /* loud */ } }
  }
}
`;
    const two = { label, hooks: { '2-b': 'Two.' } };
    const muted = muteIn(text, two, 'policy.json');
    expect(muted).toBe(text.replace('/* loud */', '/* loud */, "2-b": "Two."'));
    expect(unmuteIn(muted, two, 'policy.json')).toBe(text);
    expect(unmuteIn(text, { label, hooks: { '1-a': 'One.' } }, 'policy.json')).toContain(
      '/* loud */',
    );
  });

  test('is created if it is missing, and removed again', () => {
    const muted = muteIn(null, { label }, 'policy.json');
    expect(JSON.parse(muted ?? '')).toEqual({ servers: { annal: { muted: true } } });
    expect(unmuteIn(muted, { label }, 'policy.json')).toBe(null);
  });
});
