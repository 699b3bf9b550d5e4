// Parses the files that a call has changed, and reports syntax errors. It runs none of them.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, extname, relative } from 'node:path';

const python = 'import ast, sys; ast.parse(open(sys.argv[1], "rb").read(), sys.argv[1])';
const CHECKS = {
  '.cjs': [process.execPath, '--check'],
  '.mjs': [process.execPath, '--check'],
  '.py': ['python3', '-I', '-c', python],
  '.rb': ['ruby', '-c'],
  '.sh': ['sh', '-n'],
};
/** JSON files that may contain comments. */
const HAS_COMMENTS = /^(?:tsconfig|jsconfig|devcontainer|settings|launch|tasks).*\.json$/;

const event = JSON.parse(readFileSync(0, 'utf8'));
const cwd = event.cwd ?? process.cwd();

/** The syntax error in a file, or nothing. */
function problemIn(file) {
  const text = readFileSync(file, 'utf8');
  if (extname(file) === '.json') {
    try {
      if (!HAS_COMMENTS.test(basename(file))) JSON.parse(text);
      return;
    } catch (error) {
      return error.message;
    }
  }
  // Other shells have a different syntax.
  const shell = /^#!.*\b(bash|zsh|dash|ksh)\b/.exec(text)?.[1];
  const check = shell && extname(file) === '.sh' ? [shell, '-n'] : CHECKS[extname(file)];
  if (!check) return;
  const [program, ...args] = check;
  const { status, stderr } = spawnSync(program, [...args, file], {
    encoding: 'utf8',
    timeout: 5000,
  });
  if (status) return stderr.trim().slice(0, 800);
}

for (const file of event.paths ?? []) {
  const problem = existsSync(file) ? problemIn(file) : undefined;
  if (problem) console.log(`${relative(cwd, file)} is not valid: ${problem}`);
}
