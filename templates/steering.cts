/**
 * mcp-hooks: environment variables that decide what runs, not just what a program knows, and values that pass on variables of
 * the user. A changed value means a different server, so the user sees the value as written, and a grant is bound to it. There
 * is one list for all clients. `install` uses the same functions (src/compile/steering.ts).
 */

/** Names; a `*` at the end matches any rest. Case is ignored, as on Windows, in npm and in curl. */
const STEERING = [
  // The dynamic linker and the C library: libraries that are loaded into every program.
  // https://man7.org/linux/man-pages/man8/ld.so.8.html, https://keith.github.io/xcode-man-pages/dyld.1.html
  'LD_* DYLD_* LIBPATH SHLIB_PATH GLIBC_TUNABLES GCONV_PATH LOCPATH HOSTALIASES RESOLV_* RES_OPTIONS',
  // Where a command and its files are found.
  // https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html, https://specifications.freedesktop.org/basedir-spec/latest/
  // https://learn.microsoft.com/windows-server/administration/windows-commands/path
  'PATH PATHEXT HOME PWD SHELL TMPDIR TMP TEMP TEMPDIR XDG_*',
  'COMSPEC SYSTEMROOT WINDIR USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES* PSMODULEPATH',
  // Shells. https://www.gnu.org/software/bash/manual/html_node/Bash-Variables.html, https://zsh.sourceforge.io/Doc/Release/Files.html
  'ENV BASH_* SHELLOPTS BASHOPTS PS4 IFS CDPATH PROMPT_COMMAND ZDOTDIR FPATH',
  // Node.js, and what compiles for it. https://nodejs.org/api/cli.html#environment-variables-1
  // https://typestrong.org/ts-node/docs/options/, https://www.electronjs.org/docs/latest/api/environment-variables
  'NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED NODE_REPL_EXTERNAL_MODULE NODE_COMPILE_CACHE NODE_ICU_DATA',
  'NODE_USE_ENV_PROXY NODE_USE_SYSTEM_CA NODE_V8_COVERAGE NODE_REDIRECT_WARNINGS NODE_PRESERVE_SYMLINKS* NODE_GYP_*',
  'TS_NODE_* TSX_* ELECTRON_*',
  // npm reads its configuration from the environment in either case. https://docs.npmjs.com/cli/using-npm/config#environment-variables
  // https://pnpm.io/settings, https://yarnpkg.com/configuration/yarnrc, https://github.com/nodejs/corepack#environment-variables
  'NPM_CONFIG_* NPM_EXECPATH NPM_NODE_EXECPATH PNPM_* YARN_* COREPACK_*',
  // https://bun.com/docs/runtime/environment-variables, https://docs.deno.com/runtime/reference/env_variables/
  'BUN_* DENO_*',
  // Python and its installers. https://docs.python.org/3/using/cmdline.html#environment-variables, https://docs.astral.sh/uv/reference/environment/
  // https://pip.pypa.io/en/stable/topics/configuration/#environment-variables, https://pipx.pypa.io/stable/
  'PYTHON* __PYVENV_LAUNCHER__ VIRTUAL_ENV UV_* PIP_* PIPX_* PIPENV_* POETRY_* PDM_* HATCH_* CONDA_*',
  // https://docs.ruby-lang.org/en/master/language/environment_variables_rdoc.html, https://bundler.io/man/bundle-config.1.html
  'RUBY* GEM_* GEMRC BUNDLE_* BUNDLER_*',
  // https://perldoc.perl.org/perlrun#ENVIRONMENT
  'PERL5* PERLLIB PERL_*',
  // https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html#using-the-jdk_java_options-launcher-environment-variable
  'JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_OPTIONS JAVA_OPTS JVM_OPTS MAVEN_OPTS GRADLE_OPTS SBT_OPTS KOTLIN_OPTS',
  'JAVA_HOME JDK_HOME JRE_HOME M2_HOME MAVEN_HOME GRADLE_USER_HOME CLASSPATH MAVEN_ARGS JBANG_*',
  // https://www.php.net/manual/configuration.file.php, https://getcomposer.org/doc/03-cli.md#environment-variables
  'PHP* COMPOSER_*',
  // https://www.lua.org/manual/5.4/manual.html#7
  'LUA_*',
  // https://pkg.go.dev/cmd/go#hdr-Environment_variables
  'GOFLAGS GOPATH GOROOT GOBIN GOENV GOWORK GOTOOLCHAIN GOPROXY GONOPROXY GOSUMDB GONOSUMDB GOPRIVATE GOINSECURE GOVCS',
  'GOCACHE GOMODCACHE GOCACHEPROG GOAUTH GODEBUG GOTMPDIR CGO_*',
  // https://doc.rust-lang.org/cargo/reference/environment-variables.html, https://rust-lang.github.io/rustup/environment-variables.html
  'CARGO CARGO_* RUSTC RUSTC_* RUSTDOC RUSTFLAGS RUSTUP_*',
  // https://learn.microsoft.com/dotnet/core/tools/dotnet-environment-variables
  'DOTNET_* CORECLR_* COR_* COMPLUS_* NUGET_* MSBUILD*',
  // https://docs.julialang.org/en/v1/manual/environment-variables/, https://www.erlang.org/doc/apps/erts/erl_cmd.html
  // https://stat.ethz.ch/R-manual/R-devel/library/base/html/Startup.html, https://nix.dev/manual/nix/latest/command-ref/env-common
  'JULIA_* ERL_* ELIXIR_* MIX_* R_HOME R_LIBS* R_PROFILE* R_ENVIRON* NIX_*',
  // Which version of a program is used. https://github.com/pyenv/pyenv#environment-variables,
  // https://mise.jdx.dev/configuration.html
  'NVM_* NODENV_* FNM_* VOLTA_* ASDF_* MISE_* PYENV_* RBENV_* SDKMAN_*',
  // Compilers that installers call. https://www.gnu.org/software/make/manual/html_node/Implicit-Variables.html
  'CC CXX CPP LD AR AS MAKE MAKEFLAGS MFLAGS GNUMAKEFLAGS CFLAGS CXXFLAGS CPPFLAGS LDFLAGS CMAKE_* PKG_CONFIG*',
  // Containers. https://docs.docker.com/reference/cli/docker/#environment-variables, https://docs.podman.io/en/latest/markdown/podman.1.html
  // A kubeconfig can name a program. https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
  'DOCKER_* COMPOSE_* BUILDKIT_* CONTAINER_* CONTAINERS_* PODMAN_* KUBECONFIG',
  // Git, and programs that ask for a password. https://git-scm.com/docs/git#_environment_variables, https://man.openbsd.org/ssh.1#ENVIRONMENT
  'GIT_* SSH_ASKPASS SSH_ASKPASS_REQUIRE SSH_AUTH_SOCK SUDO_ASKPASS',
  // https://git-annex.branchable.com/git-annex/, https://www.mercurial-scm.org/help/topics/environment, https://svnbook.red-bean.com/en/1.7/svn.advanced.confarea.html
  // https://download.samba.org/pub/rsync/rsync.1, https://www.gnu.org/software/trans-coord/manual/cvs/html_node/Environment-variables.html
  'HG HGRCPATH HGEDITOR HGMERGE HGPLAIN* SVN_SSH SVN_EDITOR RSYNC_RSH RSYNC_CONNECT_PROG RSYNC_PROXY CVS_RSH CVS_SERVER CVSEDITOR',
  // Options that a program reads before those of its command line. https://www.gnu.org/software/tar/manual/tar.html#TAR_005fOPTIONS,
  // https://www.gnu.org/software/gzip/manual/gzip.html#Environment, https://infozip.sourceforge.net/,
  // https://www.gnu.org/software/grep/manual/grep.html#Environment-Variables, https://man7.org/linux/man-pages/man1/xz.1.html#ENVIRONMENT
  'TAR_OPTIONS TAPE ZIPOPT ZIP UNZIP UNZIPOPT ZIPINFO* GZIP XZ_OPT XZ_DEFAULTS BZIP BZIP2 ZSTD_* GREP_OPTIONS POSIXLY_CORRECT',
  'WGETRC SYSTEM_WGETRC CURLOPT_* RIPGREP_CONFIG_PATH BAT_CONFIG_* FZF_* JQ_* ACKRC ACK_*',
  // https://www.gnu.org/software/gawk/manual/gawk.html#Environment-Variables, https://www.tcl-lang.org/man/tcl8.6/TclCmd/tclvars.htm
  'AWKPATH AWKLIBPATH GAWK* TCLLIBPATH TCL_* TK_LIBRARY AUTO_PATH',
  // https://vimhelp.org/starting.txt.html, https://www.gnu.org/software/emacs/manual/html_node/emacs/General-Variables.html
  'VIM VIMINIT VIMRUNTIME MYVIMRC EXINIT GVIMINIT NVIM_* EMACS* ALTERNATE_EDITOR FCEDIT NEX_INIT',
  // https://man7.org/linux/man-pages/man1/man.1.html#ENVIRONMENT, https://man7.org/linux/man-pages/man5/terminfo.5.html
  // https://www.gnu.org/software/groff/manual/, https://tug.org/texinfohtml/kpathsea.html, https://tiswww.cwru.edu/php/chet/readline/rltop.html
  'MANOPT MANPATH MANROFFSEQ MANWIDTH GROFF_* TERMINFO* TERMCAP TEXINPUTS TEXMF* TEXMFCNF BIBINPUTS INPUTRC',
  // https://docs.ansible.com/ansible/latest/reference_appendices/config.html, https://developer.hashicorp.com/terraform/cli/config/environment-variables
  'ANSIBLE_* TF_CLI_* TF_PLUGIN_* TF_REATTACH_PROVIDERS TF_DATA_DIR',
  // https://ocaml.org/manual/5.2/runtime.html, https://www.gnu.org/software/guile/manual/html_node/Environment-Variables.html
  // https://docs.racket-lang.org/reference/, https://www.sbcl.org/manual/, https://downloads.haskell.org/ghc/latest/docs/users_guide/
  'OCAML* CAML* OPAM* DUNE_* GUILE_* SCHEME* CHICKEN_* PLT* RACKET* SBCL_* GHC* STACK_* CABAL_* HASKELL_*',
  // https://dart.dev/tools/pub/environment-variables, https://www.swift.org/documentation/, https://deno.com, https://bazel.build/reference/command-line-reference
  'DART_* PUB_* FLUTTER_* SWIFT_* SWIFTPM_* BAZEL_* BUCK_* GRADLE_* NX_* TURBO_* HUSKY* PRE_COMMIT* DIRENV_* JUST_*',
  // https://docs.pytest.org/en/stable/reference/reference.html#environment-variables, https://ipython.readthedocs.io, https://docs.jupyter.org
  'PYTEST_* TOX_* NOX_* IPYTHON* JUPYTER_* MYPY* DJANGO_SETTINGS_MODULE FLASK_APP',
  // Programs that other programs start. https://man7.org/linux/man-pages/man7/environ.7.html, https://man7.org/linux/man-pages/man1/less.1.html
  'EDITOR VISUAL PAGER MANPAGER SYSTEMD_* BROWSER LESS*',
  // https://pptr.dev/guides/configuration, https://playwright.dev/docs/browsers
  'PUPPETEER_* PLAYWRIGHT_* CHROME_PATH CHROME_BIN',
  // An AWS configuration can name a program. https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-envvars.html
  'AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE',
  // Which registry or host is contacted, and whose certificates are trusted.
  // https://curl.se/docs/manpage.html#ENVIRONMENT, https://docs.openssl.org/master/man7/openssl-env/
  'HTTP_PROXY HTTPS_PROXY ALL_PROXY FTP_PROXY NO_PROXY WS_PROXY WSS_PROXY SOCKS_PROXY PROXY',
  'OPENSSL_* SSL_CERT_FILE SSL_CERT_DIR SSLKEYLOGFILE REQUESTS_CA_BUNDLE CURL_CA_BUNDLE CURL_HOME AWS_CA_BUNDLE',
];

/**
 * Names under which one of these programs gets a credential. A credential identifies the user, does not decide what runs, and
 * may be renewed.
 * https://docs.npmjs.com/cli/configuring-npm/npmrc#auth-related-configuration,
 * https://docs.astral.sh/uv/reference/environment/
 */
const CREDENTIAL =
  /(?:token|passw(?:or)?d|passphrase|secret|username|[_:]_?auth|auth_config|[_:]_?key|access_key_id)$/i;

/** Programs that take code as an argument, and the options before it. `.`: any argument may be code. */
const INLINE: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [
    /^(?:[a-z]{0,4}sh|busybox|su|script|flock|env|npx|npm|pnpm|yarn|nix|nix-shell|nix-develop)$/,
    /^-[A-Za-z]*[cS]|^--(?:call|command|run|split-string)\b/,
  ],
  [
    /^(?:node|nodejs|bun|deno|tsx|ts-node|electron)$/,
    /^-[A-Za-z]*[ep](?!-)|^--(?:eval|print)\b|^eval$/,
  ],
  [/^(?:python|pythonw|pypy|py)$/, /^-[A-Za-z]*c/],
  [
    /^(?:perl|ruby|jruby|lua|luajit|rscript|r|julia|elixir|osascript|scala|groovy|php|rust-script)$/,
    /^-[A-Za-z\d]*[eErRBn]|^--(?:eval|print|run)\b/,
  ],
  [/^(?:pwsh|powershell)$/, /^-(?!f)/i],
  [
    /^(?:awk|gawk|mawk|nawk|make|gmake|xargs|parallel|expect|tclsh|emacs|vim|vi|nvim|gdb|lldb)$/,
    /./,
  ],
];

/** The Windows shell only fills variables into its arguments, which are usually the command line of another program. */
const CMD = { program: /^cmd$/, reference: /[%!](\w+)/g };

/**
 * Letters and digits in one piece, or a token of a known form. It is not a command, a path or code, so it may stay hidden
 * unless the code refers to it.
 */
const CREDENTIAL_SHAPE =
  /^(?=(?:\D*\d){2})(?=.*[A-Za-z])[\w~+=-]{16,400}$|^eyJ[\w-]{8,4000}(?:\.[\w-]{1,4000}){1,2}$/;

// No regular expression: compiling one of this size takes longer than the rest of the check.
const listed = STEERING.flatMap((names) => names.split(' '));
const exactNames = new Set(listed);
const beginnings = listed.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));

export function isSteering(name: string): boolean {
  const upper = name.toUpperCase();
  const isListed =
    exactNames.has(upper) || beginnings.some((beginning) => upper.startsWith(beginning));
  return isListed && !CREDENTIAL.test(name);
}

/** The name of a program without its folder and version: `python` for `/usr/bin/python3.12`. */
function nameOf(word: string): string {
  const name = word.slice(1 + Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')));
  if (name.length > LONGEST_NAME) return '';
  const lower = name.toLowerCase().replace(/\.(?:exe|cmd|bat)$/, '');
  let end = lower.length;
  while (end > 0 && '.-0123456789'.includes(lower.charAt(end - 1))) end--;
  return lower.slice(0, end);
}
const LONGEST_NAME = 64;

/** Whether an argument is code for a shell or an interpreter, which can read any variable. */
export function hasCode(words: readonly string[]): boolean {
  if (HIDDEN.test(nameOf(words[0] ?? ''))) return true; // any program, even a shell
  const options = new Set<RegExp>();
  for (const word of words) {
    for (const option of options) if (option.test(word)) return true;
    const name = nameOf(word);
    for (const [program, option] of INLINE) if (program.test(name)) options.add(option);
  }
  return false;
}
const HIDDEN = /[$%}]/;

/**
 * Returns a test whether a variable may be code. Variables that the arguments refer to may be, whatever their name and value.
 * If an argument is code, so may be any variable that is not shaped like a credential.
 */
function steers(words: readonly string[]): (name: string, value: string) => boolean {
  const isCode = hasCode(words);
  const isShell = words.some((word) => CMD.program.test(nameOf(word)));
  const pattern = isCode ? /\w+/g : CMD.reference;
  const all = isCode || isShell ? words : [];
  const referred = new Set(
    all.flatMap((word) =>
      [...word.matchAll(pattern)].map(([found, name = found]) => name.toUpperCase()),
    ),
  );
  // It is unknown what other programs do with an argument. Some run it and fill in variables.
  const named = new Set(
    words.flatMap((word) => [...word.matchAll(NAMED)].map(([, name = '']) => name.toUpperCase())),
  );
  return (name, value) =>
    isSteering(name) ||
    referred.has(name.toUpperCase()) ||
    ((isCode || named.has(name.toUpperCase())) && !CREDENTIAL_SHAPE.test(value));
}
const NAMED = /(?:\$\{?(?:env:)?|\{env:|[%!])([A-Za-z_]\w*)/g;

/** Variables or headers with their values. */
type Values = [name: string, value: string][];

/** How a server is started. */
export interface Started {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The server's variables that decide what runs, with their values as written, sorted by name. */
export function steeringIn({ command, args = [], env = {} }: Started): Values {
  const own = Object.entries(env);
  if (own.length === 0) return [];
  const isOne = steers([command, ...args]);
  return sorted(own.filter(([name, value]) => isOne(name, value)));
}

/** Identifies these variables and values; undefined: there are none. */
export const steeringMark = (server: Started): string | undefined => markOf(steeringIn(server));

/**
 * Values that pass on variables of the user, as written: clients fill in what comes after a `$` or is in `{env:}`. They show
 * who gets which of the user's secrets.
 */
export const passingIn = (values: Readonly<Record<string, string>> = {}): Values =>
  sorted(Object.entries(values).filter(([, value]) => REFERENCE.test(value)));
const REFERENCE = /\$|\{env:/;

export const passingMark = (values: Readonly<Record<string, string>>): string | undefined =>
  markOf(passingIn(values));

/** Identifies the current values of the user's variables. */
export const valuesMark = (
  names: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined => markOf(names.map((name) => [name, environment[name] ?? null]));

const sorted = (entries: Values): Values => entries.sort(([a], [b]) => (a < b ? -1 : 1));

function markOf(entries: readonly unknown[]): string | undefined {
  if (entries.length === 0) return undefined;
  return require('node:crypto').createHash('sha256').update(JSON.stringify(entries)).digest('hex');
}
