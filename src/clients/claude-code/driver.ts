import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ProcessResult, run } from '../../system/child.ts';
import { at, type JsonObject, parse, str } from '../../system/json.ts';
import { anthropic } from '../driver/apis/anthropic.ts';
import {
  against,
  type ClientDriver,
  environment,
  oneByOne,
  type Session,
} from '../driver/driver.ts';
import type { Model } from '../driver/model.ts';
import { type Step, shell } from '../driver/script.ts';

export const driver: ClientDriver = {
  turns: ['live', 'resume'],

  prepare({ home }) {
    const file = join(home, '.claude', 'settings.json');
    mkdirSync(dirname(file), { recursive: true });
    // Nothing here is needed; it is there to be kept by whoever edits the file.
    const settings = { cleanupPeriodDays: 30, permissions: { allow: ['Read'] } };
    writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`);
  },

  keeps: (settings) =>
    Object.fromEntries(Object.entries(settings).filter(([key]) => !ELSEWHERE.test(key))),

  addServers({ home }, servers) {
    const file = join(home, '.claude.json');
    const before = existsSync(file) ? (parse(readFileSync(file, 'utf8')) as JsonObject) : {};
    const entries = Object.entries(servers).map(([name, { command, args }]) => {
      return [name, { type: 'stdio', command, args, env: {} }];
    });
    const mcpServers = {
      ...(at(before, 'mcpServers') as JsonObject),
      ...Object.fromEntries(entries),
    };
    writeFileSync(file, `${JSON.stringify({ ...before, mcpServers }, null, 2)}\n`);
  },

  tools: {
    Bash: (word) => [shell(word)],
    Write: (word, project) => [write('Write', project, word)],
    // Claude Code edits no file that it has not seen.
    Edit: (word, project) => [
      write('Write', project, 'before'),
      {
        call: {
          name: 'Edit',
          input: { ...fileIn(project), old_string: 'before', new_string: `after ${word}` },
        },
      },
    ],
    Read: (word, project) =>
      word === ''
        ? [write('Write', project, 'x'), { call: { name: 'Read', input: fileIn(project) } }]
        : undefined,
  },

  sessionIn(stdout) {
    const first = stdout.split('\n').find((line) => line.includes('"session_id"'));
    return first === undefined ? '' : str(at(parse(first), 'session_id'));
  },

  run(session) {
    const drive = session.turns === 'resume' ? resumed : live;
    return against(session, anthropic, (model) => drive(session, model));
  },
};

/** What decides where requests go, who pays, which tools there are, and what else is loaded. */
const ELSEWHERE =
  /^(env|permissions|sandbox|agent|apiKeyHelper|.*[mM]odels?|model.*|.*[mM]arketplaces|.*Plugins?|plugin.*|forceLogin.*|forceRemote.*|.*McpServers|.*McpjsonServers|required.*Version|minimumVersion|remote.*|disableAutoMode|defaultShell|processWrapper|worktree)$/;

const fileIn = (project: string) => ({ file_path: join(project, 'scripted.txt') });

const write = (name: string, project: string, content: string): Step => ({
  call: { name, input: { ...fileIn(project), content } },
});

function flags({ model = 'claude-sonnet-5' }: Session): string[] {
  return [
    '--print',
    '--output-format=stream-json',
    '--verbose',
    '--dangerously-skip-permissions',
    `--model=${model}`,
  ];
}

function env({ home, env: extra }: Session, model: Model): Record<string, string> {
  return {
    ...environment(home, model),
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'dummy',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    // Lets root skip permissions, as in a container.
    IS_SANDBOX: '1',
    ...extra,
  };
}

function live(session: Session, model: Model): Promise<ProcessResult> {
  const waiting = [...session.prompts];
  const next = (stdin: NodeJS.WritableStream): void => {
    const prompt = waiting.shift();
    if (prompt === undefined) {
      stdin.end();
      return;
    }
    const message = { role: 'user', content: prompt };
    stdin.write(`${JSON.stringify({ type: 'user', message })}\n`);
  };
  return run(session.launch, [...flags(session), '--input-format=stream-json'], {
    cwd: session.project,
    env: env(session, model),
    deadline: session.deadline,
    onStart: next,
    onLine(line, stdin) {
      if (isResult(line)) {
        next(stdin);
      }
    },
  });
}

function resumed(session: Session, model: Model): Promise<ProcessResult> {
  return oneByOne(session, (prompt, before, deadline) => {
    const id = session.resume ?? driver.sessionIn(before);
    const resume = id === '' ? [] : [`--resume=${id}`];
    return run(session.launch, [...flags(session), ...resume, prompt], {
      cwd: session.project,
      env: env(session, model),
      deadline,
    });
  });
}

/** The end of a turn. What it cannot say properly, its exit code will. */
function isResult(line: string): boolean {
  try {
    return at(parse(line), 'type') === 'result';
  } catch {
    return false;
  }
}
