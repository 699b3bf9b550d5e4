// docs/versions.md: written by `npm run test:versions`, which keeps the rows of versions that it has not run.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLIENTS } from '../../src/clients/registry.ts';
import { compareVersions } from '../../src/clients/version.ts';
import { CASES, type Measured } from './measure.ts';

const FILE = join(import.meta.dirname, '../../docs/versions.md');
const COLUMNS = [...CASES.map(({ name }) => name), 'post_request, --act-now'];
const HEAD = ['version', ...COLUMNS, 'asks for trust'];

const INTRODUCTION = `# Versions of the clients

Written by \`npm run test:versions\`; do not edit. Each version comes from npm and runs against a scripted model, as with
\`verify --live\`. What the versions lack is recorded in \`src/clients\` as \`gaps\`; the run fails where that differs from what it sees.

* **yes**: the hook fires as it is installed for the newest version.
* **other way**: it fires as \`install\` writes it for this version, and not as it is written for the newest.
* **no**: it does not fire. The plan and \`doctor\` say so.
`;

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** The rows that are there, by client and version. */
function kept(): Map<string, Map<string, string>> {
  const rows = new Map<string, Map<string, string>>();
  let client = '';
  for (const line of existsSync(FILE) ? readFileSync(FILE, 'utf8').split('\n') : []) {
    client = /^## (.*)/.exec(line)?.[1] ?? client;
    const version = /^\| (\d+\.\d+\.\d+) /.exec(line)?.[1];
    if (version !== undefined)
      rows.set(client, (rows.get(client) ?? new Map<string, string>()).set(version, line));
  }
  return rows;
}

export function record(client: string, version: string, { cells, asksForTrust }: Measured): void {
  const rows = kept();
  const line = row([
    version,
    ...COLUMNS.map((name) => cells[name] ?? ''),
    asksForTrust ? 'yes' : 'no',
  ]);
  rows.set(client, (rows.get(client) ?? new Map<string, string>()).set(version, line));
  const tables = CLIENTS.flatMap(({ name }) => {
    const own = [...(rows.get(name) ?? [])].sort(([a], [b]) => compareVersions(b, a));
    return [
      `## ${name}`,
      '',
      row(HEAD),
      row(HEAD.map(() => '---')),
      ...own.map(([, one]) => one),
      '',
    ];
  });
  writeFileSync(FILE, `${[INTRODUCTION, ...tables].join('\n').trimEnd()}\n`);
}
