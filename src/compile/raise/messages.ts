/** Messages about a hook that was written by hand. */

import type { Message } from '../../system/errors.ts';
import { count } from '../../system/plurals.ts';
import { inLine } from '../../system/visible.ts';
import { type MessageOf, meant, type Say } from '../../system/words.ts';

type Names = readonly string[];

export type HandMessage = LeftOut | Difference;

const text = (words: string): string => inLine(JSON.stringify(words), 200);

const list = (words: readonly string[]): string => inLine(words.join(', '), 300);

export const leftOut = {
  'hand-ours': ({ label }: { label: string }) => `mcp-hooks wrote it, for ${inLine(label, 100)}`,
  'hand-no-event': ({
    native,
    client,
    near,
  }: Record<'native' | 'client', string> & { near?: string }) =>
    `${client} has no event ${text(native)}${meant(near)}`,
  'hand-no-moment': ({ native }: Record<'native' | 'client', string>) =>
    `no declared event matches ${inLine(native, 100)}`,
  'hand-no-hook': 'it does not have the form of a hook',
  'hand-too-many': ({ limit, bytes }: Record<'limit' | 'bytes', number>) =>
    `a manifest holds at most ${count(limit, 'hook')}, and ${Math.floor(bytes / 1000)} kB`,
  'hand-asks-model': ({ kind }: { kind: string }) =>
    `it asks a model (${text(kind)}): a manifest can't express this`,
  'hand-unknown-kind': ({ kind }: { kind: string }) =>
    `mcp-hooks does not know hooks of the type ${text(kind)}`,
  'hand-sends': "it sends the event to an address: a manifest can't express this",
  'hand-condition': ({ condition }: { condition: string }) =>
    `it has the condition ${text(condition)}: a manifest can't express this`,
  'hand-sources': ({ native, sources }: { native: string; sources: Names }) =>
    `it is only about ${inLine(native, 100)} with ${list(sources)}: a manifest can't express this`,
  'hand-subagents': ({ matcher }: { matcher: string }) =>
    `it is only about subagents of the kind ${text(matcher)}: a manifest can't express this`,
  'hand-prompts': ({ matcher }: { matcher: string }) =>
    `it is only about prompts that match ${text(matcher)}: a manifest can't express this`,
  'hand-matcher': ({ matcher }: Record<'matcher' | 'client', string>) =>
    `its matcher ${text(matcher)} cannot be written as a glob: write a declaration for it yourself`,
  'hand-no-tool': ({ matcher, client }: Record<'matcher' | 'client', string>) =>
    `its matcher ${text(matcher)} does not match any tool of ${client}`,
  'hand-other-shell': 'its command is for another shell',
  'hand-no-command': 'it has no command',
  'hand-null': 'its command has a null character',
  'hand-open-quote': 'its command ends within quotes',
  'hand-moving': ({ word }: { word: string }) =>
    `${text(word)} is a relative path, and sessions run in different folders: use its absolute path`,
  'hand-variable': ({ reference }: { reference: string }) =>
    `its client fills in ${text(reference)} in the command, and a manifest's command is used as it is written`,
  'hand-outside': ({ word }: { word: string }) =>
    `it prints the file ${text(word)}, which is outside the folder, so it was not read`,
  'hand-no-file': ({ word }: { word: string }) => `there is no file ${text(word)}`,
  'hand-large-file': ({ word }: { word: string }) =>
    `it prints the file ${text(word)}, which is too large for a text or cannot be read`,
  'hand-no-text': ({ word }: { word: string }) =>
    `it prints the file ${text(word)}, which is not UTF-8 text`,
  'hand-prints-nothing': 'it prints nothing',
  'hand-for-user': 'it shows something to you, and nothing to the model',
  'hand-approves': 'it approves calls or asks you, and a hook in a manifest can only block',
  'hand-several-answers': 'it does several things, and a hook in a manifest does only one',
  'hand-unread': ({ native, client }: Record<'native' | 'client', string>) =>
    `${client} does not show the model what a hook prints at ${inLine(native, 100)}`,
  'hand-no-block': 'it blocks, and a hook for {event} can block nothing',
  'hand-variables': ({ names }: { names: Names }) =>
    `it sets variables for its command (${list(names)}), and a manifest can't: set them in a script`,
  'hand-elsewhere': ({ folder }: { folder: string }) =>
    `its command starts in ${text(folder)}, and a manifest's in the session's folder`,
  'hand-off': ({ key, value, file }: Record<'key' | 'value' | 'file', string>) =>
    `it is switched off: ${inLine(file, 500)} sets ${key} = ${value}`,
  'hand-off-by-name': ({ key, file }: Record<'key' | 'file', string>) =>
    `it is switched off: ${key} in ${inLine(file, 500)} names it`,
  'hand-off-otherwise': ({ why }: { why: string }) => `it is switched off: ${inLine(why, 500)}`,
  'hand-secret':
    'it may hold a secret, which must not be in a manifest: read it from the environment instead',
  'hand-tool-unknown': ({ server }: { server: string }) =>
    `it calls a tool of the server ${text(server)}, which is not configured here`,
  'hand-tool-values': ({ server }: { server: string }) =>
    `it calls a tool of the server ${text(server)}, whose configuration has values that must not be in a manifest`,
  'hand-tool-other': ({ server }: { server: string }) =>
    `it calls a tool of the server ${text(server)}, and a manifest has only one server: earlier hooks call another`,
  'hand-tool-input': ({ reference }: { reference: string }) =>
    `it passes ${text(reference)} to its tool, and a manifest can't fill that in`,
  'hand-unknown-client': 'mcp-hooks cannot read hooks that were written by hand for {client}',
  'hand-refused': ({ problem }: { problem: Message }, say: Say) =>
    `it is not valid in a manifest: ${say(problem)}`,
} as const;

export type LeftOut = MessageOf<typeof leftOut>;

export const difference = {
  'hand-newly-read': ({ native, client }: Record<'native' | 'client', string>) =>
    `${client} did not show this text to the model at ${inLine(native, 100)}; now it is shown.`,
  'hand-moved': ({
    native,
    now,
    client,
    when,
  }: Record<'native' | 'client' | 'when', string> & { now: Names }) =>
    `In ${client} it now runs at ${list(now)} instead of ${inLine(native, 100)} (${when}).`,
  'hand-more-sources': ({ sources }: { sources: Names }) =>
    `It is now also shown at: ${list(sources)}.`,
  'hand-fewer-kinds': ({ kinds }: { kinds: Names }) =>
    `Left out, because the client does not wait for you then: ${list(kinds)}.`,
  'hand-names-dropped': ({ names, client }: { names: Names; client: string }) =>
    `Left out of its matcher, as no tool of ${client} has such a name: ${list(names)}.`,
  'hand-shorter': 'Its command now has {seconds} seconds, the maximum.',
  'hand-waits': 'It ran in the background; now the client waits for it.',
  'hand-not-read':
    'Its output is no longer read, because no client waits for a command in the background.',
  'hand-notifier': ({ lacks }: { lacks: Names }) =>
    `jq now makes its last argument of the event, without ${list(lacks)}.`,
  'hand-taken': ({ names }: { names: Names }) =>
    `Its client passed this in another way; now jq reads it from the event: ${list(names)}.`,
  'hand-tool-name': ({ native, declared }: Record<'native' | 'declared', string>) =>
    `Its code names the tool ${text(native)}, and the event that it now reads has "${declared}". Change the code.`,
  'hand-input-key': ({ native, declared }: Record<'native' | 'declared', string>) =>
    `Its code reads ${text(native)} of a tool's input, which is "${declared}" in the event that it now reads. Change the code.`,
  'hand-may': ({ may }: { may: readonly string[] }) =>
    `Its code does not show what it decides, so it may decide nothing. If it decides something, add "may": ${JSON.stringify(may)}.`,
  'hand-output-read': ({ native, client }: Record<'native' | 'client', string>) =>
    `Everything that it prints is now shown to the model. At ${inLine(native, 100)} of ${client}, only an answer in JSON was.`,
  'hand-looser': ({ text: words }: { text: string }) =>
    `Its condition became "input_contains": ${text(words)}, which also matches elsewhere in a command.`,
  'hand-copied': ({ file }: { file: string }) =>
    `The text was copied from ${inLine(file, 200)}: later changes to that file do not reach the manifest.`,
  'hand-filled-in': ({ name }: { name: string }) => `{${name}} in its text is now filled in.`,
  'hand-keys': ({ keys }: { keys: Names }) =>
    `Left out, because a manifest can't express this: ${list(keys)}.`,
  'hand-ignored-there': ({ problem }: { problem: Message }, say: Say) =>
    `As written, it did nothing: ${say(problem)}.`,
  'hand-doubtful': ({ problem }: { problem: Message }, say: Say) => `Check this: ${say(problem)}.`,
} as const;

export type Difference = MessageOf<typeof difference>;
