/** `mcp-hooks validate`: everything that is wrong with a manifest, with places. */

import { resolve } from 'node:path';
import { locate } from '../declaration/document.ts';
import { loadManifest, parseManifest } from '../declaration/manifest.ts';
import { count, unsupportedJson } from '../show.ts';
import { toJson, visible } from '../visible.ts';
import { type Context, type Flags, OK, TROUBLE } from './context.ts';

export async function validate(
  { terminal, cwd }: Context,
  path: string,
  flags: Pick<Flags, 'json'> & { name?: string; strict?: boolean },
): Promise<number> {
  const file = resolve(cwd, path);
  const declared = parseManifest(loadManifest(file, path), file, flags.name);
  const { label, hooks, problems } = declared;
  const valid = !problems.some(({ level }) => level === 'error' || flags.strict);
  if (flags.json)
    terminal.out(
      toJson({
        file,
        valid,
        label,
        hooks: hooks.length,
        problems: problems.map(({ path: at, ...rest }) => ({ ...rest, path: at })),
        ...unsupportedJson(declared),
      }),
    );
  else {
    for (const line of locate(path, problems)) terminal.out(`${visible(line)}\n`);
    if (valid)
      terminal.out(
        `${visible(path)}: all good: ${label} declares ${count(hooks.length, 'hook')}.\n`,
      );
  }
  return valid ? OK : TROUBLE;
}
