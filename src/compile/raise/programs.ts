/** Programs in users' hooks that know nothing of hooks, and how they are started. */

/** Programs whose exit code and output are not meant for a client, because they know nothing of hooks. */
const OTHERS = new Set(
  `prettier eslint biome ruff black isort flake8 mypy pyright pylint gofmt goimports rustfmt cargo go tsc stylelint
  shfmt shellcheck clang-format swiftformat swiftlint ktlint rubocop standardrb terraform dprint oxlint markdownlint
  vitest jest pytest make npm pnpm yarn bun deno
  git gh jj curl wget ssh scp rsync
  afplay paplay aplay play mpg123 say espeak spd-say osascript notify-send terminal-notifier ntfy tput tmux logger beep
  alerter growlnotify
  jq yq awk sed grep egrep fgrep rg cat tac head tail tee cut tr sort uniq wc find fd ls cp mv rm mkdir touch ln chmod date
  basename dirname realpath readlink pwd whoami hostname uname id env printenv sleep seq diff xxd base64 stat du df ps
  echo printf test [ [[ true false : read export unset local cd pushd popd exit return wait command type set shift trap
  sqlite3 open xdg-open code pbcopy wl-copy xclip which uptime fold column`.split(/\s+/),
);

/** Programs that print nothing. */
const QUIET = new Set(
  `afplay paplay aplay say espeak spd-say osascript notify-send terminal-notifier cp mv rm mkdir touch ln chmod logger open xdg-open`.split(
    ' ',
  ),
);

/** Programs that start the program in the words after them. */
const STARTERS =
  /^(?:npx|bunx|pnpx|uvx|xargs|sudo|nohup|nice|time|timeout|exec|command|env|builtin|setsid|caffeinate)$/;
const RUNNERS = /^(?:pnpm|npm|yarn|bun|uv|poetry|pipenv|rye|mise) (?:exec|dlx|run|x)$/;

/** The name of the program that words start, however they start it; undefined: a script, or only known when it runs. */
function programOf(words: readonly (string | undefined)[]): string | undefined {
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) return undefined;
    if (STARTERS.test(word) || word.startsWith('-')) continue;
    if (/^\d+[smh]?$/.test(word) || /^\w+=/.test(word) || word === '{}') continue;
    if (RUNNERS.test(`${word} ${words[at + 1]}`)) {
      // A task's name is not a program's name.
      if (word !== 'uv' && word !== 'poetry' && words[at + 1] === 'run') return word;
      at += 1;
      continue;
    }
    break;
  }
  const name = words[at];
  return name?.includes('/') ? undefined : name?.replace(/@[\w.^~-]+$/, '');
}

/** Whether the words start a program that may answer a client. Undefined words are only known when it runs. */
export const knowsHooks = (words: readonly (string | undefined)[]): boolean => {
  const program = programOf(words);
  // It sends the event to a server and prints the response.
  const asks = program === 'curl' && words.some((word) => word?.endsWith('@-'));
  return program === undefined || asks || !OTHERS.has(program);
};

/** Whether the words start a program that prints nothing. */
export const printsNothing = (words: readonly (string | undefined)[]): boolean => {
  const program = programOf(words);
  return program !== undefined && QUIET.has(program);
};
