/** `mcp-hooks build`: builds what a vendor ships from a manifest: packages for clients, and fragments for other files. */

import { resolve } from 'node:path';
import { type ClientMessage, lacking } from '../../clients/messages.ts';
import { bundleOf, CLIENTS, findClient } from '../../clients/registry.ts';
import { bundleFor, jsonBytes } from '../../compile/bundles/bundle.ts';
import { FLEET, FLEET_FOLDER, fleetFor, isFleetFolder } from '../../compile/bundles/fleet.ts';
import {
  type PackageFacts,
  type Secrets,
  type Shipment,
  shipmentOf,
} from '../../compile/bundles/shipment.ts';
import type { ServerHooks } from '../../declaration/declared.ts';
import { locate } from '../../declaration/document.ts';
import type { DeclarationMessage } from '../../declaration/messages.ts';
import { planBuild, writeBuild } from '../../install/built.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { buildJson, showBuild } from '../../present/render/built.ts';
import { showProblems } from '../../present/render/problems.ts';
import { FRAGMENTS, fragment, MERGED_INTO } from '../../sources/manifests/fragments.ts';
import { packageFacts } from '../../sources/manifests/published.ts';
import { accept, checkManifestFile } from '../../sources/manifests/read.ts';
import { secretIn, secretInHook } from '../../sources/manifests/start-secret.ts';
import { isExact } from '../../sources/npm/fetch.ts';
import { disk } from '../../system/disk.ts';
import { UserError } from '../../system/errors.ts';
import { realPath } from '../../system/files.ts';
import { template } from '../../system/package-files.ts';
import { holdsSecret } from '../../system/secrets.ts';
import { toJson } from '../../system/visible.ts';
import {
  type Command,
  type Context,
  DIFFERENT,
  FIRST_ID,
  type Flags,
  idsIn,
  OK,
  option,
  turnOptions,
} from './command.ts';
import { whyNone } from './prepare.ts';

const BUNDLED = CLIENTS.filter(bundleOf).map(({ id }) => id);

export const build: Command = {
  name: 'build',
  group: 'Author',
  summary: 'make plugins and other files for vendors and administrators',
  operands: '<manifest>',
  usage: ['--out <folder> [options] <manifest>'],
  options: [
    option('--out <folder>', 'the folder to build in'),
    option(
      '--target <targets>',
      `only these: ${[...BUNDLED, ...FRAGMENTS].join(', ')}; or ${FLEET}, for administrators`,
    ).argParser(idsIn),
    option(
      '--runner-folder <path>',
      `with ${FLEET}: where runners are on the machines (default: ${FLEET_FOLDER})`,
    ),
    option('--check', 'write nothing; exit with 1 if the output is stale, and name the files'),
    option('--force', 'overwrite files that are not from a build'),
    option('--package-version <version>', 'the version of the packages'),
    option('--name <label>', 'the label of the server'),
    ...turnOptions(),
  ],
  examples: [
    'build annal.json --out dist-hooks',
    `build package.json --out dist-hooks --target ${FIRST_ID},npm`,
    'build annal.json --out dist-hooks --check',
    'build annal.json --out dist-hooks --target fleet',
  ],
  run,
};

async function run({ terminal, cwd }: Context, manifest: string, flags: Flags): Promise<number> {
  const { out, check = false } = flags;
  if (out === undefined) throw new UserError<CliMessage>({ code: 'build-needs-out' });
  const written = await checkManifestFile(resolve(cwd, manifest), manifest, flags.name);
  const declared = accept(written);
  const problems = locate(written.shown, declared.problems);
  if (declared.hooks.length === 0)
    throw new UserError<CliMessage | DeclarationMessage>(whyNone(declared), problems);
  const facts = await publicFacts(declared);
  const { targets, files, ...built } = make(declared, facts, flags, await secretsOf(declared));
  const about = { label: declared.label, declaration: built.shipment.declaration };
  const folder = realPath(resolve(cwd, out));
  const plan = planBuild(folder, targets, files, about, disk, flags.force === true || check);
  if (!check) writeBuild(plan);
  const all = { ...built, problems, plan };
  const { errColumns = Number.POSITIVE_INFINITY } = terminal;
  if (!flags.json)
    for (const line of showProblems(terminal, errColumns, problems)) terminal.err(`${line}\n`);
  if (flags.json) terminal.out(toJson(buildJson(all, check)));
  else
    terminal.out(showBuild(terminal, all, { out, folder, check, verbose: flags.verbose === true }));
  return check && plan.stale.length > 0 ? DIFFERENT : OK;
}

/** What the manifest says about itself, which is published. @throws UserError if it may contain a secret. */
async function publicFacts(declared: ServerHooks): Promise<PackageFacts> {
  const facts = packageFacts(declared);
  for (const [field, value] of Object.entries({ name: declared.label, ...facts }))
    if (await holdsSecret(value))
      throw new UserError<CliMessage>({ code: 'secret-in-package', field });
  return facts;
}

async function secretsOf({ server, hooks }: ServerHooks): Promise<Secrets> {
  const found = new Map<number, string>();
  for (const [index, hook] of hooks.entries()) {
    const where = await secretInHook(hook);
    if (where !== undefined) found.set(index, where);
  }
  return { server: server && (await secretIn(server)), hooks: found };
}

function make(declared: ServerHooks, facts: PackageFacts, flags: Flags, secrets: Secrets) {
  // A fleet has many files that are not for users, so it is built only on request.
  const targets = flags.target ? wanted(flags.target) : [...BUNDLED, ...FRAGMENTS];
  const { packageVersion: version } = flags;
  if (version !== undefined && !isExact(version))
    throw new UserError<CliMessage>({ code: 'package-version-unfit', version });
  const shipment = shipmentOf(
    declared,
    { ...facts, ...(version !== undefined && { version }) },
    secrets,
  );
  const { actNow = false, extraTurns } = flags;
  const bundles = CLIENTS.filter(({ id }) => targets.includes(id)).flatMap((client) => {
    const bundle = bundleOf(client);
    return bundle ? bundleFor(client, bundle, shipment, { template, actNow, extraTurns }) : [];
  });
  const shippable = declared.hooks.filter((_, index) => !secrets.hooks.has(index));
  const fragments = FRAGMENTS.filter((kind) => targets.includes(kind)).map((kind) => {
    const path = `${kind}/${MERGED_INTO[kind]}`;
    try {
      return { kind, path, bytes: jsonBytes(fragment(kind, shippable)) };
    } catch (error) {
      // If the fragment was not requested, the others are built without it.
      if (!(error instanceof UserError) || flags.target) throw error;
      return { kind, path, refusal: error.problem };
    }
  });
  const fleet = targets.includes(FLEET) ? fleetIn(shipment, flags) : undefined;
  const files = [
    ...bundles.flatMap((bundle) => bundle.files),
    ...fragments.flatMap(({ path, bytes }) => (bytes ? [{ path, bytes }] : [])),
    ...(fleet?.files ?? []),
  ];
  return { targets, shipment, bundles, fragments, ...(fleet && { fleet }), files };
}

function fleetIn(shipment: Shipment, { runnerFolder: folder = FLEET_FOLDER, ...flags }: Flags) {
  if (!isFleetFolder(folder))
    throw new UserError<CliMessage>({ code: 'fleet-folder-unfit', folder });
  const { actNow = false, extraTurns } = flags;
  return fleetFor(CLIENTS, shipment, { folder, template, actNow, extraTurns });
}

/** IDs of clients (aliases are accepted), kinds of fragments, and the fleet. */
function wanted(names: readonly string[]): readonly string[] {
  const known = [...BUNDLED, ...FRAGMENTS, FLEET];
  return names.map((name) => {
    const client = findClient(name);
    if (client && !bundleOf(client)) throw new UserError<ClientMessage>(lacking(client, 'bundle'));
    const id = client?.id ?? name;
    if (!known.includes(id)) throw new UserError<CliMessage>({ code: 'no-target', name, known });
    return id;
  });
}
