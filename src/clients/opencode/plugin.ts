/**
 * Our plugin for OpenCode, which runs in the client's own process (under Bun). It does not wait for a hook longer than the
 * hook's timeout, and only throws to block a prompt or a call. The format of the data between the plugin and its hooks is our
 * own.
 */

import { pluginFile } from '../program-file.ts';

export const CODE = `/** Models of OpenAI edit files with this one. */
const nameOf = (tool) => (tool === 'apply_patch' ? 'edit' : tool);

const isSynthetic = (part) => part.type === 'text' && part.synthetic === true;

/** A text that opencode would cut off at the end of a long output stands before it. */
const LONG = 30_000;

const textOf = (content) => content.flatMap((one) => (one.type === 'text' ? [one.text] : [])).join('\\n\\n');

export const McpHooks = async ({ client, directory }) => {
  const sessions = new Map();
  const calls = new Map();
  const failures = new Map();
  const working = new Set();

  const stateOf = (id) => {
    if (!sessions.has(id)) sessions.set(id, { calls: 0, compactions: 0 });
    return sessions.get(id);
  };

  /** Of a session that this process has not seen begin, the client knows whose it is. */
  const infoOf = (id) => {
    const state = stateOf(id);
    state.info ??= Promise.race([
      client.session.get({ path: { id } }).then(({ data }) => data ?? {}, () => ({})),
      new Promise((done) => setTimeout(done, 5000, {}).unref()),
    ]);
    return state.info;
  };

  /** A subagent's session is the one that it works for. */
  async function payloadOf(event, id, more = {}) {
    const own = stateOf(id);
    let root = id;
    let info = await infoOf(id);
    while (info.parentID !== undefined && info.parentID !== root) {
      root = info.parentID;
      info = await infoOf(root);
    }
    const { tokens, compactions, isNew, calls: made } = stateOf(root);
    const began = info.time?.created;
    return {
      hook_event_name: event,
      session_id: root,
      cwd: directory,
      ...(root !== id && { agent_id: id, agent_type: own.agent ?? info.agent ?? '' }),
      ...more,
      ...(root === id && tokens !== undefined && { tokens_used: tokens }),
      compactions,
      ...(isNew && { tool_calls: made }),
      ...(began !== undefined && { duration_seconds: Math.max(0, Math.round((Date.now() - began) / 1000)) }),
    };
  }

  const fire = (event, ...given) => answersTo(event, () => payloadOf(event, ...given));

  const begin = (work) => {
    const done = work().catch(() => {}).finally(() => working.delete(done));
    working.add(done);
  };
  /** Resolves once the work of earlier events is done, which OpenCode does not wait for. */
  const idle = () => Promise.all(working);

  /** What a session begins with, asked once for all of its requests that come at the same time. */
  async function opening(id) {
    await idle();
    const { parentID } = await infoOf(id);
    const { isNew, compactions } = stateOf(id);
    const source = compactions > 0 ? 'compact' : isNew ? 'startup' : 'resume';
    const { context } = await fire(parentID === undefined ? 'SessionStart' : 'SubagentStart', id, { source });
    return context;
  }

  async function ended(id) {
    const state = stateOf(id);
    const { parentID } = await infoOf(id);
    if (parentID !== undefined) return void (await fire('SubagentStop', id));
    const isAsked = state.isAsked === true;
    state.isAsked = false;
    const { ask, block } = await fire('Stop', id, { message_id: state.prompt, stop_hook_active: isAsked });
    const text = both(block, ask);
    if (text === '' || state.isOver) return;
    state.isAsked = true;
    // The turn may take long, so it is not awaited.
    const body = { agent: state.agent, model: state.model, parts: [{ type: 'text', text, synthetic: true }] };
    client.session.promptAsync({ path: { id }, body }).catch(() => {});
  }

  function noticed(type, { sessionID: id, info }) {
    if (type === 'session.created') {
      Object.assign(stateOf(info.id), { isNew: true, info: Promise.resolve(info) });
    } else if (type === 'message.updated' && info.role === 'assistant' && !info.summary) {
      const { input = 0, output = 0, reasoning = 0, cache = {} } = info.tokens ?? {};
      const sum = input + output + reasoning + (cache.read ?? 0) + (cache.write ?? 0);
      if (sum > 0) stateOf(info.sessionID).tokens = sum;
    } else if (type === 'session.compacted') {
      const state = stateOf(id);
      state.compactions += 1;
      state.tokens = undefined;
      state.opening = undefined;
      begin(() => fire('PostCompact', id));
    } else if (type === 'session.error' && id !== undefined) {
      stateOf(id).hasFailed = true;
    } else if (type === 'session.idle') {
      const state = stateOf(id);
      const { hasFailed } = state;
      state.hasFailed = false;
      // After a turn that was stopped, no other is wanted.
      if (!hasFailed) begin(() => ended(id));
    }
  }

  async function afterCall(key, event, id, facts) {
    const { began, context, ...call } = calls.get(key) ?? {};
    calls.delete(key);
    await idle();
    const duration = began === undefined ? {} : { duration_ms: Date.now() - began };
    const answer = await fire(event, id, { ...call, ...facts, ...duration });
    return { ...answer, context: both(context, answer.context) };
  }

  const all = {
    event: async ({ event }) => noticed(event.type, event.properties),

    'chat.message': async ({ sessionID: id }, { message, parts }) => {
      const state = stateOf(id);
      Object.assign(state, { agent: message.agent, model: message.model, prompt: message.id });
      const { parentID } = await infoOf(id);
      if (parentID !== undefined || parts.every(isSynthetic)) return undefined;
      await idle();
      state.isAsked = false;
      const prompt = parts.flatMap((one) => (one.type === 'text' && !isSynthetic(one) ? [one.text] : [])).join('\\n');
      const { context, block } = await fire('UserPromptSubmit', id, { message_id: message.id, prompt });
      if (block !== undefined) return block;
      if (context)
        parts.push({
          // Parts are in the order of their ids.
          id: parts.at(-1).id + 'z',
          ...{ sessionID: id, messageID: message.id, type: 'text', text: context, synthetic: true },
        });
      return undefined;
    },

    'experimental.chat.system.transform': async ({ sessionID: id }, { system }) => {
      // A title needs none of it.
      if (id === undefined || system[0]?.startsWith('You are a title generator')) return;
      const state = stateOf(id);
      state.opening ??= opening(id);
      const context = await state.opening;
      if (context) system.push(context);
    },

    'tool.execute.before': async ({ tool, sessionID: id, callID }, { args }) => {
      const state = stateOf(id);
      state.calls += 1;
      const facts = { tool_name: nameOf(tool), tool_use_id: callID };
      const { context, block, input } = await fire('PreToolUse', id, { ...facts, tool_input: args });
      if (block !== undefined) return both(block, context);
      if (input) {
        for (const key of Object.keys(args)) delete args[key];
        Object.assign(args, input);
      }
      calls.set(id + callID, { ...facts, tool_input: args, began: Date.now(), context });
      return undefined;
    },

    'tool.execute.after': async ({ tool, sessionID: id, callID, args }, output) => {
      // A subagent that has failed.
      if (!output) return;
      const content = Array.isArray(output.content) ? output.content : undefined;
      const { context, block, output: changed } = await afterCall(id + callID, 'PostToolUse', id, {
        ...{ tool_name: nameOf(tool), tool_use_id: callID, tool_input: args },
        tool_response: content ? textOf(content) : output.output,
        ...(typeof output.metadata?.exit === 'number' && { exit_code: output.metadata.exit }),
      });
      const shown = block ?? changed;
      if (content) {
        if (shown !== undefined)
          output.content = [{ type: 'text', text: shown }, ...content.filter(({ type }) => type !== 'text' && type !== 'resource')];
        const text = { type: 'text', text: context };
        if (context && textOf(output.content).length > LONG) output.content.unshift(text);
        else if (context) output.content.push(text);
      } else {
        if (shown !== undefined) output.output = shown;
        if (context) output.output = both(output.output, context);
      }
    },

    // OpenCode runs no hook after a failed call, so its text is added to each request. What is kept stays as it is.
    'experimental.chat.messages.transform': async (_, { messages }) => {
      const failed = messages
        .flatMap(({ parts }) => parts)
        .filter(({ type, state }) => type === 'tool' && state.status === 'error');
      for (const { sessionID: id, callID, state } of failed) {
        const key = id + callID;
        if (calls.has(key))
          failures.set(key, afterCall(key, 'PostToolUseFailure', id, { error: state.error }));
      }
      for (const { sessionID: id, callID, state } of failed) {
        const { context } = (await failures.get(id + callID)) ?? {};
        if (context) state.error += '\\n\\n' + context;
      }
    },

    'experimental.session.compacting': async ({ sessionID: id }) => void (await fire('PreCompact', id)),

    dispose: async () => {
      await idle();
      const own = [...sessions].filter(([, { prompt }]) => prompt !== undefined);
      for (const [, state] of own) state.isOver = true;
      await Promise.all(
        own.map(async ([id]) => (await infoOf(id)).parentID ?? fire('SessionEnd', id, { reason: 'dispose' })),
      );
    },
  };

  /** A hook whose result is the reason why it does not go on. */
  const guarded = (work) => async (...given) => {
    let reason;
    try {
      reason = await work(...given);
    } catch {}
    if (typeof reason === 'string') throw new Error(reason);
  };
  return Object.fromEntries(Object.entries(all).map(([name, work]) => [name, guarded(work)]));
};
`;

export const PLUGIN = pluginFile('plugins/mcp-hooks.js', CODE);
