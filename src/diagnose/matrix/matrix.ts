/**
 * The delivery matrix: the behaviour of the real clients in the tests (`npm run test:delivery`), as recorded in `matrix.json`,
 * and for further events and decisions the statements of their contracts.
 */

import type { Client, Grade, Lowering } from '../../clients/contract.ts';
import { ALL_EVENTS, EVENTS, type Event, LIFECYCLE_EVENTS } from '../../declaration/declaration.ts';
import seen from './matrix.json' with { type: 'json' };

/** The result for one client in one case. `by`: the client's own events on which the runner showed it. */
export interface Cell {
  /** Whether the statement of the case holds: `yes` (the default), `no`, or `not scriptable` if no test can cause it. */
  readonly holds?: string;
  readonly by?: string;
  readonly place?: string;
  readonly why?: string;
}

export interface Matrix {
  readonly versions: Readonly<Record<string, string>>;
  /** By case, then by client. */
  readonly cells: Readonly<Record<string, Readonly<Record<string, Cell>>>>;
}

/** The cases in the order in which they are shown: ids, and words for users. */
export const CASES = {
  'session_start, text': 'session_start, text',
  'session_start, tool': 'session_start, tool',
  'pre_request, text': 'pre_request, text',
  'pre_request, tool': 'pre_request, tool',
  'pre_tool_use, text': 'pre_tool_use, text',
  'pre_tool_use, tool': 'pre_tool_use, tool',
  'post_tool_use, text': 'post_tool_use, text',
  'post_tool_use, tool': 'post_tool_use, tool',
  'post_request, text': 'post_request, text',
  'post_request, tool': 'post_request, tool',
  'post_request, act-now': 'post_request, --act-now',
  'session_end, text': 'session_end, text',
  'session_end, tool': 'session_end, tool',
  'mcp call': 'MCP tool, tool_server',
  'failing command': 'command that fails',
  'failing mcp call': 'MCP tool that fails',
  'parallel calls': 'parallel calls, one text each',
  subagent: 'session_start in a subagent',
  compaction: 'session_start after compaction',
  resume: 'no repeated text on resume',
  clear: 'session_start after /clear',
  'two labels': 'texts of two servers at once',
  'own hook': 'your own hooks still fire',
  uninstall: 'nothing fires after uninstall',
} as const;
export type MatrixCase = keyof typeof CASES;
const isCase = (text: string): text is MatrixCase => Object.hasOwn(CASES, text);

export const MATRIX: Matrix = seen;

export interface MatrixRow extends Cell {
  readonly name: MatrixCase;
  readonly words: string;
  readonly holds: string;
  /** How closely the delivery follows the declaration. */
  readonly grade: Grade | undefined;
}

/** The results for one client, without cases that were not observed there. */
export const matrixRows = (client: Client): MatrixRow[] =>
  Object.entries(CASES).flatMap(([name, words]): MatrixRow[] => {
    const cell = MATRIX.cells[name]?.[client.id];
    if (!cell || !isCase(name)) return [];
    const { holds = 'yes', by, place, why } = cell;
    const grade = place === undefined ? undefined : gradeOf(client, name);
    return [{ name, words, holds, by, grade, place, why }];
  });

/** How texts and tools arrive in a client that was never run, by its contract. Only for cases that are events. */
export const documentedRows = (client: Client): PromisedRow[] =>
  'documented' in client.evidence
    ? Object.entries(CASES).flatMap(([name, words]): PromisedRow[] => {
        const [event, kind] = name.split(', ');
        const declared = EVENTS.find((one) => one === event);
        if (declared === undefined) return [];
        const cell = client.lowering[declared];
        const way = kind === 'act-now' ? cell?.actNow : kind === 'tool' && cell?.tool;
        return [{ name, words, ...promised(way || cell?.text, client.cannot?.[declared]) }];
      })
    : [];

/** A statement of a client's contract that was not recorded in the tests. */
export interface PromisedRow extends Omit<MatrixRow, 'name'> {
  readonly name: string;
  readonly recorded: false;
  /** For a decision: the events on which a hook may make it, each with its grade. */
  readonly events?: Readonly<Partial<Record<Event, Grade>>>;
}

/** The further events of version 2, and the decisions. */
export const promisedRows = (client: Client): PromisedRow[] => [
  ...LIFECYCLE_EVENTS.map((name): PromisedRow => {
    const text = client.lowering[name]?.text;
    return { name, words: name, ...promised(text, client.cannot?.[name]) };
  }),
  ...(['block', 'input', 'output'] as const).map((what): PromisedRow => {
    const graded = ALL_EVENTS.flatMap((event) => {
      const grade = client.lowering[event]?.decide?.[what]?.grade;
      return grade === undefined ? [] : [[event, grade] as const];
    });
    const holds = graded.length > 0 ? 'yes' : 'no';
    const [name, words] = DECISIONS[what];
    const events = Object.fromEntries(graded);
    return { name, words, recorded: false, holds, grade: undefined, events };
  }),
];

function promised(text: Lowering | undefined, why: string | undefined) {
  if (!text) return { recorded: false, holds: 'no', grade: 'none', why } as const;
  const by = [...new Set(text.on.map(({ native }) => native))].join(', ');
  // After the colon comes the difference from the declaration.
  const [place] = text.when.split(': ');
  return { recorded: false, holds: 'yes', grade: text.grade, by, place } as const;
}

/** Ids, and words for users. */
const DECISIONS = {
  block: ['decision: block', 'block'],
  input: ['decision: input', 'change the input'],
  output: ['decision: output', 'change the output'],
} as const;

/** The declared event of cases that are not named after it. */
const DECLARED: Readonly<Partial<Record<MatrixCase, Event>>> = {
  'mcp call': 'post_tool_use',
  'failing command': 'post_tool_use',
  'failing mcp call': 'post_tool_use',
  'parallel calls': 'post_tool_use',
  subagent: 'session_start',
  compaction: 'session_start',
  clear: 'session_start',
  'two labels': 'pre_request',
};

function gradeOf({ lowering }: Client, name: MatrixCase): Grade | undefined {
  const [first, way] = name.split(', ');
  const event = DECLARED[name] ?? EVENTS.find((one) => one === first);
  const cell = event && lowering[event];
  if (way === 'act-now') return cell?.actNow?.grade;
  return (way === 'tool' && cell?.tool ? cell.tool : cell?.text)?.grade;
}
