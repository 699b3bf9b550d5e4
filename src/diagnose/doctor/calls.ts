/** Tools that hooks call: whether the last call of each succeeded, and whether the user has signed in. Starts no server. */

import { statSync } from 'node:fs';
import { findClient } from '../../clients/registry.ts';
import type { EventProgram, ProgramServer } from '../../compile/program.ts';
import { serverSource } from '../../declaration/declared.ts';
import type { Install } from '../../install/ledger.ts';
import { signInsOf } from '../../install/tokens-in-use.ts';
import { fill, partsOf, readAt } from '../../sources/entry.ts';
import { launcherOf } from '../../sources/launchers/launcher.ts';
import { serverAt, tokensFile } from '../../sources/oauth/address.ts';
import { tokenStore } from '../../sources/oauth/tokens.ts';
import { maskAddress } from '../../sources/redacted.ts';
import { commandInWords } from '../../sources/shown-launch.ts';
import { attempt, type Message } from '../../system/errors.ts';
import type { DiagnoseMessage } from '../messages.ts';
import { type CheckResult, ofInstalls, ofTools } from './check.ts';
import type { DoctorContext } from './context.ts';
import { rulesHere } from './policy.ts';
import { lastOf } from './state-folder.ts';

/** A tool with nothing to say has succeeded, and a missing sign-in has its own check. */
const FINE: readonly string[] = ['no-text', 'not-signed-in'];

export const calls = ofInstalls('calls', 'no-tool-failed', (install, at) => {
  const { label } = install;
  const calling = at.programs(install).flatMap((program) => {
    const hooks = program.hooks.filter(({ call }) => call).map(({ number }) => number);
    return hooks.length > 0 ? [{ ...program, hooks }] : [];
  });
  // A call that the policy forbids is not repeated.
  if (calling.length === 0 || rulesHere(install, at)?.contextTool === false) return undefined;
  const { where, entries } = lastOf(label, at);
  return calling.flatMap(({ client, native, hooks: all, server }): CheckResult | [] => {
    const whyOf = (number: number) => {
      // A hook that was not due then is missing from the list of speakers, but nothing failed.
      const last = entries.findLast(
        (one) =>
          one.client === client &&
          one.event === native &&
          (one.hooks.includes(number) || one.why !== undefined),
      );
      return last?.hooks.includes(number) ? undefined : last?.why;
    };
    const hooks = all.filter((number) => whyOf(number)?.some(({ code }) => !FINE.includes(code)));
    const why = hooks[0] === undefined ? undefined : whyOf(hooks[0]);
    if (why === undefined) return [];
    const name = findClient(client)?.name ?? client;
    return {
      level: 'error',
      what: { code: 'last-call-failed', hooks, client: name, native, why },
      where,
      todo: todoFor(server, why, label),
      blocks: { client, natives: [native], hooks },
    };
  });
});

/** A launcher that must first download its server takes longer than a hook waits. */
function todoFor(
  server: ProgramServer | undefined,
  why: readonly Message[],
  label: string,
): DiagnoseMessage {
  const isLate = why.some(({ code }) => code === 'no-answer-in-time');
  if (isLate && server && 'command' in server) {
    const { command, args } = server;
    const launcher = launcherOf(command, args)?.name;
    const words = commandInWords([command, ...args]);
    if (launcher !== undefined) return { code: 'download-first', launcher, label, command: words };
  }
  return { code: 'verify-again', label };
}

/** For servers that require a sign-in: whether the user has signed in, and whether that is still valid. */
export const signIn = ofTools('sign-in', 'no-sign-in-missing', (install, at): CheckResult[] => {
  const { state } = at.user;
  const programs = at.programs(install);
  const asked = [...addressesOf(install, programs, at)];
  const calls = programs.some(({ server }) => server && 'tokens' in server);
  return signInsOf(install, programs, state).flatMap((file): CheckResult | [] => {
    const address = asked.find((one) => tokensFile(state, one) === file);
    if (address === undefined) return []; // it is no longer called, or its configuration has changed
    const server = maskAddress(address);
    const isThere = statSync(file, { throwIfNoEntry: false }) !== undefined;
    const missing = (code: 'sign-in-wanted' | 'sign-in-unread' | 'signed-out'): CheckResult => ({
      level: calls ? 'error' : 'warning',
      what: { code, server },
      where: isThere ? file : undefined,
      todo: { code: 'log-in', server },
    });
    if (!isThere) {
      const { entries } = lastOf(install.label, at);
      const last = entries.findLast(({ why }) => why !== undefined)?.why ?? [];
      return last.some(({ code }) => code === 'not-signed-in') ? missing('sign-in-wanted') : [];
    }
    const { read, isUsable, isRenewable } = tokenStore();
    const kept = read(file, address);
    if (!kept) return missing('sign-in-unread');
    return isUsable(kept) || isRenewable(kept) ? [] : missing('signed-out');
  });
});

/** Origin and path of the servers that an install calls, as far as we can tell. */
function addressesOf(
  install: Install,
  programs: readonly EventProgram[],
  { machine }: DoctorContext,
): Set<string> {
  const origin = install.origin && serverSource(install.origin);
  const around = { env: machine.env, cwd: install.project ?? machine.cwd };
  const addresses = [
    ...(origin?.kind === 'url' ? [origin.url] : []),
    ...programs.flatMap(({ server }) => {
      if (server && 'url' in server) return server.url;
      if (!server || !('entry' in server)) return [];
      const { entry, given } = server;
      // What is in the client's configuration now. If it cannot be read, another check says so.
      const parts = attempt(() => partsOf(readAt(entry), entry.fields));
      const filled = parts && attempt(() => fill(parts, entry.names, { ...around, given }));
      return filled && 'url' in filled ? filled.url : [];
    }),
  ];
  return new Set(addresses.flatMap((address) => serverAt(address) ?? []));
}
