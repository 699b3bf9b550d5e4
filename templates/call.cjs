/**
 * mcp-hooks: how the second stage of the hook runner calls a server's tools. A reply is text and nothing but text, whatever
 * it looks like. Loading node's own modules is what a call costs, so modules that not every call needs are required late.
 */
'use strict';
const fs = require('node:fs');
const { jsonOf } = require('./json.cjs');
const { fault, isObject, parse, reasonOf } = require('./values.cjs');

/** Bytes that a server may send: everything it writes over stdio, or one reply over HTTP. Also characters that it is sent for variables. */
const MOST = 4 * 1024 * 1024;
/** Milliseconds that a server has to end by itself, or to acknowledge the end of a session. */
const GRACE = 200;
/** How many of a server's own requests we answer. */
const QUESTIONS = 100;
/** How many characters of a server's words about a failed call we keep, and in how many we look for secrets. */
const SAID = 300;
const HEARD = 4000;
/** The same for the end of its stderr, most of which may be the stack of an error. */
const STDERR = 16_000;
/** Shorter values would be found in ordinary words. */
const SHORTEST = 8;
/** Names of variables that probably hold a secret. A server may get these from the user's environment. */
const TELLING = /key|token|secret|passw|credential|authoriz/i;
/** Letters and digits in one piece, which may be a secret although nothing names it. */
const OPAQUE = /^(?=(?:.*\d){2})(?=.*[A-Za-z])[\w+=~-]{16,}$/;

/**
 * The replies of these hooks' tools, and for tools with nothing to say the reasons. `asked`: for each hook how
 * many `milliseconds` its tool took, and whether it `failed`.
 *
 * @param known `folder`: where sessions are remembered; `until`: the deadline, if it is not the one in the rules;
 *   `envelopeOf`: the event, for hooks whose tools read it.
 */
async function askHooks(hooks, firing, at, rules, known) {
  const { folder, checksum, remember, envelopeOf = () => undefined } = known;
  const { until = at.started + Math.min(at.most, timeFor(at, rules)) } = known;
  const { entry, url, command, args } = at.server;
  const server = checksum(entry?.seen ?? url ?? JSON.stringify([command, args]));
  const envelopes = hooks.map(envelopeOf);
  let filled = 0;
  const wanted = hooks.map(({ call: { tool, args, own } }, index) => {
    const envelope = envelopes[index];
    // A tool gets its data whole; only what the model reads is marked and kept short.
    const facts = { ...firing, own };
    const fill = (text) => {
      if (!text.includes('{')) return text;
      if (envelope && text === '{event}') return envelope;
      return require('./words.cjs').replaceVariables(text, facts, (value) => {
        filled += value.length;
        if (filled > MOST) throw fault('out-of-time');
        return value;
      });
    };
    return {
      name: tool,
      arguments: mapStrings(args, fill),
      ...(envelope && { _meta: { [EVENT]: envelope } }),
    };
  });
  const began = Date.now();
  const results = await callTools(at.server, wanted, {
    cwd: firing.cwd,
    until,
    last: at.started + at.most,
    memory: memoryAt(`${folder}/${at.label}.${server}.modern`, remember),
    isTrial: process.env.MCP_HOOKS_TRIAL !== undefined,
    given: at.given,
  });
  const replies = new Map();
  const reasons = [];
  const asked = new Map();
  const waited = Date.now() - began;
  for (const [index, result] of results.entries()) {
    const { text, structured, reason, milliseconds = waited } = result;
    const isTold = envelopes[index] !== undefined && structured !== undefined;
    if (text !== undefined) replies.set(hooks[index], { text, ...(isTold && { structured }) });
    if (reason && !isTold) reasons.push(await harmless(reason));
    asked.set(hooks[index], { milliseconds, failed: text === undefined });
  }
  return { replies, reasons, asked };
}

/** Makes the server's own words fit for the log. They are masked before they are cut, because no rule finds half a secret. */
async function harmless({ said, ...reason }) {
  if (said === undefined) return reason;
  const { values, reason: unmasked } = await require('./redact.cjs').masked([said]);
  if (unmasked !== undefined) return reason;
  const [masked] = values;
  const line = reason.code === 'ended' ? lastWords(masked) : masked;
  if (line === '') return reason;
  const kept = line.slice(0, SAID).replace(/[\uD800-\uDBFF]$/, ''); // not half a character
  return { ...reason, said: line.length > SAID ? `${kept} ...` : line };
}

/** How an error begins on stderr in Node, Python, Go and Rust, and how npm and docker print one. */
const CRASH =
  /^(?:\w+: )?(?:[\w$.]*(?:error|exception)\b|panic:|thread .* panicked |npm (?:error|ERR!) code )/i;

/** The last error on a server's stderr, without its stack; if there is none, the last line. */
function lastWords(stderr) {
  const lines = stderr
    .split('\n')
    .filter((line) => /^[^\s}]/.test(line) && !line.startsWith('Node.js v'))
    .slice(-20);
  return oneLine(lines.slice(lines.findLastIndex((line) => CRASH.test(line))).join(' '));
}

const oneLine = (text) => text.replace(/\s+/g, ' ').trim();

/** A tool reads the event under this key of `_meta`, and in place of an argument that is just `{event}`. */
const EVENT = 'io.github.mcp-hooks/event';

/** Milliseconds that the rules allow for calls. */
const timeFor = ({ end }, { toolSeconds, sessionEndSeconds }) =>
  1000 * (end ? sessionEndSeconds : toolSeconds);

function mapStrings(value, change) {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((inner) => mapStrings(inner, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, mapStrings(inner, change)]),
  );
}

/**
 * Calls tools. By `until` (a time as in Date.now()) it has returned, and the server and all that it started are gone.
 *
 * @param calls `{ name, arguments }` for each tool.
 * @param at `cwd`: the session's folder; `memory`: what is known of the server's era (`memoryAt`); `last`: the deadline for
 *   work that must not be broken off; `isTrial`: the user wants to know why a call fails, and has time.
 * @returns For each call `{ text }`, or `{ reason }`, a code that says why there is nothing to tell; both when the tool was
 *   called and has nothing to say. Also `structured` if the tool returned structured content, and the `milliseconds` until it
 *   answered, if it did.
 */
async function callTools(server, calls, at) {
  const { cwd, until, last = until, memory = UNKNOWN, isTrial = false } = at;
  const results = calls.map(() => ({ reason: { code: 'no-answer-in-time' } }));
  if (Date.now() >= until) return results;
  const began = Date.now();
  let link;
  let over = false;
  try {
    const launch = launchOf(server, variablesFor(server.given, process.env, cwd));
    // What renews a token is not broken off.
    if (!('url' in launch)) require('./clock.cjs').endWithShell(at);
    link =
      'url' in launch
        ? reach(launch, authorises(launch) ? undefined : server.tokens, last)
        : start(launch);
    const hide = hiding(launch, link);
    const answered = converse(link, calls, memory, isTrial, (index, { reason, ...result }) => {
      const milliseconds = Date.now() - began;
      if (!over)
        results[index] = { ...result, milliseconds, ...(reason && { reason: hide(reason) }) };
    });
    await within(answered, until - Date.now());
  } catch (error) {
    results.fill({ reason: reasonOf(error) });
  }
  over = true;
  await link?.close(until);
  return results;
}

async function within(something, milliseconds) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([something, late]);
  clearTimeout(timer);
}

/**
 * Hides in a server's words the values that it was given: no rule may recognise them. Lines are joined only afterwards,
 * because a value may have several.
 */
const hiding =
  ({ url = '', headers, own, args = [] }, { token }) =>
  ({ said, ...reason }) => {
    if (said === undefined) return reason;
    const named = Object.entries(process.env).flatMap(([name, one]) =>
      TELLING.test(name) ? one : [],
    );
    const asked = Array.from(url.matchAll(/[?&][^=&?]*=([^&#]+)/g), ([, one]) => one);
    const typed = args.flatMap((one, index) => {
      const [flag = ''] = /^-.*/s.exec(args[index - 1] ?? '') ?? [];
      const [, name = flag, value = one] = /^([^=:]+)[=:]\s*(.+)/s.exec(one) ?? [];
      return TELLING.test(name) || OPAQUE.test(value) ? value : [];
    });
    const given = [...Object.values({ ...headers, ...own }), token?.() ?? ''];
    const secrets = [...given, ...named, ...asked, ...typed]
      .flatMap((one) => [one, one.trim(), one.replace(/^\w+ /, '')]) // behind "Bearer"
      .filter(({ length }) => length >= SHORTEST)
      .sort((a, b) => b.length - a.length);
    const hidden = secrets.reduce((rest, one) => rest.replaceAll(one, '***'), said);
    // Lines of stderr are told apart once the rules have masked it, too.
    return { ...reason, said: reason.code === 'ended' ? hidden : heard(oneLine(hidden)) };
  };

/** The beginning, up to the end of a word: no rule finds half a secret. */
function heard(line) {
  const rest = line.slice(HEARD, 10 * HEARD);
  return line.slice(0, HEARD) + rest.slice(0, rest.search(/\s|$/));
}

/** A server's words about a failed call. No model reads them. */
const saying = (text) => (typeof text === 'string' && text.trim() !== '' ? { said: text } : {});

function read({ result, error }) {
  if (error !== undefined || !result)
    return { reason: { code: 'call-refused', ...saying(error?.message) } };
  const texts = (Array.isArray(result.content) ? result.content : []).filter(
    (part) => part?.type === 'text' && typeof part.text === 'string',
  );
  const text = texts.map((part) => part.text).join('\n');
  if (result.isError) return { reason: { code: 'tool-failed', ...saying(text) } };
  if (result.resultType !== undefined && result.resultType !== 'complete')
    return { reason: { code: 'wants-more' } }; // nobody is there to be asked
  const structured = isObject(result.structuredContent) && {
    structured: result.structuredContent,
  };
  return text.trim() === ''
    ? { text: '', reason: { code: 'no-text' }, ...structured }
    : { text, ...structured };
}

// The two eras of the protocol: up to 2025-11-25 a handshake comes first; from 2026-07-28 on, each request says all.

const MODERN = '2026-07-28';
const CLIENT = { name: 'mcp-hooks', version: '1' };
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT };
/** The errors with which a server of the first era refuses a call without a handshake. It has not run the tool then. */
const NOT_WITHOUT_HANDSHAKE = [-32600, -32601, -32602, -32000];

/**
 * Makes the calls as the server's era wants them: the handshake first, unless we remember that the server has none. A server
 * of the second era refuses the handshake with an error. One of the first era hangs or ends without it.
 */
async function converse(link, calls, memory, isTrial, onResult) {
  const wasModern = memory.isModern();
  let heard = false;
  let shaken;
  const shake = async () => {
    const { result } = await link.ask('initialize', HELLO);
    if (!result) return false;
    await link.begin(result);
    return true;
  };
  const handshake = () => {
    shaken ??= shake();
    return shaken;
  };
  const modern = async (method, params) => {
    const _meta = { ...params._meta, ...META };
    const answer = await link.ask(method, { ...params, _meta }, MODERN);
    heard = true;
    return answer;
  };
  const make = async (call) => {
    if (!wasModern && (await handshake())) return link.ask('tools/call', call);
    const answer = await modern('tools/call', call);
    if (!wasModern && answer.result) memory.remember();
    const isRefused = wasModern && NOT_WITHOUT_HANDSHAKE.includes(answer.error?.code);
    if (!isRefused || !(await handshake())) return answer;
    memory.forget();
    return link.ask('tools/call', call);
  };
  /** The reason if the server has no such tool, which each server words differently; undefined if it has, or if we cannot tell. */
  const missing = async ({ name: tool }) => {
    const isOld = shaken !== undefined && (await shaken);
    const { result } = await (isOld ? link.ask('tools/list', {}) : modern('tools/list', {}));
    if (!Array.isArray(result?.tools) || result.nextCursor !== undefined) return undefined;
    const names = result.tools.map((one) => String(one?.name));
    const known = names.filter((name) => /^[\w./-]{1,128}$/.test(name)).slice(0, 100);
    return names.includes(tool) ? undefined : { reason: { code: 'tool-missing', tool, known } };
  };
  // Silence may mean that a different server answers here now. A network that is down means nothing.
  link.onSilence = () => {
    if (wasModern && !heard) memory.forget();
  };
  await Promise.all(
    calls.map(async (call, index) => {
      try {
        const found = read(await make(call));
        onResult(index, found);
        if (!isTrial || !FAILED.includes(found.reason?.code)) return;
        const why = await missing(call).catch(() => undefined); // the failure itself is already known
        if (why) onResult(index, why);
      } catch (error) {
        onResult(index, { reason: reasonOf(error) });
      }
    }),
  );
}

/** Some servers say that a missing tool has failed. Others refuse the call. */
const FAILED = ['call-refused', 'tool-failed'];

/** Remembers with an empty file that a server is of the second era. Where no file can be made, we find out each time. */
const memoryAt = (file, remember) => ({
  isModern: () => fs.existsSync(file),
  remember: () => remember(file),
  forget: () => {
    try {
      fs.unlinkSync(file);
    } catch {}
  },
});

const UNKNOWN = { isModern: () => false, remember: () => {}, forget: () => {} };

/** The answer to a server's own request: we are here, and can do nothing for it. */
function answerTo({ id, method }) {
  const answer = method === 'ping' ? { result: {} } : { error: REFUSAL };
  return { jsonrpc: '2.0', id, ...answer };
}
const REFUSAL = { code: -32601, message: 'Method not found' };

const isQuestion = (message) => typeof message?.method === 'string' && message.id !== undefined;
const isAnswer = (message) =>
  isObject(message) && message.method === undefined && ('result' in message || 'error' in message);

// Over stdio: a line of JSON for each message.

const running = new Set();
let watching = false;

/** Calls `end` with a signal when we end, if it is still in `running`. */
function watch(end) {
  running.add(end);
  if (watching) return;
  watching = true;
  process.on('exit', () => {
    for (const one of running) one('SIGKILL');
  });
  if (guest) return;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, () => process.exit(0));
}

/** In somebody else's process (src/sdk/engine/engine.ts) the signals are not ours to handle: the guard ends what we started. */
let guest = false;
function beGuest() {
  guest = true;
}

/** Starts the server. It holds none of our streams and is gone when the link is closed, or we are. */
function start({ command, args, cwd, env }) {
  const { spawn } = require('node:child_process');
  const windows = process.platform === 'win32';
  const { serverFamily } = require('./family.cjs');
  const family = serverFamily([command, ...args], env, cwd);
  const [program, ...words] = family.words;
  const child = spawn(program, words, {
    cwd,
    env: family.env,
    stdio: family.stdio,
    detached: !windows, // a process group of its own, so that its children end with it
    windowsHide: true,
  });
  family.begun(child);
  const end = (signal) => {
    if (windows || signal === 'SIGKILL') return family.end();
    try {
      process.kill(-child.pid, signal);
    } catch {} // it has ended
  };
  const waiting = new Map();
  let next = 0;
  let broken;
  const fail = (reason) => {
    broken ??= reason;
    for (const { reject } of waiting.values()) reject(broken);
    waiting.clear();
  };
  const send = (message) => child.stdin.write(`${jsonOf(message)}\n`);
  let questions = 0;
  const onLine = (line) => {
    const message = parse(line.replace(/^\uFEFF/, '')); // what some runtimes write first
    if (isQuestion(message) && ++questions <= QUESTIONS) send(answerTo(message));
    if (!isAnswer(message)) return;
    waiting.get(message.id)?.resolve(message);
    waiting.delete(message.id);
  };

  child.on('error', fail);
  if (child.pid !== undefined) watch(end);
  const ended = new Promise((resolve) => {
    child.on('exit', () => {
      if (!windows) end('SIGKILL'); // what it left behind
      running.delete(end);
      resolve();
      // Read its output to the end, unless a process that we cannot end holds the stream open.
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, GRACE).unref();
    });
  });
  // Read all the time, because a server waits where nobody does.
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr = (stderr + text).slice(-STDERR);
  });
  child.on('close', () => {
    const isCut = stderr.length === STDERR; // maybe in the middle of a secret
    fail(fault('ended', saying(isCut ? stderr.replace(/^.*\n?/, '') : stderr)));
  });
  child.stdin.on('error', () => {}); // it may end without reading
  readLines(child.stdout, onLine, () => fail(fault('answer-too-long')));

  return {
    ask: (method, params) =>
      new Promise((resolve, reject) => {
        if (broken) return reject(broken);
        const id = next++;
        waiting.set(id, { resolve, reject });
        send({ jsonrpc: '2.0', id, method, params });
      }),
    begin: () => send({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    async close(until) {
      this.onSilence?.();
      child.stdin.destroy();
      child.stdout.destroy();
      if (running.has(end)) {
        const left = Math.min(GRACE, until - Date.now());
        end(left > 0 ? 'SIGTERM' : 'SIGKILL');
        const kill = left > 0 && setTimeout(() => end('SIGKILL'), left);
        await within(ended, Math.max(0, left) + GRACE); // the kernel, too, may have to wait for it
        clearTimeout(kill);
        child.unref();
      }
      child.stderr.destroy(); // not earlier: writing to it might fail while the server ends
    },
  };
}

/** The folder that the client would start the server in. */
function folderFor({ folder }, environment, cwd) {
  const named = folder && environment[folder];
  return [named, cwd].find((path) => path && fs.existsSync(path));
}

/** Reads lines until there are too many. A long line that comes in pieces is put together once. */
function readLines(stream, onLine, onFlood) {
  let pieces = [];
  let length = 0;
  stream.setEncoding('utf8').on('data', (chunk) => {
    length += chunk.length;
    if (length > MOST) {
      stream.destroy();
      return onFlood();
    }
    const lines = chunk.split('\n');
    const rest = lines.pop();
    for (const line of lines) {
      onLine(pieces.length > 0 ? pieces.join('') + line : line);
      pieces = [];
    }
    pieces.push(rest);
  });
}

// Over Streamable HTTP: a POST for each message, answered with JSON or one stream of events.

/** Statuses with which a server refuses a message, if its body does not say so. */
const NOT_TAKEN = [400, 404, 405];
/** Redirects that keep the method and the body. */
const MOVED = [307, 308];

/** Talks to a server at an address. With `node:http`, because `fetch` costs some six times `node -e 0`. */
function reach(server, tokens, last) {
  let url = addressOf(server.url);
  const http = require(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const agent = new http.Agent({ keepAlive: true });
  const common = {
    ...server.headers,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const session = {};
  let next = 0;
  let questions = 0;
  const signIn = tokens && signInAt(tokens, url, lookup, last);

  const request = (method, headers, body, onResponse) =>
    new Promise((resolve, reject) => {
      const options = { method, agent, lookup, headers: { ...common, ...headers } };
      const sent = http.request(url, options);
      sent.on('error', reject);
      sent.on('response', (response) => {
        response.on('error', reject);
        onResponse(response, resolve, reject);
      });
      sent.end(body);
    });

  /** The answer to a message; undefined when none is awaited. */
  async function post(message, headers, moves = 3, refused = undefined) {
    const body = jsonOf(message);
    const token = await signIn?.token(refused);
    if (refused !== undefined && token === undefined) throw fault('not-signed-in');
    const sent = token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` };
    const done = await request('POST', sent, body, (response, resolve, reject) => {
      const { statusCode: status, headers: got } = response;
      const drop = () => response.destroy();
      if (MOVED.includes(status) && moves > 0) {
        drop();
        // To no other server: the user meant the headers for this one.
        const to = parseUrl(got.location, url);
        return to?.origin === url.origin
          ? resolve({ moved: to })
          : reject(fault('moved-elsewhere'));
      }
      if (status === 401 && tokens) {
        drop();
        // A second 401 is no longer about the token.
        if (token !== undefined && refused === undefined) return resolve({ refused: token });
        return reject(fault('not-signed-in'));
      }
      if (!(status >= 200 && status < 300) && !NOT_TAKEN.includes(status)) {
        drop();
        return reject(fault('http-status', { status }));
      }
      if (got['mcp-session-id'] && message.method === 'initialize')
        session['mcp-session-id'] = got['mcp-session-id'];
      if (message.id === undefined || message.method === undefined) {
        response.resume();
        return resolve({});
      }
      const finish = (found) => {
        if (found) resolve({ answer: found });
        else if (NOT_TAKEN.includes(status)) resolve({ answer: { error: { code: -32600 } } });
        else reject(fault('no-answer'));
      };
      readReply(response, message.id, {
        onQuestion: (question) => {
          if (++questions <= QUESTIONS) post(answerTo(question), session).catch(() => {});
        },
        onEnd: finish,
        onFlood: () => {
          drop();
          reject(fault('answer-too-long'));
        },
      });
    });
    if (done.refused) return post(message, headers, moves, done.refused);
    if (!done.moved) return done.answer;
    url = done.moved;
    return post(message, headers, moves - 1, refused);
  }

  return {
    ask: (method, params, era) =>
      post(
        { jsonrpc: '2.0', id: next++, method, params },
        era
          ? {
              'mcp-protocol-version': era,
              'mcp-method': method,
              ...(params.name !== undefined && { 'mcp-name': headerOf(params.name) }),
            }
          : session,
      ),
    async begin({ protocolVersion }) {
      if (/^[\w.-]+$/.test(protocolVersion)) session['mcp-protocol-version'] = protocolVersion;
      await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
    },
    token: () => signIn?.last(),
    async close(until) {
      const left = Math.min(GRACE, until - Date.now());
      if (session['mcp-session-id'] && left > 0) {
        const token = signIn?.last();
        const headers = token ? { ...session, authorization: `Bearer ${token}` } : session;
        const goodbye = request('DELETE', headers, undefined, (_response, resolve) => resolve());
        const done = goodbye.catch(() => {});
        await within(done, left);
      }
      await signIn?.settled();
      agent.destroy();
    },
  };
}

/**
 * The token that the user has signed in with, for requests to that server and no other. It is renewed when it has expired. A
 * renewal may take all the time that the client gives us, because its refresh token works only once.
 */
function signInAt(file, url, lookup, last) {
  if (!fs.existsSync(file)) return undefined;
  const { bearer } = require('./tokens.cjs');
  const server = url.origin + url.pathname;
  let asked;
  let renewing;
  let given;
  const ask = async (refused) => {
    given = await bearer(file, server, { until: last - GRACE, refused, lookup });
    return given;
  };
  return {
    // Requests made at the same time share one token.
    token(refused) {
      if (!asked || (refused !== undefined && refused === given)) {
        asked = ask(refused);
        renewing = asked.catch(() => {});
      }
      return asked;
    },
    last: () => given,
    settled: () => within(renewing, Math.max(0, last - GRACE - Date.now())),
  };
}

/** Whether its own headers say who asks: a variable that holds a token may have been set since the install. */
const authorises = ({ headers }) =>
  Object.keys(headers).some((name) => /^authorization$/i.test(name));

/** Headers as the user has typed them, filled in from the current environment. */
function filledIn(templates = {}) {
  const fill = (_all, name) => {
    const value = process.env[name];
    if (!value) throw fault('variable-unset', { name });
    return value;
  };
  return Object.fromEntries(
    Object.entries(templates).map(([name, value]) => [
      name,
      value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, fill),
    ]),
  );
}

/**
 * Node cannot end, not even with process.exit, while the system still resolves an address, and that may take longer than a
 * client waits for us. No shell prints a word about this signal.
 */
function quit() {
  process.once('SIGPIPE', () => {}).removeAllListeners('SIGPIPE'); // node ignores it, unless somebody has listened
  process.kill(process.pid, 'SIGPIPE');
}

/** Addresses that the system is resolving, for all servers of this process. */
let lookups;
function lookup(host, options, onFound) {
  if (lookups === undefined) {
    lookups = 0;
    process.once('exit', () => {
      if (lookups > 0) quit();
    });
  }
  lookups++;
  require('node:dns').lookup(host, options, (...found) => {
    lookups--;
    onFound(...found);
  });
}

/** The answer to a message: the body, or one event of a stream. Nothing after it is read. */
function readReply(response, id, { onQuestion, onEnd, onFlood }) {
  const isIt = (message) =>
    isAnswer(message) &&
    message.id === id &&
    (response.statusCode < 400 || message.error !== undefined);
  const isStream = /^text\/event-stream\b/i.test(response.headers['content-type'] ?? '');
  let pieces = [];
  let length = 0;
  let data = [];
  let over = false;
  const onLine = (line) => {
    if (line.startsWith('data:')) data.push(line.slice(5));
    if (line !== '' || over || data.length === 0) return;
    const message = parse(data.join('\n'));
    data = [];
    if (isQuestion(message)) onQuestion(message);
    if (!isIt(message)) return;
    over = true;
    onEnd(message);
  };
  response.setEncoding('utf8').on('data', (chunk) => {
    length += chunk.length;
    if (length > MOST) return onFlood();
    if (over) return;
    pieces.push(chunk);
    if (!isStream || !chunk.includes('\n')) return;
    const lines = pieces.join('').split(/\r?\n/);
    pieces = [lines.pop()];
    for (const line of lines) onLine(line);
  });
  response.on('end', () => {
    const message = isStream ? undefined : parse(pieces.join(''));
    // A refusal has a null id if the server could not find one in the message.
    const isRefusal = response.statusCode >= 400 && message?.id === null && message.error;
    if (!over) onEnd(isIt(message) || isRefusal ? message : undefined);
  });
}

function addressOf(text) {
  const url = parseUrl(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw fault('address-unusable');
  return url;
}

const parseUrl = (text, base) => (URL.canParse(text, base) ? new URL(text, base) : undefined);

/** A name as a header's value: in ASCII, and never the encoded form of another name. */
function headerOf(name) {
  const plain = /^[!-~]([ -~]*[!-~])?$/.test(name) && !/^=\?base64\?.*\?=$/i.test(name);
  return plain ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`;
}

// What the client would give the server: src/clients/contract.ts says what `given` means.

/** How to start or reach a program's server now, with everything filled in. */
function launchOf(server, variables) {
  if (server.deciding && server.given.expansion) checkDeciding(server.deciding, variables);
  if (server.entry) return require('./configured.cjs').launchNow(server.entry, variables);
  const { expand, inherited, own, folder } = variables;
  if ('url' in server) {
    const headers = { ...own(server.headers, () => true), ...filledIn(server.templates) };
    return { url: expand(server.url), headers };
  }
  const env = own(server.env, (name) => !variables.refused(name), server);
  return {
    command: expand(server.command),
    args: server.args.map(expand),
    cwd: server.cwd ?? folder,
    env: { ...inherited, ...env },
    own: env,
  };
}

/** @throws When a variable of the user that decides what runs has another value than when the user agreed. */
function checkDeciding({ names, mark }, { environment }) {
  if (require('./steering.cjs').valuesMark(names, environment) !== mark)
    throw fault('variable-changed');
}

/**
 * @param cwd The session's folder.
 * @returns `inherited`: the part of our environment that the server gets; `expand`: fills variables into a text, and
 *   `expandValue` into a value of `env` or `headers`; `own`: such values, read from their file and filled in; `refused`:
 *   whether a name is one that they cannot set; `environment`: the client's own; `folder`: where the server starts.
 */
function variablesFor(given, environment, cwd) {
  const rules = given.variables.map(({ name, value, anyCase, kept }) => {
    const pattern = (text) => (text === undefined ? undefined : new RegExp(text, anyCase && 'i'));
    return { name: pattern(name), value: pattern(value), kept };
  });
  const isKept = ([name, value]) => {
    const rule = rules.find((one) => one.name?.test(name) || one.value?.test(value));
    return rule?.kept ?? true;
  };
  const ours = Object.entries(environment)
    .filter(([name, value]) => name !== 'MCP_HOOKS_TIDY' && value !== undefined)
    .map(([name, value]) => [name === 'MCP_HOOKS_NODE_OPTIONS' ? 'NODE_OPTIONS' : name, value]); // run.sh
  const kept = Object.fromEntries(ours.filter(isKept));
  const folder = folderFor(given, environment, cwd);
  const { pattern, except, again, places, unknown } = given.expansion ?? {};
  let values;
  const known = () => {
    const notIts = new RegExp(except);
    values ??= Object.fromEntries(ours.filter(([name]) => !notIts.test(name)));
    return values;
  };
  const expand = (text) => {
    if (!pattern) return text;
    const [open] = (unknown && new RegExp(unknown).exec(text)) ?? [];
    if (open) throw fault('client-fills-in', { reference: open });
    const filled = replace(text, pattern, known, (all) => all);
    return places ? inPlaces(filled, places, folder ?? cwd, environment) : filled;
  };
  const expandValue = (text) =>
    again
      ? replace(
          expand(text),
          again,
          () => kept,
          () => '',
        )
      : expand(text);
  const refusals = given.refused && new RegExp(given.refused, 'i');
  return {
    inherited: { ...given.set, ...kept },
    environment: Object.fromEntries(ours),
    folder,
    expand,
    expandValue,
    refused: (name) => refusals?.test(name) === true,
    own: (from, isWanted, server) =>
      Object.fromEntries(
        Object.entries(fromManifest(from, server))
          .filter(([name]) => isWanted(name))
          .map(([name, value]) => [name, expandValue(value)]),
      ),
  };
}

/** Replaces the references to the session's folder and the user's home. */
function inPlaces(text, places, folder, environment) {
  if (!text.includes('${')) return text;
  const { basename, sep } = require('node:path');
  const values = {
    '{cwd}': folder,
    '{folder}': basename(folder),
    '{home}': environment.HOME ?? require('node:os').homedir(),
    '{separator}': sep,
  };
  return Object.entries(places).reduce(
    (filled, [from, to]) => filled.replaceAll(from, () => values[to]),
    text,
  );
}

/**
 * `pattern` has groups for the variable's name. Its last group is the default for a variable that is not set. Most texts name
 * none, so `values` is called only for one that does.
 */
function replace(text, pattern, values, otherwise) {
  const reference = new RegExp(pattern, 'g');
  const filled = (part) =>
    part.replace(reference, (all, ...found) => {
      const groups = found.slice(
        0,
        found.findIndex((one) => typeof one === 'number'),
      );
      const fallback = groups.pop();
      const name = groups.find((one) => one !== undefined);
      return Object.hasOwn(values(), name) ? values()[name] : (fallback ?? otherwise(all));
    });
  // A reference in braces that has no end is none. The pattern would look for its end at each of them.
  const end = text.lastIndexOf('}') + 1;
  return filled(text.slice(0, end)) + text.slice(end).split('${').map(filled).join('${');
}

/** Values of a manifest's server, read now: they are not copied anywhere. Without `server` they are headers. */
function fromManifest(from, server) {
  if (!from) return {};
  const { checkPassing, checkSteering, readAt } = require('./configured.cjs');
  let values;
  try {
    values = readAt(from) ?? {};
  } catch {
    throw fault('manifest-unread');
  }
  if (server) checkSteering({ ...server, env: values }, from);
  // Only the names that the user saw: a manifest may have changed since.
  const seen = Object.fromEntries(
    from.names
      .filter((name) => typeof values[name] === 'string')
      .map((name) => [name, values[name]]),
  );
  checkPassing(seen, from);
  return seen;
}

module.exports = {
  askHooks,
  beGuest,
  callTools,
  GRACE,
  launchOf,
  MOST,
  running,
  variablesFor,
  watch,
  within,
};
