/** The files of a runner: the second stage from `templates/`, and the program and first stage for each event of a client. */

import { words } from '../clients/words.ts';
import { attempt } from '../system/errors.ts';
import { within } from '../system/path.ts';
import { firstStageName, type ShippedPlace } from './command.ts';
import { type FirstStagePlaces, firstStage } from './first-stage.ts';
import { type EventProgram, eventPrograms, type Program } from './program.ts';
import { type Foresee, secondStage } from './second-stage.ts';

export interface RunnerFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly mode: number;
}

/** The second stage: the file that every client's first stage starts, and those that it loads when needed. */
const COMMON = words(`
  runner.cjs call.cjs clock.cjs configured.cjs counts.cjs one-answer.cjs files.cjs history.cjs hook-results.cjs http.cjs
  installs.cjs json.cjs lifetime.cjs lock.cjs paths.cjs policy.cjs process-tree.cjs repository.cjs stdio.cjs steering.cjs texts.cjs
  tidy.cjs tokens.cjs toml.cjs values.cjs vocabulary.cjs words.cjs`);

/** Evaluates hooks of the extended vocabulary. Only needed if there are any. */
const CHAIN = words(`
  answer.cjs budget.cjs chain.cjs claims.cjs command.cjs conditions.cjs envelope.cjs failure.cjs
  repetitions.cjs session-facts.cjs unreadable.cjs`);

/** Runs background commands. */
const BACKGROUND = words('background.cjs');

/** Masks secrets. Needed if a hook passes something on, if its text is kept, or if it calls a tool, whose error is kept. */
const MASKING = words('redact.cjs secrets.cjs');

/** The file with the declaration that the user agreed to. A shipped runner also reads the server's values from it. */
export const APPROVAL_FILE = 'declaration.json';

/** The client that a runner's file is for; undefined: it is for all, or not ours. */
export const clientOf = (name: string): string | undefined =>
  /^([a-z-]+)\.\w+\.(?:json|sh)$/.exec(name)?.[1];

/** The runner's files that do not depend on the client. */
export const SHARED: readonly string[] = [
  ...COMMON,
  ...CHAIN,
  ...BACKGROUND,
  ...MASKING,
  APPROVAL_FILE,
];

export const runnerNames = (programs: readonly Program[]): string[] => [
  ...sharedNames(programs),
  APPROVAL_FILE,
  ...programs.flatMap(({ client, events }) =>
    Object.keys(events).flatMap((native) => [
      programName(client, native),
      firstStageName(client, native),
    ]),
  ),
];

function sharedNames(programs: readonly Program[]): string[] {
  const events = programs.flatMap((program) => Object.values(program.events));
  const hasChain = events.some(({ chain }) => chain);
  const hands =
    hasChain ||
    programs
      .flatMap(eventPrograms)
      .some(({ hooks }) => hooks.some((hook) => hook.hands || hook.call));
  const isAsync = events.some(({ hooks }) => hooks.some((hook) => hook.extended?.command?.isAsync));
  return [
    ...COMMON,
    ...(hasChain ? CHAIN : []),
    ...(isAsync ? BACKGROUND : []),
    ...(hands ? MASKING : []),
  ];
}

export const programName = (client: string, native: string): string => `${client}.${native}.json`;

/** The parts of a runner's files that depend on the machine. */
export interface RunnerHost {
  /** Absolute path of the node that runs the second stage. */
  readonly node: string;
  readonly platform: NodeJS.Platform;
  readonly template: (name: string) => string;
}

/** `here`: absolute path of the runner's folder; `approval`: the declaration that it is compiled from. */
export const runnerFiles = (
  { node, platform, template }: RunnerHost,
  here: string,
  programs: readonly Program[],
  approval: Buffer,
): RunnerFile[] =>
  filesOf(template, { node, here, linux: platform === 'linux' }, programs, approval, 0o600);

/**
 * The files of a shipped runner, which do not depend on the machine that builds them. They are readable by all users, because
 * the user who runs the client is not the one who put them there.
 */
export const shippedFiles = (
  template: RunnerHost['template'],
  place: ShippedPlace,
  programs: readonly Program[],
  approval: Buffer,
): RunnerFile[] => [
  ...filesOf(
    (name) => (name === SECOND_STAGE ? shippedSecondStage(template(name)) : template(name)),
    { shipped: place },
    programs,
    approval,
    0o644,
  ),
  { name: SHIPPED, bytes: Buffer.from(template(SHIPPED)), mode: 0o644 },
];

const SECOND_STAGE = 'runner.cjs';

/** The additional file of a shipped runner. */
const SHIPPED = 'shipped.cjs';

/** The line after which the second stage has its program. */
const READ = '  program.shell = shell;\n';

/** The second stage with an added line that calls `templates/shipped.cts` first. Other runners do not have that line. */
function shippedSecondStage(text: string): string {
  const [before, after, ...more] = text.split(READ);
  if (after === undefined || more.length > 0) throw new Error(`${SECOND_STAGE} has changed`);
  return `${before}${READ}  if (!require('./${SHIPPED}').settle(program)) return end(program);\n${after}`;
}

function filesOf(
  template: RunnerHost['template'],
  places: FirstStagePlaces,
  programs: readonly Program[],
  approval: Buffer,
  mode: number,
): RunnerFile[] {
  const shell = template('run.sh');
  const file = (name: string, text: string) => ({ name, bytes: Buffer.from(text), mode });
  return [
    ...sharedNames(programs).map((name) => file(name, template(name))),
    { name: APPROVAL_FILE, bytes: approval, mode },
    ...programs
      .flatMap(eventPrograms)
      .map(worded)
      .flatMap((program) => [
        file(programName(program.client, program.native), `${JSON.stringify(program, null, 1)}\n`),
        file(
          firstStageName(program.client, program.native),
          firstStage(shell, program, places, foresee),
        ),
      ]),
  ];
}

/** The programs of a runner, read from disk. @param names The names of its files. */
export const readPrograms = (
  folder: string,
  names: readonly string[],
  read: (path: string) => Buffer | null,
): EventProgram[] =>
  names
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => parseProgram(read(within(folder, name))) ?? []);

/**
 * Parses a program as the second stage does; undefined: it is not a program. Whether it was changed is known from the ledger.
 */
export function parseProgram(bytes: Buffer | null): EventProgram | undefined {
  const value: unknown = attempt(() => JSON.parse(bytes?.toString() ?? ''));
  return isProgram(value) ? value : undefined;
}

function isProgram(value: unknown): value is EventProgram {
  if (typeof value !== 'object' || value === null) return false;
  const program: Partial<Record<keyof EventProgram, unknown>> = value;
  const { label, client, native, state, wire, names, policy, hooks } = program;
  return (
    [label, client, native, state].every((text) => typeof text === 'string') &&
    [wire, names, policy].every((part) => typeof part === 'object' && part !== null) &&
    Array.isArray(hooks) &&
    hooks.every((hook) => typeof hook?.number === 'number' && typeof hook.id === 'string')
  );
}

/** The program with prepared answers that need no wording when a hook fires. */
const worded = (program: EventProgram): EventProgram => ({
  ...program,
  hooks: program.hooks.map((hook) => {
    const alone = program.chain ? undefined : secondStage().alone(hook, program);
    return alone ? { ...hook, alone } : hook;
  }),
});

/** Calls the second stage itself, so that the answer is decided in one place only. */
const foresee: Foresee = (program) => {
  // No need to load it to say no.
  if (!program.hooks.every(({ act, text }) => act === 'tell' && text !== undefined))
    return undefined;
  return secondStage().foresee(program);
};
