// GitHub Copilot CLI 1.0.102, without a login: with a provider of one's own, and offline.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { type ProcessResult, run } from '../../system/child.ts';
import { at, type Json, type JsonObject, parse, str } from '../../system/json.ts';
import {
  against,
  type ClientDriver,
  environment,
  oneByOne,
  type Session,
} from '../driver/driver.ts';
import type { Model } from '../driver/model.ts';
import { type Step, shell } from '../driver/script.ts';
import { chat } from './chat.ts';

export const driver: ClientDriver = {
  // In both the session end fires after each turn.
  turns: ['live', 'resume'],

  prepare({ home, project }) {
    mkdirSync(join(home, '.copilot'), { recursive: true });
    // Not needed; there to be kept by whoever edits the folder.
    write(settingsFile(home), { banner: 'never' });
    // For hooks of the project.
    write(join(home, '.copilot', 'config.json'), { trustedFolders: [project] });
  },

  // All of settings.json may lead elsewhere (providers, models, permissions, plugins); our hooks are in files of their own.
  keeps: (settings, file) => (file === 'settings.json' ? undefined : settings),

  addServers({ home }, servers) {
    const file = join(home, '.copilot', 'mcp-config.json');
    const before = existsSync(file) ? (parse(readFileSync(file, 'utf8')) as JsonObject) : {};
    const entries = Object.entries(servers).map(([name, { command, args }]) => {
      return [name, { type: 'local', command, args, tools: ['*'] }];
    });
    const mcpServers = {
      ...(at(before, 'mcpServers') as JsonObject),
      ...Object.fromEntries(entries),
    };
    write(file, { ...before, mcpServers });
  },

  // By the names that hooks have them under.
  tools: {
    Bash: (word) => [shell(word)],
    Write: (word, project) => [written(project, word)],
    Edit: (word, project) => [
      written(project, 'before'),
      {
        call: {
          name: 'edit',
          input: { ...fileIn(project), old_str: 'before', new_str: `after ${word}` },
        },
      },
    ],
    Read: (word, project) =>
      word === ''
        ? [written(project, 'x'), { call: { name: 'view', input: fileIn(project) } }]
        : undefined,
    Glob: (word) => [{ call: { name: 'glob', input: { pattern: word || '*' } } }],
  },

  sessionIn(stdout) {
    const line = stdout.split('\n').find((one) => one.includes('"sessionId"'));
    if (line === undefined) return '';
    const said = parse(line);
    return str(at(said, 'sessionId')) || str(at(said, 'result', 'sessionId'));
  },

  run(session) {
    const drive = session.turns === 'resume' ? resumed : live;
    return against(session, chat, (model) => drive(session, model));
  },
};

const settingsFile = (home: string): string => join(home, '.copilot', 'settings.json');

const write = (file: string, value: JsonObject): void =>
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

const fileIn = (project: string) => ({ path: join(project, 'scripted.txt') });

/** `create` refuses a file that is there already. */
const written = (project: string, content: string): Step => ({
  call: { name: 'create', input: { ...fileIn(project), file_text: content } },
});

/** It asks nobody, and stays at the version that was started. */
const FLAGS = ['--allow-all', '--no-auto-update', '--no-color', '--no-ask-user'];

function env({ home, model: name = 'scripted', env: extra }: Session, model: Model) {
  return {
    ...environment(home, model),
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_WIRE_API: 'completions',
    COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`,
    COPILOT_PROVIDER_API_KEY: 'dummy',
    // A name that it does not know has the tools `edit` and `create`; with one like gpt-5.4 it is `apply_patch`.
    COPILOT_MODEL: name,
    // It unpacks 235 MB at its first start: once for all homes.
    COPILOT_PKG_CACHE_HOME: packages(),
    ...extra,
  };
}

/** Where the client keeps what it has unpacked for this user. */
function packages(): string {
  const { COPILOT_PKG_CACHE_HOME, COPILOT_CACHE_HOME, XDG_CACHE_HOME } = process.env;
  const cache = COPILOT_CACHE_HOME || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'copilot');
  return COPILOT_PKG_CACHE_HOME || cache;
}

function resumed(session: Session, model: Model): Promise<ProcessResult> {
  return oneByOne(session, (prompt, before, deadline) => {
    const id = session.resume ?? driver.sessionIn(before);
    const resume = id === '' ? [] : [`--resume=${id}`];
    const args = [...FLAGS, '--output-format=json', ...resume, `--prompt=${prompt}`];
    return run(session.launch, args, {
      cwd: session.project,
      env: env(session, model),
      deadline,
    });
  });
}

/** The protocol of editors (`--acp`): one process, one session, one turn after the other. */
function live(session: Session, model: Model): Promise<ProcessResult> {
  const waiting = [...session.prompts];
  let last = 0;
  let sessionId = '';
  const ask = (stdin: Writable, method: string, params: JsonObject): void => {
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++last, method, params })}\n`);
  };
  const next = (stdin: Writable): void => {
    const text = waiting.shift();
    if (text === undefined) stdin.end();
    else if (text === '/clear') open(stdin);
    else ask(stdin, 'session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  };
  const open = (stdin: Writable): void =>
    ask(stdin, 'session/new', { cwd: session.project, mcpServers: [] });
  return run(session.launch, ['--acp', ...FLAGS], {
    cwd: session.project,
    env: env(session, model),
    deadline: session.deadline,
    onStart: (stdin) => ask(stdin, 'initialize', { protocolVersion: 1, clientCapabilities: {} }),
    onLine(line, stdin) {
      const said: Json = parse(line);
      if (at(said, 'id') !== last || at(said, 'method') !== undefined) return;
      if (at(said, 'error') !== undefined) throw new Error(line);
      sessionId = str(at(said, 'result', 'sessionId')) || sessionId;
      if (last === 1) open(stdin);
      else next(stdin);
    },
  });
}
