// OpenCode 1.18.33, without a login: with a custom provider, over the protocol with which editors start it.
import { join } from 'node:path';
import { getPath, str } from '../../system/json.ts';
import { chat } from '../driver/apis/chat.ts';
import { driverFor, hasHooks, lineWith, writeJson } from '../driver/driver.ts';
import { asEditor } from '../driver/editor.ts';
import { fileTools, shell } from '../driver/script.ts';
import { opencode as client } from './client.ts';
import { opencode as servers } from './servers.ts';

const models = (names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => [
      name,
      { name, tool_call: true, limit: { context: 200_000, output: 1000 } },
    ]),
  );

/** The model's URL is in a variable, so the file need not contain a port. */
const CONFIG = {
  provider: {
    scripted: {
      ...{ npm: '@ai-sdk/openai-compatible', name: 'scripted' },
      options: { baseURL: '{env:SCRIPTED_MODEL}', apiKey: 'dummy' },
      models: models(['scripted', 'gpt-5']),
    },
  },
  ...{ model: 'scripted/scripted', small_model: 'scripted/scripted' },
  ...{ autoupdate: false, share: 'disabled', snapshot: false, permission: 'allow' },
};

/** Milliseconds of silence after which no hook at the end of a turn will start another one. */
const QUIET = 2500;

const files = fileTools(
  'filePath',
  { name: 'read' },
  (content) => ({ name: 'write', input: { content } }),
  (oldString, newString) => ({ name: 'edit', input: { oldString, newString } }),
);

export const driver = driverFor({
  client,
  servers,
  api: chat({ shells: ['bash'], summary: 'never' }),

  // It delays plugins until it has installed a package of 30 MB next to its settings, unless these files claim that it exists.
  prepare({ home }) {
    const folder = join(home, '.config/opencode');
    writeJson(join(folder, 'opencode.json'), CONFIG);
    writeJson(join(folder, 'node_modules/.package-lock.json'), {});
    writeJson(join(folder, 'package-lock.json'), {
      packages: { '': { dependencies: { '@opencode-ai/plugin': '*' } } },
    });
  },

  tools: {
    bash: (word) => [shell(word)],
    write: files.write,
    edit: files.edit,
    read: files.read,
  },

  compaction: { steps: [{ text: 'Done.', tokens: 199_500 }], aside: 'The summary.' },

  sessionIn: (stdout) => str(getPath(lineWith('"sessionId"', stdout), 'result', 'sessionId')),

  env: ({ model: name = 'scripted' }, model) => ({
    OPENCODE_CONFIG_CONTENT: JSON.stringify({ model: `scripted/${name}` }),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    // A project's own folder does not have these files.
    npm_config_offline: 'true',
    SCRIPTED_MODEL: `${model.url}/v1`,
  }),

  live: (session, _model, options) =>
    asEditor(session, options, {
      args: ['acp'],
      // Another turn is started only after the end of this one.
      async settled(_prompt, said) {
        if (hasHooks(client, session, 'Stop')) await said.quiet(QUIET);
      },
    }),
});
