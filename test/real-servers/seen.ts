/** The table of the servers asked and of the place of their hooks, recorded by the tests in this folder. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FoundIn } from '../../src/declaration/declared.ts';

export interface Row extends Pick<FoundIn, 'transport' | 'era' | 'protocol'> {
  readonly server: string;
  /** The special property of this server. */
  readonly kind?: string;
  readonly version?: string;
  /** The places of the hooks, the decisive place first. */
  readonly keys: readonly string[];
}

export const FILE = fileURLToPath(new URL('../../fixtures/reading/seen.json', import.meta.url));

export const recorded = (): Row[] => JSON.parse(readFileSync(FILE, 'utf8'));

const OVER = { stdio: 'stdio', http: 'Streamable HTTP', sse: 'HTTP+SSE' } as const;

export function markdown(rows: readonly Row[]): string {
  const lines = rows.map(({ server, kind, version, transport, era, protocol, keys }) => [
    [server, version, kind && `(${kind})`].filter(Boolean).join(' '),
    OVER[transport],
    `\`${era === 'legacy' ? 'initialize' : 'server/discover'}\`, ${protocol}`,
    keys.map((key) => key.replace(/^capabilities\./, '').replace(/\[".*/, '')).join(', ') || 'none',
  ]);
  const head = ['server', 'over', 'asked with', 'hooks under'];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return `${line(head)}${'|---'.repeat(head.length)}|\n${lines.map(line).join('')}`;
}
