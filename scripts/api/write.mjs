// `npm run docs:api` writes docs/api, the reference of what the package exports. With --check it writes nothing, and fails if
// the reference is out of date. It always fails if an export, or a part of one, has no description.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const docs = join(here, '../../docs/api');
const made = mkdtempSync(join(tmpdir(), 'mcp-hooks-api-'));

/** Every file in a folder and in those within it, with its text. */
const textsIn = (folder) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')]),
  );

try {
  const typedoc = join(here, 'node_modules/typedoc/bin/typedoc');
  const args = [typedoc, '--options', 'typedoc.json', '--out', made, '--logLevel', 'Warn'];
  execFileSync(process.execPath, args, { cwd: here, stdio: 'inherit' });
  if (process.argv.includes('--check')) {
    const [now, then] = [textsIn(made), textsIn(docs)];
    const stale = [...new Set([...Object.keys(now), ...Object.keys(then)])].filter(
      (file) => now[file] !== then[file],
    );
    if (stale.length > 0) {
      console.error(
        `Not up to date in docs/api: ${stale.join(', ')}. npm run docs:api writes them.`,
      );
      process.exitCode = 1;
    }
  } else {
    rmSync(docs, { recursive: true, force: true });
    cpSync(made, docs, { recursive: true });
  }
} catch (error) {
  if (error.status === undefined) throw error; // TypeDoc has reported it
  process.exitCode = 1;
} finally {
  rmSync(made, { recursive: true, force: true });
}
