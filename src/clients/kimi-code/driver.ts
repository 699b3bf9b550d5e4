// Kimi Code 2.1.0, without a login: with a provider of one's own.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessOptions, ProcessResult } from '../../system/child.ts';
import { run } from '../../system/child.ts';
import { getPath, type Json, type JsonObject, parse, str } from '../../system/json.ts';
import { chat } from '../driver/apis/chat.ts';
import { driverFor, lineWith, type Session } from '../driver/driver.ts';
import { fileTools, shell } from '../driver/script.ts';
import { kimiCode as client } from './client.ts';
import { kimiCode as servers } from './servers.ts';

/** The provider comes from variables, so the file needs no port. */
const CONFIG = `# For a run without a network.
default_permission_mode = "auto"
telemetry = false
`;

const files = fileTools(
  'path',
  { name: 'Read' },
  (content) => ({ name: 'Write', input: { content } }),
  (old_string, new_string) => ({ name: 'Edit', input: { old_string, new_string } }),
);

export const driver = driverFor({
  client,
  servers,
  api: chat({ shells: ['Bash'], summary: 'You are about to run out of context.' }),

  prepare({ home }) {
    const folder = join(home, '.kimi-code');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'config.toml'), CONFIG);
  },

  tools: {
    Bash: (word) => [shell(word)],
    Write: files.write,
    Edit: files.edit,
    Read: files.read,
  },

  compaction: { prompt: '/compact', steps: [], aside: 'The summary.' },

  sessionIn: (stdout) => str(getPath(lineWith('"session.resume_hint"', stdout), 'session_id')),

  env: ({ model: name = 'scripted' }, model) => ({
    KIMI_CODE_NO_AUTO_UPDATE: '1',
    KIMI_MODEL_NAME: name,
    KIMI_MODEL_PROVIDER_TYPE: 'openai',
    KIMI_MODEL_BASE_URL: `${model.url}/v1`,
    KIMI_MODEL_API_KEY: 'dummy',
    KIMI_MODEL_MAX_CONTEXT_SIZE: '200000',
  }),

  args: (_session, _model, prompt, id) => [
    '--output-format=stream-json',
    ...(id === '' ? [] : [`--session=${id}`]),
    `--prompt=${prompt}`,
  ],

  pause: 2000,
  live,
});

/** The way in which editors start it: one process that gets a prompt at the end of each turn, as JSON-RPC. */
function live(
  { launch, prompts, project: cwd }: Session,
  _model: unknown,
  options: ProcessOptions,
): Promise<ProcessResult> {
  const answers = new Map<number, (result: Json) => void>();
  let compacted = () => {};
  const talk = async (stdin: NodeJS.WritableStream) => {
    const send = (message: JsonObject) =>
      stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const ask = (method: string, params: JsonObject) =>
      new Promise<Json>((resolve) => {
        const id = answers.size + 1;
        answers.set(id, resolve);
        send({ id, method, params });
      });
    await ask('initialize', { protocolVersion: 1, clientCapabilities: {} });
    const sessionId = str(getPath(await ask('session/new', { cwd, mcpServers: [] }), 'sessionId'));
    for (const text of prompts) {
      // It answers this at once, and compacts afterwards.
      const done = new Promise<void>((resolve) => {
        compacted = resolve;
      });
      await ask('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
      if (text === '/compact') await done;
    }
    await ask('session/close', { sessionId });
    stdin.end();
  };
  return run(launch, ['acp'], {
    ...options,
    onStart: (stdin) => void talk(stdin),
    onLine(line, stdin) {
      const message = parse(line);
      const id = getPath(message, 'id');
      const isTold = getPath(message, 'method') !== undefined;
      if (!isTold && typeof id === 'number') answers.get(id)?.(getPath(message, 'result') ?? {});
      else if (line.includes('"Compaction completed.')) compacted();
      else if (isTold && id !== undefined) {
        const error = { code: -32601, message: 'Nobody is there to answer' };
        stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
      }
    },
  });
}
