/** Where we look for everything. Only the environment decides. */
import { describe } from 'vitest';
import { findPlaces, homeIn, tilde, tildeInWords } from '../../src/clients/places.ts';
import { test } from '../support/world.ts';

describe.concurrent('the home folder', () => {
  test('is what each system calls it', async ({ expect }) => {
    const env = { HOME: '/home/ann', USERPROFILE: 'C:\\Users\\ann' };
    const found = (['linux', 'darwin', 'win32'] as const).map((system) => homeIn(env, system));
    expect(found).toEqual(['/home/ann', '/home/ann', 'C:\\Users\\ann']);
    expect(homeIn({ ...env, USERPROFILE: '' }, 'win32')).toBe('/home/ann');
    expect(homeIn({ USERPROFILE: 'C:\\Users\\ann' }, 'linux')).toBeUndefined();
  });

  test('that is missing is named by its variable', async ({ world, expect }) => {
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

test('a folder has one name, even if the user comes to it by a link', async ({ world, expect }) => {
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
