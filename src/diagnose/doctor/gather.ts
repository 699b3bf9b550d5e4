/** What checks are about: the installs and clients that are asked for, on this machine and in this folder. */

import { realpathSync } from 'node:fs';
import { selectClients } from '../../clients/detect.ts';
import { findPlaces } from '../../clients/find-places.ts';
import { CLIENTS } from '../../clients/registry.ts';
import type { DescribeLaunch } from '../../install/consent/approval.ts';
import { readLedger } from '../../install/ledger.ts';
import { disk } from '../../system/disk.ts';
import type { Env } from '../../system/env.ts';
import { UserError } from '../../system/errors.ts';
import { nearest } from '../../system/nearest.ts';
import type { DiagnoseMessage } from '../messages.ts';
import { type DoctorContext, makeContext } from './context.ts';

/** Milliseconds. */
const DEADLINE = 20_000;

export interface Asked {
  /** Absent: every install. */
  readonly label?: string | undefined;
  /** Ids or aliases; absent: every client. */
  readonly client?: readonly string[] | undefined;
  /** Servers may be started. */
  readonly servers?: boolean;
  /** Clients may be asked whether they trust hooks, for which they make files in the user's folder. */
  readonly asksClients?: boolean;
  /** Milliseconds that a client or a server has to answer. */
  readonly deadline?: number;
}

/** Who asks. */
export interface Caller {
  readonly env: Env;
  readonly cwd: string;
  /** Ours. */
  readonly version: string;
  readonly describeLaunch: DescribeLaunch;
  readonly onDownload: DoctorContext['onDownload'];
}

/** @throws UserError for a label that is not installed. */
export function gather(caller: Caller, asked: Asked = {}): DoctorContext {
  const { label, client, servers = false, asksClients = false, deadline = DEADLINE } = asked;
  const { env, cwd, version, describeLaunch, onDownload } = caller;
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
    version,
    user,
    here,
    ledger,
    broken,
    installs,
    label,
    clients: chosen ?? all,
    servers,
    asksClients,
    deadline,
    describeLaunch,
    onDownload,
    // Where an image of a machine is in a folder: settings of the whole machine are looked for in it.
    machine: { env, home: user.home, cwd: folder, root: env.MCP_HOOKS_SYSTEM_ROOT ?? '' },
  });
}
