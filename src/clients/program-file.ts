/**
 * For a client that runs programs in place of hooks in its settings: a program of our own that starts the hooks of all labels.
 * It is made with the first hook and removed with the last. Not for Windows.
 */

import { programWith } from '../edit/formats.ts';
import { type ConfigFile, STRICT } from './contract.ts';

/**
 * `answerOf(hook, input)` is the answer of one hook, or an empty one. It never throws, because a client may stop at a program
 * that does.
 */
const ANSWERS = `// Made by mcp-hooks. It starts what is listed above. mcp-hooks adds and removes that, and this file with the last of it.
import { spawn } from 'node:child_process';

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

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
`;

/**
 * `dispatch(event, input)` starts the commands of an event at the same time, and makes one answer of their answers: texts in
 * the same place are joined.
 */
export const DISPATCH = `
function joined(one, other) {
  if (isObject(one) && isObject(other)) {
    const all = { ...one };
    for (const [key, value] of Object.entries(other))
      all[key] = key in one ? joined(one[key], value) : value;
    return all;
  }
  if (typeof one === 'string' && typeof other === 'string' && one !== other)
    return one + '\\n\\n' + other;
  return one || other;
}

const dispatch = async (event, input) =>
  (await Promise.all((hooks[event] ?? []).map((one) => answerOf(one, input)))).reduce(joined, {});
`;

const fileWith = (name: string, code: string): ConfigFile => ({
  name,
  format: 'program',
  layout: { kind: 'lists' },
  dialect: { ...STRICT, otherwise: 'is not a program' },
  start: programWith(ANSWERS + code),
});

/** A module of JavaScript that the client loads: `code` exports what the client expects, and calls `answerOf`. */
export const pluginFile = (name: string, code: string): ConfigFile => fileWith(name, `\n${code}`);

/** A program that the client starts for one event, with the payload on stdin. */
export const eventProgram = (name: string, event: string): ConfigFile => ({
  ...fileWith(
    name,
    `${DISPATCH}
let input = '';
process.stdin.setEncoding('utf8').on('data', (part) => (input += part));
process.stdin.on('end', async () => {
  const answer = await dispatch(${JSON.stringify(event)}, input);
  if (Object.keys(answer).length > 0) process.stdout.write(JSON.stringify(answer));
});
`,
  ),
  event,
});
