// Bundles the playground into site/public/playground: the command line and its runner for a worker of the browser, and the page
// around it.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, transformSync } from 'esbuild';
import { licensesOf } from '../../scripts/licenses.mjs';

const ROOT = join(import.meta.dirname, '..', '..');
const OUT = join(ROOT, 'site', 'public', 'playground');
const MACHINE = join(import.meta.dirname, 'machine');

/** The commands that the page runs. The others are not bundled, nor is what only they need. */
const COMMANDS = ['diff', 'fire', 'validate'];

/** Modules that only what a browser cannot do needs: signing in, asking, packed files, programs, metrics. */
const NEVER = /^(?:fflate|inquirer|nanotar)$|[\\/](?:confirm|mcp-client|otlp|sign-in)\.ts$/;

/** Node's modules, from `machine` or empty, and nothing of what no command of the page loads. */
const machine = {
  name: 'machine',
  setup: ({ onLoad, onResolve, resolve }) => {
    const none = { path: 'none', namespace: 'none' };
    onResolve({ filter: /^node:/ }, ({ path, kind }) => {
      const name = path.slice('node:'.length);
      if (name === 'path') return resolve('path-browserify', { resolveDir: MACHINE, kind });
      const file = join(MACHINE, name === 'module' ? 'modules.ts' : `${name}.ts`);
      return existsSync(file) ? { path: file } : none;
    });
    onResolve({ filter: NEVER }, () => none);
    onResolve({ filter: /^\.\/[\w-]+\.ts$/ }, ({ path, importer, kind }) =>
      /[\\/]commands[\\/]program\.ts$/.test(importer) &&
      kind === 'dynamic-import' &&
      !COMMANDS.some((name) => path === `./${name}.ts`)
        ? none
        : undefined,
    );
    onLoad({ filter: /./, namespace: 'none' }, () => ({ contents: 'module.exports = {}' }));
  },
};

/** The same code, which nobody reads here. */
const withoutComments = (text) =>
  transformSync(text, { minifyWhitespace: true, legalComments: 'none' }).code;

/** The files that the command line reads, as the package has them. */
const published = {
  name: 'published',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^mcp-hooks:published$/ }, () => ({ path: 'all', namespace: 'published' }));
    onLoad({ filter: /./, namespace: 'published' }, () => {
      const files = ['dist/templates', 'fixtures/events'].flatMap((folder) =>
        readdirSync(join(ROOT, folder), { recursive: true })
          .filter((name) => /\.(?:cjs|json|sh)$/.test(name))
          .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
      );
      const texts = files.map((file) => {
        const text = readFileSync(join(ROOT, file), 'utf8');
        return [`/${file}`, file.endsWith('.cjs') ? withoutComments(text) : text];
      });
      return { contents: JSON.stringify(Object.fromEntries(texts)), loader: 'json' };
    });
  },
};

/** The manifests that the page offers. */
const samples = {
  name: 'samples',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^mcp-hooks:samples$/ }, () => ({ path: 'all', namespace: 'samples' }));
    onLoad({ filter: /./, namespace: 'samples' }, () => {
      const folder = join(ROOT, 'examples');
      const texts = readdirSync(folder, { recursive: true })
        .filter((name) => name.endsWith('.json') && !name.endsWith('package.json'))
        .map((name) => [name.replaceAll('\\', '/'), readFileSync(join(folder, name), 'utf8')])
        .sort(([one], [other]) => (one < other ? -1 : 1));
      return { contents: JSON.stringify(Object.fromEntries(texts)), loader: 'json' };
    });
  },
};

const common = {
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2023',
  minify: true,
  legalComments: 'none',
  mainFields: ['module', 'main'],
  preserveSymlinks: true,
  outdir: OUT,
  metafile: true,
};

process.chdir(ROOT);
// The runner's files are as that makes them.
execFileSync(process.execPath, ['build.mjs'], { stdio: 'inherit' });
rmSync(OUT, { recursive: true, force: true });
const built = await Promise.all([
  build({
    ...common,
    entryPoints: [join(import.meta.dirname, 'worker.ts')],
    define: { 'import.meta.dirname': '"/dist"', global: 'globalThis' },
    inject: [join(MACHINE, 'globals.ts')],
    plugins: [machine, published],
  }),
  build({
    ...common,
    entryPoints: ['index.ts', 'style.css'].map((name) => join(import.meta.dirname, name)),
    plugins: [samples],
  }),
]);
writeFileSync(
  join(OUT, 'licenses.txt'),
  licensesOf(built.flatMap(({ metafile }) => Object.keys(metafile.inputs))),
);
