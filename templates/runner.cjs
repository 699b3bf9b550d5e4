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
'use strict';
const fs = require('node:fs');

function main(client, native, given) {
  const started = Date.now();
  const at = JSON.parse(fs.readFileSync(`${__dirname}/${client}.${native}.json`, 'utf8'));
  at.started = started;
  at.given = given;
  try {
    const calling = standsDown(at) ? undefined : fire(at);
    if (calling) return calling.then(() => end(at), broken);
  } catch (error) {
    if (at.chain) require('./unread.cjs').unread(at, error, module.exports);
    else fail(at, error);
  }
  return end(at);
}

/**
 * Ends without delay: node's cleanup takes longer than all our work. Everything is written, listeners end what was started,
 * and our shell does not mind how we end.
 */
function end({ given }) {
  if (given !== undefined) {
    process.emit('exit');
    process.kill(process.pid, 'SIGKILL');
  }
  process.exit();
}

/** A file of ours is gone or damaged, or cannot be opened: our shell is told so, and blocks what a guard should have checked. */
function broken() {
  process.exit(process.argv.length > 4 ? 1 : 0);
}

/** Returns a promise when tools are called. */
function fire(at) {
  const rules = rulesFor(at);
  if (rules.muted) return undefined;
  at.stdin = readStdin(at);
  const firing = read(at, at.stdin);
  if (!firing) return undefined;
  if (at.chain) return require('./chain.cjs').fire(at, firing, rules, module.exports);
  return plainly(at, firing, rules);
}

/** The outcome of an event that only has hooks of SEP-2282. */
function plainly(at, firing, rules) {
  const fitting = at.hooks.filter((hook) => fits(hook, firing, at));
  for (const hook of fitting) if (hook.act === 'mark') remember(memory(hook, firing, at, 'mark'));
  const { heard, left } = within(rules, fitting, (hook) => waits(hook, firing, at));
  const speaking = heard.filter((hook) => isDue(hook, firing, at, rules));
  if (speaking.length === 0) return undefined;
  const hands = rules.redact !== false && speaking.some((hook) => hook.hands);
  const said =
    hands && require('./redact.cjs').mayHoldSecrets([firing.input, firing.output])
      ? mask(firing).then((reasons) => say(speaking, left, reasons, firing, at, rules))
      : say(speaking, left, [], firing, at, rules);
  return said?.catch((error) => {
    for (const hook of speaking) forget(hook, firing, at);
    fail(at, error);
  });
}

/** From here on nobody sees a secret of the tool's input or output. */
async function mask(firing) {
  const { values, reason } = await require('./redact.cjs').masked([firing.input, firing.output], {
    until: firing.until,
  });
  [firing.input, firing.output] = values;
  return reason === undefined ? [] : [{ code: reason }];
}

/** A promise when tools are called. */
function say(speaking, left, reasons, firing, at, rules) {
  const tell = (replies, more, kept, times) =>
    speak(speaking, left, replies, [...reasons, ...more], firing, at, rules, kept, times);
  const calls = speaking.filter((hook) => hook.call);
  if (calls.length === 0 || !at.server) return tell(new Map(), []);
  const began = Date.now();
  return require('./call.cjs')
    .askHooks(calls, firing, at, rules, { checksum, folder: memoriesOf(at.state), remember })
    .then(async ({ replies, reasons: more, asked }) => {
      const times = { asked, waited: Date.now() - began };
      return tell(replies, more, await maskedOf(replies), times);
    });
  /** A tool's reply may hold a secret, and our other runners repeat it. */
  async function maskedOf(replies) {
    if (rules.redact === false || momentOf(firing, at) === undefined) return undefined;
    const same = (text) => text;
    // Cut before masking, a secret at its end would no longer be recognised.
    const texts = [...replies.values()].map(({ text }) => text);
    const { values } = await require('./redact.cjs').masked(texts);
    const seen = new Map([...replies.keys()].map((hook, nth) => [hook, { text: values[nth] }]));
    return require('./words.cjs').word(speaking, left, seen, firing, at, rules, same).text;
  }
}

/** Tells what there is to tell, and remembers which hooks were heard. */
function speak(speaking, left, replies, reasons, firing, at, rules, kept, times) {
  const { text, characters, told, lengths, answer } =
    foreseen(speaking, left, replies, firing, at, rules) ??
    require('./words.cjs').word(speaking, left, replies, firing, at, rules, (text) =>
      repeated(text, firing, at, kept),
    );
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
        each: require('./each.cjs').eachOf({ done, told, lengths, ...times }, at),
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
function repeated(text, firing, at, kept = text) {
  const moment = momentOf(firing, at);
  if (moment === undefined) return text;
  const { session } = firing;
  const fileOf = (fact) => memory({ id: '0' }, { session }, { ...at, label: at.native }, fact);
  const former = fileOf('said-');
  const file = fileOf(`said-${plain(moment, 80)}`);
  try {
    return require('./repeats.cjs').withOthers(text, kept, { file, former, open });
  } catch {
    return text; // our own counts, whatever becomes of those of others
  }
}

/** A value that all runners of an event share, if only the last answer counts; undefined: each answer counts. */
function momentOf({ payload }, at) {
  const moment = get(payload, at.wire.repeats);
  return typeof moment === 'string' || typeof moment === 'number' ? String(moment) : undefined;
}

function tidy(at) {
  const { state, label } = at;
  require('./tidy.cjs').tidy(at, { log: logOf(state, label), folder: memoriesOf(state), claim });
}

/** The answer of a hook that speaks alone, in words known since the install (`alone` in words.cjs). */
function foreseen(speaking, left, replies, { tool, isName }, at, rules) {
  const [hook] = speaking;
  const { alone, call } = hook;
  if (!alone || speaking.length > 1 || left.length > 0 || rules !== at.policy.rules)
    return undefined;
  const isNamed = alone.answer.length > 1;
  if (process.env.MCP_HOOKS_DEBUG === '1' || (isNamed && !isName)) return undefined;
  const name = isNamed ? tool : '';
  const answer = alone.answer.join(name);
  const characters = alone.characters + name.length;
  if (!call) return { told: speaking, lengths: [characters], answer, characters };
  const { text = '' } = replies.get(hook) ?? {};
  // Only for such a text do we know that nothing in it has to change.
  if (!/^[\t\n -;=-~]*$/.test(text) || text.trim() === '') return undefined;
  const { mark, most } = alone.reply;
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
function standsDown({ hosts }) {
  const { env } = process;
  if (!hosts || (hosts.own && env[hosts.own] && isAncestor(Number(env[hosts.own])))) return false;
  return Object.entries(hosts.others).some(
    ([id, markers]) =>
      markers.some((name) => env[name]) &&
      fs.readdirSync(__dirname).some((name) => name.startsWith(`${id}.`)),
  );
}

/** An ancestor of us, or of the shell that started us. */
function isAncestor(pid) {
  if (pid === process.ppid) return true;
  try {
    const stat = fs.readFileSync(`/proc/${process.ppid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]) === pid;
  } catch {
    return false;
  }
}

function rulesFor(at) {
  if (!fs.existsSync(`${at.state}/policy.json`)) return at.policy.rules;
  return require('./policy.cjs').rulesFor(at);
}

// What has happened.

/** The event in neutral terms; undefined when hooks have nothing to do with it. */
function read({ wire, names, started = Date.now(), most }, stdin) {
  const payload = payloadIn(stdin);
  const name = get(payload, wire.toolName);
  const prompt = get(payload, wire.prompt);
  const firing = {
    session: String(get(payload, wire.session) ?? ''),
    cwd: folderIn(payload, wire),
    source: get(payload, wire.source),
    occasion: wire.occasion
      .map((at) => get(payload, at))
      .filter((value) => value !== undefined)
      .map(serialise),
    transcript: get(payload, wire.transcript),
    continued: get(payload, wire.continued) === true,
    claimed: new Map(),
    payload,
    until: started + most,
    texts: new Map(),
    tool: typeof name === 'string' ? name : undefined,
    // It cannot be taken for a sentence, and is the same in JSON.
    isName: typeof name === 'string' && name.length <= 200 && /^[\w.:@+-]+$/.test(name),
    names: typeof name === 'string' ? toolNames({ wire, names }, payload, name) : [],
    server: get(payload, wire.serverName),
    input: get(payload, wire.toolInput),
    output: wire.toolOutput.map((at) => get(payload, at)).find((value) => value !== undefined),
  };
  if (typeof prompt !== 'string') return firing;
  // A prompt that no user wrote is not a request: a subagent's, the client's own, an empty one after tool calls.
  const written = wire.promptPrefix ? prompt.replace(new RegExp(wire.promptPrefix), '') : prompt;
  firing.prompt = written;
  if (wire.subagent && get(payload, wire.subagent) !== undefined) return undefined;
  if (wire.ownPrompt && new RegExp(wire.ownPrompt).test(written)) return undefined;
  return written.trim() === '' ? undefined : firing;
}

/** Throws if it is not an object, of which nobody can say what it is about. */
function payloadIn(stdin) {
  try {
    const payload = JSON.parse(stdin.startsWith('\uFEFF') ? stdin.slice(1) : stdin);
    if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return payload;
  } catch {}
  throw require('./values.cjs').fault('payload-invalid');
}

/** The session's folder. No system can open a path that is longer, and looking for its repository would take long. */
function folderIn(payload, wire) {
  const folder = String(get(payload, wire.cwd) ?? process.cwd());
  return folder.length <= 4096 ? folder : process.cwd();
}

/** Every name under which a declaration may know the tool. */
function toolNames({ wire, names }, payload, name) {
  const clean = (text) => text.replace(new RegExp(`[^${names.allowed}]`, 'g'), '_');
  const server = get(payload, wire.serverName);
  const tool = get(payload, wire.serverTool);
  const all = [name, ...(Object.hasOwn(names.aliases, name) ? names.aliases[name] : [])];
  if (typeof server === 'string' && typeof tool === 'string')
    all.push(`mcp__${clean(server)}__${clean(tool)}`);
  else if (names.apart) all.push(...apart(names.apart, name).map(clean));
  else if (name.startsWith('mcp__')) all.push(clean(name));
  return all;
}

/** Each way to split the name of a server's tool. A real name has few. */
function apart({ prefix, separator, own }, name) {
  const all = [];
  if (!name.startsWith(prefix) || own.includes(name)) return all;
  const next = (from) => name.indexOf(separator, from + 1);
  for (let at = next(prefix.length); at !== -1 && all.length < 20; at = next(at))
    all.push(`mcp__${name.slice(prefix.length, at)}__${name.slice(at + separator.length)}`);
  return all;
}

// Which hooks an event is for.

function fits(hook, firing, at) {
  try {
    if (hook.act === 'ask' && firing.continued) return false;
    return !hook.when || matches(hook.when, firing, at);
  } catch (error) {
    if (error.why || hook.extended) throw error; // no time is left, or a guard cannot tell (chain.cjs)
    return false; // one hook that is not understood does not silence the others
  }
}

/** All conditions must hold. */
function matches(when, firing, at) {
  if (when.tool !== undefined && !firing.names.some((name) => isOf(name, when))) return false;
  if (when.server !== undefined && !isServer(when.server, firing, at)) return false;
  return when.input === undefined || contains(firing, when.input);
}

/**
 * Whether the tool's input contains a text: its JSON, or a string in it as the tool gets it (a quote, a newline). What is long
 * or nested deeply may take long, so another file looks through that.
 */
function contains(firing, needle) {
  const { input } = firing;
  if (input === undefined) return false;
  firing.json ??= serialise(input); // once for all hooks
  const isInside = (value) => {
    if (typeof value !== 'object' || value === null)
      return typeof value === 'string' && value.includes(needle);
    const isKey = !Array.isArray(value) && Object.keys(value).some((key) => key.includes(needle));
    return isKey || Object.values(value).some(isInside);
  };
  if (firing.json.length <= SHORT && needle.length <= 250)
    try {
      return firing.json.includes(needle) || isInside(input);
    } catch {} // it is nested too deeply
  return require('./texts.cjs').contains(firing, input, needle);
}
const SHORT = 16 * 1024;

/** Whether it is one of the names that are meant. */
const isOf = (name, { tool, mcpTool = [] }) =>
  tool.some((glob) => isLike(name, glob)) ||
  (name.startsWith('mcp__') && mcpTool.some((glob) => isLike(name, glob)));

/**
 * Whether a glob matches a name (src/compile/glob.ts). Uses no regular expression, because a stranger's can take for ever:
 * each part is looked for once, from left to right.
 */
function isLike(name, glob) {
  const [first, last] = [glob[0], glob.at(-1)];
  let at = endOf(name, first, 0);
  if (at === -1) return false;
  if (glob.length === 1) return at === name.length;
  for (const part of glob.slice(1, -1)) {
    at = find(name, part, at);
    if (at === -1) return false;
  }
  const length = typeof last === 'string' ? last.length : last.reduce(lengthWith, 0);
  return name.length - length >= at && endOf(name, last, name.length - length) !== -1;
}

/** Where the first match of a part ends that starts at `from` or later; -1: there is none. */
function find(name, part, from) {
  if (typeof part === 'string') {
    const at = indexIn(name, part, from);
    return at === -1 ? -1 : at + part.length;
  }
  for (let at = from; at < name.length; at++) {
    const end = endOf(name, part, at);
    if (end !== -1) return end;
  }
  return -1;
}

/** A long part could take long. */
const indexIn = (name, part, from) =>
  part.length > 250 ? require('./texts.cjs').indexIn(name, part, from) : name.indexOf(part, from);

/** Where a part that matches at this position ends; -1: it does not match. */
function endOf(name, part, at) {
  if (typeof part === 'string') return name.startsWith(part, at) ? at + part.length : -1;
  for (const piece of part) {
    const end = lengthWith(at, piece);
    if (end > name.length) return -1;
    if (typeof piece === 'string' ? !name.startsWith(piece, at) : !isOne(name[at], piece))
      return -1;
    at = end;
  }
  return at;
}

const lengthWith = (length, piece) =>
  length + (typeof piece === 'string' ? piece.length : typeof piece === 'number' ? piece : 1);

/** A number stands for that many arbitrary characters. A range has a first and a last character. */
const isOne = (character, piece) =>
  typeof piece === 'number' ||
  (piece.in ?? piece.out).some((range) => character >= range[0] && character <= range.at(-1)) ===
    'in' in piece;

function isServer(wanted, { server, names }, { names: { allowed } }) {
  // A plugin's server is called plugin:<plugin>:<server>.
  if (typeof server === 'string')
    return server === wanted || (server.startsWith('plugin:') && server.endsWith(`:${wanted}`));
  const clean = wanted.replace(new RegExp(`[^${allowed}]`, 'g'), '_');
  return names.some((name) => name.startsWith(`mcp__${clean}__`));
}

/** The strongest hooks, as many as the rules allow, and those that are left out. */
function within(rules, hooks, waits) {
  const rank = ({ ranks }) => (rules.trusted ? ranks.trusted : ranks.other);
  const heard = [];
  const left = [];
  for (const hook of hooks.toSorted((a, b) => rank(a) - rank(b))) {
    if ((hook.call && !rules.contextTool) || !waits(hook)) continue;
    const has = heard.length < rules.hooksPerEvent && rank(hook) < rules.hooksPerServer;
    (has ? heard : left).push(hook);
  }
  return { heard, left };
}

// What is remembered of a session: an empty file for each fact. Files are made and taken atomically, so hooks that run at
// the same time agree. The first stage uses the same names.

/** Whether a hook could be due now. This only looks and takes nothing. */
function waits({ id, act, marked, once, event }, firing, at) {
  const is = (fact) => fs.existsSync(memory({ id }, firing, at, fact));
  if (act === 'mark' || (marked && !is('mark'))) return false;
  return !once || event === 'session_start' || !is(`${act}-once`);
}

/** Whether this hook has to speak now. If several runners ask for the same event, only one gets a yes. */
function isDue(hook, firing, at, rules) {
  const name = (fact) => memory(hook, firing, at, fact);
  const { source, occasion } = firing;
  try {
    if (at.wire.continuing.includes(source) && history(hook, firing, at, rules).has) return false;
    if (occasion.length > 0) {
      // A client may ask twice for the same event, or two of our entries may. Some events do happen again.
      const window = at.wire.recurring.includes(source) ? 5000 : undefined;
      firing.moment ??= plain(occasion.join(' '), 80); // once for all hooks: it may be long
      if (!claim(name(`${at.native}-${firing.moment}`), window)) return false;
    }
    if (hook.once && hook.event === 'session_start') return isNew(hook, firing, at, rules);
    if (hook.once) return claim(lasting(hook, firing, name(`${hook.act}-once`)));
    if (rules.cooldown > 0 && !claim(lasting(hook, firing, name('told')), rules.cooldown * 1000))
      return false;
    return !hook.marked || take(name('mark'));
  } catch {
    // Where nothing can be remembered, telling twice is better than never telling. Starting another turn of the model is
    // not.
    return hook.act === 'tell' && (!hook.marked || take(name('mark')));
  }
}

/** Whether the session was not told yet, or has lost the text. It is only looked for when the history has begun anew. */
function isNew(hook, firing, at, rules) {
  const { has, begun } = history(hook, firing, at, rules);
  return claim(lasting(hook, firing, memory(hook, firing, at, `history-${begun}`))) && !has;
}

const history = (...facts) => require('./history.cjs').history(...facts);

/** What `forget` takes back. */
function lasting(hook, { claimed }, file) {
  claimed.set(hook, file);
  return file;
}

/** Undoes `isDue`. */
function forget(hook, firing, at) {
  if (hook.marked) remember(memory(hook, firing, at, 'mark'));
  try {
    fs.unlinkSync(firing.claimed.get(hook));
  } catch {}
}

/** The file of a fact. Its name, with what `claim` adds, has 255 bytes at most (src/install/ledger-change.ts relies on that, too). */
function memory({ id }, { session }, { state, client, label }, fact) {
  const name = `${client}.${plain(session, 64)}.${label}.${id}.${fact}`;
  const short = name.length <= 240 ? name : `${name.slice(0, 200)}~${checksum(name)}`;
  return `${memoriesOf(state)}/${short}`;
}

const memoriesOf = (state) => `${state}/sessions`;

/** Ids stay readable as part of a file's name; anything else becomes a checksum. */
const plain = (text, most) =>
  text.length <= most && /^[\w -]+$/.test(text) ? text : `~${checksum(text)}`;

function checksum(text) {
  let a = 0x811c9dc5;
  let b = 0x1b873593;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b) + (a >>> 7);
  }
  const hex = (half) => (half >>> 0).toString(16).padStart(8, '0');
  return hex(a) + hex(b);
}

/** True for one of all that ask at the same time, and again only after `window` milliseconds. */
function claim(file, window = Number.POSITIVE_INFINITY) {
  if (make(file)) return true;
  const { mtimeMs: last } = fs.statSync(file);
  const age = Date.now() - last;
  if (age < window && age > -window) return false; // or the clock was set back
  // All who find it old try to make the same.
  if (!make(`${file}.${Math.trunc(last)}`)) return false;
  const now = new Date();
  fs.utimesSync(file, now, now);
  return true;
}

/** False when it is there already. Looking is cheaper than an error. */
function make(file) {
  if (fs.existsSync(file)) return false;
  try {
    fs.closeSync(open(file, 'wx'));
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

function remember(file) {
  try {
    fs.closeSync(open(file, 'w'));
  } catch {}
}

/**
 * Opens a file in a folder of the state folder. The state folder itself is never made: when it is gone, an uninstall has
 * just removed it.
 *
 * @param how A key of `HOW`.
 */
function open(file, how) {
  const flags = HOW[how];
  try {
    return fs.openSync(file, flags, 0o600);
  } catch (error) {
    const folder = file.slice(0, file.lastIndexOf('/'));
    if (error.code === 'ENOTDIR')
      fs.unlinkSync(folder); // no folder of ours is a file
    else if (error.code !== 'ENOENT') throw error;
    try {
      fs.mkdirSync(folder, { mode: 0o700 });
    } catch ({ code }) {
      if (code !== 'EEXIST') throw error;
    }
    return fs.openSync(file, flags, 0o600);
  }
}

const { O_APPEND, O_CREAT, O_EXCL, O_NONBLOCK = 0, O_TRUNC, O_WRONLY } = fs.constants;
/** If a pipe is in the place of a file, opening it or writing to it fails and does not wait for a reader. */
const WRITING = O_WRONLY | O_CREAT | O_NONBLOCK;
const HOW = { a: WRITING | O_APPEND, w: WRITING | O_TRUNC, wx: WRITING | O_EXCL };

function take(file) {
  try {
    if (!fs.existsSync(file)) return false;
    fs.unlinkSync(file);
    return true;
  } catch {
    return false;
  }
}

// What is printed and logged.

/** Writes all of the text, to a pipe that may be full or closed. */
function print(at, text) {
  if (at.to) return at.to.print(text); // src/sdk/engine/engine.ts, which we run in
  for (let from = 0; from < text.length; )
    try {
      from += fs.writeSync(1, from === 0 ? text : text.slice(from)); // ASCII: a byte is a character
    } catch (error) {
      if (error.code !== 'EAGAIN' || !pause(at)) return;
    }
}

/** One line for each firing that said something or failed. The text itself is only logged when the user debugs. */
function log({ to, state, label, client, native, started }, facts) {
  if (to) return to.log(facts);
  const trial = process.env.MCP_HOOKS_TRIAL ? { trial: true } : {};
  const milliseconds = Date.now() - started;
  const line = { at: started, client, event: native, milliseconds, ...facts, ...trial };
  try {
    const file = open(logOf(state, label), 'a');
    fs.writeSync(file, `${JSON.stringify(line)}\n`);
    fs.closeSync(file);
  } catch {}
}

function fail(at, error) {
  try {
    const { reasonOf } = require('./values.cjs');
    log(at, { hooks: [], characters: 0, why: [reasonOf(error)] });
    if (at.started % 64 === 0) tidy(at); // what always fails leaves a line each time
  } catch {}
}

const logOf = (state, label) => `${state}/log/${label}.jsonl`;

function serialise(value) {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    return require('./json.cjs').jsonOf(value); // it is nested too deeply
  }
}

/** The value at a dotted path. */
function get(value, at) {
  if (at === undefined) return undefined;
  if (!at.includes('.')) return value[at];
  for (const key of at.split('.'))
    value = typeof value === 'object' && value !== null ? value[key] : undefined;
  return value;
}

/** Everything on stdin; it may be a pipe that says "try again", unless it is our shell's. */
function readStdin(at) {
  if (at.given === 'whole') return fs.readFileSync(0, 'utf8');
  let bytes = Buffer.allocUnsafeSlow(16 * 1024);
  let length = 0;
  let looks = 8;
  for (;;) {
    if (length === bytes.length) bytes = Buffer.concat([bytes], 4 * length);
    try {
      const more = fs.readSync(0, bytes, length, bytes.length - length, null);
      if (more === 0) break;
      length += more;
      // A client may keep stdin open, so an object that has ended is taken for all of it. Each look takes time in proportion
      // to all that has arrived.
      if (endsLikeObject(bytes, length) && looks-- > 0 && isJson(bytes, length)) break;
    } catch (error) {
      if (error.code === 'EOF') break;
      if (error.code !== 'EAGAIN' || !pause(at)) throw error;
    }
  }
  return bytes.utf8Slice(0, length);
}

/** Whether the last byte is `}`, or a line feed after one. */
const endsLikeObject = (bytes, length) =>
  bytes[length - 1] === 0x7d || (bytes[length - 1] === 0x0a && bytes[length - 2] === 0x7d);

const isJson = (bytes, length) => {
  const text = bytes.utf8Slice(0, length);
  try {
    JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
    return true;
  } catch {
    return false;
  }
};

/** Waits a moment. False when there is no time left. */
function pause({ started, deadline }) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
  return Date.now() < started + deadline;
}

/**
 * A `require` that reads the files next to this one. Node's own, which looks for packages and follows links on the way to
 * each of them, takes several times as long to find a file as to read it.
 */
function quick(slow) {
  const loaded = new Map();
  return function load(name) {
    if (!name.startsWith('./')) return slow(name);
    const known = loaded.get(name);
    if (known) return known.exports;
    const text = fs.readFileSync(`${__dirname}/${name}`, 'utf8');
    let run;
    try {
      run = new Function('module', 'require', '__dirname', text);
    } catch {
      return slow(name); // an option of node forbids this, and not every shell of ours takes such options away
    }
    const module = { exports: {} };
    loaded.set(name, module);
    run(module, load, __dirname);
    return module.exports;
  };
}

// For callers that ask why a hook says nothing (src/compile/second-stage.ts). The files next to this one never require it:
// they are handed what they need.
module.exports = {
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
  open,
  plainly,
  print,
  read,
  readStdin,
  remember,
  momentOf,
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
