// Puts the public types into dist/, one file for each entry point, with only those of our types that it needs. That takes several
// times as long as the build, and nothing here reads them, so it happens only when we pack.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

/** The output of TypeScript, and the name of the published file. `.cts` is for programs that require us. */
const PUBLIC = {
  'index.d.ts': 'index.d.ts',
  'sdk/server.d.ts': 'server.d.cts',
  'library/engine.d.ts': 'engine.d.ts',
};
/** A source's header comment, which belongs to no declaration: it comes before a blank line or the next comment. */
const HEADINGS = /^\/\*\*(?:[^*]|\*(?!\/))*\*\/\n(?=\n|\/\*\*)/gm;

const root = fileURLToPath(new URL('..', import.meta.url));
const separate = mkdtempSync(join(tmpdir(), 'mcp-hooks-types-'));
try {
  // `npm run types` checks them.
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(
    process.execPath,
    [tsc, '-p', 'tsconfig.build.json', '--singleThreaded', '--outDir', separate],
    { cwd: root, stdio: 'inherit' },
  );
  for (const [source, published] of Object.entries(PUBLIC)) {
    const bundle = await rollup({
      input: join(separate, source),
      external: (id) => !id.startsWith('.') && !isAbsolute(id), // packages and node's own modules
      plugins: [dts({ tsconfig: false, compilerOptions: { noLib: true, types: [] } })],
    });
    const { output } = await bundle.generate({ format: 'es' });
    const text = output[0].code.replace(HEADINGS, '').replace(/\n{3,}/g, '\n\n');
    writeFileSync(join(root, 'dist', published), text.trimStart());
  }
  writeFileSync(join(root, 'dist/server.d.ts'), "export * from './server.cjs';\n");
} finally {
  rmSync(separate, { recursive: true, force: true });
}
