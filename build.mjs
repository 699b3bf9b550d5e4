// Bundles src/ into dist/. The command line starts often and must start fast, which for node means: few files,
// CommonJS, and what is rarely needed (execa, inquirer) in files of its own. The library is plain ESM.
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
/**
 * Of the runner's files those that are asked whenever something is planned are built in, where V8 keeps what it makes of
 * them; the others stay where they are.
 */
const runnerBuiltIn = {
  name: 'runner-built-in',
  setup: ({ onLoad, onResolve }) => {
    const builtIn = ['configured.cjs', 'lock.cjs', 'runner.cjs', 'values.cjs', 'words.cjs'];
    onResolve({ filter: /\.cjs$/ }, ({ path, importer }) =>
      /[\\/]templates[\\/]|runner-code\.ts$/.test(importer) && !builtIn.includes(basename(path))
        ? { path: `../templates/${basename(path)}`, external: true }
        : undefined,
    );
    onLoad({ filter: /[\\/]runner-code\.ts$/ }, () => {
      const files = readdirSync('templates').filter((file) => file.endsWith('.cjs'));
      const cases = files.map((file) => `'./${file}': () => require('../templates/${file}'),`);
      return {
        contents: `const files = {\n${cases.join('\n')}\n};\nexport const runnerCode = (file) => files[file]();`,
        resolveDir: resolve('src'),
        loader: 'js',
      };
    });
  },
};
const cjs = {
  ...common,
  format: 'cjs',
  supported: { 'dynamic-import': false }, // require: node first scans what CommonJS imports
  plugins: [separate, noSubcommands, noFormatter, runnerBuiltIn],
  define: { 'import.meta.dirname': '__dirname' },
};

/** For src/cli/start.cjs, which runs it: a function of what a CommonJS module knows. */
const started = {
  banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
  footer: { js: '})' },
};

/** What servers load: into any runtime, from either kind of module. */
const server = { ...common, platform: 'neutral', entryPoints: ['src/sdk/server.ts'] };

rmSync('dist', { recursive: true, force: true });
const results = await Promise.all([
  build({ ...cjs, entryPoints: ['src/cli/cli.cjs'], outfile: 'dist/cli.cjs' }),
  build({ ...cjs, ...started, entryPoints: ['src/cli/main.ts'], outfile: 'dist/main.cjs' }),
  ...['execa', 'fflate', 'nanotar'].map((name) =>
    build({ ...cjs, plugins: [], entryPoints: [name], outfile: `dist/${name}.cjs` }),
  ),
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
  build({
    ...common,
    plugins: [separate],
    format: 'esm',
    entryPoints: ['src/index.ts'],
    outfile: 'dist/index.js',
  }),
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

// `npm run types` checks them.
const types = spawnSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--singleThreaded'],
  { stdio: 'inherit' },
);
process.exitCode = types.status ?? 1;

// To TypeScript a declaration file is of the kind of module that its folder says: what CommonJS may require of us once more.
for (const file of ['sdk/server.d.ts', 'declaration/declaration.d.ts'])
  cpSync(`dist/types/${file}`, `dist/types/commonjs/${file}`);
writeFileSync('dist/types/commonjs/package.json', '{ "type": "commonjs" }\n');
