// Blocks a commit that would hold a secret: it looks at what is staged, and at what the same command is about to add.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SECRETS = {
  'a private key': /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/,
  'a key of AWS': /\bAKIA[0-9A-Z]{16}\b/,
  'a token of GitHub': /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{60,})/,
  'a token of GitLab': /\bglpat-[\w-]{20}/,
  'a token of Slack': /\bxox[abeprs]-[\w-]{10,}/,
  'a key of Anthropic': /\bsk-ant-[\w-]{20,}/,
  'a key of Google': /\bAIza[\w-]{35}/,
  'a key of Stripe': /\b[rs]k_live_[A-Za-z0-9]{20,}/,
};

const event = JSON.parse(readFileSync(0, 'utf8'));
const cwd = event.cwd ?? process.cwd();
const command = String(event.tool_input?.command ?? '');
const git = (...args) =>
  spawnSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 }).stdout ?? '';

const adds = /\bgit\b[^\n;&|]*\badd\b/.test(command);
const takesAll = adds || /\bcommit\b[^\n;&|]*\s(?:-\w*a\w*|--all)\b/.test(command);
let file = '';
let found;
const look = (line) => {
  const [what] = Object.entries(SECRETS).find(([, form]) => form.test(line)) ?? [];
  if (what !== undefined) found ??= `${file} has ${what}`;
};
// What is staged, and what is not. `git diff HEAD` has both, but fails before the first commit.
const diff = ['diff', '-U0', '--no-color', '--no-ext-diff', '--dst-prefix=b/'];
const changes = git(...diff, '--cached') + (takesAll ? git(...diff) : '');
for (const line of changes.split('\n')) {
  if (line.startsWith('+++ ')) file = line.slice(6);
  else if (line.startsWith('+')) look(line);
}
if (adds)
  for (const name of git('ls-files', '-z', '--others', '--exclude-standard')
    .split('\0')
    .filter(Boolean)) {
    file = name;
    try {
      look(readFileSync(join(cwd, name), 'latin1'));
    } catch {} // a link that leads nowhere, or a folder
  }
if (found !== undefined) {
  const reason = `The commit would hold a secret: ${found}. Take it out, and read it from the environment.`;
  process.stdout.write(JSON.stringify({ action: 'block', reason }));
}
