/** `mcp-hooks man`: the manual page, of the same commands, flags and examples that `--help` shows. */

import type { Command, Option } from 'commander';
import { EXIT_CODES, type Help, SERVERS } from '../messages/help.ts';
import { capital } from '../messages/output.ts';

/** The page as roff, for man(1). https://man7.org/linux/man-pages/man7/groff_man.7.html */
export function manualPage(
  cli: Command,
  helpOf: Readonly<Record<string, Help>>,
  version: string,
): string {
  const groupOf = (one: Command) => helpOf[one.name()]?.group ?? '';
  const groups = [...new Set(cli.commands.map(groupOf))];
  return [
    `.TH MCP\\-HOOKS 1 "" "mcp\\-hooks ${version}"`,
    '.SH NAME',
    `mcp\\-hooks \\- ${roff(cli.description())}`,
    '.SH SYNOPSIS',
    '\\fBmcp\\-hooks\\fR \\fIcommand\\fR [\\fIoptions\\fR]',
    '.SH SERVERS',
    ...asItIs(SERVERS),
    ...groups.flatMap((group) => [
      `.SH ${roff(group.replace(/:$/, '').toUpperCase())}`,
      ...cli.commands
        .filter((one) => groupOf(one) === group)
        .flatMap((one) => [
          `.SS ${roff(`${one.name()} ${one.usage()}`)}`,
          `${roff(capital(one.description()))}.`,
          ...cli.createHelp().visibleOptions(one).flatMap(option),
          ...asItIs(
            (helpOf[one.name()]?.examples ?? []).map((line) => `$ mcp-hooks ${line}`).join('\n'),
          ),
        ]),
    ]),
    '.SH EXIT STATUS',
    roff(EXIT_CODES.replace(/^Exit codes: /, '')),
    '',
  ].join('\n');
}

const option = (one: Option): string[] => [
  '.TP',
  `\\fB${roff(one.flags)}\\fR`,
  roff(one.description),
];

const asItIs = (text: string): string[] => ['.PP', '.nf', ...text.split('\n').map(roff), '.fi'];

/** A line of text; one that begins with a dot or an apostrophe would be a request. */
const roff = (line: string): string =>
  line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
