// Hooks from people's own files (fixtures/hand-written): what each entry is imported as, and that it does the same when it fires.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { configPath, filesIn, findPlaces } from '../../src/clients/places.ts';
import { known } from '../clients/expectations.ts';
import { ALL_IDS, type ClientId, clientOf } from '../support/runner/clients.ts';
import { test, type World } from '../support/world.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/hand-written');
const WITH = ALL_IDS.filter((id) => existsSync(join(FOLDER, id)));

interface Entry {
  readonly file: string;
  readonly line: number;
  readonly native: string;
  readonly matcher?: string;
  readonly hook?: number;
  readonly leftOut?: { readonly code: string; readonly message: string };
  readonly notes: readonly { readonly code: string; readonly message: string }[];
}

interface Hook {
  readonly event: string;
  readonly matcher?: { readonly tool_name?: string };
  readonly command?: readonly string[];
  readonly may?: readonly string[];
  readonly [key: string]: unknown;
}

interface Drafted {
  readonly entries: readonly Entry[];
  readonly hooks: readonly Hook[];
  readonly grants: readonly string[];
}

/** Scripts that the commands name. One of them blocks. */
const SCRIPT =
  /(\$HOME\/|~\/|\$\w+"?\/|[\s"'])?((?:\.?[\w-]+\/)*(?:hooks|scripts)\/[\w.-]+\.(?:sh|py|js|ts))\b/g;

const textOf = (script: string): string =>
  /block|guard|no-npm|pre_tool/.test(script) ? 'echo No. >&2\nexit 2\n' : 'exit 0\n';

/** Copies a file to its place, with the scripts that it names. */
async function place(world: World, id: ClientId, name: string): Promise<string> {
  const text = readFileSync(join(FOLDER, id, name), 'utf8');
  const isUsers = name.startsWith('user.');
  const own = name.endsWith('.toml') ? join(dirname(known[id].byHand), name) : known[id].byHand;
  const path = `${isUsers ? '~' : 'project'}/${own}`;
  await world.write(path, text);
  for (const [, start = '', script = ''] of text.matchAll(SCRIPT)) {
    const top = /^(?:\$HOME|~)\//.test(start) ? '~' : 'project';
    await world.write(`${top}/${script}`, textOf(script), 0o755);
  }
  for (const file of ['CONTEXT.md', 'README.md', 'TODO.md'])
    await world.write(`project/${file}`, `This is ${file}.\n`);
  return world.path(path);
}

async function drafted(world: World, ...line: string[]): Promise<Drafted> {
  const cwd = world.path('project');
  const ran = await world.run(['import', ...line, '--json'], { cwd });
  const { entries, manifest, grants, error } = JSON.parse(ran.out);
  expect(error).toBe(undefined);
  return { entries, hooks: manifest?.hooks.declarations ?? [], grants };
}

const quoted = (words: readonly string[]): string =>
  words.map((word) => (/^[\w./:@%+=,-]+$/.test(word) ? word : `'${word}'`)).join(' ');

function inWords({ event, matcher, command, ...rest }: Hook): string {
  const of = matcher ? ` ${JSON.stringify(matcher)}` : '';
  const does = command ? quoted(command) : '';
  const more = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : '';
  return `${event}${of}${does && `: ${does}`}${more}`;
}

/** What each entry of a file runs, or asks a model, in the order of the file. */
const writtenIn = (text: string): string[] =>
  [
    ...text.matchAll(
      /(?:"(?:command|bash|prompt)": ?|^(?:command|notify) = )("(?:[^"\\]|\\.)*"|\[.*\])/gm,
    ),
  ].map(([, value = '']) => [JSON.parse(value)].flat().join(' '));

function inText(world: World, text: string, { entries, hooks }: Drafted): string {
  const became = entries.filter(({ hook }) => hook !== undefined).length;
  const written = writtenIn(text);
  // None is overlooked.
  expect(entries).toHaveLength(written.length);
  const lines = entries.flatMap(({ line, native, matcher, hook, leftOut, notes }, index) => {
    const declared = hook === undefined ? undefined : hooks[hook - 1];
    return [
      `${line}: ${native}${matcher ? ` of ${matcher}` : ''}`,
      `  was ${written[index]?.replaceAll('\n', '\n    ')}`,
      declared ? `  hook ${hook}: ${inWords(declared)}` : `  left out: ${leftOut?.message}`,
      ...notes.map(({ message }) => `  ${message}`),
    ];
  });
  const all = [`${became} of ${entries.length} entries became ${hooks.length} hooks`, ...lines];
  return world.tidy(all.join('\n'));
}

describe('the result for each entry', () => {
  test.for(WITH)('in the files of %s', async (id, { make }) => {
    const texts: string[] = [];
    for (const name of readdirSync(join(FOLDER, id)).sort()) {
      const world = await make();
      await world.folder('project');
      const path = await place(world, id, name);
      const made = await drafted(world, path, '--client', id);
      for (const { hook, leftOut } of made.entries)
        expect(hook === undefined).not.toBe(leftOut === undefined);
      const text = readFileSync(path, 'utf8');
      texts.push(`${name}: ${inText(world, text, made)}\n`);
    }
    const file = join(import.meta.dirname, '../clients', id, 'hand-written.txt');
    await expect(texts.join('\n')).toMatchFileSnapshot(file);
  });
});

describe('an install in the place of the entries', () => {
  test.for(WITH)('in the files of %s can be uninstalled again', async (id, { make }) => {
    for (const name of readdirSync(join(FOLDER, id)).sort()) {
      const world = await make();
      await world.folder('project', `~/${known[id].folder}`);
      const placed = await place(world, id, name);
      const text = readFileSync(placed, 'utf8');
      const at = { cwd: world.path('project') };
      // Some clients read this project file only from another folder.
      const inProject = findPlaces(world.env(), at.cwd, 'project');
      const isRead = filesIn(clientOf(id), inProject).some(
        (file) => configPath(clientOf(id), file, inProject) === placed,
      );
      const path = isRead ? placed : world.path(`~/${known[id].byHand}`);
      if (!isRead) await world.write(path, text);
      const scope = isRead ? 'project' : 'user';
      const draft = await world.run(
        ['import', path, '--client', id, '--out', 'own.json', '--json'],
        at,
      );
      const { entries, grants }: Drafted = JSON.parse(draft.out);
      const became = entries.filter(({ hook }) => hook !== undefined);
      const line = `install own.json --client ${id} --scope ${scope} --allow ${grants.join()} --replace-originals --yes --json`;
      const ran = await world.run(line, at);
      const { originals = [], error } = JSON.parse(ran.out);
      expect(error).toBe(undefined);
      // Every imported entry is reported. Most are removed; the others have a reason.
      expect(originals).toHaveLength(became.length);
      const out = originals.filter(({ action }: { action: string }) => action === 'out');
      expect(out.length).toBeGreaterThan(became.length / 2);
      const written = writtenIn(text);
      for (const { action, why, command } of originals) {
        expect(why?.code ?? action).toMatch(/^(?:out|original-not-installed)$/);
        // As it runs on this system.
        expect(written).toContain(
          /^\[".*"\]$/.test(command) ? JSON.parse(command).join(' ') : command,
        );
      }
      const left = await world.run(['import', path, '--client', id, '--json'], at);
      const still = (JSON.parse(left.out).entries ?? []) as Entry[];
      expect(still.filter(({ hook }) => hook !== undefined)).toHaveLength(
        became.length - out.length,
      );
      const removed = await world.run(`uninstall own --scope ${scope} --yes`, at);
      expect(removed.err).toBe('');
      expect(readFileSync(path, 'utf8')).toBe(text);
    }
  });
});

/** The import of an entry in a project with these files. */
async function became(world: World, native: string, command: string, files: object = {}) {
  for (const [name, text] of Object.entries(files))
    await world.write(`project/${name}`, text, 0o755);
  await world.write('project/.claude/settings.json', settings(native, command));
  return drafted(world, '.claude/settings.json');
}

const settings = (native: string, command: string, matcher?: string, more: object = {}): string =>
  JSON.stringify({
    hooks: {
      [native]: [
        {
          ...(matcher !== undefined && { matcher }),
          hooks: [{ type: 'command', command, ...more }],
        },
      ],
    },
  });

const codes = ({ entries }: Drafted) =>
  entries.flatMap(({ notes }) => notes.map(({ code }) => code));

describe('a line of shell code', () => {
  const folder = (name: string) => `export ${name}="\${${name}:-$PWD}"; `;
  const QUIET = 'exec >/dev/null; ';
  test.for<readonly [native: string, command: string, words: readonly string[], files?: object]>([
    // Unchanged, if its client shows the output to the model, or if it prints nothing.
    ['UserPromptSubmit', 'date && git status', ['sh', '-c', 'date && git status']],
    ['Stop', 'echo "$(date)" >> ~/stop.log', ['sh', '-c', 'echo "$(date)" >> ~/stop.log']],
    ['Stop', 'FOO=1 say done', ['sh', '-c', 'FOO=1 say done']],
    ['Stop', 'echo "$USER" >&2', ['sh', '-c', 'echo "$USER" >&2']],
    // Output that the client never showed to a model is still not shown.
    ['Stop', 'npm test || true', ['sh', '-c', `${QUIET}npm test || true`]],
    ['Stop', 'npm test', ['sh', '-c', `${QUIET}npm test`]],
    ['Stop', 'say done', ['say', 'done']],
    // With paths relative to whichever project is open.
    ['Stop', 'prettier --write .', ['sh', '-c', `${QUIET}prettier --write .`]],
    ['Stop', 'touch .', ['touch', '.']],
    ['Stop', 'touch $CLAUDE_PROJECT_DIR', ['touch', '.']],
    ['Stop', 'touch notes.md', ['sh', '-c', 'touch notes.md'], { 'notes.md': '' }],
    ['Stop', 'touch notes.md', ['touch', 'notes.md']],
    // Our hooks end everything when their program ends, so this one waits.
    ['Stop', 'say done &', ['sh', '-c', 'trap wait EXIT; say done &']],
    ['Stop', 'say done >&2 && say x 2>&1', ['sh', '-c', 'say done >&2 && say x 2>&1']],
    // A script becomes a word of its own, which is shown and bound.
    ['Stop', './own.sh', ['./own.sh'], { 'own.sh': 'exit' }],
    ['Stop', '$CLAUDE_PROJECT_DIR/own.sh', ['./own.sh'], { 'own.sh': 'exit' }],
    [
      'UserPromptSubmit',
      './own.sh; x',
      ['sh', '-c', '"$1"; x', 'sh', 'own.sh'],
      { 'own.sh': 'exit' },
    ],
    [
      'UserPromptSubmit',
      'if ! bash "$CLAUDE_PROJECT_DIR"/own.sh | python3 ./b.py; then ./own.sh; fi',
      ['sh', '-c', 'if ! bash "$1" | python3 "$2"; then "$1"; fi', 'sh', 'own.sh', 'b.py'],
      { 'own.sh': 'exit', 'b.py': 'exit' },
    ],
    // Not if another file may be meant, or if the shell's own arguments are used.
    [
      'UserPromptSubmit',
      'cd x && ./own.sh',
      ['sh', '-c', 'cd x && ./own.sh'],
      { 'own.sh': 'exit' },
    ],
    [
      'UserPromptSubmit',
      'set a; ./own.sh $1',
      ['sh', '-c', 'set a; ./own.sh $1'],
      { 'own.sh': 'exit' },
    ],
    ...['f() { ./own.sh; }; f z', 'eval set a; ./own.sh', 'command set a; ./own.sh'].map(
      (line) => ['UserPromptSubmit', line, ['sh', '-c', line], { 'own.sh': 'exit' }] as const,
    ),
    ['UserPromptSubmit', '. ./own.sh', ['sh', '-c', '. ./own.sh'], { 'own.sh': 'echo $#' }],
    // Nor if the line gives a variable in the script's path another value, or splits it differently.
    ...[
      'CLAUDE_PROJECT_DIR=/x "$CLAUDE_PROJECT_DIR"/own.sh',
      `CLAUDE_PROJECT_DIR=/x; exec \${CLAUDE_PROJECT_DIR}/own.sh`,
      'IFS=/; $CLAUDE_PROJECT_DIR/own.sh',
    ].map((line) => {
      const words = ['sh', '-c', `${folder('CLAUDE_PROJECT_DIR')}${line}`];
      return ['UserPromptSubmit', line, words, { 'own.sh': 'exit' }] as const;
    }),
    // What only a shell can do.
    ['UserPromptSubmit', '. ./own.sh', ['sh', '-c', '. "$1"', 'sh', 'own.sh'], { 'own.sh': 'x' }],
    [
      'UserPromptSubmit',
      'exec ./own.sh a',
      ['sh', '-c', 'exec "$1" a', 'sh', 'own.sh'],
      { 'own.sh': 'exit' },
    ],
    [
      'UserPromptSubmit',
      "./own.sh > './own.sh'",
      ['sh', '-c', '"$1" > \'./own.sh\'', 'sh', 'own.sh'],
      { 'own.sh': 'exit' },
    ],
    // The client's variables are set.
    [
      'UserPromptSubmit',
      'cd "$CLAUDE_PROJECT_DIR" && x',
      ['sh', '-c', `${folder('CLAUDE_PROJECT_DIR')}cd "$CLAUDE_PROJECT_DIR" && x`],
    ],
    [
      'UserPromptSubmit',
      './own.sh',
      ['sh', '-c', `${folder('CLAUDE_PROJECT_DIR')}"$1"`, 'sh', 'own.sh'],
      { 'own.sh': 'cd $CLAUDE_PROJECT_DIR' },
    ],
    // bash, if another shell may not know the syntax.
    ['UserPromptSubmit', '[[ -f x ]] && y', ['bash', '-c', '[[ -f x ]] && y']],
    ['UserPromptSubmit', 'x &> y', ['bash', '-c', 'x &> y']],
    ['UserPromptSubmit', 'x <<< $y', ['bash', '-c', 'x <<< $y']],
    ['UserPromptSubmit', "x $'a' | y", ['bash', '-c', "x $'a' | y"]],
    ['UserPromptSubmit', "x 'a$' | y '[[' '<<<'", ['sh', '-c', "x 'a$' | y '[[' '<<<'"]],
  ])('%s: %s', async ([native, command, words, files], { world }) => {
    const { hooks } = await became(world, native, command, files);
    expect(hooks.map((hook) => hook.command)).toEqual([words]);
  });

  test.for<readonly [command: string, isBound: boolean]>([
    ['HOME=/x; ~/own.sh', false],
    ['export HOME=/x && "$HOME"/own.sh', false],
    ['unset HOME; ~/own.sh', false],
    ['read HOME </x; bash $HOME/own.sh', false],
    [`: "\${HOME:=/x}"; ~/own.sh`, false],
    ['IFS=/; $HOME/own.sh', false],
    ['x "$HOME"; ~/own.sh', true],
  ])(
    'binds a script in the home only if HOME is unchanged: %s',
    async ([line, isBound], { world }) => {
      await world.write('~/own.sh', 'exit', 0o755);
      const { hooks, entries } = await became(world, 'UserPromptSubmit', line);
      const words = hooks[0]?.command ?? [];
      expect(words.slice(3)).toEqual(isBound ? ['sh', world.path('~/own.sh')] : []);
      if (isBound) return;
      expect(words).toEqual(['sh', '-c', line]);
      expect(entries[0]?.notes.map(({ code }) => code)).toContain('hand-may');
    },
  );

  test('is left out if a quote is not closed', async ({ world }) => {
    for (const command of ["x | echo 'a", 'x | echo "a $(b "c)']) {
      const { entries } = await became(world, 'Stop', command);
      expect(entries[0]?.leftOut?.code).toBe('hand-open-quote');
    }
  });
});

describe('the content of a line', () => {
  const TOKEN = `tk_${'aB3dE6gH9j'.repeat(3)}`;
  test.for([
    [`curl -u ann:${TOKEN} https://ntfy.sh/ann && x`, true],
    [`curl -H 'Authorization: Bearer ${TOKEN}' https://ntfy.sh/ann | x`, true],
    [`API_KEY=${TOKEN} notify | x`, true],
    [`export NTFY_TOKEN="${TOKEN}"; notify`, true],
    [`notify --token ${TOKEN} || true`, true],
    [`notify --password short || true`, true],
    [`curl https://ann:${TOKEN}@ntfy.sh/ann || true`, true],
    ['curl -H "Authorization: Bearer $NTFY_TOKEN" https://ntfy.sh/ann | x', false],
    ['notify --token "$NTFY_TOKEN" || true', false],
    ['NTFY_TOKEN=$(pass show ntfy) notify || true', false],
    ['NTFY_TOKEN="$OTHER" notify || true', false],
    ['DEBUG=true notify || true', false],
    ['curl -d "Done in $(pwd)" https://ntfy.sh/ann-alerts > /dev/null', false],
    ["echo 'Press any key to go on' >> notes.log", false],
  ] as const)('is left out only if it has a secret: %s', async ([command, isSecret], { world }) => {
    const { entries } = await became(world, 'UserPromptSubmit', command);
    const code = entries[0]?.leftOut?.code;
    expect(code).toBe(isSecret ? 'hand-secret' : undefined);
  });

  test('is shown in full before approval, and bound, so a changed script is not run', async ({
    world,
  }) => {
    const script = 'echo Told: $(pwd) > told.txt\n';
    const files = { '.claude/hooks/own.sh': script };
    await became(world, 'UserPromptSubmit', '.claude/hooks/own.sh || true', files);
    const at = { cwd: world.path('project'), env: { PATH: '/usr/bin:/bin' } };
    await world.run('import --client claude --out own.json', at);
    const shown = await world.run('diff own.json --client claude', at);
    expect(shown.out).toContain(`sh -c '"$1" || true' sh`);
    expect(shown.out).toContain(`| ${script.trim()}`);
    const allow = '--allow command,project-code';
    await world.run(`install own.json --client claude ${allow} --yes`, at);
    await world.write('project/.claude/hooks/own.sh', `touch ran\n${script}`);
    const fired = await world.run('fire own pre_request --client claude --json', at);
    const [hook] = JSON.parse(fired.out).clients[0].firings[0].hooks;
    expect(hook.reason.why[0].code).toBe('command-changed');
    expect(existsSync(world.path('project/ran'))).toBe(false);
  });

  test("is reported if it has a tool's name of a single client", async ({ world }) => {
    await world.folder('~/.gemini');
    const path = 'project/.gemini/settings.json';
    for (const [command, names] of [
      ['[ "$(jq -r .tool_name)" = run_shell_command ] || exit 0; x', ['hand-tool-name']],
      ["jq -r .tool_name | grep -v 'replace' || x", ['hand-tool-name']],
      ['jq -r .tool_name | replace a b', []],
      ['jq -r .tool_name | grep Bash', []],
    ] as const) {
      await world.write(path, settings('BeforeAgent', command));
      const made = codes(await drafted(world, '.gemini/settings.json'));
      expect([command, made.filter((one) => one === 'hand-tool-name')]).toEqual([command, names]);
    }
  });
});

describe('the decisions of a line', () => {
  test.for<
    readonly [
      command: string,
      may: readonly string[] | undefined,
      isUncertain: boolean,
      code?: string,
    ]
  >([
    ['date', undefined, false],
    ['curl -s https://ntfy.sh/ann', undefined, false],
    ['curl -s -X POST -d @- http://localhost:4000/hook', undefined, true],
    ['curl -s --data-binary=@- http://localhost:4000/hook || true', undefined, true],
    ['npx prettier --write .', undefined, false],
    ['x | xargs -n1 npx prettier --write', undefined, true],
    ['jq . | xargs -n1 npx prettier --write', undefined, false],
    ['date >&2; exit 2', ['block'], false],
    ['[ -f x ] || exit 2', ['block'], false],
    ["echo 'exit 1' | cat; exit 1", undefined, false],
    ['tdd-guard', undefined, true],
    ['npx -y tdd-guard', undefined, true],
    ['./own', undefined, false, 'echo x\nexit 0\n'],
    ['./own', ['block'], false, 'import sys\nsys.exit(2 if x else 0)\n'],
    ['./own', ['block'], false, 'process.exit(2);'],
    ['./own', ['block'], false, 'print(json.dumps({"decision": "block"}))'],
    ['./own', ['block'], false, "permissionDecision: 'deny'"],
    ['./own', ['modify'], false, 'hookSpecificOutput: { updatedInput }'],
    ['./own', undefined, true, 'sys.exit(main())'],
    ['./own', undefined, true, 'exit $status'],
    ['./own', undefined, true, 'hookSpecificOutput: { permissionDecision: verdict }'],
    ['./own', undefined, true, '\0\0'],
  ])('%s', async ([command, may, isUncertain, code], { world }) => {
    const made = await became(
      world,
      'PreToolUse',
      command,
      code === undefined ? {} : { own: code },
    );
    expect([made.hooks[0]?.may, codes(made).includes('hand-may')]).toEqual([may, isUncertain]);
  });
});

describe('the same hook in files of two clients', () => {
  const both = async (world: World, one: string, other: string) => {
    await world.folder('~/.claude', '~/.gemini', '~/.codex');
    await world.write('project/.claude/settings.json', one);
    await world.write('project/.gemini/settings.json', other);
    await world.write('project/own.sh', 'exit 2\n', 0o755);
    return drafted(world);
  };

  test('is one hook, with the longer of the two timeouts', async ({ world }) => {
    const own = (folder: string, ...more: [string?, object?]) =>
      ['PostToolUse', `"$${folder}"/own.sh && say done`, ...more] as const;
    const { entries, hooks } = await both(
      world,
      settings(...own('CLAUDE_PROJECT_DIR', 'Edit|MultiEdit|Write', { timeout: 5 })),
      settings(...own('GEMINI_PROJECT_DIR', 'replace|write_file', { timeout: 9000 })).replace(
        'PostToolUse',
        'AfterTool',
      ),
    );
    expect(entries.map(({ hook }) => hook)).toEqual([1, 1]);
    expect(hooks).toEqual([
      {
        event: 'post_tool_use',
        matcher: { tool_name: '{Edit,MultiEdit,Write}' },
        command: ['sh', '-c', 'exec >/dev/null; "$1" && say done', 'sh', 'own.sh'],
        may: ['block'],
        deadline: 9000,
      },
    ]);
  });

  test('is two hooks if it is for other tools, or does something else', async ({ world }) => {
    const one = settings('PostToolUse', './own.sh', 'Edit');
    for (const [command, matcher] of [
      ['./own.sh', 'run_shell_command'],
      ['./own.sh --all', 'replace'],
    ] as const) {
      const other = settings('AfterTool', command, matcher);
      expect((await both(world, one, other)).hooks).toHaveLength(2);
    }
  });

  test('is one hook if its matcher names a tool of a server', async ({ world }) => {
    const { hooks } = await both(
      world,
      settings('PostToolUse', 'say done', 'mcp__notes__add'),
      settings('AfterTool', 'say done', '^mcp_notes_add$'),
    );
    expect(hooks.map(({ matcher }) => matcher?.tool_name)).toEqual(['mcp__notes__add']);
  });
});

test("Codex's notify becomes a hook at the end of a turn, with its usual argument", async ({
  world,
}) => {
  await world.folder('~/.codex', 'project');
  const config = (words: string) => world.write('~/.codex/config.toml', `notify = ${words}\n`);
  await config(`["python3", "${world.path('~/notify.py')}", "it's $HOME"]`);
  const script = `import json, sys\nopen("said", "w").write(json.dumps(sys.argv[1:]))\n`;
  await world.write('~/notify.py', script);
  const { out, err } = await world.run('import', { cwd: world.path('project') });
  const line = `exec "$@" "$(jq -c '{type: "agent-turn-complete", "thread-id": .session_id, cwd}')"`;
  expect(JSON.parse(out).hooks.declarations).toEqual([
    {
      event: 'post_request',
      command: [
        'sh',
        '-c',
        line,
        'sh',
        'python3',
        expect.stringMatching(/notify\.py$/),
        "it's $HOME",
      ],
      async: true,
      deadline: 600_000,
    },
  ]);
  expect(err).toContain('.codex/config.toml:1:');
  expect(err.replace(/\s+/g, ' ')).toContain(
    'jq now makes its last argument of the event, without turn-id, input-messages, last-assistant-message.',
  );
  for (const words of ['"notify-send Codex"', '[]', '["a", 1]']) {
    await config(words);
    const refused = await world.run('import', { cwd: world.path('project') });
    expect(refused.err).toContain('notify: left out: it does not have the form of a hook');
  }
});
