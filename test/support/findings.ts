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
