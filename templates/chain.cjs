/**
 * mcp-hooks: events with hooks of the extended vocabulary (src/declaration/declaration.ts). Hooks are evaluated one after
 * the other: each may say something, change what the next ones see, or block, which ends the chain. Whatever fails lets
 * everything pass, unless the user wants it blocked then (failure.cjs). This file is read only where there is such a hook; runner.cjs hands over the event and its own functions.
 */
'use strict';
const fs = require('node:fs');
const { answerWith, isPlaced, saysToo, spoken } = require('./answer.cjs');
const { callOf, claimFor, isOthers, takeOver } = require('./claims.cjs');
const { holds, noteCall } = require('./conditions.cjs');
const { clockOf, endWithShell } = require('./clock.cjs');
const { eachOf } = require('./each.cjs');
const { jsonOf } = require('./json.cjs');
const { envelopeOf, isBroken, isEnvelope, normalise } = require('./envelope.cjs');
const { fault, hashOf, reasonOf, textOf } = require('./values.cjs');
const words = require('./words.cjs');

/**
 * Answers an event. It is over in time, whatever the tools and commands do.
 *
 * @param stage The functions of runner.cjs.
 */
async function fire(at, firing, rules, stage) {
  const noting = { ...stage };
  try {
    const { within } = require('./call.cjs');
    let result;
    const evaluated = evaluate(at, firing, rules, noting).then((found) => {
      result = found;
    });
    await within(evaluated, at.started + at.most - Date.now());
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
function failed(at, firing, rules, stage, error) {
  if (at.isTold) return stage.fail(at, error);
  const result = insteadOf(at, firing, rules, stage, error);
  if (result.failures.length === 0 && !hasDecided(result)) return stage.fail(at, error);
  const kept = result.decision && spoken(at.label, result.shownReason);
  tell(at, firing ?? { payload: {} }, stage, result, kept);
  return note(at, stage, { ...result, warnings: [] });
}

const hasDecided = (result) =>
  ['decision', 'modifiedInput', 'modifiedOutput'].some((key) => key in result);

/** The outcome of an event that could not be evaluated. The parameters are those of `failed`. */
const insteadOf = (...known) =>
  resultOf(require('./failure.cjs').instead(...known, { isAllowed, isSpent, orderOf, whyNot }));

/** Milliseconds that are left at the end: what is late is ended, and what the other hooks have answered counts. */
const TO_TELL = 500;

/** Prints what was decided and said. All else comes later: the client may give up, and what follows may fail. */
function tell(at, firing, stage, result, kept) {
  const answer = answerOf(at, firing, stage, result, kept);
  at.isTold = true;
  if (answer !== '') stage.print(at, answer);
}

/** Logs what was decided and said. */
function note(at, stage, result) {
  const { text, told, done, reasons, decisions, warnings, failures } = result;
  const isEach = result.asked.size > 0 || result.failed.size > 0 || done.length > 1;
  if (isEach || done.length + reasons.length > 0)
    stage.log(at, {
      hooks: done.map(({ number }) => number),
      characters: told.length > 0 ? text.length : 0,
      ...(isEach && { each: eachOf(result, at) }),
      ...(reasons.length > 0 && { why: reasons }),
      ...(decisions.length > 0 && { decisions }),
      ...(failures.length > 0 && { onFailure: failures }),
      ...(warnings.length > 0 && { warnings }),
      ...(process.env.MCP_HOOKS_DEBUG === '1' && { text }),
    });
  if (at.started % 64 === 0 || process.env.MCP_HOOKS_TIDY) stage.tidy(at);
}

/** The warnings of answers. They are masked before they are cut, because no rule finds half a secret. */
async function loggable({ warnings }, { until: last }, rules) {
  const some = warnings.slice(0, WARNINGS).map(words.plain);
  const all = await masked(some, { rules, reasons: [], last });
  return all.map((one) => words.cut(one, WARNING));
}

/** How many warnings of a firing are logged, and how many characters of each. */
const WARNINGS = 10;
const WARNING = 300;

/** The answer to the client. It names the server that blocks, and the one that speaks. */
function answerOf(at, firing, stage, result, kept) {
  const { text, act, decision } = result;
  const repeated = (one) => stage.repeated(one, firing, at, kept);
  if (!decision) return answerWith(at, act, text && repeated(text), result, firing);
  const reason = repeated(spoken(at.label, decision.reason));
  return answerWith(at, act, text, { ...result, decision: { ...decision, reason } }, firing);
}

/** The part of the answer that other runners have to repeat, without secrets. */
async function keptOf(at, firing, rules, stage, { decision, shownReason, said, left }) {
  if (stage.momentOf(firing, at) === undefined) return undefined;
  if (decision) return spoken(at.label, shownReason);
  const all = said.map(({ whole }) => whole);
  const seen = await masked(all, { rules, reasons: [], last: firing.until });
  const texts = said.map((one, index) => ({ ...one, text: words.cut(seen[index], one.limit) }));
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
 *   the hooks that had an effect; `failures`: what became of the event because of hooks that may decide and failed. The rest is for `eachOf` and `keptOf`.
 */
async function evaluate(at, firing, rules, stage) {
  const clock = clockOf(firing);
  const run = {
    at,
    rules,
    stage,
    firing: {
      ...firing,
      told: toldIn(firing.payload, at.wire),
      budgets: new Map(),
    },
    shown: firing,
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
        if (run.faults.has(hook))
          require('./failure.cjs').settle(hook, run.faults.get(hook), run, whyNot);
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
function lose(hook, error, run) {
  const why = reasonOf(error);
  if (!run.reasons.includes(why)) run.reasons.push(why);
  run.failed.add(hook);
  run.faults.set(hook, why);
}

/** Whether a tool that decides would see nothing of what it decides about, because the rules for secrets have failed. */
const isBlind = (hook, { hidden }) => hidden && hook.call && mayOf(hook).length > 0;

function outcome(run) {
  const { at, rules, left, done, decision, changed } = run;
  const decided = { ...(decision && { decision }), ...changed };
  const isSaid =
    run.said.length > 0 &&
    saysToo(at, run.said[0].hook.act, decided) &&
    words.hasBlanks(at, run.firing);
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
  run,
  { text, told, lengths, said } = { text: '', told: [], lengths: [], said: [] },
) {
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

/** Whether anybody gets to see the tool's input or output. */
const handsOn = (hook, { stage }) =>
  hook.hands || hook.call || hook.extended?.command || stage.handlers?.has(hook);

/**
 * Whether a hook reads the event with its secrets: a program of the user's that may decide has to see what will run. A tool
 * is another's, so it never does.
 */
const readsAll = (hook, run) =>
  !hook.call &&
  (hook.extended?.command !== undefined || run.stage.handlers?.has(hook) === true) &&
  decides(hook, run);

/** Whether a hook can make a decision here. What is kept for later comes too late for one. */
const decides = (hook, { rules }) =>
  !hook.marked && hook.extended?.can.length > 0 && mayOf(hook).some((one) => rules[one]);

/** The payload's facts about the session, under the names that commands know. */
const toldIn = (payload, { told = [] }) =>
  Object.fromEntries(
    told.filter((key) => payload[key] !== undefined).map((key) => [key, payload[key]]),
  );

/** Masks secrets in what others see of the event. */
async function mask(run) {
  const keys = ['input', 'output', 'prompt', 'told'];
  const { values, secrets, hidden } = await searched(
    keys.map((key) => run.firing[key]),
    run,
  );
  run.shown = { ...run.firing, ...Object.fromEntries(keys.map((key, at) => [key, values[at]])) };
  run.secrets = secrets;
  run.hidden = hidden;
}

const masked = async (values, run) => (await searched(values, run)).values;

/** The values without secrets, and the secrets. `hidden`: why the search has failed, if it has; then no value is there. */
async function searched(values, { rules, reasons, last: until }) {
  if (rules.redact === false) return { values, secrets: [] };
  const hide = (code, all) => {
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
    return hide('unmasked', none);
  }
}
const MASK = '***';

/**
 * The words of a program that has read the event's secrets, without them: where the program quotes one, nothing next to it
 * may say that it is one. A changed input stays as it is, because it goes nowhere but into the call.
 */
async function discreet(answer, run) {
  const keys = ['texts', 'warnings', 'block', 'output'];
  const given = keys.filter((key) => Object.hasOwn(answer, key));
  // Most programs say nothing, and then nothing has to be searched.
  if (!given.some((key) => answer[key].length !== 0)) return answer;
  await mask(run);
  const hide = (value) => (Array.isArray(value) ? value.map(() => MASK) : MASK);
  const forms = run.secrets?.flatMap((one) => [one, JSON.stringify(one).slice(1, -1)]);
  const without = (text) => forms.reduce((rest, one) => rest.replaceAll(one, MASK), text);
  const changed = (one) => one && require('./redact.cjs').mapTexts(one, without);
  // An output that is only repeated is no change.
  const isRepeated = (key) =>
    key === 'output' && jsonOf(answer.output) === jsonOf(run.firing.output);
  const known = given.map((key) => (isRepeated(key) ? undefined : answer[key]));
  const found = run.hidden ? run : await searched(known.map(changed), run);
  const said = found.hidden ? known.map((one) => one && hide(one)) : found.values;
  const { output: _, ...rest } = answer;
  return {
    ...rest,
    ...Object.fromEntries(
      given.flatMap((key, at) => (said[at] === undefined ? [] : [[key, said[at]]])),
    ),
  };
}

/** The answer of a hook that has read masks. What only repeats a value as it was shown is no change. */
function restored(answer, { firing, shown }) {
  const rest = { ...answer };
  for (const what of ['input', 'output']) {
    if (!(what in answer) || firing[what] === shown[what]) continue;
    const [after, seen, before] = [answer, shown, firing].map((one) => jsonOf(one[what]));
    if (after === seen) delete rest[what];
    // Nobody knows what a mask in a changed input stands for, and where that may go.
    else if (what === 'input' && seen !== before && after.includes(MASK))
      throw fault('answer-masked');
  }
  return rest;
}

const orderOf = ({ extended }) => extended?.order ?? 50;
const mayOf = ({ extended }) => extended?.may ?? [];

/** The hooks in order. Consecutive hooks go together if none of them can change what the next ones see. */
function stepsOf(hooks) {
  const ordered = hooks.toSorted((a, b) => orderOf(a) - orderOf(b) || a.number - b.number);
  const steps = [];
  let open;
  for (const hook of ordered) {
    const decides = mayOf(hook).length > 0;
    if (decides || !open) steps.push([hook]);
    else open.push(hook);
    open = decides ? undefined : steps.at(-1);
  }
  return steps;
}

// Whether a hook has to do something now.

function isDue(hook, run) {
  const { at, rules, stage, firing } = run;
  const { act, call, extended = {} } = hook;
  if (!isAllowed(hook, rules) || !isFor(hook, run) || isSpent(hook, run)) return false;
  const fileOf = (fact) => stage.memory(hook, firing, at, fact);
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
  const cooldown = isKept(hook, run) ? 0 : Math.max(rules.cooldown, extended.cooldown ?? 0);
  if (decides(hook, run)) return isDueToDecide(hook, facts, cooldown, run);
  if (!stage.isDue(hook, firing, at, { ...rules, cooldown })) return false;
  const undo = [];
  run.claimed.set(hook, undo);
  run.heard += 1;
  // What another runner has claimed is not ours to take back.
  const isFirst = (file) => {
    if (!stage.claim(file)) return false;
    undo.push(() => stage.take(file));
    return true;
  };
  try {
    if (!facts.every(isFirst) || !takesTurn(hook, run)) return false;
    if (isPerTurn(hook)) undo.push(() => stage.remember(turnOf(hook, firing, at, stage).begun));
    return true;
  } catch (error) {
    const isDue = act === 'tell' && !call && !extended.command; // as in runner.cjs
    if (!isDue && mayOf(hook).length > 0) lose(hook, error, run);
    return isDue;
  }
}

/**
 * Whether a hook that may decide is asked now: of calls that nothing tells apart, about each or about none. Only the first one
 * gets the texts.
 */
function isDueToDecide(hook, facts, cooldown, run) {
  const { at, stage, firing } = run;
  const fileOf = (fact) => stage.memory(hook, firing, at, fact);
  const undo = [];
  run.claimed.set(hook, undo);
  run.heard += 1;
  const claim = (file, window) => {
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
function claimsTurn(hook, { firing, at, stage, claimed }, claim) {
  const { begun, spoken } = turnOf(hook, firing, at, stage);
  const turn = fs.statSync(begun, { throwIfNoEntry: false });
  if (!turn) return claim(spoken);
  const fact = `turn-${Math.trunc(turn.mtimeMs)}`;
  if (!claim(stage.memory(hook, firing, at, fact))) return false;
  takeOver(spoken, firing, stage);
  if (stage.take(begun)) claimed.get(hook).push(() => stage.remember(begun));
  return true;
}

/** Whether an event is for a hook. An earlier event was marked or kept, and the conditions were about that one. */
function isFor(hook, run, hasConditions = !hook.marked) {
  try {
    return run.stage.fits(hook, run.firing, run.at) && (!hasConditions || holds(hook, run));
  } catch (error) {
    if (!isSpent(hook, run)) lose(hook, error, run);
    return false;
  }
}

/** Whether a hook has nothing to do any more, whatever its conditions, or not yet. */
function isSpent(hook, run) {
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
const isAllowed = ({ call, extended = {} }, rules) =>
  (!call || rules.contextTool) &&
  (!extended.command || rules.command) &&
  (!extended.command?.ofProject || rules.projectCode) &&
  (extended.block === undefined || rules.block);

/** Facts that come true once: the hook has spoken in the session, or about its budget since the history was compacted. */
function lastingFacts(hook, { firing }) {
  const { extended = {}, marked } = hook;
  const budget = firing.budgets.get(hook);
  // A block that has only warned still has to block.
  const isWarning = extended.block !== undefined && budget?.level === 'warn';
  return [
    ...(extended.every === 'session' && !marked && !isWarning ? ['session-once'] : []),
    ...(budget ? [`${budget.level}${budget.window}-once`] : []),
  ];
}

function forget(hook, { stage, firing, at, claimed }) {
  stage.forget(hook, firing, at);
  for (const undo of claimed.get(hook) ?? []) undo();
}

// A turn of a hook that speaks once in each.

const isPerTurn = ({ extended }) => extended?.every === 'turn';

/** `begun`: a prompt came and the hook has not spoken since; `spoken`: it has spoken in the session. */
const turnOf = ({ id }, firing, at, stage) => ({
  begun: stage.memory({ id: `${id}.turn` }, firing, at, 'mark'),
  spoken: stage.memory({ id }, firing, at, 'turn-once'),
});

/** Whether the hook may still speak in this turn. All that comes before the first prompt is a turn, too. */
function hasTurn(hook, firing, at, stage) {
  if (!isPerTurn(hook)) return true;
  const { begun, spoken } = turnOf(hook, firing, at, stage);
  return fs.existsSync(begun) || !isOthers(spoken, firing);
}

/** True for one of all that ask at the same time: those who come after the mark is gone find that the hook has spoken. */
function takesTurn(hook, { firing, at, stage }) {
  if (!isPerTurn(hook)) return true;
  const { begun, spoken } = turnOf(hook, firing, at, stage);
  if (!fs.existsSync(begun)) return stage.claim(spoken);
  stage.remember(spoken);
  return stage.take(begun);
}

/** Whether an earlier event has already kept the hook's text. */
const isKept = (hook, { stage, firing, at }) =>
  hook.marked === true && fs.existsSync(stage.memory(hook, firing, at, 'kept'));

// What hooks say.

/** Each hook's answer, as `normalise` has it. A hook without one is left out, and the reason is noted. */
async function answersOf(hooks, run) {
  const found = new Map();
  const began = Date.now();
  const note = (hook, work) =>
    work.then(
      (answer) => answer && found.set(hook, answer),
      (error) => lose(hook, error, run),
    );
  const ask = (hook, work) => {
    const over = () => run.asked.set(hook, { milliseconds: Date.now() - began });
    return note(hook, work).then(over);
  };
  const calls = new Map();
  const works = hooks.map((hook) => {
    const handler = run.stage.handlers?.get(hook);
    if (isKept(hook, run)) return note(hook, whatIsKept(hook, run));
    if (handler) return ask(hook, handled(handler, hook, run));
    if (hook.extended?.command) return ask(hook, commanded(hook, run));
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
  return new Map(hooks.flatMap((hook) => (found.has(hook) ? [[hook, found.get(hook)]] : [])));
}

/** The hook's own words. A budget hook first only warns. */
async function declared(hook, { shown, firing, rules, reasons }) {
  const reason = hook.extended?.block;
  const isText = reason === undefined || firing.budgets.get(hook)?.level === 'warn';
  try {
    const { text: said, data } = words.fill(reason ?? hook.text, shown, rules);
    return isText
      ? { texts: [said], data, warnings: [] }
      : { texts: [], warnings: [], block: said };
  } catch (error) {
    if (isText) throw error;
    // What it blocks is already decided: only its words could not be filled in.
    reasons.push(reasonOf(error));
    return { texts: [], warnings: [], block: reason };
  }
}

/** Milliseconds that it has: those it declares, which the user has agreed to, unless the user's own rule allows less. */
function deadlineOf({ extended }, { at, rules }) {
  const rule = at.end ? 'sessionEndSeconds' : 'toolSeconds';
  const most = 1000 * rules[rule];
  const { deadline = most } = extended ?? {};
  return rules[rule] === at.policy.rules[rule] ? deadline : Math.min(deadline, most);
}

const untilOf = (milliseconds, { last }) => Math.min(Date.now() + milliseconds, last);

const seenBy = (hook, run) => (readsAll(hook, run) ? { ...run, shown: run.firing } : run);

async function handled(handler, hook, run) {
  let late;
  const silence = new Promise((_resolve, reject) => {
    const left = untilOf(deadlineOf(hook, run), run) - Date.now();
    late = setTimeout(() => reject(fault('no-answer-in-time')), left);
  });
  try {
    const envelope = envelopeOf(hook, seenBy(hook, run));
    return normalise(await Promise.race([handler(envelope), silence]), run.firing);
  } finally {
    clearTimeout(late);
  }
}

async function commanded(hook, run) {
  const { runCommand } = require('./command.cjs');
  endWithShell(run.at);
  const until = untilOf(deadlineOf(hook, run), run);
  const envelope = jsonOf(envelopeOf(hook, seenBy(hook, run)));
  const answer = await runCommand(hook.extended.command, envelope, run.firing.cwd, until);
  const known = normalise(answer, run.firing);
  return typeof answer === 'string' && isBroken(answer)
    ? { ...known, why: { code: 'answer-invalid' } }
    : known;
}

async function asked(hooks, milliseconds, run, found) {
  const { at, shown, rules, stage, reasons } = run;
  if (!at.server) {
    for (const hook of hooks) if (mayOf(hook).length > 0) lose(hook, fault('no-answer'), run);
    return;
  }
  const { askHooks } = require('./call.cjs');
  const known = await askHooks(hooks, shown, at, rules, {
    checksum: stage.checksum,
    folder: stage.memoriesOf(at.state),
    remember: stage.remember,
    until: untilOf(milliseconds, run),
    envelopeOf: (hook) => hook.extended && envelopeOf(hook, run),
  });
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

async function obey(hook, given, run) {
  const { at, firing, stage } = run;
  const answer = readsAll(hook, run) ? await discreet(given, run) : restored(given, run);
  const texts = [...answer.texts];
  if (answer.why) run.reasons.push(answer.why);
  if (UNDECIDED.includes(answer.why?.code)) run.faults.set(hook, answer.why);
  run.warnings.push(...answer.warnings);
  if (answer.block !== undefined && isGranted(hook, 'block', 'block', run))
    await block(hook, answer, run);
  else if (answer.block !== undefined) texts.unshift(answer.block);
  if (!run.decision)
    for (const what of ['input', 'output'])
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
const isChange = (what, answer, { firing }) =>
  what in answer && jsonOf(answer[what]) !== jsonOf(firing[what]);

/** Whether the hook may make a decision, and the client can carry it out there. */
function isGranted(hook, decision, what, run, answer) {
  const code = whyNot(hook, decision, what, run, answer);
  if (code !== undefined) run.reasons.push({ code, hook: hook.number });
  if (UNCHANGED.includes(code)) run.faults.set(hook, { code });
  return code === undefined;
}

/** Why the hook may not make a decision, or the client cannot carry it out, as a code; undefined: it may and can. */
function whyNot(hook, decision, what, run, answer) {
  const { extended } = hook;
  const { at, given, rules, firing } = run;
  const isAllowedTo = rules[decision] && extended?.may.includes(decision);
  // A turn that a block has started is not blocked again.
  const isPossible =
    what === 'output'
      ? isPlaced(answer.output, given, at.wire)
      : what !== 'block' || !firing.continued;
  if (!isAllowedTo || !isPossible || !extended.can.includes(what))
    return `${decision}-not-${isAllowedTo ? 'possible' : 'allowed'}`;
  if (what === 'block' && hook.event === 'pre_compact' && !mayHoldUp(run)) return 'block-not-again';
  return what === 'input' && hides(answer.input, firing.input) ? 'answer-hides' : undefined;
}

/** A history that is never compacted ends the session: of two attempts in a row the second one is let through. */
function mayHoldUp(run) {
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
const hides = (value, given) => jsonOf(value) !== jsonOf(shownOf(value, given));

/** The same value without invisible characters that were not there before. */
function shownOf(value, given) {
  const known = new Set();
  const look = (text) => {
    for (const one of text) known.add(one);
    return text;
  };
  const { mapTexts } = require('./redact.cjs');
  mapTexts(given, look);
  return mapTexts(value, (text) => words.withoutHidden(text, known));
}

async function block(hook, { block: given }, run) {
  const { limit = Number.POSITIVE_INFINITY } = hook.extended;
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
function modify(hook, what, answer, run) {
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

function keep(file, said, { stage }) {
  const kept = stage.open(file, 'a');
  fs.writeSync(kept, `${JSON.stringify(said)}\n`);
  fs.closeSync(kept);
}

async function whatIsKept(hook, { stage, firing, at, kept }) {
  const file = stage.memory(hook, firing, at, 'kept');
  const lines = (textOf(file) ?? '').split('\n').filter(Boolean);
  kept.set(hook, file);
  const all = lines.map((line) => JSON.parse(line));
  return { texts: all.map(({ text }) => text), data: all.some(({ data }) => data), warnings: [] };
}

module.exports = { answerOf, evaluate, failed, fire, hasTurn, insteadOf, TO_TELL };
