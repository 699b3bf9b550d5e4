// A client's own names occur in its folders and nowhere else, so adding a client only adds folders.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { knownEvents, SCOPES } from '../../src/clients/contract.ts';
import { CLIENTS, SERVER_CLIENTS } from '../../src/clients/registry.ts';
import { escapeRegex } from '../../src/compile/glob.ts';
import { ALL_IDS, clientOf } from '../support/runner/clients.ts';
import { known } from './expectations.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Without packages and temporary files. */
const filesOf = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== '.scratch')
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesOf(path) : entry.isFile() ? [path] : [];
    });
const shared = (folder: string): string[] =>
  filesOf(folder).filter((file) => !file.startsWith('src/clients/') && !file.endsWith('.json'));

/** The tool names of declarations are shared by all clients. */
const DECLARED = new Set(CLIENTS.flatMap(({ tools }) => Object.keys(tools)));

const NAMES = [
  ...SERVER_CLIENTS.flatMap(({ id, name, aliases }) => [id, name, ...aliases]),
  ...CLIENTS.flatMap((client) => [
    client.shortName,
    client.executable,
    client.npmPackage ?? client.id,
    client.projectFolder,
    ...SCOPES.flatMap((scope) => client.placement.files[scope] ?? []).map(({ name }) => name),
    ...knownEvents(client),
    ...[...Object.values(client.tools), ...client.otherTools].filter((one) => !DECLARED.has(one)),
  ]),
];

/** Words that also mean something else. */
const PLAIN = [
  'code',
  'Script',
  'Config',
  'Stop',
  'Projects',
  'Monitor',
  'Brief',
  'replace',
  'Workflow',
  'agent',
  'edit',
  'exec',
  'glob',
  'PowerShell',
  'cursor',
  'Interrupt',
  'notification',
  'stop',
  'Delete',
  'bash',
  'grep',
  'invalid',
  'question',
  'read',
  'skill',
  'task',
  'write',
  'editor',
];

const OF_BASE_COAT = 'SessionStart SessionEnd PreToolUse PostToolUse PreCompact PostCompact';
/** Files that read and write other conventions, with the names that these share with clients. */
const CONVENTIONS: Readonly<Record<string, string>> = {
  'src/declaration/declaration.ts': OF_BASE_COAT,
  'src/sources/manifests/convention.ts': 'hooks.json UserPromptSubmit PreCompact',
  'templates/envelope.cts': `${OF_BASE_COAT} UserPromptSubmit PostToolUseFailure SubagentStart SubagentStop Notification`,
};
/** Allowed in comments that say where these names come from. */
const OWNERS = 'Claude Code';

/** Clients that all tests may use as examples, some of them for their servers. */
const EXAMPLES = ['claude-code', 'codex', 'gemini-cli', 'cursor', 'vs-code'];

test.each(ALL_IDS.filter((id) => !EXAMPLES.includes(id)))(
  'no test names %s except its own',
  (id) => {
    const { name, npmPackage } = clientOf(id);
    const words = [id, name, npmPackage ?? id, `${known[id].folder}/`].map(escapeRegex);
    const named = new RegExp(`(?<![\\w-])(?:${words.join('|')})`);
    // Wine runs the Windows builds of some clients, which `real-windows` lists.
    const places =
      /^test\/(?:clients\/[^/]+\/|real-windows\/|real-clients\/package(?:-lock)?\.json$)/;
    const others = filesOf('test').filter((file) => !places.test(file));
    expect(others.filter((file) => named.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
  },
);

test('no shared code has the name of a client', () => {
  const words = [...new Set(NAMES)].filter((name) => !PLAIN.includes(name)).map(escapeRegex);
  const named = new RegExp(`(?<![\\w-])(?:${words.join('|')})(?![\\w-])`, 'g');
  const found = [...shared('src'), ...shared('templates')].flatMap((file) => {
    const known = CONVENTIONS[file];
    const allowed = known === undefined ? [] : [...known.split(' '), OWNERS];
    return [...readFileSync(join(ROOT, file), 'utf8').matchAll(named)]
      .filter(([word]) => !allowed.includes(word))
      .map(([word]) => `${file}: ${word}`);
  });
  const todo = 'a name of a client in shared code; if it is an ordinary word here, add it to PLAIN';
  expect(found, todo).toEqual([]);
});
