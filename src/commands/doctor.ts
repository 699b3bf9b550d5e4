/** `mcp-hooks doctor`: every check, and what to do where one is not content. It writes nothing itself. */

import { realpathSync } from 'node:fs';
import { CLIENTS } from '../clients/index.ts';
import { selectClients } from '../detect.ts';
import { type At, lookingAt } from '../doctor/at.ts';
import { type Check, type Finding, LEVELS, type Level } from '../doctor/check.ts';
import { CHECKS } from '../doctor/checks.ts';
import { UserError } from '../errors.ts';
import { readLedger } from '../ledger.ts';
import { messages } from '../messages.ts';
import { nearest } from '../nearest.ts';
import { count } from '../numbers.ts';
import { findPlaces, tilde } from '../places.ts';
import { paint, type Style, type Terminal, wrap } from '../terminal.ts';
import { inLine, toJson } from '../visible.ts';
import { type Context, DIFFERENT, disk, type Flags, OK, patiently } from './context.ts';

export interface DoctorFlags extends Pick<Flags, 'client' | 'json'> {
  readonly servers?: boolean;
  /** Seconds. */
  readonly timeout: number;
}

/** A finding, and the check that made it. */
interface Told extends Finding {
  readonly check: string;
}

export async function doctor(
  context: Context,
  label: string | undefined,
  flags: DoctorFlags,
): Promise<number> {
  const { terminal } = context;
  const at = setOut(context, label, flags);
  const look = () => findAll(CHECKS, at);
  const doing = at.servers ? 'Starting the servers ...' : 'Looking; Codex takes its time ...';
  const found = await patiently(terminal, doing, look);
  const worst = worstOf(found);
  if (flags.json) terminal.out(toJson({ worst, findings: found.map(inJson) }));
  else terminal.out(show(terminal, found, at));
  return worst === 'error' ? DIFFERENT : OK;
}

/** What is to be looked at. */
function setOut(context: Context, label: string | undefined, flags: DoctorFlags): At {
  const { env, cwd } = context;
  const user = findPlaces(env, cwd, 'user');
  const folder = realpathSync.native(cwd);
  const here = folder === user.home ? undefined : findPlaces(env, cwd, 'project');
  const { ledger, broken } = readLedger(user.state, disk.read);
  const chosen = flags.client && selectClients(flags.client, user).clients;
  const known = ledger.installs.map((one) => one.label);
  // A record that cannot be read says nothing about labels; that it cannot is a finding.
  if (label !== undefined && !broken && !known.includes(label))
    throw new UserError(messages.unknownLabel(label, nearest(label, known), [...new Set(known)]));

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
  return lookingAt({
    context,
    user,
    here,
    ledger,
    broken,
    installs,
    label,
    clients: chosen ?? all,
    servers: flags.servers ?? false,
    deadline: flags.timeout * 1000,
    // Where an image of a machine is in a folder: settings of the whole machine are looked for in it.
    machine: { env, home: user.home, cwd: folder, root: env.MCP_HOOKS_SYSTEM_ROOT ?? '' },
  });
}

async function findAll(checks: readonly Check[], at: At): Promise<Told[]> {
  const all = checks.map(async ({ name, look }) =>
    (await look(at)).map((finding) => ({ check: name, ...finding })),
  );
  return (await Promise.all(all)).flat();
}

const worstOf = (findings: readonly Finding[]): Level =>
  LEVELS.findLast((level) => findings.some((one) => one.level === level)) ?? 'ok';

/** Keys are only ever added. */
const inJson = ({ check, level, about, what, where, todo }: Told): object => ({
  check,
  level,
  about,
  what,
  where,
  todo,
});

const STYLES: Readonly<Record<Level, Style>> = {
  ok: 'green',
  info: 'cyan',
  warning: 'yellow',
  error: 'red',
};

/** Client by client and label by label; what is well, in one line for each. */
function show(terminal: Terminal, findings: readonly Told[], at: At): string {
  const subjects = [...new Set(findings.map(({ about }) => about))];
  const parts = subjects.map((subject) => {
    const own = findings.filter(({ about }) => about === subject);
    const fine = own.filter(({ level }) => level === 'ok').map(({ what }) => what);
    const others = own.filter(({ level }) => level !== 'ok');
    const line = (level: Level, text: string) =>
      wrap(
        text,
        terminal.columns,
        ' '.repeat(INDENT),
        `  ${paint(terminal, STYLES[level], level.padEnd(INDENT - 2))}`,
      );
    return [
      paint(terminal, 'bold', inLine(subject)),
      ...(fine.length > 0 ? [line('ok', fine.join('; '))] : []),
      ...together(others).map(([{ level, where, todo, check }, whats]) =>
        line(
          level,
          [
            ...whats.map((what) => `${inLine(what, 1000)}  (${check})`),
            ...(where === undefined ? [] : [inLine(tilde(where, at.machine.home))]),
            ...(todo === undefined ? [] : [`To do: ${inLine(todo, 1000)}`]),
          ].join('\n'),
        ),
      ),
    ].join('\n');
  });
  const { installs } = at.ledger;
  const none = at.broken
    ? 'What is installed cannot be told.'
    : installs.length === 0
      ? 'Nothing is installed.'
      : 'Nothing of what was asked about is installed.';
  const nothing = at.installs.length === 0 ? [none] : [];
  return `${[...parts, ...nothing, ending(findings)].join('\n\n')}\n`;
}

/** What is to be said of several things alike is said once. */
function together(findings: readonly Told[]): [Told, string[]][] {
  const all: [Told, string[]][] = [];
  for (const one of findings) {
    const alike = all.find(
      ([{ check, level, where, todo }]) =>
        check === one.check && level === one.level && where === one.where && todo === one.todo,
    );
    if (alike) alike[1].push(one.what);
    else all.push([one, [one.what]]);
  }
  return all;
}

/** Columns of the words for a level. */
const INDENT = 11;

function ending(findings: readonly Finding[]): string {
  const [errors, warnings] = (['error', 'warning'] as const).map(
    (level) => findings.filter((one) => one.level === level).length,
  );
  if (errors)
    return `${count(errors, 'error')}, ${count(warnings ?? 0, 'warning')}: a hook cannot fire.`;
  if (warnings) return `No error, ${count(warnings, 'warning')}.`;
  return 'All is well.';
}
