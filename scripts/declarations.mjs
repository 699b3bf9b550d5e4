// Puts the types of what is public into dist/, one file for each way in: with all that they need of ours, and nothing else.
// That takes several times as long as the build, and nothing here reads them, so only packing does it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

/** What TypeScript makes of the sources, and the file that is published of it: `.cts` is for what requires us. */
const PUBLIC = {
  'index.d.ts': 'index.d.ts',
  'sdk/server.d.ts': 'server.d.cts',
  'cli/library/engine.d.ts': 'engine.d.ts',
};
/** What a source says of itself at its top stands alone here, before a blank line or the next comment. */
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
