// Blocks calls of file tools for certain files. The first argument says why. The others are names of files (`*` matches any
// characters), and folders with a `/` at the end.
import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';

const event = JSON.parse(readFileSync(0, 'utf8'));
const [why, ...names] = process.argv.slice(2);
const isLike = (name, text) =>
  new RegExp(
    `^${name
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    's',
  ).test(text);

for (const path of event.paths ?? []) {
  const folders = `/${relative(event.cwd ?? process.cwd(), path).replaceAll('\\', '/')}`;
  const found = names.find((name) =>
    name.endsWith('/') ? folders.includes(`/${name}`) : isLike(name, basename(path)),
  );
  // A template of a file with secrets contains none.
  if (found === undefined || /\.(?:example|sample|template|dist)$/.test(path)) continue;
  const reason = `${basename(path)}: ${why}`;
  process.stdout.write(JSON.stringify({ action: 'block', reason }));
  break;
}
