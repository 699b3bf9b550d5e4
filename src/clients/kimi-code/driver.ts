// Kimi Code 2.1.0, without a login: with a custom provider.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getPath, str } from '../../system/json.ts';
import { chat } from '../driver/apis/chat.ts';
import { driverFor, lineWith } from '../driver/driver.ts';
import { asEditor } from '../driver/editor.ts';
import { fileTools, shell } from '../driver/script.ts';
import { kimiCode as client } from './client.ts';
import { kimiCode as servers } from './servers.ts';

/** The provider comes from variables, so the file need not contain a port. */
const CONFIG = `# For a run without a network.
default_permission_mode = "auto"
telemetry = false
`;

const COMPACT = '/compact';

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

  compaction: { prompt: COMPACT, steps: [], aside: 'The summary.' },

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

  unawaited: true,

  live: (session, model, options) =>
    asEditor(session, options, {
      args: ['acp'],
      closes: true,
      async settled(prompt, said) {
        if (prompt !== COMPACT) return;
        // It reports the end of this turn immediately, then compacts, and does not wait for the hooks after that.
        await said.has('"Compaction completed.');
        await model.hookProcesses?.ended();
      },
    }),
});
