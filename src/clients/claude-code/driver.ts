import { join } from 'node:path';
import { getPath, str } from '../../system/json.ts';
import { anthropic } from '../driver/apis/anthropic.ts';
import { driverFor, lineWith, type Session, turnByTurn, writeJson } from '../driver/driver.ts';
import { fileTools, shell } from '../driver/script.ts';
import { claudeCode as client } from './client.ts';
import { claudeCode as servers } from './servers.ts';

const files = fileTools(
  'file_path',
  { name: 'Read' },
  (content) => ({ name: 'Write', input: { content } }),
  (old_string, new_string) => ({ name: 'Edit', input: { old_string, new_string } }),
);

export const driver = driverFor({
  client,
  servers,
  api: anthropic,

  prepare({ home }) {
    // Neither is needed. They are there so that an edit of the file has other settings to keep.
    const settings = { cleanupPeriodDays: 30, permissions: { allow: ['Read'] } };
    writeJson(join(home, '.claude', 'settings.json'), settings);
  },

  keeps: (settings) =>
    Object.fromEntries(Object.entries(settings).filter(([key]) => !ELSEWHERE.test(key))),

  tools: { Bash: (word) => [shell(word)], Write: files.write, Edit: files.edit, Read: files.read },

  compaction: { prompt: '/compact', steps: [{ text: '<summary>The summary.</summary>' }] },

  sessionIn: (stdout) => str(getPath(lineWith('"session_id"', stdout), 'session_id')),

  env: (_session, model) => ({
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'dummy',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    // Lets root skip permissions, as in a container.
    IS_SANDBOX: '1',
  }),

  args: (session, _model, prompt, id) => [
    ...flags(session),
    ...(id === '' ? [] : [`--resume=${id}`]),
    prompt,
  ],

  live: (session, _model, options) => turnByTurn(session, flags(session), options),
});

/** Settings that affect where requests go, who pays, which tools exist, and what else is loaded. */
const ELSEWHERE =
  /^(env|permissions|sandbox|agent|apiKeyHelper|.*[mM]odels?|model.*|.*[mM]arketplaces|.*Plugins?|plugin.*|forceLogin.*|forceRemote.*|.*McpServers|.*McpjsonServers|required.*Version|minimumVersion|remote.*|disableAutoMode|defaultShell|processWrapper|worktree)$/;

function flags({ model = 'claude-sonnet-5' }: Session): string[] {
  return [
    '--print',
    '--output-format=stream-json',
    '--verbose',
    '--dangerously-skip-permissions',
    `--model=${model}`,
  ];
}
