/** `mcp-hooks doctor`: every check, and what to do about each problem. It writes nothing itself. */

import { selectClients } from '../../clients/detect.ts';
import type { ClientMessage } from '../../clients/messages.ts';
import { tilde } from '../../clients/places.ts';
import { type Finding, LEVELS, type Level } from '../../diagnose/doctor/check.ts';
import { CHECKS } from '../../diagnose/doctor/checks.ts';
import type { DoctorContext } from '../../diagnose/doctor/context.ts';
import {
  allFire,
  type CheckFinding,
  type ClientStatus,
  findAll,
  statusFrom,
} from '../../diagnose/doctor/status.ts';
import type { DiagnoseMessage } from '../../diagnose/messages.ts';
import { siteJson } from '../../install/site.ts';
import { messages } from '../../present/messages/output.ts';
import { bare, sentence } from '../../present/messages/sentence.ts';
import { trustMessages } from '../../present/messages/trust.ts';
import { folded } from '../../present/render/lines.ts';
import { statusJson, whyJson } from '../../present/render/status.ts';
import { type Message, said } from '../../system/errors.ts';
import { canonical } from '../../system/fingerprint.ts';
import { count } from '../../system/plurals.ts';
import { paint, type Style, type Terminal, wrap } from '../../system/terminal.ts';
import { inLine, toJson } from '../../system/visible.ts';
import {
  ASKED,
  type Command,
  type Context,
  clientOption,
  DIFFERENT,
  type Flags,
  OK,
  option,
  timeoutOption,
} from './command.ts';
import { doctorContext, withProgressAfter } from './common.ts';

export const doctor: Command = {
  name: 'doctor',
  group: 'Check:',
  summary: 'check whether hooks can fire, and say what to do if not',
  operands: '[label]',
  options: [
    clientOption(),
    option('--servers', 'also start the servers and ask for their hooks'),
    timeoutOption(trustMessages.doctorTimeoutHelp(ASKED), 20),
  ],
  examples: ['doctor', 'doctor annal --servers'],
  run,
};

async function run(context: Context, label: string | undefined, flags: Flags): Promise<number> {
  const { terminal } = context;
  const { client, servers = false, timeout } = flags;
  const asked = { label, client, servers, asksClients: true, deadline: timeout * 1000 };
  const at = doctorContext(context, asked);
  const doing = at.servers ? 'Starting the servers ...' : trustMessages.looking(ASKED);
  const found = await withProgressAfter(context, doing, () => findAll(CHECKS, at));
  const worst = LEVELS.findLast((level) => found.some((one) => one.level === level)) ?? 'ok';
  const statuses = statusFrom(found, at);
  const fires = allFire(statuses);
  if (flags.json) {
    const [findings, status] = [found.map(findingJson), statuses.map(installJson)];
    // What is not known is not proven.
    terminal.out(toJson({ worst, fires: fires && !at.broken, findings, status }));
  } else terminal.out(show(terminal, found, at, { fires, verbose: flags.verbose === true }));
  return worst === 'error' ? DIFFERENT : OK;
}

export const installJson = (status: ClientStatus) => ({
  label: status.install.label,
  ...siteJson(status.install),
  ...statusJson(status),
});

export function findingJson(found: CheckFinding) {
  const { check, ...rest } = whyJson(found);
  return { check, level: found.level, about: found.about, ...rest };
}

const STYLES: Readonly<Record<Level, Style>> = {
  ok: 'green',
  info: 'cyan',
  warning: 'yellow',
  error: 'red',
};

/** By client and label: first those that are fine, one line each, then the problems of the others. */
function show(
  terminal: Terminal,
  findings: readonly CheckFinding[],
  at: DoctorContext,
  { fires, verbose }: { readonly fires: boolean; readonly verbose: boolean },
) {
  const subjects = [...new Set(findings.map(({ about }) => about))];
  const isWell = (subject: string) =>
    !verbose && findings.every(({ about, level }) => about !== subject || level === 'ok');
  const well = subjects.filter(isWell);
  const width = Math.max(...well.map((subject) => inLine(subject).length)) + 2;
  const lines = well.map((subject) => {
    const checks = findings.filter(({ about }) => about === subject).length;
    const name = paint(terminal, 'bold', inLine(subject).padEnd(width));
    return `${name}${paint(terminal, 'green', 'ok')}  ${count(checks, 'check')}`;
  });
  const parts = subjects
    .filter((subject) => !isWell(subject))
    .map((subject) => {
      const own = findings.filter(({ about }) => about === subject);
      const fine = own.filter(({ level }) => level === 'ok').map(({ what }) => sentence(what));
      // The worst first.
      const others = LEVELS.toReversed().flatMap((one) =>
        own.filter(({ level }) => level === one && level !== 'ok'),
      );
      const passed = verbose ? fine.join('; ') : count(fine.length, 'check');
      const line = (level: Level, text: string) => {
        const head = paint(terminal, STYLES[level], level.padEnd(INDENT - 2));
        return wrap(text, terminal.columns, ' '.repeat(INDENT), `  ${head}`);
      };
      return [
        paint(terminal, 'bold', inLine(subject)),
        ...together(others).map(([{ level, where, todo, check, what: found }, whats]) => {
          const crash = saidLast(found);
          if (crash) {
            const indent = ' '.repeat(INDENT);
            const advice = todo === undefined ? [] : [`To do: ${sentence(todo)}`];
            return [
              line(level, `${inLine(bare(crash.problem), 1000)}  (${check})`),
              ...folded([...crash.details.map(bare), ...advice], terminal.columns, indent),
            ].join('\n');
          }
          return line(
            level,
            [
              ...whats.map(
                (what, index) =>
                  inLine(what, 1000) + (index === whats.length - 1 ? `  (${check})` : ''),
              ),
              ...placeOf(where, whats, at.machine.home),
              ...(todo === undefined ? [] : [`To do: ${inLine(sentence(todo), 1000)}`]),
            ].join('\n'),
          );
        }),
        ...(fine.length > 0 ? [line('ok', passed)] : []),
      ].join('\n');
    });
  const { installs } = at.ledger;
  const none = at.broken
    ? messages.installedUnknown
    : installs.length === 0
      ? messages.nothingInstalled
      : 'Nothing of what was asked about is installed.';
  const nothing = at.installs.length === 0 ? [none] : [];
  const { clients, missing } = selectClients(undefined, at.user);
  const all = lines.length > 0 ? [lines.join('\n'), ...parts] : parts;
  // Findings that share a line count once.
  const counted = subjects.flatMap((subject) =>
    together(findings.filter(({ about }) => about === subject)).map(([first]) => first),
  );
  if (installs.length === 0 && !at.broken && clients.length === 0) {
    const names = missing.map(({ client }) => client.name);
    const noClient = bare(said<ClientMessage>({ code: 'no-client-found', names }));
    const isFine = counted.every(({ level }) => level === 'ok' || level === 'info');
    const end = isFine ? [] : [ending(counted, fires)];
    return `${[...all, wrap(noClient, terminal.columns, '  ', ''), ...end].join('\n\n')}\n`;
  }
  return `${[...all, ...nothing, ending(counted, fires)].join('\n\n')}\n`;
}

/** What a server said last has lines of its own. */
const saidLast = (what: Message) =>
  what.code === 'refused-saying' && 'problem' in what && 'details' in what
    ? (what as Extract<DiagnoseMessage, { readonly code: 'refused-saying' }>)
    : undefined;

/** A line with the file, unless the findings already name it. */
function placeOf(where: string | undefined, whats: readonly string[], home: string): string[] {
  if (where === undefined) return [];
  const shown = inLine(tilde(where, home));
  return whats.some((what) => what.includes(shown)) ? [] : [shown];
}

function together(findings: readonly CheckFinding[]): [CheckFinding, string[]][] {
  const all = new Map<string, [CheckFinding, string[]]>();
  for (const one of findings) {
    const { check, level, where = '', todo = null } = one;
    const key = canonical([check, level, where, todo]);
    const [first, whats] = all.get(key) ?? [one, []];
    all.set(key, [first, [...whats, sentence(one.what)]]);
  }
  return [...all.values()];
}

/** The width of the column for levels. */
const INDENT = 11;

function ending(findings: readonly Finding[], fires: boolean): string {
  const countOf = (level: Level) => findings.filter((one) => one.level === level).length;
  const [errors, warnings] = [countOf('error'), countOf('warning')];
  if (errors > 0)
    return `${count(errors, 'error')}, ${count(warnings, 'warning')}${fires ? '.' : ': a hook does not fire.'}`;
  return warnings > 0 ? `No error, ${count(warnings, 'warning')}.` : 'All is well.';
}
