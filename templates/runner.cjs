/**
 * mcp-hooks: the second stage of the hook runner.
 *
 *   node runner.cjs <client> <native event>   < payload   > one JSON object of the client's shape, or nothing
 *
 * Started on every matching event of every session, so: CommonJS, node built-ins only, required when needed.
 * All knowledge of clients and declarations is in `<client>.json` beside this file (src/compile/program.ts).
 * It exits 0 whatever happens and never prints anything but its answer.
 */
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const started = Date.now();
const [client, native] = process.argv.slice(2);

async function main() {
  const program = JSON.parse(fs.readFileSync(path.join(__dirname, `${client}.json`), 'utf8'));
  try {
    await fire(program);
  } catch (error) {
    log(program, { failed: nameOf(error) });
  }
}

async function fire(program) {
  const event = program.events[native];
  if (!event) return;
  const firing = read(program, readStdin());
  if (!firing) return;
  const hooks = event.hooks.filter((hook) => applies(hook, firing, program));
  for (const hook of hooks) if (hook.act === 'mark') setMark(program, firing, hook);
  const speaking = hooks.filter((hook) => hook.act !== 'mark');
  if (speaking.length === 0) return;

  const replies = await callTools(program, firing, speaking, event.deadline);
  const said = speaking
    .filter((hook) => hook.act !== 'call')
    .map((hook) => ({
      hook,
      text: hook.call ? replies.get(hook) : fill(hook.text, firing, program),
    }))
    .filter(({ text }) => typeof text === 'string' && text.trim() !== '');
  const text = fit(
    said.map(({ hook, text }) => `${heading(program, hook, firing)}\n${quoted(text)}`),
    program,
  );
  if (text !== '') print(program, said[0].hook, text);
  log(program, { hooks: speaking.length, characters: text.length });
}

/** What has happened, in neutral terms; undefined when it is nothing that hooks are for. */
function read(program, stdin) {
  const { wire } = program;
  const payload = JSON.parse(stdin.replace(/^\uFEFF/, ''));
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return undefined;
  const name = get(payload, wire.toolName);
  const prompt = get(payload, wire.prompt);
  const firing = {
    session: String(get(payload, wire.session) ?? ''),
    cwd: String(get(payload, wire.cwd) ?? process.cwd()),
    continued: get(payload, wire.continued) === true,
    tool: typeof name === 'string' ? name : undefined,
    names: typeof name === 'string' ? toolNames(program, payload, name) : [],
    server: get(payload, wire.serverName),
    input: get(payload, wire.toolInput),
    output: wire.toolOutput.map((at) => get(payload, at)).find((value) => value !== undefined),
  };
  if (typeof prompt !== 'string') return firing;
  // A prompt that no user wrote is no request: a subagent's, the client's own, an empty one after tool calls.
  const written = wire.promptPrefix ? prompt.replace(new RegExp(wire.promptPrefix), '') : prompt;
  if (wire.subagent && get(payload, wire.subagent) !== undefined) return undefined;
  if (wire.ownPrompt && new RegExp(wire.ownPrompt).test(written)) return undefined;
  return written.trim() === '' ? undefined : firing;
}

/** Every name under which a declaration may know the tool. */
function toolNames({ wire, names }, payload, name) {
  const clean = (text) => text.replace(new RegExp(`[^${names.allowed}]`, 'g'), '_');
  const server = get(payload, wire.serverName);
  const tool = get(payload, wire.serverTool);
  const all = [name, ...(names.aliases[name] ?? [])];
  if (typeof server === 'string' && typeof tool === 'string')
    all.push(`mcp__${clean(server)}__${clean(tool)}`);
  else if (name.startsWith('mcp__')) all.push(clean(name));
  return all;
}

function applies(hook, firing, program) {
  try {
    if (hook.act === 'ask' && firing.continued) return false;
    if (hook.when && !matches(hook.when, firing, program)) return false;
    if (hook.marked && !takeMark(program, firing, hook)) return false;
    return !hook.once || isFirst(program, firing, hook);
  } catch {
    return false; // one hook that is not understood does not silence the others
  }
}

/** All that is asked for must hold. */
function matches(when, firing, program) {
  if (when.tool !== undefined) {
    const pattern = new RegExp(when.tool);
    if (!firing.names.some((name) => pattern.test(name))) return false;
  }
  if (when.server !== undefined && !isServer(when.server, firing, program)) return false;
  return when.input === undefined || contains(firing.input, when.input);
}

function isServer(wanted, { server, names }, { names: { allowed } }) {
  // A plugin's server is called plugin:<plugin>:<server>.
  if (typeof server === 'string')
    return server === wanted || (server.startsWith('plugin:') && server.endsWith(`:${wanted}`));
  const clean = wanted.replace(new RegExp(`[^${allowed}]`, 'g'), '_');
  return names.some((name) => name.startsWith(`mcp__${clean}__`));
}

/** In the serialised input, or in a string of it as the tool gets it (a quote, a newline). */
function contains(input, needle) {
  if (input === undefined) return false;
  if (serialise(input).includes(needle)) return true;
  const inside = (value) =>
    typeof value === 'string'
      ? value.includes(needle)
      : typeof value === 'object' && value !== null && Object.values(value).some(inside);
  return inside(input);
}

/** The variables of SEP-2282; what is not known stays as it is, as does anything in double braces. */
function fill(text, firing, { limits }) {
  return text.replace(/\{\{[^{}]*\}\}|\{([a-z_]+)\}/g, (all, name) => {
    const value = name && Object.hasOwn(VARIABLES, name) ? VARIABLES[name](firing) : undefined;
    if (value === undefined || value.length <= limits.variable) return value ?? all;
    const kept = value.slice(0, limits.variable).replace(/[\uD800-\uDBFF]$/, '');
    return `${kept} ... (${value.length - kept.length} more characters)`;
  });
}

const VARIABLES = {
  project_name: ({ cwd }) => projectName(cwd),
  tool_name: ({ tool }) => tool,
  tool_input: ({ input }) => (input === undefined ? undefined : serialise(input)),
  tool_output: ({ output }) => (output === undefined ? undefined : serialise(output)),
  session_id: ({ session }) => session || undefined,
};

/** A tool is given its data whole; only what the model reads is kept short. */
const UNLIMITED = { limits: { variable: Number.POSITIVE_INFINITY } };

/** The folder that holds the repository the session is in, else the folder it is in. */
function projectName(cwd) {
  for (let at = path.resolve(cwd); ; at = path.dirname(at)) {
    if (fs.existsSync(path.join(at, '.git'))) return path.basename(at);
    if (at === path.dirname(at)) return path.basename(path.resolve(cwd));
  }
}

const serialise = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Who says it, how strongly, and about what: facts for the model, never orders. */
function heading({ label }, { event, priority }, { tool }) {
  const moment = {
    session_start: 'at the start of the session',
    session_end: 'before the session ends',
    pre_tool_use: `about the call of ${tool}`,
    post_tool_use: `after the call of ${tool}`,
    pre_request: 'about this prompt',
    post_request: 'after the last turn',
  };
  return `Message from the MCP server "${label}" ${moment[event]}, priority ${priority}:`;
}

/** A text cannot pose as somebody else's: a line that begins like our heading is quoted. */
const quoted = (text) => text.replace(/^(?=\s*Message from the MCP server )/gm, '> ');

/** The texts that have room, strongest first; how many have none is said in a line. */
function fit(texts, { label, limits }) {
  let out = '';
  let left = 0;
  for (const text of texts) {
    const next = out === '' ? text : `${out}\n\n${text}`;
    if (Buffer.byteLength(next) <= limits.event) out = next;
    else if (out === '') out = `${cut(text, limits.event)} ... (cut: too long)`;
    else left++;
  }
  return left === 0 ? out : `${out}\n\n(${left} more from "${label}" left out: too long)`;
}

/** The beginning of a text, in bytes, without half a character at its end. */
const cut = (text, bytes) =>
  Buffer.from(text)
    .subarray(0, bytes)
    .toString()
    .replace(/\uFFFD+$/, '');

/** One JSON object in the client's shape, in ASCII: some clients decode each chunk of stdout by itself. */
function print({ wire }, hook, text) {
  const parts = { '{text}': text.toWellFormed(), '{event}': native };
  const answer = mapStrings(
    hook.act === 'ask' ? wire.ask : wire.tell,
    (part) => parts[part] ?? part,
  );
  const json = JSON.stringify(answer);
  process.stdout.write(
    json.replace(/[\u007F-\uFFFF]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

// What is remembered of a session: an empty file for each fact, made and taken atomically.

function marker({ state, label }, { session }, { id }, kind) {
  const hash = require('node:crypto').createHash('sha256').update(`${client}\n${session}`);
  const folder = folderIn(state, 'sessions', hash.digest('hex').slice(0, 24));
  return path.join(folder, `${label}.${id}.${kind}`);
}

/** A folder in the state folder, which is never made: when it is gone, an uninstall has just removed it. */
function folderIn(state, ...names) {
  let at = state;
  for (const name of names) {
    at = path.join(at, name);
    try {
      fs.mkdirSync(at, { mode: 0o700 });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
  return at;
}

function isFirst(program, firing, hook) {
  try {
    fs.closeSync(fs.openSync(marker(program, firing, hook, `${hook.act}-once`), 'wx', 0o600));
    return true;
  } catch (error) {
    // Where nothing can be remembered, told again is better than never; another turn of the model is not.
    return error.code !== 'EEXIST' && hook.act === 'tell';
  }
}

function setMark(program, firing, hook) {
  try {
    fs.closeSync(fs.openSync(marker(program, firing, hook, 'mark'), 'w', 0o600));
  } catch {}
}

function takeMark(program, firing, hook) {
  try {
    fs.unlinkSync(marker(program, firing, hook, 'mark'));
    return true;
  } catch {
    return false;
  }
}

// Tools. A reply is text and nothing but text, whatever it looks like.

/** The texts that the tools of these hooks return; a tool that fails or is late returns none. */
async function callTools(program, firing, hooks, deadline) {
  const replies = new Map();
  const calls = hooks.filter((hook) => hook.call);
  if (calls.length === 0 || !program.server) return replies;
  const wanted = calls.map((hook) => ({
    name: hook.call.tool,
    arguments: mapStrings(hook.call.args, (text) => fill(text, firing, UNLIMITED)),
  }));
  const left = Math.max(0, deadline - (Date.now() - started));
  try {
    const over = 'url' in program.server ? overHttp : overStdio;
    await over(program.server, firing.cwd, wanted, left, (index, result) => {
      const text = textOf(result);
      if (text !== undefined) replies.set(calls[index], text);
    });
  } catch (error) {
    log(program, { failed: nameOf(error) });
  }
  return replies;
}

function mapStrings(value, change) {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((inner) => mapStrings(inner, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, mapStrings(inner, change)]),
  );
}

function textOf(result) {
  if (!result || result.isError || !Array.isArray(result.content)) return undefined;
  const texts = result.content.filter(
    (part) => part?.type === 'text' && typeof part.text === 'string',
  );
  return texts.length > 0 ? texts.map((part) => part.text).join('\n') : undefined;
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'mcp-hooks', version: '1' },
  },
};
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };
const request = (call, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: call });

/** Starts the server, makes the calls, ends it. It holds none of our streams and is gone when we are. */
function overStdio(server, cwd, calls, deadline, onResult) {
  const { spawn } = require('node:child_process');
  const own = process.platform !== 'win32'; // a process group of its own, so that its children end with it
  const child = spawn(server.command, server.args, {
    cwd: fs.existsSync(cwd) ? cwd : undefined,
    env: { ...process.env, ...fromManifest(server.env, 'env') },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: own,
    windowsHide: true,
  });
  const kill = (signal) => {
    try {
      if (own) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {}
  };
  process.on('exit', () => kill('SIGKILL'));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, () => process.exit(0));

  return new Promise((resolve, reject) => {
    const waiting = new Set(calls.keys());
    let failure = new Error('no answer in time');
    const end = (error) => {
      failure = error;
      kill('SIGTERM');
      setTimeout(() => kill('SIGKILL'), 200).unref();
    };
    const timer = setTimeout(() => kill('SIGKILL'), deadline);
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on('exit', () => {
      kill('SIGKILL'); // what it left behind
      // What it wrote is read to its end, unless somebody who cannot be ended holds it open.
      setTimeout(() => child.stdout.destroy(), 200).unref();
    });
    child.on('close', () => {
      clearTimeout(timer);
      if (waiting.size === 0) resolve();
      else reject(failure);
    });
    child.stdin.on('error', () => {});
    const send = (message) => child.stdin.write(`${JSON.stringify(message)}\n`);
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        const message = parse(line);
        if (message?.method !== undefined) continue; // its own questions
        if (message?.id === INITIALIZE.id) {
          if (!message.result) return end(new Error('initialize was refused'));
          send(INITIALIZED);
          for (const [index, call] of calls.entries()) send(request(call, index));
        } else if (waiting.delete(message?.id)) {
          onResult(message.id, message.result);
          if (waiting.size === 0) end();
        }
      }
    });
    send(INITIALIZE);
  });
}

/** Streamable HTTP: a POST for each message, answered with JSON or one event stream. */
async function overHttp(server, _cwd, calls, deadline, onResult) {
  const headers = {
    ...fromManifest(server.headers, 'headers'),
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const signal = AbortSignal.timeout(deadline);
  const post = async (message) => {
    const response = await fetch(server.url, {
      method: 'POST',
      headers,
      body: JSON.stringify(message),
      signal,
    });
    const session = response.headers.get('mcp-session-id');
    if (session) headers['mcp-session-id'] = session;
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return answerIn(response, message.id);
  };
  const hello = await post(INITIALIZE);
  if (!hello?.result) throw new Error('initialize was refused');
  headers['mcp-protocol-version'] = hello.result.protocolVersion;
  await post(INITIALIZED);
  await Promise.all(
    calls.map(async (call, index) => onResult(index, (await post(request(call, index)))?.result)),
  );
}

/** The answer to a message: the body, or an event of a stream, which is not read beyond it. */
async function answerIn(response, id) {
  const isAnswer = (message) => message && message.id === id && message.method === undefined;
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk, { stream: true }).replace(/\r/g, '');
    const events = rest.split('\n\n');
    if (events.length === 1) continue;
    rest = events.pop();
    for (const event of events) {
      const data = event.split('\n').filter((line) => line.startsWith('data:'));
      const message = parse(data.map((line) => line.slice(5)).join('\n'));
      if (isAnswer(message)) return message;
    }
  }
  const message = parse(rest);
  return isAnswer(message) ? message : undefined; // JSON as it is
}

/** `server.env` or `server.headers` of a manifest, read now: values like these are not copied anywhere. */
function fromManifest(from, key) {
  if (!from) return {};
  const strings = '"(?:\\\\.|[^"\\\\])*"';
  const keep = (_all, kept) => kept ?? '';
  const json = fs
    .readFileSync(from.manifest, 'utf8')
    .replace(new RegExp(`(${strings})|//[^\\n]*|/\\*[\\s\\S]*?\\*/|^\\uFEFF`, 'g'), keep)
    .replace(new RegExp(`(${strings})|,(?=\\s*[}\\]])`, 'g'), keep);
  const values = JSON.parse(json).server?.[key] ?? {};
  // Only the names that the user saw: a manifest may have changed since.
  return Object.fromEntries(
    from.names
      .filter((name) => typeof values[name] === 'string')
      .map((name) => [name, values[name]]),
  );
}

/** What went wrong, in a word: a message may quote what nobody should read. */
const nameOf = ({ code, name }) => (typeof code === 'string' ? code : name);

/** One line for each firing that said something or failed; never what was said. */
function log({ state, label }, facts) {
  try {
    const file = path.join(folderIn(state, 'log'), `${label}.jsonl`);
    if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 1024 * 1024)
      fs.renameSync(file, `${file}.1`);
    const at = new Date(started).toISOString();
    const line = { at, client, event: native, milliseconds: Date.now() - started, ...facts };
    fs.appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  } catch {}
}

/** The value at a dotted path. */
function get(value, at) {
  if (at === undefined) return undefined;
  for (const key of at.split('.'))
    value = typeof value === 'object' && value !== null ? value[key] : undefined;
  return value;
}

function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Everything on stdin; it may be a pipe that says "try again". */
function readStdin() {
  const chunks = [];
  const chunk = Buffer.alloc(64 * 1024);
  for (;;) {
    try {
      const length = fs.readSync(0, chunk);
      if (length === 0) return Buffer.concat(chunks).toString();
      chunks.push(Buffer.from(chunk.subarray(0, length)));
    } catch (error) {
      if (error.code === 'EOF') return Buffer.concat(chunks).toString();
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}

process.on('uncaughtException', () => process.exit(0));
process.stdout.on('error', () => {});
main().catch(() => {});
