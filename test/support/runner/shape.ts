/** Whether what the runner printed is exactly what a client takes. */
import { expect } from 'vitest';
import { type ClientId, clientOf } from './clients.ts';
import { schemaBreaches } from './schema.ts';

/** The text in an answer, after everything around it was found to be right; undefined: it says nothing. */
export function textIn(id: ClientId, event: string, stdout: string): string | undefined {
  expect(stdout, 'ASCII').toMatch(/^[\x20-\x7e]*$/);
  if (stdout === '') return undefined;
  const answer: unknown = JSON.parse(stdout);
  const text = /"(?:additionalContext|reason)":("(?:[^"\\]|\\.)*")/.exec(stdout)?.[1];
  expect(text, stdout).toBeDefined();
  const said: unknown = JSON.parse(text ?? '');
  if (typeof said !== 'string') throw new Error(stdout);
  expect(answer).toEqual(shapeOf(id, event, said));
  expect(said, 'half of a pair: Codex refuses the whole answer').not.toMatch(/\p{Surrogate}/u);
  expect(schemaBreaches(clientOf(id), event, answer)).toEqual([]);
  return said;
}

function shapeOf(id: ClientId, event: string, text: string): unknown {
  if (id === 'codex' && event === 'Stop') return { decision: 'block', reason: text };
  if (id === 'gemini-cli' && event === 'AfterAgent') return { decision: 'deny', reason: text };
  return { hookSpecificOutput: { hookEventName: event, additionalContext: text } };
}
