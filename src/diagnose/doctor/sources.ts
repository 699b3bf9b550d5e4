/** Where a declaration came from: whether it is there, and still declares what is installed. */

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { runnerFolder } from '../../clients/places.ts';
import { findClient } from '../../clients/registry.ts';
import { compile } from '../../compile/compile.ts';
import { steeringMark } from '../../compile/steering.ts';
import type { ServerHooks, ServerLaunch } from '../../declaration/declared.ts';
import { anchorAt, fileAt } from '../../declaration/launch.ts';
import { findForm, loadManifest, readManifestText } from '../../declaration/manifest.ts';
import { RULES } from '../../declaration/policy.ts';
import { checkServer, isRecord } from '../../declaration/schema.ts';
import { approvalOf } from '../../install/consent/approval.ts';
import { changesBetween, isSame } from '../../install/consent/changes.ts';
import { serverDigest } from '../../install/consent/grants.ts';
import type { Install } from '../../install/ledger.ts';
import { findAgain } from '../../sources/find.ts';
import { isManifest } from '../../sources/same-source.ts';
import { type Message, said, UserError } from '../../system/errors.ts';
import { fingerprint } from '../../system/fingerprint.ts';
import type { DiagnoseMessage } from '../messages.ts';
import { type CheckResult, ofTools } from './check.ts';
import type { DoctorContext } from './context.ts';
import { again } from './origin.ts';

export const source = ofTools('source', 'declaration-unchanged', async (install, at) => {
  if (!isManifest(install))
    return [{ level: 'ok', what: said<DiagnoseMessage>({ code: 'declared-by-server' }) }];
  const where = install.source;
  const gone = (what: Message, level: CheckResult['level'] = 'warning'): CheckResult[] => [
    { level, what, where, todo: said<DiagnoseMessage>({ code: 'put-back' }) },
  ];
  const usesValues = at
    .programs(install)
    .some(({ server }) => server && manifestOf(server) !== undefined);
  if (!existsSync(where))
    return usesValues
      ? gone(said<DiagnoseMessage>({ code: 'manifest-and-values-gone' }), 'error')
      : gone(said<DiagnoseMessage>({ code: 'manifest-gone' }));
  if (isVerbatim(install, at)) return [];
  const declared = await readSource(install, at);
  if (!declared) return gone(said<DiagnoseMessage>({ code: 'manifest-unusable' }));
  const todo = said<DiagnoseMessage>({ code: 'update-or-diff', command: again(install) });
  if (isRefused(declared, install, at)) {
    const why = said<DiagnoseMessage>({ code: 'steering-changed' });
    const what = said<DiagnoseMessage>({ code: 'so-no-tools', why });
    return [{ level: 'error', what, where, todo }];
  }
  return isInstalled(declared, install, at) && startsSame(declared.server, install, at)
    ? []
    : [
        {
          level: 'warning',
          what: said<DiagnoseMessage>({ code: 'manifest-declares-else' }),
          where,
          todo,
        },
      ];
});

/** Whether the runner will have nothing to do with the variables that the manifest has now. */
function isRefused({ server }: ServerHooks, install: Install, at: DoctorContext): boolean {
  const known = at.programs(install).find((one) => one.server)?.server;
  const env = known && 'command' in known ? known.env : undefined;
  if (!env || !server || 'url' in server) return false;
  return steeringMark(server) !== env.steering;
}

/** A manifest that is right; it may be in a folder or a bundle. */
export async function readSource(
  install: Install,
  at: DoctorContext,
): Promise<ServerHooks | undefined> {
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

/** Whether any tool of its server is called: the hooks with one may have been left out. */
export const callsTools = (install: Install, at: DoctorContext): boolean =>
  at.programs(install).some(({ hooks }) => hooks.some(({ call }) => call !== undefined));

/**
 * Whether the manifest has the very hooks that are installed, and starts their server the same way. That it is right as
 * well need not be checked then, which would cost as much as all other checks together.
 */
function isVerbatim(install: Install, at: DoctorContext): boolean {
  const { source } = install;
  try {
    const { value, problems } = readManifestText(loadManifest(source, source));
    const hooks = isRecord(value) ? findForm(value)?.hooks : undefined;
    if (!isRecord(value) || !isRecord(hooks) || !Array.isArray(hooks.declarations)) return false;
    const tools = hooks.declarations.some((one) => isRecord(one) && 'context_tool' in one);
    if (tools && !callsTools(install, at)) return false;
    const ids = hooks.declarations.map((entry: unknown) => fingerprint(JSON.stringify(entry)));
    return (
      problems.length === 0 &&
      startsSame(serverIn(value, dirname(source)), install, at) &&
      install.clients.every((id) => {
        const there = at.programs(install).filter(({ client }) => client === id);
        return same(
          there.flatMap((one) => one.hooks.map((hook) => hook.id)),
          ids,
        );
      })
    );
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}

/** The server that a manifest names, as it would be started. */
function serverIn({ server }: Record<string, unknown>, folder: string): ServerLaunch | undefined {
  const { value } = checkServer(server, []);
  return value && anchorAt(folder, value);
}

/** Each of some words in the other, however often. */
const same = (some: readonly string[], other: readonly string[]): boolean => {
  const [a, b] = [new Set(some), new Set(other)];
  return a.size === b.size && [...a].every((word) => b.has(word));
};

/** Whether the runner calls the tools of the server that a manifest names; one that calls none has no server. */
export function startsSame(
  server: ServerLaunch | undefined,
  install: Install,
  at: DoctorContext,
): boolean {
  const known = at.programs(install).find((one) => one.server)?.server;
  if (!known) return true;
  if (!server) return false;
  const mark = at.approval(install)?.server;
  if (mark !== undefined) return mark === serverDigest(server);
  // Versions before 0.2 have left no mark, and no value that one could be made of.
  if ('command' in server && steeringMark(server) !== undefined) return false;
  const words = (one: unknown): string[] => {
    if (!isRecord(one)) return [];
    const args: unknown[] = Array.isArray(one.args) ? one.args : [];
    return [one.url ?? one.command, ...args].map((word) =>
      fileAt(dirname(install.source), String(word)),
    );
  };
  return words(server).join('\n') === words(known).join('\n');
}

/** Whether a declaration, installed now, would give the hooks that are there. */
export function isInstalled(declared: ServerHooks, install: Install, at: DoctorContext): boolean {
  const approval = at.approval(install);
  if (approval && !isSame(changesBetween(approval, approvalOf(declared, at.describeLaunch))))
    return false;
  const places = at.placesOf(install);
  const defaults = { ...RULES, contextTool: callsTools(install, at) };
  const marks = (one: { native: string; hooks: readonly { id: string; act: string }[] }) =>
    one.hooks.map(({ id, act }) => `${one.native} ${id} ${act}`);
  return install.clients.every((id) => {
    const client = findClient(id);
    if (!client) return true;
    const wantedBy = (version: string | undefined) => {
      const { events } = compile(declared, client, {
        runner: runnerFolder(places, install.label),
        state: places.state,
        actNow: install.actNow,
        extraTurns: install.extraTurns,
        defaults,
        version,
      }).program;
      const wanted = Object.entries(events).flatMap(([native, { hooks }]) =>
        marks({ native, hooks }),
      );
      return wanted.toSorted().join();
    };
    const there = at
      .programs(install)
      .filter((one) => one.client === id)
      .flatMap(marks);
    // As for any version: the client may have been updated since.
    const versions = [client.hooksSince, ...client.gaps.map(({ until }) => until)];
    return versions.some((version) => wantedBy(version) === there.toSorted().join());
  });
}

const manifestOf = (server: object): unknown =>
  Reflect.get(Reflect.get(server, 'env') ?? Reflect.get(server, 'headers') ?? {}, 'file');
