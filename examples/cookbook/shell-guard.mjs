// Blocks shell commands that people regret. The first argument names what is blocked: a key of RULES below.
// It reads the command as a shell does: quotes, sudo, env, sh -c, $(...), several commands in a line. It prevents mistakes, and
// doesn't replace a sandbox: a command that is built at run time, or hidden in a script, passes.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, resolve } from 'node:path';

const SHELLS = ['sh', 'bash', 'zsh', 'dash', 'ksh'];
/** Words that can precede a command, and those of their options that take a value. */
const PREFIXES = new Map([
  ...'! { if then else elif while until do builtin command nohup setsid'
    .split(' ')
    .map((word) => [word, '']),
  ...[
    ['sudo', 'CDRTUghprtu'],
    ['doas', 'Cu'],
    ['env', 'CSu'],
    ['exec', 'a'],
    ['nice', 'n'],
  ],
  ...[
    ['time', 'fo'],
    ['timeout', 'ks'],
    ['xargs', 'EIJLPRSadns'],
  ],
]);
/** Their long options that take the next word as a value. */
const LONG_VALUED =
  /^--(?:user|group|other-user|host|prompt|chdir|chroot|role|type|close-from|command-timeout|unset|adjustment|kill-after|signal|max-args|max-procs|max-lines|max-chars|delimiter|arg-file)$/;

/**
 * The simple commands of a script, in order: their words, the files that they read with `<`, and the command that gets their output
 * as words.
 */
function commandsIn(script) {
  const commands = [];
  const documents = [];
  let words = [];
  let reads = [];
  let word;
  let redirect;
  let at = 0;
  const endWord = () => {
    if (word === undefined) return;
    if (redirect === '<<') documents.push({ end: word, of: words[0] });
    else if (redirect === '<') reads.push(word);
    else if (redirect === undefined) words.push(word);
    word = redirect = undefined;
  };
  const end = () => {
    endWord();
    if (words.length > 0 || reads.length > 0) commands.push({ words, reads });
    [words, reads] = [[], []];
  };
  /** The content of a substitution that begins here; moves `at` to its end. */
  const substitution = () => {
    const close = script[at] === '`' ? '`' : ')';
    const start = close === '`' ? at + 1 : at + 2;
    let depth = 1;
    for (at = start; at < script.length && depth > 0; at++) {
      if (script[at] === '\\') at++;
      else if (script[at] === close) depth--;
      else if (script[at] === '(' && close === ')') depth++;
    }
    const into = words[0];
    commands.push(...commandsIn(script.slice(start, at - 1)).map((one) => ({ ...one, into })));
    word = `${word ?? ''}$`;
  };
  while (at < script.length) {
    const char = script[at];
    const isSubstitution = char === '`' || (char === '$' && script[at + 1] === '(');
    if (isSubstitution) substitution();
    else if (char === '$' && /['"]/.test(script[at + 1] ?? '')) at++;
    else if (char === "'") {
      const close = script.indexOf("'", at + 1);
      word = (word ?? '') + script.slice(at + 1, close < 0 ? undefined : close);
      at = close < 0 ? script.length : close + 1;
    } else if (char === '"') {
      word ??= '';
      at++;
      while (at < script.length && script[at] !== '"') {
        if (script[at] === '`' || (script[at] === '$' && script[at + 1] === '(')) substitution();
        else {
          if (script[at] === '\\' && '\\"$`\n'.includes(script[at + 1] ?? ' ')) at++;
          word += script[at++] ?? '';
        }
      }
      at++;
    } else if (char === '\\') {
      if (script[at + 1] !== '\n') word = (word ?? '') + (script[at + 1] ?? '');
      at += 2;
    } else if (char === '#' && word === undefined) {
      while (at < script.length && script[at] !== '\n') at++;
    } else if (char === '\n') {
      end();
      at++;
      for (const { end: last, of } of documents.splice(0)) {
        const lines = script.slice(at).split('\n');
        const length = lines.findIndex((line) => line.trim() === last);
        const body = lines.slice(0, length < 0 ? lines.length : length);
        if (SHELLS.includes(basename(of ?? ''))) commands.push(...commandsIn(body.join('\n')));
        at += body.join('\n').length + (length < 0 ? 0 : (lines[length]?.length ?? 0) + 1);
      }
    } else if (/[;&|()]/.test(char)) {
      // 2>&1 and &> do not end a command.
      const isRedirect = char === '&' && (script[at - 1] === '>' || script[at + 1] === '>');
      if (!isRedirect) end();
      at++;
    } else if (/[<>]/.test(char)) {
      if (/^\d+$/.test(word ?? '')) word = undefined;
      endWord();
      const [sign = ''] = /^(<<<|<<-?|>>|>\||[<>])/.exec(script.slice(at)) ?? [];
      redirect = sign === '<<<' ? '>' : sign.replace('-', '').replace(/^>.*/, '>');
      at += sign.length;
    } else if (/\s/.test(char)) {
      endWord();
      at++;
    } else {
      word = (word ?? '') + char;
      at++;
    }
  }
  end();
  return commands;
}

/** The command itself, without variables and words such as `sudo` before it. */
function bare(words) {
  let [first = '', ...rest] = words;
  while (true) {
    if (/^\w+=/.test(first)) [first = '', ...rest] = rest;
    else if (PREFIXES.has(basename(first))) {
      const name = basename(first);
      const valued = PREFIXES.get(name) ?? '';
      [first = '', ...rest] = rest;
      while (first.startsWith('-')) {
        const takesNext =
          (first.length === 2 && valued.includes(first[1] ?? '')) || LONG_VALUED.test(first);
        if (takesNext) rest.shift();
        [first = '', ...rest] = rest;
      }
      if (name === 'timeout') [first = '', ...rest] = rest;
    } else return first === '' ? [] : [basename(first), ...rest];
  }
}

/** The simple commands, also of `sh -c` and `eval`, each with the folder in which it runs. */
function* runIn(script, start) {
  let cwd = start;
  for (const { words, reads, into } of commandsIn(script)) {
    const [name, ...args] = bare(words);
    if (name === undefined) continue;
    const at = args.findIndex((arg) => /^-\w*c$/.test(arg));
    if (SHELLS.includes(name) && at >= 0) yield* runIn(args[at + 1] ?? '', cwd);
    else if (name === 'eval') yield* runIn(args.join(' '), cwd);
    else yield { name, args, reads, into, cwd };
    const [folder = '~'] = args.filter((arg) => arg !== '--' && arg !== '-P');
    if (name === 'cd') cwd = path(folder, cwd);
  }
}

/** The path that a word means, with `~`, `$HOME` and `$PWD`. */
function path(word, cwd) {
  const full = word
    .replace(/^~(?=\/|$)/, homedir())
    .replace(/\$(?:HOME\b|\{HOME\})/g, homedir())
    .replace(/\$(?:PWD\b|\{PWD\})/g, cwd);
  return resolve(cwd, full);
}

const SYSTEM = '/ /bin /boot /dev /etc /home /lib /opt /private /root /sbin /srv /sys /usr /var'
  .concat(' /Applications /Library /System /Users /Volumes')
  .split(' ');

/** The folders in which `find` removes everything, because only the depth selects files. */
function foundAndRemoved(args) {
  const isTest = (arg) => /^[-(!]/.test(arg) && !/^-[HLP]$/.test(arg);
  const at = args.findIndex(isTest);
  const tests = args.slice(at);
  const run = tests.findIndex((arg) => /^-(?:exec|ok)(?:dir)?$/.test(arg));
  const removes = tests.includes('-delete') || (run >= 0 && bare(tests.slice(run + 1))[0] === 'rm');
  const narrows =
    /^-(?!(?:delete|depth|d|mount|xdev|type|mindepth|maxdepth|exec|ok|execdir|okdir|print)$)/;
  const own = run < 0 ? tests : tests.slice(0, run);
  if (at < 0 || !removes || own.some((arg) => narrows.test(arg))) return [];
  const roots = args.slice(0, at).filter((arg) => !arg.startsWith('-'));
  return roots.length > 0 ? roots : ['.'];
}

function removesTooMuch({ name, args, cwd }, project) {
  if (name === 'find') return tooMuch('find', foundAndRemoved(args), cwd, project);
  if (name !== 'rm') return;
  const last = args.indexOf('--');
  const isFlag = (arg, index) => /^-./.test(arg) && (last < 0 || index < last);
  const isRecursive = (flag) => /^-[^-]*[rR]/.test(flag) || /^--r(?:e\w*)?$/.test(flag);
  if (!args.some((arg, index) => isFlag(arg, index) && isRecursive(arg))) return;
  const words = args.filter((arg, index) => arg !== '--' && !isFlag(arg, index));
  return tooMuch('rm -r', words, cwd, project);
}

function tooMuch(how, words, cwd, project) {
  for (const word of words) {
    // `*` removes everything in the folder, so it counts as the folder.
    const target = path(word.replace(/(^|\/)\.?\*$/, '$1.'), cwd);
    const holds = (folder) => `${folder}/`.startsWith(`${target}/`);
    const isTooMuch =
      SYSTEM.includes(target) ||
      holds(project) ||
      holds(homedir()) ||
      target === resolve(project, '.git');
    if (isTooMuch)
      return `${how} of ${word} would remove the project, its history, your home or the system. Name the files.`;
  }
}

/** Options of git itself that take a value. */
const VALUED = ['-C', '-c', '--git-dir', '--work-tree', '--namespace'];

/** Git's subcommand, the words after it, and the options before it. */
function split({ name, args }) {
  const isWord = (arg, index) => !arg.startsWith('-') && !VALUED.includes(args[index - 1]);
  const at = name === 'git' ? args.findIndex(isWord) : -1;
  return at < 0
    ? { words: [], options: [] }
    : { words: args.slice(at), options: args.slice(0, at) };
}

const git = (command) => split(command).words;

/** The folder in which a git command works. */
const folderOf = (command) =>
  split(command).options.reduce(
    (folder, option, index, all) => (all[index - 1] === '-C' ? path(option, folder) : folder),
    command.cwd,
  );

const inGit = (cwd, ...args) =>
  spawnSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 });

function forces(command) {
  const [verb, ...args] = git(command);
  if (verb !== 'push') return;
  const isForced = (arg, index) =>
    !['-o', '--push-option', '--repo', '--receive-pack', '--exec'].includes(args[index - 1]) &&
    (/^--(?:f|fo|for|forc|force|mirror)$/.test(arg) || /^-[^-o]*f/.test(arg) || /^\+./.test(arg));
  if (args.some(isForced))
    return 'A force-push overwrites what others have pushed. Push a new branch, or use --force-with-lease.';
}

function discards(command) {
  const [verb, ...args] = git(command);
  const has = (...flags) => args.some((arg) => flags.includes(arg));
  const short = (letter) => args.some((arg) => new RegExp(`^-[a-zA-Z]*${letter}`).test(arg));
  const why = 'throws work away that is in no commit. Commit it first, or git stash it.';
  if (verb === 'stash' && /^(?:drop|clear)$/.test(args[0] ?? ''))
    return `git stash ${args[0]} ${why}`;
  const isDiscarding =
    (verb === 'reset' && has('--hard')) ||
    (verb === 'clean' && (short('f') || has('--force')) && !short('n') && !has('--dry-run')) ||
    (verb === 'checkout' && (has('--', '.', '--force') || short('f')) && !has('--help')) ||
    (verb === 'switch' && (has('--discard-changes', '--force') || short('f'))) ||
    (verb === 'restore' && (has('--worktree') || short('W') || (!has('--staged') && !short('S'))));
  if (!isDiscarding) return;
  // Nothing is lost in a clean repository. Only git clean removes what git doesn't know, and it removes nothing else.
  const isLost = verb === 'clean' ? /^(?:\?\?|!!)/m : /^[^?!]/m;
  const ignored = verb === 'clean' && (short('x') || short('X')) ? ['--ignored'] : [];
  const { stdout } = inGit(folderOf(command), 'status', '--porcelain', ...ignored);
  if (isLost.test(stdout ?? '')) return `git ${verb} ${why}`;
}

function commits(command, project, before) {
  const [verb, ...args] = git(command);
  if (verb !== 'commit' || args.includes('--dry-run')) return;
  // Another folder of the same work tree has the same branch.
  const repository = (folder) => inGit(folder, 'rev-parse', '--absolute-git-dir').stdout;
  const folder = folderOf(command);
  const isElsewhere = folder !== project && repository(folder) !== repository(project);
  const switches = ([name, ...rest]) =>
    name === 'switch' || (name === 'checkout' && !rest.includes('--') && !rest.includes('.'));
  if (!isElsewhere && !before.some((one) => switches(git(one))))
    return 'Nobody commits to this branch. git switch -c <name> begins another one, and takes the changes along.';
}

/** Programs that show a file, and whether their first word is a pattern. */
const SHOWS = new Map([
  ...'base64 bat cat cp cut diff head less more nl od scp sort strings tac tail xxd'
    .split(' ')
    .map((word) => [word, 0]),
  ...'awk grep rg sed'.split(' ').map((word) => [word, 1]),
]);
const isEnv = (word) =>
  /^\.env(?:\..+)?$/.test(basename(word)) && !/\.(?:example|sample|template|dist)$/.test(word);

function showsEnv({ name, args, reads, into }) {
  // Words that become variables are not shown, as in export $(grep -v '^#' .env).
  if (into === 'export') return;
  const files = args.filter((arg) => !arg.startsWith('-')).slice(SHOWS.get(name) ?? args.length);
  const shown = [...files, ...reads].find(isEnv);
  if (shown !== undefined)
    return `${basename(shown)} holds secrets. Ask the user for what you need to know.`;
}

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

/** Checks the staged files, and those that the same line is about to add. */
function commitsSecret(command, _project, before) {
  const [verb, ...args] = git(command);
  if (verb !== 'commit') return;
  const folder = folderOf(command);
  const read = (...words) => inGit(folder, ...words).stdout ?? '';
  const adds = before.some((one) => git(one)[0] === 'add' && folderOf(one) === folder);
  const isText = (index) => ['-m', '--message', '-F', '--file'].includes(args[index - 1]);
  const all = (arg, index) => !isText(index) && (arg === '--all' || /^-[^-m]*a/.test(arg));
  const takesAll = adds || args.some(all);
  let file = '';
  let found;
  const look = (line) => {
    const [what] = Object.entries(SECRETS).find(([, form]) => form.test(line)) ?? [];
    if (what !== undefined) found ??= `${file} has ${what}`;
  };
  // The staged and the unstaged changes. `git diff HEAD` has both, but fails before the first commit.
  const diff = ['diff', '-U0', '--no-color', '--no-ext-diff', '--dst-prefix=b/'];
  const changes = read(...diff, '--cached') + (takesAll ? read(...diff) : '');
  for (const line of changes.split('\n')) {
    if (line.startsWith('+++ ')) file = line.slice(6);
    else if (line.startsWith('+')) look(line);
  }
  const others = adds ? read('ls-files', '-z', '--others', '--exclude-standard') : '';
  for (const name of others.split('\0').filter(Boolean)) {
    file = name;
    try {
      look(readFileSync(resolve(folder, name), 'latin1'));
    } catch {} // a broken link, or a folder
  }
  if (found !== undefined)
    return `The commit would hold a secret: ${found}. Take it out, and read it from the environment.`;
}

const RULES = {
  'rm-rf': removesTooMuch,
  'force-push': forces,
  'lost-work': discards,
  commit: commits,
  'env-files': showsEnv,
  secrets: commitsSecret,
};

const event = JSON.parse(readFileSync(0, 'utf8'));
const script = event.tool_input?.command;
const rule = RULES[process.argv[2] ?? ''];
if (typeof script === 'string' && rule) {
  const project = event.cwd ?? process.cwd();
  const before = [];
  for (const command of runIn(script, project)) {
    const reason = rule(command, project, before);
    if (reason !== undefined) {
      process.stdout.write(JSON.stringify({ action: 'block', reason }));
      break;
    }
    before.push(command);
  }
}
