// Qwen Code 0.24.4, without a login: with a custom provider.
import { join } from 'node:path';
import { getPath, str } from '../../system/json.ts';
import { chat } from '../driver/apis/chat.ts';
import { driverFor, lineWith, turnByTurn, writeJson } from '../driver/driver.ts';
import { fileTools, shell } from '../driver/script.ts';
import { qwenCode as client } from './client.ts';
import { qwenCode as servers } from './servers.ts';

const SETTINGS = {
  // Otherwise, it adds this and reformats the file.
  $version: 4,
  general: { enableAutoUpdate: false },
  // Otherwise, it starts its own agent after some turns.
  memory: { enableManagedAutoMemory: false },
  privacy: { usageStatisticsEnabled: false },
  // Offers the tools of servers like its own; otherwise, a model finds and calls them through two special tools.
  tools: { toolSearch: { enabled: false } },
};

const files = fileTools(
  'file_path',
  { name: 'read_file' },
  (content) => ({ name: 'write_file', input: { content } }),
  (old_string, new_string) => ({ name: 'edit', input: { old_string, new_string } }),
);

const FLAGS = ['--auth-type=openai', '--approval-mode=yolo', '--output-format=stream-json'];

export const driver = driverFor({
  client,
  servers,
  api: chat({
    shells: ['run_shell_command'],
    summary: 'You are the component that summarizes a conversation',
    least: 20_000,
  }),

  prepare: ({ home }) => writeJson(join(home, '.qwen', 'settings.json'), SETTINGS),

  tools: {
    run_shell_command: (word) => [shell(word)],
    write_file: files.write,
    edit: files.edit,
    read_file: files.read,
    list_directory: (word, project) =>
      word === '' ? [{ call: { name: 'list_directory', input: { path: project } } }] : undefined,
  },

  compaction: {
    prompt: '/compress',
    steps: [],
    aside: '<state_snapshot>The summary.</state_snapshot>',
  },

  sessionIn: (stdout) => str(getPath(lineWith('"session_id"', stdout), 'session_id')),

  env: ({ model: name = 'scripted' }, model) => ({
    // Otherwise, it restarts itself with more memory.
    QWEN_CODE_NO_RELAUNCH: 'true',
    OPENAI_API_KEY: 'dummy',
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_MODEL: name,
  }),

  args: (_session, _model, prompt, id) => [
    ...FLAGS,
    ...(id === '' ? [] : [`--resume=${id}`]),
    `--prompt=${prompt}`,
  ],

  live: (session, _model, options) => turnByTurn(session, FLAGS, options),
});
