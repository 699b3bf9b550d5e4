// A person's whole set-up moves over, fires in the real clients, and moves back to the byte: docs/moving.md is what is printed.
// `UPDATE_PAGES=1` writes it.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../src/system/child.ts';
import { MOVE, OWN_FILES, PROGRAMS, SERVERS_FILE, serversFile } from '../support/move.ts';
import { fenced, shows } from '../support/pages.ts';
import { clientOf } from '../support/runner/clients.ts';
import { CACHES, startLine } from './clients.ts';
import { CLI, tree } from './ours.ts';
import { scratch } from './scratch.ts';

const IDS = ['claude-code', 'codex', 'gemini-cli'] as const;

test('a whole set-up moves over, fires, and moves back', { timeout: 600_000 }, async () => {
  const place = scratch();
  onTestFinished(place.remove);
  const { home, files } = place;
  const bin = join(files, 'bin');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const starting = IDS.map((id): [string, string] => [
    clientOf(id).executable,
    `#!/bin/sh\n${startLine(id)}\n`,
  ]);
  for (const [name, text] of [...Object.entries(PROGRAMS), ...starting]) {
    write(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  }
  for (const [path, text] of Object.entries(OWN_FILES)) write(join(home, path), text);
  write(join(home, SERVERS_FILE), serversFile());
  const before = tree(home);
  const desk = join(files, 'desk');
  mkdirSync(desk);
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home, ...CACHES };

  const printed: [step: string, text: string][] = [];
  for (const [step, line] of Object.entries(MOVE)) {
    const ran = await run([process.execPath, CLI], line.split(' '), {
      ...{ cwd: desk, env },
      deadline: 400_000,
    });
    expect([line, ran.exitCode], ran.stdout + ran.stderr).toEqual([line, 0]);
    // Progress and times differ from run to run.
    const text = `${ran.stderr}${ran.stdout}`
      .replace(/^.* \.\.\.\n/gm, '')
      .replace(/\b\d+\.\d s\b/g, '1.0 s')
      .replaceAll(home, '~');
    printed.push([step, `$ mcp-hooks ${line}\n${text}`]);
  }
  // Codex writes files of its own when it is asked what it trusts.
  const after = tree(home);
  for (const [name, text] of Object.entries(before))
    expect([name, after[name]]).toEqual([name, text]);
  expect(Object.keys(after).filter((name) => name.startsWith('.mcp-hooks'))).toEqual([]);
  for (const [step, text] of printed)
    shows('docs/moving.md', `generated: move ${step}`, fenced('console', text));
});
