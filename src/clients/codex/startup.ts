/**
 * Whether Codex starts with the user's configuration. Only Codex knows all of its settings, so we run it with a copy of the
 * folder, because it writes to its own.
 */

import { copyFileSync, existsSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ANYTHING } from '../../edit/edit.ts';
import { FORMATS } from '../../edit/formats.ts';
import { decode } from '../../edit/text.ts';
import { withCleanup } from '../../system/cleanup.ts';
import { attempt, codeOf } from '../../system/errors.ts';
import { list, read } from '../../system/files.ts';
import { redactor } from '../../system/secrets.ts';
import { inLine } from '../../system/visible.ts';
import type { Startup } from '../folder.ts';
import { configFolder, tilde, userPlaces } from '../places.ts';
import { codex as client } from './client.ts';
import { isPlain } from './health.ts';

/** Files that Codex may read besides its configuration: instructions, profiles. */
const COPIED = /\.(toml|json|md|txt)$/;
const LOGIN = 'auth.json';
const MOST_BYTES = 1024 * 1024;
const REFUSED = /failed to load (bootstrap )?configuration/;

export const startup: Startup = async ({ places, cwd, launch, deadline }) => {
  const { project } = places;
  const folder = configFolder(client, userPlaces(places));
  const here = join(project ?? cwd, client.projectFolder);
  // Starting it takes half a second, which is not worth it for a plain configuration.
  if (['/etc/codex', folder, here].every((one) => isFilePlain(join(one, 'config.toml'))))
    return undefined;
  // Imported late, because these load the code that starts programs.
  const { tmpdir } = await import('node:os');
  const { run, TookTooLong } = await import('../../system/child.ts');
  const { DEADLINE, DEAD_PROXY_URL } = await import('./app-server.ts');
  const copy = mkdtempSync(join(realpathSync(tmpdir()), 'mcp-hooks-codex-'));
  const env = { ...places.env, CODEX_HOME: copy, HTTPS_PROXY: DEAD_PROXY_URL };
  const options = { cwd: project ?? cwd, env, deadline: deadline ?? DEADLINE };
  const remove = () => rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
  return withCleanup(remove, async () => {
    copyFiles(folder, copy);
    try {
      const { exitCode, stderr } = await run(launch, ['features', 'list'], options);
      // An older version may not have the command.
      if (exitCode === 0 || !REFUSED.test(stderr)) return undefined;
      // This fails for the same reason before it looks for a login, and reports the place.
      const status = await run(launch, ['login', 'status'], options);
      const [, exact] = /Error loading configuration: (.*)/.exec(status.stderr) ?? [];
      const why = exact ?? stderr.split('Caused by:').at(-1) ?? '';
      if (isNotCopied(why, copy, folder)) return undefined;
      const named = why.replaceAll(copy, () => tilde(folder, places.home)).trim();
      return { why: inLine(redactor({})(named), 500), program: 'codex features list' };
    } catch (error) {
      if (error instanceof TookTooLong || codeOf(error) !== undefined) return undefined;
      throw error;
    }
  });
};

/** False if it cannot be read, so that Codex reports the mistake. */
const isFilePlain = (path: string): boolean =>
  attempt(() => {
    const bytes = read(path);
    return bytes === null || isPlain(FORMATS.toml.read(decode(bytes), ANYTHING));
  }) ?? false;

function copyFiles(from: string, to: string): void {
  for (const name of list(from)) {
    if (!COPIED.test(name) || name === LOGIN) continue;
    const stat = statSync(join(from, name), { throwIfNoEntry: false });
    if (stat?.isFile() && stat.size <= MOST_BYTES) copyFileSync(join(from, name), join(to, name));
  }
}

/** Whether Codex misses a file that exists but was not copied. */
function isNotCopied(why: string, copy: string, folder: string): boolean {
  const [, name] = why.split(copy, 2);
  const [path] = name?.split(/: No such file|: The system cannot find/, 1) ?? [];
  return path !== undefined && path !== name && existsSync(join(folder, path));
}
