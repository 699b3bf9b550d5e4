// Bundles src/ into dist/. The command line starts often and must start fast, which for node means: few files,
// CommonJS, and what is rarely needed (execa, inquirer) in files of its own. The library is the same code: an ES module
// takes it from there.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { build } from 'esbuild';

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  mainFields: ['module', 'main'], // jsonc-parser's other half is UMD, which cannot be bundled
  minify: true,
  legalComments: 'none', // all licences are in dist/licenses.txt
  metafile: true,
};

/** Modules that are built into files of their own, and loaded from there when they are needed. */
const apart = {
  execa: './execa.cjs',
  fflate: './fflate.cjs',
  inquirer: './inquirer.cjs',
  'mcp-client.ts': './mcp-client.cjs',
  nanotar: './nanotar.cjs',
  'otlp.ts': './otlp.cjs',
};
const separate = {
  name: 'separate',
  setup: ({ onResolve }) =>
    onResolve({ filter: /./ }, ({ path, kind }) =>
      kind === 'dynamic-import' && Object.hasOwn(apart, basename(path))
        ? { path: apart[basename(path)], external: true }
        : undefined,
    ),
};
/** An empty module in the place of one that is named by `path`, when somebody matching `importer` asks for it. */
const without = (name, path, importer = /./) => ({
  name,
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: path }, (asked) =>
      importer.test(asked.importer) ? { path: 'none', namespace: name } : undefined,
    );
    onLoad({ filter: /./, namespace: name }, () => ({ contents: 'module.exports = {}' }));
  },
});
/** Commander starts no subcommands for us, and node's child_process costs a tenth of our start. */
const noSubcommands = without('no-subcommands', /^node:child_process$/, /[\\/]commander[\\/]/);
/** We only read with jsonc-parser; its formatter fills tables of white space whenever it is loaded. */
const noFormatter = without('no-formatter', /^\.\/impl\/(format|edit)$/, /[\\/]jsonc-parser[\\/]/);
/** Inquirer brings an editor along, and with it tables of all the world's encodings; we ask yes or no. */
const noEditor = without('no-editor', /^@inquirer\/external-editor$/);
const cjs = {
  ...common,
  format: 'cjs',
  supported: { 'dynamic-import': false }, // require: node first scans what CommonJS imports
  plugins: [separate, noSubcommands, noFormatter],
  define: { 'import.meta.dirname': '__dirname' },
};

/** For src/cli/start.cjs, which runs it: a function of what a CommonJS module knows. */
const started = {
  banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
  footer: { js: '})' },
};

/** What servers load: into any runtime, from either kind of module. */
const server = {
  ...common,
  minify: false,
  platform: 'neutral',
  entryPoints: ['src/sdk/server.ts'],
};

/** What of the library is `mcp-hooks/engine`. */
const engine = ['createEngine', 'UserError'];

/** What the library has: an ES module has to list it. */
const library = await build({
  entryPoints: ['src/index.ts'],
  write: false,
  metafile: true,
  format: 'esm',
});
const names = Object.values(library.metafile.outputs).flatMap((output) => output.exports);

rmSync('dist', { recursive: true, force: true });
const results = await Promise.all([
  build({ ...cjs, entryPoints: ['src/cli/cli.cjs'], outfile: 'dist/cli.cjs' }),
  build({ ...cjs, ...started, entryPoints: ['src/all.ts'], outfile: 'dist/main.cjs' }),
  ...['execa', 'fflate', 'nanotar'].map((name) =>
    build({ ...cjs, plugins: [], entryPoints: [name], outfile: `dist/${name}.cjs` }),
  ),
  build({
    ...cjs,
    plugins: [],
    entryPoints: ['src/system/secret-rules.ts'],
    outfile: 'dist/secret-rules.cjs',
  }),
  build({ ...cjs, plugins: [noEditor], entryPoints: ['inquirer'], outfile: 'dist/inquirer.cjs' }),
  build({
    ...cjs,
    plugins: [],
    drop: ['console'], // it would tell the terminal what a server says
    entryPoints: ['src/sources/protocol/mcp-client.ts'],
    outfile: 'dist/mcp-client.cjs',
  }),
  build({
    ...cjs,
    plugins: [],
    entryPoints: ['src/diagnose/telemetry/otlp.ts'],
    outfile: 'dist/otlp.cjs',
  }),
  ...[
    ['index', names],
    ['engine', engine],
  ].map(([name, exported]) =>
    build({
      ...common,
      format: 'esm',
      stdin: {
        contents: `import { library } from './library.ts';\nexport const { ${exported} } = library;`,
        resolveDir: resolve('src'),
      },
      outfile: `dist/${name}.js`,
    }),
  ),
  build({ ...server, format: 'esm', outfile: 'dist/server.js' }),
  build({ ...server, format: 'cjs', outfile: 'dist/server.cjs' }),
]);

// What is bundled is also distributed: its licences come along.
const packages = new Set(
  results
    .flatMap(({ metafile }) => Object.values(metafile.outputs))
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([file]) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []),
);
const licenses = [...packages].sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? readFileSync(`${folder}/${file}`, 'utf8').trim() : `License: ${license}`;
  return `${name} ${version}\n\n${text}\n`;
});
writeFileSync('dist/licenses.txt', licenses.join(`\n${'-'.repeat(72)}\n\n`));

// The manual page is what the command that was just built says of itself.
const man = spawnSync(process.execPath, ['dist/cli.cjs', 'man']);
if (man.status !== 0) throw new Error(`no manual page: ${man.stderr}`);
writeFileSync('dist/mcp-hooks.1', man.stdout);

// What an editor checks manifests with is made of the schemas that we check them with.
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
