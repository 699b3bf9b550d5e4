// Makes the model go on, once, if its changes still contain leftovers of its work.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const LEFTOVERS = [
  ['the mark of a conflict', /^(?:<{7}|>{7}) /],
  ['a breakpoint', /^\s*(?:debugger;?|breakpoint\(\)|import pdb\b.*|binding\.(?:pry|irb))\s*$/],
  ['a test that runs alone', /\b(?:describe|it|test)\.only\(/],
  ['a print for debugging', /\bdbg!\(|\bconsole\.log\(['"`]DEBUG/],
];

const event = JSON.parse(readFileSync(0, 'utf8'));
const cwd = event.cwd ?? process.cwd();
const git = (...args) =>
  spawnSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 }).stdout ?? '';

const found = [];
const look = (file, number, text) => {
  const [what] = LEFTOVERS.find(([, form]) => form.test(text)) ?? [];
  if (what) found.push(`${file}:${number}: ${what}`);
};

let [file, number] = ['', 0];
const format = ['-U0', '--relative', '--no-color', '--no-ext-diff', '--dst-prefix=b/'];
for (const line of git('diff', 'HEAD', ...format).split('\n')) {
  const at = /^@@ -\S+ \+(\d+)/.exec(line);
  if (line.startsWith('+++ ')) file = line.slice(6);
  else if (at) number = Number(at[1]);
  else if (line.startsWith('+')) look(file, number++, line.slice(1));
}
for (const name of git('ls-files', '-z', '--others', '--exclude-standard')
  .split('\0')
  .filter(Boolean)) {
  try {
    const text = readFileSync(join(cwd, name), 'utf8');
    if (!text.includes('\0'))
      for (const [index, line] of text.split('\n').entries()) look(name, index + 1, line);
  } catch {} // a broken link, or a folder
}
if (found.length > 0 && !event.stop_hook_active) {
  const reason = `These are left in your changes:\n${found.slice(0, 20).join('\n')}`;
  process.stdout.write(JSON.stringify({ action: 'block', reason }));
}
