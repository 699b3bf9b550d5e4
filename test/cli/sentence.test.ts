// A message without words breaks nothing, and no two messages share a code.
import { expect, test } from 'vitest';
import { cli } from '../../src/cli/messages/cli.ts';
import { clients } from '../../src/cli/messages/clients.ts';
import { compile } from '../../src/cli/messages/compile.ts';
import { declaration } from '../../src/cli/messages/declaration.ts';
import { diagnose } from '../../src/cli/messages/diagnose.ts';
import { edit } from '../../src/cli/messages/edit.ts';
import { engine } from '../../src/cli/messages/engine.ts';
import { byHand } from '../../src/cli/messages/import.ts';
import { install } from '../../src/cli/messages/install.ts';
import { lint } from '../../src/cli/messages/lint.ts';
import { messages } from '../../src/cli/messages/output.ts';
import { runner } from '../../src/cli/messages/runner.ts';
import { sentence } from '../../src/cli/messages/sentence.ts';
import { sources } from '../../src/cli/messages/sources.ts';
import { system } from '../../src/cli/messages/system.ts';
import { trust } from '../../src/cli/messages/trust.ts';

test('a code without words is told as it is', () => {
  expect(sentence({ code: 'never-heard-of' })).toBe('never-heard-of');
  const level = 'error';
  const problem = { code: 'never-heard-of' };
  const placed = { code: 'problem-in-file', path: 'a.json', line: 1, column: 2, level, problem };
  expect(sentence(placed)).toBe('a.json:1:2: error: never-heard-of');
});

test('a code is of one table only: of two sentences one would never be said', () => {
  const layers = [system, edit, declaration, clients, compile, runner, sources, install, diagnose];
  const codes = [...layers, byHand, engine, lint, trust, cli].flatMap((table) =>
    Object.keys(table),
  );
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
});

test('what is being verified is counted, where there are several', () => {
  expect(messages.verifying('annal', 2, 3)).toContain('annal in every client (2 of 3)');
  expect(messages.verifying('annal', 1, 1)).not.toContain('1 of 1');
});
