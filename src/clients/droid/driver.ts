// Factory Droid 0.215.0, without a login: with a custom model, and with `droid exec` started as by its terminal.
import { join } from 'node:path';
import type { JsonObject } from '../../edit/edit.ts';
import { type ProcessOptions, type ProcessResult, run } from '../../system/child.ts';
import { attempt } from '../../system/errors.ts';
import { getPath, type Json, parse, str } from '../../system/json.ts';
import { chat } from '../driver/apis/chat.ts';
import { driverFor, lineWith, type Session, writeJson } from '../driver/driver.ts';
import type { Model } from '../driver/model.ts';
import { fileTools, shell } from '../driver/script.ts';
import { droid as client } from './client.ts';
import { droid as servers } from './servers.ts';

/** Its name for the user's first custom model. */
const MODEL = 'custom:scripted-0';

/** Settings for one run, because no variable is expanded in a model's URL. */
function settingsFor({ home }: Session, { url }: Model): string {
  const file = join(home, '.factory', 'scripted.json');
  writeJson(file, {
    customModels: [
      {
        ...{ model: 'scripted', displayName: 'scripted', apiKey: 'dummy' },
        ...{ baseUrl: `${url}/v1`, provider: 'generic-chat-completion-api', maxOutputTokens: 1000 },
      },
    ],
    // With this limit, the token counts in a script trigger the compaction.
    compactionTokenLimit: 100_000,
  });
  return file;
}

const PROTOCOL = ['--input-format=stream-jsonrpc', '--output-format=stream-jsonrpc'];

const files = fileTools(
  'file_path',
  { name: 'Read' },
  (content) => ({ name: 'Create', input: { content } }),
  (old_str, new_str) => ({ name: 'Edit', input: { old_str, new_str } }),
);

const api = chat({ shells: ['Execute'], summary: 'Please summarize' });

export const driver = driverFor({
  client,
  servers,
  api: {
    ...api,
    shell: (command, body) => ({
      ...api.shell(command, body),
      input: { command, riskLevel: 'low', riskLevelReason: 'scripted' },
    }),
    search: (query) => ({ name: 'ToolSearch', input: { query } }),
  },

  prepare: ({ home }) =>
    writeJson(join(home, '.factory', 'settings.json'), { cloudSessionSync: false }),

  tools: {
    Execute: (word) => [shell(word)],
    Create: files.write,
    Edit: files.edit,
    Read: files.read,
    LS: (word, project) =>
      word === '' ? [{ call: { name: 'LS', input: { directory_path: project } } }] : undefined,
  },

  compaction: { steps: [{ text: 'Done.', tokens: 150_000 }], aside: 'The summary.' },

  sessionIn: (stdout) => str(getPath(lineWith('"sessionId"', stdout), 'result', 'sessionId')),

  env: (session, model) => ({
    FACTORY_AIRGAP_ENABLED: 'true',
    FACTORY_RUNTIME_SETTINGS_PATH: settingsFor(session, model),
  }),

  live: (session, _model, options) => overRpc(session, options),
});

/** The protocol between Droid's terminal and its worker process: JSON-RPC, one message per line. */
function overRpc(
  { launch, prompts, project, resume = '' }: Session,
  options: ProcessOptions,
): Promise<ProcessResult> {
  const waiting = [...prompts];
  let last = 0;
  let hasBegun = false;
  let connecting = 0;
  let isWorking = false;
  let isClosing = false;
  const send = (stdin: NodeJS.WritableStream, method: string, params: JsonObject): void => {
    last += 1;
    const head = { jsonrpc: '2.0', factoryApiVersion: '1.0.0', type: 'request', id: String(last) };
    stdin.write(`${JSON.stringify({ ...head, method: `droid.${method}`, params })}\n`);
  };
  const begin = {
    ...{ machineId: 'scripted', cwd: project, modelId: MODEL },
    ...{ interactionMode: 'auto', autonomyLevel: 'high', blockOnMcpLoad: true },
  };
  const next = (stdin: NodeJS.WritableStream): void => {
    const text = waiting.shift();
    isClosing = text === undefined;
    if (text === undefined) send(stdin, 'close_session', { reason: 'other' });
    else send(stdin, 'add_user_message', { text });
  };
  return run(launch, ['exec', ...PROTOCOL], {
    ...options,
    onStart: (stdin) =>
      resume === ''
        ? send(stdin, 'initialize_session', begin)
        : send(stdin, 'load_session', { sessionId: resume }),
    onLine(line, stdin) {
      const message: Json | undefined = attempt(() => parse(line));
      const notification = getPath(message, 'params', 'notification');
      const state = str(getPath(notification, 'newState'));
      const id = str(getPath(message, 'id'));
      const servers = getPath(notification, 'summary', 'connecting');
      if (typeof servers === 'number') connecting = servers;
      hasBegun ||= id === '1';
      // `blockOnMcpLoad` does not make it wait for each server, and a turn only has the tools that were found at its start.
      if (last === 1 && hasBegun && connecting === 0) next(stdin);
      // It reports idleness several times.
      else if (state === 'idle' && isWorking) next(stdin);
      else if (isClosing && id === String(last)) stdin.end();
      if (state !== '') isWorking = state !== 'idle';
    },
  });
}
