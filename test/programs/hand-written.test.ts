// An imported hook does the same as the hand-written original: the same line runs in the same shell, side by side.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { test, type World } from '../support/world.ts';

const PATH = '/usr/bin:/bin';

interface Case {
  readonly native: string;
  readonly matcher?: string;
  readonly command: string;
  /** The call, as a declaration names it. */
  readonly tool: string;
  readonly input: object;
  /** The files that it writes, relative to the project, and their contents. */
  readonly writes?: Readonly<Record<string, string>>;
  readonly blocks?: string;
  readonly tells?: string;
  readonly script?: string;
  /** Variables that only some clients set. */
  readonly isSet?: Readonly<Record<string, string>>;
}

const EVENTS: Readonly<Record<string, string>> = {
  PreToolUse: 'pre_tool_use',
  PostToolUse: 'post_tool_use',
  UserPromptSubmit: 'pre_request',
};

const FORMATTER = `#!/bin/sh
for file; do case "$file" in -*) ;; *) tr a-z A-Z < "$file" > "$file.new" && mv "$file.new" "$file" && echo "$file 3ms" ;; esac; done
`;

const SCRIPT = '.claude/hooks/own.sh';
const EDIT = { file_path: 'a.ts', old_string: 'x', new_string: 'y' };
const after = { native: 'PostToolUse', matcher: 'Edit|Write', tool: 'Edit', input: EDIT } as const;
const before = { native: 'PreToolUse', matcher: 'Bash', tool: 'Bash' } as const;
const push = { command: 'git push --force origin main' };

const CASES: Readonly<Record<string, Case>> = {
  'a formatter that gets the file from jq': {
    ...after,
    command: "jq -r '.tool_input.file_path' | xargs prettier --write",
    writes: { 'a.ts': 'LET X\n' },
  },
  'a formatter of a file in the project': {
    ...after,
    command: 'prettier --write README.md && prettier --write a.ts',
    writes: { 'README.md': 'NOTES\n', 'a.ts': 'LET X\n' },
  },
  'a formatter in a condition': {
    ...after,
    command:
      'jq -r \'.tool_input.file_path\' | { read file; if echo "$file" | grep -q \'\\.ts$\'; then prettier --write "$file"; fi; }',
    writes: { 'a.ts': 'LET X\n' },
  },
  'a guard in the line, with the reason on standard error': {
    ...before,
    input: push,
    command:
      "if jq -r '.tool_input.command' | grep -q -- '--force'; then echo 'No force.' >&2; exit 2; fi",
    blocks: 'No force.',
  },
  'the same guard, which lets other calls pass': {
    ...before,
    input: { command: 'git status' },
    command:
      "if jq -r '.tool_input.command' | grep -q -- '--force'; then echo 'No force.' >&2; exit 2; fi",
  },
  'a guard in a script, in a pipe': {
    ...before,
    input: push,
    command: `jq -r .tool_input.command | "$CLAUDE_PROJECT_DIR"/${SCRIPT}`,
    script: '#!/bin/sh\nread -r line\necho "Not $line" >&2\nexit 2\n',
    blocks: 'Not git push --force origin main',
  },
  'a guard that takes the place of the shell': {
    ...before,
    input: push,
    command: `exec "$CLAUDE_PROJECT_DIR"/${SCRIPT} --hook`,
    script: '#!/bin/sh\necho "Not with $1" >&2\nexit 2\n',
    blocks: 'Not with --hook',
  },
  'a guard in a function': {
    ...before,
    input: push,
    command: `guard() { "$CLAUDE_PROJECT_DIR"/${SCRIPT}; }; guard now`,
    script: '#!/bin/sh\necho "Not with $#" >&2\nexit 2\n',
    blocks: 'Not with 0',
  },
  'a guard that answers in JSON': {
    ...before,
    input: push,
    command:
      'jq -e \'.tool_input.command | test("force")\' >/dev/null && echo \'{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"No force."}}\' || true',
    blocks: 'No force.',
  },
  'a logger': {
    ...before,
    input: push,
    command: "jq -r '.tool_input.command' >> ~/calls.log",
    writes: { '~/calls.log': 'git push --force origin main\n' },
  },
  'a logger with a here-document': {
    ...before,
    input: push,
    command: 'cat >> calls.log <<EOF\nIn $(basename "$PWD")\nEOF',
    writes: { 'calls.log': 'In project\n' },
  },
  'the folder of the project in a variable': {
    ...after,
    command: 'cd / && cat "$CLAUDE_PROJECT_DIR/README.md" > "$CLAUDE_PROJECT_DIR"/copy.md',
    writes: { 'copy.md': 'notes\n' },
  },
  'a script that reads that variable': {
    ...after,
    command: `$CLAUDE_PROJECT_DIR/${SCRIPT}`,
    script: '#!/bin/sh\ncd / && echo done > "$CLAUDE_PROJECT_DIR/done.txt"\n',
    writes: { 'done.txt': 'done\n' },
  },
  'a script whose failure is ignored': {
    ...after,
    command: `"$CLAUDE_PROJECT_DIR"/${SCRIPT} || true`,
    script: '#!/bin/sh\necho ran > ran.txt\nexit 2\n',
    writes: { 'ran.txt': 'ran\n' },
  },
  'variables that users expect': {
    ...after,
    command:
      'prettier --write "$CLAUDE_TOOL_INPUT_FILE_PATH"; echo "$CLAUDE_TOOL_NAME" > tool.txt &',
    writes: { 'a.ts': 'LET X\n', 'tool.txt': 'Edit\n' },
    isSet: { CLAUDE_TOOL_INPUT_FILE_PATH: 'a.ts', CLAUDE_TOOL_NAME: 'Edit' },
  },
  'a command in the background': {
    ...before,
    input: push,
    command: '(sleep 0.3; echo late > late.txt) & echo No. >&2; exit 2',
    writes: { 'late.txt': 'late\n' },
    blocks: 'No.',
  },
  'a condition of bash': {
    ...after,
    command:
      'f=$(jq -r .tool_input.file_path); [[ "$f" == *.ts ]] && prettier --write "$f"; exit 0',
    writes: { 'a.ts': 'LET X\n' },
  },
  'a text that is different each time': {
    native: 'UserPromptSubmit',
    tool: '',
    input: {},
    command: 'echo "In $(basename "$PWD") there are $(ls *.ts | wc -l | tr -d \' \') files"',
    tells: 'In project there are 1 files',
  },
};

/** A project with its hook, and the programs on the path. */
async function prepare(world: World, { native, matcher, command, script }: Case) {
  const hook = { hooks: [{ type: 'command', command }], ...(matcher && { matcher }) };
  await world.folder('~/.claude');
  await world.write(
    'project/.claude/settings.json',
    JSON.stringify({ hooks: { [native]: [hook] } }),
  );
  await world.write('project/a.ts', 'let x\n');
  await world.write('project/README.md', 'notes\n');
  if (script) await world.write(`project/${SCRIPT}`, script, 0o755);
  await world.write('../bin/prettier', FORMATTER, 0o755);
}

const env = (world: World) => ({ PATH: `${world.bin}:${PATH}` });
const place = (name: string) => (name.startsWith('~') ? name : `project/${name}`);

describe('an imported hook does the same as the original', () => {
  test.for(Object.entries(CASES))('%s', async ([, one], { make }) => {
    const { native, tool, input, command, writes = {}, blocks, tells, isSet } = one;
    // The original, as its client starts it.
    const there = await make();
    await prepare(there, one);
    const cwd = there.path('project');
    const payload = { hook_event_name: native, cwd, tool_name: tool, tool_input: input };
    const ran = spawnSync('bash', ['-c', command], {
      cwd,
      input: JSON.stringify(payload),
      encoding: 'utf8',
      env: { HOME: there.home, CLAUDE_PROJECT_DIR: cwd, ...isSet, ...env(there) },
    });
    for (const [name, text] of Object.entries(writes))
      expect([name, readFileSync(there.path(place(name)), 'utf8')]).toEqual([name, text]);
    if (ran.status === 2) expect(ran.stderr.trim()).toBe(blocks);
    if (tells) expect(ran.stdout.trim()).toBe(tells);

    // The imported hook, without the variables that its client sets.
    for (const client of ['claude-code', 'codex']) {
      const here = await make();
      await prepare(here, one);
      await here.folder('~/.codex');
      const at = { cwd: here.path('project'), env: env(here) };
      const made = await here.run(
        'import --client claude-code --out hooks.json --name own --json',
        at,
      );
      const { grants } = JSON.parse(made.out);
      const call = tool === '' ? [] : ['--tool', tool, '--input', JSON.stringify(input)];
      const allow = ['--allow', grants.join(','), '--yes', '--client', client];
      expect((await here.run(['install', 'hooks.json', ...allow], at)).code).toBe(0);
      const line = ['fire', 'own', EVENTS[native] ?? '', ...call, '--client', client, '--json'];
      const { clients } = JSON.parse((await here.run(line, at)).out);
      const [{ decided, text, trouble }] = clients[0].firings;
      for (const [name, text] of Object.entries(writes))
        expect([name, readFileSync(here.path(place(name)), 'utf8')]).toEqual([name, text]);
      expect([client, trouble, decided ?? undefined]).toEqual([client, null, blocks && 'blocked']);
      if (blocks ?? tells) expect(text).toContain(blocks ?? tells);
      else expect(text ?? '').toBe('');
    }
  });
});
