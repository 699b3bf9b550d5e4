// Our own program in a client's folder, after its user has edited it.
import { configPath } from '../../src/clients/places.ts';
import { CLIENTS } from '../../src/clients/registry.ts';
import { placesOf } from '../support/declaring.ts';
import { env } from '../support/fired.ts';
import { test, type World } from '../support/world.ts';

const PROGRAMS = CLIENTS.flatMap((client) => {
  const [file] = client.placement.files.user;
  return file.format === 'program' ? [{ client, file }] : [];
});

/** Installs a hook, edits the program, and returns the texts before and after that. */
async function edited(
  world: World,
  { client, file }: (typeof PROGRAMS)[number],
  [from, to]: readonly [string, string],
) {
  const declarations = [{ event: 'pre_request', context: 'Hello.', priority: 'suggestion' }];
  await world.write('annal.json', JSON.stringify({ hooks: { declarations } }));
  await world.run(`install annal.json --yes --client ${client.id}`, { env });
  const path = configPath(client, file, placesOf(world));
  const before = await world.read(path);
  const after = before.replace(from, to);
  await world.write(path, after);
  return { path, before, after };
}

const said = async (world: World, line: string) =>
  (await world.run(line, { env })).out.replaceAll(/\s+/g, ' ');

test.for(PROGRAMS)(
  'an edit of its code is reported, and kept: $client.id',
  async (one, { world, expect }) => {
    const { path, before, after } = await edited(world, one, ['async function', 'async  function']);
    const why =
      'the program around its entries was edited, so update and uninstall leave it as it is';
    expect(await said(world, 'list')).toContain(why);
    expect(await said(world, 'doctor')).toContain(why);
    expect(await said(world, 'doctor')).toContain(
      'Undo the edit, or remove the file. Then: mcp-hooks update annal',
    );
    await world.run('update --yes', { env });
    expect(await world.read(path)).toBe(after);
    await world.remove(path);
    await world.run('update --yes', { env });
    expect(await world.read(path)).toBe(before);
    expect(await said(world, 'list')).toContain(' intact ');
  },
);

test.for(PROGRAMS)(
  'after an edit of its list, the last uninstall removes it: $client.id',
  async (one, { world, expect }) => {
    const { path, before } = await edited(world, one, ['"timeout": ', '"timeout": 9']);
    await world.run('update --yes', { env });
    expect(await world.read(path)).toBe(before);
    await world.run('uninstall --all --yes', { env });
    expect(Object.keys(await world.snapshot()).filter((name) => name.endsWith('.js'))).toEqual([]);
  },
);
