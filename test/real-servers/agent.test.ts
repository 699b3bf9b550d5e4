// The agent of examples/ on its published SDK, with the scripted model in place of a real one.
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openai } from '../../src/clients/driver/apis/openai.ts';
import { Model } from '../../src/clients/driver/model.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = join(import.meta.dirname, '.scratch', 'agent');

beforeAll(async () => {
  // Node finds the SDK one folder up, and the engine in this package.
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(join(FOLDER, 'node_modules'), { recursive: true });
  await symlink(ROOT, join(FOLDER, 'node_modules', 'mcp-hooks'));
  await cp(join(ROOT, 'examples', 'agent.mjs'), join(FOLDER, 'agent.mjs'));
});
afterAll(() => rm(FOLDER, { recursive: true, force: true }));

/** The same answers without a stream, as the SDK requests them. */
const whole: typeof openai = {
  ...openai,
  answer(reply, path, body) {
    const events = openai.answer(reply, path, body).body.match(/^data: .*$/gm) ?? [];
    const all = events.map((line) => JSON.parse(line.slice('data: '.length)));
    const output = all
      .filter(({ type }) => type === 'response.output_item.done')
      .map(({ item }) => ({ id: `item_${reply.id}`, status: 'completed', ...item }));
    const { response } = all.find(({ type }) => type === 'response.completed');
    return {
      contentType: 'application/json',
      body: JSON.stringify({ ...response, object: 'response', status: 'completed', output }),
    };
  },
};

test('hooks reach the model of an agent, and one hook stops it from removing a file', async () => {
  await writeFile(
    join(FOLDER, 'hooks.json'),
    JSON.stringify({
      version: 2,
      name: 'annal',
      hooks: {
        declarations: [
          { event: 'session_start', context: 'The files are those of Ada.' },
          { event: 'pre_request', context: 'Answer in one sentence.' },
          { event: 'pre_tool_use', matcher: { tool_name: 'remove' }, block: 'Nothing is removed.' },
          { event: 'post_tool_use', matcher: { tool_name: 'read' }, context: 'It is a draft.' },
        ],
      },
    }),
  );
  const model = await Model.start(whole, {
    steps: [
      { call: { name: 'read', input: { name: 'notes.txt' } } },
      { call: { name: 'remove', input: { name: 'notes.txt' } } },
      { text: 'All is as it was.' },
    ],
  });
  try {
    const { stdout } = await execa(
      process.execPath,
      ['agent.mjs', 'hooks.json', 'Tidy up, please.'],
      {
        cwd: FOLDER,
        env: {
          PATH: process.env.PATH,
          HOME: join(FOLDER, 'home'),
          OPENAI_API_KEY: 'none',
          OPENAI_BASE_URL: `${model.url}/v1`,
        },
        extendEnv: false,
      },
    );
    expect(stdout).toBe('All is as it was.\nFiles: notes.txt');
    const { conversation } = model;
    const where = (text: string) => {
      const { request, role, kind } = conversation.first(text) ?? {};
      return [request, role, kind];
    };
    expect(where('| The files are those of Ada.')).toEqual([1, 'system', 'text']);
    expect(where('| Answer in one sentence.')).toEqual([1, 'system', 'text']);
    expect(where('| It is a draft.')).toEqual([2, 'user', 'result']);
    expect(where('Buy milk.')).toEqual([2, 'user', 'result']);
    expect(where('who has allowed it to block: Nothing is removed.')).toEqual([
      3,
      'user',
      'result',
    ]);
    expect(conversation.requestsWith('Removed.')).toEqual([]);
  } finally {
    await model.close();
  }
});
