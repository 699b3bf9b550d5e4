// A manifest of version 2 with scripts, installed as `annal`, and the log of its hooks.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LogEntry, parseLog } from '../../src/diagnose/log.ts';
import type { Client } from './clients.ts';
import { trustHooks } from './codex-app-server.ts';
import { mcpHooks } from './ours.ts';
import type { Scratch } from './scratch.ts';

const ECHO = fileURLToPath(new URL('./fixtures/echo-server.mjs', import.meta.url));

/** A folder with a manifest and the scripts that it names, installed for a client with these grants. */
export async function installAnnal(
  place: Scratch,
  client: Client,
  declarations: readonly object[],
  grants: readonly string[] = [],
  scripts: Readonly<Record<string, string>> = {},
): Promise<void> {
  client.prepare(place);
  client.addServers(place, { 'my-srv': { command: process.execPath, args: [ECHO] } });
  const folder = join(place.files, 'annal');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(scripts)) writeFileSync(join(folder, name), text);
  const file = join(folder, 'annal.json');
  writeFileSync(file, JSON.stringify({ version: 2, name: 'annal', hooks: { declarations } }));
  const allow = grants.length > 0 ? ['--allow', grants.join()] : [];
  await mcpHooks(place, 'install', file, '--client', client.id, '--yes', ...allow);
  if (client.id === 'codex') await trustHooks(place.home, place.project);
}

export function logged({ home }: Scratch): LogEntry[] {
  return parseLog('annal', readFileSync(join(home, '.mcp-hooks/log/annal.jsonl'), 'utf8')).entries;
}

/** The decisions in the log: each hook, and its action. */
export const decisionsIn = (place: Scratch): string[] =>
  logged(place).flatMap(({ decisions = [] }) =>
    decisions.map(({ hook, action }) => `${hook} ${action}`),
  );

/** A script that answers with the value of an expression, which may use the event. */
export const answering = (expression: string): string => `
import { readFileSync } from 'node:fs';
const event = JSON.parse(readFileSync(0, 'utf8'));
process.stdout.write(JSON.stringify(${expression}));
`;

export const node = (script: string): string[] => ['node', script];
