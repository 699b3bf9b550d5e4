/**
 * mcp-hooks: the second stage of the hook runner.
 *
 *   node runner.cjs <client> <native event> [whole|stream]   < payload   > one JSON object of the client's shape, or nothing
 *
 * A third word means that our own shell is between the client and us, and says whether it has read the whole payload.
 *
 * This starts on matching events of every session, hence CommonJS and node built-ins only, required when needed. All
 * knowledge of clients and declarations is in `<client>.<native event>.json` next to this file (src/compile/program.ts).
 * What is rarely needed is in other files, because reading this one is half of what it costs. It exits 0 whatever happens,
 * and never prints anything but its answer. Only our own shell is told by another status that nothing could be checked.
 */

import fs = require('node:fs');

import { get, read } from './runner/event.cjs';
import { fits, isLike, isOf, matches, within } from './runner/matching.cjs';
import {
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
import { fail, log, print, readStdin, tidy } from './runner/output.cjs';
import type { Answers, Asked, Firing, ProgramHook, Reply, Rules, Running, Why } from './types.cjs';
import type { Speaking, Worded } from './words.cjs';

/** A program while it is read. */
type Mutable = { -readonly [Key in keyof Running]: Running[Key] };

function main(client?: string, native?: string, given?: string): void {
  const started = Date.now();
  const at: Mutable = JSON.parse(fs.readFileSync(`${__dirname}/${client}.${native}.json`, 'utf8'));
  at.started = started;
  at.given = given;
  try {
    const calling = standsDown(at) ? undefined : fire(at);
    if (calling) {
      calling.then(() => end(at), broken);
      return;
    }
  } catch (error) {
    if (at.chain) require('./unreadable.cjs').answerUnreadable(at, error, stage);
    else fail(at, error);
  }
  end(at);
}

/**
 * Ends without delay: node's cleanup takes longer than all our work. Everything is written, listeners end what was started,
 * and our shell does not mind how we end.
 */
function end({ given }: Running): void {
  if (given !== undefined) {
    process.emit('exit', 0);
    process.kill(process.pid, 'SIGKILL');
  }
  process.exit();
}

/** A file of ours is gone or damaged, or cannot be opened: our shell is told so, and blocks what a guard should have checked. */
function broken(): void {
  process.exit(process.argv.length > 4 ? 1 : 0);
}

/** Returns a promise when tools are called. */
function fire(at: Running): Promise<void> | undefined {
  const rules = rulesFor(at);
  if (rules.muted) return undefined;
  at.stdin = readStdin(at);
  const firing = read(at, at.stdin);
  if (!firing) return undefined;
  if (at.chain) return require('./chain.cjs').fire(at, firing, rules, stage);
  return plainly(at, firing, rules);
}

/** The outcome of an event that only has hooks of SEP-2282. */
function plainly(at: Running, firing: Firing, rules: Rules): Promise<void> | undefined {
  const fitting = at.hooks.filter((hook) => fits(hook, firing, at));
  for (const hook of fitting) if (hook.act === 'mark') remember(memory(hook, firing, at, 'mark'));
  const { heard, left } = within(rules, fitting, (hook) => waits(hook, firing, at));
  const speaking = heard.filter((hook) => isDue(hook, firing, at, rules));
  if (speaking.length === 0) return undefined;
  const hands = rules.redact !== false && speaking.some((hook) => hook.hands);
  const said =
    hands && require('./redact.cjs').mayHoldSecrets([firing.input, firing.output])
      ? mask(firing).then((reasons) => say({ speaking, left, reasons, firing, at, rules }))
      : say({ speaking, left, reasons: [], firing, at, rules });
  return said?.catch((error) => {
    for (const hook of speaking) forget(hook, firing, at);
    fail(at, error);
  });
}

/** From here on nobody sees a secret of the tool's input or output. */
async function mask(firing: Firing): Promise<Why[]> {
  const { values, reason } = await require('./redact.cjs').masked([firing.input, firing.output], {
    until: firing.until,
  });
  [firing.input, firing.output] = values;
  return reason === undefined ? [] : [{ code: reason }];
}

/** What is to be said, and what is known by then of how it came to be. */
interface Saying extends Speaking {
  /** Why something is not said. */
  readonly reasons: readonly Why[];
  /** The version of the text that our other runners repeat, if it is not the text. */
  readonly kept?: string | undefined;
  /** How the tools were asked, if any were. */
  readonly times?: { readonly asked: ReadonlyMap<ProgramHook, Asked>; readonly waited: number };
}

/** A promise when tools are called. */
function say(event: Omit<Saying, 'replies'>): Promise<void> | undefined {
  const { speaking, firing, at, rules } = event;
  const { server } = at;
  const hooks = speaking.filter((hook) => hook.call);
  if (hooks.length === 0 || !server) return speak({ ...event, replies: new Map() });
  const began = Date.now();
  return require('./call.cjs')
    .askHooks({ server, hooks, firing, program: at, rules }, { checksum, memoriesOf, remember })
    .then(async ({ replies, reasons, asked }: Answers) => {
      const times = { asked, waited: Date.now() - began };
      const kept = await maskedOf(replies);
      speak({ ...event, replies, reasons: [...event.reasons, ...reasons], kept, times });
    });
  /** A tool's reply may hold a secret, and our other runners repeat it. */
  async function maskedOf(replies: ReadonlyMap<ProgramHook, Reply>): Promise<string | undefined> {
    if (rules.redact === false || momentOf(firing, at) === undefined) return undefined;
    // Cut before masking, a secret at its end would no longer be recognised.
    const texts = [...replies.values()].map(({ text }) => text);
    const { values } = await require('./redact.cjs').masked(texts);
    const seen = [...replies.keys()].map(
      (hook, nth) => [hook, { text: values[nth] ?? '' }] as const,
    );
    const same = (text: string) => text;
    return require('./words.cjs').word({ ...event, replies: new Map(seen) }, same).text;
  }
}

/** Tells what there is to tell, and remembers which hooks were heard. */
function speak(event: Saying): undefined {
  const { speaking, replies, reasons, firing, at, kept, times } = event;
  const { text, characters, told, lengths, answer } =
    foreseen(event) ??
    require('./words.cjs').word(event, (whole) => repeated(whole, firing, at, kept));
  if (answer !== '') print(at, answer);
  // A text that nobody has read is still to be told.
  const done = speaking.filter(
    (hook) => told.includes(hook) || (hook.act === 'call' && replies.has(hook)),
  );
  for (const hook of speaking) if (!done.includes(hook)) forget(hook, firing, at);
  if (done.length > 0 || reasons.length > 0)
    log(at, {
      hooks: done.map(({ number }) => number),
      characters,
      ...((times || done.length > 1) && {
        each: require('./hook-results.cjs').hookResults({ done, told, lengths, ...times }, at),
      }),
      ...(reasons.length > 0 && { why: reasons }),
      ...(process.env.MCP_HOOKS_DEBUG === '1' && { text }),
    });
  if (at.started % 64 === 0 || process.env.MCP_HOOKS_TIDY) tidy(at);
}

/**
 * The text after those of other runners for the same event, where only the last answer counts. @param kept The version that
 * is kept for the next runners.
 */
function repeated(
  text: string,
  firing: Pick<Firing, 'payload'> & { readonly session?: string },
  at: Running,
  kept = text,
): string {
  const moment = momentOf(firing, at);
  if (moment === undefined) return text;
  const { session = '' } = firing;
  const fileOf = (fact: string) =>
    memory({ id: '0' }, { session }, { ...at, label: at.native }, fact);
  const former = fileOf('said-');
  const file = fileOf(`said-${plain(moment, 80)}`);
  try {
    return require('./earlier-answers.cjs').withEarlier(text, kept, { file, former, open });
  } catch {
    return text; // our own counts, whatever becomes of those of others
  }
}

/** A value that all runners of an event share, if only the last answer counts; undefined: each answer counts. */
function momentOf({ payload }: Pick<Firing, 'payload'>, at: Running): string | undefined {
  const moment = get(payload, at.wire.repeats);
  return typeof moment === 'string' || typeof moment === 'number' ? String(moment) : undefined;
}

type Foreseen = Omit<Worded, 'text'> & { readonly text?: string };

/** The answer of a hook that speaks alone, in words known since the install (`alone` in words.cjs). */
function foreseen({ speaking, left, replies, firing, at, rules }: Saying): Foreseen | undefined {
  const { tool, isName } = firing;
  const [hook] = speaking;
  if (!hook) return undefined;
  const { alone, call } = hook;
  if (!alone || speaking.length > 1 || left.length > 0 || rules !== at.policy.rules)
    return undefined;
  const isNamed = alone.answer.length > 1;
  if (process.env.MCP_HOOKS_DEBUG === '1' || (isNamed && !isName)) return undefined;
  const name = isNamed ? (tool ?? '') : '';
  const answer = alone.answer.join(name);
  const characters = alone.characters + name.length;
  const { reply } = alone;
  if (!call || !reply) return { told: speaking, lengths: [characters], answer, characters };
  const { text = '' } = replies.get(hook) ?? {};
  // Only for such a text do we know that nothing in it has to change.
  if (!/^[\t\n -;=-~]*$/.test(text) || text.trim() === '') return undefined;
  const { mark, most } = reply;
  const lines = text.replaceAll('\n', `\n${mark}`);
  const length = characters + lines.length;
  if (text.length > rules.charactersPerHook || length > most) return undefined;
  const inside = JSON.stringify(lines).slice(1, -1);
  const given = answer.replaceAll('\0', () => inside);
  return { told: speaking, lengths: [length], answer: given, characters: length };
}

// Who we are and what the user allows.

/**
 * Whether this is another client that also runs our client's hooks, and has hooks of its own, which will say it. A marker in
 * the environment may also come from a client that only started ours; then ours is the parent of our shell.
 */
function standsDown({ hosts }: Running): boolean {
  const { env } = process;
  if (!hosts || (hosts.own && env[hosts.own] && isAncestor(Number(env[hosts.own])))) return false;
  return Object.entries(hosts.others).some(
    ([id, markers]) =>
      markers.some((name) => env[name]) &&
      fs.readdirSync(__dirname).some((name) => name.startsWith(`${id}.`)),
  );
}

/** An ancestor of us, or of the shell that started us. */
function isAncestor(pid: number): boolean {
  if (pid === process.ppid) return true;
  try {
    const stat = fs.readFileSync(`/proc/${process.ppid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]) === pid;
  } catch {
    return false;
  }
}

function rulesFor(at: Pick<Running, 'state' | 'label' | 'policy'>): Rules {
  if (!fs.existsSync(`${at.state}/policy.json`)) return at.policy.rules;
  return require('./policy.cjs').rulesFor(at);
}

/**
 * A `require` that reads the files next to this one. Node's own, which looks for packages and follows links on the way to
 * each of them, takes several times as long to find a file as to read it.
 */
function quick(slow: NodeJS.Require): NodeJS.Require {
  const loaded = new Map<string, { exports: unknown }>();
  const load = (name: string) => {
    if (!name.startsWith('./')) return slow(name);
    const known = loaded.get(name);
    if (known) return known.exports;
    const text = fs.readFileSync(`${__dirname}/${name}`, 'utf8');
    let run: (...given: unknown[]) => void;
    try {
      run = new Function('module', 'require', '__dirname', text) as typeof run;
    } catch {
      return slow(name); // an option of node forbids this, and not every shell of ours takes such options away
    }
    const module = { exports: {} };
    loaded.set(name, module);
    run(module, load, __dirname);
    return module.exports;
  };
  return load as NodeJS.Require;
}

/**
 * What the files next to this one are handed, which never require it, and callers that ask why a hook says nothing
 * (src/compile/second-stage.ts).
 */
export const stage = {
  checksum,
  claim,
  fail,
  fits,
  forget,
  get,
  isDue,
  isLike,
  isOf,
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
    require = quick(require);
    main(...process.argv.slice(2));
  } catch {
    broken();
  }
