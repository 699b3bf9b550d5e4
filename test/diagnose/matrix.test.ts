// The delivery matrix: the output, the table in docs/clients.md and its picture all come from the tests' records.
// `UPDATE_PAGES=1 npx vitest run test/diagnose/matrix.test.ts` writes the table and the picture.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { CLIENTS } from '../../src/clients/registry.ts';
import { measuredIn } from '../../src/clients/version.ts';
import { ALL_EVENTS, EVENTS, LIFECYCLE_EVENTS } from '../../src/declaration/declaration.ts';
import { CASES, MATRIX, matrixRows, promisedRows } from '../../src/diagnose/matrix/matrix.ts';
import { runAt } from '../support/columns.ts';
import { markdown, svg } from '../support/matrix.ts';
import { ROOT, read, shows } from '../support/pages.ts';
import { test } from '../support/world.ts';

const MEASURED = CLIENTS.filter((client) => measuredIn(client) !== undefined);

describe('in docs/clients.md', () => {
  const PICTURE = join(ROOT, 'docs/matrix.svg');

  test('the table is current', () => {
    shows('docs/clients.md', 'table: delivery', markdown());
  });

  test('the picture is current, and has a description', () => {
    if (process.env.UPDATE_PAGES) writeFileSync(PICTURE, svg());
    expect(readFileSync(PICTURE, 'utf8')).toBe(svg());
    expect(read('docs/clients.md')).toContain('](matrix.svg)');
    // The picture's description names every case, for readers who cannot see it.
    for (const words of Object.values(CASES)) expect(svg().split(words).length).toBeGreaterThan(2);
  });
});

describe('the data', () => {
  test('is of the tested versions', () => {
    expect(MATRIX.versions).toEqual(
      Object.fromEntries(MEASURED.map((client) => [client.id, measuredIn(client)])),
    );
  });

  test.each(MEASURED)(
    'confirms the grades of $id, and has only native events that it uses',
    (client) => {
      const { lowering } = client;
      const rows = matrixRows(client);
      for (const event of EVENTS) {
        const cell = lowering[event];
        const seen = (kind: string) => rows.find(({ name }) => name === `${event}, ${kind}`);
        const grades = [seen('text')?.grade, seen('tool')?.grade];
        expect([event, ...grades]).toEqual([
          event,
          cell?.text.grade,
          (cell?.tool ?? cell?.text)?.grade,
        ]);
        const natives = [cell?.text, cell?.tool].flatMap(
          (one) => one?.on.map(({ native }) => native) ?? [],
        );
        for (const kind of ['text', 'tool'])
          expect(natives).toEqual(
            expect.arrayContaining(seen(kind)?.by?.split(', ') ?? ['nothing']),
          );
      }
      expect(Object.keys(MATRIX.cells)).toEqual(Object.keys(CASES));
      expect(rows.map(({ name }) => name)).toEqual(Object.keys(CASES));
      for (const { name, holds } of rows)
        expect([name, holds]).toEqual([name, expect.stringMatching(/^(yes|no|not scriptable)$/)]);
    },
  );
});

test.each(CLIENTS)('the matrix has the further events and decisions of $id', (client) => {
  const rows = promisedRows(client);
  const decisions = ['block', 'input', 'output'] as const;
  expect(rows.map(({ name }) => name)).toEqual([
    ...LIFECYCLE_EVENTS,
    ...decisions.map((one) => `decision: ${one}`),
  ]);
  for (const event of LIFECYCLE_EVENTS)
    expect(rows.find(({ name }) => name === event)?.grade).toBe(
      client.lowering[event]?.text.grade ?? 'none',
    );
  for (const what of decisions) {
    const { events } = rows.find(({ name }) => name === `decision: ${what}`) ?? {};
    const grade = (event: (typeof ALL_EVENTS)[number]) =>
      client.lowering[event]?.decide?.[what]?.grade;
    expect(ALL_EVENTS.map((event) => events?.[event])).toEqual(ALL_EVENTS.map(grade));
  }
});

describe('mcp-hooks matrix', () => {
  test('shows the clients side by side, without a home', async ({ world }) => {
    const { out, err, code } = await world.run('matrix', { env: { HOME: undefined } });
    expect({ err, code }).toEqual({ err: '', code: 0 });
    // A list before the table has the clients' names.
    const lines = out.split('\n');
    const half = Math.ceil(CLIENTS.length / 2);
    for (const [at, { name }] of CLIENTS.entries())
      expect(lines[at % half]).toContain(`${`${at + 1}`.padStart(2)}  ${name} `);
    expect(lines.slice(half).join('\n')).toMatchInlineSnapshot(`
      "                                1 2 3 4 5 6 7 8 9 10 11
      session_start                   e e a e e e e e e e* e*
      pre_request                     e e e e e e e e e l* l*
      pre_tool_use                    l l l l l l l l l l* l*
      post_tool_use                   e e e e e e l e e e* e*
      post_request                    l l l l l l l l l l* l*
      post_request, --act-now         e e e e e e e e n e* e*
      session_end, text               a a a a a a a a l a* a*
      session_end, tool               a a a a a a a a a a* a*
      MCP tool, tool_server           e e e e e e l e e -  -
      command that fails              e e e e e n l e e -  -
      MCP tool that fails             e n n e e n l e e -  -
      parallel calls, one text each   e e e e e e l e e -  -
      session_start in a subagent     e e n e n e n e e -  -
      session_start after compaction  e e a e e n e e e -  -
      session_start after /clear      e e - e e - - - - -  -
      Promised, not measured (a number: on how many events):
      pre_compact                     l l l l l n l l l l* l*
      post_compact                    e e a l l n l e e l* l*
      tool_error                      e n e e e n l e e l* n*
      subagent_start                  e e n e n n n e e n* e*
      subagent_end                    l l a l l l l l l a* a*
      budget_exceeded                 a a a l a n a e e n* n*
      notification                    e a a a e a a a a a* a*
      block                           8 6 6 5 6 3 4 6 4 3* 5*
      change the input                1 1 1 1 0 1 0 1 1 1* 1*
      change the output               1 1 2 1 1 0 0 2 1 1* 0*
      Also in all that were run: no repeated text on resume; texts of two servers at once; your own hooks
        still fire; nothing fires after uninstall.
      One client in detail: mcp-hooks matrix --client claude-code
      e exact, a adapted, l late, n none, - not seen, * as documented.
      "
    `);
  });

  test('fits on one screen of 80 columns: 30 lines for four clients, and one for each other client', async ({
    world,
  }) => {
    const { out } = await runAt(80, world, ['matrix']);
    const lines = out.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(26 + CLIENTS.length);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  test('uses numbers for clients and letters for grades in a narrow terminal', async ({
    world,
  }) => {
    const { out } = await runAt(55, world, ['matrix']);
    expect(Math.max(...out.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(55);
    for (const [at, client] of MEASURED.entries())
      expect(out).toContain(` ${at + 1}  ${client.name} ${measuredIn(client)}`);
    expect(out).toMatch(/^pre_tool_use +l(?: +[el]\*?)+ *$/m);
    expect(out).toContain('e exact, a adapted, l late');
  });

  test('for one client', async ({ world }) => {
    const { transcript } = await world.run('matrix --client codex');
    expect(transcript).toMatchInlineSnapshot(`
      "
      $ mcp-hooks matrix --client codex
      Codex CLI 0.171.0
      case                                     by                the model reads it
      session_start                   exact    SessionStart      with the first prompt
      pre_request                     exact    UserPromptSubmit  with the first prompt
      pre_tool_use                    late     PreToolUse        with the result of the call
      post_tool_use                   exact    PostToolUse       with the result of the call
      post_request                    late     UserPromptSubmit  with the next prompt
      post_request, --act-now         exact    Stop              alone, as one more turn
      session_end, text               adapted  Stop              alone, as one more turn
      session_end, tool               adapted  SessionEnd        nowhere: the tool is called
      MCP tool, tool_server           exact    PostToolUse       with the result of the call
      command that fails              exact    PostToolUse       with the result of the call
      MCP tool that fails             none     -                 it runs no hooks then
      parallel calls, one text each   exact    PostToolUse       with the result of the call
      session_start in a subagent     exact    SubagentStart     with the subagent's task
      session_start after compaction  exact    SessionStart      with the summary
      no repeated text on resume      yes      SessionStart
      session_start after /clear      exact    SessionStart      with the first prompt
      texts of two servers at once    exact    UserPromptSubmit  with the first prompt
      your own hooks still fire       yes      UserPromptSubmit
      nothing fires after uninstall   yes      -
      Promised, not measured:
        pre_compact: late, as soon as the history is compacted
        post_compact: exact, before the first request after a compaction
        tool_error: none, it runs no hooks after a tool that failed, and never shows how a command ended
        subagent_start: exact, in the subagent, before its first request
        subagent_end: late, with the result of the next call, or with the next prompt
        budget_exceeded: adapted, with the next result of a call or the next prompt after that
        notification: adapted, to no model; it runs when you are asked for a permission, and at the end of
          each turn, in place of an event for waiting
        block: exact on pre_tool_use, pre_request, post_request, subagent_end; adapted on post_tool_use,
          budget_exceeded
        change the input: exact on pre_tool_use
        change the output: exact on post_tool_use
      exit 0
      "
    `);
  });

  test('as JSON', async ({ world }) => {
    const { out } = await world.run('matrix --json --client gemini');
    const [{ cases, ...client }] = JSON.parse(out).clients;
    expect(client).toEqual({ id: 'gemini-cli', version: MATRIX.versions['gemini-cli'] });
    const named = cases.map((one: { case: string }) => one.case);
    expect(named.slice(0, Object.keys(CASES).length)).toEqual(Object.keys(CASES));
    const place = 'with the first prompt';
    expect([cases[0], cases[15], cases[23], cases[28], cases.at(-1)]).toEqual([
      { case: 'session_start, text', holds: 'yes', by: 'BeforeAgent', grade: 'adapted', place },
      { case: 'failing mcp call', holds: 'no', why: 'it drops the texts of hooks then' },
      { case: 'uninstall', holds: 'yes' },
      {
        ...{ case: 'subagent_end', recorded: false, holds: 'yes', by: 'AfterTool' },
        ...{ grade: 'adapted', place: "together with the subagent's answer" },
      },
      {
        ...{ case: 'decision: output', recorded: false, holds: 'yes' },
        events: { post_tool_use: 'adapted', tool_error: 'adapted' },
      },
    ]);
    const { err, code } = await world.run('matrix --client emacs');
    expect({ err, code }).toEqual({
      err: `There is no client "emacs"; known: ${CLIENTS.map(({ id }) => id).join(', ')}.\n`,
      code: 2,
    });
  });
});
