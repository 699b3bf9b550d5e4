// How the source is divided. The linter reports each import that breaks this, however it is loaded, of types and of values.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build, type Plugin } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLIENTS } from '../../src/clients/registry.ts';
import { compile } from '../../src/compile/compile.ts';
import { sentence } from '../../src/present/messages/sentence.ts';
import { parseManifest } from '../../src/sources/manifests/read.ts';

const ROOT = join(import.meta.dirname, '..', '..');

test('there are twelve layers, and at most three files beside them', () => {
  const entries = readdirSync(join(ROOT, 'src'), { withFileTypes: true });
  const layers = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(layers.sort()).toEqual([
    'cli',
    'clients',
    'compile',
    'declaration',
    'diagnose',
    'edit',
    'install',
    'library',
    'present',
    'sdk',
    'sources',
    'system',
  ]);
  expect(entries.length - layers.length).toBeLessThanOrEqual(3);
});

/** All other files are given a home, an environment and a folder, because a test or a user of the library has others. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  // The command line itself.
  'cli/main.ts': ['process.cwd', '} = process'],
  // inquirer asks in the process's own terminal.
  'cli/commands/confirm.ts': ['process.env'],
  // To resolve a relative home, and for the error if the caller gives no home.
  'index.ts': ['process.cwd', 'process.env'],
  // It starts in its own process what the runner would start.
  'sdk/engine/engine.ts': ['process.env'],
};

test('only these files read the home, environment and folder of our own process', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  const found = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const code = readFileSync(join(ROOT, 'src', file), 'utf8').replace(
        /^ *(?:\/?\*|\/\/).*$/gm,
        '',
      );
      const uses =
        code.match(/\} = process\b(?!\.)|process\.(?:env|cwd)\b|\b(?:homedir|userInfo)\b/g) ?? [];
      return uses.length > 0 ? [[file.replaceAll('\\', '/'), [...new Set(uses)].sort()]] : [];
    });
  expect(Object.fromEntries(found)).toEqual(OWN);
});

/** The files that make the runner's decisions and words, without files, processes or anything else of Node: a browser could run them. */
const DECIDING = [
  'answer',
  'chain/evaluation',
  'chain/obey',
  'chain/view',
  'clock',
  'conditions',
  'hook-results',
  'json',
  'mcp/conversation',
  'mcp/messages',
  'redact',
  'redact/candidates',
  'runner/event',
  'runner/foreseen',
  'runner/matching',
  'secrets',
  'values',
  'words',
];

test("the runner's decisions and the files that they import use nothing of Node", () => {
  const uses = DECIDING.flatMap((name) => {
    const code = readFileSync(join(ROOT, 'templates', `${name}.cts`), 'utf8');
    const node = code.match(/'node:\w+'|(?<![.\w])(?:process|Buffer|__dirname)[.(]/g) ?? [];
    const imported = [
      ...code.matchAll(/^(?:import|export) (?!type)[^;]* from '(\.[^']+)\.cjs';$/gm),
    ].map(([, path = '']) => relative('/', join('/', dirname(name), path)));
    return [...node, ...imported.filter((one) => !DECIDING.includes(one))].map(
      (one) => `${name}: ${one}`,
    );
  });
  expect(uses).toEqual([]);
});

/** These files turn a declaration into entries, programs and sentences, and import nothing of Node. */
const ANYWHERE = [
  'compile/compile.ts',
  'compile/raise/raise.ts',
  'present/messages/sentence.ts',
  ...readdirSync(join(ROOT, 'src/declaration')).map((file) => `declaration/${file}`),
];

/** Bundles the runner's files, which are separate in the published package. Nothing that needs Node is called. */
const withRunner: Plugin = {
  name: 'with-runner',
  setup: ({ onLoad, onResolve }) => {
    const templates = join(ROOT, 'templates');
    const files = readdirSync(templates).flatMap((file) => /^(\w+)\.cts$/.exec(file)?.[1] ?? []);
    const all = files.map((name) => `'./${name}.cjs': () => require('./${name}.cjs')`);
    onLoad({ filter: /src.system.runner-code\.ts$/ }, () => ({
      contents: `const files = { ${all} }; export const runnerCode = (path) => files[path]();`,
      resolveDir: templates,
    }));
    onResolve({ filter: /\.cjs$/ }, ({ path, resolveDir }) => {
      const file = join(resolveDir, path);
      return { path: existsSync(file) ? file : file.replace(/cjs$/, 'cts') };
    });
    onResolve({ filter: /^node:/ }, ({ importer }) =>
      importer.startsWith(templates) ? { path: 'none', namespace: 'none' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'none' }, () => ({
      contents: 'module.exports = { constants: {} }',
    }));
  },
};

test('compiler and wording import nothing of Node, and work without it', async () => {
  const imports = [...ANYWHERE, 'clients/list.ts'].map(
    (file) => `export * as ${basename(file, '.ts').replace(/\W/g, '_')} from './${file}';`,
  );
  const { outputFiles } = await build({
    stdin: { contents: imports.join('\n'), resolveDir: join(ROOT, 'src') },
    ...{ bundle: true, write: false, logLevel: 'silent', platform: 'browser' },
    ...{ format: 'iife', globalName: 'bundle', plugins: [withRunner] },
    define: { 'require.main': 'null' },
  });
  const declared = parseManifest(
    JSON.stringify({
      version: 2,
      hooks: {
        declarations: [
          { event: 'session_start', context: 'From {server} é.' },
          { event: 'post_tool_use', matcher: { tool_name: '{Bash,mcp__a__*}' }, context: 'Hi.' },
          { event: 'pre_tool_use', matcher: { input_matches: '^a+$' }, block: 'No.' },
        ],
      },
    }),
    '/annal.json',
  );
  const options = { runner: '/r', state: '/s' };
  const realm = createContext({
    TextEncoder,
    module: {},
    given: JSON.stringify({ declared, options }),
  });
  const code = `${outputFiles?.[0]?.text}
    const { declared, options } = JSON.parse(given);
    const made = bundle.list.CLIENTS.map((client) => {
      const { groups, program, hooks } = bundle.compile.compile(declared, client, options);
      return { groups, program, said: hooks.map(({ when }) => bundle.sentence.sentence(when)) };
    });
    JSON.stringify(made);`;
  const here = CLIENTS.map((client) => {
    const { groups, program, hooks } = compile(declared, client, options);
    return { groups, program, said: hooks.map(({ when }) => sentence(when)) };
  });
  expect(JSON.parse(runInContext(code, realm))).toEqual(JSON.parse(JSON.stringify(here)));
});

/** Files that break a rule, and the lines that do. */
const WRONG: Readonly<Record<string, { readonly text: string; readonly lines: number[] }>> = {
  'src/system/up.ts': {
    text: [
      "import { high } from '../cli/high.ts';",
      "import type { High } from '../edit/high.ts';",
      "export type { High as Higher } from '../sdk/high.ts';",
      "export * from '../install/high.ts';",
      "export const later = () => import('../sources/high.ts');",
      "export type Highest = import('../compile/high.ts').High;",
      'export const all: High = high;',
    ].join('\n'),
    lines: [1, 2, 3, 4, 5, 6],
  },
  'src/clients/one/up.ts': {
    text: "import type { High } from '../../compile/high.ts';\nexport type Own = High;",
    lines: [1],
  },
  'src/sdk/up.cjs': { text: "'use strict';\nrequire('../cli/high.ts');", lines: [2] },
  'src/present/up.ts': { text: "export * from '../library/high.ts';", lines: [1] },
  'src/library/up.ts': { text: "export * from '../cli/high.ts';", lines: [1] },
  'src/cli/up.ts': {
    text: [
      "export * from '../index.ts';",
      "export * from '../all.ts';",
      "export * from '../library.ts';",
    ].join('\n'),
    lines: [1, 2, 3],
  },
  'templates/up.cjs': { text: "'use strict';\nrequire('../src/system/low.ts');", lines: [2] },
  // A cycle of types, one of values that are loaded late, one in the runner, and one closed only by the path in a type.
  'src/edit/a.ts': { text: "import type { B } from './b.ts';\nexport type A = B | 1;", lines: [1] },
  'src/edit/b.ts': { text: "import type { A } from './a.ts';\nexport type B = A | 2;", lines: [1] },
  'src/edit/c.ts': { text: "export const c = () => import('./d.ts');", lines: [1] },
  'src/edit/d.ts': { text: "export const d = () => import('./c.ts');", lines: [1] },
  'src/edit/e.ts': { text: "export type E = import('./f.ts').F;", lines: [1] },
  'templates/runner/up.cts': {
    text: "import type { low } from '../../src/system/low.ts';\nexport type Low = typeof low;",
    lines: [1],
  },
  'templates/a.cts': { text: "export { b } from './b.cjs';", lines: [1] },
  'templates/b.cts': { text: "export const a = () => require('./a.cjs');", lines: [1] },
  'templates/c.cts': { text: "import d = require('./d.cjs');\nexport const c = d;", lines: [1] },
  'templates/d.cts': {
    text: "import type { c } from './c.cjs';\nexport type D = typeof c;",
    lines: [1],
  },
};

/** Files that break no rule. */
const RIGHT: Readonly<Record<string, string>> = {
  'src/cli/down.ts': "export * from '../system/low.ts';\nexport * from '../sdk/low.ts';",
  'src/system/low.ts': 'export const low = 1;',
  'src/system/inner/low.ts': "export * from '../low.ts';",
  'src/sdk/low.ts': "export type { Env } from '../system/env.ts';",
  'templates/types.cts': "export type { low } from '../src/system/low.ts';",
  'templates/runner/part.cts': "export const values = () => require('../low.cjs');",
  'templates/low.cjs': "'use strict';\nexports.values = require('./values.cjs');",
};

let folder: string;
beforeAll(() => {
  folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'mcp-hooks-layers-')));
  for (const file of ['biome.json', 'scripts/lint'])
    cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  const texts = Object.entries(WRONG).map(([path, { text }]) => [path, text] as const);
  for (const [path, text] of [...texts, ...Object.entries(RIGHT)]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${text}\n`);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the linter reports each import of a higher layer, and each cycle', () => {
  const biome = join(ROOT, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const args = [biome, 'lint', '--reporter=github', '--max-diagnostics=none', '.'];
  const { stdout, status } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  const seen = [...stdout.matchAll(/^::error title=(\S+?),file=(\S+?),line=(\d+)/gm)]
    .filter(([, rule]) => rule === 'plugin' || rule === 'lint/suspicious/noImportCycles')
    .map(([, , file = '', line]) => `${relative(folder, file)}:${line}`);
  const wrong = Object.entries(WRONG).flatMap(([file, { lines }]) =>
    lines.map((line) => `${file}:${line}`),
  );
  expect([...new Set(seen)].sort()).toEqual(wrong.sort());
  expect(status).toBe(1);
});
