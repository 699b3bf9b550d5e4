/** The command in a client's settings: its form, and that it is harmless whatever has happened to its runner. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hookCommand, startedBy } from '../../src/compile/command.ts';
import { scratch } from '../support/runner/world.ts';

test('its form is frozen: a client trusts the text of the command', () => {
  const forms = ['/home/you/.mcp-hooks/servers/notes/codex.Stop.sh', "/o'b $x/notes/codex.Stop.sh"];
  expect(forms.map(hookCommand)).toEqual([
    String.raw`{ \trap '\exit 0' EXIT; \. /home/you/.mcp-hooks/servers/notes/codex.Stop.sh; } 2>/dev/null # mcp-hooks: notes`,
    String.raw`{ \trap '\exit 0' EXIT; \. '/o'\''b '"` +
      '`' +
      String.raw`printf '\044'` +
      '`' +
      `"'x/notes/codex.Stop.sh'; } 2>/dev/null # mcp-hooks: notes`,
  ]);
  for (const path of forms) expect(startedBy(hookCommand(path))).toBe(path);
});

/** Runners that are not as they should be. What is said by one that can be read in is its own matter. */
const RUNNERS: Readonly<Record<string, string | Buffer>> = {
  empty: '',
  fails: 'exit 3',
  returns: 'return 4',
  'last command fails': 'false',
  'cannot be parsed': 'if then (',
  'does not end': 'echo "',
  'unknown commands': 'no-such-command-of-ours; echo to stderr >&2',
  'set -e': 'set -e; false',
  'a readonly': 'readonly x=1; x=2',
  'odd uses of special commands': 'break; continue; shift 99; : "$((1/0))"',
  binary: Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 167 + 13) % 256)),
};

const isThere = (shell: string) => spawnSync('/bin/sh', ['-c', `${shell} -c :`]).status === 0;
// posh, which no client starts, runs no trap when a file that it should read is not there: it ends with 1.
const SHELLS = ['sh', 'dash', 'bash', 'bash --posix', 'zsh', 'busybox sh', 'ksh', 'mksh', 'yash'];

test.skip.each(SHELLS.filter((shell) => !isThere(shell)))('in %s, which is not here', () => {});

describe.each(SHELLS.filter(isThere))('in %s', (shell) => {
  test('it ends with 0 and prints nothing, whatever the runner is', () => {
    const folder = join(scratch('entry'), "it's a folder");
    mkdirSync(join(folder, 'a folder'), { recursive: true });
    symlinkSync(join(folder, 'a link'), join(folder, 'a link'));
    for (const [name, content] of Object.entries(RUNNERS))
      writeFileSync(join(folder, name), content);
    const names = [...Object.keys(RUNNERS), 'missing', 'a folder', 'a link', 'empty/no folder'];
    const lines = names.map((name) => hookCommand(join(folder, name)));
    expect(ran(shell, lines)).toEqual(lines.map(() => 'exit 0'));
  });

  test("the user's traps and aliases have no part in it", () => {
    const folder = scratch('entry');
    const aliases = ['.', 'trap', 'exit', '['].map((name) => `alias -- '${name}=echo ALIAS'`);
    const own = ["trap 'echo TRAP' EXIT", ...aliases].join('\n');
    writeFileSync(join(folder, '.zshenv'), own);
    writeFileSync(join(folder, 'bash'), `shopt -s expand_aliases; ${own}`);
    writeFileSync(join(folder, 'says'), 'echo said; false');
    const env = { ZDOTDIR: folder, BASH_ENV: join(folder, 'bash') };
    const lines = ['says', 'missing'].map((name) => hookCommand(join(folder, name)));
    expect(ran(shell, lines, env)).toEqual(['said\nexit 0', 'exit 0']);
  });
});

/** What each command line prints and how it ends, all from one shell: to start each from here takes longer. */
function ran(shell: string, lines: readonly string[], env: Record<string, string> = {}): string[] {
  const script = `for line; do ${shell} -c "$line" 2>&1 </dev/null; echo "exit $?"; echo ----; done`;
  const { stdout } = spawnSync('/bin/sh', ['-c', script, 'sh', ...lines], {
    env: { PATH: process.env.PATH, SHLVL: '1', ...env },
    encoding: 'utf8',
  });
  return stdout.split('\n----\n').slice(0, -1);
}
