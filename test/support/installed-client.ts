/** Hooks that are installed for one client, and fired as it fires them, with the payloads in fixtures/events. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { commandsAt, handlersIn } from '../../src/clients/entries.ts';
import { configPath, filesIn, findPlaces } from '../../src/clients/places.ts';
import { findClient } from '../../src/clients/registry.ts';
import { ANYTHING, type JsonObject } from '../../src/edit/edit.ts';
import { FORMATS } from '../../src/edit/formats.ts';
import { eventsOf } from '../../src/edit/value.ts';
import { ROOT } from './pages.ts';
import type { World } from './world.ts';

const env = { PATH: process.env.PATH };

/** The events of version 1. */
const isSix = /^(?:session_start|session_end|pre_request|post_request|pre_tool_use|post_tool_use)$/;

/** Installs `annal` for a client. @returns The output. */
export async function installHooks(
  world: World,
  id: string,
  hooks: readonly object[],
  flags: readonly string[] = [],
): Promise<string> {
  const declarations = hooks.map((hook) => ({ priority: 'important', ...hook }));
  const isExtended = hooks.some(
    (hook) =>
      'block' in hook || 'command' in hook || !('event' in hook && isSix.test(`${hook.event}`)),
  );
  const version = isExtended ? { version: 2 } : {};
  await world.write('annal.json', JSON.stringify({ ...version, hooks: { declarations } }));
  const line = ['install', 'annal.json', '--client', id, '--yes', ...flags];
  const { code, out, err } = await world.run(line, { env });
  if (code !== 0) throw new Error(err);
  return `${out}${err}`;
}

/**
 * The answers of the client's own commands under an event, without empty ones.
 *
 * @param from The client that runs them, and whose payload it is, if it is another one.
 */
export async function fired(
  world: World,
  id: string,
  native: string,
  payload: string,
  changes: object = {},
  environment: Readonly<Record<string, string>> = {},
  from = id,
): Promise<readonly JsonObject[]> {
  const client = findClient(id);
  if (!client) throw new Error(id);
  const places = findPlaces({ HOME: world.home, PATH: world.bin }, world.work, 'user');
  const path = `fixtures/events/${from}/${payload}.json`;
  const input = JSON.stringify({
    ...JSON.parse(readFileSync(join(ROOT, path), 'utf8')),
    ...changes,
  });
  const commands = filesIn(client, places).flatMap((file) => {
    const text = readOr(configPath(client, file, places));
    const document = FORMATS[file.format].read(text, ANYTHING, file.layout);
    return (eventsOf(document, file.layout).get(native) ?? [])
      .flatMap((group) => handlersIn(client, group))
      .flatMap(({ handler }) => commandsAt(client.entry.commands, handler))
      .filter((command) => command.includes(`/${id}.`));
  });
  const said: JsonObject[] = [];
  for (const command of commands) {
    const [shell, ...args] = client.hookShell;
    const { exitCode, stdout, stderr } = await execa(shell, [...args, command], {
      cwd: world.work,
      input,
      env: { HOME: world.home, ...environment },
      reject: false,
    });
    if (exitCode !== 0 || stderr !== '') throw new Error(`${exitCode}: ${stderr}`);
    if (stdout !== '') said.push(JSON.parse(stdout));
  }
  return said;
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '{}';
  }
}
