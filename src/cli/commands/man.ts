/** `mcp-hooks man` and `version`: the manual page, made of the same commands, flags and examples as `--help`. */

import type { Command as Commander } from 'commander';
import { EXIT_CODES, SERVERS } from '../../present/messages/help.ts';
import { capital } from '../../present/messages/output.ts';
import { toJson } from '../../system/visible.ts';
import { type Command, type Context, type Flags, inGroups, OK } from './command.ts';

export const man: Command = {
  name: 'man',
  group: 'Other',
  summary: 'print the manual page',
  examples: ['man | man -l -'],
  run: async (context: Context, { json }: Flags, { parent }: Commander) => {
    const page = parent ? manualPage(parent, context) : '';
    context.terminal.out(json ? toJson({ page }) : page);
    return OK;
  },
};

export const version: Command = {
  name: 'version',
  group: 'Other',
  summary: 'print the version',
  examples: ['version'],
  run: async (context: Context, { json }: Flags) => {
    const { terminal, version } = context;
    terminal.out(json ? toJson({ version }) : `${version}\n`);
    return OK;
  },
};

/** The page as roff, for man(1). https://man7.org/linux/man-pages/man7/groff_man.7.html */
function manualPage(cli: Commander, { commands = [], version }: Context): string {
  const words = cli.createHelp();
  const sectionOf = ({ name, summary, about, examples }: Command) => {
    const one = cli.commands.find((command) => command.name() === name) ?? cli;
    return [
      `.SS ${roff(`${name} ${one.usage()}`)}`,
      `${roff(capital(summary))}.`,
      ...words.visibleOptions(one).flatMap((option) => [
        '.TP',
        `\\fB${roff(option.flags)}\\fR`,
        // Includes the choices and the default.
        roff(words.optionDescription(option)),
      ]),
      ...paragraphs(about),
      ...asItIs(examples.map((line) => `$ mcp-hooks ${line}`).join('\n')),
    ];
  };
  return [
    `.TH MCP\\-HOOKS 1 "" "mcp\\-hooks ${version}"`,
    '.SH NAME',
    `mcp\\-hooks \\- ${roff(cli.description())}`,
    '.SH SYNOPSIS',
    '\\fBmcp\\-hooks\\fR \\fIcommand\\fR [\\fIoptions\\fR]',
    '.SH SERVERS',
    ...asItIs(SERVERS),
    ...inGroups(commands).flatMap((one) => [
      `.SH ${roff(one.group.toUpperCase())}`,
      ...one.commands.flatMap(sectionOf),
    ]),
    '.SH EXIT STATUS',
    roff(EXIT_CODES),
    '',
  ].join('\n');
}

/** Indented lines are kept as they are. The list of possible servers has its own section. */
function paragraphs(about: string | undefined): string[] {
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
