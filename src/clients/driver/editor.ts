// The protocol with which editors start an agent (https://agentclientprotocol.com): JSON-RPC over stdin and stdout, with one
// process that gets a prompt at the end of each turn.
import type { Writable } from 'node:stream';
import { type ProcessOptions, type ProcessResult, run } from '../../system/child.ts';
import { attempt } from '../../system/errors.ts';
import { getPath, type Json, type JsonObject, parse, str } from '../../system/json.ts';
import type { Session } from './driver.ts';

interface Editor {
  args: readonly string[];
  /** The model, for a client that accepts it in no other way. */
  model?: string;
  /** The prompt that begins a new session. Absent: there is none. */
  clear?: string;
  /** Whether the client is informed when the session is over. */
  closes?: boolean;
  /** Waits for the client's remaining work after it has reported the end of a turn. */
  settled?(prompt: string, said: Output): Promise<void>;
}

/** The client's output. */
interface Output {
  /** Resolves when a line of this turn has the text. */
  has(text: string): Promise<void>;
  /** Resolves when the client has printed nothing for the given milliseconds. */
  quiet(time: number): Promise<void>;
}

const NO_USER = { code: -32601, message: 'No user is there to answer' };

export async function asEditor(
  { launch, prompts, project: cwd, resume = '' }: Session,
  options: ProcessOptions,
  { args, model, clear, closes = false, settled }: Editor,
): Promise<ProcessResult> {
  const asked = new Map<Json, { method: string; answer(result: Json): void }>();
  let lines: string[] = [];
  let last = Date.now();
  let wake = () => {};
  const output: Output = {
    async has(text) {
      while (!lines.some((line) => line.includes(text)))
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    },
    async quiet(time) {
      for (let left = time; left > 0; left = last + time - Date.now())
        await new Promise((resolve) => setTimeout(resolve, left));
    },
  };
  const talk = async (stdin: Writable) => {
    const ask = (method: string, params: JsonObject) =>
      new Promise<Json>((resolve) => {
        const id = asked.size + 1;
        asked.set(id, { method, answer: resolve });
        stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      });
    const place = { cwd, mcpServers: [] };
    const open = async () => str(getPath(await ask('session/new', place), 'sessionId'));
    await ask('initialize', { protocolVersion: 1, clientCapabilities: {} });
    if (resume !== '') await ask('session/load', { ...place, sessionId: resume });
    let sessionId = resume || (await open());
    if (model !== undefined) await ask('session/set_model', { sessionId, modelId: model });
    for (const text of prompts) {
      lines = [];
      if (text === clear) sessionId = await open();
      else await ask('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
      await settled?.(text, output);
    }
    if (closes) await ask('session/close', { sessionId });
    stdin.end();
  };
  return run(launch, args, {
    ...options,
    onStart: (stdin) => void talk(stdin),
    onLine(line, stdin) {
      last = Date.now();
      lines.push(line);
      wake();
      const message: Json | undefined = attempt(() => parse(line));
      const id = getPath(message, 'id');
      if (id === undefined) return;
      if (getPath(message, 'method') !== undefined) {
        stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: NO_USER })}\n`);
        return;
      }
      const request = asked.get(id);
      // A prompt that a hook has stopped ends with an error, too.
      if (request?.method !== 'session/prompt' && getPath(message, 'error') !== undefined)
        throw new Error(line);
      request?.answer(getPath(message, 'result') ?? {});
    },
  });
}
