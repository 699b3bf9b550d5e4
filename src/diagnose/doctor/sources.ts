/** The source of a declaration: whether it still exists, and still declares the installed hooks. */

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { runnerFolder } from '../../clients/places.ts';
import { findClient } from '../../clients/registry.ts';
import { compile } from '../../compile/compile.ts';
import { passingMark, steeringMark, valuesMark } from '../../compile/steering.ts';
import {
  onlyIn,
  type ServerHooks,
  type ServerLaunch,
  type Source,
} from '../../declaration/declared.ts';
import { GRANTS, type Grant } from '../../declaration/grants.ts';
import { findForm, readManifestText } from '../../declaration/manifest.ts';
import { RULES } from '../../declaration/policy.ts';
import { checkServer, isRecord } from '../../declaration/schema.ts';
import { approvalOf } from '../../install/consent/approval.ts';
import { changesBetween, isSame } from '../../install/consent/changes.ts';
import { serverDigest } from '../../install/consent/grants.ts';
import type { Install } from '../../install/ledger.ts';
import { entryNamed, hooksFrom } from '../../sources/catalogue/catalogue.ts';
import { findAgain } from '../../sources/find.ts';
import { environmentIn } from '../../sources/folder.ts';
import { anchorAt } from '../../sources/launch.ts';
import { isUnchanged } from '../../sources/manifests/command-files.ts';
import { loadManifest } from '../../sources/manifests/load.ts';
import { isManifest } from '../../sources/same-source.ts';
import { ifPossible, UserError } from '../../system/errors.ts';
import { fingerprint } from '../../system/fingerprint.ts';
import { type CheckMessage, type CheckResult, ofInstalls, ofTools } from './check.ts';
import type { DoctorContext } from './context.ts';
import { labelWithScope, updateCommand } from './origin.ts';

export const source = ofTools('source', 'declaration-unchanged', async (install, at) => {
  if (isDecidedElse(install, at))
    return {
      level: 'error',
      what: { code: 'so-no-tools', why: { code: 'steering-changed' } },
      where: install.source,
      todo: { code: 'update-asks', label: install.label },
    };
  const { label, origin } = install;
  if (origin?.kind === 'catalogue') return fromCatalogue(install, origin, at);
  if (!isManifest(install)) return { level: 'ok', what: 'declared-by-server' };
  const where = install.source;
  const moved = { code: 'put-back-or-moved', where: labelWithScope(install) } as const;
  const gone = (
    what: CheckMessage,
    level: CheckResult['level'],
    todo: CheckMessage,
  ): CheckResult => ({
    level,
    what,
    where,
    todo,
  });
  const server = at.serverOf(install);
  const folder = onlyIn(install.origin);
  if (folder !== undefined && !existsSync(where))
    return gone({ code: existsSync(folder) ? 'manifest-gone' : 'folder-gone' }, 'warning', {
      code: 'restore-or-uninstall',
      label,
    });
  if (!existsSync(where))
    return server && manifestOf(server) !== undefined
      ? gone({ code: 'manifest-and-values-gone', hooks: at.calling(install) }, 'error', {
          ...moved,
          isNeeded: true,
        })
      : gone({ code: 'manifest-gone' }, 'warning', moved);
  if (isVerbatim(install, at)) return undefined;
  const declared = await readSource(install, at);
  const altered = changedPrograms(install, at).size > 0;
  if (!declared)
    return gone({ code: 'manifest-unusable' }, 'warning', { code: 'put-back', isNeeded: altered });
  // Another check reports a changed program.
  const commandFiles = altered ? at.approval(install)?.commandFiles : declared.commandFiles;
  const own = { ...declared, ...(commandFiles && { commandFiles }) };
  const todo = {
    code: 'update-or-diff',
    command: updateCommand(install),
    where: labelWithScope(install),
  } as const;
  const why = whyRefused(declared, install, at);
  if (why) return { level: 'error', what: { code: 'so-no-tools', why }, where, todo };
  return isInstalled(own, install, at) && startsSame(declared.server, install, at)
    ? undefined
    : { level: 'warning', what: { code: 'manifest-declares-else' }, where, todo };
});

/** Whether variables of the user turn the server into a program other than the approved one. */
function isDecidedElse(install: Install, { machine: { cwd, env }, ...at }: DoctorContext): boolean {
  const { given, deciding } = at.serverOf(install) ?? {};
  if (!deciding || !given?.expansion) return false;
  const now = environmentIn(install.project ?? cwd, env);
  return valuesMark(deciding.names, now) !== deciding.mark;
}

/** Whether the catalogue of this version still has exactly the installed hooks. */
function fromCatalogue(
  install: Install,
  source: Extract<Source, { readonly kind: 'catalogue' }>,
  at: DoctorContext,
): CheckResult {
  const { label } = install;
  const { name } = source;
  const entry = entryNamed(name);
  const agreed = at.approval(install)?.hooks;
  const isSame =
    entry === undefined ||
    agreed === undefined ||
    isDeepStrictEqual(hooksFrom(entry, { label, source, problems: [] }).hooks, agreed);
  if (isSame) return { level: 'info', what: { code: 'from-catalogue', name } };
  const todo = { code: 'shows-and-asks', command: updateCommand(install) } as const;
  return { level: 'warning', what: { code: 'catalogue-changed', name }, todo };
}

/** Why the runner will refuse the manifest's current values. */
function whyRefused({ server }: ServerHooks, install: Install, at: DoctorContext) {
  const known = at.serverOf(install);
  if (!known || !server || 'entry' in known || 'url' in known !== 'url' in server) return undefined;
  const seen = 'url' in known ? known.headers : known.env;
  if (!seen) return undefined;
  const values = ('url' in server ? server.headers : server.env) ?? {};
  if (!('url' in server) && steeringMark(server) !== seen.steering)
    return { code: 'steering-changed' } as const;
  const kept = Object.fromEntries(
    Object.entries(values).filter(([name]) => seen.names.includes(name)),
  );
  return passingMark(kept) === seen.passing ? undefined : ({ code: 'passes-on-others' } as const);
}

/** The manifest if it is valid. It may be in a folder or a bundle. */
export async function readSource(install: Install, at: DoctorContext) {
  const { source, origin, label, project } = install;
  const { cwd, env } = at.machine;
  const from = origin ?? { kind: 'manifest', path: source };
  try {
    return (await findAgain(from, label, { cwd: project ?? cwd, env })).declared;
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** The files run by programs that differ from those that the user allowed, each with the hooks that run it. */
function changedPrograms(install: Install, at: DoctorContext): Map<string, number[]> {
  const found = new Map<string, number[]>();
  const hooks = at.programs(install).flatMap((program) => program.hooks);
  for (const { number, extended } of hooks)
    for (const [file, hash] of Object.entries(extended?.command?.files ?? {})) {
      const known = found.get(file) ?? (isUnchanged(file, hash) ? undefined : []);
      if (known && !known.includes(number))
        found.set(
          file,
          [...known, number].sort((a, b) => a - b),
        );
    }
  return found;
}

/** The grants at install, from the user or from the policy at that time, as far as the installed hooks show them. */
export function allowedThen(install: Install, at: DoctorContext): readonly Grant[] {
  const hooks = at.programs(install).flatMap((program) => program.hooks);
  const shown: Readonly<Partial<Record<Grant, boolean>>> = {
    'context-tool': at.calling(install).length > 0,
    block: hooks.some(({ extended }) => extended?.block !== undefined),
    command: hooks.some(({ extended }) => extended?.command !== undefined),
    'project-code': hooks.some(({ extended }) => extended?.command?.ofProject),
  };
  return GRANTS.filter((grant) => install.grants?.allowed.includes(grant) || shown[grant]);
}

/**
 * Whether the manifest has exactly the installed hooks and starts their server in the same way. Then its validity need not be
 * checked, which would take as long as all other checks together.
 */
function isVerbatim(install: Install, at: DoctorContext): boolean {
  const { source } = install;
  const { value, problems } =
    ifPossible(() => readManifestText(loadManifest(source, source))) ?? ({ problems: [] } as const);
  const hooks = isRecord(value) ? findForm(value)?.hooks : undefined;
  if (!isRecord(value) || !isRecord(hooks) || !Array.isArray(hooks.declarations)) return false;
  // Its scripts may have changed, and names of events are not kept as written.
  if (problems.length > 0 || 'version' in value) return false;
  // The hooks with a tool may have been left out.
  const tools = hooks.declarations.some((one) => isRecord(one) && 'context_tool' in one);
  if (tools && at.calling(install).length === 0) return false;
  const { value: server } = checkServer(value.server, []);
  if (!startsSame(server && anchorAt(dirname(source), server), install, at)) return false;
  const ids = new Set(hooks.declarations.map((one: unknown) => fingerprint(JSON.stringify(one))));
  return install.clients.every((id) => {
    const there = at.programs(install).filter(({ client }) => client === id);
    const installed = new Set(there.flatMap((program) => program.hooks.map((hook) => hook.id)));
    return installed.size === ids.size && [...installed].every((hook) => ids.has(hook));
  });
}

/** Whether the manifest's server is the one whose tools the runner calls. A runner without tool calls has no server. */
export const startsSame = (server: ServerLaunch | undefined, install: Install, at: DoctorContext) =>
  !at.serverOf(install) ||
  (server !== undefined && at.approval(install)?.server === serverDigest(server));

/** Whether a declaration, if installed now, would give the hooks that are installed. */
export function isInstalled(declared: ServerHooks, install: Install, at: DoctorContext): boolean {
  const approval = at.approval(install);
  if (approval && !isSame(changesBetween(approval, approvalOf(declared, at.describeLaunch))))
    return false;
  const places = at.placesOf(install);
  // Hooks without a grant were left out.
  const allowed = allowedThen(install, at);
  const defaults = {
    ...RULES,
    contextTool: allowed.includes('context-tool'),
    block: allowed.includes('block'),
    command: allowed.includes('command'),
    projectCode: allowed.includes('project-code'),
  };
  const marks = (native: string, hooks: readonly { id: string; act: string }[]) =>
    hooks.map(({ id, act }) => `${native} ${id} ${act}`);
  return install.clients.every((id) => {
    const client = findClient(id);
    if (!client) return true;
    const { events } = compile(declared, client, {
      runner: runnerFolder(places, install.label),
      state: places.state,
      actNow: install.actNow,
      extraTurns: install.extraTurns,
      defaults,
    }).program;
    const wanted = Object.entries(events).flatMap(([native, { hooks }]) => marks(native, hooks));
    const there = at
      .programs(install)
      .flatMap(({ client, native, hooks }) => (client === id ? marks(native, hooks) : []));
    return wanted.sort().join() === there.sort().join();
  });
}

const manifestOf = (server: object): unknown =>
  Reflect.get(Reflect.get(server, 'env') ?? Reflect.get(server, 'headers') ?? {}, 'file');

export const programs = ofInstalls('programs', 'programs-unchanged', (install, at) =>
  [...changedPrograms(install, at)].map(([file, hooks]): CheckResult => {
    const isThere = existsSync(file);
    return {
      level: 'error',
      what: { code: isThere ? 'program-changed' : 'program-gone', hooks },
      where: file,
      todo: isThere
        ? {
            code: 'allow-program',
            command: updateCommand(install),
            grants: allowedThen(install, at),
            where: labelWithScope(install),
          }
        : { code: 'restore-program' },
      blocks: { hooks },
    };
  }),
);
