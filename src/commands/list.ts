/** `mcp-hooks list`: what is installed, where, for which events, and what has happened to it since. */

import { join } from 'node:path';
import { type InstalledClient, lookAt } from '../client-drift.ts';
import { runnerDrift } from '../drift.ts';
import { UserError } from '../errors.ts';
import { ledgerPath, readLedger } from '../ledger.ts';
import { messages } from '../messages.ts';
import { findPlaces, type Places, runnerFolder, tilde } from '../places.ts';
import { readPolicy } from '../policy.ts';
import { paint } from '../terminal.ts';
import { inLine, toJson } from '../visible.ts';
import { type Context, disk, type Flags, OK } from './context.ts';

interface Listed {
  readonly label: string;
  readonly scope: string;
  readonly source: string;
  readonly events: readonly string[];
  readonly clients: readonly InstalledClient[];
}

export async function list({ terminal, env, cwd }: Context, flags: Flags): Promise<number> {
  const user = findPlaces(env, cwd, 'user');
  const { ledger, broken } = readLedger(user.state, disk.read);
  if (broken) terminal.err(`${messages.ledgerUnread(ledgerPath(user.state))}\n`);
  try {
    readPolicy(user.state, disk.read);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    terminal.err(
      `${[error.message, ...error.details].map((line) => inLine(line, 10_000)).join('\n')}\n`,
    );
  }
  const short = (path: string) => inLine(tilde(path, user.home));
  const listed = ledger.installs.map((install): Listed => {
    const { label, project, source, events } = install;
    const places: Places = project === null ? user : { ...user, scope: 'project', project };
    const runner = runnerDrift(install, (name) =>
      disk.read(join(runnerFolder(places, label), name)),
    );
    const clients = install.clients.map((id) =>
      lookAt(id, install, places, ledger, { runner, read: disk.read }),
    );
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
          `  ${id.padEnd(12)} ${paint(terminal, state === 'intact' ? 'green' : 'red', inLine(state))}  ${short(file)}${backup === null ? '' : paint(terminal, 'dim', `  (before: ${short(backup)})`)}\n`,
        );
    }
  return OK;
}
