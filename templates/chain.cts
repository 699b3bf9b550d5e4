/**
 * mcp-hooks: events with hooks of the extended vocabulary (src/declaration/declaration.ts). Hooks are evaluated one after
 * the other: each may say something, change what the next ones see, or block, which ends the chain. Whatever fails lets
 * everything pass, unless the user wants it blocked then (failure.cjs). This file is read only where there is such a hook; runner.cjs hands over the event and its own functions.
 */

import fs = require('node:fs');

import { answerWith, isPlaced, saysToo, spoken } from './answer.cjs';
import { callOf, claimFor, isOthers, takeOver } from './claims.cjs';
import { clockOf } from './clock.cjs';
import { holds, noteCall } from './conditions.cjs';
import { envelopeOf, isBroken, isEnvelope, normalise } from './envelope.cjs';
import { hookResults } from './hook-results.cjs';
import { jsonOf } from './json.cjs';
import { endWithShell } from './lifetime.cjs';
import { fault, hashOf, reasonOf, textOf, waitFor } from './values.cjs';

import words = require('./words.cjs');

import type {
  Answer,
  Answers,
  ExtendedHook,
  Firing,
  JsonObject,
  Limited,
  ProgramHook,
  Progress,
  Result,
  Rules,
  Run,
  Running,
  Stage,
  Told,
  Why,
} from './types.cjs';

/**
 * Answers an event. It is over in time, whatever the tools and commands do.
 *
 * @param stage The functions of runner.cjs.
 */
export async function fire(at: Running, firing: Firing, rules: Rules, stage: Stage): Promise<void> {
  const noting: Stage = { ...stage };
  try {
    let result: Result | undefined;
    const evaluated = evaluate(at, firing, rules, noting).then((found) => {
      result = found;
    });
    await waitFor(at.started + at.most - Date.now(), evaluated);
    if (!result) throw fault('no-answer-in-time');
    tell(at, firing, stage, result, await keptOf(at, firing, rules, stage, result));
    note(at, stage, { ...result, warnings: await loggable(result, firing, rules) });
  } catch (error) {
    try {
      failed(at, firing, rules, noting, error);
    } catch (worse) {
      stage.fail(at, error);
      if (!at.isTold) throw worse; // our shell may still block
    }
  }
}

/**
 * Answers an event that could not be evaluated, or not to its end: what was decided by then counts.
 *
 * @param firing Undefined: it could not even be read.
 */
export function failed(
  at: Running,
  firing: Firing | undefined,
  rules: Rules,
  stage: Stage,
  error: unknown,
): void {
  if (at.isTold) {
    stage.fail(at, error);
    return;
  }
  const result = insteadOf(at, firing, rules, stage, error);
  if (result.failures.length === 0 && !hasDecided(result)) {
    stage.fail(at, error);
    return;
  }
  const kept = result.decision && spoken(at.label, result.shownReason ?? '');
  tell(at, firing ?? { payload: {} }, stage, result, kept);
  note(at, stage, { ...result, warnings: [] });
}

const hasDecided = (result: Result): boolean =>
  ['decision', 'modifiedInput', 'modifiedOutput'].some((key) => key in result);

/** The outcome of an event that could not be evaluated. The parameters are those of `failed`. */
export const insteadOf = (
  at: Running,
  firing: Firing | undefined,
  rules: Rules,
  stage: Stage,
  error: unknown,
): Result => {
  const chain = { isAllowed, isSpent, orderOf, whyNot };
  return resultOf(require('./failure.cjs').instead(at, firing, rules, stage, error, chain));
};

/** The part of an event that an answer repeats. */
type Payload = Pick<Firing, 'payload'> & { readonly session?: string; readonly output?: unknown };

/** Milliseconds that are left at the end: what is late is ended, and what the other hooks have answered counts. */
export const TO_TELL = 500;

/** Prints what was decided and said. All else comes later: the client may give up, and what follows may fail. */
function tell(
  at: Running,
  firing: Payload,
  stage: Stage,
  result: Result,
  kept: string | undefined,
): void {
  const answer = answerOf(at, firing, stage, result, kept);
  at.isTold = true;
  if (answer !== '') stage.print(at, answer);
}

/** Logs what was decided and said. */
function note(at: Running, stage: Stage, result: Result): void {
  const { text, told, done, reasons, decisions, warnings, failures } = result;
  const isEach = result.asked.size > 0 || result.failed.size > 0 || done.length > 1;
  if (isEach || done.length + reasons.length > 0)
    stage.log(at, {
      hooks: done.map(({ number }) => number),
      characters: told.length > 0 ? text.length : 0,
      ...(isEach && { each: hookResults(result, at) }),
      ...(reasons.length > 0 && { why: reasons }),
      ...(decisions.length > 0 && { decisions }),
      ...(failures.length > 0 && { onFailure: failures }),
      ...(warnings.length > 0 && { warnings }),
      ...(process.env.MCP_HOOKS_DEBUG === '1' && { text }),
    });
  if (at.started % 64 === 0 || process.env.MCP_HOOKS_TIDY) stage.tidy(at);
}

/** The warnings of answers. They are masked before they are cut, because no rule finds half a secret. */
async function loggable(
  { warnings }: Result,
  { until: last }: Firing,
  rules: Rules,
): Promise<string[]> {
  const some = warnings.slice(0, WARNINGS).map(words.plain);
  const all = await masked(some, { rules, reasons: [], last });
  return all.map((one) => words.cut(one, WARNING));
}

/** How many warnings of a firing are logged, and how many characters of each. */
const WARNINGS = 10;
const WARNING = 300;

/** The answer to the client. It names the server that blocks, and the one that speaks. */
export function answerOf(
  at: Running,
  firing: Payload,
  stage: Stage,
  result: Result,
  kept?: string,
): string {
  const { text, act, decision } = result;
  const repeated = (one: string) => stage.repeated(one, firing, at, kept);
  if (!decision) return answerWith(at, act, text && repeated(text), result, firing);
  const reason = repeated(spoken(at.label, decision.reason));
  return answerWith(at, act, text, { ...result, decision: { ...decision, reason } }, firing);
}

/** The part of the answer that other runners have to repeat, without secrets. */
async function keptOf(
  at: Running,
  firing: Firing,
  rules: Rules,
  stage: Stage,
  { decision, shownReason, said, left }: Result,
): Promise<string | undefined> {
  if (stage.momentOf(firing, at) === undefined) return undefined;
  if (decision) return spoken(at.label, shownReason ?? '');
  const all = said.map(({ whole }) => whole);
  const seen = await masked(all, { rules, reasons: [], last: firing.until });
  const texts = said.map((one, index) => ({
    ...one,
    text: words.cut(seen[index] ?? '', one.limit),
  }));
  return words.compose(texts, left, firing, at, rules).text;
}

/**
 * The outcome of an event. This prints nothing, and writes nothing but what is remembered of the session.
 *
 * @param stage The functions of runner.cjs; `handlers`: for a hook, the function in this process that answers for it. This
 *   sets `begun`, which is what is known so far, for `insteadOf`.
 * @returns `text`: as the model reads it, from the hooks in `told`, said by `act`; `decision`: of the hook that has blocked;
 *   `modifiedInput`, `modifiedOutput`: as the last hook that changed them left them; `warnings`: for people; `decisions`:
 *   those that were obeyed, with hashes and no contents; `reasons`: why something was not said or obeyed, as codes; `done`:
 *   the hooks that had an effect; `failures`: what became of the event because of hooks that may decide and failed. The rest is for `hookResults` and `keptOf`.
 */
export async function evaluate(
  at: Running,
  firing: Firing,
  rules: Rules,
  stage: Stage,
): Promise<Result> {
  const clock = clockOf(firing);
  const own = { ...firing, told: toldIn(firing.payload, at.wire), budgets: new Map() };
  const run: Run = {
    at,
    rules,
    stage,
    firing: own,
    shown: own,
    secrets: [],
    given: firing.output,
    last: at.started + at.most - TO_TELL,
    heard: 0,
    left: [],
    said: [],
    kept: new Map(),
    answered: [],
    asked: new Map(),
    waited: 0,
    failed: new Set(),
    faults: new Map(),
    failures: [],
    done: [],
    reasons: [],
    warnings: [],
    decisions: [],
    claimed: new Map(),
    repeated: new Set(),
    over: new Set(),
  };
  stage.begun = run;
  try {
    noteCall(run);
    // Marks without conditions come first, as in runner.cjs: a prompt begins a turn for the hooks that it is for.
    const marks = at.hooks.filter(({ act, extended }) => act === 'mark' && !extended);
    for (const hook of marks)
      if (isFor(hook, run, false)) stage.remember(stage.memory(hook, firing, at, 'mark'));
    for (const hooks of stepsOf(at.hooks.filter((hook) => !marks.includes(hook)))) {
      const ready = hooks.filter((hook) => isDue(hook, run));
      if (ready.some((hook) => handsOn(hook, run) && !readsAll(hook, run)))
        await clock.wait(mask(run));
      for (const hook of ready) if (isBlind(hook, run)) lose(hook, { why: run.hidden }, run);
      const due = ready.filter((hook) => !run.faults.has(hook));
      const answers = due.length === 0 ? new Map() : await answersOf(due, run);
      for (const [hook, answer] of answers) {
        const before = run.reasons.length;
        try {
          await obey(hook, answer, run);
        } catch (error) {
          lose(hook, error, run);
        }
        if (run.reasons.length > before) run.failed.add(hook);
      }
      for (const hook of hooks) {
        const why = run.faults.get(hook);
        if (why) require('./failure.cjs').settle(hook, why, run, whyNot);
        run.over.add(hook);
      }
      if (run.decision) break;
    }
  } catch (error) {
    for (const hook of run.claimed.keys()) if (!run.done.includes(hook)) forget(hook, run);
    throw error;
  }
  return outcome(run);
}

/** Notes that a hook could not be evaluated. The reason is noted once, even if it is that of several hooks. */
function lose(hook: ProgramHook, error: unknown, run: Run): void {
  const why = reasonOf(error);
  if (!run.reasons.includes(why)) run.reasons.push(why);
  run.failed.add(hook);
  run.faults.set(hook, why);
}

/** Whether a tool that decides would see nothing of what it decides about, because the rules for secrets have failed. */
const isBlind = (hook: ProgramHook, { hidden }: Run): boolean =>
  hidden !== undefined && hook.call !== undefined && mayOf(hook).length > 0;

function outcome(run: Run): Result {
  const { at, rules, left, done, decision, changed } = run;
  const decided = { ...(decision && { decision }), ...changed };
  const [first] = run.said;
  const isSaid =
    first !== undefined && saysToo(at, first.hook.act, decided) && words.hasBlanks(at, run.firing);
  const said = isSaid ? run.said : [];
  // A text that nobody has read is still to be told.
  const { text, told, lengths } = words.compose(said, left, run.firing, at, rules);
  const over = [...done, ...told];
  for (const hook of run.claimed.keys())
    if (!over.includes(hook) && !run.answered.includes(hook)) forget(hook, run);
  for (const [hook, file] of run.kept) if (told.includes(hook)) run.stage.take(file);
  return resultOf(run, { text, told, lengths, said });
}

/** What `evaluate` returns. @param what What is said: nothing, if that could not be found out. */
function resultOf(
  run: Progress,
  { text, told, lengths, said }: Told & { readonly said: readonly Limited[] } = NOTHING_SAID,
): Result {
  const { decision, changed, warnings, decisions, failures, reasons, asked, waited, failed } = run;
  return {
    text,
    told,
    lengths,
    act: told[0]?.act ?? 'tell',
    done: [...new Set([...run.done, ...told])],
    ...(decision && { decision }),
    ...changed,
    warnings,
    decisions,
    failures,
    reasons,
    asked,
    waited,
    failed,
    shownReason: run.shownReason,
    said,
    left: run.left,
  };
}

const NOTHING_SAID = { text: '', told: [], lengths: [], said: [] };

/** Whether anybody gets to see the tool's input or output. */
const handsOn = (hook: ProgramHook, { stage }: Run): unknown =>
  hook.hands || hook.call || hook.extended?.command || stage.handlers?.has(hook);

/**
 * Whether a hook reads the event with its secrets: a program of the user's that may decide has to see what will run. A tool
 * is another's, so it never does.
 */
const readsAll = (hook: ProgramHook, run: Run): boolean =>
  !hook.call &&
  (hook.extended?.command !== undefined || run.stage.handlers?.has(hook) === true) &&
  decides(hook, run);

/** Whether a hook can make a decision here. What is kept for later comes too late for one. */
const decides = (hook: ProgramHook, { rules }: Run): boolean =>
  !hook.marked &&
  (hook.extended?.can ?? []).length > 0 &&
  mayOf(hook).some((one) => rules[one] === true);

/** The payload's facts about the session, under the names that commands know. */
const toldIn = (payload: JsonObject, { told = [] }: Running['wire']): JsonObject =>
  Object.fromEntries(
    told.filter((key) => payload[key] !== undefined).map((key) => [key, payload[key]]),
  );

/** Masks secrets in what others see of the event. */
async function mask(run: Run): Promise<void> {
  const keys = ['input', 'output', 'prompt', 'told'] as const;
  const { values, secrets, hidden } = await searched(
    keys.map((key) => run.firing[key]),
    run,
  );
  run.shown = { ...run.firing, ...Object.fromEntries(keys.map((key, at) => [key, values[at]])) };
  run.secrets = secrets ?? [];
  if (hidden) run.hidden = hidden;
  else delete run.hidden;
}

const masked = async <Values extends readonly unknown[]>(
  values: Values,
  run: Searching,
): Promise<Values> => (await searched(values, run)).values;

type Searching = Pick<Run, 'rules' | 'reasons' | 'last'>;

interface Searched<Values> {
  readonly values: Values;
  readonly secrets?: readonly string[];
  /** Why the search has failed, if it has; then no value is there. */
  readonly hidden?: Why;
}

/** The values without secrets, and the secrets. */
async function searched<Values extends readonly unknown[]>(
  values: Values,
  { rules, reasons, last: until }: Searching,
): Promise<Searched<Values>> {
  if (rules.redact === false) return { values, secrets: [] };
  const hide = (code: string, all: Values) => {
    const hidden = { code };
    reasons.push(hidden);
    return { values: all, hidden };
  };
  try {
    const redact = require('./redact.cjs');
    if (!redact.mayHoldSecrets(values)) return { values, secrets: [] };
    const { values: seen, secrets = [], reason } = await redact.masked(values, { until });
    if (reason === undefined) return { values: seen, secrets };
    return hide(reason, seen);
  } catch {
    // A file of ours is gone. What a hook has decided still counts.
    const none = values.map((one) => (one === undefined ? one : MASK));
    return hide('unmasked', none as unknown as Values);
  }
}
const MASK = '***';

/**
 * The words of a program that has read the event's secrets, without them: where the program quotes one, nothing next to it
 * may say that it is one. A changed input stays as it is, because it goes nowhere but into the call.
 */
async function discreet(answer: Answer, run: Run): Promise<Answer> {
  const keys = ['texts', 'warnings', 'block', 'output'] as const;
  const given = keys.filter((key) => Object.hasOwn(answer, key));
  // Most programs say nothing, and then nothing has to be searched.
  if (!given.some((key) => Object(answer[key]).length !== 0)) return answer;
  await mask(run);
  const hide = (value: unknown) => (Array.isArray(value) ? value.map(() => MASK) : MASK);
  const forms = run.secrets.flatMap((one) => [one, JSON.stringify(one).slice(1, -1)]);
  const without = (text: string) => forms.reduce((rest, one) => rest.replaceAll(one, MASK), text);
  const changed = (one: unknown) => one && require('./redact.cjs').mapTexts(one, without);
  // An output that is only repeated is no change.
  const isRepeated = (key: string) =>
    key === 'output' && jsonOf(answer.output) === jsonOf(run.firing.output);
  const known = given.map((key) => (isRepeated(key) ? undefined : answer[key]));
  const found = run.hidden ? undefined : await searched(known.map(changed), run);
  const said = !found || found.hidden ? known.map((one) => one && hide(one)) : found.values;
  const { output: _, ...rest } = answer;
  return {
    ...rest,
    ...Object.fromEntries(
      given.flatMap((key, at) => (said[at] === undefined ? [] : [[key, said[at]]])),
    ),
  };
}

/** The answer of a hook that has read masks. What only repeats a value as it was shown is no change. */
function restored(answer: Answer, { firing, shown }: Run): Answer {
  const rest: { -readonly [Key in keyof Answer]: Answer[Key] } = { ...answer };
  for (const what of ['input', 'output'] as const) {
    if (!(what in answer) || firing[what] === shown[what]) continue;
    const after = jsonOf(answer[what]);
    const seen = jsonOf(shown[what]);
    const before = jsonOf(firing[what]);
    if (after === seen) delete rest[what];
    // Nobody knows what a mask in a changed input stands for, and where that may go.
    else if (what === 'input' && seen !== before && after.includes(MASK))
      throw fault('answer-masked');
  }
  return rest;
}

const orderOf = ({ extended }: ProgramHook): number => extended?.order ?? 50;
const mayOf = ({ extended }: ProgramHook) => extended?.may ?? [];

/** The hooks in order. Consecutive hooks go together if none of them can change what the next ones see. */
function stepsOf(hooks: readonly ProgramHook[]): ProgramHook[][] {
  const ordered = hooks.toSorted((a, b) => orderOf(a) - orderOf(b) || a.number - b.number);
  const steps: ProgramHook[][] = [];
  let open: ProgramHook[] | undefined;
  for (const hook of ordered) {
    const isLast = mayOf(hook).length > 0;
    if (isLast || !open) steps.push([hook]);
    else open.push(hook);
    open = isLast ? undefined : steps.at(-1);
  }
  return steps;
}

// Whether a hook has to do something now.

function isDue(hook: ProgramHook, run: Run): boolean {
  const { at, rules, stage, firing } = run;
  const { act, call, extended } = hook;
  if (!isAllowed(hook, rules) || !isFor(hook, run) || isSpent(hook, run)) return false;
  const fileOf = (fact: string) => stage.memory(hook, firing, at, fact);
  const facts = lastingFacts(hook, run).map(fileOf);
  if (act === 'mark') {
    if (!takesTurn(hook, run)) return false;
    for (const file of [...facts, fileOf('mark')]) stage.remember(file);
    return false;
  }
  const rank = rules.trusted ? hook.ranks.trusted : hook.ranks.other;
  if (run.heard >= rules.hooksPerEvent || rank >= rules.hooksPerServer) {
    run.left.push(hook);
    return false;
  }
  const cooldown = isKept(hook, run) ? 0 : Math.max(rules.cooldown, extended?.cooldown ?? 0);
  if (decides(hook, run)) return isDueToDecide(hook, facts, cooldown, run);
  if (!stage.isDue(hook, firing, at, { ...rules, cooldown })) return false;
  const undo: (() => void)[] = [];
  run.claimed.set(hook, undo);
  run.heard += 1;
  // What another runner has claimed is not ours to take back.
  const isFirst = (file: string) => {
    if (!stage.claim(file)) return false;
    undo.push(() => stage.take(file));
    return true;
  };
  try {
    if (!facts.every(isFirst) || !takesTurn(hook, run)) return false;
    if (isPerTurn(hook)) undo.push(() => stage.remember(turnOf(hook, firing, at, stage).begun));
    return true;
  } catch (error) {
    const isDue = act === 'tell' && !call && !extended?.command; // as in runner.cjs
    if (!isDue && mayOf(hook).length > 0) lose(hook, error, run);
    return isDue;
  }
}

/**
 * Whether a hook that may decide is asked now: of calls that nothing tells apart, about each or about none. Only the first one
 * gets the texts.
 */
function isDueToDecide(
  hook: ProgramHook,
  facts: readonly string[],
  cooldown: number,
  run: Run,
): boolean {
  const { at, stage, firing } = run;
  const fileOf = (fact: string) => stage.memory(hook, firing, at, fact);
  const undo: (() => void)[] = [];
  run.claimed.set(hook, undo);
  run.heard += 1;
  const claim = (file: string, window?: number) => {
    const { isOurs, isNew } = claimFor(file, firing, stage, window);
    if (isNew) undo.push(() => stage.take(file));
    return isOurs;
  };
  try {
    if (!facts.every((file) => claim(file))) return false;
    if (cooldown > 0 && !claim(fileOf('told'), cooldown * 1000)) return false;
    if (isPerTurn(hook) && !claimsTurn(hook, run, claim)) return false;
    const call = callOf(firing);
    if (call !== '' && !stage.claim(fileOf(`${at.native}-${call}`))) run.repeated.add(hook);
    return true;
  } catch {
    // What nobody can remember keeps no call from being checked, but it does keep a turn from being started again.
    return hook.act === 'tell';
  }
}

/** As `takesTurn`, for all calls that nothing tells apart. */
function claimsTurn(
  hook: ProgramHook,
  { firing, at, stage, claimed }: Run,
  claim: (file: string) => boolean,
): boolean {
  const { begun, spoken } = turnOf(hook, firing, at, stage);
  const turn = fs.statSync(begun, { throwIfNoEntry: false });
  if (!turn) return claim(spoken);
  const fact = `turn-${Math.trunc(turn.mtimeMs)}`;
  if (!claim(stage.memory(hook, firing, at, fact))) return false;
  takeOver(spoken, firing, stage);
  if (stage.take(begun)) claimed.get(hook)?.push(() => stage.remember(begun));
  return true;
}

/** Whether an event is for a hook. An earlier event was marked or kept, and the conditions were about that one. */
function isFor(hook: ProgramHook, run: Run, hasConditions = !hook.marked): boolean {
  try {
    return run.stage.fits(hook, run.firing, run.at) && (!hasConditions || holds(hook, run));
  } catch (error) {
    if (!isSpent(hook, run)) lose(hook, error, run);
    return false;
  }
}

/** Whether a hook has nothing to do any more, whatever its conditions, or not yet. */
function isSpent(hook: ProgramHook, run: Progress): boolean {
  const { at, firing, stage } = run;
  try {
    if (hook.act !== 'mark' && !stage.waits(hook, firing, at)) return true;
    const facts = lastingFacts(hook, run).map((fact) => stage.memory(hook, firing, at, fact));
    return facts.some((file) => isOthers(file, firing)) || !hasTurn(hook, firing, at, stage);
  } catch {
    return false; // what cannot be remembered keeps no call from being checked
  }
}

/** Whether the current rules let the hook do its work. */
const isAllowed = ({ call, extended }: ProgramHook, rules: Rules): boolean =>
  (!call || rules.contextTool) &&
  (!extended?.command || rules.command === true) &&
  (!extended?.command?.ofProject || rules.projectCode === true) &&
  (extended?.block === undefined || rules.block === true);

/** Facts that come true once: the hook has spoken in the session, or about its budget since the history was compacted. */
function lastingFacts(hook: ProgramHook, { firing }: Progress): string[] {
  const { extended, marked } = hook;
  const budget = firing.budgets.get(hook);
  // A block that has only warned still has to block.
  const isWarning = extended?.block !== undefined && budget?.level === 'warn';
  return [
    ...(extended?.every === 'session' && !marked && !isWarning ? ['session-once'] : []),
    ...(budget ? [`${budget.level}${budget.window}-once`] : []),
  ];
}

function forget(hook: ProgramHook, { stage, firing, at, claimed }: Run): void {
  stage.forget(hook, firing, at);
  for (const undo of claimed.get(hook) ?? []) undo();
}

// A turn of a hook that speaks once in each.

const isPerTurn = ({ extended }: ProgramHook): boolean => extended?.every === 'turn';

/** `begun`: a prompt came and the hook has not spoken since; `spoken`: it has spoken in the session. */
/** Whose memory it is. */
type Keeper = Pick<Running, 'state' | 'client' | 'label'>;

const turnOf = ({ id }: ProgramHook, firing: Firing, at: Keeper, stage: Pick<Stage, 'memory'>) => ({
  begun: stage.memory({ id: `${id}.turn` }, firing, at, 'mark'),
  spoken: stage.memory({ id }, firing, at, 'turn-once'),
});

/** Whether the hook may still speak in this turn. All that comes before the first prompt is a turn, too. */
export function hasTurn(
  hook: ProgramHook,
  firing: Firing,
  at: Keeper,
  stage: Pick<Stage, 'memory'>,
): boolean {
  if (!isPerTurn(hook)) return true;
  const { begun, spoken } = turnOf(hook, firing, at, stage);
  return fs.existsSync(begun) || !isOthers(spoken, firing);
}

/** True for one of all that ask at the same time: those who come after the mark is gone find that the hook has spoken. */
function takesTurn(hook: ProgramHook, { firing, at, stage }: Run): boolean {
  if (!isPerTurn(hook)) return true;
  const { begun, spoken } = turnOf(hook, firing, at, stage);
  if (!fs.existsSync(begun)) return stage.claim(spoken);
  stage.remember(spoken);
  return stage.take(begun);
}

/** Whether an earlier event has already kept the hook's text. */
const isKept = (hook: ProgramHook, { stage, firing, at }: Run): boolean =>
  hook.marked === true && fs.existsSync(stage.memory(hook, firing, at, 'kept'));

// What hooks say.

/** Each hook's answer, as `normalise` has it. A hook without one is left out, and the reason is noted. */
async function answersOf(
  hooks: readonly ProgramHook[],
  run: Run,
): Promise<ReadonlyMap<ProgramHook, Answer>> {
  const found = new Map<ProgramHook, Answer>();
  const began = Date.now();
  const note = (hook: ProgramHook, work: Promise<Answer>) =>
    work.then(
      (answer) => void found.set(hook, answer),
      (error) => lose(hook, error, run),
    );
  const ask = (hook: ProgramHook, work: Promise<Answer>) => {
    const over = () => void run.asked.set(hook, { milliseconds: Date.now() - began });
    return note(hook, work).then(over);
  };
  const calls = new Map<ProgramHook, number>();
  const works = hooks.map((hook) => {
    const handler = run.stage.handlers?.get(hook);
    if (isKept(hook, run)) return note(hook, whatIsKept(hook, run));
    if (handler) return ask(hook, handled(handler, hook, run));
    const command = hook.extended?.command;
    if (command) return ask(hook, commanded(command, hook, run));
    if (!hook.call) return note(hook, declared(hook, run));
    calls.set(hook, deadlineOf(hook, run));
    return undefined;
  });
  for (const milliseconds of new Set(calls.values())) {
    const some = hooks.filter((hook) => calls.get(hook) === milliseconds);
    works.push(
      asked(some, milliseconds, run, found).catch((error) => {
        for (const hook of some) lose(hook, error, run);
      }),
    );
  }
  await clockOf(run.firing).wait(Promise.all(works));
  run.waited += Date.now() - began;
  return new Map(
    hooks.flatMap((hook) => {
      const answer = found.get(hook);
      return answer ? [[hook, answer] as const] : [];
    }),
  );
}

/** The hook's own words. A budget hook first only warns. */
async function declared(
  hook: ProgramHook,
  { shown, firing, rules, reasons }: Run,
): Promise<Answer> {
  const reason = hook.extended?.block;
  const isText = reason === undefined || firing.budgets.get(hook)?.level === 'warn';
  try {
    const { text: said, data } = words.fill(reason ?? hook.text ?? '', shown, rules);
    return isText
      ? { texts: [said], data, warnings: [] }
      : { texts: [], warnings: [], block: said };
  } catch (error) {
    if (isText) throw error;
    // What it blocks is already decided: only its words could not be filled in.
    reasons.push(reasonOf(error));
    return { texts: [], warnings: [], ...(reason !== undefined && { block: reason }) };
  }
}

/** Milliseconds that it has: those it declares, which the user has agreed to, unless the user's own rule allows less. */
function deadlineOf({ extended }: ProgramHook, { at, rules }: Run): number {
  const rule = at.end ? 'sessionEndSeconds' : 'toolSeconds';
  const most = 1000 * rules[rule];
  const { deadline = most } = extended ?? {};
  return rules[rule] === at.policy.rules[rule] ? deadline : Math.min(deadline, most);
}

const untilOf = (milliseconds: number, { last }: Run): number =>
  Math.min(Date.now() + milliseconds, last);

const seenBy = (hook: ProgramHook, run: Run): Run =>
  readsAll(hook, run) ? { ...run, shown: run.firing } : run;

async function handled(
  handler: (event: never) => unknown,
  hook: ProgramHook,
  run: Run,
): Promise<Answer> {
  let late: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    const left = untilOf(deadlineOf(hook, run), run) - Date.now();
    late = setTimeout(() => reject(fault('no-answer-in-time')), left);
  });
  try {
    const envelope = envelopeOf(hook, seenBy(hook, run));
    return normalise(await Promise.race([handler(envelope as never), silence]), run.firing);
  } finally {
    clearTimeout(late);
  }
}

async function commanded(
  command: NonNullable<ExtendedHook['command']>,
  hook: ProgramHook,
  run: Run,
): Promise<Answer> {
  const { runCommand } = require('./command.cjs');
  endWithShell(run.at);
  const until = untilOf(deadlineOf(hook, run), run);
  const envelope = jsonOf(envelopeOf(hook, seenBy(hook, run)));
  const answer: unknown = await runCommand(command, envelope, run.firing.cwd, until);
  const known = normalise(answer, run.firing);
  return typeof answer === 'string' && isBroken(answer)
    ? { ...known, why: { code: 'answer-invalid' } }
    : known;
}

async function asked(
  hooks: readonly ProgramHook[],
  milliseconds: number,
  run: Run,
  found: Map<ProgramHook, Answer>,
): Promise<void> {
  const { at, shown, rules, stage, reasons } = run;
  const { server } = at;
  if (!server) {
    for (const hook of hooks) if (mayOf(hook).length > 0) lose(hook, fault('no-answer'), run);
    return;
  }
  const { askHooks } = require('./call.cjs');
  const asking = {
    until: untilOf(milliseconds, run),
    envelopeOf: (hook: ProgramHook) => hook.extended && envelopeOf(hook, run),
  };
  const known: Answers = await askHooks(
    { server, hooks, firing: shown, program: at, rules, ...asking },
    stage,
  );
  reasons.push(...known.reasons);
  for (const [hook, call] of known.asked) {
    run.asked.set(hook, call);
    // A hook that decides is asked alone.
    if (call.failed) run.faults.set(hook, known.reasons[0] ?? { code: 'no-answer' });
  }
  for (const [hook, { text, structured }] of known.replies) {
    const isOne = hook.extended !== undefined && isEnvelope(structured);
    found.set(hook, normalise(isOne ? structured : text, shown));
  }
}

// What becomes of an answer.

async function obey(hook: ProgramHook, given: Answer, run: Run): Promise<void> {
  const { at, firing, stage } = run;
  const answer = readsAll(hook, run) ? await discreet(given, run) : restored(given, run);
  const texts = [...answer.texts];
  if (answer.why) run.reasons.push(answer.why);
  if (answer.why && UNDECIDED.includes(answer.why.code)) run.faults.set(hook, answer.why);
  run.warnings.push(...answer.warnings);
  if (answer.block !== undefined && isGranted(hook, 'block', 'block', run))
    await block(hook, answer.block, run);
  else if (answer.block !== undefined) texts.unshift(answer.block);
  if (!run.decision)
    for (const what of ['input', 'output'] as const)
      if (isChange(what, answer, run) && isGranted(hook, 'modify', what, run, answer))
        modify(hook, what, answer, run);
  const limit = hook.extended?.limit ?? Number.POSITIVE_INFINITY;
  const whole = run.repeated.has(hook) ? '' : words.plain(texts.join('\n'));
  const text = words.cut(whole, limit);
  const isBlank = words.isBlank(text);
  // A hook that is asked once is not asked again after an answer, even if it had nothing to say.
  if (isBlank && hook.extended) run.answered.push(hook);
  if (isBlank) return;
  if (hook.act === 'keep') {
    run.done.push(hook);
    const [seen] = await masked([whole], run);
    const kept = { text: words.cut(seen, limit), data: answer.data === true };
    keep(stage.memory(hook, firing, at, 'kept'), kept, run);
    stage.remember(stage.memory(hook, firing, at, 'mark'));
  } else if (hook.act === 'call') run.done.push(hook);
  else run.said.push({ hook, text, data: answer.data === true, whole, limit });
}

/** Answers with which a hook has not decided, although it may have wanted to. */
const UNDECIDED = ['answer-invalid', 'answer-unknown', 'cannot-ask'];

/** Changes that a hook wants, and that are not made. */
const UNCHANGED = ['answer-hides', 'modify-not-possible'];

/** Whether an answer has another input or output, and does not only repeat it. */
const isChange = (what: 'input' | 'output', answer: Answer, { firing }: Run): boolean =>
  what in answer && jsonOf(answer[what]) !== jsonOf(firing[what]);

/** What a decision changes. */
type What = 'block' | 'input' | 'output';

/** Whether the hook may make a decision, and the client can carry it out there. */
function isGranted(
  hook: ProgramHook,
  decision: 'block' | 'modify',
  what: What,
  run: Run,
  answer?: Answer,
): boolean {
  const code = whyNot(hook, decision, what, run, answer);
  if (code === undefined) return true;
  run.reasons.push({ code, hook: hook.number });
  if (UNCHANGED.includes(code)) run.faults.set(hook, { code });
  return false;
}

/** Why the hook may not make a decision, or the client cannot carry it out, as a code; undefined: it may and can. */
function whyNot(
  hook: ProgramHook,
  decision: 'block' | 'modify',
  what: What,
  run: Progress & { readonly given?: unknown },
  answer?: Answer,
): string | undefined {
  const { extended } = hook;
  const { at, given, rules, firing } = run;
  const isAllowedTo = rules[decision] && extended?.may.includes(decision);
  // A turn that a block has started is not blocked again.
  const isPossible =
    what === 'output'
      ? isPlaced(answer?.output, given, at.wire)
      : what !== 'block' || !firing.continued;
  if (!isAllowedTo || !isPossible || !extended?.can.includes(what))
    return `${decision}-not-${isAllowedTo ? 'possible' : 'allowed'}`;
  if (what === 'block' && hook.event === 'pre_compact' && !mayHoldUp(run)) return 'block-not-again';
  return what === 'input' && hides(answer?.input, firing.input) ? 'answer-hides' : undefined;
}

/** A history that is never compacted ends the session: of two attempts in a row the second one is let through. */
function mayHoldUp(run: Progress & { holdsUp?: boolean }): boolean {
  const { at, firing, stage } = run;
  if (run.holdsUp === undefined) {
    const file = stage.memory({ id: '0' }, firing, at, 'held-up');
    try {
      run.holdsUp = stage.claim(file);
      if (!run.holdsUp) stage.take(file);
    } catch {
      run.holdsUp = false; // it could not be remembered
    }
  }
  return run.holdsUp;
}

/** Whether a value hides something that was not there before: a person who agrees to it would be shown something else. */
const hides = (value: unknown, given: unknown): boolean =>
  jsonOf(value) !== jsonOf(shownOf(value, given));

/** The same value without invisible characters that were not there before. */
function shownOf(value: unknown, given: unknown): unknown {
  const known = new Set<string>();
  const look = (text: string) => {
    for (const one of text) known.add(one);
    return text;
  };
  const { mapTexts } = require('./redact.cjs');
  mapTexts(given, look);
  return mapTexts(value, (text) => words.withoutHidden(text, known));
}

async function block(hook: ProgramHook, given: string, run: Run): Promise<void> {
  const limit = hook.extended?.limit ?? Number.POSITIVE_INFINITY;
  const whole = words.plain(given);
  const most = Math.min(limit, run.rules.charactersPerHook);
  const reason = words.cut(whole, most);
  const { number } = hook;
  const { input, output } = run.firing;
  run.decision = { action: 'block', reason, hook: number };
  run.shownReason = MASK;
  run.done.push(hook);
  // Cut before masking, a secret at its end would no longer be recognised.
  const [seen] = await masked([whole], run);
  run.shownReason = words.cut(seen, most);
  run.decisions.push({
    hook: number,
    action: 'block',
    reason: words.cut(seen, Math.min(most, 200)),
    before: hashOf(output ?? input),
  });
}

/** The hooks that follow see the changed value. */
function modify(hook: ProgramHook, what: 'input' | 'output', answer: Answer, run: Run): void {
  const { number } = hook;
  const before = run.firing[what];
  const after = what === 'output' ? shownOf(answer.output, before) : answer.input;
  if (jsonOf(after) === jsonOf(before)) return; // it was only repeated
  run.done.push(hook);
  run.firing = { ...run.firing, [what]: after };
  run.changed = {
    ...run.changed,
    [what === 'input' ? 'modifiedInput' : 'modifiedOutput']: after,
  };
  run.decisions.push({
    hook: number,
    action: 'modify',
    before: hashOf(before),
    after: hashOf(after),
  });
}

// What waits for a later event: lines of JSON.

function keep(file: string, said: object, { stage }: Run): void {
  const kept = stage.open(file, 'a');
  fs.writeSync(kept, `${JSON.stringify(said)}\n`);
  fs.closeSync(kept);
}

async function whatIsKept(hook: ProgramHook, { stage, firing, at, kept }: Run): Promise<Answer> {
  const file = stage.memory(hook, firing, at, 'kept');
  const lines = (textOf(file) ?? '').split('\n').filter(Boolean);
  kept.set(hook, file);
  const all: Pick<Limited, 'text' | 'data'>[] = lines.map((line) => JSON.parse(line));
  return {
    texts: all.map(({ text }) => text),
    data: all.some(({ data }) => data === true),
    warnings: [],
  };
}
