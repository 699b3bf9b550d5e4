/** `mcp-hooks list`: what is installed, where, for which events, and whether it is still there. */

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findClient } from '../clients/index.ts';
import { FORMATS } from '../edit/formats.ts';
import { decode } from '../edit/text.ts';
import { fingerprint } from '../fingerprint.ts';
import { filesHolding, type Ledger, readLedger } from '../ledger.ts';
import { configPath, findPlaces, type Places, runnerFolder, tilde } from '../places.ts';
import { ownership } from '../plan.ts';
import { RUNNER } from '../runner.ts';
import { paint } from '../terminal.ts';
import { toJson, visible } from '../visible.ts';
import { type Context, disk, type Flags, OK } from './context.ts';

interface Listed {
  readonly label: string;
  readonly scope: string;
  readonly source: string;
  readonly events: readonly string[];
  readonly clients: readonly { id: string; file: string; state: string }[];
}

export async function list({ terminal, env, cwd }: Context, flags: Flags): Promise<number> {
  const user = findPlaces(env, cwd, 'user');
  const { ledger } = readLedger(user.state, disk.read);
  const short = (path: string) => visible(tilde(path, user.home));
  const listed = ledger.installs.map(({ label, project, clients, source, events }): Listed => {
    const places: Places = project === null ? user : { ...user, scope: 'project', project };
    const runner = existsSync(join(runnerFolder(places, label), RUNNER));
    return {
      label,
      scope: project ?? 'user',
      source,
      events,
      clients: clients.map((id) => {
        const { path, ours } = entries(id, label, places, ledger);
        return { id, file: path, state: runner ? ours : 'its runner is missing' };
      }),
    };
  });
  if (flags.json) terminal.out(toJson({ installed: listed }));
  else if (listed.length === 0) terminal.out('Nothing is installed.\n');
  else
    for (const { label, scope, source, events, clients } of listed) {
      const where = scope === 'user' ? '' : `  in ${short(scope)}`;
      terminal.out(
        `${paint(terminal, 'bold', label)}  ${events.join(', ')}${where}  (from ${short(source)})\n`,
      );
      for (const { id, file, state } of clients)
        terminal.out(
          `  ${id.padEnd(12)} ${paint(terminal, state === 'intact' ? 'green' : 'red', visible(state))}  ${short(file)}\n`,
        );
    }
  return OK;
}

/** The client's file and whether our entries are in it. */
function entries(
  id: string,
  label: string,
  places: Places,
  ledger: Ledger,
): { path: string; ours: string } {
  const client = findClient(id);
  if (!client) return { path: '', ours: 'a client that this version does not know' };
  // Where it was put, which is not where the client looks today when the environment has changed.
  const [path, known] = filesHolding(ledger, id, places.project ?? null, label)[0] ?? [
    configPath(client, client.files[0], places),
  ];
  const file = client.files.find(({ name }) => name === basename(path)) ?? client.files[0];
  const record = known?.record;
  const bytes = disk.read(path);
  if (!record || bytes === null) return { path, ours: 'its entries are missing' };
  try {
    const text = decode(bytes);
    const { hooks } = FORMATS[file.format].read(text, file.dialect);
    const ownerOf = ownership(places);
    const wanted = record.owned.filter((owned) => owned.label === label);
    const there = wanted.filter(({ event }) => {
      const groups = typeof hooks === 'object' && hooks !== null ? Reflect.get(hooks, event) : [];
      return Array.isArray(groups) && groups.some((group) => ownerOf(group) === label);
    });
    if (there.length === wanted.length)
      return {
        path,
        ours: fingerprint(text) === record.after ? 'intact' : 'there; the file was changed since',
      };
    return {
      path,
      ours: there.length === 0 ? 'its entries are missing' : 'some entries are missing',
    };
  } catch (error) {
    return { path, ours: error instanceof Error ? error.message : String(error) };
  }
}
