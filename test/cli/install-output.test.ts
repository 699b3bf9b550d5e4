// What install, update and uninstall print: few lines, none wider than the terminal, and the changes only on request.
import { describe, expect } from 'vitest';
import { CLIENTS, TRUSTING } from '../../src/clients/registry.ts';
import { ALL_EVENTS } from '../../src/declaration/declaration.ts';
import { runAt } from '../support/columns.ts';
import { COMMITTED, manifest } from '../support/hooks.ts';
import { ALL_IDS, entriesIn, FOLDERS } from '../support/runner/clients.ts';
import { hasTerminal, type Keys, onTerminal } from '../support/terminal.ts';
import { test, type World } from '../support/world.ts';

const HELLO = { event: 'session_start', context: 'Hello.', priority: 'suggestion' };
const DONE = { event: 'post_request', context: 'Anything to note?', priority: 'important' };
/** The question before it is answered. */
const QUESTION = 'd shows the diff)\u001B[';
const HUNK = /^@@ .* @@$/m;

/** A home with all clients, and manifests of `annal` and `notes`. */
async function furnish(world: World): Promise<void> {
  await world.folder(...FOLDERS);
  await world.write('annal.json', manifest(COMMITTED));
  await world.write('notes.json', manifest(COMMITTED, HELLO, DONE));
}

const at80 = (world: World, line: string) => runAt(80, world, line.split(' '));

/** Lines that are too wide. */
const tooWide = (lines: readonly string[]) => lines.filter((line) => line.length > 80);

const typing = (world: World, line: string, keys: readonly Keys[], env = {}) =>
  onTerminal(world, line.split(' '), { keys, env });

const key = (type: string): Keys => ({ after: QUESTION, type: `${type}\r` });

test('list prints ~ in paths for people, and whole paths in JSON', async ({ world }) => {
  await furnish(world);
  await world.run('install annal.json --yes --quiet');
  const ledger = JSON.parse(await world.read('~/.mcp-hooks/ledger.json'));
  const [install] = ledger.installs;
  const home = world.home;
  for (const [source, shown] of [
    [`${home}/annal.json`, '~/annal.json'],
    [`notes in ${home}/.claude.json`, 'notes in ~/.claude.json'],
    [`node --at=${home}/x ${home}`, 'node --at=~/x ~'],
    [`node ${home}-2/x /old${home}/x`, `node ${home}-2/x /old${home}/x`],
  ] as const) {
    const record = { ...ledger, installs: [{ ...install, source }] };
    await world.write('~/.mcp-hooks/ledger.json', JSON.stringify(record));
    const { out } = await world.run('list');
    expect(out).toContain(`(from ${shown})`);
    const json = JSON.parse((await world.run('list --json')).out);
    expect(json.installed[0]).toMatchObject({
      source,
      clients: ALL_IDS.map((_, index) =>
        index === 0 ? { file: `${home}/.claude/settings.json` } : {},
      ),
    });
  }
  await world.write('~/.mcp-hooks/policy.json', '{');
  const { err: unread } = await world.run('list');
  expect(unread).toContain('~/.mcp-hooks/policy.json');
  expect(unread).not.toContain(home);
  await world.write('~/.mcp-hooks/ledger.json', '{');
  for (const command of ['list', 'verify']) {
    const { err } = await world.run(command);
    expect(err).toContain('~/.mcp-hooks/ledger.json');
    expect(err).not.toContain(home);
  }
});

test('update and list name the clients in the order in which install does', async ({ world }) => {
  await furnish(world);
  const installed = (await world.run('install annal.json --yes')).out;
  await world.write('annal.json', manifest(HELLO));
  const updated = (await world.run('update annal --yes')).out;
  const names = CLIENTS.map(({ name }) => name);
  const rows = (out: string) =>
    out.split('\n').flatMap((line) => names.find((name) => line.startsWith(`  ${name}  `)) ?? []);
  const ledger = JSON.parse(await world.read('~/.mcp-hooks/ledger.json'));
  ledger.installs[0].clients.unshift('of-tomorrow');
  await world.write('~/.mcp-hooks/ledger.json', JSON.stringify(ledger));
  const listed = (await world.run('list')).out;
  expect([installed, updated, listed].map(rows)).toEqual([names, names, names]);
  // This version does not know the client, so it prints the id.
  expect(listed.trimEnd().split('\n').at(-1)).toMatch(/^ {2}of-tomorrow {2,}\S/);
});

test('uninstall names the files that it deletes, and those that it changes', async ({ world }) => {
  await furnish(world);
  const [first] = CLIENTS;
  const install = `install annal.json --yes --client ${first?.id}`;
  await world.run(install);
  const gone = await world.run('uninstall annal --dry-run');
  expect(gone.out).toContain('; 1 file to delete.');
  expect((await world.run('uninstall annal --yes')).out).toContain('; 1 file deleted.');
  await world.run(install);
  await world.run(install.replace('annal', 'notes'));
  expect((await world.run('uninstall annal --yes')).out).toContain('; 1 file changed.');
  await world.run('uninstall notes --yes');
  await world.write('~/.claude/settings.json', '{ "theirs": true }\n');
  await world.run('install annal.json --yes');
  const files = new Set(ALL_IDS.map((id) => entriesIn(id, 'annal')));
  const most = files.size - 1;
  const both = (await world.run('uninstall annal --yes')).out.replaceAll('\n', ' ');
  expect(both).toContain(`; 1 file changed, ${most} deleted.`);
});

describe('at 80 columns', () => {
  test('two hooks take 25 lines with four clients, and a line about all others', async ({
    world,
  }) => {
    await world.folder(...FOLDERS.slice(0, 4));
    const context = `${COMMITTED.context} Save it with mcp__annal__create_entities.`;
    await world.write(
      'two.json',
      JSON.stringify({
        server: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
        hooks: {
          declarations: [
            { ...COMMITTED, context },
            { event: 'session_start', context_tool: 'read_graph', priority: 'important' },
          ],
        },
      }),
    );
    const { code, lines, out } = await at80(world, 'install two.json --yes');
    expect(code).toBe(0);
    // In the table, for a missing server, and for deviations from the declaration, at most twice for each hook.
    for (const client of CLIENTS.slice(0, 4))
      expect([client.name, out.split(client.name).length <= 6]).toEqual([client.name, true]);
    expect(lines.length).toBeLessThanOrEqual(25);
    expect(tooWide(lines)).toEqual([]);
    // Everything that the user agrees to, and each deviation from the declaration, once.
    for (const part of [
      '| You just committed',
      'server-memory',
      '(--allow context-tool)',
      'no MCP server for mcp__annal__create_entities in these clients',
      'Hook 2 skipped.',
      'These clients lack the server; --with-server adds it.',
      'mcp-hooks update two --allow context-tool  allow hook 2',
    ])
      expect(out.split(part)).toHaveLength(2);
    expect(out).not.toMatch(HUNK);
    // The most useful step comes first.
    const steps = [...out.matchAll(/^ {2}mcp-hooks (\w+)/gm)].map(([, command]) => command);
    expect(steps).toEqual([...TRUSTING.map(() => 'trust'), 'update', 'verify', 'uninstall']);
  });

  test('clients that are not found share a line', async ({ world }) => {
    await furnish(world);
    const line = 'install annal.json --dry-run';
    expect((await at80(world, line)).out).not.toContain('Not found');
    await world.remove('~/.gemini');
    expect((await at80(world, line)).out).toMatch(/^Not found: Gemini CLI$/m);
    await world.remove('~/.codex');
    expect((await at80(world, line)).out).toMatch(/^Not found: Codex CLI, Gemini CLI$/m);
    // A client that --client leaves out is not reported as missing.
    expect((await at80(world, `${line} --client claude-code`)).out).not.toContain('Not found');
  });

  test('reinstall, update and uninstall are as short', async ({ world }) => {
    await furnish(world);
    await at80(world, 'install annal.json --yes');
    const again = await at80(world, 'install annal.json --yes');
    expect(again.out).toContain('Nothing to do');
    const update = await at80(world, 'update annal --yes');
    await world.write('annal.json', manifest({ ...COMMITTED, context: 'Something else.' }));
    const changed = await at80(world, 'update annal --yes');
    expect(changed.out).toContain('Something else.');
    const gone = await at80(world, 'uninstall annal --yes');
    expect(gone.out).toContain('Uninstalled: annal');
    for (const [most, { code, lines, out }] of [
      [18 + CLIENTS.length, again],
      [5, update],
      [18 + CLIENTS.length, changed],
      [3 + CLIENTS.length, gone],
    ] as const) {
      expect([code, tooWide(lines)]).toEqual([0, []]);
      expect(lines.length).toBeLessThanOrEqual(most);
      expect(out).not.toMatch(HUNK);
    }
  });

  test('what several programs have in common is shown once, and permissions with their program', async ({
    world,
  }) => {
    await world.folder('~/.claude');
    const command = ['sh', '-c', 'date'];
    const hooks = [
      ...['session_start', 'pre_request', 'post_request'].map((event) => ({ event, command })),
      { event: 'pre_tool_use', command, may: ['block'] },
      { event: 'session_start', command: ['git', 'status'] },
    ];
    await world.write(
      'own.json',
      JSON.stringify({ version: 2, name: 'own', hooks: { declarations: hooks } }),
    );
    const { out } = await at80(world, 'diff own.json');
    const lines = out.split('\n');
    expect(out.match(/"sh" is looked up on the PATH/g)).toHaveLength(1);
    expect(lines.filter((line) => line.includes('is looked up on the PATH'))).toEqual([
      '     "git" is looked up on the PATH each time.',
      '  For each of hooks 1-4: "sh" is looked up on the PATH each time.',
    ]);
    expect(out).toContain('  For each of hooks 1-3 and 5: ');
    expect(out.match(/Its answer is only text/g)).toHaveLength(1);
    expect(lines.findIndex((line) => line.includes('Its answer may block'))).toBeGreaterThan(
      lines.findIndex((line) => line.startsWith('  4. ')),
    );
    expect(lines.findIndex((line) => line.includes('Its answer may block'))).toBeLessThan(
      lines.findIndex((line) => line.startsWith('  5. ')),
    );
    expect(tooWide(lines)).toEqual([]);
  });

  test('hooks with the same result share a line', async ({ world }) => {
    await furnish(world);
    await world.write('notes.json', manifest(HELLO, { ...HELLO, context: 'Hello again.' }, DONE));
    const { code, out, lines } = await at80(world, 'install notes.json --yes');
    expect([code, tooWide(lines)]).toEqual([0, []]);
    // Hooks of the same event have the same grades in every client.
    expect(out).toMatch(/^ {17,}1-2 {2,}3(?: {2,}\* untested, as documented)?$/m);
    for (const { name } of CLIENTS)
      expect(out).toMatch(
        new RegExp(`^ {2}${name} +(?:(?:exact|adapted|late|none)†?\\*?\\s+)+~`, 'm'),
      );
    // Remarks on several hooks share a line, too.
    const none = { ...COMMITTED, matcher: { tool_name: 'bASH' } };
    await world.write('none.json', manifest(none, HELLO, { ...none, context: 'Again.' }));
    const without = await at80(world, 'install none.json --dry-run');
    expect(without.out).toMatch(/^ {2}hooks 1 and 3: not shown: no client has a tool "bASH"/m);
  });

  test('many hooks list their clients by grade, and each file once', async ({ world }) => {
    await furnish(world);
    const tool = { priority: 'suggestion', context: 'x' };
    const budget = { tokens: 50_000 };
    const declarations = ALL_EVENTS.map((event) => ({
      ...tool,
      event,
      ...(event === 'budget_exceeded' && { budget }),
    }));
    const none = { ...tool, event: 'post_tool_use', matcher: { tool_name: 'bASH' } };
    const off = { ...tool, event: 'pre_request', enabled: false };
    const late = { event: 'pre_tool_use', context_tool: 'x', priority: 'suggestion' };
    const later = [none, off, late, { event: 'pre_compact', ...tool }];
    await world.write(
      'many.json',
      JSON.stringify({
        version: 2,
        server: { command: 'x' },
        hooks: { declarations: [...declarations, ...later] },
      }),
    );
    const { code, lines } = await at80(world, 'install many.json --yes');
    expect([code, tooWide(lines)]).toEqual([0, []]);
    // The rows below the numbers of hooks, in the order of the grades.
    const parts = lines.join('\n').match(/^ {2}[\d, -]+\n(?: {4}\S.*\n(?: {6,}.*\n)*)+/gm) ?? [];
    const order = ['exact', 'exact†', 'adapted', 'late', 'none', 'skipped'];
    for (const part of parts) {
      const grades = [...part.matchAll(/^ {4}(\w+†?) /gm)].map(([, grade = '']) => grade);
      expect(grades).toEqual(order.filter((one) => grades.includes(one)));
      const named = CLIENTS.filter(({ name }) => part.replace(/\s+/g, ' ').includes(name));
      expect(named).toHaveLength(part.includes('all clients') ? 0 : CLIENTS.length);
    }
    expect(parts.join('')).toContain('skipped   all clients');
    for (const { name } of CLIENTS)
      expect(lines.filter((line) => new RegExp(`^ {2}${name} {2,}~/`).test(line))).toHaveLength(1);
    const about = lines.flatMap((one) => /^ {2}hooks? (\d+)/.exec(one)?.[1] ?? []).map(Number);
    expect(about.length).toBeGreaterThan(1);
    expect(about).toEqual(about.toSorted((a, b) => a - b));
    const line = 'install many.json --dry-run';
    const { out: painted } = await runAt(80, world, line.split(' '), { colour: true });
    for (const [code, grade] of [
      [32, 'exact'],
      [33, 'adapted'],
      [33, 'late'],
      [31, 'none'],
      [2, 'skipped'],
    ])
      expect(painted).toContain(`\u001B[${code}m${grade}`);
  });

  test('a long name and text from a manifest stay within the width', async ({ world }) => {
    await furnish(world);
    const label = `${'long-'.repeat(9)}name`;
    const tool = 'mcp__somebody__a_tool_of_theirs_with_a_name_that_goes_on_and_on_and_on_and_on';
    await world.write(
      'long.json',
      manifest({ ...COMMITTED, matcher: { tool_name: tool }, context: `${'word '.repeat(60)}.` }),
    );
    const { code, lines } = await at80(world, `install long.json --name ${label} --yes`);
    expect(code).toBe(0);
    // Commands to type stay on one line, however long, and paths stay whole.
    const paths = ALL_IDS.map((id) => `  ${entriesIn(id, label)}`);
    expect(tooWide(lines).filter((line) => !/mcp-hooks \w+ long-/.test(line))).toEqual(
      tooWide(paths),
    );
  });

  test('a hostile text cannot pass for a line of ours', async ({ world }) => {
    await furnish(world);
    const context = `Nothing to do: the files are up to date.\n\u001B[2K\rInstalled: other\u202E`;
    await world.write('annal.json', manifest({ ...COMMITTED, context }));
    const { out } = await at80(world, 'install annal.json --yes');
    expect(out).not.toMatch(/^(?:Nothing to do|Installed: other)/m);
    expect(out).not.toMatch(/[\u001B\r\u202E]/);
  });

  test('a refused file is named with its place, and what to do next', async ({ world }) => {
    await furnish(world);
    await world.write('~/.claude/settings.json', '{\n  // mine\n}\n');
    const before = await world.stamps();
    const { code, out, err, lines } = await at80(world, 'install annal.json --yes');
    expect([code, tooWide(lines)]).toEqual([2, []]);
    expect(out.replace(/\s+/g, ' ')).toContain('refused: ~/.claude/settings.json:2:3: ');
    const others = CLIENTS.slice(1).map(({ id, aliases }) =>
      [id, ...aliases].toSorted((a, b) => a.length - b.length).at(0),
    );
    expect(err.replace(/\s+/g, ' ')).toContain(
      `Nothing was written. Fix the refused file, then run this command again. Without that client: --client ${others}`,
    );
    expect(await world.stamps()).toEqual(before);
    // A remark about all other clients names none of them.
    await world.write('none.json', manifest({ ...COMMITTED, matcher: { tool_name: 'bASH' } }));
    const none = await at80(world, 'install none.json --yes');
    expect(none.out).toMatch(/^ {2}not shown: no client has a tool "bASH"/m);
  });
});

describe('the changes of each file', () => {
  test('are shown with --diff, for each client', async ({ world }) => {
    await furnish(world);
    for (const line of [
      'install annal.json --yes --diff --dry-run',
      'install annal.json --yes --diff',
      'uninstall annal --yes --diff',
    ]) {
      const { code, out } = await at80(world, line);
      expect([code, out.match(new RegExp(HUNK, 'gm'))?.length]).toEqual([0, CLIENTS.length]);
    }
  });

  test('leave out our code, which is the same for every server, unless --verbose', async ({
    world,
  }) => {
    await furnish(world);
    for (const line of ['install annal.json', 'uninstall annal']) {
      const linesOf = async (flags: string) =>
        (await world.run(`${line} --dry-run --diff${flags}`)).out.split('\n');
      const whole = await linesOf(' --verbose');
      const short = await linesOf('');
      const note = /^\\ (\d+) more lines: the code of mcp-hooks/;
      const notes = short.flatMap((one) => note.exec(one)?.[1] ?? []).map(Number);
      const left = notes.reduce((sum, one) => sum + one, 0);
      expect(short.length + left - notes.length).toBe(whole.length);
      expect(left).toBeGreaterThan(whole.length / 2);
      // All that starts something is still there.
      const starting = (lines: readonly string[]) => lines.filter((one) => one.includes('.sh;'));
      expect(starting(short)).toEqual(starting(whole));
      expect(starting(short).length).toBeGreaterThan(CLIENTS.length);
      await world.run('install annal.json --yes -q');
    }
  });

  test('are shown after the answer d, and the question is repeated', async ({ world, skip }) => {
    if (!hasTerminal()) skip('no script(1) here');
    await furnish(world);
    const before = await world.stamps();
    const cat = { PAGER: 'sed "s/^+++/paged: +++/"' };
    const line = 'install annal.json --client claude-code,gemini-cli';
    const no = await typing(world, line, [key('d'), key('n')], cat);
    expect([no.code, no.asked, no.out.match(new RegExp(HUNK, 'gm'))?.length]).toEqual([2, 2, 2]);
    const [plan, ...after] = no.out.split('d shows the diff)');
    expect(plan).toContain('| You just committed work.');
    expect(plan).not.toContain('+++ ');
    expect(after.join('')).toContain('paged: +++ ~/.claude/settings.json');
    expect(no.out).toContain('Nothing was written.');
    expect(await world.stamps()).toEqual(before);
    const yes = await typing(world, line, [key('d'), key('diff'), key('y')], cat);
    expect([yes.code, yes.asked, yes.out.match(new RegExp(HUNK, 'gm'))?.length]).toEqual([0, 3, 4]);
    expect(yes.out).toMatch(/^ {2}mcp-hooks uninstall annal {2}undo$/m);
    const kept = await typing(world, 'uninstall annal', [key('n')]);
    expect([kept.code, kept.asked]).toEqual([2, 1]);
    // d is not offered if the diff is shown already.
    const keys = [{ after: 'to 2 files?', type: 'y\r' }];
    const gone = await typing(world, 'uninstall annal --diff', keys, cat);
    expect([gone.code, gone.out.match(new RegExp(HUNK, 'gm'))?.length]).toEqual([0, 2]);
    expect(gone.out).not.toContain('d shows the diff');
  });

  test('Enter and no change nothing; a mistyped answer repeats the question', async ({
    world,
    skip,
  }) => {
    if (!hasTerminal()) skip('no script(1) here');
    await furnish(world);
    const before = await world.stamps();
    for (const answers of [[''], ['no'], ['dy', 'yess', 'n']]) {
      const keys = answers.map(key);
      const { code, asked, out } = await typing(world, 'install annal.json', keys);
      expect([answers, code, asked]).toEqual([answers, 2, answers.length]);
      expect(out).toMatch(/(?<!: )Nothing was written\./);
    }
    expect(await world.stamps()).toEqual(before);
  });

  test.for([
    ['that is not there', 'no-such-pager', true],
    ['that is empty', '', true],
    ['that is left at once, and fails', 'exit 3', false],
  ] as const)(
    'a pager %s does not stop the install',
    async ([, PAGER, isShown], { world, skip }) => {
      if (!hasTerminal()) skip('no script(1) here');
      await furnish(world);
      // More than a pipe can hold.
      const many = Array.from({ length: 30 }, (_, at) => ({
        ...HELLO,
        event: 'post_tool_use',
        matcher: { tool_name: `tool_${at}` },
      }));
      await world.write('many.json', manifest(...many));
      const { code, out, asked } = await typing(world, 'install many.json', [key('d'), key('y')], {
        PAGER,
      });
      expect([code, asked, HUNK.test(out)]).toEqual([0, 2, isShown]);
      expect(out).toContain('Installed: many');
    },
  );

  test('ctrl-C in the pager ends only the pager', async ({ world, skip }) => {
    if (!hasTerminal()) skip('no script(1) here');
    await furnish(world);
    const keys = [key('d'), { after: 'paging', type: '\u0003' }, key('y')];
    const { out, asked } = await typing(world, 'install annal.json', keys, {
      PAGER: 'echo paging; exec sleep 600',
    });
    // The exit code is not checked: after this, the shell that script(1) starts has its own.
    expect(asked).toBe(3);
    expect(out).toContain('Installed: annal');
  });
});

describe('--quiet', () => {
  const FIRING = `--client ${ALL_IDS.filter((id) => !TRUSTING.some(({ client }) => client.id === id))}`;

  test('with --yes prints nothing if everything works', async ({ world }) => {
    await furnish(world);
    for (const line of [
      `install annal.json ${FIRING}`,
      `install annal.json ${FIRING}`,
      `install notes.json annal.json ${FIRING}`,
      'update',
      'update annal notes',
      'uninstall annal notes',
    ]) {
      const { code, out, err } = await at80(world, `${line} --yes --quiet`);
      expect([line, code, out, err]).toEqual([line, 0, '', '']);
    }
    expect((await world.run('list')).out).toMatch(/^Nothing is installed\. /);
  });

  test('prints what does not fire, and what went wrong', async ({ world }) => {
    await furnish(world);
    const { code, out } = await at80(world, 'install annal.json --yes -q');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^ {2}No hook fires in Codex CLI: not trusted\./),
    ]);
    expect(out.trim().split('\n')).toHaveLength(2);
    const wrong = await at80(world, 'install nowhere.json --yes -q');
    expect([wrong.code, wrong.out]).toEqual([2, '']);
    expect(wrong.err).toContain('nowhere.json');
  });

  test('prints on stderr what will not work as declared', async ({ world }) => {
    await furnish(world);
    const recall = { event: 'session_start', context_tool: 'recall', priority: 'required' };
    const server = { command: process.execPath, args: [] };
    const none = { ...COMMITTED, matcher: { tool_name: 'bASH' } };
    await world.write(
      'tool.json',
      JSON.stringify({ server, hooks: { declarations: [none, recall] } }),
    );
    const said = [
      /^hook 1: not shown: no client has a tool "bASH"/m,
      /^Skipped hook 2: .* --allow context-tool$/m,
    ];
    for (const line of [
      'install tool.json --client claude-code',
      'install tool.json --client claude-code',
      'update tool',
    ]) {
      const { code, out, err } = await at80(world, `${line} --yes --quiet`);
      const words = err.replace(/\n {2}/g, ' ');
      expect([line, code, out, words]).toEqual([line, 0, '', expect.stringMatching(/\w/)]);
      for (const one of said) expect(words).toMatch(one);
      expect(tooWide(err.split('\n'))).toEqual([]);
    }
    // The JSON has it in its keys.
    const { err } = await at80(world, 'install tool.json --client claude-code -y -q --json');
    expect(err).toBe('');
  });

  test('without --yes still shows what is approved', async ({ world, skip }) => {
    if (!hasTerminal()) skip('no script(1) here');
    await furnish(world);
    const line = `install annal.json ${FIRING} --quiet`;
    const { code, out } = await typing(world, line, [key('y')]);
    expect(code).toBe(0);
    expect(out).toContain(COMMITTED.context);
    expect(out).toMatch(/^ {2}Claude Code +exact {2,}~\/\.claude\/settings\.json$/m);
    expect(out).not.toMatch(/^(?:Installed|Check|Undo):/m);
  });
});

describe('what to do next', () => {
  const LINES = /^ {2}mcp-hooks (?:verify|uninstall) .* {2}\S.*$/gm;

  test('names the label, and the scope if it is not the default', async ({ world }) => {
    await furnish(world);
    const after = async (line: string) => (await at80(world, line)).out.match(LINES);
    expect(await after('install annal.json --yes')).toEqual([
      '  mcp-hooks verify annal     check that they fire',
      '  mcp-hooks uninstall annal  undo',
    ]);
    for (const scope of ['project', 'local'])
      expect(await after(`install annal.json --client claude-code --scope ${scope} --yes`)).toEqual(
        [
          `  mcp-hooks verify annal --scope ${scope}     check that they fire`,
          `  mcp-hooks uninstall annal --scope ${scope}  undo`,
        ],
      );
  });

  test('is printed only if something was written', async ({ world }) => {
    await furnish(world);
    await at80(world, 'install annal.json --yes');
    for (const line of [
      'install notes.json --dry-run',
      'install annal.json --yes',
      'diff notes.json',
      'uninstall annal --yes',
    ])
      expect((await at80(world, line)).out).not.toMatch(LINES);
  });

  test('gives a reason once, even if a hook does not fire on several events', async ({ world }) => {
    await world.folder('~/.codex');
    // The first hook has two events in the client, the second has one.
    await world.write('annal.json', manifest(HELLO, COMMITTED));
    const { out } = await at80(world, 'install annal.json --yes');
    expect(out.match(/trust annal/g)).toHaveLength(1);
    expect(out).toMatch(/^ {2}mcp-hooks trust annal +let Codex CLI run the hooks$/m);
    expect((await at80(world, 'install annal.json --yes')).out.match(/not trusted/g)).toHaveLength(
      1,
    );
    expect((await world.run('list')).out).toContain('intact, but does not fire: not trusted');
  });

  test('list says why hooks do not fire next to a change in the file', async ({ world }) => {
    await world.folder('~/.codex');
    await world.write('annal.json', manifest(HELLO));
    await world.run('install annal.json --yes');
    const config = await world.read('~/.codex/config.toml');
    await world.write('~/.codex/config.toml', config.replace(/timeout = \d+/, 'timeout = 9'));
    expect((await world.run('list')).out).toMatch(
      /its entry for SessionStart was edited; .*does not fire: /,
    );
  });

  test('works as it is printed', async ({ world }) => {
    await furnish(world);
    const line = 'install annal.json --client claude-code --scope project --yes';
    const { out } = await at80(world, line);
    const commands = [...out.matchAll(/^ {2}mcp-hooks (.*?) {2,}\S.*$/gm)].map(
      ([, command = '']) => command,
    );
    expect(commands).toHaveLength(2);
    for (const command of commands) {
      const yes = command.startsWith('uninstall') ? ['--yes'] : [];
      const env = { PATH: process.env.PATH };
      const { code, err } = await world.run([...command.split(' '), ...yes], { env });
      expect([command, code, err]).toEqual([command, 0, '']);
    }
  });
});
