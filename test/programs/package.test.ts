// The published package, installed into an otherwise empty folder: every kind of module can load it, and TypeScript knows its
// types.
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as library from '../../src/index.ts';
import { COMMITTED, manifest } from '../support/hooks.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

let folder: string;
let published: readonly string[];
beforeAll(async () => {
  folder = await mkdtemp(join(await realpath(tmpdir()), 'mcp-hooks-installed-'));
  // The code is not built again, because other tests are running it.
  await execa(process.execPath, ['scripts/declarations.mjs'], { cwd: ROOT });
  const npm = (...args: string[]) =>
    execa('npm', args, { cwd: folder, env: { HOME: folder, npm_config_update_notifier: 'false' } });
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const { stdout } = await npm('pack', ROOT, '--ignore-scripts', '--json');
  const [{ filename, files }]: [{ filename: string; files: { path: string }[] }] =
    JSON.parse(stdout);
  published = files.map(({ path }) => path);
  await npm('install', `./${filename}`, '--offline', '--no-audit', '--no-fund');
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const installed = (file: string) => readFile(join(folder, 'node_modules/mcp-hooks', file), 'utf8');

/** A minimal server that declares a valid hook, and an invalid one. */
const SCRIPT = `
const server = { connect: async () => {}, getClientCapabilities: () => undefined };
declareHooks(server, [{ event: 'session_start', context: 'Hello.', priority: 'suggestion' }]);
try {
  declareHooks(server, [{ event: 'sesion_start', priority: 'high' }]);
} catch (error) {
  console.log(error.name, error.message);
}
`;

const SAID = `TypeError declareHooks: these hooks cannot be declared.
  declarations[0].event: "event" is "sesion_start"; allowed: session_start, session_end, pre_tool_use, post_tool_use, pre_request, post_request; did you mean "session_start"?
  declarations[0].priority: "priority" is "high"; allowed: required, important, suggestion
  declarations[0]: one of "context" (a text) and "context_tool" (the name of a tool) is needed`;

test.each([
  ['an ES module', 'server.mjs', "import { declareHooks } from 'mcp-hooks/server';"],
  ['CommonJS', 'server.cjs', "const { declareHooks } = require('mcp-hooks/server');"],
])('hooks can be declared from %s', async (_, file, line) => {
  await writeFile(join(folder, file), `${line}\n${SCRIPT}`);
  const { stdout } = await execa(process.execPath, [file], { cwd: folder });
  expect(stdout).toBe(SAID);
});

test('both kinds of module get the same function, and Node prints no warning', async () => {
  const script = `import { createRequire } from 'node:module';
import { declareHooks } from 'mcp-hooks/server';
console.log(createRequire(import.meta.url)('mcp-hooks/server').declareHooks === declareHooks);`;
  await writeFile(join(folder, 'both.mjs'), script);
  const { stdout, stderr } = await execa(process.execPath, ['both.mjs'], { cwd: folder });
  expect([stdout, stderr]).toEqual(['true', '']);
});

test('the package has every file of the catalogue', async () => {
  const files = (await readdir(join(ROOT, 'catalogue'))).map((file) => `catalogue/${file}`);
  expect(published.filter((path) => path.startsWith('catalogue/')).sort()).toEqual(files.sort());
});

test('the server module is small, and needs no other package and no module of Node', async () => {
  let size = 0;
  const needed = new Set(['server.js', 'server.cjs']);
  for (const file of needed) {
    const text = await installed(`dist/${file}`);
    size += text.length;
    expect(text).not.toMatch(/\bimport\s*[({*"']/);
    for (const [, required, from] of text.matchAll(/\brequire\(([^)]*)\)|\} from (.*);/g)) {
      const [, name = ''] = /^["']\.\/([\w-]+\.cjs)["']$/.exec(required ?? from ?? '') ?? [];
      expect([file, required, from, name]).not.toContain('');
      needed.add(name);
    }
  }
  expect([...needed].sort()).toEqual([
    'helpers.cjs',
    'schema.cjs',
    'server.cjs',
    'server.js',
    'zod.cjs',
  ]);
  expect(size).toBeLessThan(128_000);
  // Node prints the whole line that throws an error.
  const lines = (await installed('dist/server.cjs')).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(400);
});

test('the package has no code twice', async () => {
  const built: Record<string, readonly string[]> = JSON.parse(
    await readFile(join(ROOT, 'dist/modules.json'), 'utf8'),
  );
  const scripts = published.filter((path) => /^dist\/.*\.[cm]?js$/.test(path));
  // The ES modules only re-export from the other files.
  const naming = ['engine.js', 'index.js', 'server.js'];
  const runner = await readdir(join(ROOT, 'dist/templates'));
  const parts = runner.filter((file) => file.endsWith('.cjs')).map((file) => `templates/${file}`);
  expect(scripts.sort()).toEqual(
    [...Object.keys(built), ...naming, ...parts].map((file) => `dist/${file}`).sort(),
  );
  for (const file of naming) expect((await installed(`dist/${file}`)).length).toBeLessThan(250);
  const files = new Map<string, string[]>();
  for (const [file, modules] of Object.entries(built))
    for (const module of modules) files.set(module, [...(files.get(module) ?? []), file]);
  expect([...files].filter(([, all]) => all.length > 1)).toEqual([]);
  expect(files.get('node_modules/zod/v4/core/schemas.js')).toEqual(['zod.cjs']);
  expect(files.get('src/sdk/server.ts')).toEqual(['server.cjs']);
});

/** A packaging script that uses the library, and gets an error while there is no client. */
const PACKAGING = `
const manifest = library.parseManifest('{ "declarations": [{ "event": "session_start", "context": "Hello.", "priority": "suggestion" }] }', '/annal.json');
const places = library.findPlaces({ HOME: process.argv[2] });
try {
  library.plan({ manifest, places });
} catch (error) {
  console.log(error instanceof library.UserError, error.code);
}
const clients = ['claude-code'];
library.apply(library.plan({ manifest, places, clients })).then(() => {
  console.log(library.plan({ manifest, places, clients }).changes, library.detectClients(places).length);
  console.log(Object.keys(library).join(' '));
});
`;

/** All exports of the library. The parts of the command line are private. */
const LIBRARY =
  'CLIENTS GRANTS Stale UserError apply detectClients findPlaces parseManifest plan readManifest render';

test.each([
  ['an ES module', 'library.mjs', "import * as library from 'mcp-hooks';"],
  ['CommonJS', 'library.cjs', "const library = require('mcp-hooks');"],
])('the library can be used from %s', async (_, file, line) => {
  await writeFile(join(folder, file), `${line}\n${PACKAGING}`);
  const home = await mkdtemp(join(folder, 'home-'));
  const { stdout } = await execa(process.execPath, [file, home], { cwd: folder });
  expect(stdout.split('\n')).toEqual(['true no-client-found', 'false 1', LIBRARY]);
  expect(Object.keys(library).sort().join(' ')).toBe(LIBRARY);
  expect(await readFile(join(home, '.claude/settings.json'), 'utf8')).toContain('/annal/');
});

/** Prints the modules of Node that were loaded in addition to those that every program loads. */
const LOADED = `
const before = new Set(process.moduleLoadList);
process.on('exit', () => {
  const added = process.moduleLoadList.filter((one) => !before.has(one));
  console.log('\\n' + added.map((one) => one.replace('NativeModule ', '')).join(' '));
});
`;

test('the command line starts without the library, and without what only version 2 needs', async () => {
  await writeFile(join(folder, 'loaded.cjs'), LOADED);
  const cli = join(folder, 'node_modules/mcp-hooks/dist/cli.cjs');
  const manifest = join(ROOT, 'fixtures/servers/memory.json');
  const home = await mkdtemp(join(folder, 'home-'));
  const words = ['-r', './loaded.cjs', cli, 'diff', manifest, '--client', 'claude-code'];
  const { stdout } = await execa(process.execPath, words, {
    ...{ cwd: folder, env: { HOME: home }, reject: false },
  });
  const loaded = stdout.split('\n').at(-1)?.split(' ') ?? [];
  expect(loaded).toContain('vm');
  // `diff` starts no program, and only the user's own entries would need hashes.
  expect(loaded).not.toContain('child_process');
  expect(loaded).not.toContain('crypto');
  // Only the engine needs a scratch folder, and only foreign regular expressions need a flag of V8.
  expect(loaded).not.toContain('os');
  expect(loaded).not.toContain('v8');
});

const EVALUATED = `
import { createEngine } from 'mcp-hooks/engine';
const engine = createEngine({ declarations: [{ event: 'pre_tool_use', block: 'No.' }], label: 'annal', allow: ['block'] });
engine.register('PreToolUse', ({ tool }) => 'Before ' + tool.name, { order: 1 });
const { action, reason, additionalContext } = await engine.fire({ hook: 'PreToolUse', sessionId: 's', cwd: '/', tool: { name: 'Bash' } });
console.log(action, reason.endsWith(' No.'), additionalContext.join().split('\\n').at(-1));
engine.close();
`;

test('the engine works in an ES module', async () => {
  await writeFile(join(folder, 'engine.mjs'), EVALUATED);
  const { stdout, stderr } = await execa(process.execPath, ['engine.mjs'], { cwd: folder });
  expect([stdout, stderr]).toEqual(['block true | Before Bash', '']);
});

const BOTH = `
const { createEngine, UserError } = await import('mcp-hooks/engine');
const library = await import('mcp-hooks');
const thrown = (make) => { try { make() } catch (error) { return error } };
const errors = [
  thrown(() => createEngine({ declarations: [{ event: 'no_such_event' }] })),
  thrown(() => library.parseManifest('{', '/annal.json')),
  thrown(() => library.findPlaces({})),
];
console.log(UserError === library.UserError, errors.map((error) => error instanceof UserError && error.name).join());
`;

test('errors of the engine and of the library have one class', async () => {
  await writeFile(join(folder, 'both.mjs'), BOTH);
  const { stdout, stderr } = await execa(process.execPath, ['both.mjs'], { cwd: folder });
  expect([stdout, stderr]).toEqual(['true UserError,UserError,UserError', '']);
});

const TYPED = `
import { type Declaration, declareHooks, type Event } from 'mcp-hooks/server';

const server = { connect: async (_transport: { start(): void }) => {}, getClientCapabilities: () => ({}) };
const declarations = [
  {
    event: 'post_tool_use',
    matcher: { tool_name: 'Bash', input_contains: 'git commit' },
    context: 'What did you learn?',
    priority: 'suggestion',
  },
  { event: 'pre_request', context_tool: 'recall', context_tool_args: { deep: [1, null, { a: true }] }, priority: 'important' },
] as const satisfies readonly Declaration[];
declareHooks(server, declarations);
declareHooks({ server }, [{ event: 'session_start', context: 'Hello.', priority: 'required' }]);

const list: Declaration[] = [];
const event: Event | undefined = list[0]?.event;
// What SDKs call JSON.
type JSONValue = string | number | boolean | null | { [key: string]: JSONValue } | JSONValue[];
const json: { [key: string]: JSONValue } = { declarations: list };

// @ts-expect-error: no such event
declareHooks(server, [{ event: 'sesion_start', context: '', priority: 'suggestion' }]);
// @ts-expect-error: no such priority
declareHooks(server, [{ event: 'session_start', context: '', priority: 'high' }]);
// @ts-expect-error: neither text nor tool
declareHooks(server, [{ event: 'session_start', priority: 'required' }]);
// @ts-expect-error: both a text and a tool
declareHooks(server, [{ event: 'session_start', context: '', context_tool: 'recall', priority: 'required' }]);
// @ts-expect-error: both, written elsewhere
const both: Declaration = { event: 'session_start', context: '', context_tool: 'recall', priority: 'required' };
// @ts-expect-error: arguments of a tool for a text
const text: Declaration = { event: 'session_start', context: '', context_tool_args: {}, priority: 'required' };
// @ts-expect-error: no such key
declareHooks(server, [{ event: 'session_start', context: '', once: true, priority: 'required' }]);
// @ts-expect-error: nothing that can be connected
declareHooks({ start: async () => {} }, list);

export { both, event, json, text };
`;

const TYPED_LIBRARY = `
import { createEngine, type Engine, type ResponseEnvelope } from 'mcp-hooks/engine';
import {
  apply, type Client, type ClientId, detectClients, findPlaces, type Grant, type HookDeclaration, type Manifest, type Plan, plan,
  readManifest, render, type Stale, UserError,
} from 'mcp-hooks';

export async function install(path: string, env: { readonly [name: string]: string | undefined }): Promise<readonly ClientId[]> {
  const places = findPlaces(env);
  const manifest: Manifest = await readManifest(path, { label: 'annal' });
  const hook: HookDeclaration | undefined = manifest.hooks[0];
  const found: readonly Client[] = detectClients(places);
  const allow: Grant[] = ['context-tool'];
  const changes: Plan = plan({ manifest, places, clients: found.map(({ id }) => id), allow });
  for (const { after } of changes.files) new Uint8Array(after ?? []).byteLength;
  const words: string = render(changes) + hook?.event + changes.clients[0]?.refusal?.message;
  await apply(plan({ kind: 'uninstall', label: words, places }));
  // @ts-expect-error: no such grant
  plan({ manifest, places, allow: ['everything'] });
  // @ts-expect-error: no such client
  plan({ manifest, places, clients: ['emacs'] });
  // @ts-expect-error: no home
  plan({ manifest });
  // @ts-expect-error: a label alone
  plan({ kind: 'uninstall', places });
  // @ts-expect-error: no such scope
  findPlaces(env, { scope: 'machine' });
  // @ts-expect-error: what is planned stays as it was planned
  changes.label = '';
  // @ts-expect-error: nothing is guessed
  findPlaces();
  return changes.clients.map(({ id }) => id);
}

const engine: Engine = createEngine({ declarations: [], allow: ['block'] });
engine.register('PreToolUse', async ({ tool }) => ({ action: 'block', reason: tool?.name ?? '' }), { may: ['block'] });
// @ts-expect-error: no such event
engine.register('Never', () => undefined);
// @ts-expect-error: without a session
export const answer: Promise<ResponseEnvelope> = engine.fire({ event: 'session_start' });

export const codeOf = (error: unknown): string | undefined =>
  error instanceof UserError ? error.code : undefined;
export const isStale = (error: UserError): error is Stale => error.name === 'Stale';
`;

/** Without the types of browsers, which take four times as long to read as all the others. */
const LANGUAGE = ['--target', 'es2022', '--lib', 'es2022', '--singleThreaded'];
/** Users do not need the types of Node. */
const NO_TYPES = ['--types', ''];
const BUNDLER = ['--module', 'esnext', '--moduleResolution', 'bundler'];

/** The `.mts` is an ES module, the `.cts` CommonJS. */
describe('strict TypeScript accepts the types', () => {
  test.each([
    ['node16', TYPED, ['mts', 'cts'], ['--module', 'node16']],
    ['nodenext', TYPED, ['mts', 'cts'], ['--module', 'nodenext']],
    ['bundler', TYPED, ['ts'], BUNDLER],
    ['node16, the library', TYPED_LIBRARY, ['mts'], ['--module', 'node16']],
    ['nodenext, the library', TYPED_LIBRARY, ['mts', 'cts'], ['--module', 'nodenext']],
    ['bundler, the library', TYPED_LIBRARY, ['ts'], BUNDLER],
  ])('with %s', async (name, text, kinds, options) => {
    const files = kinds.map((kind) => `${name.replace(/\W+/g, '-')}.${kind}`);
    for (const file of files) await writeFile(join(folder, file), text);
    const { stdout } = await execa(
      process.execPath,
      [TSC, '--noEmit', '--strict', ...LANGUAGE, ...NO_TYPES, ...options, ...files],
      { cwd: folder, reject: false },
    );
    expect(stdout).toBe('');
  });
});

describe('types', () => {
  test('are in one file for each entry point, and in no other file', () => {
    expect(published.filter((path) => /\.d\.[cm]?ts$/.test(path)).sort()).toEqual([
      'dist/engine.d.ts',
      'dist/index.d.ts',
      'dist/server.d.cts',
      'dist/server.d.ts',
    ]);
  });

  test('of an entry point match its exports, in the same kind of module', async () => {
    const { exports }: { exports: Record<string, unknown> } = JSON.parse(
      await installed('package.json'),
    );
    /** Every pair of types and code, however deeply nested in conditions. */
    const pairs = (value: unknown): { types: string; default: string }[] => {
      if (typeof value !== 'object' || value === null) return [];
      if ('types' in value && 'default' in value)
        return [{ types: String(value.types), default: String(value.default) }];
      return Object.values(value).flatMap(pairs);
    };
    const found = pairs(exports);
    expect(found.map((pair) => pair.default)).toEqual([
      './dist/index.js',
      './dist/server.js',
      './dist/server.cjs',
      './dist/engine.js',
    ]);
    for (const { types, default: code } of found) {
      expect(types).toBe(code.replace(/\.(c?)js$/, '.d.$1ts'));
      // The ES module for servers has no types of its own.
      const text = await installed(types);
      const from = /^export \* from '\.\/(server)\.cjs';\n$/.exec(text);
      const own = from ? await installed(`dist/${from[1]}.d.cts`) : text;
      const declared = [...own.matchAll(/^export \{(.*)\}/gm)].flatMap(([, names = '']) =>
        names.split(',').map((name) => name.trim()),
      );
      const load = code.endsWith('.cjs') ? 'Promise.resolve(require(file))' : 'import(file)';
      const print = `const file = '${code}'; ${load}.then((all) => console.log(Object.keys(all).join(' ')))`;
      const { stdout } = await execa(process.execPath, ['-e', print], {
        cwd: join(folder, 'node_modules/mcp-hooks'),
      });
      expect([code, stdout.split(' ').sort()]).toEqual([code, declared.sort()]);
    }
  });

  test.each(['engine.d.ts', 'index.d.ts', 'server.d.cts'])(
    'in %s are public or needed by public ones, and import nothing',
    async (file) => {
      const [declarations = '', ...exported] = (await installed(`dist/${file}`)).split(
        /^export (?:type )?(?=\{)/m,
      );
      expect(declarations).not.toMatch(/^(?:import|export)\b|\bimport\(/m);
      const texts = new Map<string, string>();
      for (const text of declarations.replace(/\/\*\*[\s\S]*?\*\//g, '').split(/^(?=\w)/m)) {
        const name = /^(?:declare )?(?:class|const|function|interface|type) ([\w$]+)/.exec(
          text,
        )?.[1];
        if (name) texts.set(name, (texts.get(name) ?? '') + text);
      }
      const reached = new Set<string>();
      const reach = (text: string) => {
        for (const [name] of text.matchAll(/[\w$]+/g))
          if (texts.has(name) && !reached.has(name)) {
            reached.add(name);
            reach(texts.get(name) ?? '');
          }
      };
      reach(exported.join('\n'));
      expect(reached.size).toBeGreaterThan(5);
      expect([...texts.keys()].filter((name) => !reached.has(name))).toEqual([]);
    },
  );
});

describe("V8's cached code of the program", () => {
  const SPY = `
const vm = require('node:vm');
const { appendFileSync } = require('node:fs');
const say = (text) => appendFileSync(process.env.SPY, text + '\\n');
vm.Script = class extends vm.Script {
  constructor(...given) {
    super(...given);
    say(String(this.cachedDataRejected));
  }
};
process.on('exit', () => {
  const own = /mcp-hooks.dist.(?!cli)/;
  // Node's own loader has a list of children.
  const children = Object.values(require.cache).flatMap((module) => module.children);
  for (const { id } of new Set(children)) if (own.test(id)) say(id);
});
`;

  test.each(['list', 'diff annal.json', 'doctor'])(
    'is kept, and is all that %s loads',
    async (line) => {
      const home = await mkdtemp(join(folder, 'home-'));
      await writeFile(join(home, 'spy.cjs'), SPY);
      await writeFile(join(home, 'annal.json'), manifest(COMMITTED));
      await mkdir(join(home, '.claude'));
      const cli = join(folder, 'node_modules/mcp-hooks/dist/cli.cjs');
      const seen = join(home, 'seen');
      const run = async () => {
        await writeFile(seen, '');
        const args = ['-r', join(home, 'spy.cjs'), cli, ...line.split(' ')];
        const env = { PATH: process.env.PATH, HOME: home, SPY: seen };
        await execa(process.execPath, args, { cwd: home, env, extendEnv: false, reject: false });
        return (await readFile(seen, 'utf8')).trim().split('\n');
      };
      await run();
      expect(await run()).toEqual(['false']);
    },
  );

  test('is made from ASCII files, which Node reads without decoding', async () => {
    const odd = await Promise.all(
      published
        .filter((path) => path.endsWith('.cjs'))
        .map(async (path) => (/[^\0-\x7f]/.test(await installed(path)) ? [path] : [])),
    );
    expect(odd.flat()).toEqual([]);
  });
});
