/**
 * `mcp-hooks verify --live`: runs the real clients headless in a scratch home, against a scripted model on loopback, with a
 * copy of the installed hooks, and shows which of them the model reads. Needs no login and no network.
 */

import { realpathSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { Client } from '../../clients/contract.ts';
import { selectClients, which } from '../../clients/detect.ts';
import { findPlaces, type Places, tilde } from '../../clients/places.ts';
import { CLIENTS, driverOf, trustOf } from '../../clients/registry.ts';
import { isTooOld } from '../../clients/version.ts';
import { statusAt, statusOf } from '../../diagnose/doctor/status.ts';
import { readInstalled } from '../../diagnose/fire/installed.ts';
import { scratch } from '../../diagnose/live/copy.ts';
import type { Untried } from '../../diagnose/live/delivery.ts';
import { soundFiles } from '../../diagnose/live/hook-scenarios.ts';
import { type Tried, tryHooks, versionOf } from '../../diagnose/live/trial.ts';
import type { DiagnoseMessage } from '../../diagnose/messages.ts';
import { readWritten } from '../../install/configured-hooks.ts';
import { lookAt, runnerDrift } from '../../install/drift.ts';
import { type Install, type Ledger, readLedger } from '../../install/ledger.ts';
import { isOurs } from '../../install/ownership.ts';
import { placesAt, type Site } from '../../install/site.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { messages } from '../../present/messages/output.ts';
import { trustMessages } from '../../present/messages/trust.ts';
import {
  fails,
  isAltered,
  liveVerdict,
  type Proof,
  proofJson,
  showProof,
} from '../../present/render/proof.ts';
import { withCleanup } from '../../system/cleanup.ts';
import { disk } from '../../system/disk.ts';
import { UserError } from '../../system/errors.ts';
import { nearest } from '../../system/nearest.ts';
import { toJson } from '../../system/visible.ts';
import { type Context, DIFFERENT, type Flags, OK, TROUBLE } from './command.ts';
import { doctorContext, fromElsewhere } from './doctor-context.ts';
import { withProgressAfter } from './progress.ts';
import {
  type ServerWarning,
  serverWarnings,
  showServerWarnings,
  warningJson,
} from './server-warnings.ts';

/** Sessions of clients at the same time. Each keeps about one core busy, and has a deadline. */
const AT_ONCE = Math.min(2, availableParallelism());

export async function verifyLive(
  context: Context,
  label: string | undefined,
  flags: Flags,
): Promise<number> {
  const { terminal, env, cwd, untried = [] } = context;
  const user = findPlaces(env, cwd, 'user');
  const { ledger, broken } = readLedger(user.state, disk.read);
  const deadline = 1000 * flags.timeout;
  const chosen = flags.client && selectClients(flags.client, user).clients;
  const subjects = subjectsIn(ledger, user);
  const wanted = subjects.filter((one) => label === undefined || one.label === label);
  const known = [...new Set(subjects.map((one) => one.label))];
  if (wanted.length === 0)
    throw new UserError<DiagnoseMessage | CliMessage>(
      label === undefined
        ? { code: 'nothing-to-verify' }
        : { code: 'unknown-label', label, near: nearest(label, known), known },
      label === undefined ? [] : fromElsewhere(context, label),
    );

  const statuses = broken || context.isScratch ? [] : await statusOf(doctorContext(context));
  const proofs: Proof[] = [];
  const warnings: ServerWarning[] = [];
  const clientsOf = ({ clients }: Subject) =>
    (chosen ?? clients).filter((one) => clients.includes(one));
  const all = wanted.flatMap((subject) =>
    clientsOf(subject).map((client) => ({ subject, client })),
  );
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const tried = all.slice(at, at + AT_ONCE).map(async ({ subject, client }) => {
      const doing = messages.running(client.name, subject.label);
      const proof = await withProgressAfter(context, doing, () =>
        prove(client, subject, { user, ledger, deadline, untried }),
      );
      const status = statusAt(statuses, { ...subject, client });
      return { ...proof, ...(status && { status }) };
    });
    for (const proof of await Promise.all(tried)) {
      proofs.push(proof);
      if (!flags.json) terminal.out(`${showProof(terminal, proof)}\n`);
    }
  }
  for (const subject of wanted) {
    const places = placesAt(subject.site, user);
    const { of } = readInstalled(places, disk);
    const installed = clientsOf(subject).flatMap((client) => of(subject.label, client) ?? []);
    warnings.push(...(await serverWarnings(subject.label, installed, places, context, flags)));
  }
  const names = chosen?.map(({ name }) => name) ?? [];
  if (proofs.length === 0)
    throw new UserError<CliMessage>({ code: 'not-in-clients', label, names });
  const hooks = proofs.flatMap(({ trial }) => trial?.hooks ?? []);
  const tried = hooks.filter(({ delivery }) => delivery.kind !== 'not-tried');
  const failing = proofs.some(fails);
  // An author wants to know that every single hook arrives.
  const isLacking = context.isScratch === true && tried.length < hooks.length;
  if (flags.json) {
    const [live, warned] = [proofs.map(proofJson), warnings.map(warningJson)];
    terminal.out(toJson({ fires: !failing && !isLacking, live, warnings: warned }));
  } else for (const one of showServerWarnings(terminal, warnings, proofs)) terminal.out(`${one}\n`);
  if (!flags.json && !context.isScratch)
    for (const client of new Set(proofs.filter(wasTrusted).map((proof) => proof.client)))
      terminal.out(`${trustMessages.trustedInScratch(client)}\n`);
  if (!flags.json) for (const line of liveVerdict(proofs)) terminal.out(`${line}\n`);
  if (failing) return DIFFERENT;
  // Without a trial, nothing is proven. Every named client must have been tried.
  const isTried = ({ trial }: Proof) => trial !== undefined;
  if (!(chosen ? proofs.every(isTried) : proofs.some(isTried))) return TROUBLE;
  return isLacking ? DIFFERENT : OK;
}

const notTried = ({ number, event, why, grants }: Untried): Tried => ({
  ...{ number, event, natives: [] },
  delivery: { kind: 'not-tried', why, ...(grants && { grants }) },
});

/** Whether the trial told a client to trust the hooks. The user has to tell the real client the same. */
const wasTrusted = ({ client, trial }: Proof): boolean =>
  trial !== undefined && !trial.trouble && trustOf(client) !== undefined;

interface Subject {
  readonly label: string;
  readonly site: Site;
  readonly clients: readonly Client[];
  /** Absent if the record was lost. */
  readonly install?: Install;
}

function subjectsIn({ installs }: Ledger, user: Places): Subject[] {
  const known = installs.map((install): Subject => {
    const clients = CLIENTS.filter(({ id }) => install.clients.includes(id));
    return { label: install.label, site: install, clients, install };
  });
  // Entries without a record are reported separately.
  const lost = new Map<string, Subject>();
  for (const client of CLIENTS)
    for (const { label } of readWritten(client, user, disk).hooks) {
      const isKnown = known.some((one) => one.label === label && one.site.project === null);
      if (label === undefined || isKnown) continue;
      const clients = new Set([...(lost.get(label)?.clients ?? []), client]);
      lost.set(label, { label, site: { project: null }, clients: [...clients] });
    }
  return [...known, ...lost.values()];
}

interface Trying {
  readonly user: Places;
  readonly ledger: Ledger;
  /** Milliseconds for each client. */
  readonly deadline: number;
  readonly untried: readonly Untried[];
}

async function prove(
  client: Client,
  { label, site, install }: Subject,
  { user, ledger, deadline, untried }: Trying,
): Promise<Proof> {
  const places = placesAt(site, user);
  const { hooks } = readWritten(client, places, disk);
  const runner = install ? runnerDrift(install, places, disk.read) : [];
  const look = { runner, read: disk.read };
  const seen = install && lookAt(client.id, install, places, ledger, look);
  const unrecorded = [{ code: 'not-recorded' as const }];
  const altered = seen?.drift.filter(isAltered) ?? unrecorded;
  const proof = { client, label, site, file: tilde(seen?.file ?? '', user.home), altered };
  const found = which(client.executable, user);
  const executable = found && resolve(found); // it runs in another folder
  const driver = await driverOf(client);
  if (!driver) return { ...proof, cannotRun: true };
  if (executable === undefined) return proof;
  // A separate home, removed afterwards.
  const place = scratch(realpathSync(tmpdir()), 'mcp-hooks-live-', user.env);
  return withCleanup(place.remove, async () => {
    const version = await versionOf(client, executable, place);
    const known = { ...proof, executable, ...(version !== undefined && { version }) };
    if (isTooOld(client, version)) return known;
    const started = performance.now();
    const trial = await tryHooks({
      ...{ client, driver, label, places, disk, scratch: place },
      launch: [executable],
      runner: soundFiles(install, places, disk),
      written: install ? hooks.filter((hook) => isOurs(hook, label, places)) : [],
      deadline,
    });
    const milliseconds = Math.round(performance.now() - started);
    const all = [...trial.hooks, ...untried.map(notTried)].sort((a, b) => a.number - b.number);
    return { ...known, trial: { ...trial, hooks: all, milliseconds } };
  });
}
