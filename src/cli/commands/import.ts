/** `mcp-hooks import`: drafts a manifest from hand-written hooks. It runs nothing, and writes at most one file. */

import { dirname, resolve } from 'node:path';
import type { Client } from '../../clients/contract.ts';
import { namedClients, selectClients } from '../../clients/detect.ts';
import { findPlaces, type Places, placesHere, tilde } from '../../clients/places.ts';
import { byHandOf } from '../../clients/registry.ts';
import { isLabel } from '../../declaration/declaration.ts';
import { grantsOf } from '../../declaration/grants.ts';
import type { DeclarationMessage } from '../../declaration/messages.ts';
import { importedJson, showImported } from '../../present/render/imported.ts';
import {
  entriesIn,
  type HandSettings,
  handFilesOf,
  isUnread,
  readSettings,
  type Unread,
} from '../../sources/by-hand/files.ts';
import { draftManifest } from '../../sources/by-hand/import.ts';
import type { HandFileMessage } from '../../sources/by-hand/messages.ts';
import { type Message, said, UserError } from '../../system/errors.ts';
import { read, realPath, replace } from '../../system/files.ts';
import { toJson } from '../../system/visible.ts';
import {
  type Command,
  type Context,
  clientOption,
  DIFFERENT,
  FIRST_ID,
  type Flags,
  OK,
  OTHER_ID,
  option,
} from './command.ts';

export const importHooks: Command = {
  name: 'import',
  group: 'Author',
  summary: 'draft a manifest from hooks that were written by hand',
  operands: '[file]',
  options: [
    clientOption(),
    option('--out <file>', 'write the manifest there'),
    option('--force', 'overwrite that file'),
    option('--name <label>', 'the name in the manifest'),
  ],
  about:
    "It runs nothing that the files contain. Without a file, it reads the files of the clients found here, yours and this folder's. It prints the draft on standard output and what became of each entry on standard error; with --out, it writes the draft to that file.",
  examples: [
    'import --out mcp-hooks.json',
    `import --client ${OTHER_ID}`,
    `import ./team-hooks.json --client ${FIRST_ID}`,
  ],
  run,
};

async function run(context: Context, file: string | undefined, flags: Flags): Promise<number> {
  const { terminal, env, cwd } = context;
  const { name, out, force = false, json = false } = flags;
  if (name !== undefined && !isLabel(name))
    throw new UserError<DeclarationMessage>({ code: 'bad-label', label: name });
  if (force && out === undefined)
    throw new UserError<HandFileMessage>({ code: 'hand-force-needs-out' });
  const target = out === undefined ? undefined : resolve(cwd, out);
  const before = target === undefined ? null : read(target);
  if (out !== undefined && before !== null && !force)
    throw new UserError<HandFileMessage>({ code: 'hand-out-there', path: out });

  const user = findPlaces(env, cwd, 'user');
  const { files, unread } = settingsFiles(context, file, flags, user);
  const folder = realPath(target === undefined ? cwd : dirname(target));
  const { home } = user;
  const imported = await draftManifest(files, { env, cwd, home, folder, name });
  const { manifest, hooks } = imported;
  // A link in an untrusted folder must not redirect the write.
  if (target !== undefined && manifest !== undefined)
    replace(target, before, Buffer.from(manifest), 0o644, folder);
  const written = manifest === undefined ? undefined : out;
  if (json) terminal.out(toJson(importedJson(imported, { unread, written: written && target })));
  else {
    const isAside = out === undefined;
    if (isAside && manifest !== undefined) terminal.out(manifest);
    const { tty, columns, errColumns } = terminal;
    const report = showImported(imported, {
      unread,
      written,
      folder: tilde(folder, home),
      grants: grantsOf(hooks),
      columns: (isAside ? errColumns : tty ? columns : undefined) ?? Number.POSITIVE_INFINITY,
    });
    (isAside ? terminal.err : terminal.out)(report);
  }
  return imported.items.length > 0 && hooks.length === 0 ? DIFFERENT : OK;
}

/** @throws UserError for a named file that cannot be used, or if nothing is found. */
function settingsFiles(
  { cwd }: Context,
  file: string | undefined,
  { client }: Flags,
  user: Places,
): { readonly files: readonly HandSettings[]; readonly unread: readonly Unread[] } {
  if (file !== undefined) {
    const [chosen] = client === undefined ? [] : namedClients(client);
    const one = readSettings(realPath(resolve(cwd, file)), file, user, chosen);
    if (isUnread(one)) throw refused(one);
    if (entriesIn(one).length === 0) throw refused({ shown: file, why: NO_HOOKS });
    return { files: [one], unread: [] };
  }
  const { clients } = selectClients(client, user);
  const all = handFilesOf(clients, placesHere(cwd, user));
  const files = all.flatMap((one) => (isUnread(one) ? [] : one));
  if (all.length === 0) {
    const namesOf = (some: readonly Client[]) => some.map(({ name }) => name);
    throw new UserError<HandFileMessage>({
      code: 'hand-nowhere',
      clients: namesOf(clients.filter(byHandOf)),
      unread: namesOf(clients.filter((one) => !byHandOf(one))),
    });
  }
  return { files, unread: all.filter(isUnread) };
}

const NO_HOOKS = said<HandFileMessage>({ code: 'hand-no-hooks' });

const refused = ({ shown: path, ...rest }: Unread): UserError => {
  const message = said<HandFileMessage>({ code: 'hand-file', path, ...rest });
  return new UserError<Message>(message);
};
