/** Where we look for everything. Only the environment decides. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { findPlaces, homeIn, tilde, tildeInWords } from '../../src/clients/places.ts';
import { findServerClient } from '../../src/clients/registry.ts';
import { ANYTHING } from '../../src/edit/edit.ts';
import { FORMATS } from '../../src/edit/formats.ts';
import { partsOf } from '../../src/sources/entry.ts';
import { IDS } from '../support/runner/clients.ts';
import { test } from '../support/world.ts';
import { expected } from './expectations.ts';

describe.concurrent('the home folder', () => {
  test('is in the variable that each system has for it', async ({ expect }) => {
    const env = { HOME: '/home/ann', USERPROFILE: 'C:\\Users\\ann' };
    const found = (['linux', 'darwin', 'win32'] as const).map((system) => homeIn(env, system));
    expect(found).toEqual(['/home/ann', '/home/ann', 'C:\\Users\\ann']);
    expect(homeIn({ ...env, USERPROFILE: '' }, 'win32')).toBe('/home/ann');
    expect(homeIn({ USERPROFILE: 'C:\\Users\\ann' }, 'linux')).toBeUndefined();
  });

  test('that is missing is reported with its variable', async ({ world, expect }) => {
    const home = world.path('nobody');
    const problem = (env: Record<string, string>, system: 'linux' | 'win32') => {
      try {
        return findPlaces(env, world.work, 'user', system);
      } catch (error) {
        return Reflect.get(Object(error), 'problem');
      }
    };
    expect([
      problem({}, 'linux'),
      problem({}, 'win32'),
      problem({ HOME: home }, 'win32'),
      problem({ HOME: world.home, USERPROFILE: home }, 'win32'),
    ]).toEqual([
      { code: 'no-home', variable: 'HOME' },
      { code: 'no-home', variable: 'USERPROFILE' },
      { code: 'home-missing', variable: 'HOME', home },
      { code: 'home-missing', variable: 'USERPROFILE', home },
    ]);
  });
});

test('a folder has one name, even if the user reaches it by a link', async ({ world, expect }) => {
  await world.folder('~/real', '~/real/state');
  await world.link('~/link', '~/real');
  const env = { ...world.env(), MCP_HOOKS_HOME: world.path('~/link/state') };
  const { state, project } = findPlaces(env, world.path('~/link'), 'project');
  expect([state, project]).toEqual([world.path('~/real/state'), world.path('~/real')]);
  await world.link('home', '~');
  expect(() => findPlaces(world.env(), world.path('home'), 'project')).toThrow(
    expect.objectContaining({ problem: { code: 'home-is-no-project' } }),
  );
});

test.for([
  ['/home/ann', '/home/ann/app', '~/app'],
  ['/home/ann', '/home/ann', '~'],
  ['/home/ann', '/home/anna/app', '/home/anna/app'],
  // A service may run with the root of the machine as its home.
  ['/', '/srv/app', '/srv/app'],
] as const)('with the home %s, %s is shown as %s', ([home, path, shown], { expect }) => {
  expect(tilde(path, home)).toBe(shown);
  expect(tildeInWords(`node ${path} --at=${path}`, home)).toBe(`node ${shown} --at=${shown}`);
});

test.for(IDS)('%s: a server is written as its configuration has it', (id, { expect }) => {
  const servers = findServerClient(id);
  const { home, project } = expected[id].servers;
  for (const [scope, root, name] of [
    ['user', 'home', home],
    ['project', 'project', project],
  ] as const) {
    if (name === undefined) continue;
    expect(servers?.written?.scopes).toContain(scope);
    const folder = join(import.meta.dirname, '../../fixtures/configured', id, root);
    const at = { env: {}, home: folder, cwd: folder, platform: 'linux' } as const;
    const file = servers?.files(at).find((one) => one.scope === scope);
    expect(file?.path).toBe(join(folder, name));
    const { path = '', keys: [key = ''] = [], format = 'json' } = file ?? {};
    const document = FORMATS[format].read(readFileSync(path, 'utf8'), ANYTHING);
    const entries = Object.entries(Object(document[key]));
    expect(entries.map(([server]) => server)).toContain('annal');
    for (const [, entry] of entries) {
      const parts = partsOf(entry, servers?.fields ?? { url: [], headers: '' });
      if (!parts) continue;
      const some = (values: Readonly<Record<string, string>>) =>
        Object.keys(values).length > 0 ? values : undefined;
      const server =
        'url' in parts
          ? { url: parts.url, headers: some(parts.headers) }
          : { command: parts.command, args: parts.args, env: some(parts.env) };
      expect(entry).toMatchObject(JSON.parse(JSON.stringify(servers?.written?.entry(server))));
    }
  }
});
