/** What `mcp-hooks doctor` finds. */
import { env } from './fired.ts';
import type { World } from './world.ts';

export interface Finding {
  readonly check: string;
  readonly level: string;
  readonly about: string;
  readonly code: string;
  readonly what: string;
  readonly where?: string;
  readonly todo?: string;
}

export async function found(world: World, ...codes: string[]): Promise<readonly Finding[]> {
  const { out } = await world.run('doctor --json', { env });
  const { findings }: { findings: readonly Finding[] } = JSON.parse(out);
  return findings.filter(({ code }) => codes.includes(code));
}

/** Builds a package for a client in `out`, and installs the same hooks in the client. */
export async function buildAndInstall(world: World, id: string): Promise<void> {
  const declarations = [{ event: 'session_start', context: 'Hello.', priority: 'suggestion' }];
  await world.write('annal.json', JSON.stringify({ hooks: { declarations } }));
  await world.run(`build annal.json --out out --target ${id}`);
  await world.run(`install annal.json --client ${id} --yes`);
}

/** The code and the file of each finding about hooks that are shown twice. */
export async function alsoPacked(world: World): Promise<string[]> {
  const { out } = await world.run('doctor annal --json');
  const { findings }: { findings: readonly Finding[] } = JSON.parse(out);
  return findings.flatMap(({ check, code, level, where }) =>
    check === 'shown-twice' && level !== 'ok' ? `${code} ${where}` : [],
  );
}
