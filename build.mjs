// Bundles src/ into dist/: one small entry for each way in, and chunks that are loaded when they are needed.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

rmSync('dist', { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: ['src/cli.ts', 'src/index.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  mainFields: ['module', 'main'], // jsonc-parser's other half is UMD, which cannot be bundled
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none', // all licences are in dist/licenses.txt
  metafile: true,
  // Some bundled CommonJS packages ask for node's modules in the old way.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
});

// What is bundled is also distributed: its licences come along.
const packages = new Set(
  Object.values(metafile.outputs)
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

const types = spawnSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
  { stdio: 'inherit' },
);
if (types.status !== 0 || !existsSync('dist/types/index.d.ts')) process.exit(1);
