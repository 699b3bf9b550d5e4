/**
 * mcp-hooks: texts that wait for a later event, because the client shows none at the event at which their hooks are asked. Each
 * is a line of JSON in a file of the session.
 */

import fs = require('node:fs');

import { textOf } from '../files.cjs';
import type { Answer, Limited, ProgramHook } from '../types.cjs';
import { attempt } from '../values.cjs';
import type { Evaluation } from './evaluation.cjs';

type Kept = Pick<Limited, 'text' | 'data'>;
type Session = Pick<Evaluation, 'stage' | 'firing' | 'program'>;

const fileOf = (hook: ProgramHook, { stage, firing, program }: Session): string =>
  stage.memory(hook, firing, program, 'kept');

/** Takes the texts. They are moved away first, so that none is lost that another process adds in the meantime. */
export async function takeKept(hook: ProgramHook, evaluation: Evaluation): Promise<Answer> {
  const file = fileOf(hook, evaluation);
  const own = `${file}.${process.pid}`;
  const isThere = attempt(() => fs.renameSync(file, own) ?? true);
  const lines = (isThere ? (textOf(own) ?? '') : '').split('\n').filter(Boolean);
  if (isThere) evaluation.asking.kept.set(hook, own);
  // A text that several calls have in common is shown once. A killed process may have left half a line.
  const all = [...new Set(lines)].flatMap(
    (line): Kept | [] => attempt(() => JSON.parse(line)) ?? [],
  );
  return {
    texts: all.map(({ text }) => text),
    data: all.some(({ data }) => data === true),
    warnings: [],
  };
}

/** Drops the texts that were shown, and puts the others back. */
export function settleKept(shown: readonly ProgramHook[], evaluation: Evaluation): void {
  const { stage, asking } = evaluation;
  for (const [hook, own] of asking.kept) {
    if (!shown.includes(hook))
      attempt(() => stage.append(fileOf(hook, evaluation), textOf(own) ?? ''));
    stage.take(own);
  }
  asking.kept.clear();
}
