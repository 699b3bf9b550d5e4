/**
 * mcp-hooks: the second stage of the hook runner.
 *
 *   node runner.cjs <client> <native event> [whole|stream]   < payload   > one JSON object in the client's shape, or nothing
 *
 * The third argument means that our own shell is between the client and us, and says whether it has read the whole payload.
 *
 * This starts on matching events of every session, so it is CommonJS and uses only node built-ins, loaded when needed. All
 * knowledge of clients and declarations is in `<client>.<native event>.json` next to this file (src/compile/program.ts). Rarely
 * needed code is in other files, because reading this file is half of its cost. It exits 0 whatever happens, and never prints
 * anything but its answer. Only for our own shell does it exit with another status, to report that nothing could be checked.
 */

import fs = require('node:fs');

import { formOf, get, isDropped, read } from './runner/event.cjs';
import { foreseen } from './runner/foreseen.cjs';
import { forHost, haveSeveral, isForeign, packagesIn, projectsIn } from './runner/hosts.cjs';
import { quickly } from './runner/load.cjs';
import { choose, declaredName, fits, isLike, isOf, matches } from './runner/matching.cjs';
import {
  append,
  checksum,
  claim,
  forget,
  isDue,
  memoriesOf,
  memory,
  open,
  plain,
  remember,
  take,
  waits,
} from './runner/memory.cjs';
import { isWithin, within } from './runner/nesting.cjs';
import { fail, log, print, readStdin, tidy } from './runner/output.cjs';
import type { Asked, Firing, ProgramHook, Rules, Running, Why } from './types.cjs';
import type { ToShow } from './words.cjs';

/** A program while it is loaded. */
type Mutable = { -readonly [Key in keyof Running]: Running[Key] };

function main(client?: string, native?: string, shell?: string): void {
  const started = Date.now();
  const file = `${__dirname}/${client}.${native}.json`;
  const program: Mutable = JSON.parse(fs.readFileSync(file, 'utf8'));
  program.started = started;
  program.shell = shell;
  let here: Running | undefined;
  try {
    here = forHost(program, __dirname);
    const calling = here && fire(here);
    if (calling) {
      calling.then(() => end(program), broken);
      return;
    }
  } catch (error) {
    if (program.chain) require('./unreadable.cjs').answerUnreadable(here ?? program, error, stage);
    else fail(here ?? program, error);
  }
  end(program);
}

/**
 * Ends immediately, because node's cleanup takes longer than all our work. Everything is written, exit listeners end what was
 * started, and our shell ignores our status.
 */
function end({ shell }: Running): void {
  if (shell !== undefined) {
    process.emit('exit', 0);
    process.kill(process.pid, 'SIGKILL');
  }
  process.exit();
}

/**
 * A file of ours is missing, damaged or cannot be opened. Our shell gets a status, and blocks what a guard should have checked.
 */
function broken(): void {
  process.exit(process.argv.length > 4 ? 1 : 0);
}

/** Answers the event. Returns a promise when tools are called. */
function fire(program: Running): Promise<void> | undefined {
  const rules = rulesFor(program);
  leaveOutMuted(program, rules);
  if (program.hooks.length === 0) return undefined;
  program.stdin = readStdin(program);
  const firing = read(program, program.stdin);
  if (!firing || isForeign(program, firing, __dirname)) return undefined;
  if (program.onlyIn && require('./repository.cjs').isElsewhere(program, firing)) return undefined;
  if (program.chain) return require('./chain.cjs').fire(program, firing, rules, stage);
  return plainly(program, firing, rules);
}

/** A hook that marks the turns of a muted hook is muted with it. */
function leaveOutMuted(program: { hooks: readonly ProgramHook[] }, { muted }: Rules): void {
  if (muted === false) return;
  program.hooks = program.hooks.filter(
    ({ id }) => muted !== true && !Object.hasOwn(muted, id.replace(/\.turn$/, '')),
  );
}

function rulesFor(program: Pick<Running, 'state' | 'label' | 'policy'>): Rules {
  try {
    fs.lstatSync(`${program.state}/policy.json`);
  } catch {
    return program.policy.rules; // no file, and no link either: the rules behind a broken link cannot be read
  }
  return require('./policy.cjs').rulesFor(program);
}

/** What can be shown for an event, and how it came about. */
interface Showing extends Omit<ToShow, 'replies'> {
  readonly replies?: ToShow['replies'];
  /** Why something is not shown. */
  readonly reasons: readonly Why[];
  /** How the tools were asked, if any were. */
  readonly times?: { readonly asked: ReadonlyMap<ProgramHook, Asked>; readonly waited: number };
}

/** Answers an event that only has hooks of SEP-2282. */
function plainly(program: Running, firing: Firing, rules: Rules): Promise<void> | undefined {
  const fitting = program.hooks.filter((hook) => fits(hook, firing, program));
  for (const hook of fitting)
    if (hook.act === 'mark') remember(memory(hook, firing, program, 'mark'));
  const { chosen, leftOut } = choose(rules, fitting, (hook) => waits(hook, firing, program));
  const nested = chosen.filter((hook) => isWithin(hook, program));
  const others = chosen.filter((hook) => !nested.includes(hook));
  const due = others.filter((hook) => isDue(hook, firing, program, rules));
  const reasons = nested.map(({ number }) => ({ code: 'within-itself', hook: number }));
  if (due.length + reasons.length === 0) return undefined;
  if (isDropped(firing, program)) {
    drop(due, reasons, firing, program);
    return undefined;
  }
  const showing: Showing = { due, leftOut, reasons, firing, program, rules };
  const isHanded = due.some((hook) => hook.hands);
  const hidden = isHanded ? masked([firing.input, firing.output], firing, rules) : undefined;
  const said = hidden
    ? hidden.then(({ values, reasons: more }) => {
        // From here on, the tool's input and output are without secrets.
        [firing.input, firing.output] = values;
        return ask({ ...showing, reasons: [...reasons, ...more] });
      })
    : ask(showing);
  return said?.catch((error) => {
    for (const hook of due) forget(hook, firing, program);
    fail(program, error);
  });
}

/** These hooks' texts would not be read now, so no tool is called, and their claims are taken back. */
function drop(
  hooks: readonly ProgramHook[],
  reasons: readonly Why[],
  firing: Firing,
  program: Running,
): void {
  for (const hook of hooks) forget(hook, firing, program);
  const numbers = hooks.map(({ number }) => number);
  const why = [...reasons];
  if (numbers.length > 0) why.push({ code: 'dropped', by: 'failure', hooks: numbers });
  log(program, { hooks: [], characters: 0, why });
}

/** The values without secrets; undefined: there are no values, or the user has switched redaction off. */
function masked<Values extends readonly unknown[]>(
  values: Values,
  { until }: Firing,
  { redact }: Rules,
): Promise<{ readonly values: Values; readonly reasons: Why[] }> | undefined {
  if (redact === false || !require('./redact.cjs').mayHoldSecrets(values)) return undefined;
  return require('./redact.cjs')
    .masked(values, { until })
    .then(({ values: seen, reason }) => ({
      values: seen,
      reasons: reason === undefined ? [] : [{ code: reason }],
    }));
}

/** Calls the hooks' tools, if they have any, and shows the result. */
function ask(showing: Showing): Promise<void> | undefined {
  const { due, firing, program, rules, reasons } = showing;
  const { server } = program;
  const hooks = due.filter((hook) => hook.call);
  if (hooks.length === 0 || !server) return show(showing);
  const began = Date.now();
  return require('./call.cjs')
    .askHooks({ server, hooks, firing, program, rules }, stage)
    .then(async ({ replies, reasons: more, asked }) => {
      const times = { asked, waited: Date.now() - began };
      const texts = [...replies.values()].map(({ text }) => text);
      const hidden = await masked(texts, firing, rules);
      const seen = [...replies.keys()].map(
        (hook, nth) => [hook, { text: hidden?.values[nth] ?? texts[nth] ?? '' }] as const,
      );
      const all = [...reasons, ...more, ...(hidden?.reasons ?? [])];
      show({ ...showing, replies: new Map(seen), reasons: all, times });
    });
}

/** Prints the answer and remembers which hooks were shown. */
function show({ times, reasons, ...known }: Showing): undefined {
  const { due, firing, program, replies = new Map() } = known;
  const said = { ...known, replies };
  const {
    text,
    characters,
    shown,
    lengths,
    noRoom = [],
    answer,
  } = foreseen(said) ??
  require('./words.cjs').word(said, (whole) => repeated(whole, firing, program));
  if (answer !== '') print(program, answer);
  // A dropped text stays due.
  const done = due.filter(
    (hook) => shown.includes(hook) || (hook.act === 'call' && replies.has(hook)),
  );
  for (const hook of due) if (!done.includes(hook)) forget(hook, firing, program);
  if (done.length > 0 || reasons.length > 0)
    log(program, {
      hooks: done.map(({ number }) => number),
      characters,
      ...((times || done.length > 1 || noRoom.length > 0) && {
        each: require('./hook-results.cjs').hookResults(
          { done, shown, lengths, noRoom, ...times },
          program,
        ),
      }),
      ...(reasons.length > 0 && { why: reasons }),
      ...(process.env.MCP_HOOKS_DEBUG === '1' && { text }),
    });
  if (program.started % 64 === 0 || process.env.MCP_HOOKS_TIDY) tidy(program);
}

/**
 * The text, combined with the texts of other runners for the same event if only one answer counts. @param kept The version that
 * is saved for the next runners.
 */
function repeated(
  text: string,
  firing: Pick<Firing, 'payload' | 'until'> & { readonly session?: string },
  program: Running,
  kept = text,
): string {
  const moment = momentOf(firing, program);
  if (moment === undefined) return text;
  const { session = '', until } = firing;
  const fileOf = (fact: string) =>
    memory({ id: '0' }, { session }, { ...program, label: program.native }, fact);
  const former = fileOf('said-');
  const file = fileOf(`said-${plain(moment, 80)}`);
  const entry = `${program.client}.${program.native}.`;
  try {
    return program.wire.firstOnly
      ? require('./one-answer.cjs').withOthers(text, kept, { file, entry, until, append })
      : require('./one-answer.cjs').withEarlier(text, kept, { file, former, open });
  } catch {
    return text; // our own text counts, even if those of others fail
  }
}

/**
 * A value that all runners of an event share, if only one answer counts; undefined: each answer counts, or there is no other
 * runner.
 */
function momentOf({ payload }: Pick<Firing, 'payload'>, program: Running): string | undefined {
  const { client, native, state, wire } = program;
  if (wire.firstOnly) {
    const own = __dirname.slice(0, __dirname.lastIndexOf('/'));
    const installs = [`${state}/servers`, ...projectsIn(state)];
    const folders = [own, ...installs, ...packagesIn(wire.firstOnly)];
    const isAlone = !haveSeveral(`${client}.${native}.json`, folders);
    return isAlone ? undefined : checksum(JSON.stringify(payload));
  }
  const moment = get(payload, wire.repeats);
  return typeof moment === 'string' || typeof moment === 'number' ? String(moment) : undefined;
}

/**
 * The functions for the files next to this one, which never require it, and for callers that ask why a hook shows nothing
 * (src/compile/second-stage.ts).
 */
export const stage = {
  append,
  checksum,
  choose,
  claim,
  declaredName,
  fail,
  fits,
  forget,
  formOf,
  get,
  isDropped,
  isDue,
  isLike,
  isOf,
  isWithin,
  leaveOutMuted,
  log,
  matches,
  memoriesOf,
  memory,
  momentOf,
  open,
  plainly,
  print,
  read,
  readStdin,
  remember,
  repeated,
  rulesFor,
  take,
  tidy,
  waits,
  within,
};

if (require.main === module)
  try {
    // biome-ignore lint/suspicious/noGlobalAssign: it is this file's own, a parameter of what node makes of it
    require = quickly(require, __dirname);
    main(...process.argv.slice(2));
  } catch {
    broken();
  }
