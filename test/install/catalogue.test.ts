// A configured server that declares no hooks, but has some in the catalogue: from the first look to the uninstall.
import { cp } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestOptions, request } from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import { describe, onTestFinished, vi } from 'vitest';
import { catalogue } from '../../src/sources/catalogue/catalogue.ts';
import { expected } from '../clients/expectations.ts';
import { answer } from '../support/hooks.ts';
import { IDS } from '../support/runner/clients.ts';
import { listening } from '../support/servers/listening.ts';
import { hasTerminal, onTerminal } from '../support/terminal.ts';
import { test, type World } from '../support/world.ts';

const SERVER = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-sequential-thinking'] };
const NAME = 'server-sequential-thinking';
const FROM = `mcp-hooks' catalogue (${NAME})`;

/** The server answers with these capabilities from now on. */
const answers = (world: World, capabilities: object) =>
  world.write('answer.json', answer(capabilities));

/** Claude Code and Gemini CLI have the server under different names, and npx starts it. */
async function furnish(world: World): Promise<void> {
  await cp(join(import.meta.dirname, '../support/servers/answering.sh'), world.path('server.sh'));
  await answers(world, { tools: {} });
  const [script, said] = [world.path('server.sh'), world.path('answer.json')];
  await world.write(
    join(world.bin, 'npx'),
    `#!/bin/sh\nexec /bin/sh '${script}' '${said}'\n`,
    0o755,
  );
  await world.folder('~/.claude', '~/.gemini');
  await world.write('~/.claude.json', JSON.stringify({ mcpServers: { think: SERVER } }));
  const gemini = { command: 'bunx', args: SERVER.args.slice(1) };
  await world.write('~/.gemini/settings.json', JSON.stringify({ mcpServers: { steps: gemini } }));
}

const run = (world: World, line: string | readonly string[], more = {}) =>
  world.run(line, { env: { PATH: `${world.bin}:${process.env.PATH}` }, ...more });
const flat = (text: string) => text.replace(/\s+/g, ' ');
const json = async (world: World, line: string) => JSON.parse((await run(world, line)).out);

describe('a server that declares nothing', () => {
  test('is offered hooks from the catalogue, and every command says where they are from', async ({
    world,
    expect,
  }) => {
    await furnish(world);
    const before = await world.snapshot();
    const scanned = await run(world, 'scan');
    expect(flat(scanned.out)).toContain('none; from the catalogue: 1 hook: post_tool_use');
    expect(flat(scanned.out)).toContain('mcp-hooks install think');
    expect((await json(world, 'scan --json')).servers[0]).toMatchObject({
      hooks: 0,
      catalogue: NAME,
      install: 'mcp-hooks install think',
    });

    const diff = await run(world, 'diff think');
    expect(flat(diff.out)).toContain(
      `think declares no hooks. ${FROM} has 1 hook for it, written by mcp-hooks and not by the server's author.`,
    );
    expect(await world.snapshot()).toEqual(before);
    // Without a terminal, nothing can be confirmed.
    expect((await run(world, 'install think')).code).toBe(2);
    expect(await world.snapshot()).toEqual(before);

    const installed = await json(world, 'install think --yes --json');
    expect(installed).toMatchObject({ catalogue: NAME, written: true });
    const { installs } = JSON.parse(await world.read('~/.mcp-hooks/ledger.json'));
    expect(installs[0]).toMatchObject({
      origin: { kind: 'catalogue', name: NAME, of: { kind: 'configured', name: 'think' } },
      servers: { 'claude-code': { name: 'think' }, 'gemini-cli': { name: 'steps' } },
    });
    expect((await run(world, 'list')).out).toContain(`from ${FROM}, for think in`);
    const from = `from ${FROM}, not by the server's author`;
    expect(flat((await run(world, 'doctor')).out)).toContain(from);
    expect(flat((await run(world, 'scan')).out)).toContain('1 hook: post_tool_use (installed)');
    expect((await run(world, 'update --yes')).out).toContain('Nothing to do');
    expect((await run(world, 'uninstall think --yes')).code).toBe(0);
    expect(await world.snapshot()).toEqual(before);
  });

  test('that is not in the catalogue has nothing to install', async ({ world, expect }) => {
    await furnish(world);
    const evil = { ...SERVER, args: ['-y', '@evil/server-sequential-thinking'] };
    await world.write('~/.claude.json', JSON.stringify({ mcpServers: { memory: evil } }));
    const { code, out } = await run(world, 'install memory --yes');
    expect([code, flat(out)]).toEqual([
      0,
      expect.stringContaining('declares no hooks, so there is nothing to install'),
    ]);
  });

  test('needs a confirmation like any other', async ({ world, expect, skip }) => {
    if (!hasTerminal()) skip('no script(1) here');
    await furnish(world);
    const { out, asked } = await onTerminal(world, ['install', 'think'], {
      keys: [{ after: 'Apply changes to 2 files?', type: 'n\r' }],
    });
    expect(asked).toBe(1);
    expect(flat(out)).toContain(`${FROM} has 1 hook for it`);
    expect(out).not.toContain('Installed:');
  });

  test('in the file of a clone is started only after a yes, like any other', async ({
    world,
    expect,
  }) => {
    await furnish(world);
    await world.write('~/.claude.json', '{}');
    await world.write('.mcp.json', JSON.stringify({ mcpServers: { think: SERVER } }));
    const refused = await run(world, 'install think --json');
    expect(refused.code).toBe(2);
    const agreed = await run(world, 'install think --yes');
    expect(flat(agreed.out)).toContain(`${FROM} has 1 hook for it`);
    // With a variable that decides what runs, the server does not count as the one in the catalogue.
    const steered = { ...SERVER, env: { NODE_OPTIONS: '--require=./evil.js' } };
    await world.write('.mcp.json', JSON.stringify({ mcpServers: { again: steered } }));
    expect(flat((await run(world, 'install again --yes')).out)).toContain('nothing to install');
  });
});

describe('a server that cannot be asked', () => {
  /** Replaces npx by this script. */
  const becomes = (world: World, script: string) =>
    world.write(join(world.bin, 'npx'), `#!/bin/sh\n${script}\n`, 0o755);
  const OFFER = `may declare hooks itself. ${FROM} has 1 hook for it, written by mcp-hooks and not by the server's author.`;

  test.for([
    [
      'that ends',
      "echo 'no \u001b[31mtoken' >&2; exit 3",
      'ended (exit code 3) before it answered',
    ],
    ['that does not answer', 'exec sleep 20', 'did not answer "initialize" within 1 second'],
    ['that is no server', 'exec /bin/sh server.sh answer.json', 'not as an MCP server'],
  ] as const)(
    '%s: why is said, and what the catalogue has',
    async ([, script, why], { world, expect }) => {
      await furnish(world);
      await world.write('answer.json', '{"body":{"result":7}}');
      // A program of its own: if npx does not answer, it may still be downloading.
      const program = join(world.bin, 'mcp-server-sequential-thinking');
      const at = `cd '${world.work}'`;
      await world.write(program, `#!/bin/sh\n${at}\n${script}\n`, 0o755);
      const command = 'mcp-server-sequential-thinking';
      await world.write('~/.claude.json', JSON.stringify({ mcpServers: { think: { command } } }));
      const before = await world.snapshot();
      const diff = await run(world, 'diff think --timeout 1');
      expect(flat(diff.out)).toContain('note: think could not be asked for its hooks: ');
      expect(flat(diff.out)).toContain(why);
      expect(flat(diff.out)).toContain(OFFER);
      expect(diff.out).not.toContain('\u001b');
      // Without a terminal, nothing can be confirmed.
      expect((await run(world, 'install think --timeout 1')).code).toBe(2);
      expect(await world.snapshot()).toEqual(before);
      const scanned = await run(world, 'scan --from claude-code --timeout 1');
      expect(flat(scanned.out)).toMatch(
        /failed: .*[^.]; from the catalogue: 1 hook: post_tool_use/,
      );
      expect(flat(scanned.out)).toContain('mcp-hooks install think');
      expect(await world.snapshot()).toEqual(before);
    },
  );

  test("gets the catalogue's hooks after a yes, and can be updated and uninstalled", async ({
    world,
    expect,
  }) => {
    await furnish(world);
    const before = await world.snapshot();
    await becomes(world, "echo 'no token' >&2; exit 3");
    expect(await json(world, 'install think --yes --json')).toMatchObject({
      catalogue: NAME,
      written: true,
      unasked: {
        code: 'server-exited',
        why: expect.stringContaining('exit code 3'),
        details: expect.arrayContaining([expect.stringContaining('no token')]),
      },
    });
    const { installs } = JSON.parse(await world.read('~/.mcp-hooks/ledger.json'));
    expect(installs[0].origin).toMatchObject({ kind: 'catalogue', of: { name: 'think' } });
    expect((await json(world, 'scan --json')).servers[0]).toMatchObject({
      hooks: null,
      code: 'server-exited',
      catalogue: NAME,
      installed: { sameServer: true },
    });
    for (const line of ['install think', 'update']) {
      const again = await run(world, `${line} --yes`);
      expect([again.code, flat(again.out)]).toEqual([0, expect.stringContaining('Nothing to do')]);
      expect(flat(again.out)).toContain('think could not be asked for its hooks');
    }
    expect((await run(world, 'uninstall think --yes')).code).toBe(0);
    expect(await world.snapshot()).toEqual(before);
  });

  test('leaves nothing to do after the install, whichever client it is found in first', async ({
    world,
    expect,
  }) => {
    await furnish(world);
    for (const id of IDS) await world.folder(`~/${expected[id].folder}`);
    await becomes(world, 'exit 3');
    expect((await run(world, 'install think --yes')).code).toBe(0);
    const again = await run(world, 'diff think');
    expect([again.code, flat(again.out)]).toEqual([0, expect.stringContaining('Nothing to do')]);
  });

  test("because it wants a login, is offered the catalogue's hooks", async ({ world, expect }) => {
    await furnish(world);
    const far = { type: 'http', url: 'https://mcp.context7.com/mcp' };
    await world.write('~/.claude.json', JSON.stringify({ mcpServers: { docs: far } }));
    const server = createServer((_, response) => {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    });
    const origin = await listening(server);
    const asked: string[] = [];
    const spy = vi.spyOn(https, 'request').mockImplementation(((
      url: URL,
      { method, headers }: RequestOptions,
      onResponse?: (response: IncomingMessage) => void,
    ) => {
      asked.push(url.href);
      return request(origin, { method, headers }, onResponse);
    }) as typeof https.request);
    onTestFinished(() => spy.mockRestore());
    const { out } = await run(world, 'diff docs');
    expect(flat(out)).toContain('https://mcp.context7.com/mcp wants you to sign in');
    expect(flat(out)).toContain("mcp-hooks' catalogue (context7) has");
    expect(flat((await run(world, 'scan --from claude-code')).out)).toMatch(
      /failed: .* sign.* from the catalogue: /,
    );
    expect(asked).toContain('https://mcp.context7.com/mcp');
  });

  test('and is not in the catalogue, fails', async ({ world, expect }) => {
    await furnish(world);
    await becomes(world, 'exit 3');
    const other = { command: 'npx', args: ['-y', '@evil/server-sequential-thinking'] };
    await world.write('~/.claude.json', JSON.stringify({ mcpServers: { think: other } }));
    const { code, err } = await run(world, 'install think --yes');
    expect([code, flat(err)]).toEqual([2, expect.stringContaining('exit code 3')]);
  });

  test('keeps its own hooks if they are installed', async ({ world, expect }) => {
    await furnish(world);
    const own = { event: 'session_start', context: 'Its own words.', priority: 'suggestion' };
    await answers(world, { hooks: { declarations: [own] } });
    expect((await run(world, 'install think --yes')).code).toBe(0);
    const before = await world.snapshot();
    await becomes(world, 'exit 3');
    for (const line of ['install think --yes --replace', 'update think --yes'])
      expect((await run(world, line)).code).toBe(2);
    expect((await json(world, 'scan --json')).servers[0].catalogue).toBeUndefined();
    expect(await world.snapshot()).toEqual(before);
  });

  test('gets nothing from the catalogue if it did answer, but its hooks are refused', async ({
    world,
    expect,
  }) => {
    await furnish(world);
    const many = Array(1001).fill({ event: 'session_start', context: 'a', priority: 'suggestion' });
    await answers(world, { hooks: { declarations: many } });
    const { code, out, err } = await run(world, 'install think --yes');
    expect([code, out + err]).toEqual([2, expect.not.stringContaining('catalogue')]);
  });

  test('is not started without a yes if its file came with the folder', async ({
    world,
    expect,
  }) => {
    await furnish(world);
    await becomes(world, `touch '${world.path('started')}'; exit 3`);
    await world.write('~/.claude.json', '{}');
    await world.write('~/.gemini/settings.json', '{}');
    await world.write('.mcp.json', JSON.stringify({ mcpServers: { think: SERVER } }));
    const before = Object.keys(await world.snapshot(world.root));
    const refused = await run(world, 'install think');
    expect([refused.code, refused.out]).toEqual([2, '']);
    const scanned = await run(world, 'scan');
    expect(flat(scanned.out)).toContain('not asked');
    expect(scanned.out).not.toContain('catalogue');
    expect(Object.keys(await world.snapshot(world.root))).toEqual(before);
  });
});

test.for(
  catalogue().map(({ name, match }) => ({ name, npm: match.npm?.[0], words: match.args ?? [] })),
)(
  'the hooks of $name are unchanged after an install',
  async ({ name, npm, words }, { world, expect, skip }) => {
    if (npm === undefined) skip('not a package of npm');
    await furnish(world);
    const command = { command: 'npx', args: ['-y', npm, ...words] };
    await world.write('~/.claude.json', JSON.stringify({ mcpServers: { own: command } }));
    const { out } = await run(world, 'install own --client claude-code --yes --allow context-tool');
    expect(out).toContain('Installed: own');
    const { findings } = await json(world, 'doctor own --json');
    const [source] = findings.filter(({ check }: { check: string }) => check === 'source');
    expect(source).toMatchObject({ level: 'info', code: 'from-catalogue' });
    expect(JSON.stringify(source)).toContain(name);
  },
);

describe('update', () => {
  test('asks before it installs the changes of a new catalogue', async ({ world, expect }) => {
    await furnish(world);
    await run(world, 'install think --yes');
    const entry = catalogue().find(({ name }) => name === NAME);
    const [hook] = (entry?.hooks.declarations ?? []) as { context: string }[];
    if (!hook) throw new Error(NAME);
    const { context } = hook;
    try {
      hook.context = 'Other words.';
      expect(flat((await run(world, 'doctor')).out)).toContain(
        `${FROM} now has other hooks for this server`,
      );
      const refused = await run(world, 'update think');
      expect([refused.code, flat(refused.out)]).toEqual([
        2,
        expect.stringContaining('1 hook changed'),
      ]);
      expect((await run(world, 'update think --yes')).code).toBe(0);
    } finally {
      hook.context = context;
    }
  });

  test('finds a server that its client has renamed', async ({ world, expect }) => {
    await furnish(world);
    await run(world, 'install think --yes');
    await world.write('~/.claude.json', JSON.stringify({ mcpServers: { 'my thoughts': SERVER } }));
    expect(flat((await run(world, 'doctor')).out)).toContain(
      'this server is now called "my thoughts" in Claude Code, and the installed hooks call it "think"',
    );
    expect((await run(world, 'update think --yes')).code).toBe(0);
    const { installs } = JSON.parse(await world.read('~/.mcp-hooks/ledger.json'));
    expect(installs).toMatchObject([
      { label: 'think', origin: { kind: 'catalogue', of: { name: 'my thoughts' } } },
    ]);
    expect(flat((await run(world, 'doctor')).out)).not.toContain('this server is now called');
    // A different server under the new name is not followed.
    const other = { mcpServers: { else: { command: 'npx', args: ['-y', '@evil/x'] } } };
    await world.write('~/.claude.json', JSON.stringify(other));
    expect((await run(world, 'update think --yes')).code).toBe(2);
  });

  test('leads doctor and verify to report a different server of that name in one client', async ({
    world,
    expect,
  }) => {
    await furnish(world);
    await run(world, 'install think --yes --client claude,gemini');
    const differs = / is another server \(/;
    // The same package counts as the same server, however each client starts it.
    expect(flat((await run(world, 'doctor')).out)).not.toMatch(differs);
    const key = `ghp_${'x1'.repeat(18)}`;
    const other = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything', key] };
    await world.write('~/.gemini/settings.json', JSON.stringify({ mcpServers: { think: other } }));
    await run(world, 'update think --yes');
    for (const line of ['doctor', 'verify']) {
      const out = flat((await run(world, line)).out);
      expect(out).toContain(
        'in Gemini CLI, "think" is another server (npx -y @modelcontextprotocol/server-everything ***) than in Claude Code (npx -y @modelcontextprotocol/server-sequential-thinking)',
      );
      expect(out).not.toContain(key);
    }
  });

  test('reports that a server now declares hooks itself', async ({ world, expect }) => {
    await furnish(world);
    await run(world, 'install think --yes');
    const own = { event: 'session_start', context: 'Its own words.', priority: 'suggestion' };
    await answers(world, { hooks: { declarations: [own] } });
    const asked = await run(world, 'update think');
    expect([asked.code, flat(asked.out)]).toEqual([
      2,
      expect.stringContaining('think now declares hooks itself.'),
    ]);
    expect(flat((await run(world, 'scan')).out)).toContain('its hooks have changed');
    expect((await run(world, 'update think --yes')).code).toBe(0);
    const { installs } = JSON.parse(await world.read('~/.mcp-hooks/ledger.json'));
    expect(installs[0].origin).toMatchObject({ kind: 'configured', name: 'think' });
    expect((await run(world, 'list')).out).not.toContain('catalogue');
    // If the server stops declaring hooks again, the catalogue's hooks need a confirmation.
    await answers(world, {});
    expect(flat((await run(world, 'update think --yes')).out)).toContain('declares no hooks any');
  });
});
