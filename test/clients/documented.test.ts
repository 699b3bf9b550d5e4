// Clients that were never run, each by its documentation: what is installed for them, and what our hooks answer to the payloads
// of their pages (fixtures/events/README.md). All output about them says that they were not run.
import { describe, test as plain } from 'vitest';
import { CLIENTS, driverOf } from '../../src/clients/registry.ts';
import { measuredIn } from '../../src/clients/version.ts';
import { compile } from '../../src/compile/compile.ts';
import { mcpToolName } from '../../src/compile/names.ts';
import { raiseMatcher } from '../../src/compile/raise/matcher.ts';
import { ALL_EVENTS, EVENTS } from '../../src/declaration/declaration.ts';
import { RULES } from '../../src/declaration/policy.ts';
import { documentedRows } from '../../src/diagnose/matrix/matrix.ts';
import { declaring } from '../support/declaring.ts';
import { fired, installHooks } from '../support/installed-client.ts';
import { test } from '../support/world.ts';
import { documented } from './expectations.ts';

const ALL = CLIENTS.filter((client) => measuredIn(client) === undefined).map((client) => {
  const known = documented[client.id];
  if (!known) throw new Error(client.id);
  return { client, known, id: client.id };
});
const env = { PATH: process.env.PATH };
/** The text in an answer that has these words. */
const textWith = (words: string, answer: unknown): string =>
  [answer]
    .flatMap((one) => JSON.stringify(one).match(/"(?:[^"\\]|\\.)*"/g) ?? [])
    .map((text): string => JSON.parse(text))
    .find((text) => text.includes(words)) ?? '';
const oneLine = (text: string) => text.replace(/\s+/g, ' ');

describe.each(ALL)('$id', ({ client, known, id }) => {
  plain(
    'has no driver, and everything known about it is marked as documented',
    async ({ expect }) => {
      expect([client.minimum, await driverOf(client)]).toEqual([null, undefined]);
      const ways = Object.values(client.lowering).flatMap((cell) =>
        cell ? [cell.text, cell.tool, cell.actNow].filter((one) => one !== undefined) : [],
      );
      expect(ways.filter(({ documented: is }) => !is)).toEqual([]);
      const never = ALL_EVENTS.filter((event) => client.lowering[event] === null);
      expect(Object.keys(client.cannot ?? {}).sort()).toEqual([...never].sort());
      const rows = documentedRows(client);
      expect(new Set(rows.map(({ name }) => name.split(', ')[0]))).toEqual(new Set(EVENTS));
    },
  );

  plain('tools are named as its page names them', ({ expect }) => {
    for (const [{ server, tool }, name] of known.mcpNames)
      expect(mcpToolName(client.mcpNames, server, tool)).toBe(name);
    expect(client.tools.Bash).toBe(known.shell);
    expect(client.tools.Read).toBe(known.read);
    for (const [matcher, glob] of known.imported.matchers) {
      const made = raiseMatcher(client, matcher);
      expect([matcher, 'why' in made ? made : made.tool_name]).toEqual([matcher, glob]);
    }
  });

  plain('a matcher lets the calls of a hook through', ({ expect }) => {
    for (const [tool_name, { yes, no }] of Object.entries(known.globs)) {
      const hook = { event: 'post_tool_use', matcher: { tool_name }, context: 'A.' };
      const { groups } = compile(declaring([hook]), client, { runner: '/r', state: '/s' });
      const matchers = groups.map(({ group }) => group.matcher);
      const nameOf = (call: (typeof yes)[number]) =>
        typeof call === 'string' ? call : mcpToolName(client.mcpNames, call.server, call.tool);
      for (const matcher of matchers) {
        // The client ignores matchers, or no matcher can express it.
        if (typeof matcher !== 'string') continue;
        const fits = (call: (typeof yes)[number]) => new RegExp(matcher).test(nameOf(call));
        expect([matcher, ...yes.filter((one) => !fits(one))]).toEqual([matcher]);
        expect([matcher, ...no.filter(fits)]).toEqual([matcher]);
      }
    }
  });

  test('the plan says that the client was not run, and an uninstall removes everything', async ({
    world,
    expect,
  }) => {
    const before = await world.snapshot();
    const hooks = EVENTS.map((event) => ({ event, context: `Of ${event}.` }));
    const planned = await installHooks(world, id, hooks);
    const grade = '(?:exact|adapted|late)†?\\*';
    expect(oneLine(planned)).toMatch(
      new RegExp(` \\* untested, as documented ${client.name}(?: ${grade})+ ~`),
    );
    const page = 'documented' in client.evidence && client.evidence.documented;
    const shown = await world.run(`matrix --client ${id}`);
    expect(oneLine(shown.out)).toContain(`based on the client's documentation (${page})`);
    const again = await world.run(`install annal.json --client ${id} --yes`, { env });
    expect(again.out).toContain('Nothing to do');
    expect((await world.run('list annal', { env })).out).toContain(client.name);
    const live = await world.run(`verify annal --live --client ${id}`, { env });
    expect(oneLine(`${live.out}${live.err}`)).toContain(
      `mcp-hooks cannot run ${client.name} with a scripted model.`,
    );
    expect((await world.run('uninstall annal --yes', { env })).code).toBe(0);
    await world.remove('annal.json');
    expect(await world.snapshot()).toEqual(before);
  });

  test('every event fires with the payloads of its page', async ({ world, expect }) => {
    const { tool: name } = known.mcpCall;
    const hooks = [
      ...EVENTS.map((event) => ({ event, context: `Of ${event}.` })),
      { event: 'post_tool_use', matcher: { tool_name: `mcp__tiny__${name}` }, context: 'Of it.' },
      {
        event: 'post_tool_use',
        matcher: { tool_name: 'Bash', input_contains: 'git commit' },
        context: 'Committed.',
      },
    ];
    await installHooks(world, id, hooks);
    const { code, out } = await world.run('verify annal --json', { env });
    const { fires, verified } = JSON.parse(out);
    const failures = verified.flatMap(({ events }: { events: { hooks: object[] }[] }) =>
      events.flatMap((one) => one.hooks.filter((hook) => 'failure' in hook)),
    );
    expect({ code, fires, failures }).toEqual({ code: 0, fires: true, failures: [] });
    for (const event of EVENTS) {
      const { out: firings } = await world.run(`fire annal ${event} --json`, { env });
      expect([event, firings.includes(`Of ${event}.`)]).toEqual([event, true]);
    }
  });

  test('each call of the right tools gets the text once, with names that the client knows', async ({
    world,
    expect,
  }) => {
    const on = client.lowering.post_tool_use?.text.on[0]?.native ?? '';
    await installHooks(world, id, [
      { event: 'post_tool_use', matcher: { tool_name: 'Bash' }, context: 'Use mcp__tiny__echo.' },
      { event: 'post_tool_use', matcher: { tool_server: 'tiny' }, context: 'Of the server.' },
    ]);
    const fire = (kind: string, changes = {}) => fired(world, id, on, `${on}${kind}`, changes);
    const said = await fire('');
    expect(said).toHaveLength(1);
    expect(JSON.stringify(said)).toContain(`Use ${mcpToolName(client.mcpNames, 'tiny', 'echo')}.`);
    expect(said).toEqual([known.answers.tell(on, textWith('Use ', said))]);
    expect(await fire('')).toEqual([]);
    expect(await fire('', known.anotherCall)).toHaveLength(1);
    const ofServer = JSON.stringify(await fire('.mcp', { ...known.anotherCall, x: 1 }));
    expect(ofServer).toContain('Of the server.');
  });

  plain('hooks decide only on the event that its page allows', ({ expect }) => {
    const hook = { event: 'pre_tool_use', block: 'No.' };
    const { program } = compile(declaring([hook], { version: 2 }), client, {
      ...{ runner: '/r', state: '/s' },
      defaults: { ...RULES, block: true },
    });
    expect(Object.keys(program.events)).toEqual([known.decidesBefore]);
  });

  test('every further event fires by the payloads of its page', async ({ world, expect }) => {
    const further = ALL_EVENTS.filter(
      (event) => !EVENTS.some((one) => one === event) && client.lowering[event] !== null,
    );
    const told = further.filter((event) => event !== 'notification');
    await installHooks(
      world,
      id,
      further.map((event) =>
        event === 'notification'
          ? { event, command: ['true'] }
          : { event, context: `Of ${event}.` },
      ),
      ['--allow', 'command'],
    );
    const { code, out } = await world.run('verify annal --json', { env });
    expect([code, JSON.parse(out).fires]).toEqual([0, true]);
    for (const event of told) {
      const { out: firings } = await world.run(`fire annal ${event} --json`, { env });
      expect([event, firings.includes(`Of ${event}.`)]).toEqual([event, true]);
    }
    expect(further.length).toBeGreaterThan(3);
  });

  test('no text is longer than it takes whole', async ({ world, expect }) => {
    const on = client.lowering.post_tool_use?.text.on[0]?.native ?? '';
    await installHooks(world, id, [{ event: 'post_tool_use', context: '日😀'.repeat(5000) }]);
    const text = textWith('日😀', await fired(world, id, on, on));
    expect(text).toMatch(/日😀日.* \.\.\. \(cut: \d+ more characters\)$/su);
    expect(text.length).toBeLessThanOrEqual(known.longest.characters);
  });

  test('a program reads a call in the words of every client', async ({ world, expect }) => {
    const on = client.lowering.post_tool_use?.text.on[0]?.native ?? '';
    const hook = { event: 'post_tool_use', matcher: { tool_name: 'Bash' }, command: ['cat'] };
    await installHooks(world, id, [hook], ['--allow', 'command']);
    const read = textWith('git commit', await fired(world, id, on, on));
    const event = JSON.parse(read.slice(read.indexOf('{'), read.lastIndexOf('}') + 1));
    expect(event).toMatchObject({
      event: 'post_tool_use',
      tool: { name: 'Bash', input: { command: expect.stringContaining('git commit') } },
      session_id: expect.stringMatching(/./),
      client: id,
    });
  });

  test('a call is changed in its words, if that is granted', async ({ world, expect }) => {
    const native = known.decidesBefore;
    const input = { command: 'ls' };
    const answer = JSON.stringify({ action: 'modify', modifiedInput: input });
    const hook = {
      event: 'pre_tool_use',
      matcher: { tool_name: 'Bash' },
      command: ['printf', '%s', answer],
      may: ['modify'],
    };
    const run = async (...grants: string[]) => {
      await installHooks(world, id, [hook], ['--allow', grants.join()]);
      return await fired(world, id, native, native, known.anotherCall);
    };
    expect(await run('command')).toEqual([]);
    expect(await run('command', 'modify')).toEqual(
      known.answers.input ? [known.answers.input(native, input)] : [],
    );
  });

  test('an output is changed in its words, where it takes one', async ({ world, expect }) => {
    const on = client.lowering.post_tool_use?.decide?.output?.on ?? 'none';
    const cell = client.lowering.post_tool_use;
    const native = on === 'none' ? (cell?.text.on[0]?.native ?? '') : on;
    const answer = JSON.stringify({ action: 'modify', modifiedOutput: 'gone' });
    const hook = { event: 'post_tool_use', command: ['printf', '%s', answer], may: ['modify'] };
    await installHooks(world, id, [hook], ['--allow', 'command,modify']);
    const said = await fired(world, id, native, `${native}.mcp`);
    expect(said).toEqual(known.answers.output ? [known.answers.output(native, 'gone')] : []);
  });

  test('a call is blocked in the shape that its page describes', async ({ world, expect }) => {
    const native = known.decidesBefore;
    const hook = { event: 'pre_tool_use', matcher: { tool_name: 'Bash' }, block: 'Not now.' };
    await installHooks(world, id, [hook], ['--allow', 'block']);
    const [answer] = await fired(world, id, native, native);
    expect(answer).toEqual(known.answers.deny(native, textWith('Not now.', answer)));
    expect(await fired(world, id, native, `${native}.mcp`)).toEqual([]);
    // And not without the grant.
    await world.run('uninstall annal --yes', { env });
    await installHooks(world, id, [hook, { event: 'session_start', context: 'Hello.' }]);
    expect(await fired(world, id, native, native, known.anotherCall)).toEqual([]);
  });
});
