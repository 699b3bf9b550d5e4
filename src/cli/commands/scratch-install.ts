/** `fire` and `verify` of a manifest that is not installed: it is, in a scratch home, for as long as the command takes. */

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { findPlaces, homeIn } from '../../clients/places.ts';
import { CLIENTS } from '../../clients/registry.ts';
import { LABEL } from '../../declaration/declaration.ts';
import { apply } from '../../install/apply.ts';
import { withCleanup } from '../../system/cleanup.ts';
import type { Env } from '../../system/env.ts';
import { type Message, said, UserError } from '../../system/errors.ts';
import type { CliMessage } from '../messages/cli.ts';
import { type Context, type Flags, OK } from './context.ts';
import { installedAs, prepare } from './prepare.ts';

/** Runs `look` on what is installed under a label; for the path of a manifest, on that alone. */
export async function asInstalled(
  context: Context,
  named: string,
  flags: Flags,
  look: (context: Context, label: string, flags: Flags) => Promise<number>,
): Promise<number> {
  const { env, cwd } = context;
  const isInstalled = () => installedAs(findPlaces(env, cwd, flags.scope), named) !== undefined;
  // Without a home nothing is installed.
  if (!isPath(named) || (homeIn(env) !== undefined && isInstalled()))
    return look(context, named, flags);
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'mcp-hooks-home-'));
  const remove = () => rmSync(home, { recursive: true, force: true });
  return withCleanup(remove, async () => {
    const there = { ...context, env: inHome(env, home), isScratch: true };
    const ids = flags.client ?? CLIENTS.map(({ id }) => id);
    const here = {
      ...flags,
      client: ids,
      scope: 'user',
      extraTurns: true,
      browser: false,
    } as const;
    const name = labelFor(named);
    const prepared = await prepare(there, named, { ...here, ...(name !== undefined && { name }) });
    if (!prepared) return OK; // it declares nothing, and that has been said
    const { plan, again } = prepared;
    const refusals = plan.clients.flatMap(({ refusal }) => refusal?.problem ?? []);
    if (refusals.length > 0)
      throw new UserError<Message>(
        said<CliMessage>({ code: 'not-tried', manifest: named }),
        refusals,
      );
    await apply(plan, again);
    return look(there, plan.label, { ...flags, scope: 'user' });
  });
}

/** Not an address, nor `npm:@scope/package`: nothing is downloaded or asked for a trial. */
const isPath = (named: string): boolean =>
  /[\\/]|\.json$/.test(named) && !/^[a-z][a-z\d+.-]+:/i.test(named);

/** A file may be called what no label can be; undefined: its own name, or the one in it, does. */
function labelFor(path: string): string | undefined {
  const own = parse(path).name;
  if (LABEL.test(own)) return undefined;
  const name = own.replace(/[^\w.-]+/g, '-').replace(/^[^a-z\d]+/i, '');
  return LABEL.test(name) ? name : 'manifest';
}

/** The environment with another home, and without what leads clients or us elsewhere. */
function inHome(env: Env, home: string): Env {
  const { MCP_HOOKS_HOME: _state, XDG_CONFIG_HOME: _config, ...rest } = env;
  const asked = new Set<string>();
  const watched = new Proxy(env, {
    get: (target, name) => {
      asked.add(String(name));
      return target[String(name)];
    },
  });
  for (const { userFolder } of CLIENTS) userFolder(watched, homeIn(env) ?? home);
  const own = Object.entries(rest).filter(([name]) => !asked.has(name));
  return { ...Object.fromEntries(own), HOME: home, USERPROFILE: home };
}
