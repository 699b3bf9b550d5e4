/**
 * mcp-hooks: environment variables that decide what runs, not just what a program knows. When the value of one changes, the
 * server is another server, so the user sees the value as it is written, and a grant is bound to it. There is one list for
 * all clients; `install` asks the same functions (src/compile/steering.ts).
 */
'use strict';

/** Names; one that ends with `*` stands for all that begin so. Case does not matter, as on Windows, in npm and in curl. */
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
  // Which version of a program is meant. https://github.com/pyenv/pyenv#environment-variables, https://mise.jdx.dev/configuration.html
  'NVM_* NODENV_* FNM_* VOLTA_* ASDF_* MISE_* PYENV_* RBENV_* SDKMAN_*',
  // Compilers that installers call. https://www.gnu.org/software/make/manual/html_node/Implicit-Variables.html
  'CC CXX CPP LD AR AS MAKE MAKEFLAGS MFLAGS GNUMAKEFLAGS CFLAGS CXXFLAGS CPPFLAGS LDFLAGS CMAKE_* PKG_CONFIG*',
  // Containers. https://docs.docker.com/reference/cli/docker/#environment-variables, https://docs.podman.io/en/latest/markdown/podman.1.html
  // A kubeconfig can name a program. https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
  'DOCKER_* COMPOSE_* BUILDKIT_* CONTAINER_* CONTAINERS_* PODMAN_* KUBECONFIG',
  // Git, and programs that ask for a password. https://git-scm.com/docs/git#_environment_variables, https://man.openbsd.org/ssh.1#ENVIRONMENT
  'GIT_* SSH_ASKPASS SSH_ASKPASS_REQUIRE SSH_AUTH_SOCK SUDO_ASKPASS',
  // Programs that other programs start. https://man7.org/linux/man-pages/man7/environ.7.html, https://man7.org/linux/man-pages/man1/less.1.html
  'EDITOR VISUAL PAGER MANPAGER BROWSER LESS*',
  // https://pptr.dev/guides/configuration, https://playwright.dev/docs/browsers
  'PUPPETEER_* PLAYWRIGHT_* CHROME_PATH CHROME_BIN',
  // An AWS configuration can name a program. https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-envvars.html
  'AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE',
  // Which registry or host is asked, and whose certificates are trusted.
  // https://curl.se/docs/manpage.html#ENVIRONMENT, https://docs.openssl.org/master/man7/openssl-env/
  'HTTP_PROXY HTTPS_PROXY ALL_PROXY FTP_PROXY NO_PROXY WS_PROXY WSS_PROXY SOCKS_PROXY PROXY',
  'OPENSSL_* SSL_CERT_FILE SSL_CERT_DIR SSLKEYLOGFILE REQUESTS_CA_BUNDLE CURL_CA_BUNDLE CURL_HOME AWS_CA_BUNDLE',
];

/**
 * Names under which one of these programs gets a credential. It says who asks, not what runs, and may be renewed.
 * https://docs.npmjs.com/cli/configuring-npm/npmrc#auth-related-configuration,
 * https://docs.astral.sh/uv/reference/environment/
 */
const CREDENTIAL =
  /(?:token|passw(?:or)?d|passphrase|secret|username|[_:]_?auth|auth_config|[_:]_?key|access_key_id)$/i;

/**
 * A shell fills variables into its program, so these variables decide what runs, too. A name that speaks of a secret does
 * not count, as in `sh -c 'notes --key "$NOTES_KEY"'`.
 * https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_06_02
 * https://learn.microsoft.com/windows-server/administration/windows-commands/cmd,
 * https://docs.npmjs.com/cli/commands/npm-exec
 */
const SHELLS = [
  [/(?:^|[\\/])(?:[a-z]{0,2}sh|fish|busybox|env)(?:\.exe)?$|^-c$|^--call\b/i, /\$\{?[!#]?(\w+)/g],
  [/(?:^|[\\/])(?:powershell|pwsh)(?:\.exe)?$/i, /\$\{?env:(\w+)/gi],
  [/(?:^|[\\/])cmd(?:\.exe)?$/i, /[%!](\w+)/g],
];
const TELLING = /key|token|secret|passw|auth|credential|cookie|bearer|private/i;

// No regular expression: compiling one of this size takes longer than all the rest of a check.
const listed = STEERING.flatMap((names) => names.split(' '));
const whole = new Set(listed);
const beginnings = listed.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));

function isSteering(name) {
  const upper = name.toUpperCase();
  const isListed = whole.has(upper) || beginnings.some((beginning) => upper.startsWith(beginning));
  return isListed && !CREDENTIAL.test(name);
}

/** The names that a shell fills in, if one is among the words of a command. */
function filledIn(words) {
  const found = SHELLS.flatMap(([shell, reference]) =>
    words.some((word) => shell.test(word))
      ? words.flatMap((word) => [...word.matchAll(reference)].map(([, name]) => name))
      : [],
  );
  return new Set(found.filter((name) => !TELLING.test(name)).map((name) => name.toUpperCase()));
}

/** The server's variables that decide what runs, with their values as they are written, sorted by name. */
function steeringIn({ command, args = [], env = {} }) {
  const filled = filledIn([command, ...args]);
  return Object.entries(env)
    .filter(([name]) => isSteering(name) || filled.has(name.toUpperCase()))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Tells them from any others; undefined: there are none. */
function steeringMark(server) {
  const own = steeringIn(server);
  if (own.length === 0) return undefined;
  return require('node:crypto').createHash('sha256').update(JSON.stringify(own)).digest('hex');
}

module.exports = { isSteering, steeringIn, steeringMark };
