// Which words of a command are code, by the documentation of each program, and which are data.
import { expect, test } from 'vitest';
import { loadedBy } from '../../src/declaration/loaded.ts';

/** The paths of code in a line, and whether it runs the project's own code. */
const code = (line: string | readonly string[]) => {
  const words = typeof line === 'string' ? line.split(' ') : line;
  const { places, ofProject } = loadedBy(words);
  return { files: places.map(({ index, from }) => words[index]?.slice(from)), ofProject };
};

test.each([
  ['node ./lib', ['./lib']],
  ['node main', ['main']],
  ['node main.js --require=./data.js', ['main.js']],
  ['node --require=./x.js main.js', ['./x.js', 'main.js']],
  ['node -r ./setup main.js', ['./setup', 'main.js']],
  ['node -r=./setup main.js', ['./setup', 'main.js']],
  ['node --import=./x.mjs --no-warnings main.js', ['./x.mjs', 'main.js']],
  ['node --experimental_loader ./x.mjs main.js', ['./x.mjs', 'main.js']],
  ['node --env-file=x main.js', ['x', 'main.js']],
  ['node --env_file=x main.js', ['x', 'main.js']],
  ['node --max-old-space-size=100 main.js', ['main.js']],
  ['node --conditions x main.js', ['main.js']],
  ['node --import node:test main.js', ['main.js']],
  ['node -- main.js', ['main.js']],
  ['/usr/bin/node20 main.js', ['main.js']],
  ['python3 -u -W error hooks/pre.py rules.txt', ['hooks/pre.py']],
  ['python3.12 -Wd -Xdev tool', ['tool']],
  ['sh ./run x.sh', ['./run']],
  ['bash -euo pipefail run.sh', ['run.sh']],
  ['bash --rcfile ./rc run.sh', ['./rc', 'run.sh']],
  ['zsh -f +x run', ['run']],
  ['ruby -r./x -Ilib main.rb', ['./x', 'lib', 'main.rb']],
  ['perl -Ilib -w main.pl', ['lib', 'main.pl']],
  ['php -n -c ./php.ini main.php', ['./php.ini', 'main.php']],
  ['php -f main.php -r x', ['main.php']],
  ['lua main.lua', ['main.lua']],
  ['julia --startup-file=no --load ./a.jl b.jl', ['./a.jl', 'b.jl']],
  ['pwsh -NoProfile -File ./x.ps1 -Command x', ['./x.ps1']],
  ['pwsh ./x.ps1', ['./x.ps1']],
  ['osascript -l JavaScript x.js', ['x.js']],
  ['java -Xmx1g -javaagent:./a.jar -jar b.jar -jar c', ['./a.jar', 'b.jar']],
  ['java -cp ./lib Main', ['./lib']],
  ['awk -f ./x.awk data', ['./x.awk']],
  ['gawk -i inplace -f x.awk', ['inplace', 'x.awk']],
  ['sed -n -f x.sed data', ['x.sed']],
  ['jq -r --from-file=./x.jq data', ['./x.jq']],
  ['nice node main.js', ['main.js']],
  ['timeout 5 python3 x.py', ['x.py']],
  ['env LANG=C sh run', ['run']],
  ['anything --require=./x.js', ['./x.js']],
  ['anything --import ./x.mjs', ['./x.mjs']],
  ['./git status', []],
  ['prettier --write .', []],
  ['subcog hook stop', []],
  ['printf %s x.txt', []],
  ['awk {print} data', []],
  ['find . -name x', []],
  ['docker run -i --rm image', []],
])('%s: a file that the user has seen', (line, files) => {
  expect(code(line)).toEqual({ files, ofProject: false });
});

test.each([
  ...[
    'npx prettier',
    'npm test',
    'pnpm run x',
    'yarn x',
    'bunx x',
    'uvx ruff',
    'deno task x',
    'tsx x',
  ],
  ...[
    'sh -c x',
    'bash -ec x',
    'zsh -fc x',
    'sh -s',
    'sh',
    'python3',
    'node',
    'node -',
    'python3 -',
  ],
  ...[
    'python -m pytest',
    'python3 -Im x',
    'python3 -c x',
    'node -e x',
    'node --eval=x',
    'node -p x',
  ],
  ...[
    'node --run test',
    'node --test',
    'node --watch main.js',
    'ruby -e x',
    'ruby -S rake',
    'perl -ne x',
  ],
  ...[
    'perl -Mlocal::lib x.pl',
    'php -r x',
    'php -S localhost:1',
    'lua -l x',
    'julia -e x',
    'julia --project x.jl',
  ],
  ...[
    'pwsh -Command x',
    'pwsh -enc x',
    'java Main',
    'java -Djava.ext.dirs=x -jar y',
    'Rscript x.R',
    'dotnet run',
  ],
  ...[
    'make',
    'cargo test',
    'go run .',
    'git commit',
    'docker compose up',
    'docker build .',
    'just',
    'task x',
  ],
  ...[
    'gradle test',

    'mvn test',
    'pytest',
    'jest',
    'vitest run',
    'eslint .',
    'pre-commit run',
  ],
  ...[
    'env NODE_OPTIONS=--require=./x.js node main.js',
    'env PATH=. x',
    'env -S x',
    'nice npm test',
  ],
  ...[
    'timeout 5 sh -c x',
    'xargs node',
    'find . -exec x ;',
    'cmd /c x',
    'bash -Z run.sh',
    'fd -x y',
  ],
  // What is taken for the script is the value of an option.
  ...[
    'node --trace-event-file-pattern ./ok.js ./evil',
    'node --max-http-header-size ./ok.js ./evil',
    'julia --startup-file ./ok.jl ./evil',
  ],
  ...[
    'python3 -X pycache_prefix=. ./lib.py',
    'python3 -Xpresite=evil ./lib.py',
    'node --import=data:text/javascript,x ./ok.js',
    'strace node ./lib',
  ],
])('%s: code of the project', (line) => {
  expect(code(line).ofProject).toBe(true);
});
