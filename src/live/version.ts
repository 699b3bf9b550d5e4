/** Which version of a client an executable is. */

import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Client } from '../clients/client.ts';
import { atHome } from './client.ts';
import { at, parse, str } from './json.ts';
import { run } from './process.ts';

/** `--version` of a client takes up to two seconds. */
const DEADLINE = 4_000;

/** From the package that the executable is in, or else from itself; undefined when neither says it. */
export async function versionOf(
  client: Client,
  executable: string,
  home: string,
): Promise<string | undefined> {
  const packaged = packageVersion(client.npmPackage, executable);
  if (packaged !== undefined) return packaged;
  const options = { cwd: home, env: atHome(home), deadline: DEADLINE };
  // Whoever runs it learns what is wrong with it.
  const said = await run([executable], ['--version'], options).catch(() => undefined);
  return /\d+\.\d+\.\d+/.exec(said?.stdout ?? '')?.[0];
}

function packageVersion(name: string, executable: string): string | undefined {
  for (let folder = dirname(realpathSync(executable)); ; folder = dirname(folder)) {
    try {
      const manifest = parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      if (at(manifest, 'name') === name) return str(at(manifest, 'version')) || undefined;
    } catch {
      // There is none, or none that is JSON.
    }
    if (folder === dirname(folder)) return undefined;
  }
}

/** Whether a version comes before another; both of numbers joined by dots. */
export function isBefore(version: string, other: string): boolean {
  const [a, b] = [version, other].map((one) =>
    one.split('.').map((part) => Number.parseInt(part, 10)),
  );
  for (const [index, number] of (b ?? []).entries()) {
    const mine = a?.[index] ?? 0;
    if (mine !== number) return mine < number;
  }
  return false;
}
