/** For tests without the command line. */
import { findPlaces } from '../../src/clients/places.ts';
import { parseManifest } from '../../src/sources/manifests/read.ts';
import type { World } from './world.ts';

/** What a manifest with these hooks declares. They are suggestions unless they say something else. */
export const declaring = (hooks: readonly object[], more: object = {}, label = 'annal') => {
  const declarations = hooks.map((hook) => ({ priority: 'suggestion', ...hook }));
  const manifest = { ...more, hooks: { declarations } };
  return parseManifest(JSON.stringify(manifest), `/somewhere/${label}.json`);
};

/** The user's settings in a world. */
export const placesOf = (world: World) =>
  findPlaces({ HOME: world.home, PATH: world.bin }, world.work, 'user');
