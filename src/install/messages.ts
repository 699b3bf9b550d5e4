/** Messages about written files, and about the reasons why a file is refused. */

import type { FilePosition } from '../declaration/messages.ts';
import type { Message } from '../system/errors.ts';
import { type MessageOf, placeIn, type Say } from '../system/words.ts';

type Names = readonly string[];

/** One difference. `what` is the native event of an entry or the name of a runner file. */
export interface Drift {
  readonly code:
    | 'runner-missing'
    | 'runner-altered'
    | 'run-interrupted'
    | 'not-recorded'
    | 'file-missing'
    | 'file-refused'
    /** The file is our own program, and its code is not. It is unchanged until the user removes the file. */
    | 'program-edited'
    | 'entry-missing'
    | 'entry-edited'
    /** The entry contains keys or comments of the user. It is unchanged until the user removes them. */
    | 'entry-holds-more'
    /** The entry's group contains a hook of the user. */
    | 'entry-shared'
    | 'entry-altered'
    | 'entry-extended'
    | 'entry-moved'
    | 'entry-copied';
  readonly what?: string;
  /** The line of the first key or comment of the user. */
  readonly line?: number;
  /** The client's name for the other file with the entry. Absent if it is the file that we wrote. */
  readonly file?: string;
}

const DRIFT: Readonly<
  Record<Drift['code'], (what: string, more: Pick<Drift, 'file' | 'line'>) => string>
> = {
  'runner-missing': () => 'its runner is missing',
  'runner-altered': (name) => `its runner was modified (${name})`,
  'not-recorded': () => 'it is not in the record of what is installed, so it was not run',
  'run-interrupted': () => 'a run was interrupted: run the same command again',
  'file-missing': () => 'the file is gone',
  'file-refused': () => 'the file cannot be read',
  'program-edited': () =>
    'the program around its entries was edited, so update and uninstall leave it as it is',
  'entry-missing': (event) => `its entry for ${event} is missing`,
  'entry-edited': (event) => `its entry for ${event} was edited`,
  'entry-holds-more': (event, { line }) =>
    `its entry for ${event} has something in it that mcp-hooks did not write (line ${line}), so update and uninstall leave the file as it is`,
  'entry-shared': (event) => `its entry for ${event} has another hook in its group`,
  'entry-altered': (event) => `its entry for ${event} was edited; left unchanged`,
  'entry-extended': (event) =>
    `its entry for ${event} has another command beside ours, for another system; left unchanged`,
  'entry-moved': (event, { file }) =>
    `its entry for ${event} was moved${file === undefined ? '' : ` to ${file}`}`,
  'entry-copied': (event, { file }) =>
    `its entry for ${event} is ${file === undefined ? 'there more than once' : `also in ${file}`}`,
};

export const install = {
  'policy-by-hand':
    '{path} could not be changed safely, so it was left as it was. Set "muted" for "{label}" under "servers" there yourself.',
  intact: 'intact',
  drifted: ({ drift }: { drift: readonly Drift[] }) =>
    [...new Set(drift.map(({ code, what = '', ...more }) => DRIFT[code](what, more)))].join('; '),
  'in-file': ({ path, line, column, problem }: FilePosition & { problem: Message }, say: Say) =>
    `${placeIn(path, line, column)}: ${say(problem)}`,
  'file-refused': ({ path, line, column, why }: FilePosition & { why: Message }, say: Say) =>
    `${placeIn(path, line, column)}: ${say(why)}.${say.nothing}`,
  'background-left':
    'Something that "{label}" has started in the background has not ended yet. Everything else is done.',
  'mend-or-leave-out': 'Fix the file, or leave {client} out.',
  'unknown-grant': ({ grant, known }: { grant: string; known: Names }, say: Say) =>
    `There is no grant ${JSON.stringify(grant)}; known: ${known.join(', ')}.${say.nothing}`,
  'label-in-other-case': ({ label, other }: { label: string; other: string }, say: Say) =>
    `${JSON.stringify(label)} differs from the installed ${JSON.stringify(other)} only in case, which most file systems ignore${say.hint(' (--name gives another)')}.${say.nothing}`,
  'own-link':
    '{path} is a link that points outside the folder of mcp-hooks, so it is not used: remove the link.{nothing}',
  'not-writable': ({ path, why }: { path: string; why: Message }, say: Say) =>
    `${path} cannot be written: ${say(why)}.${say.nothing}`,
  'not-put-back': ({ paths }: { paths: Names }, say: Say) =>
    `What was written before could not be put back in ${paths.join(', ')}: ${say.hint('run the same command again') || 'plan and apply the same again'}.`,
  'unknown-here': 'a client that this version does not know',
  'leads-out': ({ link, target }: Record<'link' | 'target', string>, say: Say) =>
    `${link} is a link to ${target}, which is outside the project. Project hooks belong in files of the project, so the target was neither read nor changed. Replace the link with a file or folder of the project, or install in user scope${say.hint(' (--scope user)')}.`,
  'ledger-newer':
    '{path}, the record of what is installed, was written by a newer mcp-hooks.{nothing} Use that version.',
  'none-has-local': ({ clients }: { clients: Names }, say: Say) =>
    `${clients.join(' and ')} ${clients.length > 1 ? 'have' : 'has'} no settings file that is yours alone in a project, so nothing can be installed there in local scope.${say.nothing}`,
  'none-has-project': ({ clients }: { clients: Names }, say: Say) =>
    `${clients.join(' and ')} ${clients.length > 1 ? 'read' : 'reads'} no hooks of a project, so nothing can be installed there but in user scope.${say.nothing}`,
  'two-names':
    'it is the same file as that of {other}, which has hooks of ours in it: remove those first',
  /** There is a link in a build's folder. */
  'build-link':
    '{path} is a link, or behind one, and nothing is written outside of the output folder.{nothing} Remove it, or choose another folder.',
  'build-foreign': ({ out, paths }: { out: string; paths: Names }, say: Say) =>
    `${out} has files that mcp-hooks build did not write, or that were changed since: ${paths.join(', ')}.${say.nothing} Choose another folder, or overwrite them with --force.`,
  'original-secret': 'it seems to hold a secret, and mcp-hooks keeps none: remove it yourself',
  'original-moves':
    'later hooks of its group would lose the trust that {client} has in them: remove it yourself',
  'original-not-installed': 'its hook is not installed in {client}',
  'taken-elsewhere':
    'the ledger has hooks to put back into it, and it is not a file of {client} now: set the variables that lead {client} to it',
  'original-of-scope': 'its file is of another scope, so it runs as well',
  'original-of-other': 'the file has hooks of {other} in it: remove it yourself',
  // The reasons why a server is not added to a client, or not removed.
  'server-start-unknown': 'it is not known how the server is started',
  'servers-unread': 'a file with its servers cannot be read',
  'server-name-taken': 'it has another server called "{name}"',
  'server-name-refused': 'its tools have other names if the server is called "{name}"',
  'server-of-project': 'the server is configured for a project only, and this is for all folders',
  'server-no-file': 'it has no file for servers in this scope',
  'server-form-unknown': 'it is not known how it has its servers written',
  /** `where`: the name of a value, or an argument without its secret. */
  'server-has-secret': '"{where}" may be or hold a secret, and mcp-hooks copies none',
  'server-fills-in': ({ client }: { client?: string }) =>
    `something in its entry is only filled in by ${client ?? 'the client that has it now'}`,
  'server-no-variable': 'the value of "{name}" is a variable there, which it would not fill in',
  'server-filled-in-there': 'it would fill in something of the entry that the server gets as it is',
  'server-variable-refused': 'it does not let servers set "{name}"',
  'server-needs-folder': 'the server starts in {folder}, and its servers start elsewhere',
  'server-edited': 'its entry was changed since, so it is yours',
  'server-elsewhere': 'the client keeps its servers elsewhere',
  'remove-by-hand':
    'To do it by hand, remove every hook whose command names {folder}, then try again.',
} as const;

export type InstallMessage = MessageOf<typeof install>;
