/** `mcp-hooks list`: what is installed, where, for which events, and what has happened to it since. */

import { join } from 'node:path';
import { findClient } from '../clients/index.ts';
import { type Drift, entryDrift, runnerDrift } from '../drift.ts';
import { Refusal } from '../edit/edit.ts';
import { FORMATS } from '../edit/formats.ts';
import { UserError } from '../errors.ts';
import { filesHolding, type Install, type Ledger, ledgerPath, readLedger } from '../ledger.ts';
import { drifted, messages } from '../messages.ts';
import { ownership } from '../ownership.ts';
import { configPath, findPlaces, type Places, runnerFolder, tilde } from '../places.ts';
import { readPolicy } from '../policy.ts';
import { clientOf } from '../runner.ts';
import { paint } from '../terminal.ts';
import { toJson, visible } from '../visible.ts';
import { type Context, disk, type Flags, OK } from './context.ts';

interface Listed {
  readonly label: string;
  readonly scope: string;
  readonly source: string;
  readonly events: readonly string[];
  readonly clients: readonly ListedClient[];
}

export interface ListedClient {
  readonly id: string;
  readonly file: string;
  /** `drift` in words. */
  readonly state: string;
  readonly drift: readonly Drift[];
  /** The file as it was before us; null: it was not there. */
  readonly backup: string | null;
}

export async function list({ terminal, env, cwd }: Context, flags: Flags): Promise<number> {
  const user = findPlaces(env, cwd, 'user');
  const { ledger, broken } = readLedger(user.state, disk.read);
  if (broken) terminal.err(`${messages.ledgerUnread(ledgerPath(user.state))}\n`);
  try {
    readPolicy(user.state, disk.read);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    terminal.err(`${[error.message, ...error.details].map((line) => visible(line)).join('\n')}\n`);
  }
  const short = (path: string) => visible(tilde(path, user.home));
  const listed = ledger.installs.map((install): Listed => {
    const { label, project, source, events } = install;
    const places: Places = project === null ? user : { ...user, scope: 'project', project };
    const runner = runnerDrift(install, (name) =>
      disk.read(join(runnerFolder(places, label), name)),
    );
    const clients = install.clients.map((id) => look(id, install, places, ledger, runner));
    return { label, scope: project ?? 'user', source, events, clients };
  });
  if (flags.json) terminal.out(toJson({ installed: listed }));
  else if (listed.length === 0) terminal.out('Nothing is installed.\n');
  else
    for (const { label, scope, source, events, clients } of listed) {
      const where = scope === 'user' ? '' : `  in ${short(scope)}`;
      terminal.out(
        `${paint(terminal, 'bold', label)}  ${events.join(', ')}${where}  (from ${short(source)})\n`,
      );
      for (const { id, file, state, backup } of clients)
        terminal.out(
          `  ${id.padEnd(12)} ${paint(terminal, state === 'intact' ? 'green' : 'red', visible(state))}  ${short(file)}${backup === null ? '' : paint(terminal, 'dim', `  (before: ${short(backup)})`)}\n`,
        );
    }
  return OK;
}

/** The client's file, and what has happened to our entries in it. */
export function look(
  id: string,
  { label, project }: Install,
  places: Places,
  ledger: Ledger,
  runner: readonly Drift[],
): ListedClient {
  const client = findClient(id);
  if (!client) return { id, file: '', state: messages.unknownHere, drift: [], backup: null };
  // Where it was put, which is not where the client looks today when the environment has changed.
  const [file, known] = filesHolding(ledger, id, project, label)[0] ?? [
    configPath(client, client.files[0], places),
  ];
  const config = client.files.find(({ name }) => name === known?.file) ?? client.files[0];
  const drift = runner.filter(({ what = '' }) => [undefined, id].includes(clientOf(what)));
  const backup = known?.backup ?? null;
  const seen = (more: readonly Drift[], words?: string): ListedClient => {
    const all = [...drift, ...more];
    return { id, file, state: words ?? drifted(all), drift: all, backup };
  };
  if (known?.next !== undefined) return seen([{ code: 'run interrupted' }]);
  // Nothing was put into it, because the client can do none of the hooks.
  if (!known?.record) return seen([]);
  try {
    return seen(
      entryDrift(disk.read(file), known.record, label, {
        format: FORMATS[config.format],
        dialect: config.dialect,
        ownerOf: ownership(places),
      }),
    );
  } catch (error) {
    if (error instanceof Refusal) return seen([{ code: 'file refused' }], error.message);
    throw error;
  }
}
