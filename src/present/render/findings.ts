/** The output of `doctor`: the result, then the findings by label, the worst first. Passed checks are only counted. */

import { selectClients } from '../../clients/detect.ts';
import type { ClientMessage } from '../../clients/messages.ts';
import { tilde } from '../../clients/places.ts';
import { LEVELS, type Level } from '../../diagnose/doctor/check.ts';
import type { DoctorContext } from '../../diagnose/doctor/context.ts';
import type { CheckFinding } from '../../diagnose/doctor/status.ts';
import type { DiagnoseMessage } from '../../diagnose/messages.ts';
import { said } from '../../system/errors.ts';
import { canonical } from '../../system/fingerprint.ts';
import { listed } from '../../system/plurals.ts';
import { paint, type Style, type Terminal, wrap } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import { FIND_HOOKS } from '../../system/words.ts';
import {
  alikeInLabels,
  commonTo,
  doctorMessages,
  isOfAll,
  summaryOf,
} from '../messages/findings.ts';
import { bare, sentence } from '../messages/sentence.ts';
import { forAnyLabel, forLabels, grouped as groupedBy } from '../messages/several.ts';
import { folded, wrapMessage } from './lines.ts';

const STYLES: Readonly<Record<Level, Style>> = {
  ok: 'green',
  info: 'cyan',
  warning: 'yellow',
  error: 'red',
};

/** Findings of one check that are printed together. */
type Problem = readonly [CheckFinding, ...CheckFinding[]];

/** The output about a problem. */
interface Words {
  readonly what: string;
  /** Further texts, each with the files that it is about. */
  readonly rest: readonly string[];
  readonly files: string;
  readonly advice: readonly string[];
}

interface Shown {
  readonly problem: Problem;
  readonly words: Words;
}

interface Section {
  readonly name: string;
  readonly problems: readonly Shown[];
  readonly passed: readonly CheckFinding[];
}

interface Outcome {
  /** The clients in which a hook does not fire. Empty for all of them; undefined if all hooks fire. */
  readonly notFiringIn: readonly string[] | undefined;
  readonly verbose: boolean;
}

export function showFindings(
  terminal: Terminal,
  findings: readonly CheckFinding[],
  at: DoctorContext,
  { notFiringIn, verbose }: Outcome,
): string {
  const sections = sectionsOf(findings, at);
  const shown = sections
    .filter(({ problems, passed }) => problems.length > 0 || (verbose && passed.length > 0))
    .map(({ name, problems, passed }) =>
      [
        paint(terminal, 'bold', wrap(inLine(name, 1000), terminal.columns, '')),
        ...problems.map((one) => problemInWords(terminal, one)),
        ...(verbose ? passedInWords(terminal, passed, name) : []),
      ].join('\n'),
    );
  const result = wrap(resultInWords(sections, at, { notFiringIn, verbose }), terminal.columns, '');
  return `${[result, ...shown].join('\n\n')}\n`;
}

/** The worst first. Findings about clients and mcp-hooks come after labels that are equally bad. */
function sectionsOf(findings: readonly CheckFinding[], at: DoctorContext): Section[] {
  const { machine } = doctorMessages;
  const nameOf = (one: CheckFinding) => (isOfLabel(one, at) && !isOfAll(one) ? one.about : machine);
  const labels = findings.map(nameOf).filter((name) => name !== machine);
  const sections = [...new Set([...labels, machine])].map((name): Section => {
    const own = findings.filter((one) => nameOf(one) === name);
    const problems = grouped(own.filter(({ level }) => level !== 'ok')).map((problem) => ({
      problem,
      words: wordsOf(problem, at),
    }));
    return { name, problems, passed: own.filter(({ level }) => level === 'ok') };
  });
  return sharedFirst(sections, at)
    .map((section) => ({
      ...section,
      problems: section.problems.toSorted((a, b) => rankOf(b.problem) - rankOf(a.problem)),
    }))
    .sort((a, b) => worstOf(b) - worstOf(a));
}

/** Takes a problem that several labels have out of their sections, and adds a section for these labels together. */
function sharedFirst(sections: readonly Section[], at: DoctorContext): Section[] {
  const { machine } = doctorMessages;
  const all = sections
    .filter(({ name }) => name !== machine)
    .flatMap(({ name, problems }) => {
      const label = at.installs.find((one) => at.nameOf(one) === name)?.label ?? name;
      return problems.map((shown) => ({ name, label, shown, alike: alikeIn(shown, label) }));
    });
  const several = groupedBy(all, ({ alike }) => canonical(alike)).filter(
    (group) => new Set(group.map(({ name }) => name)).size > 1,
  );
  const shared = groupedBy(several, (group) => canonical(group.map(({ name }) => name))).map(
    (groups): Section => ({
      name: listed(groups[0].map(({ name }) => name)),
      problems: groups.map((group) => sharedBy(group)),
      passed: [],
    }),
  );
  const taken = new Set(several.flatMap((group) => group.map(({ shown }) => shown)));
  const rest = sections.map((section) => ({
    ...section,
    problems: section.problems.filter((one) => !taken.has(one)),
  }));
  return [...shared, ...rest];
}

/** What is the same in the problems of several labels that are printed together. */
function alikeIn({ problem, words }: Shown, label: string): readonly unknown[] {
  const { check } = problem[0];
  const { what, rest, files, advice } = words;
  const said = alikeInLabels(problem) ?? [what, rest, files];
  return [check, levelOf(problem), said, advice.map((one) => forAnyLabel(one, label))];
}

function sharedBy(group: readonly [OfLabel, ...OfLabel[]]): Shown {
  const [{ label, shown }, ...others] = group;
  const problem: Problem = [
    ...shown.problem,
    ...others.flatMap((one): readonly CheckFinding[] => one.shown.problem),
  ];
  const labels = [...new Set(group.map((one) => one.label))].join(' ');
  const advice = shown.words.advice.map((one) => forLabels(one, label, labels));
  const what =
    alikeInLabels(problem) === undefined
      ? shown.words.what
      : inLine(summaryOf(problem)?.what ?? shown.words.what, 1000);
  return { problem, words: { ...shown.words, what, advice } };
}

interface OfLabel {
  readonly label: string;
  readonly shown: Shown;
}

/** A problem is as bad as the worst of its findings. */
const rankOf = (problem: Problem): number =>
  Math.max(...problem.map(({ level }) => LEVELS.indexOf(level)));

const levelOf = (problem: Problem): Level => LEVELS[rankOf(problem)] ?? 'error';

const worstOf = ({ problems: [worst] }: Section): number =>
  worst === undefined ? 0 : rankOf(worst.problem);

const isOfClient = ({ about }: CheckFinding, { clients }: DoctorContext): boolean =>
  clients.some(({ name }) => name === about);

const isOfLabel = (one: CheckFinding, at: DoctorContext): boolean =>
  one.about !== 'mcp-hooks' && !isOfClient(one, at);

/** Groups findings that share a sentence, and other findings of one check and level that have the same fix. */
function grouped(findings: readonly CheckFinding[]): Problem[] {
  const all = new Map<string, Problem>();
  for (const one of findings) {
    const { check, level, todo = null } = one;
    const key = canonical([check, commonTo(one) ?? [level, todo]]);
    const known = all.get(key);
    all.set(key, known ? [...known, one] : [one]);
  }
  return [...all.values()];
}

/** The width of the column for levels. */
const INDENT = 11;

const line = (terminal: Terminal, level: Level, text: string): string => {
  const head = paint(terminal, STYLES[level], doctorMessages.levels[level].padEnd(INDENT - 2));
  return wrap(text, terminal.columns, ' '.repeat(INDENT), `  ${head}`);
};

/** A problem, with the name of its check, which scripts use. */
function found(terminal: Terminal, problem: Problem, text: string, rest = ''): string {
  const [{ check }] = problem;
  return line(terminal, levelOf(problem), `${text}  (${check})${rest}`).replace(
    `(${check})`,
    (name) => paint(terminal, 'dim', name),
  );
}

const below = (terminal: Terminal, text: string): string =>
  wrapMessage(inLine(text, 1000), terminal.columns, ' '.repeat(INDENT));

function problemInWords(terminal: Terminal, { problem, words }: Shown): string {
  const [{ what }] = problem;
  // A server's last output has its own lines.
  if (what.code === 'refused-with-details') {
    const details = [...words.rest, ...words.advice];
    return [
      found(terminal, problem, words.what),
      ...folded(details, terminal.columns, ' '.repeat(INDENT)),
    ].join('\n');
  }
  return [
    found(terminal, problem, words.what, words.rest.map((one) => `\n${one}`).join('')),
    ...(words.files === '' ? [] : [below(terminal, words.files)]),
    ...words.advice.map((one) => below(terminal, one)),
  ].join('\n');
}

function wordsOf(problem: Problem, at: DoctorContext): Words {
  const [{ what, todo }] = problem;
  const advice = todo === undefined ? [] : [sentence(todo)];
  if (what.code === 'refused-with-details') {
    const crash = what as Extract<DiagnoseMessage, { readonly code: 'refused-with-details' }>;
    const rest = crash.details.map(bare);
    return { what: inLine(bare(crash.problem), 1000), rest, files: '', advice };
  }
  const summary = summaryOf(problem);
  if (summary) {
    const files = summary.files ? filesOf(problem, summary.what, at).join(', ') : '';
    return { what: inLine(summary.what, 1000), rest: [], files, advice: summary.todo };
  }
  const texts = [...new Set(problem.map((one) => textOf(one, at)))].map((text) => ({
    text,
    files: filesOf(
      problem.filter((one) => textOf(one, at) === text),
      text,
      at,
    ),
  }));
  const [text = '', ...rest] = texts.flatMap(({ text, files }, index) =>
    // A file is named once, below all of its findings.
    files.join() === texts[index + 1]?.files.join() ? [text] : [text, ...files],
  );
  return { what: text, rest, files: '', advice };
}

/** A finding about a client names the client once, because no heading does. */
function textOf(one: CheckFinding, at: DoctorContext): string {
  const what = sentence(one.what);
  const isUnnamed = isOfClient(one, at) && !what.includes(one.about);
  return inLine(isUnnamed ? `${one.about}: ${what}` : what, 1000);
}

/** The files, without duplicates and without those that the sentence already names. */
const filesOf = (
  findings: readonly CheckFinding[],
  text: string,
  { machine }: DoctorContext,
): string[] =>
  [...new Set(findings.flatMap(({ where }) => where ?? []))]
    .map((where) => inLine(tilde(where, machine.home)))
    .filter((file) => !text.includes(file));

/** The checks that passed, in one paragraph for each client, for a label, and for mcp-hooks itself. */
const passedInWords = (
  terminal: Terminal,
  passed: readonly CheckFinding[],
  name: string,
): string[] =>
  [...new Set(passed.map(({ about }) => about))].map((about) => {
    const own = passed.filter((one) => one.about === about).map(({ what }) => sentence(what));
    const of = about === name ? '' : `${inLine(about)}: `;
    return line(terminal, 'ok', `${of}${own.map((one) => inLine(one, 1000)).join('; ')}`);
  });

function resultInWords(
  sections: readonly Section[],
  at: DoctorContext,
  { notFiringIn, verbose }: Outcome,
): string {
  const levels = sections.flatMap(({ problems }) =>
    problems.map(({ problem }) => levelOf(problem)),
  );
  const countOf = (level: Level) => levels.filter((one) => one === level).length;
  const [errors, warnings] = [countOf('error'), countOf('warning')];
  const passed = sections.flatMap((one) => one.passed).length;
  const verdict = doctorMessages.verdict(errors, warnings, notFiringIn);
  const counted = doctorMessages.passed(passed, verbose);
  const { clients, missing } = selectClients(undefined, at.user);
  const { installs } = at.ledger;
  if (installs.length === 0 && !at.broken && clients.length === 0) {
    const names = missing.map(({ client }) => client.name);
    const none = bare(said<ClientMessage>({ code: 'no-client-found', names }));
    return errors + warnings > 0 ? `${verdict} ${none} ${counted}` : none;
  }
  const none = at.installs.length === 0 ? [doctorMessages.nothing(installs.length, at.broken)] : [];
  const next = installs.length === 0 && !at.broken ? [FIND_HOOKS] : [];
  return [verdict, ...none, counted, ...next].join(' ');
}
