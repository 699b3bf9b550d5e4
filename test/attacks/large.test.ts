/** A file with any content works or is refused in plain words, without a stack trace. */
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect } from 'vitest';
import { COMMITTED, manifest } from '../support/hooks.ts';
import type { World } from '../support/world.ts';
import { attack, env } from './attack.ts';

/** The length at which a pattern that tries each character separately runs out of stack: 8 MB. */
const MUCH = 'x'.repeat(8.25 * 1024 * 1024);
const LONG = `"${MUCH}"`;
const ESCAPES = `"${'\\"\\n'.repeat(500_000)}"`;
const deep = (open: string, value: string, close: string): string =>
  open.repeat(100_000) + value + close.repeat(100_000);
const ARRAYS = deep('[', '', ']');
const OBJECTS = deep('{"a":', '1', '}');

/** Runs commands, and checks that each prints a message of ours instead of crashing. */
async function plain(world: World, ...lines: string[]): Promise<string> {
  let said = '';
  for (const line of lines) {
    const { out, err, code } = await world.run(line, { env });
    said += out + err;
    const odd = /call stack|Unexpected error|RangeError|heap/i.test(out + err);
    expect({ line, odd, isCode: [0, 1, 2].includes(code ?? -1) }).toEqual({
      line,
      odd: false,
      isCode: true,
    });
  }
  return said;
}

async function furnish(world: World): Promise<void> {
  await world.folder('~/.claude', '~/.codex', '~/.gemini');
  await world.write('annal.json', manifest(COMMITTED));
}

describe('a file that is too large or too deep', () => {
  attack(
    'one long string in a settings file does not exhaust the stack',
    async ({ world }) => {
      await furnish(world);
      const json = `{ "a": ${LONG} }`;
      const toml = `a = ${LONG}\n`;
      await world.write('~/.claude/settings.json', json);
      await world.write('~/.gemini/settings.json', json);
      await world.write('~/.codex/config.toml', toml);
      const said = await plain(world, 'install annal.json --yes', 'list', 'uninstall annal --yes');
      expect(said.match(/^ {2}\S.* {2,}intact/gm)).toHaveLength(3);
      expect((await world.read('~/.claude/settings.json')) === json).toBe(true);
      expect((await world.read('~/.codex/config.toml')) === toml).toBe(true);
    },
    120_000,
  );

  attack(
    'one long string in TOML that is edited in place does not exhaust the stack',
    async ({ world }) => {
      await furnish(world);
      for (const text of [LONG, `'${MUCH}'`]) {
        await world.write('~/.codex/config.toml', `a = ${text}\nhooks = { Stop = [] }\n`);
        await plain(world, 'install annal.json --yes --client codex', 'scan --yes');
      }
    },
  );

  attack('a file that is too large for node is refused in plain words', async ({ world }) => {
    await furnish(world);
    await world.run('install annal.json --yes', { env });
    for (const file of [
      '~/.claude/settings.json',
      '~/.mcp-hooks/ledger.json',
      '~/.mcp-hooks/lock',
      '~/.mcp-hooks/policy.json',
      '~/.mcp-hooks/servers/annal/declaration.json',
    ]) {
      const path = world.path(file);
      const text = existsSync(path) ? readFileSync(path) : undefined;
      writeFileSync(path, text ?? '', { mode: 0o600 });
      truncateSync(path, 2.5 * 1024 ** 3); // sparse
      const said = await plain(world, 'install annal.json --act-now --yes');
      expect(said.replace(/\s+/g, ' ')).toMatch(
        new RegExp(`${basename(file)}.* it is larger than 256 MB`),
      );
      expect(said).not.toContain('ERR_');
      if (text) writeFileSync(path, text);
      else rmSync(path);
    }
  });

  attack('endless escapes in a settings file do not exhaust the stack', async ({ world }) => {
    await furnish(world);
    await world.write('~/.claude/settings.json', `{ "a": ${ESCAPES} }`);
    await world.write('~/.gemini/settings.json', `{ "a": ${ESCAPES}, /* c */ "hooks": {} }`);
    await plain(world, 'install annal.json --yes', 'doctor', 'uninstall annal --yes');
  });

  attack('endless brackets in a settings file do not exhaust the stack', async ({ world }) => {
    await furnish(world);
    for (const [json, toml] of [
      [ARRAYS, ARRAYS],
      [OBJECTS, deep('{a=', '1', '}')],
    ]) {
      await world.write('~/.claude/settings.json', `{ "a": ${json} }`);
      await world.write('~/.codex/config.toml', `a = ${toml}\n`);
      await plain(world, 'install annal.json --yes', 'scan', 'doctor');
    }
  });

  attack('a file with servers does not exhaust the stack', async ({ world }) => {
    for (const json of [LONG, ARRAYS, OBJECTS]) {
      await world.write('~/.claude.json', `{ "a": ${json}, "mcpServers": { "x": ${json} } }`);
      await world.write('.mcp.json', `{ "mcpServers": { "y": { "command": ${json} } } }`);
      await plain(world, 'scan', 'install x --yes');
    }
  });

  attack('a manifest does not exhaust the stack', async ({ world }) => {
    for (const json of [LONG, ARRAYS, OBJECTS]) {
      await world.write('annal.json', `{ "hooks": ${json} }`);
      await world.write('package.json', `{ "mcpHooks": ${json} }`);
      await plain(world, 'validate annal.json', 'validate package.json');
    }
  });

  attack('a policy does not exhaust the stack', async ({ world }) => {
    await furnish(world);
    for (const json of [LONG, ESCAPES, ARRAYS]) {
      await world.write('~/.mcp-hooks/policy.json', `{ "servers": ${json} }`);
      await plain(world, 'list', 'install annal.json --yes');
    }
  });

  attack('a ledger does not exhaust the stack', async ({ world }) => {
    await furnish(world);
    const wide = `[${'1,'.repeat(500_000)}1]`;
    for (const json of [LONG, OBJECTS, wide]) {
      const ledger = `{ "version": 1, "madeFolders": ${json}, "installs": [], "files": {} }`;
      await world.write('~/.mcp-hooks/ledger.json', ledger);
      expect(await plain(world, 'list')).toContain('ledger.json');
    }
  });
});
