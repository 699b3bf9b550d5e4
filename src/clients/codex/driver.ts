import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getPath, type JsonObject, str } from '../../system/json.ts';
import { openai } from '../driver/apis/openai.ts';
import { atHome, driverFor, lineWith, type Session } from '../driver/driver.ts';
import type { Model } from '../driver/model.ts';
import { shell } from '../driver/script.ts';
import { DEAD_PROXY_URL, hooksIn, withAppServer } from './app-server.ts';
import { codex as client } from './client.ts';
import { codex as servers } from './servers.ts';

export const driver = driverFor({
  client,
  servers,
  api: openai,

  prepare({ home, project }) {
    mkdirSync(join(home, '.codex'), { recursive: true });
    writeFileSync(configFile(home), config(project));
  },

  // Other checks cover the rest of config.toml; in this file, the model must be ours.
  keeps: (settings, file) => (file === 'hooks.json' ? settings : undefined),

  async trust(place, launch, { env, deadline } = {}) {
    const { project } = place;
    // A dead proxy keeps it off the internet.
    const all = { ...atHome(place), HTTPS_PROXY: DEAD_PROXY_URL, ...itsHome(place.home), ...env };
    await withAppServer({ launch, cwd: project, env: all, deadline }, async (server) => {
      await server.trust(await hooksIn(server, project));
    });
  },

  tools: {
    Bash: (word) => [shell(word)],
    apply_patch: (word) => {
      const lines = word.split('\n');
      // Each line of a patch begins with its own sign, so only a single line is possible.
      if (lines.length > 1) return undefined;
      const input = `*** Begin Patch\n*** Add File: scripted.txt\n+${word}\n*** End Patch`;
      return [{ call: { name: 'apply_patch', input } }];
    },
  },

  // More than its models accept.
  compaction: { steps: [{ ...shell('long'), tokens: 300_000 }], aside: 'The summary.' },

  sessionIn: (stdout) => str(getPath(lineWith('"thread.started"', stdout), 'thread_id')),

  env: ({ home }) => ({ SCRIPTED_API_KEY: 'dummy', ...itsHome(home) }),

  args(session, model, prompt, id) {
    const flags = ['--json', '--skip-git-repo-check', ...overrides(session, model)];
    return id === '' ? ['exec', ...flags, prompt] : ['exec', 'resume', ...flags, id, prompt];
  },

  async live(session, model, { cwd, env, deadline }) {
    const { launch } = session;
    const options = { launch, cwd, env, deadline, args: overrides(session, model) };
    const { result } = await withAppServer(options, async (server) => {
      const start = async (source: JsonObject): Promise<string> => {
        const started = await server.ask('thread/start', { cwd: session.project, ...source });
        return str(getPath(started, 'thread', 'id'));
      };
      let threadId = await start({});
      for (const text of session.prompts) {
        if (text === '/clear') {
          // The terminal interface does the same on /clear.
          threadId = await start({ sessionStartSource: 'clear' });
          continue;
        }
        await server.ask('turn/start', { threadId, input: [{ type: 'text', text }] });
        await server.notification(
          'turn/completed',
          (params) => getPath(params, 'threadId') === threadId,
        );
      }
    });
    return result;
  },
});

/** On Windows it asks the system for the user's folder, whatever the environment says. */
const itsHome = (home: string): Record<string, string> =>
  process.platform === 'win32' ? { CODEX_HOME: join(home, '.codex') } : {};

const configFile = (home: string): string => join(home, '.codex', 'config.toml');

/** JSON strings and lists of strings are valid TOML. */
const toml = (value: string | string[]): string => JSON.stringify(value);

/** Each run sets the provider's real URL. The URL here is a placeholder. */
function config(project: string): string {
  return `# For a run without a network.
model = "gpt-5.5"
model_provider = "scripted"
# Nobody is there to ask: with these two, exec also calls MCP tools without approval.
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.scripted]
name = "scripted"
base_url = "${DEAD_PROXY_URL}/v1"
wire_api = "responses"
env_key = "SCRIPTED_API_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false

[projects.${toml(project)}]
trust_level = "trusted"
`;
}

/** Settings that differ between runs, so that the file need not contain a port. */
function overrides({ model: name }: Session, model: Model): string[] {
  const address = ['-c', `model_providers.scripted.base_url=${toml(`${model.url}/v1`)}`];
  return name === undefined ? address : [...address, '-c', `model=${toml(name)}`];
}
