/** `mcp-hooks man`: the manual page, of the same commands, flags and examples that `--help` shows. */

import type { Command } from 'commander';
import { EXIT_CODES, type Help, SERVERS } from '../../present/messages/help.ts';
import { capital } from '../../present/messages/output.ts';

/** The page as roff, for man(1). https://man7.org/linux/man-pages/man7/groff_man.7.html */
export function manualPage(
  cli: Command,
  helpOf: Readonly<Record<string, Help>>,
  version: string,
): string {
  const groupOf = (one: Command) => helpOf[one.name()]?.group ?? '';
  const groups = [...new Set(cli.commands.map(groupOf))];
  const words = cli.createHelp();
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
          ...words.visibleOptions(one).flatMap((option) => [
            '.TP',
            `\\fB${roff(option.flags)}\\fR`,
            // With its choices and its default.
            roff(words.optionDescription(option)),
          ]),
          ...aboutIn(helpOf[one.name()]),
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

/** Paragraphs; indented lines stay as they are. The list of what a server can be has its own section. */
function aboutIn({ about }: Partial<Help> = {}): string[] {
  if (about === undefined || about === SERVERS) return [];
  const lines = about.split('\n').flatMap((line) => {
    if (line === '') return '.PP';
    return line.startsWith('  ') ? ['.nf', roff(line), '.fi'] : roff(line);
  });
  return ['.PP', ...lines];
}

const asItIs = (text: string): string[] => ['.PP', '.nf', ...text.split('\n').map(roff), '.fi'];

/** A line of text. A dot or an apostrophe at its start would be a roff request. */
const roff = (line: string): string =>
  line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
