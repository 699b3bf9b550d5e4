// Cline 3.0.65, without a login: with a custom provider. It only takes one prompt after the other from an editor (`--acp`).
import { join } from 'node:path';
import { type Executable, run } from '../../system/child.ts';
import { getPath, str } from '../../system/json.ts';
import { chat } from '../driver/apis/chat.ts';
import { driverFor, hasHooks, lineWith, type Session, writeJson } from '../driver/driver.ts';
import { asEditor } from '../driver/editor.ts';
import { type Step, shell } from '../driver/script.ts';
import { cline as client } from './client.ts';
import { cline as servers } from './servers.ts';

const PROVIDER = 'openai-compatible';

/**
 * Started by an editor, it does not compact, and without a terminal there is no other way to continue a session (3.0.65). So
 * the prompt that triggers the compaction is a session of its own. It is longer than what the strategy `basic` keeps.
 */
const COMPACTED = `The compacted prompt.${' And so on.'.repeat(9000)}`;
const COMPACTING = [
  ...['--json', '--provider', PROVIDER, '--model', 'scripted'],
  ...['--compaction', 'basic'],
];

const api = chat({ shells: ['run_commands'], summary: 'Summarize' });

const edit = (project: string, new_text: string, old_text?: string): Step => ({
  call: {
    name: 'editor',
    input: {
      path: join(project, 'scripted.txt'),
      new_text,
      ...(old_text !== undefined && { old_text }),
    },
  },
});

export const driver = driverFor({
  client,
  servers,
  api: {
    ...api,
    shell: (command, body) => ({ ...api.shell(command, body), input: { commands: [command] } }),
  },

  // The model's URL is known only when it runs.
  prepare: ({ home }) => writeProvider(home, ''),

  tools: {
    run_commands: (word) => [shell(word)],
    editor: (word, project) => [edit(project, word)],
    read_files: (word, project) =>
      word === ''
        ? [
            edit(project, 'x'),
            {
              call: {
                name: 'read_files',
                input: { files: [{ path: join(project, 'scripted.txt') }] },
              },
            },
          ]
        : undefined,
  },

  // It then removes the first call, without a summary from the model.
  compaction: {
    turns: 'resume',
    prompt: COMPACTED,
    steps: [
      { ...shell('compacted'), tokens: 199_500 },
      { ...shell('compacted again'), tokens: 500 },
      { text: 'Done.' },
    ],
  },

  sessionIn: (stdout) => str(getPath(lineWith('"sessionId"', stdout), 'result', 'sessionId')),

  env: () => ({
    CLINE_API_KEY: 'dummy',
    CLINE_NO_AUTO_UPDATE: '1',
    // Four seconds by default, which is too short for a node that starts while other tests run.
    CLINE_PLUGIN_IMPORT_TIMEOUT_MS: '30000',
    CLINE_PROVIDER: PROVIDER,
    // Otherwise, a process stays in the background and serves all later sessions.
    CLINE_SESSION_BACKEND_MODE: 'local',
  }),

  live(session, model, options) {
    writeProvider(session.home, model.url);
    const launch = launchFor(session);
    const [prompt = ''] = session.prompts;
    if (prompt === COMPACTED) return run(launch, [...COMPACTING, prompt], options);
    return asEditor({ ...session, launch }, options, {
      args: ['--acp', '--auto-approve', 'true'],
      // From a variable, it only takes models that it knows.
      model: session.model ?? 'scripted',
    });
  },
});

/** Hooks that start at the end of a session continue after Cline has exited, so a process has to stay for that long. */
function launchFor(session: Session): Executable {
  if (!hasHooks(client, session, 'SessionEnd')) return session.launch;
  return ['/bin/sh', '-c', '"$@"; status=$?; sleep 5; exit $status', 'sh', ...session.launch];
}

function writeProvider(home: string, url: string): void {
  const settings = { provider: PROVIDER, apiKey: 'dummy', model: 'scripted', baseUrl: `${url}/v1` };
  writeJson(join(home, '.cline/data/settings/providers.json'), {
    version: 1,
    lastUsedProvider: PROVIDER,
    providers: {
      [PROVIDER]: { settings, updatedAt: '2026-01-01T00:00:00.000Z', tokenSource: 'manual' },
    },
  });
}
