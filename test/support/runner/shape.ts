/** Whether the runner's output is exactly what a client accepts. */
import { expect } from 'vitest';
import { wireOf } from '../../../src/clients/contract.ts';
import { bindingsOf } from '../../../src/clients/lowerings.ts';
import { type ClientId, clientOf } from './clients.ts';
import { schemaBreaches } from './schema.ts';

/** The text in an answer, once everything around it has been checked. Undefined if it shows nothing. */
export function textIn(id: ClientId, event: string, stdout: string): string | undefined {
  expect(stdout, 'ASCII').toMatch(/^[\x20-\x7e]*$/);
  if (stdout === '') return undefined;
  const answer: unknown = JSON.parse(stdout);
  const text = shapesOf(id, event)
    .map((shape) => shape.exec(JSON.stringify(answer))?.groups?.text)
    .find((one) => one !== undefined);
  expect(text, `${event}: ${stdout.slice(0, 500)}`).toBeDefined();
  const said: unknown = JSON.parse(`"${text}"`);
  if (typeof said !== 'string') throw new Error(stdout);
  expect(said, 'half of a pair: Codex refuses the whole answer').not.toMatch(/\p{Surrogate}/u);
  expect(schemaBreaches(clientOf(id), event, answer)).toEqual([]);
  return said;
}

/** The answers that the client accepts there, by its own file. runner.test.ts describes each in words. */
function shapesOf(id: ClientId, event: string): RegExp[] {
  const client = clientOf(id);
  const { tell, ask } = wireOf(client, event);
  const bindings = Object.values(client.lowering).flatMap(bindingsOf);
  const acts = bindings.filter(({ native }) => native === event).map(({ act }) => act);
  const shapes = [...(acts.includes('tell') ? [tell] : []), ...(acts.includes('ask') ? [ask] : [])];
  return shapes.map((shape) => {
    const pattern = JSON.stringify(shape)
      .replace('{event}', event)
      .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      .replace(/\\\{payload:\w+\\\}/g, WORDS)
      .replace('\\{text\\}', `(?<text>${WORDS})`)
      .replaceAll('\\{text\\}', '\\k<text>');
    return new RegExp(`^${pattern}$`);
  });
}

/** What a JSON string may contain. */
const WORDS = '(?:[^"\\\\]|\\\\.)*';
