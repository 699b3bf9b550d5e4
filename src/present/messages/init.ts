/** The questions and output of `init`. */

import type { Usual } from '../../sources/draft/manifest.ts';
import { count } from '../../system/plurals.ts';
import { inLine } from '../../system/visible.ts';

const MOMENT: Readonly<Record<Usual, string>> = {
  recall: 'recall saved notes when a session starts',
  note: 'a note after a commit',
  summary: 'a summary after a turn',
  lookup: 'the tools that list what there is, after a failed call',
};

export const initMessages = {
  whichServer:
    'Which server? A configured name, npm:<package>, an address, or the command that starts it:',
  whichHooks: 'Which hooks?',
  hook: (usual: Usual, tool: string | undefined) =>
    `${MOMENT[usual]}${tool === undefined ? '' : `, by ${inLine(tool, 100)}`}`,
  noTool: 'none: mention the tools in a text',
  whatFor: (tool: string, argument: string) =>
    `${inLine(tool, 100)} needs ${inLine(argument, 100)}:`,
  moments: ['at the start of each session', 'before each prompt'],
  writeQuestion: (file: string) => `Write ${inLine(file)}?`,
  intoFile: (file: string) => `This goes into ${inLine(file)}:`,
  written: (file: string, label: string, hooks: number) =>
    `${inLine(file)} is written: ${label} with ${count(hooks, 'hook')}.`,
  howToWrite: 'Nothing was written. To write it, run the same command with --yes.',
  tryIt: 'Try it:',
  declaresItself: (label: string, hooks: number, install: string) =>
    `${label} already declares ${count(hooks, 'hook')}; a manifest replaces ${hooks === 1 ? 'it' : 'them'}. To install what ${label} declares: ${install}`,
  notAll: 'Not all of its tools could be read.',
  notConfigured: (server: string) =>
    `No client here has configured this server. Its hooks name its tools as those of "${inLine(server, 100)}": configure it under this name, or pass the name that it has with --name.`,
  catalogued: (name: string, install: string) =>
    `mcp-hooks' catalogue (${name}) has hooks for this server, so it was not asked for its tools. You need a manifest only to change them. To draft others, choose them with --hooks. To install these as they are: ${install}`,
  byHand: (label: string) =>
    `The descriptions of the tools of ${inLine(label, 100)} justify no hook. The manifest has an example that is switched off. Write by hand when it fires ("matcher") and a fact that helps the model at that moment ("context"), and remove "enabled".`,
  /** `without`: clients that do not expand variables. */
  setVariables: (names: readonly string[], without: readonly string[]) =>
    `Secrets are not in the file. Set in the environment of your client: ${names.map((name) => inLine(name, 100)).join(', ')}${without.length > 0 ? ` (not filled in by ${without.join(' and ')})` : ''}`,
  leftOut: (names: readonly string[]) =>
    `Left out, because they decide what runs: ${names.map((name) => inLine(name, 100)).join(', ')}`,
  folderLeftOut: (folder: string) =>
    `A manifest cannot say in which folder the server is started; it is configured for ${inLine(folder)}.`,
};
