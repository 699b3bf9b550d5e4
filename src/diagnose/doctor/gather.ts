/** What checks are about: the installs and clients that are asked for, on this machine and in this folder. */

import { realpathSync } from 'node:fs';
import { selectClients } from '../../clients/detect.ts';
import { findPlaces } from '../../clients/places.ts';
import { CLIENTS } from '../../clients/registry.ts';
import { readLedger } from '../../install/ledger.ts';
import { disk } from '../../system/disk.ts';
import type { Env } from '../../system/env.ts';
import { UserError } from '../../system/errors.ts';
import { nearest } from '../../system/nearest.ts';
import type { DiagnoseMessage } from '../messages.ts';
import { type Asked, type DoctorContext, makeContext } from './context.ts';

/** Milliseconds. */
const DEADLINE = 20_000;

export type Caller = Pick<Asked, 'version' | 'describeLaunch' | 'onDownload'> & {
  readonly env: Env;
  readonly cwd: string;
};

/** Absent: every install, and nothing is started. */
export type Question = Partial<Omit<Asked, keyof Caller>> & {
  /** Ids or aliases; absent: every client. */
  readonly client?: readonly string[] | undefined;
};

/** @throws UserError for a label that is not installed. */
export function gather(
  { env, cwd, ...caller }: Caller,
  { client, ...question }: Question = {},
): DoctorContext {
  const { label } = question;
  const user = findPlaces(env, cwd, 'user');
  const folder = realpathSync.native(cwd);
  const here = folder === user.home ? undefined : findPlaces(env, cwd, 'project');
  const { ledger, broken } = readLedger(user.state, disk.read);
  const chosen = client && selectClients(client, user).clients;
  const known = ledger.installs.map((one) => one.label);
  // A record that cannot be read says nothing about labels; that it cannot is a finding.
  if (label !== undefined && !broken && !known.includes(label))
    throw new UserError<DiagnoseMessage>({
      code: 'unknown-label',
      label,
      near: nearest(label, known),
      known: [...new Set(known)],
    });

  const installs = ledger.installs
    .filter((one) => label === undefined || one.label === label)
    .map((one) => ({
      ...one,
      clients: one.clients.filter((id) => !chosen || chosen.some((client) => client.id === id)),
    }))
    .filter(({ clients }) => clients.length > 0);
  const used = installs.flatMap(({ clients }) => clients);
  const present = label === undefined ? selectClients(undefined, user).clients : [];
  const all = CLIENTS.filter((client) => used.includes(client.id) || present.includes(client));
  return makeContext({
    ...{ servers: false, asksClients: false, deadline: DEADLINE },
    ...question,
    ...caller,
    ...{ user, here, ledger, broken, installs, label },
    clients: chosen ?? all,
    // Where an image of a machine is in a folder: settings of the whole machine are looked for in it.
    machine: { env, home: user.home, cwd: folder, root: env.MCP_HOOKS_SYSTEM_ROOT ?? '' },
  });
}
