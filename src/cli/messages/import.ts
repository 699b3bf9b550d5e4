/** The words for hooks that were written by hand: src/compile/raise/messages.ts and src/sources/by-hand/messages.ts. */

import type { HandMessage } from '../../compile/raise/messages.ts';
import type { HandFileMessage } from '../../sources/by-hand/messages.ts';
import { count } from '../../system/plurals.ts';
import { inLine } from '../../system/visible.ts';
import type { Words } from '../../system/words.ts';
import { meant } from '../../system/words.ts';
import { mebibytes, placeIn } from './words.ts';

const text = (words: string): string => inLine(JSON.stringify(words), 200);
const list = (words: readonly string[]): string => inLine(words.join(', '), 300);

const SHELL_NAMES: Readonly<Record<string, string>> = {
  '\n': 'a line break',
  '\0': 'a null character',
};

export const byHand = {
  'hand-ours': ({ label }) => `mcp-hooks wrote it, for ${inLine(label, 100)}`,
  'hand-no-event': ({ native, client, near }) =>
    `${client} has no event ${text(native)}${meant(near)}`,
  'hand-no-moment': ({ native }) =>
    `a declaration cannot be about ${inLine(native, 100)}: there is no event for that`,
  'hand-no-hook': () => 'it does not have the form of a hook',
  'hand-too-many': ({ limit, bytes }) =>
    `a manifest holds at most ${count(limit, 'hook')}, and ${Math.floor(bytes / 1000)} kB`,
  'hand-asks-model': ({ kind }) =>
    `it asks a model (${text(kind)}), and a declaration cannot do that`,
  'hand-unknown-kind': ({ kind }) => `hooks of the type ${text(kind)} are not known here`,
  'hand-sends': () => 'it sends the event to an address, and a declaration cannot do that',
  'hand-condition': ({ condition }) =>
    `its condition ${text(condition)} has no counterpart in a declaration`,
  'hand-sources': ({ native, sources }) =>
    `it is only about ${inLine(native, 100)} with ${list(sources)}, and a declaration cannot say that`,
  'hand-subagents': ({ matcher }) =>
    `it is only about subagents of the kind ${text(matcher)}, and a declaration cannot say that`,
  'hand-matcher': ({ matcher }) =>
    `its matcher ${text(matcher)} cannot be written as a glob: write a declaration for it yourself`,
  'hand-no-tool': ({ matcher, client }) =>
    `its matcher ${text(matcher)} does not match any tool of ${client}`,
  'hand-other-shell': () => 'its command is for another shell, and none is started',
  'hand-no-command': () => 'it has no command',
  'hand-needs-shell': ({ part }) =>
    `${SHELL_NAMES[part] ?? text(part)} in its command needs a shell, and none is started: put it into a script`,
  'hand-moving': ({ word }) =>
    `${text(word)} is relative to whichever folder a session is in: use its absolute path`,
  'hand-variable': ({ reference }) =>
    `${text(reference)} in its command is filled in by a shell or by its client, and a declaration's command is taken as it is`,
  'hand-outside': ({ word }) =>
    `it prints the file ${text(word)}, which is outside of the folder and was not read`,
  'hand-no-file': ({ word }) => `there is no file ${text(word)}`,
  'hand-large-file': ({ word }) =>
    `it prints the file ${text(word)}, which is too large for a text or cannot be read`,
  'hand-no-text': ({ word }) => `it prints the file ${text(word)}, which is not UTF-8 text`,
  'hand-silent': () => 'it prints nothing',
  'hand-for-user': () => 'it shows something to you, and nothing to the model',
  'hand-approves': () => 'it approves calls or asks you, and a declaration can only block',
  'hand-several-answers': () => 'it does several things at once, and a declaration does one',
  'hand-unread': ({ native, client }) =>
    `${client} shows the model nothing of what is printed at ${inLine(native, 100)}`,
  'hand-no-block': ({ event }) => `it blocks, and nothing can be blocked at ${event}`,
  'hand-variables': ({ names }) =>
    `it sets variables for its command (${list(names)}), and a declaration cannot: put them into a script`,
  'hand-elsewhere': ({ folder }) =>
    `its command is started in ${text(folder)}, and a declaration's in the folder of the session`,
  'hand-secret': () =>
    'it seems to hold a secret, which must not get into a manifest: take it from the environment instead',
  'hand-tool-unknown': ({ server }) =>
    `it calls a tool of the server ${text(server)}, which is not configured here`,
  'hand-tool-values': ({ server }) =>
    `it calls a tool of the server ${text(server)}, which needs values that must not be copied into a manifest`,
  'hand-tool-other': ({ server }) =>
    `it calls a tool of the server ${text(server)}: a manifest has one server, and hooks before it call another`,
  'hand-tool-input': ({ reference }) =>
    `it gives its tool ${text(reference)}, which a declaration cannot fill in`,
  'hand-refused': ({ problem }, say) => `as a declaration it is refused: ${say(problem)}`,

  'hand-newly-read': ({ native, client }) =>
    `${client} did not show this text to the model at ${inLine(native, 100)}; as a declaration, it is shown.`,
  'hand-moved': ({ native, now, client, when }) =>
    `In ${client} it now runs at ${list(now)} instead of ${inLine(native, 100)} (${when}).`,
  'hand-more-sources': ({ sources }) => `It is now also shown at: ${list(sources)}.`,
  'hand-names-dropped': ({ names, client }) =>
    `Left out of its matcher, as no tool of ${client} has such a name: ${list(names)}.`,
  'hand-shorter': ({ seconds }) => `Its command now has ${seconds} seconds, the maximum.`,
  'hand-waits': () => 'It ran in the background; now its client waits for it.',
  'hand-looser': ({ text: words }) =>
    `Its condition became "input_contains": ${text(words)}, which also matches elsewhere in a command.`,
  'hand-copied': ({ file }) =>
    `The text was copied from ${inLine(file, 200)}: later changes to that file do not reach the manifest.`,
  'hand-filled-in': ({ name }) => `{${name}} in its text is now filled in.`,
  'hand-keys': ({ keys }) => `Left out, because a declaration has nothing like it: ${list(keys)}.`,
  'hand-ignored-there': ({ problem }, say) => `As it is written, it did nothing: ${say(problem)}.`,
  'hand-doubtful': ({ problem }, say) => `Look at it again: ${say(problem)}.`,

  'hand-linked-out': () => 'a link takes it out of the project',
  'hand-not-there': () => 'it is not there',
  'hand-no-client': () =>
    'mcp-hooks cannot tell which client it is for: name the client with --client, or check the names of its events',
  'hand-large': ({ bytes, limitBytes }) =>
    `it has ${mebibytes(bytes)}; at most ${mebibytes(limitBytes)} are read`,
  'hand-no-hooks': () => 'there are no hooks in it',
  'hand-file': ({ path, line, column, why }, say) =>
    `${placeIn(inLine(path, 500), line, column)}: ${say(why)}`,
  'hand-nowhere': ({ clients }) =>
    clients.length === 0
      ? 'No client was found here, so no file was looked into. Name the file: mcp-hooks import <file>'
      : `No hooks were found in the files of ${clients.join(', ')}. Name the file: mcp-hooks import <file>`,
  'hand-out-there': ({ path }, say) =>
    `${inLine(path, 500)} already exists: --force overwrites it.${say.nothing}`,
  'hand-force-needs-out': () => '--force is for --out <file>.',
} satisfies Words<HandMessage | HandFileMessage>;
