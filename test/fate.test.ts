/** What verify --live concludes of a hook from what the model has read. */
import { expect, test } from 'vitest';
import { compile } from '../src/compile/compile.ts';
import { eventPrograms } from '../src/compile/program.ts';
import { fateOf } from '../src/live/fate.ts';
import { Conversation } from '../src/live/model.ts';
import { clientOf } from './support/runner/clients.ts';
import { declare } from './support/runner/world.ts';

/** Of a hook with a text as short as this, when the first request has `told` beside the first prompt. */
function fate(text: string, told: string) {
  const hooks = [{ event: 'post_tool_use', context: text }] as const;
  const compiled = compile(declare(hooks), clientOf('claude-code'), { runner: '/r', state: '/s' });
  const on = eventPrograms(compiled.program)
    .filter(({ native }) => native === 'PostToolUse')
    .flatMap((program) => program.hooks.map((hook) => ({ program, hook })));
  const conversation = new Conversation();
  conversation.requests.push({
    number: 1,
    path: '/v1/messages',
    body: null,
    task: undefined,
    passages: [{ role: 'user', kind: 'text', text: told }],
  });
  const entry = { label: 'annal', at: '', client: 'claude-code', event: 'PostToolUse' };
  const log = [{ ...entry, hooks: [1], characters: 1 }];
  return fateOf(on, { label: 'annal', prompts: ['Hi'], conversation, log }).kind;
}

const HEADING = 'Message from the MCP server "annal"';

test.each([
  [`Hi\n${HEADING} after the call of Bash, priority important:\nDONE`, 'arrived'],
  [`Hi\n${HEADING} before this, priority important:\nOther.\n${HEADING}:\nDONE`, 'arrived'],
  // What others say after another message of the same server is not what the hook has said.
  [
    `Hi\n${HEADING} before this, priority important:\nOther.\n${'More. '.repeat(100)}DONE`,
    'missing',
  ],
  [`DONE ${HEADING} before this, priority important:\nOther.`, 'missing'],
])('%j: %s', (told, kind) => {
  expect(fate('DONE', told)).toBe(kind);
});

test('a text with a variable may have become much longer', () => {
  const told = `Hi\n${HEADING} after the call of Bash:\n${'x'.repeat(3000)} was what it said: DONE`;
  expect(fate('{tool_output} was what it said: DONE', told)).toBe('arrived');
});
