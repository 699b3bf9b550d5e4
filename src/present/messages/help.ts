/** The texts of `--help` and the manual page that concern all commands. */

import { wrap } from '../../system/terminal.ts';

const DOCUMENTATION = 'https://github.com/mcp-hooks/mcp-hooks#readme';

interface Group {
  readonly group: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
}

/** The first screen: every command on one line, with the groups next to them. */
export function overview(about: string, groups: readonly Group[], columns: number): string {
  const all = groups.flatMap(({ commands }) => commands);
  const beside = 2 + Math.max(...groups.map(({ group }) => group.length));
  const name = 2 + Math.max(...all.map(({ name }) => name.length));
  const rows = groups.flatMap(({ group, commands }) =>
    commands.map((command, nth) => {
      const first = `${(nth === 0 ? group : '').padEnd(beside)}${command.name.padEnd(name)}`;
      return wrap(command.summary, columns, ' '.repeat(beside + name), first);
    }),
  );
  return [
    wrap(about, columns, ''),
    '',
    'Usage: mcp-hooks <command> [options]',
    '',
    ...rows,
    '',
    wrap('mcp-hooks <command> --help shows its options, with examples.', columns, ''),
    wrap(`Documentation: ${DOCUMENTATION}`, columns, ''),
    '',
  ].join('\n');
}

export const SERVERS = `<server> is one of
  a manifest, or a folder with one          ./annal.json
  the address of a server                   https://mcp.annal.example/mcp
  an npm package                            npm:annal
  a server that a client has configured     annal
  the command that starts it, after --      --name annal -- uvx annal
Without one: the mcp-hooks.json of this project, for its folder only`;

export const ALLOWED = `Without a grant, hooks only show texts. With --allow they may also
  required      word a text as a requirement
  context-tool  call a tool of the server, and show its reply
  block         stop a call, a prompt or the end of a turn
  modify        change what a tool gets or returns
  command       run a program
  project-code  run code of the project that the session is in
  policy        use what your policy.json allows this label`;

/** The meaning of exit code 1, by command. */
export const FOUND: Readonly<Record<string, string>> = {
  diff: 'something would change',
  'build --check': 'the output is stale',
  'doctor and verify': 'a hook does not fire',
  conformance: 'a case fails',
  import: 'entries were found, but none could become a hook',
  'stats --otlp': 'the metrics could not be sent',
};

const found = Object.entries(FOUND).map(([command, meaning]) => `${command}: ${meaning}`);

export const EXIT_CODES = `0 done or nothing to do; 1 ${found.join(', ')}; 2 refused, declined or wrong usage; 130 stopped with ctrl-C.`;

const IN_COLUMNS = /^( {2}\S.*?) {2,}(?=\S)/;

/**
 * Fits the text to the terminal. Indented lines are either commands to copy, which are unchanged, or two columns: in a narrow
 * terminal, the second column goes below the first.
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
