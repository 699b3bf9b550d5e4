import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProcessResult, run } from '../../system/child.ts';
import { at, type JsonObject, parse, str } from '../../system/json.ts';
import { google } from '../driver/apis/google.ts';
import {
  against,
  type ClientDriver,
  environment,
  oneByOne,
  type Session,
} from '../driver/driver.ts';
import type { Model } from '../driver/model.ts';
import { type Step, shell } from '../driver/script.ts';
import { lacks } from '../gaps.ts';
import { geminiCli } from './client.ts';

/** What 0.61.0 needs to start without a terminal (else exit 41), and to stay at home. */
const SETTINGS = {
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  security: { auth: { selectedType: 'gemini-api-key' } },
};

export const driver: ClientDriver = {
  turns: ['resume'],

  prepare({ home }) {
    mkdirSync(join(home, '.gemini'), { recursive: true });
    write(home, SETTINGS);
  },

  addServers({ home }, servers) {
    const before = parse(readFileSync(settingsFile(home), 'utf8')) as JsonObject;
    const entries = Object.entries(servers).map(([name, { command, args }]) => {
      return [name, { command, args }];
    });
    const mcpServers = {
      ...(at(before, 'mcpServers') as JsonObject),
      ...Object.fromEntries(entries),
    };
    write(home, { ...before, mcpServers });
  },

  tools: {
    run_shell_command: (word) => [shell(word)],
    write_file: (word, project) => [written(project, word)],
    replace: (word, project) => [
      written(project, 'before'),
      {
        call: {
          name: 'replace',
          input: {
            ...fileIn(project),
            instruction: 'scripted',
            old_string: 'before',
            new_string: `after ${word}`,
          },
        },
      },
    ],
    read_file: (word, project) =>
      word === ''
        ? [written(project, 'x'), { call: { name: 'read_file', input: fileIn(project) } }]
        : undefined,
    list_directory: (word, project) =>
      word === ''
        ? [{ call: { name: 'list_directory', input: { dir_path: project } } }]
        : undefined,
  },

  sessionIn(stdout) {
    const init = stdout.split('\n').find((line) => line.includes('"session_id"'));
    return init === undefined ? '' : str(at(parse(init), 'session_id'));
  },

  run(session) {
    if (session.turns === 'live') {
      throw new Error('Gemini CLI has no headless way to give a running session a second prompt');
    }
    return against(session, google, (model) => resumed(session, model));
  },
};

const fileIn = (project: string) => ({ file_path: join(project, 'scripted.txt') });

const written = (project: string, content: string): Step => ({
  call: { name: 'write_file', input: { ...fileIn(project), content } },
});

function settingsFile(home: string): string {
  return join(home, '.gemini', 'settings.json');
}

function write(home: string, settings: JsonObject): void {
  writeFileSync(settingsFile(home), `${JSON.stringify(settings, null, 2)}\n`);
}

function resumed(session: Session, model: Model): Promise<ProcessResult> {
  const env = {
    ...environment(session.home, model, {
      noProxy: !lacks(geminiCli, 'no-proxy', session.version),
    }),
    GEMINI_API_KEY: 'dummy',
    GOOGLE_GEMINI_BASE_URL: model.url,
    // Else exit 55: nobody is there to be asked.
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    ...session.env,
  };
  const { model: name = 'gemini-2.5-flash' } = session;
  const flags = [`--model=${name}`, '--yolo', '--output-format=stream-json'];
  return oneByOne(session, (prompt, before, deadline) => {
    const id = session.resume ?? driver.sessionIn(before);
    const resume = id === '' ? [] : [`--resume=${id}`];
    return run(session.launch, [...flags, ...resume, `--prompt=${prompt}`], {
      cwd: session.project,
      env,
      deadline,
    });
  });
}
