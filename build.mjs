// Bundles src/ into dist/. The command line starts often and must start fast. For node, this means few files, CommonJS, and
// separate files for code that is rarely needed (inquirer, nanotar). The library is the same code: an ES module imports it from
// there. No code is in two files.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { build, transform } from 'esbuild';
import { licensesOf } from './scripts/licenses.mjs';

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  mainFields: ['module', 'main'], // the UMD build of jsonc-parser cannot be bundled
  legalComments: 'none', // all licences are in dist/licenses.txt
  metafile: true,
  preserveSymlinks: true, // node_modules may be a link
};

/** Modules that get a separate file, which is loaded only when needed. */
const apart = {
  fflate: 'fflate',
  inquirer: 'inquirer',
  'mcp-client': 'src/sources/oauth/mcp-client.ts',
  nanotar: 'nanotar',
  otlp: 'src/diagnose/telemetry/otlp.ts',
};
/**
 * Turns `import()` into a `require` of a module in the same file, or of one of those above. Otherwise esbuild would make a file
 * for each module imported in this way, and node scans imported CommonJS first.
 */
const required = {
  name: 'required',
  setup: ({ onLoad, onResolve }) => {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$|[\\/]@opentelemetry[\\/].*\.js$/ }, async ({ path }) => {
      const source = readFileSync(path, 'utf8');
      if (!source.includes('import(')) return undefined;
      const { code } = await transform(source, { loader: 'ts', target: 'node20' }); // TypeScript without its types
      const later = 'Promise.resolve().then(() => require($1))';
      return { contents: code.replace(/\bimport\(("[^"]+")\)/g, later) };
    });
    onResolve({ filter: /./ }, ({ path, kind }) => {
      const name = basename(path, '.ts');
      return kind === 'require-call' && Object.hasOwn(apart, name)
        ? { path: `./${name}.cjs`, external: true }
        : undefined;
    });
  },
};
/** Replaces the module named by `path` with an empty one, if an importer that matches `importer` asks for it. */
const without = (name, path, importer = /./) => ({
  name,
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: path }, (asked) =>
      importer.test(asked.importer) ? { path: 'none', namespace: name } : undefined,
    );
    onLoad({ filter: /./, namespace: name }, () => ({ contents: 'module.exports = {}' }));
  },
});
/** Files of the runner that bundles load are next to the bundles, as for any other code (start.cjs). */
const runner = {
  name: 'runner',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]system[\\/]runner-code\.ts$/ }, () => ({
      contents:
        "export const runnerCode = (path) => require(path.replace(/^\\.\\//, './templates/'));",
    })),
};
const plugins = [
  runner,
  required,
  // Commander starts no subcommands for us, and node's child_process costs a tenth of our start.
  without('no-subcommands', /^node:child_process$/, /[\\/]commander[\\/]/),
  // We only read with jsonc-parser; its formatter fills tables of white space whenever it is loaded.
  without('no-formatter', /^\.\/impl\/(format|edit)$/, /[\\/]jsonc-parser[\\/]/),
  // Inquirer brings an editor, and with it tables of all the world's encodings. We only ask yes or no.
  without('no-editor', /^@inquirer\/external-editor$/),
];

/**
 * Code that several files need gets a file of its own, so nothing is published twice. Only ES modules can be split in this way.
 */
const entryPoints = { main: 'src/all.ts', server: 'src/sdk/server.ts', ...apart };
const split = await build({
  ...common,
  minifySyntax: true,
  write: false,
  format: 'esm',
  splitting: true,
  entryPoints,
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  chunkNames: '[hash]',
  define: { 'import.meta.dirname': '__dirname' },
  plugins,
});

/** Names of shared files, each with a module that identifies it. start.cjs knows them, too. */
const SHARED = {
  'schema.cjs': 'src/declaration/schema.ts',
  'signal-exit.cjs': 'node_modules/signal-exit/dist/mjs/index.js',
  'zod.cjs': 'node_modules/zod/v4/core/core.js',
};
function sharedName(modules) {
  if (modules.length === 0) return 'helpers.cjs'; // esbuild's own
  const name = Object.keys(SHARED).find((one) => modules.includes(SHARED[one]));
  if (!name) throw new Error(`What is shared has no name: ${modules.join(', ')}`);
  return name;
}

const outputs = Object.entries(split.metafile.outputs);
const loaded = outputs.flatMap(([, { imports }]) => imports.map(({ path }) => path));
/** The files to write: the name from esbuild, the final name, and the modules inside. */
const files = outputs.flatMap(([path, { entryPoint, inputs }]) => {
  const given = basename(path);
  const modules = Object.keys(inputs).filter((module) => inputs[module].bytesInOutput > 0);
  if (Object.hasOwn(entryPoints, basename(given, '.cjs'))) return [{ given, name: given, modules }];
  // A package is loaded only by a function that is never called.
  if (entryPoint !== undefined && !loaded.includes(path)) return [];
  return [{ given, name: sharedName(modules), modules }];
});

/**
 * An ES module loads all of node's modules immediately. Here each is loaded together with the module of ours that needs it,
 * which esbuild has wrapped in a function.
 */
const lazily = (text) =>
  text
    .split(/^(?=\/\/ (?:src|node_modules)\/)/m)
    .map((module) => {
      const loading = [];
      const without = module.replace(
        /^import (?:\{([^}]+)\}|(?:\* as )?([\w$]+)) from ("node:[^"]+");$/gm,
        (_, names, all, node) => {
          loading.push(`(${all ?? `{${names.replaceAll(' as ', ': ')}}`} = require(${node}));\n`);
          return `var ${all ?? names.replace(/[\w$]+ as /g, '')};`;
        },
      );
      if (loading.length === 0) return module;
      const start = /\binit_[\w$]+ = __esm\(\{\n {2}".+"\(\) \{\n/;
      if (!start.test(without)) return module;
      return without.replace(start, (found) => found + loading.join(''));
    })
    .join('');

/** Loads a module by a function, and not by an object with the module's name: V8 would give each of these a shape of its own. */
const nameless = (text) =>
  text
    .replace(/\b__esm\(\{\n {2}"[^"]+"\(\) (\{[\s\S]*?\n {2}\})\n\}\);/g, '__esm(() => $1);')
    .replace('(0, fn[__getOwnPropNames(fn)[0]])', 'fn');

/**
 * The runner: each file of `templates` stays a file, because rarely needed code is loaded late. The files are not minified, so that
 * users can read them. Files in a folder of `templates` become part of the files that import them.
 */
const templates = resolve('templates');
const TYPES = ['types.cts', 'late.d.cts'];
const runnerSources = readdirSync(templates).filter(
  (name) => extname(name) === '.cts' && !TYPES.includes(name),
);
const ownFiles = {
  name: 'own-files',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.?\/.*\.cjs$/ }, ({ path, importer }) => {
      const file = resolve(dirname(importer), path);
      return dirname(file) === templates
        ? { path: `./${basename(file)}`, external: true }
        : { path: file.replace(/cjs$/, 'cts') };
    }),
};
const runnerFiles = await build({
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  write: false,
  entryPoints: runnerSources.map((name) => join(templates, name)),
  outdir: 'dist/templates',
  outExtension: { '.js': '.cjs' },
  mainFields: common.mainFields,
  metafile: true,
  plugins: [ownFiles],
});

/** A source's heading, which esbuild drops. */
const headingOf = (name) =>
  /^\/\*\*[\s\S]*?\*\/\n/.exec(readFileSync(join(templates, name), 'utf8'))?.[0] ?? '';

/** The exports as one object at the end, before the licences of what is bundled, and without the getters that only circles of imports need; `npm run lint` finds those. */
const plainly = (text) =>
  text
    .replace(
      /^"use strict";\n[\s\S]*?^module\.exports = __toCommonJS\(\w+\);\n/m,
      "'use strict';\n",
    )
    .replace(/^\/\/ Annotate .*\n0 && \((module\.exports = \{[^}]*\})\);\n/m, '$1;\n');

rmSync('dist', { recursive: true, force: true });
mkdirSync('dist');
for (const name of ['run.sh', 'fleet'])
  cpSync(join(templates, name), `dist/templates/${name}`, { recursive: true });
for (const { path, text } of runnerFiles.outputFiles) {
  const name = basename(path);
  writeFileSync(`dist/templates/${name}`, headingOf(name.replace(/cjs$/, 'cts')) + plainly(text));
}
for (const { given, name } of files) {
  const { text } = split.outputFiles.find(({ path }) => basename(path) === given);
  const renamed = files.reduce(
    (all, one) => all.replaceAll(`"./${one.given}"`, `"./${one.name}"`),
    nameless(name === 'main.cjs' ? lazily(text) : text),
  );
  const target = { platform: 'node', target: 'node20', format: 'cjs' };
  const { code } = await transform(renamed, target);
  // Refers to the exports instead of copying them, which takes time at every start.
  const exported = code.replace(
    'module.exports = __toCommonJS(stdin_exports);',
    'module.exports = __defProp(stdin_exports, "__esModule", { value: true });',
  );
  // Node prints the whole line in which an error is thrown, and authors of servers make some errors, so this file is not
  // minified.
  if (name === 'server.cjs') writeFileSync('dist/server.cjs', exported);
  else {
    // Otherwise the SDK would print an issuer's messages in the terminal.
    const drop = name === 'mcp-client.cjs' ? ['console'] : [];
    const minified = await transform(exported, { ...target, minify: true, drop });
    writeFileSync(`dist/${name}`, minified.code);
  }
}

const small = { ...common, minify: true };
const alone = await Promise.all([
  build({
    ...small,
    target: 'node12', // an old node must be able to read it, to say that it is too old
    format: 'cjs',
    entryPoints: ['src/cli/cli.cjs'],
    outfile: 'dist/cli.cjs',
  }),
  build({ ...small, format: 'esm', entryPoints: ['src/library.ts'], outfile: 'dist/library.js' }),
]);

// The ways to import us. An ES module must list its exports.
const ways = {
  index: 'src/index.ts',
  engine: 'src/library/engine.ts',
  server: 'src/sdk/server.ts',
};
const listed = await build({
  ...common,
  write: false,
  format: 'esm',
  entryPoints: ways,
  outdir: 'dist',
});
const exportsOf = (way) => listed.metafile.outputs[`dist/${way}.js`].exports.join(', ');
const take = (part, way) =>
  `import { ${part} } from './library.js';\nexport const { ${exportsOf(way)} } = ${part}();\n`;
writeFileSync('dist/index.js', take('library', 'index'));
writeFileSync('dist/engine.js', take('engine', 'engine'));
writeFileSync('dist/server.js', `export { ${exportsOf('server')} } from './server.cjs';\n`);

// Which modules are in which file, for the test that none is in two. It is not published.
const modules = Object.fromEntries([
  ...files.map((file) => [file.name, file.modules]),
  ...alone.flatMap(({ metafile }) =>
    Object.entries(metafile.outputs).map(([path, { inputs }]) => [
      basename(path),
      Object.keys(inputs),
    ]),
  ),
]);
writeFileSync('dist/modules.json', JSON.stringify(modules, null, 2));

// Bundled packages are distributed with us, so we include their licences.
const bundled = [...Object.values(modules).flat(), ...Object.keys(runnerFiles.metafile.inputs)];
writeFileSync('dist/licenses.txt', licensesOf(bundled));

// The manual page is the output of the command that was just built.
const man = spawnSync(process.execPath, ['dist/cli.cjs', 'man']);
if (man.status !== 0) throw new Error(`no manual page: ${man.stderr}`);
writeFileSync('dist/mcp-hooks.1', man.stdout);

// The schema that editors check manifests with comes from those that we use ourselves.
const {
  outputFiles: [schema],
} = await build({
  ...common,
  format: 'esm',
  write: false,
  entryPoints: ['src/declaration/json-schema.ts'],
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(process.cwd());",
  },
});
const { manifestSchema } = await import(
  `data:text/javascript;base64,${Buffer.from(schema.contents).toString('base64')}`
);
mkdirSync('schema', { recursive: true });
writeFileSync('schema/manifest.json', `${JSON.stringify(manifestSchema(), null, 2)}\n`);
