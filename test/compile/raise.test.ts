// Hand-written hooks are turned into a declaration and back: the declaration fires when and for what the entry did.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ByHand } from '../../src/clients/by-hand.ts';
import { type Client, knownEvents } from '../../src/clients/contract.ts';
import { byHandOf, CLIENTS } from '../../src/clients/registry.ts';
import { compile } from '../../src/compile/compile.ts';
import { mcpToolName } from '../../src/compile/names.ts';
import { raiseMatcher } from '../../src/compile/raise/matcher.ts';
import { type HandHook, raise, type Started } from '../../src/compile/raise/raise.ts';
import { RULES } from '../../src/declaration/policy.ts';
import { fit } from '../../src/diagnose/fire/matching.ts';
import type { JsonObject, JsonValue } from '../../src/edit/edit.ts';
import { expected, known } from '../clients/expectations.ts';
import { type ClientId, clientOf, IDS } from '../support/runner/clients.ts';

const FREE = {
  ...RULES,
  contextTool: true,
  block: true,
  modify: true,
  command: true,
  projectCode: true,
};

/** Clients whose hooks can be read; the others run programs of the user's. */
const READ = CLIENTS.filter(byHandOf);

const handOf = (client: Client): ByHand => {
  const found = byHandOf(client);
  if (!found) throw new Error(client.id);
  return found;
};

/** A program that makes every decision. */
const started = (words: readonly string[]): Started => ({
  words,
  source: { texts: ['exit 2', 'updatedInput'], isUnread: false, prints: false },
  isAwaited: false,
  taken: [],
});

function raised(client: Client, hook: HandHook) {
  return raise(hook, {
    client,
    byHand: handOf(client),
    wordsOf: (command) => started(command.split(' ')),
    listed: started,
    readText: () => ({ code: 'hand-no-file', word: 'any' }),
    filled: (command) => command,
    serverOf: () => undefined,
  });
}

/** The client's events and matchers for the imported hook. */
function back(client: Client, hook: HandHook): Map<string, string | undefined> {
  const made = raised(client, hook);
  if ('leftOut' in made) return new Map();
  const { groups } = compile(
    {
      label: 'notes',
      hooks: [{ priority: 'suggestion', ...made.hook }],
      source: { kind: 'manifest', path: '/notes.json' },
      problems: [],
      commandsFrom: '/',
    },
    client,
    { runner: '/r', state: '/s', defaults: FREE, rules: FREE },
  );
  return new Map(
    groups.map(({ event, group }) => [
      event,
      typeof group.matcher === 'string' ? group.matcher : undefined,
    ]),
  );
}

const ref = (name: string): string => `\${${name}}`;

const TEXT = { type: 'command', command: "echo 'Notes are kept.'" };
const PROGRAM = { type: 'command', command: 'notes add' };
describe('events', () => {
  for (const client of READ)
    test(`${client.id}: each hook goes back to its event`, () => {
      const { events } = handOf(client);
      const lost = Object.entries(events).flatMap(([native, meaning]) => {
        if (!meaning) return [];
        const natives = new Set(
          [TEXT, PROGRAM].flatMap((handler) => [...back(client, { native, handler }).keys()]),
        );
        // If two names mean the same event, either will do.
        const same = Object.keys(events).filter((name) => events[name] === meaning);
        const wanted = known[client.id as ClientId].imported.elsewhere?.[native];
        const isThere = wanted ? natives.has(wanted) : same.some((name) => natives.has(name));
        return isThere ? [] : [native];
      });
      expect(lost).toEqual([]);
    });

  test('every event on which a client starts us can be imported', () => {
    for (const client of READ) {
      const known = Object.keys(handOf(client).events);
      const ours = knownEvents(client);
      expect(ours.filter((native) => !known.includes(native))).toEqual([]);
    }
  });

  const start = (id: ClientId, matcher: JsonValue | undefined) => {
    const made = raised(clientOf(id), {
      native: 'SessionStart',
      handler: TEXT,
      ...(matcher !== undefined && { matcher }),
    });
    if ('leftOut' in made) return made.leftOut.code;
    return [made.hook.event, ...made.differences.map((one) => JSON.stringify(Object.values(one)))];
  };
  test.each(IDS)('%s: SessionStart', (id) => {
    for (const [matcher, ...result] of expected[id].imported.starts)
      expect([matcher, start(id, matcher)].flat()).toEqual([matcher, ...result]);
  });
});

describe('matchers', () => {
  test.each(IDS)('%s', (id) => {
    for (const [matcher, glob] of expected[id].imported.matchers) {
      const made = raiseMatcher(clientOf(id), matcher);
      expect([matcher, 'why' in made ? made : made.tool_name]).toEqual([matcher, glob]);
    }
  });

  test.each(['(?!x).*', '(a|b)+', 'a{3}', '[', '(', `(${'a|'.repeat(300)}b)`, '((((a*)*)*)*)*b'])(
    'no glob says %s',
    (matcher) => {
      expect(raiseMatcher(clientOf('claude-code'), matcher)).toEqual({ why: 'unreadable' });
    },
  );

  for (const client of READ) {
    const { tools, otherTools, mcpNames } = client;
    const own = [...new Set([...Object.values(tools), ...otherTools])];
    const servers = ['acme', 'notes'].flatMap((server) =>
      ['add_one', 'look_up'].map((tool) => mcpToolName(mcpNames, server, tool)),
    );
    const prefixes = ['acme', 'notes'].map((server) => mcpToolName(mcpNames, server, ''));
    const literal = (name: string) => name.replace(/[-]/g, '-');
    const alternative = fc.oneof(
      fc.constantFrom(...own.map(literal)),
      fc.constantFrom(...servers.map(literal)),
      fc.constantFrom(...prefixes.map((name) => `${literal(name)}.*`)),
    );
    const matchers = fc
      .tuple(fc.array(alternative, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '^', '^$'))
      .map(([all, anchors]) => {
        const joined = all.join('|');
        if (anchors === '') return joined;
        return anchors === '^' ? `^(?:${joined})` : `^(${joined})$`;
      });
    const native = Object.entries(handOf(client).events).find(
      ([name, meaning]) => meaning?.event === 'post_tool_use' && name in client.nativeEvents,
    )?.[0];
    test(`${client.id}: the same tools`, () => {
      if (native === undefined) throw new Error('no such event');
      const { toolName } = client.wire;
      const fits = (matcher: string | undefined, name: string) =>
        fit({ client, native, ...(matcher !== undefined && { matcher }) }, {
          [toolName]: name,
        } as JsonObject).fits;
      fc.assert(
        fc.property(matchers, (matcher) => {
          const there = [...own, ...servers].filter((name) => fits(matcher, name));
          const groups = back(client, { native, handler: PROGRAM, matcher });
          const made = groups.has(native)
            ? [...own, ...servers].filter((name) => fits(groups.get(native), name))
            : [];
          expect([matcher, made]).toEqual([matcher, there]);
        }),
        { numRuns: 20 },
      );
    });
  }
});

describe('the output of a command', () => {
  const said = (command: string, native = 'UserPromptSubmit', more: JsonObject = {}) => {
    const handler = { type: 'command', command, ...more };
    const made = raised(clientOf('claude-code'), { native, handler });
    if ('leftOut' in made) return made.leftOut.code;
    const { context, block, command: words } = made.hook;
    return context ?? (block === undefined ? words : { block });
  };
  const JSON_TEXT = '{"hookSpecificOutput":{"hookEventName":"X","additionalContext":"Notes."}}';
  test.each([
    ["echo 'Notes are kept.'", 'Notes are kept.'],
    ['echo "It\'s \\"noted\\"."', 'It\'s "noted".'],
    ['echo Notes are kept.', 'Notes are kept.'],
    ["echo -e 'One\\nTwo'", 'One\nTwo'],
    ["echo 'One'; echo 'Two'", 'One\nTwo'],
    ["echo 'One' && echo 'Two' 2>/dev/null || true", 'One\nTwo'],
    ["printf 'One %s\\n' two three", 'One two\nOne three'],
    ["printf '100%%'", '100%'],
    ["printf 'One\\t\\\"two\\\" %b' 'a\\nb'", 'One\t"two" a\nb'],
    ["cat <<'EOF'\nOne $HOME\nTwo\nEOF", 'One $HOME\nTwo'],
    ['cat <<EOF\nOne\nEOF\nexit 0', 'One'],
    [`echo '${JSON_TEXT}'`, 'Notes.'],
    ['jq -n \'{hookSpecificOutput: {hookEventName: "X", additionalContext: "Notes."}}\'', 'Notes.'],
    ['jq -nc --arg t "Notes." \'{additionalContext: $t}\'', 'Notes.'],
    // The same text, surrounded by words that change nothing.
    ["echo 'One' 2>/dev/null || true", 'One'],
    ["echo 'One' 2>&1 | cat; exit 0", 'One'],
    ["set -eu\ncommand echo 'One' >&1 2>&-", 'One'],
    ["cat <<'EOF' 2>>/dev/null || true\nOne; $x\nEOF", 'One; $x'],
    ["cat <<'EOF'; echo Two\nOne\nEOF\necho Three", 'One\nTwo\nThree'],
    ["cat <<'EOF'; echo Two; echo Three\nOne\nEOF", 'One\nTwo\nThree'],
    ["cat <<'EOF' | cat\nOne\nEOF", 'One'],
    ["echo 'x' >/dev/null; echo 'One'", 'One'],
    [">/dev/null\necho 'One'", 'One'],
    ["echo 'Never.' >&2; exit 2", { block: 'Never.' }],
    // A manifest's own block needs a reason.
    [
      "echo 'Never.' 2>/dev/null >&2; exit 2",
      ['echo', "'Never.'", '2>/dev/null', '>&2;', 'exit', '2'],
    ],
    ['exit 2', ['exit', '2']],
    ["echo 'One' 2>&1 >&2", 'One'],
    ['echo \'{"decision":"block","reason":"Never."}\'', { block: 'Never.' }],
    ["echo ''", 'hand-prints-nothing'],
    ['exit 0', 'hand-prints-nothing'],
    ['echo x; exit 1', 'hand-prints-nothing'],
    ['echo \'{"systemMessage":"Hello"}\'', 'hand-for-user'],
    ['echo \'{"decision":"approve"}\'', 'hand-approves'],
    ['cat notes.md', 'hand-no-file'],
    // Programs, whose words are not taken apart.
    ['echo "$HOME"', ['echo', '"$HOME"']],
    ['echo `date`', ['echo', '`date`']],
    ["echo 'x' >> notes.log", ['echo', "'x'", '>>', 'notes.log']],
    ["echo 'x' | tee notes.log", ['echo', "'x'", '|', 'tee', 'notes.log']],
    ['cat <<EOF\n$HOME\nEOF', ['cat', '<<EOF\n$HOME\nEOF']],
    ['cat', ['cat']],
    ["echo 'x' 2>/dev/null.log", ['echo', "'x'", '2>/dev/null.log']],
    ["echo 'x' &>/dev/null", ['echo', "'x'", '&>/dev/null']],
    ["echo 'x' >/dev/stderr", ['echo', "'x'", '>/dev/stderr']],
    ['set -o pipefail; echo x', ['set', '-o', 'pipefail;', 'echo', 'x']],
    ['exit 2 | cat', ['exit', '2', '|', 'cat']],
    ['echo x | cat y', ['echo', 'x', '|', 'cat', 'y']],
    ['echo x; | cat', ['echo', 'x;', '|', 'cat']],
    ['echo x;; echo y', ['echo', 'x;;', 'echo', 'y']],
    ['cat <<A || cat <<B\nx\nA\ny\nB', ['cat', '<<A', '||', 'cat', '<<B\nx\nA\ny\nB']],
    ["echo 'x' &&", ['echo', "'x'", '&&']],
    // Escapes that are not supported, or that shells read differently.
    ["printf '\\033[31mred \\x41\\n'", ['printf', "'\\033[31mred", "\\x41\\n'"]],
    ["echo -e '\\x41\\0101 tab\\v'", ['echo', '-e', "'\\x41\\0101", "tab\\v'"]],
    ["printf 'a\\cb'", ['printf', "'a\\cb'"]],
    ["printf '%b' 'a\\cb'", ['printf', "'%b'", "'a\\cb'"]],
    ["printf 'a\\'", ['printf', "'a\\'"]],
    ["echo -e 'a\\\"b'", ['echo', '-e', "'a\\\"b'"]],
  ] as const)('%s', (command, result) => expect(said(command)).toEqual(result));

  test('output that the client does not read is left out, and output that is newly read is listed', () => {
    expect(said("echo 'Bye.'", 'SessionEnd')).toBe('hand-unread');
    const client = clientOf('claude-code');
    const made = raised(client, { native: 'PostToolUse', handler: TEXT, matcher: 'Edit' });
    expect(made).toMatchObject({ differences: [{ code: 'hand-newly-read' }] });
    const codex = clientOf('codex');
    const some = { native: 'PreToolUse', handler: PROGRAM, matcher: '^Bash$|^Nobody$' };
    expect(raised(codex, some)).toMatchObject({
      hook: { matcher: { tool_name: 'Bash' } },
      differences: [{ code: 'hand-names-dropped', names: ['Nobody'], client: codex.name }],
    });
    expect(raised(client, { native: 'SessionStart', handler: TEXT })).toMatchObject({
      differences: [],
    });
  });

  test.each(IDS)('%s: that one comes back elsewhere is reported', (id) => {
    for (const [native, kind, now] of expected[id].imported.moved) {
      const handler = kind === 'text' ? TEXT : PROGRAM;
      const made = raised(clientOf(id), { native, handler });
      const moved =
        'hook' in made ? made.differences.filter(({ code }) => code === 'hand-moved') : [];
      expect([native, ...moved.map((one) => 'now' in one && one.now)]).toEqual([
        native,
        ...(now ? [now] : []),
      ]);
    }
  });

  test('timeouts, conditions and other fields', () => {
    const client = clientOf('claude-code');
    const of = (more: JsonObject, native = 'PreToolUse') =>
      raised(client, { native, handler: { ...PROGRAM, ...more }, matcher: 'Bash' });
    expect(of({ timeout: 2.5, once: true })).toMatchObject({
      hook: { deadline: 2500, once: 'session', may: ['block', 'modify'] },
    });
    expect(of({ timeout: 600 })).toMatchObject({
      hook: { deadline: 30_000 },
      differences: [{ code: 'hand-shorter', seconds: 30 }],
    });
    expect(of({ if: 'Bash(git push:*)' })).toMatchObject({
      hook: { matcher: { tool_name: 'Bash', input_contains: 'git push' } },
      differences: [{ code: 'hand-looser' }],
    });
    expect(of({ if: 'Edit(*.ts)' })).toMatchObject({ leftOut: { code: 'hand-condition' } });
    expect(of({ env: { A: 'b' } })).toEqual({
      leftOut: { code: 'hand-variables', names: ['A'] },
    });
    expect(of({ cwd: '/x' })).toMatchObject({ leftOut: { code: 'hand-elsewhere' } });
    expect(of({ async: true, added: 1 })).toMatchObject({
      hook: { async: true, deadline: 600_000 },
      differences: [{ code: 'hand-keys', keys: ['added'] }],
    });
    const gemini = raised(clientOf('gemini-cli'), {
      native: 'BeforeAgent',
      handler: { ...PROGRAM, timeout: 2500 },
    });
    expect(gemini).toMatchObject({ hook: { deadline: 2500 } });
    for (const [type, code] of [
      ['prompt', 'hand-asks-model'],
      ['agent', 'hand-asks-model'],
      ['http', 'hand-sends'],
      ['plugin', 'hand-unknown-kind'],
    ] as const)
      expect(of({ type })).toMatchObject({ leftOut: { code } });
    expect(of({ args: ['a b', '$x'] })).toMatchObject({
      hook: { command: ['notes add', 'a b', '$x'] },
    });
  });

  for (const client of READ.filter((one) => handOf(one).program !== undefined))
    test(`${client.id}: a program that needs no shell`, () => {
      const { program = '', commands, otherShells, timeouts } = handOf(client);
      const [native = ''] = Object.keys(handOf(client).events);
      const of = (more: JsonObject) =>
        raised(client, { native, handler: { type: 'command', [program]: 'notes add', ...more } });
      const [timeout] = timeouts;
      const whole = of({ args: ['a b', '$x', ''], [timeout ?? '']: 2 });
      expect(whole).toMatchObject({ hook: { command: ['notes add', 'a b', '$x', ''] } });
      expect('hook' in whole && whole.hook.deadline).toBe(2 * client.hookTimeUnit);
      expect('differences' in whole && whole.differences).not.toContainEqual(
        expect.objectContaining({ code: 'hand-keys' }),
      );
      expect(of({})).toMatchObject({ hook: { command: ['notes add'] } });
      // The client's documentation excludes these, and which of both would run is unknown.
      for (const key of [...commands, ...otherShells])
        expect(of({ [key]: 'notes' })).toEqual({ leftOut: { code: 'hand-no-hook' } });
      expect(of({ args: 'a b' })).toEqual({ leftOut: { code: 'hand-no-hook' } });
      expect(of({ [program]: ' ' })).toEqual({ leftOut: { code: 'hand-no-command' } });
    });

  test('the tool of a server', () => {
    const of = (input: JsonObject) =>
      raised(clientOf('claude-code'), {
        native: 'PostToolUse',
        matcher: 'Edit',
        handler: { type: 'mcp_tool', server: 'notes', tool: 'add', input, timeout: 5 },
      });
    expect(of({ text: `Edited ${ref('tool_name')}`, deep: [ref('session_id')] })).toEqual({
      hook: {
        event: 'post_tool_use',
        matcher: { tool_name: 'Edit' },
        context_tool: 'add',
        context_tool_args: { text: 'Edited {tool_name}', deep: ['{session_id}'] },
        deadline: 5000,
      },
      differences: [],
    });
    expect(of({ text: ref('tool_input.file_path') })).toEqual({
      leftOut: { code: 'hand-tool-input', reference: ref('tool_input.file_path') },
    });
  });
});

test('an endless list of names is not compared with any tool', () => {
  // The list is not read at all, which makes the test deterministic.
  const matcher = Array.from({ length: 30_000 }, (_, at) => `Tool${at % 9}`).join('|');
  for (const client of CLIENTS)
    expect(raiseMatcher(client, matcher)).toEqual({ why: 'unreadable' });
});
