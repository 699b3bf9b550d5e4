/** Answers a question: runs `validate`, `diff` and `fire` as somebody would in a terminal, and makes their JSON safe to show. */

import { CLIENTS } from '../../src/clients/registry.ts';
import { isRecord } from '../../src/declaration/schema.ts';
import { inLine, visible } from '../../src/system/visible.ts';
import { CHOICES } from './choices.ts';
import { type Printed, run } from './command-line.ts';
import type {
  Checked,
  Fired,
  FiredClient,
  Firing,
  Planned,
  PlannedClient,
  Question,
  Step,
} from './protocol.ts';

/** Without a `name` of its own, the declaration is called after its file. */
const FILE = 'my-server.json';

/** Characters of a text that are shown. A diff has many, but no model reads as much. */
const MOST = 60_000;

const IDS = CLIENTS.map(({ id }) => id).join(',');

/** The steps, each as soon as it is known. */
export async function* answer(question: Question): AsyncGenerator<Step> {
  const manifest = { name: FILE, text: question.text };
  const ask = async (argv: readonly string[]): Promise<Ran> => {
    const all = [...argv, '--json'];
    return { command: ['mcp-hooks', ...all].map(quoted).join(' '), ...(await run(all, manifest)) };
  };
  yield { step: 'checked', checked: checkedIn(await ask(['validate', FILE]), question.text) };
  // A link may hold anything.
  const granted = CHOICES.grants.filter((grant) => question.allow.includes(grant));
  const allow = granted.length > 0 ? ['--allow', granted.join(',')] : [];
  const planned = plannedIn(await ask(['diff', FILE, '--client', IDS, ...allow]));
  yield { step: 'planned', planned };
  const event = CHOICES.events.includes(question.event) ? question.event : planned.usual;
  const fire = ['fire', `./${FILE}`, event, '--client', IDS, ...allow];
  const fired =
    event === '' || planned.clients.length === 0
      ? undefined
      : firedIn(await ask([...fire, ...factsOf(question, event)]), event);
  yield { step: 'fired', fired };
}

/** What the event is about, as far as it is about a call or a prompt. */
function factsOf({ tool, input, prompt, failed, times }: Question, event: string): string[] {
  const call = CHOICES.toolEvents.includes(event)
    ? [
        ...(tool ? ['--tool', tool] : []),
        ...(input ? ['--input', input] : []),
        ...(failed ? ['--failed'] : []),
      ]
    : [];
  const asked = CHOICES.promptEvents.includes(event) && prompt ? ['--prompt', prompt] : [];
  return [...call, ...asked, ...(times > 1 ? ['--times', String(times)] : [])];
}

interface Ran extends Printed {
  readonly command: string;
}

/** A word for a shell. */
const quoted = (word: string): string =>
  /^[\w./,:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

const list = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];
const text = (value: unknown): string =>
  value === undefined || value === null ? '' : String(value);
const line = (value: unknown): string => inLine(text(value));
const lines = (value: unknown): string[] => (Array.isArray(value) ? value.map(line) : []);

function resultOf({ command, out, err }: Ran) {
  const value: unknown = out === '' ? {} : JSON.parse(out);
  const json = isRecord(value) ? value : {};
  const { error, details } = json;
  const errors = error === undefined ? [] : [line(error), ...lines(details)];
  // What is not JSON is an error of ours.
  if (out === '' && err !== '')
    errors.push(
      ...err
        .trim()
        .split('\n')
        .map((one) => inLine(one)),
    );
  return { json, shown: { command: inLine(command, MOST), json: visible(out, 20 * MOST), errors } };
}

/** Lines that are shown of what is hidden in a declaration. */
const LINES = 5;

function checkedIn(ran: Ran, declaration: string): Checked {
  const { json, shown } = resultOf(ran);
  const problems = list(json.problems).map(({ level, message, line: at, column }) => ({
    level: line(level),
    place: `${line(at)}:${line(column)}`,
    message: line(message),
  }));
  const hidden = declaration
    .split('\n')
    .flatMap((one, index) =>
      visible(one, one.length) === one ? [] : [{ line: index + 1, text: visible(one) }],
    )
    .slice(0, LINES);
  const hooks = Number(json.hooks ?? 0);
  return { ...shown, valid: json.valid === true, hooks, problems, hidden };
}

const nameOf = (id: unknown): string =>
  CLIENTS.find((client) => client.id === id)?.name ?? line(id);

function plannedIn(ran: Ran): Planned {
  const { json, shown } = resultOf(ran);
  const clients = list(json.clients).map(
    ({ id, file, diff, hooks }): PlannedClient => ({
      ...{ id: line(id), name: nameOf(id), file: line(file), diff: visible(text(diff), MOST) },
      hooks: list(hooks).map(({ event, grade, when, notes }, index) => ({
        ...{ number: index + 1, event: line(event), grade: line(grade) },
        ...{ when: line(when), notes: lines(notes) },
      })),
    }),
  );
  const events = [...new Set(list(json.hooks).map(({ event }) => text(event)))];
  const isInstalled = (event: string) =>
    clients.some(({ hooks }) =>
      hooks.some((hook) => hook.event === event && hook.grade !== 'none'),
    );
  const usual = events.find(isInstalled) ?? events[0] ?? '';
  const grants = list(json.grants).map(({ grant, hooks }) => ({
    grant: line(grant),
    hooks: Array.isArray(hooks) ? hooks.map(Number) : [],
  }));
  const asks = list(json.hooks).some(
    (hook) => hook.context_tool !== undefined || hook.command !== undefined,
  );
  return { ...shown, events, usual, grants, asks, clients };
}

function firedIn(ran: Ran, event: string): Fired {
  const { json, shown } = resultOf(ran);
  const clients = list(json.clients).map(
    ({ id, firings, obstacles }): FiredClient => ({
      ...{ id: line(id), name: nameOf(id), firings: list(firings).map(firingIn) },
      obstacles: list(obstacles).map(({ message }) => line(message)),
    }),
  );
  return { ...shown, event, clients };
}

function firingIn(firing: Record<string, unknown>): Firing {
  const { event, time, text: read, decided, reason, trouble, message, why, hooks } = firing;
  const whole = [isRecord(trouble) ? trouble.message : undefined, message].filter(Boolean);
  return {
    event: line(event),
    time: Number(time),
    text: typeof read === 'string' ? visible(read, MOST) : undefined,
    decided:
      decided === undefined ? undefined : { how: line(decided), reason: visible(text(reason)) },
    why: [
      ...[...whole, ...list(why).map((one) => one.message)].map((one) => ({
        number: undefined,
        message: line(one),
      })),
      ...list(hooks).flatMap(({ hook, reason: own }) =>
        isRecord(own) ? [{ number: Number(hook), message: line(own.message) }] : [],
      ),
    ],
  };
}
