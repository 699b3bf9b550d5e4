/** For any payload, the runner succeeds, and prints nothing or one object in the client's form. The payloads are seeded. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { character } from '../support/characters.ts';
import { each, IDS } from '../support/runner/at-once.ts';
import { type ClientId, clientOf, recorded } from '../support/runner/clients.ts';
import { firedInside } from '../support/runner/inside.ts';
import { textIn } from '../support/runner/shape.ts';
import { type Hook, install, root, type World } from '../support/runner/world.ts';
import { tries } from '../support/tries.ts';

const SEED = Number(process.env.MCP_HOOKS_FUZZ_SEED ?? 0x2282);
// The number of payloads for each client: for the second stage in this process, and for whole processes in the clients' shells.
const INSIDE = tries(350, 7000);
const WHOLE = tries(10, 40);

const all = '{project_name} {tool_name} {tool_input} {tool_output} {session_id} {{x}} {nope} é 😀';
const HOOKS: readonly Hook[] = [
  { event: 'session_start', context: 'Welcome.' },
  { event: 'session_start', context: all, priority: 'required' },
  { event: 'session_end', context: `Bye. ${all}` },
  { event: 'pre_request', context: all },
  { event: 'post_request', context: all },
  { event: 'pre_tool_use', context: all },
  { event: 'post_tool_use', context: all },
  { event: 'post_tool_use', matcher: { tool_name: '{B*,[a-m]?*}' }, context: all },
  { event: 'post_tool_use', matcher: { tool_server: 'tiny' }, context: 'x'.repeat(7000) },
  { event: 'post_tool_use', matcher: { input_contains: 'git' }, context: 'y'.repeat(7000) },
];

/** Every recorded payload of a client, by its event. */
const RECORDED = each((id) =>
  readdirSync(join(root, 'fixtures/events', id)).flatMap(
    (name) => /^(.+)\.json$/.exec(name)?.[1] ?? [],
  ),
);

/** Values that are unexpected in their place. */
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    true,
    -1,
    1e308,
    '',
    ' ',
    '\u0000',
    '\ud800',
    '__proto__',
    '../../x',
    '~',
    '\u202e',
    '`x`$(x)',
  ),
  fc.string({ unit: character, maxLength: 40 }),
  fc.json({ maxDepth: 4 }).map((text): unknown => JSON.parse(text)),
  fc.integer({ min: 1, max: 30_000 }).map((length) => 'é"\\\n'.repeat(length / 4)),
  fc.integer({ min: 1, max: 20_000 }).map((depth) => `@deep${depth}@`),
);

/** A recorded payload with some changed fields, written in different ways, and sometimes damaged. */
const payloads = (id: ClientId): fc.Arbitrary<{ event: string; bytes: Buffer }> =>
  fc
    .record({
      file: fc.constantFrom(...RECORDED[id]),
      // Sometimes the payload of another event.
      other: fc.option(fc.constantFrom(...RECORDED[id]), { freq: 8 }),
      session: fc.integer({ min: 0, max: 400 }),
      changes: fc.array(
        fc.record({ field: fc.nat(30), inner: fc.boolean(), value: odd, drop: fc.boolean() }),
        { maxLength: 4 },
      ),
      writing: fc.constantFrom('compact', 'indented', 'ascii', 'with a BOM', 'twice', 'in a list'),
      damage: fc.option(
        fc.record({ at: fc.nat(), bytes: fc.uint8Array({ maxLength: 8 }), cut: fc.boolean() }),
        { freq: 3 },
      ),
    })
    .map(({ file, other, session, changes, writing, damage }) => {
      const payload: Record<string, unknown> = structuredClone({
        ...recorded(id, file, { session: `${session}` }),
      });
      for (const { field, inner, value: made, drop } of changes) {
        const value: unknown = structuredClone(made);
        const keys = Object.keys(payload);
        const key = keys[field % keys.length] ?? 'x';
        const at = payload[key];
        if (drop) delete payload[key];
        else if (inner && typeof at === 'object' && at !== null)
          Object.assign(at, { [`${field}`]: value, command: value });
        else payload[key] = value;
      }
      // Nesting that JSON.stringify could not write.
      const text = (writers[writing]?.(payload) ?? '').replace(
        /"@deep(\d+)@"/g,
        (_, depth) => '['.repeat(depth) + ']'.repeat(depth),
      );
      const bytes = Buffer.from(text);
      const event = (other ?? file).replace(/\..*/, '');
      if (!damage) return { event, bytes };
      const place = damage.at % (bytes.length + 1);
      const rest = damage.cut ? Buffer.alloc(0) : bytes.subarray(place);
      return { event, bytes: Buffer.concat([bytes.subarray(0, place), damage.bytes, rest]) };
    });

const writers: Readonly<Record<string, (value: unknown) => string>> = {
  compact: (value) => JSON.stringify(value),
  indented: (value) => JSON.stringify(value, null, 2),
  ascii: (value) =>
    JSON.stringify(value).replace(
      /[\u0080-\uffff]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  'with a BOM': (value) => `\uFEFF${JSON.stringify(value)}\n`,
  twice: (value) => JSON.stringify(value).repeat(2),
  'in a list': (value) => JSON.stringify([value]),
};

const world = (actNow: boolean): World => {
  const made = install({ hooks: HOOKS, actNow, whole: actNow });
  writeFileSync(join(made.state, 'policy.json'), '{ "servers": { "annal": { "trusted": true } } }');
  return made;
};

describe.each(IDS)('%s', (id) => {
  test(`${INSIDE} payloads, the second stage: none makes the runner decide`, () => {
    const fire = firedInside(world(false));
    let shown = 0;
    fc.assert(
      fc.property(payloads(id), ({ event, bytes }) => {
        if (textIn(id, event, fire(id, event, bytes)) !== undefined) shown += 1;
      }),
      { seed: SEED, numRuns: INSIDE },
    );
    // Without any texts, the test would prove nothing.
    expect(shown).toBeGreaterThan(INSIDE / 20);
  });

  test(`${WHOLE} payloads, whole processes: none makes the runner decide`, async () => {
    const made = world(true);
    const shell = clientOf(id).hookShell[0].endsWith('bash') ? 'bash' : 'sh';
    let shown = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(payloads(id), { minLength: 2, maxLength: 2 }), async (both) => {
        await Promise.all(
          both.map(async ({ event, bytes }) => {
            // `fire` checks that the exit code is 0 and stderr is empty.
            const stdout = await made.fire(id, event, bytes, { shell });
            if (textIn(id, event, stdout) !== undefined) shown += 1;
          }),
        );
      }),
      { seed: SEED, numRuns: WHOLE / 2 },
    );
    // With so few payloads, all may be damaged.
    for (const file of RECORDED[id]) {
      if (shown > 0) break;
      const event = file.replace(/\..*/, '');
      const whole = JSON.stringify(recorded(id, file, { session: 'whole' }));
      if (textIn(id, event, await made.fire(id, event, whole, { shell })) !== undefined) shown += 1;
    }
    expect(shown).toBeGreaterThan(0);
  });
});
