/**
 * `fire` and `verify` for a manifest or a server's command that is not installed: installs it in a scratch home for the
 * duration of the command.
 */

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { findPlaces, homeIn } from '../../clients/places.ts';
import { CLIENTS } from '../../clients/registry.ts';
import { beyondLimit } from '../../compile/compile.ts';
import { isLabel } from '../../declaration/declaration.ts';
import { neededBy } from '../../declaration/grants.ts';
import type { Untried } from '../../diagnose/live/delivery.ts';
import { apply } from '../../install/apply.ts';
import { denied } from '../../install/consent/grants.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { withCleanup } from '../../system/cleanup.ts';
import type { Env } from '../../system/env.ts';
import { type Message, said, UserError } from '../../system/errors.ts';
import { type Context, type Flags, OK } from './command.ts';
import { installedAs, type Prepared, prepare } from './prepare.ts';

/** The text of `--help` about scratch homes. */
export const TRIED =
  'Instead of the label, you can give the path of a manifest that is not installed, or after -- the command of a server: its hooks are installed in a scratch home and tried there. Hooks that need a grant are tried only with --allow.';

/** Seconds for a server to declare its hooks. */
const ASKED = 20;

/** Runs `look` on the install under a label, or only on a manifest or a server's command. */
export async function asInstalled(
  context: Context,
  named: string | undefined,
  flags: Flags,
  look: (context: Context, label: string, flags: Flags) => Promise<number>,
): Promise<number> {
  const { env, cwd, launch } = context;
  if (named !== undefined && !launch) {
    const isInstalled = () => installedAs(findPlaces(env, cwd, flags.scope), named) !== undefined;
    // Without a home directory, nothing is installed.
    if (!isPath(named) || (homeIn(env) !== undefined && isInstalled()))
      return look(context, named, flags);
  }
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'mcp-hooks-home-'));
  const remove = () => rmSync(home, { recursive: true, force: true });
  return withCleanup(remove, async () => {
    const outside = homeIn(env) === undefined ? undefined : findPlaces(env, cwd, 'user');
    const there = {
      ...{ ...context, env: inHome(env, home), isScratch: true },
      ...(outside && { outside }),
    };
    const prepared = await prepare(there, named, {
      ...flags,
      ...{ scope: 'user', extraTurns: true, browser: false, timeout: ASKED },
      client: flags.client ?? CLIENTS.map(({ id }) => id),
      name: flags.name ?? (named === undefined ? undefined : labelFor(named)),
    });
    if (!prepared) return OK; // the server declares nothing, which was printed
    const { plan, replan } = prepared;
    const refusals = plan.clients.flatMap(({ refusal }) => refusal?.problem ?? []);
    if (refusals.length > 0)
      throw new UserError<Message>(
        said<CliMessage>({ code: 'not-tried', what: named ?? plan.label }),
        refusals,
      );
    await apply(plan, replan);
    const untried = untriedOf(prepared);
    return look({ ...there, untried }, plan.label, { ...flags, scope: 'user' });
  });
}

/** The hooks that are not in any client, because a grant is missing or because there are too many. */
function untriedOf({ declared: { hooks }, plan: { grants } }: Prepared): Untried[] {
  const { leftOut } = denied(hooks, grants);
  const unallowed = grants?.needs.filter(({ by }) => by === undefined) ?? [];
  const tooMany = grants ? beyondLimit(hooks, grants.rules.hooksPerServer) : [];
  return hooks.flatMap((hook, index): Untried[] => {
    const { event } = hook;
    const number = index + 1;
    if (leftOut.includes(number)) {
      const needed = neededBy(hook).filter((one) => unallowed.some(({ grant }) => grant === one));
      return [{ number, event, why: 'grant', grants: needed }];
    }
    return tooMany.includes(hook) ? [{ number, event, why: 'policy' }] : [];
  });
}

/** Whether the name is a path: not an address or `npm:@scope/package`, which would have to be downloaded or queried. */
const isPath = (named: string): boolean =>
  /[\\/]|\.json$/.test(named) && !/^[a-z][a-z\d+.-]+:/i.test(named);

/**
 * A label for a file whose name is not a valid label. Undefined if the default is valid: the file's own name, or the name in
 * it.
 */
function labelFor(path: string): string | undefined {
  const own = parse(path).name;
  if (isLabel(own)) return undefined;
  const name = own.replace(/[^\w.-]+/g, '-').replace(/^[^a-z\d]+/i, '');
  return isLabel(name) ? name : 'manifest';
}

/** The environment with another home, and without variables that point clients or us to other folders. */
function inHome(env: Env, home: string): Env {
  const { MCP_HOOKS_HOME: _state, XDG_CONFIG_HOME: _config, ...rest } = env;
  const asked = new Set<string>();
  const watched = new Proxy(env, {
    get: (target, name) => {
      asked.add(String(name));
      return target[String(name)];
    },
  });
  for (const { userFolder } of CLIENTS) userFolder(watched, homeIn(env) ?? home, process.platform);
  const own = Object.entries(rest).filter(([name]) => !asked.has(name));
  return { ...Object.fromEntries(own), HOME: home, USERPROFILE: home };
}
