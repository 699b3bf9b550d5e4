// Formats the files that a call has changed, with the formatter that is installed for their language, and names those that changed.
// A formatter of the project runs the project's own code, as it does when you format by hand.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';

const WEB = '.cjs .css .html .js .json .jsx .md .mjs .scss .ts .tsx .yaml .yml'.split(' ');
const PROGRAMS = {
  '.go': ['gofmt', '-w'],
  '.py': ['ruff', 'format', '--quiet'],
  '.rs': ['rustfmt', '--edition', '2021'],
};
const SCRIPTS = [
  ['@biomejs/biome/bin/biome', 'format', '--write'],
  ['prettier/bin/prettier.cjs', '--write', '--log-level=error'],
];

const event = JSON.parse(readFileSync(0, 'utf8'));
const cwd = event.cwd ?? process.cwd();

/** The formatter of a web project: the one in the nearest node_modules. */
function scriptFor(file) {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    for (const [script, ...args] of SCRIPTS) {
      const path = join(folder, 'node_modules', script);
      if (existsSync(path)) return [process.execPath, path, ...args];
    }
    if (folder === cwd || folder === dirname(folder)) return;
  }
}

const formatted = [];
for (const file of event.paths ?? []) {
  const isOurs = !relative(cwd, file).startsWith('..') && existsSync(file);
  const type = extname(file);
  const formatter = PROGRAMS[type] ?? (WEB.includes(type) ? scriptFor(file) : undefined);
  if (!isOurs || !formatter) continue;
  const before = readFileSync(file, 'utf8');
  const [program, ...args] = formatter;
  spawnSync(program, [...args, file], { cwd, stdio: 'ignore', timeout: 10_000 });
  if (readFileSync(file, 'utf8') !== before) formatted.push(relative(cwd, file));
}
if (formatted.length > 0)
  console.log(`Formatted, so read it again before you edit it: ${formatted.join(', ')}`);
