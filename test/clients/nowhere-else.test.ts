// A client's own names occur in its folder and nowhere else, so a new client is a new folder.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SCOPES } from '../../src/clients/contract.ts';
import { CLIENTS, SERVER_CLIENTS } from '../../src/clients/registry.ts';
import { escapeRegex } from '../../src/compile/glob.ts';

const ROOT = join(import.meta.dirname, '../..');

const filesOf = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length + 1))
    .filter((file) => !file.startsWith('src/clients/') && !file.endsWith('.json'));

/** The tool names of declarations belong to everybody. */
const DECLARED = new Set(CLIENTS.flatMap(({ tools }) => Object.keys(tools)));

const NAMES = [
  ...SERVER_CLIENTS.flatMap(({ id, name, aliases }) => [id, name, ...aliases]),
  ...CLIENTS.flatMap((client) => [
    client.shortName,
    client.executable,
    client.npmPackage,
    client.projectFolder,
    ...SCOPES.flatMap((scope) => client.placement.files[scope] ?? []).map(({ name }) => name),
    ...Object.keys(client.nativeEvents),
    ...(client.otherEvents ?? []),
    ...[...Object.values(client.tools), ...client.otherTools].filter((one) => !DECLARED.has(one)),
  ]),
];

/** Words that also mean something else. */
const PLAIN = [
  'code',
  'Config',
  'Stop',
  'Projects',
  'Monitor',
  'Brief',
  'replace',
  'Workflow',
  'glob',
  'PowerShell',
  'cursor',
  'Interrupt',
];

const OF_BASE_COAT = 'SessionStart SessionEnd PreToolUse PostToolUse PreCompact PostCompact';
/** Where other conventions are read and written, whose names are also those of a client: which ones. */
const CONVENTIONS: Readonly<Record<string, string>> = {
  'src/declaration/declaration.ts': OF_BASE_COAT,
  'src/sources/manifests/base-coat.ts': 'hooks.json',
  'src/sources/manifests/command-list.ts': 'UserPromptSubmit PreCompact',
  'templates/envelope.cjs': `${OF_BASE_COAT} UserPromptSubmit PostToolUseFailure SubagentStart SubagentStop`,
};
/** In comments, where it is said whose they are. */
const OWNERS = 'Claude Code';

test('no name of a client is in the code for all of them', () => {
  const words = [...new Set(NAMES)].filter((name) => !PLAIN.includes(name)).map(escapeRegex);
  const named = new RegExp(`(?<![\\w-])(?:${words.join('|')})(?![\\w-])`, 'g');
  const found = [...filesOf('src'), ...filesOf('templates')].flatMap((file) => {
    const known = CONVENTIONS[file];
    const allowed = known === undefined ? [] : [...known.split(' '), OWNERS];
    return [...readFileSync(join(ROOT, file), 'utf8').matchAll(named)]
      .filter(([word]) => !allowed.includes(word))
      .map(([word]) => `${file}: ${word}`);
  });
  const todo = 'a name of a client in shared code; if it is an ordinary word here, add it to PLAIN';
  expect(found, todo).toEqual([]);
});
