/**
 * From where a command loads code, for programs that run other code. A file there must be one that the user has seen. A command
 * that finds its code in the session's folder runs the project's code instead, which may be from an untrusted clone and
 * requires a separate grant. The words of any other program are data.
 */

/** A word, or the rest of it after an option, that names a file with code. */
export interface Place {
  readonly index: number;
  /** The index in the word at which the path begins. */
  readonly from: number;
}

export interface Loaded {
  readonly places: readonly Place[];
  /** Set if it runs code of its current folder, by its nature or as far as its words show. */
  readonly ofProject: boolean;
}

/** Options without dashes. One-letter options may be combined. */
interface Interpreter {
  readonly names: string;
  /** Options whose value names code. */
  readonly loads?: string;
  /** Options whose value is code, or the name of a module. */
  readonly code?: string;
  /** Options whose value is the next word and not code. */
  readonly values?: string;
  /** The value of such a letter is never in its own word, where other letters may follow it. */
  readonly valuesApart?: true;
  /** Letters that may be used alone or combined. With such letters, a long option has two dashes. */
  readonly letters?: string;
  /** A letter with an optional value, which is the rest of its word. */
  readonly suffixed?: string;
  readonly harmless?: RegExp;
  /** Those that take the next word as their value if they have none. */
  readonly valued?: RegExp;
  /** An option that can set many things, and the harmless ones among these. */
  readonly sets?: { readonly letter: string; readonly harmless: RegExp };
  /** Options that name the script. All words after them belong to the script. */
  readonly script?: string;
  /**
   * The first word is a program text instead of a file, and so are the values of these options. `isData`: the text runs nothing
   * else.
   */
  readonly program?: { readonly options?: string; readonly isData: (program: string) => boolean };
}

const SHELL: Omit<Interpreter, 'names'> = {
  values: 'o O',
  valuesApart: true,
  letters: 'abefhiklmnptuvxBCEHPT',
  code: 'c s command',
  loads: 'rcfile init-file',
  harmless: /^(?:login|noprofile|norc|posix|restricted|verbose)$/,
};

/**
 * Whether a sed program only edits: one replacement without `e`, or a harmless letter. Anything else may be `e`, which runs a
 * program.
 */
function isSedData(program: string): boolean {
  if (program.includes('\n')) return false;
  const command = program.trim().replace(/^(?:[\d$,]+|\/[^/\\]*\/)/, '');
  if (/^[pdDPqQ=gGhHxnNlz]$/.test(command)) return true;
  const [letter, end = ''] = command;
  if (letter !== 's' || /[\w\s\\]/.test(end)) return false;
  const parts = command.slice(2).replace(/\\./g, '').split(end);
  return parts.length === 3 && /^[gpiImM\d]*$/.test(parts[2] ?? '');
}

/**
 * Sources: https://nodejs.org/api/cli.html, https://docs.python.org/3/using/cmdline.html, https://man7.org/linux/man-pages/man1/bash.1.html,
 * https://docs.ruby-lang.org/en/master/ruby/options_md.html, https://perldoc.perl.org/perlrun, https://www.php.net/manual/features.commandline.options.php,
 * https://www.lua.org/manual/5.4/lua.html, https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html,
 * https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_pwsh, https://docs.julialang.org/en/v1/manual/command-line-interface/,
 * https://hexdocs.pm/elixir/main/scripting.html, https://www.gnu.org/software/gawk/manual/gawk.html#Options,
 * https://www.gnu.org/software/sed/manual/sed.html, https://jqlang.org/manual/
 */
const INTERPRETERS: readonly Interpreter[] = [
  {
    names: 'node nodejs',
    loads:
      'r require import loader experimental-loader env-file env-file-if-exists snapshot-blob openssl-config experimental-config-file icu-data-dir',
    code: 'e eval p print i interactive c check test run',
    values: 'C conditions title input-type stack-trace-limit unhandled-rejections disable-warning',
    harmless:
      /^(?:no-[\w-]+|trace-[\w-]+|enable-source-maps|throw-deprecation|pending-deprecation|expose[-_]gc|jitless|permission|allow-[\w-]+|use-(?:system|bundled|openssl)-ca|max[-_][\w-]+|stack[-_]size|dns-result-order|preserve-symlinks(?:-main)?|frozen-intrinsics|abort-on-uncaught-exception|experimental-(?:strip-types|transform-types|sqlite|vm-modules|wasm-modules|require-module|webstorage|websocket|fetch))$/,
    valued:
      /^(?:trace-event-[\w-]+|trace-require-module|allow-fs-[\w-]+|max[-_][\w-]+|stack[-_]size|dns-result-order)$/,
  },
  {
    names: 'python py pypy pythonw',
    code: 'c m',
    values: 'W X',
    sets: {
      letter: 'X',
      harmless:
        /^(?:dev|faulthandler|importtime|int_max_str_digits|no_debug_ranges|showrefcount|tracemalloc|utf8)(?:=|$)/,
    },
    letters: 'bBdEhiIOPqRsSuvx',
    harmless: /^$/,
  },
  { names: 'sh bash zsh dash ash ksh mksh rbash busybox-sh', ...SHELL },
  {
    names: 'fish',
    code: 'c command C init-command',
    values: 'd debug o debug-output f features',
    letters: 'ilnNPv',
    harmless: /^(?:no-config|no-execute|private)$/,
  },
  {
    names: 'ruby jruby truffleruby',
    loads: 'r I C X',
    code: 'e S x',
    values: 'E encoding external-encoding internal-encoding',
    letters: 'acdlnpsvwW',
    harmless: /^(?:disable|enable|yjit|jit|verbose|debug)$/,
    valued: /^(?:disable|enable)$/,
  },
  { names: 'perl', loads: 'I', code: 'e E M m x S D', letters: 'acfgnpstTuUvwWX' },
  {
    names: 'php',
    script: 'f file',
    loads: 'F process-file c php-ini z zend-extension t docroot',
    code: 'r run B process-begin R process-code E process-end d define S server a',
    letters: 'Cnqsw',
    harmless: /^(?:no-header|no-php-ini)$/,
  },
  { names: 'lua luajit', code: 'e l i', letters: 'EvW' },
  {
    names: 'julia',
    loads: 'L load J sysimage H home',
    code: 'e eval E print m project p procs',
    values: 't threads C cpu-target O optimize',
    letters: 'qi',
    harmless: /^(?:startup-file|history-file|quiet|color)$/,
    valued: /^(?:startup-file|history-file|color)$/,
  },
  {
    names: 'elixir iex',
    loads: 'r require pr pa pz erl-config',
    code: 'e eval rpc-eval S',
    harmless: /^(?:no-halt)$/,
  },
  { names: 'osascript', code: 'e', values: 'l s', letters: 'i' },
  {
    names: 'pwsh powershell',
    script: 'file f',
    loads: 'configurationfile psconsolefile settingsfile',
    code: 'command c commandwithargs cwa encodedcommand ec e ea',
    values: 'executionpolicy ex ep outputformat inputformat windowstyle w version',
    harmless: /^(?:noprofile|nop|nologo|noninteractive|noni|sta|mta)$/i,
  },
  {
    names: 'awk gawk mawk nawk original-awk',
    loads: 'f file i include l load E exec',
    values: 'v assign F field-separator',
    harmless: /^(?:posix|traditional|lint|csv|sandbox|re-interval)$/,
    letters: 'bcCkNPrtS',
    program: {
      options: 'e source',
      // `|` also pipes to and from programs, and `@` loads files and calls functions by name; `||` does not.
      isData: (program) => !/\bsystem\b|@|\||\bgetline\b/.test(program.replaceAll('||', '')),
    },
  },
  {
    names: 'sed gsed',
    loads: 'f file',
    values: 'l line-length',
    letters: 'nErszu',
    suffixed: 'i',
    // Not every other word: an option may be shortened, and `--expr` is code.
    harmless:
      /^(?:quiet|silent|debug|follow-symlinks|in-place|null-data|zero-terminated|posix|regexp-extended|separate|sandbox|unbuffered|binary|help|version)$/,
    program: { options: 'e expression', isData: isSedData },
  },
  {
    names: 'jq gojq jaq',
    loads: 'f from-file L library-path',
    letters: 'acCeMnrRsSj',
    harmless: /^.+$/,
    // A module is searched for in the current folder.
    program: { isData: (program) => !/\b(?:import|include)\s*"/.test(program) },
  },
];

/** Runs a compiled program. */
const JAVA = /^java(?:w)?$/;
const JAVA_LOADS =
  /^(?:-cp|-classpath|--class-path|-p|--module-path|--upgrade-module-path|--patch-module)$/;
const JAVA_JOINED =
  /^(?:--class-path=|--module-path=|--upgrade-module-path=|-javaagent:|-agentpath:|-Xbootclasspath(?:\/[ap])?:|-XX:Flags=|-XX:VMOptionsFile=|@)/;
const JAVA_HARMLESS =
  /^(?:-D(?!java\.(?:library|class|ext|security|system))[\w.]+(?:=.*)?|-X(?:m[nsx]|ss)\d+[kmgKMG]?|-(?:server|client|ea|da|esa|dsa)|-XX:[+-]?\w+(?:=\d+\w?)?|--enable-preview|--enable-native-access=.*)$/s;

/** Programs that start another program: its words come after their own options and assignments. */
const WRAPPERS =
  /^(?:env|nice|ionice|nohup|time|timeout|stdbuf|setsid|command|exec|chrt|taskset|unbuffer|caffeinate|sudo|doas)$/;

/** Those that take a duration, a priority or a mask first. */
const WITH_OPERAND = /^(?:timeout|chrt|taskset)$/;

/**
 * Programs that run code of the current folder, or follow its files: package and task runners, test runners, version control.
 */
const OF_PROJECT = new Set(
  `npx npm pnpm pnpx yarn yarnpkg bun bunx deno tsx ts-node ts-node-esm corepack nx turbo lerna rush lage
  uv uvx poetry pdm hatch pipenv pipx tox nox pytest py.test pre-commit invoke fab pip conda mamba pixi rye
  jest vitest mocha ava tap c8 nyc playwright cypress karma eslint stylelint vite webpack rollup esbuild gulp grunt next
  concurrently npm-run-all run-s run-p run-script-os cross-env dotenv wireit zx
  xonsh nu elvish csh tcsh osh ysh yash ion guile racket sbcl clisp ecl csi chez scheme gosh janet hy ipython octave gnuplot
  raku crystal mongosh
  husky lint-staged lefthook lintstaged commitlint babel babel-node swc-node nodemon
  make gmake cmake ctest ninja meson just task mage rake bazel bazelisk buck2 pants scons waf earthly dagger
  gradle gradlew mvn mvnw mvnd ant sbt mill lein clojure clj bb kotlin scala scala-cli groovy jbang
  cargo go swift dotnet msbuild nuget mix rebar3 dune opam stack cabal runghc runhaskell ghci nimble zig dart flutter pub
  r rscript littler mypy pylint flake8 sphinx-build rubocop markdownlint-cli2
  bundle bundler rails rspec jekyll composer phpunit artisan pest
  git hg jj docker-compose podman-compose vagrant terraform tofu ansible ansible-playbook pulumi
  nix nix-shell nix-build devbox devenv direnv mise asdf rtx
  cmd busybox xargs parallel watch entr script flock su tclsh wish expect vim vi nvim view ex ed emacs gdb lldb`.split(
    /\s+/,
  ),
);

/** Subcommands of docker and podman that read files of the folder. */
const BUILDS = /^(?:compose|build|buildx|bake|stack|kube|play)$/;

/** Names of files that an interpreter runs. If such a file is missing, it could be any file of the session's folder. */
export const SCRIPT = /\.(?:[cm]?[jt]s|py|sh|bash|zsh|fish|rb|pl|php|lua|ps1)$/;

/** Options of any program that run a file before the script. */
const PRELOADS = /^(?:-r|--require|--import|--loader|--experimental-loader|--preload|--plugin)$/;
const PRELOADS_JOINED = /^--(?:require|import|loader|experimental-loader|preload|plugin)=/;

/** A module of node itself, and code within the word, which can load any other module. */
const OWN_MODULE = /^node:/;
const IN_WORD = /^data:/i;

/** Where a command loads code. Pure: it does not check whether the files exist. */
export function loadedBy(words: readonly string[]): Loaded {
  const { places, ofProject } = loadedFrom(words, 0);
  const named = ({ index, from }: Place) => (words[index] ?? '').slice(from);
  const isFile = (place: Place) => !OWN_MODULE.test(named(place)) && !IN_WORD.test(named(place));
  return {
    places: places.filter(isFile),
    ofProject: ofProject || places.some((place) => IN_WORD.test(named(place))),
  };
}

/** `python` for `python3.12`. */
function withoutVersion(name: string): string {
  let end = name.length;
  while (end > 0 && '.-0123456789'.includes(name[end - 1] ?? '')) end--;
  return name.slice(0, end);
}

const nameOf = (word: string): string =>
  (word.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.(?:exe|cmd|bat)$/, '');

function loadedFrom(words: readonly string[], at: number): Loaded {
  const word = words[at] ?? '';
  const name = nameOf(word);
  const bare = withoutVersion(name);
  // A path may also be a script of the manifest that has the name of a program.
  const isKnown = !/^[^/\\]+[/\\]|^\.{1,2}[/\\]/.test(word);
  if (isKnown && WRAPPERS.test(name)) return wrapped(words, at);
  if (isKnown && (OF_PROJECT.has(name) || OF_PROJECT.has(bare)))
    return { places: scriptsIn(words, at), ofProject: true };
  if (/^(?:find|fd|fdfind)$/.test(name)) {
    // Letters of fd may be combined, and a value may be in the same word.
    const runs = name === 'find' ? /^-(?:exec|ok)/ : /^-(?:-exec|\w*[xX])/;
    return { places: [], ofProject: words.some((one) => runs.test(one)) };
  }
  if (/^(?:docker|podman|nerdctl)$/.test(name))
    return { places: [], ofProject: words.slice(at).some((word) => BUILDS.test(word)) };
  if (JAVA.test(name)) return ofJava(words, at);
  const interpreter = interpreterIn(word);
  if (interpreter) return interpreted(interpreter, words, at);
  // It may start another program, as strace does.
  const isStarter = words.slice(at + 1, -1).some((one) => interpreterIn(one) !== undefined);
  const runs = isStarter || (!WRITERS.test(name) && looksLikeCode(words.slice(at + 1)));
  return { places: scriptsIn(words, at), ofProject: runs };
}

/** Programs that only read, write or send their words. */
const WRITERS =
  /^(?:echo|printf|[efz]?grep|cat|head|tail|cut|tr|test|notify-send|terminal-notifier|logger|say|espeak|wall|curl|http|jo)$/;

/** Options of any program that name a program or contain code. */
const RUNS =
  /^--?(?:exec|execute|eval|evaluate|run|cmd|command|code|shell|rsh|pre|hook|to-command|checkpoint-action|(?:use-)?compress-program|rsync-path|rmt-command|info-script|proxycommand)(?:=|$)/i;

/** Short options that often do. They only count if the value is not a plain word. */
const MAY_RUN = /^-\w*[ce]$/;
const NO_PLAIN_WORD = /^\.{1,2}[\\/]|[\s;|&$`(){}<>'"!]/;

/** A command by which a program runs another one, a shell substitution, or a call that starts a program. */
const CODE =
  /^\s*(?:[!\\]|\.[a-z]+\s)|`|\$\(|\b(?:system|exec\w*|eval|popen|spawn\w*)\s*\(|^(?:-o)?\s*(?:proxy|local|knownhosts)command\b/i;

/** Whether the words for an unknown program contain code or a whole command line. */
const looksLikeCode = (words: readonly string[]): boolean =>
  words.some((word, index) => {
    if (RUNS.test(word) || CODE.test(word)) return true;
    if (MAY_RUN.test(words[index - 1] ?? '') && NO_PLAIN_WORD.test(word)) return true;
    const [first = '', ...others] = word.trim().split(/\s+/);
    return others.length > 0 && (/^\.{1,2}[\\/]/.test(first) || isProgram(first));
  });

const isProgram = (word: string): boolean =>
  /^[\w./-]+$/.test(word) &&
  word === word.toLowerCase() &&
  (OF_PROJECT.has(nameOf(word)) ||
    WRAPPERS.test(nameOf(word)) ||
    interpreterIn(word) !== undefined);

function interpreterIn(word: string): Interpreter | undefined {
  const name = nameOf(word);
  const known = [name, withoutVersion(name)];
  return INTERPRETERS.find(({ names }) =>
    names
      .toLowerCase()
      .split(' ')
      .some((one) => known.includes(one)),
  );
}

/** For unknown programs: words that look like scripts, and files after the usual options. */
function scriptsIn(words: readonly string[], at: number): Place[] {
  const isScript = (word: string, index: number) =>
    index > at && !word.startsWith('-') && SCRIPT.test(word);
  const isLoaded = (index: number) => PRELOADS.test(words[index - 1] ?? '');
  const script = words.findIndex((word, index) => isScript(word, index) && !isLoaded(index));
  return words.flatMap((word, index): Place[] => {
    if (index <= at) return [];
    const [option = ''] = PRELOADS_JOINED.exec(word) ?? [];
    if (option !== '') return [{ index, from: option.length }];
    return index === script || (isScript(word, index) && isLoaded(index))
      ? [{ index, from: 0 }]
      : [];
  });
}

/** A variable may load code, so a command that sets any but a few harmless ones counts as the project's. */
function wrapped(words: readonly string[], at: number): Loaded {
  const name = nameOf(words[at] ?? '');
  let ofProject = false;
  let hasOperand = WITH_OPERAND.test(name);
  for (let index = at + 1; index < words.length; index++) {
    const word = words[index] ?? '';
    if (/^[\w.]+=/.test(word))
      ofProject ||= !/^(?:LANG|LC_\w+|TZ|NO_COLOR|FORCE_COLOR|CI)=/.test(word);
    else if (word === '--' || /^-\d+$/.test(word) || (word === '-i' && name === 'env')) continue;
    else if (word.startsWith('-')) ofProject = true;
    else if (hasOperand) hasOperand = false;
    else {
      const inner = loadedFrom(words, index);
      const places = /^[^/].*\//s.test(word) ? [{ index, from: 0 }, ...inner.places] : inner.places;
      return { places, ofProject: ofProject || inner.ofProject };
    }
  }
  return { places: [], ofProject: true };
}

const has = (list: string | undefined, option: string): boolean =>
  list?.toLowerCase().split(' ').includes(option.toLowerCase()) === true;
const hasLetter = (list: string | undefined, letter: string): boolean =>
  list?.split(' ').includes(letter) === true;

function interpreted(of: Interpreter, words: readonly string[], at: number): Loaded {
  const places: Place[] = [];
  const done = (ofProject: boolean): Loaded => ({ places, ofProject });
  let isGiven = false;
  let index = at + 1;
  /** Takes an option's value: the rest of its word, or the next word. */
  const load = (rest: number | undefined) => {
    isGiven = true;
    if (rest !== undefined) places.push({ index, from: rest });
    else if (++index < words.length) places.push({ index, from: 0 });
  };
  for (; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '-') return done(true); // its stdin, which is the event
    if (word === '--' || !/^[-+]/.test(word)) {
      const first = word === '--' ? index + 1 : index;
      // Without a program from an option, the first word is the program.
      if (of.program) return done(!isGiven && !of.program.isData(words[first] ?? ''));
      if (first < words.length) places.push({ index: first, from: 0 });
      return done(false);
    }
    const [, typed = '', joined] = /^--?([A-Za-z][\w-]+)(=.*)?$/s.exec(word) ?? [];
    const long = typed.replaceAll('_', '-'); // node treats both the same
    const isLong =
      word.startsWith('--') ||
      (of.letters === undefined && long.length > 1 && isKnownLong(of, long));
    if (isLong) {
      const rest = joined === undefined ? undefined : word.indexOf('=') + 1;
      if (has(of.script, long)) {
        load(rest);
        return done(false);
      }
      if (has(of.loads, long)) load(rest);
      else if (has(of.program?.options, long)) {
        isGiven = true;
        const given = rest === undefined ? words[++index] : word.slice(rest);
        if (!of.program?.isData(given ?? '')) return done(true);
      } else if (has(of.code, long)) return done(true);
      else if (has(of.values, long)) index += joined === undefined ? 1 : 0;
      else if (!of.harmless?.test(long) || (joined === undefined && of.valued?.test(long)))
        return { places: scriptsIn(words, at), ofProject: true };
      continue;
    }
    for (let letter = 1; letter < word.length; letter++) {
      const one = word[letter] ?? '';
      const rest = letter + 1 < word.length ? letter + 1 : undefined;
      if (hasLetter(of.code, one)) return done(true);
      if (hasLetter(of.script, one)) {
        load(rest);
        return done(false);
      }
      if (hasLetter(of.program?.options, one)) {
        isGiven = true;
        const given = rest === undefined ? words[++index] : word.slice(rest);
        if (!of.program?.isData(given ?? '')) return done(true);
        break;
      }
      if (hasLetter(of.loads, one)) {
        load(rest !== undefined && word[rest] === '=' ? rest + 1 : rest);
        break;
      }
      if (of.suffixed === one) break;
      if (hasLetter(of.values, one)) {
        if (of.valuesApart && rest !== undefined) return done(true);
        const value = rest === undefined ? words[index + 1] : word.slice(rest);
        if (of.sets?.letter === one && !of.sets.harmless.test(value ?? '')) return done(true);
        if (rest === undefined) index++;
        break;
      }
      if (!of.letters?.includes(one)) return { places: scriptsIn(words, at), ofProject: true };
    }
  }
  // Without a program of its own, it reads one from stdin, which is the event.
  return done(!isGiven && !of.program);
}

const isKnownLong = (of: Interpreter, long: string): boolean =>
  [of.script, of.loads, of.code, of.values, of.program?.options].some((list) => has(list, long)) ||
  of.harmless?.test(long) === true;

function ofJava(words: readonly string[], at: number): Loaded {
  const places: Place[] = [];
  for (let index = at + 1; index < words.length; index++) {
    const word = words[index] ?? '';
    const [joined] = JAVA_JOINED.exec(word) ?? [];
    if (word === '-jar') {
      places.push({ index: index + 1, from: 0 });
      return { places, ofProject: false };
    }
    if (JAVA_LOADS.test(word)) places.push({ index: ++index, from: 0 });
    else if (joined !== undefined) places.push({ index, from: joined.length });
    else if (!word.startsWith('-')) {
      if (/\.java$/.test(word)) places.push({ index, from: 0 });
      // A class name, looked up in the given class path.
      return { places, ofProject: places.length === 0 };
    } else if (!JAVA_HARMLESS.test(word)) return { places, ofProject: true };
  }
  return { places, ofProject: true };
}
