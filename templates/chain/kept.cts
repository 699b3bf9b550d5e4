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

/** The texts. They stay where they are until they are shown, because the client may end us at any time. */
export async function keptText(hook: ProgramHook, evaluation: Evaluation): Promise<Answer> {
  const text = attempt(() => textOf(fileOf(hook, evaluation))) ?? '';
  evaluation.asking.kept.set(hook, text);
  // A text that several calls have in common is shown once. A killed process may have left half a line.
  const all = [...new Set(text.split('\n').filter(Boolean))].flatMap(
    (line): Kept | [] => attempt(() => JSON.parse(line)) ?? [],
  );
  return {
    texts: all.map((one) => one.text),
    data: all.some(({ data }) => data === true),
    warnings: [],
  };
}

/** Drops the texts that were shown. What another process has added meanwhile stays for the next event. */
export function dropKept(shown: readonly ProgramHook[], evaluation: Evaluation): void {
  const { stage, asking } = evaluation;
  for (const [hook, text] of asking.kept) {
    if (!shown.includes(hook)) continue;
    const file = fileOf(hook, evaluation);
    const own = `${file}.${process.pid}`;
    attempt(() => {
      fs.renameSync(file, own);
      const more = (textOf(own) ?? '').slice(text.length);
      if (more !== '') stage.append(file, more);
      stage.take(own);
    });
  }
}
