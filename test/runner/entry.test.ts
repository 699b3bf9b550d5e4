/** The command in a client's settings: its form, and that it does no harm if its runner is broken. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hookCommand, startedBy } from '../../src/compile/command.ts';
import { scratch } from '../support/runner/world.ts';

test("the command's form is frozen, because a client trusts its text", () => {
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

/** Broken runners. A runner that can be read may print something, which is not tested here. */
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
// posh, which no client starts, ends with 1: it runs no trap if a file that it should read is missing.
const SHELLS = ['sh', 'dash', 'bash', 'bash --posix', 'zsh', 'busybox sh', 'ksh', 'mksh', 'yash'];

test.skip.each(SHELLS.filter((shell) => !isThere(shell)))(
  'in %s, which is not installed',
  () => {},
);

describe.each(SHELLS.filter(isThere))('in %s', (shell) => {
  test('the command ends with 0 and prints nothing, even with a broken runner', () => {
    const folder = join(scratch('entry'), "it's a folder");
    mkdirSync(join(folder, 'a folder'), { recursive: true });
    symlinkSync(join(folder, 'a link'), join(folder, 'a link'));
    for (const [name, content] of Object.entries(RUNNERS))
      writeFileSync(join(folder, name), content);
    const names = [...Object.keys(RUNNERS), 'missing', 'a folder', 'a link', 'empty/no folder'];
    const lines = names.map((name) => hookCommand(join(folder, name)));
    expect(ran(shell, lines)).toEqual(lines.map(() => 'exit 0'));
  });

  test("the user's traps and aliases do not affect the command", () => {
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

/** The output and exit code of each command line, all from one shell, because starting each from here takes longer. */
function ran(shell: string, lines: readonly string[], env: Record<string, string> = {}): string[] {
  const script = `for line; do ${shell} -c "$line" 2>&1 </dev/null; echo "exit $?"; echo ----; done`;
  const { stdout } = spawnSync('/bin/sh', ['-c', script, 'sh', ...lines], {
    env: { PATH: process.env.PATH, SHLVL: '1', ...env },
    encoding: 'utf8',
  });
  return stdout.split('\n----\n').slice(0, -1);
}
