// The sources' data about each client, for the demo and the benchmarks. The package exports only the names.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('../src/clients/registry.ts', import.meta.url))],
  bundle: true,
  write: false,
  platform: 'node',
  format: 'esm',
  mainFields: ['module', 'main'],
  define: {
    'import.meta.dirname': JSON.stringify(fileURLToPath(new URL('../src', import.meta.url))),
  },
});
const [{ text }] = outputFiles;
export const { CLIENTS } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
