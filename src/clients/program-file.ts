/**
 * For a client that loads plugins and has no hooks in its settings: a plugin of ours that starts the hooks of all labels. It is
 * created with the first hook and removed with the last. Not for Windows.
 */

import type { JsonObject } from '../edit/edit.ts';
import { programWith } from '../edit/formats.ts';
import { deciding, event, wire } from './claude-shaped.ts';
import {
  type Client,
  type ConfigFile,
  type EventLowering,
  NO_HISTORY,
  STRICT,
} from './contract.ts';
import type { Bundle, BundleContents } from './shipping.ts';

const OURS = `// Made by mcp-hooks. It starts what is listed above. mcp-hooks adds and removes that, and this file with the last of it.
`;

/**
 * `answersTo(event, payloadOf)` starts an event's hooks, and combines their answers into one. It never throws, because a client
 * may stop when a plugin does.
 */
const ANSWERS = `import { spawn } from 'node:child_process';

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

const both = (...texts) => texts.filter(Boolean).join('\\n\\n');

const answerOf = ({ command, timeout }, input) =>
  new Promise((done) => {
    let text = '';
    const child = spawn('/bin/sh', ['-c', command], { stdio: ['pipe', 'pipe', 'ignore'] });
    const end = () => {
      clearTimeout(late);
      try {
        done(JSON.parse(text));
      } catch {
        done({});
      }
    };
    // What the command has started may hold on to its output.
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      end();
    }, timeout * 1000);
    child.stdout.setEncoding('utf8').on('data', (part) => (text += part));
    child.stdin.on('error', () => {}).end(input);
    child.on('error', end).on('close', end);
  });

const isFor = (tool) => ({ matcher }) => {
  try {
    return !matcher || new RegExp('^(?:' + matcher + ')$').test(tool);
  } catch {
    return false;
  }
};

/** An answer has texts under \`context\` and \`ask\`, a reason under \`block\`, and what changes under \`input\` and \`output\`. */
async function answersTo(event, payloadOf) {
  if (!(event in hooks)) return {};
  try {
    const payload = await payloadOf();
    const input = JSON.stringify(payload);
    const wanted = hooks[event].filter(isFor(payload.tool_name));
    const answers = (await Promise.all(wanted.map((one) => answerOf(one, input)))).filter(isObject);
    const texts = (key) => answers.map((one) => one[key]).filter((text) => typeof text === 'string');
    return {
      context: both(...texts('context')),
      ask: both(...texts('ask')),
      block: texts('block').length > 0 ? both(...texts('block')) : undefined,
      input: answers.map((one) => one.input).findLast(isObject),
      output: texts('output').at(-1),
    };
  } catch {
    return {};
  }
}
`;

/** A JavaScript module that the client loads: `code` has the exports that the client expects, and calls `answersTo`. */
export const pluginFile = (name: string, code: string): ConfigFile => ({
  name,
  format: 'program',
  layout: { kind: 'lists' },
  dialect: { ...STRICT, otherwise: 'is not a program' },
  start: programWith(`${OURS}${ANSWERS}\n${code}`),
});

/** The folder of a package, for the commands of its hooks. */
const FOLDER = 'MCP_HOOKS_PACKAGE';

/** The plugin starts its hooks itself, so it sets their folder. Each stays a single command, even after a pipe. */
const LOCATED = `// Made by mcp-hooks, with the hooks of a package.
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url)).replace(/\\/$/, '').replaceAll("'", "'\\\\''");
for (const one of Object.values(hooks).flat())
  one.command = '{ ${FOLDER}=\\'' + folder + '\\'; ' + one.command + '\\n}';

`;

/** The same plugin as an npm package. @param more Fields of its package.json. @param also More code of the package. */
export const pluginPackage = (
  code: string,
  more: JsonObject,
  also: (contents: BundleContents) => string = () => '',
): Pick<Bundle, 'noun' | 'variable' | 'files'> => ({
  noun: 'plugin',
  variable: FOLDER,
  files(contents) {
    const { name, version, description, author, hooks } = contents;
    const main = './index.js';
    return [
      [
        `${name}/package.json`,
        { name, version, description, author, type: 'module', main, ...more },
      ],
      [`${name}/index.js`, programWith(`${LOCATED}${ANSWERS}\n${code}${also(contents)}`, hooks)],
    ];
  },
});

// The format of the data between a plugin and its hooks is our own, and the same in all such clients.

export const BLOCK = { block: '{reason}' };

export const pluginEvents = {
  // A hook may start the client itself, which takes ten seconds on a slow machine.
  SessionStart: event('none', { occasion: 'source', timeout: 30 }),
  SubagentStart: event('none', { occasion: 'agent_id' }),
  SubagentStop: event('none', { occasion: 'agent_id' }),
  UserPromptSubmit: deciding('none', { block: BLOCK, alone: 'block' }),
};

export const pluginWire = {
  ...wire,
  begins: '{"hook_event_name":"{event}","session_id":"',
  // None: a plugin's additions to requests are not kept for the next process.
  continuing: [],
  history: NO_HISTORY,
  subagent: 'agent_id',
  limit: {},
  tell: { context: '{text}' },
  duration: 'duration_ms',
  used: { tokens: 'tokens_used', window: 'compactions' },
  facts: ['duration_seconds', 'tokens_used', 'tool_calls'],
};

export const pluginEntry: Client['entry'] = {
  shape: 'flat',
  handler: ({ command, timeout }) => ({ command, timeout }),
  commands: ['command'],
};

/** Over a budget, counted by the plugin. @param natives The events that can show the model something. */
export const overCountedBudget = (...natives: readonly string[]): EventLowering['text'] => ({
  grade: 'exact',
  when: 'with the next result of a call or the next prompt after that',
  on: natives.map((native) => ({ native, act: 'tell' })),
});
