/** What `--help` shows besides the flags: the groups of commands, and examples for each. */

import { wrap } from '../../system/terminal.ts';

export interface Help {
  readonly group: string;
  /** What follows `mcp-hooks`. */
  readonly examples: readonly string[];
  /** A paragraph before the examples. */
  readonly about?: string;
}

const SET_UP = 'Set up:';
const CHECK = 'Check:';
const AUTHOR = 'Author:';
const OTHER = 'Other:';

export const SERVERS = `<server> is one of
  a manifest, or a folder with one          ./annal.json
  the address of a server                   https://mcp.annal.example/mcp
  an npm package                            npm:annal
  a server that a client has configured     annal
  the command that starts it, after --      --name annal -- uvx annal`;

/** What exit code 1 means, by command. */
export const FOUND: Readonly<Record<string, string>> = {
  diff: 'something would change',
  'build --check': 'the output is stale',
  'doctor and verify': 'a hook would not fire',
  conformance: 'a case fails',
  import: 'entries were found, but none could become a hook',
  'stats --otlp': 'the metrics could not be sent',
};

const found = Object.entries(FOUND).map(([command, meaning]) => `${command}: ${meaning}`);

export const EXIT_CODES = `Exit codes: 0 done or nothing to do; 1 ${found.join(', ')}; 2 refused, declined or wrong usage; 130 left with ctrl-C.`;

const COMPLETION = `To have it in every new shell, add this line to ~/.bashrc:
  source <(mcp-hooks completion bash)
or this one to ~/.zshrc, after compinit:
  source <(mcp-hooks completion zsh)`;

const CONFORMANCE =
  'Without a command, the engine of mcp-hooks is tested. A command is started once for each case, and once for its twin. It reads JSON with "label", "manifest", "policy", "allow", "session" (what has happened before) and "event" from standard input, and prints the response envelope. The cases are in the folder conformance of the package.';

const SCHEMA =
  'The package contains it as schema/manifest.json. An editor completes and checks a manifest that begins with "$schema": "./node_modules/mcp-hooks/schema/manifest.json", or with the path of a file that you print the schema to.';

const INIT =
  'It asks the server for its tools and proposes up to three hooks: recall calls a tool at the start of a session, note names one after a commit, summary one after a turn. Without a server, it takes the package in this folder. Without a terminal, it only prints what it would write, unless you pass --yes.';
const IMPORT =
  "It runs nothing that the files contain. Without a file, it reads the files of the clients found here, yours and this folder's. It prints the draft on standard output and what became of each entry on standard error; with --out, it writes the draft to that file.";

const TRIED =
  'Instead of the label, you can give the path of a manifest that is not installed, or after -- the command of a server: its hooks are installed in a scratch home and tried there. Hooks that need a grant are tried only with --allow.';

/** @param native The name of `post_tool_use` in the first client. */
const events = (
  native: string,
) => `An event is one that declarations name (post_tool_use), or a client's own (${native}).
Every run is a new session, which is forgotten afterwards; with a "session_id" in the payload it is that session, and what was shown is remembered. Hooks run in the current folder, or in your home folder if they call a tool and the client does not trust the current one; {project_name} is the name of that folder. With --times the event happens that often in one session, for hooks with "repeat", "once" or "cooldown". Each time is another call; several --tool or --input take turns.

${TRIED}`;

/**
 * @param native The name of `post_tool_use` in the first client.
 * @param ids Client ids for the examples.
 */
export const help = (
  native: string,
  [one = '', other = '']: readonly string[],
): Readonly<Record<string, Help>> => ({
  install: {
    group: SET_UP,
    about: SERVERS,
    examples: [
      'install ./annal.json',
      'install npm:annal --allow context-tool',
      `install https://mcp.annal.example/mcp --client ${one},${other} --yes`,
      'install --name annal -- uvx annal',
    ],
  },
  diff: {
    group: SET_UP,
    about: SERVERS,
    examples: ['diff ./annal.json', 'diff annal'],
  },
  update: { group: SET_UP, examples: ['update', 'update annal notes --yes'] },
  uninstall: { group: SET_UP, examples: ['uninstall annal', 'uninstall --all --yes'] },
  trust: { group: SET_UP, examples: ['trust annal'] },
  scan: { group: SET_UP, examples: ['scan', `scan --from ${one}`] },
  login: { group: SET_UP, examples: ['login https://mcp.annal.example/mcp'] },
  logout: { group: SET_UP, examples: ['logout https://mcp.annal.example/mcp'] },
  list: { group: CHECK, examples: ['list', 'list annal --json'] },
  doctor: { group: CHECK, examples: ['doctor', 'doctor annal --servers'] },
  verify: {
    group: CHECK,
    about: TRIED,
    examples: [
      'verify annal',
      'verify annal --live',
      `verify ./annal.json --live --allow context-tool --client ${one},${other}`,
      'verify --name annal -- uvx annal',
    ],
  },
  fire: {
    group: CHECK,
    about: events(native),
    examples: [
      `fire annal post_tool_use --tool Bash --input '{"command":"git commit -m x"}'`,
      `fire ./annal.json session_start --client ${other}`,
      'fire ./guard.json post_tool_use --tool Bash --failed --times 3',
      'fire ./guard.json post_tool_use --tool Read --tool Edit --times 6',
    ],
  },
  log: { group: CHECK, examples: ['log annal --failed', 'log --decisions', 'log --last 0 --json'] },
  stats: {
    group: CHECK,
    examples: ['stats annal --days 7', 'stats --json', 'stats --otlp http://localhost:4318'],
  },
  matrix: { group: CHECK, examples: ['matrix', `matrix --client ${one}`] },
  init: {
    group: AUTHOR,
    about: INIT,
    examples: [
      'init notes',
      'init npm:@modelcontextprotocol/server-memory --hooks recall,note',
      'init --yes --out notes.json -- node build/server.js',
    ],
  },
  validate: {
    group: AUTHOR,
    examples: [
      'validate annal.json',
      'validate annal.json --strict --server',
      'validate annal.json --sarif > annal.sarif',
    ],
  },
  schema: { group: AUTHOR, about: SCHEMA, examples: ['schema > manifest.schema.json'] },
  build: {
    group: AUTHOR,
    examples: [
      'build annal.json --out dist-hooks',
      `build package.json --out dist-hooks --target ${one},npm`,
      'build annal.json --out dist-hooks --check',
      'build annal.json --out dist-hooks --target fleet',
    ],
  },
  import: {
    group: AUTHOR,
    about: IMPORT,
    examples: [
      'import --out mcp-hooks.json',
      `import --client ${other}`,
      `import ./team-hooks.json --client ${one}`,
    ],
  },
  conformance: {
    group: AUTHOR,
    about: CONFORMANCE,
    examples: ['conformance', 'conformance --topic decisions -- node my-hooks.mjs'],
  },
  version: { group: OTHER, examples: ['version'] },
  man: { group: OTHER, examples: ['man | man -l -'] },
  completion: {
    group: OTHER,
    about: COMPLETION,
    examples: ['completion fish > ~/.config/fish/completions/mcp-hooks.fish'],
  },
});

const IN_COLUMNS = /^( {2}\S.*?) {2,}(?=\S)/;

/**
 * Fits the text to the terminal. Indented lines are commands to copy, which stay as they are, or two columns: in a narrow
 * terminal the second goes below the first.
 */
export function fitted(text: string, columns: number): string {
  const lines = text.split('\n');
  const isNarrow = lines.some((line) => IN_COLUMNS.test(line) && line.length > columns);
  return lines
    .map((line) => {
      if (!line.startsWith('  ')) return wrap(line, columns, '');
      return isNarrow ? line.replace(IN_COLUMNS, '$1\n      ') : line;
    })
    .join('\n');
}

export const examples = (lines: readonly string[]): string =>
  ['Examples:', ...lines.map((line) => `  $ mcp-hooks ${line}`)].join('\n');
