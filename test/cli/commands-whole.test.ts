// Commands to copy stay on one line.
import { expect, test } from 'vitest';
import { wrapMessage } from '../../src/present/render/lines.ts';

const ALLOW = 'To allow it: mcp-hooks update memory --allow context-tool';

test('a command that does not fit gets a line of its own', () => {
  expect(wrapMessage(ALLOW, 80, '')).toBe(ALLOW);
  expect(wrapMessage(`Skipped hook 2. ${ALLOW}`, 48, '')).toBe(
    'Skipped hook 2. To allow it:\n  mcp-hooks update memory --allow context-tool',
  );
  expect(wrapMessage(`${ALLOW}\nNext.`, 30, '    ', '- ')).toBe(
    '- To allow it:\n    mcp-hooks update memory --allow context-tool\n    Next.',
  );
  expect(wrapMessage('A long sentence: mcp-hooks install writes nothing.', 30, '')).toBe(
    'A long sentence:\nmcp-hooks install writes\nnothing.',
  );
});
