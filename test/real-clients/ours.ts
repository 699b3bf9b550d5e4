// Our own tool, as a user starts it, in a scratch HOME.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../src/system/child.ts';
import { CACHES, type Client } from './clients.ts';
import { trustHooks } from './codex-app-server.ts';
import type { Scratch } from './scratch.ts';

export const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

/** Runs `mcp-hooks` and returns what it printed; fails unless it exits 0. */
export async function mcpHooks(place: Scratch, ...args: string[]): Promise<string> {
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: place.home, ...CACHES };
  const { stdout, stderr, exitCode } = await run([process.execPath, CLI], args, {
    cwd: place.project,
    env,
  });
  if (exitCode !== 0)
    throw new Error(`mcp-hooks ${args.join(' ')}: ${exitCode}\n${stdout}${stderr}`);
  return stdout;
}

/** Writes a manifest, installs it for one client, and trusts its hooks if the user of that client has to. */
export async function install(
  place: Scratch,
  client: Client,
  manifest: { name: string; [key: string]: unknown },
  ...flags: string[]
): Promise<void> {
  const file = join(place.files, `${manifest.name}.json`);
  writeFileSync(file, JSON.stringify(manifest));
  await mcpHooks(
    place,
    'install',
    file,
    '--client',
    client.id,
    '--yes',
    '--allow',
    'context-tool',
    ...flags,
  );
  if (client.id === 'codex') await trustHooks(place.home, place.project);
}

/** Every file below a folder with its bytes, except those below `except`. */
export function tree(folder: string, except: readonly string[] = []): Record<string, string> {
  if (!existsSync(folder)) return {};
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => !except.some((skip) => name === skip || name.startsWith(`${skip}/`)))
      .filter((name) => statSync(join(folder, name)).isFile())
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}

/** Replaces the programs that our entries start by a shell command for each event, by the event's native name. */
export function instead(
  { home }: Scratch,
  label: string,
  command: (event: string) => string,
): void {
  const runner = join(home, '.mcp-hooks/servers', label);
  for (const file of readdirSync(runner).filter((name) => name.endsWith('.sh')))
    writeFileSync(join(runner, file), `${command(file.split('.')[1] ?? '')}\n`);
}
