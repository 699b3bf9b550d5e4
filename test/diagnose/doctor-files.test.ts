/** `mcp-hooks doctor`: faults in files and folders that are hard to think of. */
import { describe, expect } from 'vitest';
import { expected } from '../clients/expectations.ts';
import { found } from '../support/findings.ts';
import { env, installed } from '../support/fired.ts';
import { clientOf, IDS, MOMENTS } from '../support/runner/clients.ts';
import { test } from '../support/world.ts';

describe.concurrent('doctor', () => {
  const inJson = IDS.filter((id) => expected[id].byHand.endsWith('.json'));
  test.for(inJson)('names a hand-written hook with the same text: %s', async (id, { world }) => {
    const file = `~/${expected[id].byHand}`;
    const native = MOMENTS.after[id].event;
    const isFlat = clientOf(id).entry.shape === 'flat';
    const text = 'Is the changelog up to date?';
    const answer = { hookSpecificOutput: { hookEventName: native, additionalContext: text } };
    const own = { type: 'command', command: `echo '${JSON.stringify(answer)}'` };
    const groups = isFlat ? [own] : [{ hooks: [own] }];
    await world.write(file, JSON.stringify({ hooks: { [native]: groups } }));
    const draft = `import ${world.path(file)} --client ${id} --out annal.json`;
    for (const line of [draft, `install annal.json --client ${id} --yes`]) {
      const { code, err } = await world.run(line, { env });
      if (code !== 0) throw new Error(err);
    }
    expect(await found(world, 'by-hand-too')).toMatchObject([
      { check: 'shown-twice', level: 'warning', about: 'annal', where: world.path(file) },
    ]);
    const other = { ...own, command: 'echo What else?' };
    const rest = isFlat ? [other] : [{ hooks: [other] }];
    const written = JSON.parse(await world.read(file));
    written.hooks[native].splice(0, 1, ...rest);
    await world.write(file, JSON.stringify(written));
    expect(await found(world, 'by-hand-too')).toEqual([]);
  });

  test.for([
    ['its arguments', 'sh', ['sh', './checks/changelog.sh']],
    ['itself, where it has none', '', ['./checks/changelog.sh']],
  ] as const)(
    'names a hand-written hook that starts the same program, recognized by %s',
    async ([, shell, command], { world }) => {
      await world.write('checks/changelog.sh', '#!/bin/sh\n', 0o755);
      const declarations = [{ event: 'post_tool_use', command }];
      await world.write('annal.json', JSON.stringify({ version: 2, hooks: { declarations } }));
      const byHand = async (file: string) => {
        const own = { type: 'command', command: `${shell} ${world.path(file)}`.trim() };
        const hooks = { PostToolUse: [{ hooks: [own] }] };
        await world.write('~/.claude/settings.json', JSON.stringify({ hooks }));
        await world.run('install annal.json --client claude --allow command --yes', { env });
        return found(world, 'by-hand-too');
      };
      expect(await byHand('checks/changelog.sh')).toMatchObject([{ about: 'annal' }]);
      expect(await byHand('checks/spelling.sh')).toEqual([]);
    },
  );

  test('names every command that import has read, in any form', async ({ world }) => {
    const commands = [
      "jq -r '.tool_input.file_path' | xargs npx prettier --write",
      '"$HOME"/.claude/hooks/format.sh || true',
      'bash ~/.claude/hooks/own.sh',
      'npm test',
    ];
    for (const name of ['format', 'own']) await world.write(`~/.claude/hooks/${name}.sh`, 'exit\n');
    const write = (...all: readonly string[]) => {
      const own = all.map((command) => ({ type: 'command', command }));
      const hooks = { PostToolUse: [{ hooks: own }] };
      return world.write('~/.claude/settings.json', JSON.stringify({ hooks }));
    };
    await write(...commands);
    await world.run('import --client claude --out annal.json', { env });
    await write();
    const allow = '--allow command,project-code';
    await world.run(`install annal.json --client claude ${allow} --yes`, { env });
    const settings = JSON.parse(await world.read('~/.claude/settings.json'));
    for (const command of [...commands, 'npm run lint', 'bash ~/.claude/hooks/other.sh']) {
      const own = { hooks: [{ type: 'command', command }] };
      const PostToolUse = [...settings.hooks.PostToolUse, own];
      const hooks = { ...settings.hooks, PostToolUse };
      await world.write('~/.claude/settings.json', JSON.stringify({ ...settings, hooks }));
      const isSame = commands.includes(command);
      expect([command, (await found(world, 'by-hand-too')).length]).toEqual([
        command,
        isSame ? 1 : 0,
      ]);
    }
  });

  test('does not take missing grants for a changed manifest', async ({ world }) => {
    await world.write('check.sh', '#!/bin/sh\n', 0o755);
    const hooks = [
      { event: 'pre_tool_use', command: ['./check.sh'], may: ['block', 'modify'] },
      { event: 'pre_tool_use', block: 'No.' },
      { event: 'post_tool_use', context: 'Hello.' },
    ];
    const write = (...declarations: object[]) =>
      world.write('annal.json', JSON.stringify({ version: 2, hooks: { declarations } }));
    const changed = async () => (await found(world, 'manifest-declares-else')).length > 0;
    await write(...hooks);
    for (const flags of ['', '--allow block', '--allow command', '--allow modify']) {
      await world.run(`install annal.json ${flags} --yes --client claude,gemini`, { env });
      expect(await changed(), flags).toBe(false);
    }
    await write(...hooks.slice(1));
    expect(await changed()).toBe(true);
  });

  test('names the setting that switches hooks off, and its file', async ({ world }) => {
    await installed(world, [{ event: 'pre_request' }]);
    const path = '~/.gemini/settings.json';
    const settings = JSON.parse(await world.read(path));
    await world.write(path, JSON.stringify({ ...settings, hooksConfig: { enabled: false } }));
    expect(await found(world, 'switched-off')).toMatchObject([
      { todo: `Remove hooksConfig.enabled from ${path}, or set it to true.` },
    ]);
  });
});
