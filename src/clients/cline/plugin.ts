/**
 * Our plugin for Cline. It runs in the client's process for plugins, which is started with node from PATH. A call of a plugin
 * that takes 3 seconds ends the user's turn (3.0.65), so it never waits that long for a hook. Late texts are awaited by the
 * next request instead, which may take a minute. The format of the data between the plugin and its hooks is our own.
 */

import { pluginFile } from '../program-file.ts';

/** The variable for hooks with the folder in which Cline starts servers. */
export const STARTED_IN = 'MCP_HOOKS_STARTED_IN';

export const CODE = `import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { env, ppid } from 'node:process';

/** Milliseconds of all that one call of the plugin waits for, and what builds messages, which has a minute. */
const MOST = 2500;
const MOST_OF_BUILDER = 50_000;

/** Of several plugins with the same name, Cline loads one alone: this one may be in the home, in a project and in packages. */
const name = 'mcp-hooks-' + createHash('sha256').update(import.meta.url).digest('hex').slice(0, 8);

/**
 * Cline starts servers in its own folder, and this process in the session's. With --cwd or --worktree, and in an editor, the two
 * differ. Where there is no /proc, the servers of hooks start in the session's.
 */
try {
  env.${STARTED_IN} = readlinkSync('/proc/' + ppid + '/cwd');
} catch {}

let session;
let cwd = resolve();
/** Since when this process sees the session, whether that is all of it, and how many calls the model has made. */
const began = Date.now();
let isNew = false;
let calls = 0;
/** The session after its last turn. */
let atEnd = {};
/** What comes later, by the words that stand for it in a request until it is built. */
const awaited = new Map();
/** What stands for the results of calls, by their ids: it came after the history had them. */
const results = new Map();
let hasBuilder = false;
/** The model's tasks, by their ids: those of the session and of its subagents. */
const tasks = new Map();

function payloadOf(event, { agentId, parentAgentId, runId, conversationId, messages = [] }, more) {
  const input = { hook_event_name: event, session_id: session ?? '', cwd };
  const passed = Math.round((Date.now() - began) / 1000);
  const { compactions = 0, counted } = tasks.get(conversationId) ?? {};
  const last = messages.findLast(({ metrics }) => metrics);
  const isCounted = last && last.id !== counted && !parentAgentId;
  return {
    ...input,
    ...(parentAgentId && { agent_id: agentId }),
    turn_id: runId,
    ...more,
    ...(isCounted && { tokens_used: last.metrics.inputTokens + last.metrics.outputTokens }),
    compactions,
    // Of a session that goes on, this process has not seen all.
    ...(isNew && { tool_calls: calls, duration_seconds: passed }),
  };
}

const fire = (event, snapshot, more) => answersTo(event, () => payloadOf(event, snapshot, more));

/** What becomes of it in time; undefined: nothing yet. */
async function within(work, until = Date.now() + MOST) {
  let timer;
  const late = new Promise((done) => (timer = setTimeout(done, Math.max(0, until - Date.now()))));
  const first = await Promise.race([work, late]);
  clearTimeout(timer);
  return first;
}

/** What hooks say of a call in time. What comes later can still be shown, and replace a result, but not stop the call. */
async function fireInTime(event, snapshot, more, until) {
  const task = taskOf(snapshot);
  const answer = fire(event, snapshot, more);
  const first = await within(answer, until);
  if (first) return first;
  const rest = answer.then(({ context, block, output }) => {
    task.waiting.delete(rest);
    if (context) task.late.push(context);
    const shown = block ?? output;
    if (event === 'PostToolUse' && shown !== undefined) results.set(more.tool_use_id, shown);
  });
  task.waiting.add(rest);
  return {};
}

function taskOf({ conversationId: id }) {
  if (!tasks.has(id))
    tasks.set(id, { isNew: true, compactions: 0, waiting: new Set(), late: [], texts: new Map() });
  return tasks.get(id);
}

/** The words of a prompt, which stand in a tag. */
const textOf = ({ content }) =>
  (typeof content === 'string' ? content : content.flatMap((one) => (one.type === 'text' ? [one.text] : [])).join(''))
    .replace(/^<user_input[^>]*>([^]*)<\\/user_input>$/, '$1');

/** A history begins, or goes on in another process. Only the user's own prompts count, not a subagent's task. */
async function opened(snapshot, isFirst) {
  const { messages, parentAgentId } = snapshot;
  const source = messages.some(({ role }) => role === 'assistant') ? 'resume' : 'startup';
  if (isFirst && !parentAgentId) isNew = source === 'startup';
  const [start, asked] = await Promise.all([
    isFirst ? fire(parentAgentId ? 'SubagentStart' : 'SessionStart', snapshot, { source }) : {},
    parentAgentId ? {} : fire('UserPromptSubmit', snapshot, { prompt: textOf(messages.at(-1)) }),
  ]);
  return { start: start.context, context: asked.context, block: asked.block };
}

async function beforeRun({ snapshot }) {
  const task = taskOf(snapshot);
  task.opening = opened(snapshot, task.isNew);
  task.isNew = false;
  await within(task.opening);
}

/** A compaction leaves the history as it is, and takes messages from each request. */
function hasCompacted(task, snapshot, messages) {
  const ids = new Set(messages.map(({ id }) => id));
  const taken = snapshot.messages.filter(({ id }) => !ids.has(id)).length;
  const isMore = taken > (task.taken ?? taken);
  task.taken = taken;
  if (!isMore) return false;
  task.compactions += 1;
  // The tokens that were counted before say nothing of the next request.
  task.counted = snapshot.messages.findLast(({ metrics }) => metrics)?.id;
  return true;
}

/** The texts are behind this message from now on. None of them becomes part of the history, so each request gets them again. */
function keep(task, id, opening, ...more) {
  if (opening) task.opening = undefined;
  if (opening?.start) task.began = { id, text: opening.start };
  const texts = both(...more, ...task.late.splice(0), opening?.context);
  if (texts) task.texts.set(id, both(task.texts.get(id), texts));
  return both(opening?.start, texts);
}

async function keepLater(task, id) {
  const { opening } = task;
  const [said] = await Promise.all([opening, ...task.waiting]);
  // It is too late to block this request, but not the next one.
  const isNow = opening === task.opening && said?.block === undefined;
  return keep(task, id, isNow ? said : undefined);
}

const messageOf = (text, { id, createdAt } = {}) => ({
  ...{ id: id + '-mcp-hooks', role: 'user', createdAt },
  content: [{ type: 'text', text }],
});

async function beforeModel({ snapshot, request: { messages } }) {
  const until = Date.now() + MOST;
  const task = taskOf(snapshot);
  const compacted = hasCompacted(task, snapshot, messages) ? fireInTime('PostCompact', snapshot, {}, until) : {};
  await within(Promise.all([compacted, task.opening, ...task.waiting]), until);
  const opening = task.opening && (await within(task.opening, until));
  if (opening?.block !== undefined) {
    task.opening = undefined;
    return { stop: true, reason: opening.block };
  }
  const last = messages.at(-1);
  const id = last?.id ?? '';
  keep(task, id, opening, (await compacted).context);
  // What a session begins with stays, whatever becomes of its first prompt.
  if (task.began && messages.every((one) => one.id !== task.began.id)) task.began.id = messages[0]?.id;
  const all = messages.flatMap((message) => {
    const text = both(task.began?.id === message.id && task.began.text, task.texts.get(message.id));
    return text === '' ? [message] : [message, messageOf(text, message)];
  });
  if (hasBuilder && (task.opening || task.waiting.size > 0)) {
    const words = 'mcp-hooks ' + Math.random();
    awaited.set(words, keepLater(task, id));
    all.push(messageOf(words, last));
  }
  return all.length > messages.length ? { messages: all } : undefined;
}

const withResults = (message) => {
  const { content } = message;
  if (results.size === 0 || typeof content === 'string') return message;
  const shown = content.map((part) =>
    part.type === 'tool_result' && results.has(part.tool_use_id) ? { ...part, content: results.get(part.tool_use_id) } : part,
  );
  return { ...message, content: shown };
};

/** The last step before a request. */
async function build(messages) {
  const until = Date.now() + MOST_OF_BUILDER;
  const works = messages.map(({ content }) => awaited.get(typeof content === 'string' ? content : content[0]?.text));
  const texts = await Promise.all(works.map((work) => work && within(work, until)));
  return messages.flatMap((message, at) => {
    if (!works[at]) return [withResults(message)];
    return texts[at] ? [messageOf(texts[at], message)] : [];
  });
}

/** A call in the words of declarations, where it is about one thing alone: Cline's tools take lists. */
function shownCall(name, input) {
  if (!isObject(input)) return [name, input];
  const { commands, files, path, old_text, new_text, ...more } = input;
  if (name === 'run_commands' && commands?.length === 1) return [name, { command: commands[0], ...more }];
  if (name === 'read_files' && files?.length === 1 && isObject(files[0])) {
    const { path: file_path, ...lines } = files[0];
    return [name, { file_path, ...lines, ...more }];
  }
  // Models of OpenAI edit files with this one.
  if (name === 'apply_patch') return ['editor', input];
  if (name !== 'editor') return [name, input];
  if ((old_text ?? more.insert_line ?? undefined) === undefined)
    return ['Write', { file_path: path, content: new_text, ...more }];
  return [name, { file_path: path, old_string: old_text, new_string: new_text, ...more }];
}

/** The input that Cline's tool takes. */
function ownInput(name, input) {
  const { command, file_path, start_line, end_line, content, old_string, new_string, ...more } = input;
  const own = (one) => JSON.parse(JSON.stringify({ ...one, ...more }));
  if (name === 'run_commands' && command !== undefined) return own({ commands: [command] });
  if (name === 'read_files' && file_path !== undefined)
    return own({ files: [{ path: file_path, start_line, end_line }] });
  if (name !== 'editor') return input;
  return own({ path: file_path, old_text: old_string, new_text: content ?? new_string });
}

const callOf = ({ toolCall, input }) => {
  const [tool_name, tool_input] = shownCall(toolCall.toolName, input);
  return { tool_name, tool_input, tool_use_id: toolCall.toolCallId };
};

async function beforeTool(call) {
  calls += 1;
  const { context, block, input } = await fireInTime('PreToolUse', call.snapshot, callOf(call));
  if (block !== undefined) return { skip: true, reason: both(block, context) };
  return {
    ...(context && { appendContext: context }),
    ...(input && { input: ownInput(call.toolCall.toolName, input) }),
  };
}

/** The words of an output. */
function shownOutput(output) {
  const [one, ...others] = Array.isArray(output) ? output : [output];
  if (others.length > 0 || !isObject(one)) return output;
  if (typeof one.result === 'string') return one.result;
  const { content } = one;
  const isText = Array.isArray(content) && content.every(({ type, text }) => type === 'text' && typeof text === 'string');
  return isText ? content.map(({ text }) => text).join('\\n\\n') : output;
}

/** Cline itself takes most calls for a success. */
const hasFailed = ({ output, isError }) =>
  isError === true || [output].flat().some((one) => isObject(one) && (one.isError === true || one.success === false));

async function afterTool(call) {
  const { context, block, output } = await fireInTime('PostToolUse', call.snapshot, {
    ...callOf(call),
    tool_response: shownOutput(call.result.output),
    ...(hasFailed(call.result) && { is_error: true }),
    duration_ms: call.durationMs,
  });
  const shown = block ?? output;
  return {
    ...(context && { appendContext: context }),
    ...(shown !== undefined && { result: { ...call.result, output: shown } }),
  };
}

async function afterRun({ snapshot, result }) {
  if (!snapshot.parentAgentId) atEnd = { ...snapshot, runId: undefined };
  if (result.status === 'completed') await within(fire(snapshot.parentAgentId ? 'SubagentStop' : 'Stop', snapshot, {}));
}

/** Cline goes on as if nothing had happened. */
const guarded = (work) => async (given) => {
  try {
    return await work(given);
  } catch {
    return undefined;
  }
};

// The process ends with the client, or after half an hour without an event. Then nothing waits for what it has started.
process.on('SIGTERM', () => process.exit(0));
process.on('exit', () => {
  if (tasks.size === 0) return;
  const input = JSON.stringify(payloadOf('SessionEnd', atEnd, { reason: 'exit' }));
  for (const { command } of hooks.SessionEnd ?? [])
    try {
      spawn('/bin/sh', ['-c', 'printf %s "$0" | ' + command, input], { detached: true, stdio: 'ignore' }).unref();
    } catch {}
});

export default {
  name,
  manifest: { capabilities: ['hooks', 'messageBuilders'] },
  setup(api, context) {
    api.registerMessageBuilder?.({ name, build: guarded(build) });
    hasBuilder = api.registerMessageBuilder !== undefined;
    session = context.session?.sessionId;
    cwd = context.workspaceInfo?.rootPath ?? cwd;
  },
  hooks: {
    beforeRun: guarded(beforeRun),
    beforeModel: guarded(beforeModel),
    beforeTool: guarded(beforeTool),
    afterTool: guarded(afterTool),
    afterRun: guarded(afterRun),
  },
};
`;

export const PLUGIN = pluginFile('plugins/mcp-hooks.js', CODE);
