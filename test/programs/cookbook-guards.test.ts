// What the guards of the cookbook block and let pass, as declared, with their matchers.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { createEngine } from '../../src/sdk/engine/engine.ts';
import { ROOT } from '../support/pages.ts';
import { test, type World } from '../support/world.ts';

const PROJECT = 'my "own" project';
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const KEY = ['-----BEGIN', 'RSA PRIVATE KEY-----'].join(' ');

interface Rows {
  readonly blocked: readonly string[];
  readonly passes: readonly string[];
}

/** Commands in a repository on `main` with an uncommitted change, an untracked file and an ignored file. */
const COMMANDS: Readonly<Record<string, Rows>> = {
  'no-rm-rf': {
    blocked: [
      'rm -rf /',
      'rm -r -f ~',
      'rm -fr ~/',
      'rm --recursive --force "$HOME"',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's variable
      'rm -rf ${HOME}/*',
      'rm -R -- ~',
      'rm -rf /*',
      'rm -rf /usr',
      'rm -rf .',
      'rm -rf ./',
      'rm -rf *',
      'rm -rf ..',
      'rm -rf "$PWD"',
      'rm -rf .git',
      'rm -rf build /',
      'sudo rm -rf /',
      'sudo -u root rm -rf /home',
      'sudo --user root rm -rf /',
      'sudo --user=root rm -rf /',
      'timeout --kill-after 3 5 rm -rf ~',
      'find / -exec rm -rf {} +',
      "find . -type f -exec rm {} ';'",
      'find -H ~ -depth -delete',
      'sudo find -delete',
      'cd / && find . -xdev -delete',
      'env rm -rf ~',
      'env -u PATH FORCE=1 rm -rf ~',
      'FORCE=1 rm -rf ~',
      '/bin/rm -rf ~',
      '\\rm -rf ~',
      "'rm' -rf ~",
      'rm "-rf" ~',
      "rm -rf $'/'",
      'cd / && rm -rf *',
      'cd src; rm -rf ../..',
      'true && rm -rf ~',
      'true || rm -rf ~',
      'true\nrm -rf ~',
      'rm -rf \\\n  ~',
      '(rm -rf ~)',
      '{ rm -rf ~; }',
      'if true; then rm -rf ~; fi',
      'echo $(rm -rf ~)',
      'echo "$(rm -rf ~)"',
      'echo `rm -rf ~`',
      'bash -c "rm -rf ~"',
      "sudo sh -c 'cd /; rm -rf *'",
      'eval rm -rf ~',
      'bash <<EOF\nrm -rf ~\nEOF',
      'rm -rf ~ 2>/dev/null',
      'rm -rf ~ &',
      'timeout 5 rm -rf ~',
      'nohup nice -n 5 rm -rf ~',
    ],
    passes: [
      'rm -rf node_modules dist',
      "find . -name '*.tmp' -delete",
      'find build -delete',
      'find . -newer one.txt -exec rm {} +',
      'find . -type f -exec grep rm {} +',
      'find / -maxdepth 1 -print',
      'rm -rf ./build',
      'rm -rf build/*',
      'rm -rf "a folder/with spaces"',
      'rm -rf /tmp/scratch',
      'rm -rf ~/.cache/thing',
      'rm -f *',
      'rm notes.txt',
      'echo "rm -rf /"',
      "echo 'rm -rf ~'",
      'git commit -m "Never rm -rf / again"',
      "git commit -m 'a; rm -rf ~'",
      'cat <<EOF > warn.md\nrm -rf /\nEOF',
      '# rm -rf /',
      'ls # && rm -rf /',
      'grep -r "rm -rf" .',
      'npm run build -- --rm',
      'git rm -r --cached .',
      'docker run --rm -v /:/host alpine',
      'cd build && rm -rf *',
      'rm -rf "$BUILD"',
      "echo 'it''s' && rm -rf build",
      'echo "an open quote',
      '',
    ],
  },
  'no-force-push': {
    blocked: [
      'git push -f',
      'git push --force',
      'git push --force origin main',
      'git push origin main --force',
      'git push origin main -f',
      'git push origin +main',
      'git push origin "+HEAD:main"',
      'git push -uf origin main',
      'git push -fu origin main',
      'git push --mirror backup',
      'git push "--force"',
      "git push '-f'",
      'git -C sub push -f',
      'git -c push.default=current push --force',
      'sudo git push -f',
      'env GIT_SSH_COMMAND=ssh git push -f',
      'GIT_TRACE=1 git push -f',
      '/usr/bin/git push -f',
      'git add . && git commit -m x && git push -f',
      'git status\ngit push -f',
      'git push \\\n  --force',
      'bash -c "git push -f"',
      'git push --force --force-with-lease',
      'git push -f 2>&1 | tail -5',
    ],
    passes: [
      'git push',
      'git push origin main',
      'git push -u origin feature',
      'git push --force-with-lease',
      'git push --force-with-lease=main:abc origin main',
      'git push --force-if-includes --force-with-lease',
      'git push --follow-tags',
      'git push -o merge_request.create',
      'git push -ofoo',
      'git push -o +x origin main',
      'git push origin feature-f',
      'git push --no-verify',
      'git commit -m "never git push --force"',
      'echo git push -f',
      'git fetch -f',
      'git push && rm -f x',
      'git push; tail -f log',
      'git stash push -f',
      'docker push -f x',
    ],
  },
  'no-lost-work': {
    blocked: [
      'git reset --hard',
      'git reset --hard origin/main',
      'git checkout -- one.txt',
      'git checkout .',
      'git checkout -f main',
      'git switch --discard-changes main',
      'git restore one.txt',
      'git restore --staged --worktree .',
      'git clean -fd',
      'git clean -xdf',
      'git stash drop',
      'git stash clear',
      'sudo git reset --hard',
      'git fetch && git reset --hard FETCH_HEAD',
      "sh -c 'git checkout .'",
      `cd .. && git -C '${PROJECT}' reset --hard`,
    ],
    passes: [
      'git reset',
      'git reset --soft HEAD~1',
      'git checkout main',
      'git checkout -b work',
      'git switch -c work',
      'git restore --staged one.txt',
      'git clean -nfd',
      'git clean --dry-run -f',
      'git stash',
      'git stash pop',
      'git commit -m "git reset --hard"',
      'git log -- one.txt',
      'git -C ../other reset --hard',
    ],
  },
  'no-commit-to-main': {
    blocked: [
      'git commit -m x',
      'git add . && git commit -m "y"',
      'git -c user.name=me commit',
      'GIT_EDITOR=true git commit --amend',
      'git -C . commit -m x',
      'cd src && git commit -m x',
      'git commit -C HEAD',
      'git checkout -- one.txt; git commit -m x',
    ],
    passes: [
      'git switch -c work && git commit -m x',
      'git checkout -b work; git commit -m x',
      'git -C ../other commit -m x',
      'cd ../other && git commit -m x',
      'git commit --dry-run',
      'git log --grep commit',
      'echo "git commit"',
    ],
  },
  'env-files': {
    blocked: [
      'cat .env',
      'cat "my app/.env"',
      'sudo cat ./.env.local',
      'head -3 .env',
      'grep TOKEN .env',
      'cp .env /tmp/x',
      'base64 < .env',
      'true && cat .env.production',
      'echo "$(cat .env)"',
      'export $(cat .env); cat .env',
    ],
    passes: [
      'cat .env.example',
      'echo .env >> .gitignore',
      'grep .env .gitignore',
      'git commit -m "Ignore .env"',
      'git add .env.sample',
      'set -a; . ./.env; npm start',
      "export $(grep -v '^#' .env)",
      "export $(grep -v '^#' .env | xargs) && npm start",
      'export TOKEN="$(grep TOKEN .env | cut -d= -f2)"',
      'ls .env',
      'cat .environment',
    ],
  },
  'secrets-in-commits': {
    blocked: [
      'git commit -am x',
      'git add . && git commit -m x',
      'git commit --all -m x',
      `cd .. && git -C '${PROJECT}' commit -am x`,
      `cd .. && git -C '${PROJECT}' add . && git -C '${PROJECT}' commit -m x`,
      'cd src && git commit -am x',
      "sh -c 'git commit -am x'",
    ],
    // Neither file is staged.
    passes: [
      'git commit -m x',
      'git commit --amend -m x',
      'git commit -m -a',
      'git log',
      'git add . && git stash',
      'git -C ../other commit -am x',
      'echo git commit -am x',
    ],
  },
  team: {
    blocked: [
      'npm install',
      'npm i left-pad',
      'cd web && npm ci',
      'yarn add x',
      'true; npm remove x',
    ],
    passes: [
      'pnpm install',
      'npm run build',
      'echo "npm install"',
      'git commit -m "npm install"',
      'npm it',
    ],
  },
};

const manifestOf = (name: string): string =>
  join(ROOT, 'examples/cookbook', name === 'team' ? 'team/mcp-hooks.json' : `${name}.json`);

/** The answers of a guard with its grants to events in a folder: its actions, or why it failed. */
async function answers(name: string, cwd: string, events: readonly object[]): Promise<string[]> {
  const given: string[] = [];
  const engine = createEngine({ manifest: manifestOf(name), allow: ['block', 'command'] });
  for (const [index, event] of events.entries()) {
    const sessionId = `${name}-${index}`;
    const { action, warnings } = await engine.fire({
      event: 'pre_tool_use',
      sessionId,
      cwd,
      ...event,
    });
    given.push(warnings?.join() || action);
  }
  engine.close();
  return given;
}

async function repository(world: World): Promise<string> {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=ann', '-c', 'user.email=ann@example.com', ...args], {
      cwd: world.path(PROJECT),
    });
  await world.write(`${PROJECT}/one.txt`, 'first\n');
  await world.write(`${PROJECT}/src/three.txt`, 'first\n');
  await world.write(`${PROJECT}/.gitignore`, 'ignored\n');
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  await world.write(`${PROJECT}/one.txt`, `second\n${TOKEN}\n`);
  await world.write(`${PROJECT}/two.txt`, `${KEY}\n`);
  await world.write(`${PROJECT}/ignored`, '');
  return world.path(PROJECT);
}

test.for(Object.entries(COMMANDS))(
  '%s blocks the commands that it names, in whatever disguise, and no others',
  // A process for each of up to a hundred commands.
  { timeout: 120_000 },
  async ([name, { blocked, passes }], { world, expect }) => {
    const cwd = await repository(world);
    const commands = [...blocked, ...passes];
    const events = commands.map((command) => ({ tool: { name: 'Bash', input: { command } } }));
    const given = await answers(name, cwd, events);
    expect(given.map((answer, index) => [commands[index], answer])).toEqual([
      ...blocked.map((command) => [command, 'block']),
      ...passes.map((command) => [command, 'passThrough']),
    ]);
  },
);

test('no-lost-work lets commands pass that lose nothing in a clean repository', async ({
  world,
  expect,
}) => {
  const cwd = await repository(world);
  execFileSync('git', ['stash', '--quiet', '--include-untracked'], { cwd });
  const events = ['git reset --hard', 'git clean -fd', 'git clean -fdx', 'git stash drop'].map(
    (command) => ({ tool: { name: 'Bash', input: { command } } }),
  );
  expect(await answers('no-lost-work', cwd, events)).toEqual([
    ...['passThrough', 'passThrough'],
    ...['block', 'block'],
  ]);
});

test('no-lost-work lets a reset pass if files are only untracked, and a clean if they are only changed', async ({
  world,
  expect,
}) => {
  const cwd = await repository(world);
  const events = ['git reset --hard', 'git restore .', 'git clean -fd'].map((command) => ({
    tool: { name: 'Bash', input: { command } },
  }));
  execFileSync('git', ['stash', '--quiet'], { cwd });
  expect(await answers('no-lost-work', cwd, events)).toEqual([
    ...['passThrough', 'passThrough', 'block'],
  ]);
  execFileSync('git', ['clean', '--quiet', '-fd'], { cwd });
  execFileSync('git', ['stash', 'pop', '--quiet'], { cwd });
  expect(await answers('no-lost-work', cwd, events)).toEqual(['block', 'block', 'passThrough']);
});

test('secrets-in-commits blocks a secret in the first commit', async ({ world, expect }) => {
  const cwd = world.path(PROJECT);
  await world.write(`${PROJECT}/one.txt`, `${TOKEN}\n`);
  execFileSync('git', ['init', '--quiet'], { cwd });
  execFileSync('git', ['add', '.'], { cwd });
  const events = ['git commit -m x', 'git commit -am x', 'git add . && git commit -m x'].map(
    (command) => ({ tool: { name: 'Bash', input: { command } } }),
  );
  expect(await answers('secrets-in-commits', cwd, events)).toEqual(['block', 'block', 'block']);
});

test('secrets-in-commits blocks a staged secret', async ({ world, expect }) => {
  const cwd = await repository(world);
  const events = [{ tool: { name: 'Bash', input: { command: 'git commit -m x' } } }];
  for (const [file, answer] of [
    ['two.txt', 'block'],
    ['one.txt', 'block'],
    ['.gitignore', 'passThrough'],
  ] as const) {
    execFileSync('git', ['reset', '--quiet'], { cwd });
    execFileSync('git', ['add', file], { cwd });
    expect(await answers('secrets-in-commits', cwd, events)).toEqual([answer]);
  }
});

const FILES: Readonly<Record<string, Rows & { readonly tool: string }>> = {
  'protected-files': {
    tool: 'Edit',
    blocked: ['package-lock.json', 'web/yarn.lock', 'go.sum', 'dist/a b.js', 'a/vendor/x.go'],
    passes: ['package.json', 'src/lock.ts', 'distance/a.ts', 'dist.md', 'src/vendor.ts'],
  },
  'env-files': {
    tool: 'Read',
    blocked: ['.env', 'my app/.env.local', 'tls/server.pem', 'tls/a\nb.pem', 'id_rsa'],
    passes: ['.env.example', '.environment', 'src/env.ts', 'id_rsa.pub'],
  },
};

test.for(Object.entries(FILES))(
  '%s blocks the files that it names, and no others',
  async ([name, { tool, blocked, passes }], { world, expect }) => {
    const cwd = await repository(world);
    const files = [...blocked, ...passes];
    const events = files.map((file) => ({
      tool: { name: tool, input: { file_path: join(cwd, file) } },
    }));
    const given = await answers(name, cwd, events);
    expect(given.map((answer, index) => [files[index], answer])).toEqual([
      ...blocked.map((file) => [file, 'block']),
      ...passes.map((file) => [file, 'passThrough']),
    ]);
  },
);

test('secrets-in-prompts blocks a prompt with a key, but not one about keys', async ({
  world,
  expect,
}) => {
  const blocked = [
    `Use ${TOKEN}, please.`,
    KEY,
    `AKIA${'ABCD'.repeat(4)}`,
    `sk-ant-${'x1'.repeat(20)}`,
  ];
  const passes = [
    'Where is the token of GitHub (ghp_...) read?',
    'What is AKIA?',
    'Rotate sk-ant-keys.',
  ];
  const events = [...blocked, ...passes].map((prompt) => ({ event: 'pre_request', prompt }));
  expect(await answers('secrets-in-prompts', world.work, events)).toEqual([
    ...blocked.map(() => 'block'),
    ...passes.map(() => 'passThrough'),
  ]);
});
