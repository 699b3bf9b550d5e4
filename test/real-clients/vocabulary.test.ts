// What a program reads about a call in the real clients: the same names and keys in all of them, whatever the client calls its
// tools. The calls are those that a model would make, with the client's own names.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expected, FILE_CALLS, type FileCall } from '../clients/expectations.ts';
import { installAnnal, node } from './annal.ts';
import { CLIENTS } from './clients.ts';
import { type Scratch, scratch } from './scratch.ts';

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => place.remove());

/** The input that a program reads, and the files that the call is about; `{project}` is filled in. */
const READ: Readonly<
  Record<FileCall, { tool_name: string; tool_input?: object; paths: string[] }>
> = {
  write: {
    tool_name: 'Write',
    tool_input: { file_path: '{project}/one.txt', content: 'first\n' },
    paths: ['{project}/one.txt'],
  },
  edit: {
    tool_name: 'Edit',
    tool_input: { file_path: '{project}/one.txt', old_string: 'first', new_string: 'second' },
    paths: ['{project}/one.txt'],
  },
  read: {
    tool_name: 'Read',
    tool_input: { file_path: '{project}/one.txt' },
    paths: ['{project}/one.txt'],
  },
  // What it does to each file is in the patch.
  'edit both': { tool_name: 'Edit', paths: ['{project}/two.txt', '{project}/three.txt'] },
};

const SCRIPTS = {
  'note.mjs': `import { appendFileSync, readFileSync } from 'node:fs';
const event = JSON.parse(readFileSync(0, 'utf8'));
appendFileSync(process.env.HOME + '/read', JSON.stringify(event) + '\\n');`,
  // Formats each file, as a formatter for any language would.
  'format.mjs': `import { readFileSync, writeFileSync } from 'node:fs';
for (const file of JSON.parse(readFileSync(0, 'utf8')).paths ?? []) {
  const text = readFileSync(file, 'utf8');
  if (!text.endsWith('formatted\\n')) writeFileSync(file, text.trimEnd() + '\\nformatted\\n');
}`,
  'change.mjs': `import { readFileSync } from 'node:fs';
const { tool_input: input } = JSON.parse(readFileSync(0, 'utf8'));
const modifiedInput = Object.fromEntries(Object.entries(input).map(([key, value]) =>
  [key, ['content', 'new_string'].includes(key) ? 'changed' : value]));
console.log(JSON.stringify({ action: 'modify', modifiedInput }));`,
};

const WAYS = Object.values(CLIENTS).flatMap((client) =>
  expected[client.id].real.fileCalls.map((way, nth) => ({
    client,
    way,
    title: `${client.id}, ${nth + 1}`,
  })),
);

describe.each(WAYS)('$title', ({ client, way: { model, steps } }) => {
  const calls = FILE_CALLS.filter((call) => steps[call]);
  const run = async (...hooks: object[]) => {
    await installAnnal(place, client, hooks, ['command', 'modify'], SCRIPTS);
    writeFileSync(join(place.project, 'two.txt'), 'other\n');
    const { exitCode, stepsLeft } = await client.run({
      ...place,
      ...(model !== undefined && { model }),
      prompts: ['Do it.'],
      steps: [
        ...calls.flatMap((call) => steps[call]?.(join(place.project, 'one.txt')) ?? []),
        { text: 'done' },
      ],
    });
    expect({ exitCode, stepsLeft }).toEqual({ exitCode: 0, stepsLeft: 0 });
  };
  const textOf = (file: string) => readFileSync(join(place.project, file), 'utf8');
  const changes = { matcher: { tool_name: '{Edit,MultiEdit,Write}' } };

  test('a program reads one vocabulary', async () => {
    await run({ event: 'pre_tool_use', command: node('note.mjs') });
    const read = readFileSync(join(place.home, 'read'), 'utf8').trim().split('\n');
    const meant = JSON.stringify(calls.map((call) => READ[call])).replaceAll(
      '{project}',
      place.project,
    );
    expect(read.map((line) => JSON.parse(line))).toMatchObject(JSON.parse(meant));
  });

  test('a program formats each file of a call', async () => {
    await run({ event: 'post_tool_use', ...changes, command: node('format.mjs') });
    const texts = ['one.txt', ...(steps['edit both'] ? ['two.txt', 'three.txt'] : [])].map(textOf);
    expect(texts).toEqual(texts.map(() => expect.stringMatching(/^\w+\nformatted\n$/)));
  });

  test('a program changes what is written', async () => {
    await run({ event: 'pre_tool_use', ...changes, command: node('change.mjs'), may: ['modify'] });
    const { input } = expected[client.id].answers;
    expect(textOf('one.txt').trim()).toBe(input ? 'changed' : 'second');
    // A patch of several files is applied unchanged.
    expect(textOf('two.txt')).toBe(steps['edit both'] ? 'new\n' : 'other\n');
  });
});
