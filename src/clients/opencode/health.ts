// Its program (1.18.33).
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { attempt } from '../../system/errors.ts';
import type { Health, TrustLook } from '../health/health.ts';
import { opencode as client } from './client.ts';
import { PLUGIN } from './plugin.ts';
import { NAMES } from './servers.ts';

/** The files of a plugin in a configuration that is a file or a folder with a package. Other plugins are npm packages. */
function named(plugin: unknown, folder: string, { json }: TrustLook): string[] {
  const name: unknown = Array.isArray(plugin) ? plugin[0] : plugin;
  if (typeof name !== 'string' || !/^(?:\.{0,2}\/|file:\/\/)/.test(name)) return [];
  const path = name.startsWith('file:')
    ? attempt(() => fileURLToPath(name))
    : resolve(folder, name);
  if (path === undefined) return [];
  const { main } = json(join(path, 'package.json'));
  return [typeof main === 'string' ? join(path, main) : path];
}

export const opencode: Health = {
  layers: [{ whose: 'user' }, { whose: 'project' }],
  switches: [],
  plugins: (look) =>
    [look.folder, join(look.cwd, client.projectFolder), look.cwd].flatMap((folder) => {
      const configured = NAMES.flatMap((name) => {
        const { plugin } = look.json(join(folder, name));
        return (Array.isArray(plugin) ? plugin : []).flatMap((one) => named(one, folder, look));
      });
      const programs = (folder === look.cwd ? [] : ['plugin', 'plugins']).flatMap((name) =>
        look.list(join(folder, name)).map((file) => join(folder, name, file)),
      );
      return [
        ...configured,
        ...programs.filter(
          (path) => path.endsWith('.js') && basename(path) !== basename(PLUGIN.name),
        ),
      ];
    }),
  // The option --pure sets it, too. With a word that it does not know, OpenCode does not start.
  off: ({ env: { OPENCODE_PURE: pure = '' } }) =>
    /^(?:1|on|true|y|yes)$/.test(pure)
      ? [
          {
            why: `OPENCODE_PURE=${pure} is set here, and OpenCode then loads no plugins of its users`,
            todo: 'Unset OPENCODE_PURE before you start opencode.',
          },
        ]
      : [],
};
