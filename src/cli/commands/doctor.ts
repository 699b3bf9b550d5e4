/** `mcp-hooks doctor`: every check, and what to do about each problem. It writes nothing itself. */

import { selectClients } from '../../clients/detect.ts';
import type { ClientMessage } from '../../clients/messages.ts';
import { tilde } from '../../clients/places.ts';
import { LEVELS, type Level } from '../../diagnose/doctor/check.ts';
import type { DoctorContext } from '../../diagnose/doctor/context.ts';
import {
  allFire,
  CHECKS,
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
import { said } from '../../system/errors.ts';
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
import { doctorContext } from './doctor-context.ts';
import { withProgressAfter } from './progress.ts';

export const doctor: Command = {
  name: 'doctor',
  group: 'Debug',
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
  } else
    terminal.out(showFindings(terminal, found, at, { fires, verbose: flags.verbose === true }));
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

/** Findings in one place for which one thing has to be done. */
interface Problem extends CheckFinding {
  readonly whats: readonly string[];
}

function groupedByFix(findings: readonly CheckFinding[]): Problem[] {
  const all = new Map<string, Problem>();
  for (const one of findings) {
    const { check, level, where = '', todo = null } = one;
    const key = canonical([check, level, where, todo]);
    const known = all.get(key) ?? { ...one, whats: [] };
    all.set(key, { ...known, whats: [...known.whats, sentence(one.what)] });
  }
  return [...all.values()];
}

/** By client and label: first those that are fine, one line each, then the problems of the others. */
function showFindings(
  terminal: Terminal,
  findings: readonly CheckFinding[],
  at: DoctorContext,
  { fires, verbose }: { readonly fires: boolean; readonly verbose: boolean },
): string {
  const subjects = [...new Set(findings.map(({ about }) => about))].map((about) => {
    const own = findings.filter((one) => one.about === about);
    const problems = LEVELS.toReversed()
      .filter((level) => level !== 'ok')
      .flatMap((level) => groupedByFix(own.filter((one) => one.level === level)));
    const passed = own.filter(({ level }) => level === 'ok').map(({ what }) => sentence(what));
    return { name: inLine(about), problems, passed };
  });
  const isWell = ({ problems }: (typeof subjects)[number]) => !verbose && problems.length === 0;
  const well = subjects.filter(isWell);
  const width = Math.max(...well.map(({ name }) => name.length)) + 2;
  const lines = well.map(({ name, passed }) => {
    const head = paint(terminal, 'bold', name.padEnd(width));
    return `${head}${paint(terminal, 'green', 'ok')}  ${count(passed.length, 'check')}`;
  });
  const others = subjects
    .filter((one) => !isWell(one))
    .map(({ name, problems, passed }) => {
      const fine = verbose ? passed.join('; ') : count(passed.length, 'check');
      return [
        paint(terminal, 'bold', name),
        ...problems.map((one) => problemInWords(terminal, one, at.machine.home)),
        ...(passed.length > 0 ? [line(terminal, 'ok', fine)] : []),
      ].join('\n');
    });
  const all = [...(lines.length > 0 ? [lines.join('\n')] : []), ...others];
  const problems = subjects.flatMap((one) => one.problems);
  const { installs } = at.ledger;
  const { clients, missing } = selectClients(undefined, at.user);
  if (installs.length === 0 && !at.broken && clients.length === 0) {
    const names = missing.map(({ client }) => client.name);
    const noClient = bare(said<ClientMessage>({ code: 'no-client-found', names }));
    const isFine = problems.every(({ level }) => level === 'info');
    const end = isFine ? [] : [ending(problems, fires)];
    return `${[...all, wrap(noClient, terminal.columns, '  ', ''), ...end].join('\n\n')}\n`;
  }
  const nothing = at.broken
    ? messages.installedUnknown
    : installs.length === 0
      ? messages.nothingInstalled
      : 'Nothing of what was asked about is installed.';
  const none = at.installs.length === 0 ? [nothing] : [];
  return `${[...all, ...none, ending(problems, fires)].join('\n\n')}\n`;
}

/** The width of the column for levels. */
const INDENT = 11;

const line = (terminal: Terminal, level: Level, text: string): string => {
  const head = paint(terminal, STYLES[level], level.padEnd(INDENT - 2));
  return wrap(text, terminal.columns, ' '.repeat(INDENT), `  ${head}`);
};

function problemInWords(terminal: Terminal, problem: Problem, home: string): string {
  const { level, where, todo, check, what, whats } = problem;
  const advice = todo === undefined ? [] : [`To do: ${inLine(sentence(todo), 1000)}`];
  // What a server said last has lines of its own.
  if (what.code === 'refused-saying') {
    const crash = what as Extract<DiagnoseMessage, { readonly code: 'refused-saying' }>;
    const details = [...crash.details.map(bare), ...advice];
    return [
      line(terminal, level, `${inLine(bare(crash.problem), 1000)}  (${check})`),
      ...folded(details, terminal.columns, ' '.repeat(INDENT)),
    ].join('\n');
  }
  const shown = whats.map((one) => inLine(one, 1000)).join('\n');
  // The file, unless the findings already name it.
  const file = where === undefined ? '' : inLine(tilde(where, home));
  const place = file === '' || whats.some((one) => one.includes(file)) ? [] : [file];
  return line(terminal, level, [`${shown}  (${check})`, ...place, ...advice].join('\n'));
}

function ending(problems: readonly Problem[], fires: boolean): string {
  const countOf = (level: Level) => problems.filter((one) => one.level === level).length;
  const [errors, warnings] = [countOf('error'), countOf('warning')];
  if (errors > 0)
    return `${count(errors, 'error')}, ${count(warnings, 'warning')}${fires ? '.' : ': a hook does not fire.'}`;
  return warnings > 0 ? `No error, ${count(warnings, 'warning')}.` : 'All is well.';
}
