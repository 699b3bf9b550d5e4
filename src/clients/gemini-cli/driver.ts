import { join } from 'node:path';
import { getPath, str } from '../../system/json.ts';
import { google } from '../driver/apis/google.ts';
import { driverFor, lineWith, writeJson } from '../driver/driver.ts';
import { fileTools, shell } from '../driver/script.ts';
import { geminiCli as client } from './client.ts';
import { geminiCli as servers } from './servers.ts';

/** 0.61.0 needs these to start without a terminal (else exit 41), and to stay off the network. */
const SETTINGS = {
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  security: { auth: { selectedType: 'gemini-api-key' } },
};

const files = fileTools(
  'file_path',
  { name: 'read_file' },
  (content) => ({ name: 'write_file', input: { content } }),
  (old_string, new_string) => ({
    name: 'replace',
    input: { instruction: 'scripted', old_string, new_string },
  }),
);

const settingsFile = (home: string): string => join(home, '.gemini', 'settings.json');

export const driver = driverFor({
  client,
  servers,
  api: google,

  prepare: ({ home }) => writeJson(settingsFile(home), SETTINGS),

  tools: {
    run_shell_command: (word) => [shell(word)],
    write_file: files.write,
    replace: files.edit,
    read_file: files.read,
    list_directory: (word, project) =>
      word === ''
        ? [{ call: { name: 'list_directory', input: { dir_path: project } } }]
        : undefined,
  },

  compaction: {
    prompt: '/compress',
    steps: [{ text: 'The answer to a compression.' }],
    aside: 'The summary.',
    unawaited: 'PreCompress',
  },

  sessionIn: (stdout) => str(getPath(lineWith('"session_id"', stdout), 'session_id')),

  env: (_session, model) => ({
    GEMINI_API_KEY: 'dummy',
    GOOGLE_GEMINI_BASE_URL: model.url,
    // Otherwise, it restarts itself with more memory.
    GEMINI_CLI_NO_RELAUNCH: 'true',
    // Otherwise, it exits with 55, because there is no user to ask.
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }),

  args: ({ model = 'gemini-2.5-flash' }, _model, prompt, id) => [
    `--model=${model}`,
    '--yolo',
    '--output-format=stream-json',
    ...(id === '' ? [] : [`--resume=${id}`]),
    `--prompt=${prompt}`,
  ],
});
