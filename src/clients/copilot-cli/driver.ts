// GitHub Copilot CLI 1.0.102, without a login: with a custom provider, and offline.
import { join } from 'node:path';
import type { Env } from '../../system/env.ts';
import { getPath, str } from '../../system/json.ts';
import { chat } from '../driver/apis/chat.ts';
import { driverFor, lineWith, writeJson } from '../driver/driver.ts';
import { asEditor } from '../driver/editor.ts';
import { fileTools, shell } from '../driver/script.ts';
import { homeIn } from '../places.ts';
import { copilotCli as client } from './client.ts';
import { copilotCli as servers } from './servers.ts';

const files = fileTools(
  'path',
  { name: 'view' },
  // It refuses to create a file that already exists.
  (file_text) => ({ name: 'create', input: { file_text } }),
  (old_str, new_str) => ({ name: 'edit', input: { old_str, new_str } }),
);

/** No questions to the user, and no automatic updates. */
const FLAGS = ['--allow-all', '--no-auto-update', '--no-color', '--no-ask-user'];

export const driver = driverFor({
  client,
  servers,
  api: chat({
    shells: ['powershell', 'bash'],
    summary: 'Please create a detailed summary of the conversation so far.',
  }),
  // In both modes, the session end fires after each turn.
  live: (session, _model, options) =>
    asEditor(session, options, { args: ['--acp', ...FLAGS], clear: '/clear' }),

  prepare({ home, project }) {
    // Not needed. It is there so that an edit of the folder has other settings to keep.
    writeJson(join(home, '.copilot', 'settings.json'), { banner: 'never' });
    // For hooks of the project.
    writeJson(join(home, '.copilot', 'config.json'), { trustedFolders: [project] });
  },

  // Anything in settings.json may change where requests go (providers, models, permissions, plugins). Our hooks are in separate
  // files.
  keeps: (settings, file) => (file === 'settings.json' ? undefined : settings),

  // The names that hooks see.
  tools: {
    Bash: (word) => [shell(word)],
    Write: files.write,
    Edit: files.edit,
    Read: files.read,
    Glob: (word) => [{ call: { name: 'glob', input: { pattern: word || '*' } } }],
  },

  compaction: { prompt: '/compact', steps: [], aside: 'The summary.' },

  sessionIn(stdout) {
    const said = lineWith('"sessionId"', stdout);
    return str(getPath(said, 'sessionId')) || str(getPath(said, 'result', 'sessionId'));
  },

  env: ({ model: name = 'scripted', outer }, model) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_WIRE_API: 'completions',
    COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`,
    COPILOT_PROVIDER_API_KEY: 'dummy',
    // With an unknown model the tools are `edit` and `create`; with a model like gpt-5.4 it is `apply_patch`.
    COPILOT_MODEL: name,
    // It unpacks 235 MB at its first start, so all homes share one copy.
    COPILOT_PKG_CACHE_HOME: packages(outer),
  }),

  args: (_session, _model, prompt, id) => [
    ...FLAGS,
    '--output-format=json',
    ...(id === '' ? [] : [`--resume=${id}`]),
    `--prompt=${prompt}`,
  ],
});

/** The folder in which the client keeps its unpacked files for this user. */
function packages(outer: Env): string {
  const { COPILOT_PKG_CACHE_HOME, COPILOT_CACHE_HOME, LOCALAPPDATA, XDG_CACHE_HOME } = outer;
  const home = homeIn(outer) ?? '';
  const hidden = join(home, '.cache');
  const caches: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(home, 'Library', 'Caches'),
    win32: LOCALAPPDATA || hidden,
  };
  const here = caches[process.platform] ?? (XDG_CACHE_HOME || hidden);
  return COPILOT_PKG_CACHE_HOME || COPILOT_CACHE_HOME || join(here, 'copilot');
}
