// Hooks that a client's own settings have switched off: an import leaves them out, and an install leaves them where they are.
import { dirname } from 'node:path';
import { stringify } from 'smol-toml';
import { describe, expect } from 'vitest';
import { HANDLERS } from '../../src/clients/contract.ts';
import { fileLike } from '../../src/clients/places.ts';
import { byHandOf, healthOf } from '../../src/clients/registry.ts';
import { isObject, type JsonObject, type JsonValue } from '../../src/edit/edit.ts';
import { underOf } from '../../src/edit/value.ts';
import { known } from '../clients/expectations.ts';
import { ALL_IDS, type ClientId, clientOf, FOLDERS } from '../support/runner/clients.ts';
import { test, type World } from '../support/world.ts';

const IDS = ALL_IDS.filter((id) => byHandOf(clientOf(id)));
const SWITCHES = IDS.flatMap((id) =>
  healthOf(clientOf(id)).switches.flatMap(({ key, off, only }) =>
    only === 'managed' ? [] : { id, key, off, scope: only ?? 'user', name: key.join('.') },
  ),
);
const LISTS = IDS.flatMap((id) => {
  const { disabled } = healthOf(clientOf(id));
  return disabled ? { id, key: disabled, name: disabled.join('.') } : [];
});

/** Settings with a value at these keys, besides hooks. */
const withSetting = (
  document: JsonObject,
  [first = '', ...more]: readonly string[],
  value: JsonValue,
): JsonObject => {
  const inner = document[first];
  const own = isObject(inner) ? inner : {};
  return { ...document, [first]: more.length > 0 ? withSetting(own, more, value) : value };
};

/** An own file, with one hook for each handler. */
async function write(
  world: World,
  { id, scope = 'user' }: { id: ClientId; scope?: string },
  handlers: readonly JsonObject[],
  setting?: readonly [key: readonly string[], value: JsonValue],
): Promise<string> {
  const { entry, projectFolder } = clientOf(id);
  const [home = '', ...rest] = known[id].byHand.split('/');
  const path =
    scope === 'user' ? `~/${home}/${rest.join('/')}` : `${projectFolder}/${rest.join('/')}`;
  const [event = ''] = Object.entries(byHandOf(clientOf(id))?.events ?? {}).flatMap(
    ([name, one]) => (one?.event === 'pre_request' ? [name] : []),
  );
  const groups = handlers.map((one): JsonObject => {
    const handler = { type: 'command', ...one };
    return entry.shape === 'flat' ? handler : { [HANDLERS]: [handler] };
  });
  const hooks: JsonObject = { [event]: groups };
  const under = underOf(fileLike(clientOf(id), path).layout);
  const start: JsonObject = under === undefined ? hooks : { [under]: hooks };
  const document = setting ? withSetting(start, ...setting) : start;
  const text = path.endsWith('.toml') ? stringify(document) : JSON.stringify(document, null, 2);
  await world.folder(dirname(path));
  await world.write(path, text);
  return path;
}

interface Left {
  readonly hook?: number;
  readonly leftOut?: { readonly code: string; readonly message: string };
}

async function imported(world: World, id: ClientId): Promise<Left[]> {
  const { out } = await world.run([
    'import',
    '--client',
    id,
    '--json',
    '--out',
    'own.json',
    '--force',
  ]);
  return JSON.parse(out).entries.filter(({ leftOut }: Left) => leftOut?.code !== 'hand-no-event');
}

describe('a switch that a client has', () => {
  test.for(SWITCHES)('$id: $name', async ({ id, key, off, scope, name }, { world }) => {
    await world.folder(...FOLDERS);
    const say = [{ command: 'say one' }];
    const path = await write(world, { id, scope }, say, [key, off]);
    const [entry] = await imported(world, id);
    expect(entry?.leftOut).toEqual({
      code: 'hand-off',
      message: expect.stringContaining(`it is switched off: `),
    });
    expect(entry?.leftOut?.message).toContain(`${path.replace('~/', '')} sets ${name} = ${off}`);
    // The other value switches nothing off.
    await write(world, { id, scope }, say, [key, !off]);
    expect(await imported(world, id)).toEqual([expect.objectContaining({ hook: 1 })]);
  });
});

describe("a switch in the machine's own settings", () => {
  const managed = IDS.flatMap((id) => {
    const { switches, layers } = healthOf(clientOf(id));
    const [layer] = layers.filter((one) => one.whose === 'managed' && 'path' in one);
    const [own] = switches.filter(({ only }) => only === 'managed');
    return own && layer && 'path' in layer ? { id, own, pathIn: layer.path } : [];
  });
  test.for(managed)('$id', async ({ id, own: { key, off }, pathIn }, { world }) => {
    await world.folder(...FOLDERS);
    const env = { MCP_HOOKS_SYSTEM_ROOT: world.path('machine') };
    const machine = { env, home: world.home, cwd: world.work, root: env.MCP_HOOKS_SYSTEM_ROOT };
    const path = pathIn(machine);
    const document = withSetting({}, key, off);
    await world.folder(dirname(path));
    await world.write(
      path,
      path.endsWith('.toml') ? stringify(document) : JSON.stringify(document),
    );
    await write(world, { id }, [{ command: 'say one' }]);
    const { err } = await world.run(`import --client ${id}`, { env });
    expect(err).toContain(`left out: it is switched off: ${path} sets ${key.join('.')} = ${off}`);
    // Without the machine's settings, it runs.
    expect(await imported(world, id)).toEqual([expect.objectContaining({ hook: 1 })]);
  });
});

describe('a list of disabled hooks', () => {
  test.for(LISTS)('$id: $name', async ({ id, key, name }, { world }) => {
    await world.folder(...FOLDERS);
    const all: JsonObject[] = [
      { command: 'say one' },
      { command: 'say two', name: 'two' },
      // Its name counts, and not its command.
      { command: 'say three', name: 'third' },
      { command: 'say four' },
    ];
    await write(world, { id }, all, [key, ['say one', 'two', 'say three']]);
    const codes = (await imported(world, id)).map(({ hook, leftOut }) => leftOut?.code ?? hook);
    expect(codes).toEqual(['hand-off-by-name', 'hand-off-by-name', 1, 2]);
    const { err } = await world.run(['import', '--client', id]);
    expect(err).toContain(
      `left out: it is switched off: ${name} in ~/${known[id].byHand} names it`,
    );
  });

  test.for(LISTS)('$id: an original that was disabled stays', async ({ id, key }, { world }) => {
    await world.folder(...FOLDERS);
    const all = [{ command: 'say one' }, { command: 'say two' }];
    await write(world, { id }, all);
    expect((await imported(world, id)).map(({ hook }) => hook)).toEqual([1, 2]);
    const path = await write(world, { id }, all, [key, ['say one']]);
    const line = `install own.json --client ${id} --allow command,project-code --yes --replace-originals`;
    const { code, out, err } = await world.run(line);
    expect(code, out + err).toBe(0);
    const installed = await world.read(path);
    expect(installed).toContain('"command": "say one"');
    expect(installed).not.toContain('"command": "say two"');
  });
});

describe('another file of the client', () => {
  const ids = [...new Set(SWITCHES.filter(({ scope }) => scope === 'user').map(({ id }) => id))];
  test.for(ids)(
    "%s: a project's switch does not count for the user's hooks",
    async (id, { world }) => {
      await world.folder(...FOLDERS);
      const [own] = SWITCHES.filter((one) => one.id === id);
      await write(world, { id }, [{ command: 'say one' }]);
      if (own)
        await write(world, { id, scope: 'project' }, [{ command: 'say two' }], [own.key, own.off]);
      const entries = await imported(world, id);
      expect(entries.map(({ hook, leftOut }) => leftOut?.code ?? hook)).toEqual([1, 'hand-off']);
    },
  );
});
