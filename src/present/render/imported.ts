/** The result for each hand-written hook, one line per entry, and what to do next. */

import { type Grant, grantsOf } from '../../declaration/grants.ts';
import type { Unread } from '../../sources/by-hand/files.ts';
import type { Imported, Item } from '../../sources/by-hand/import.ts';
import { quoted } from '../../system/strings.ts';
import { inLine } from '../../system/visible.ts';
import { placeIn } from '../../system/words.ts';
import { messages } from '../messages/output.ts';
import { sentence } from '../messages/sentence.ts';
import { hookInWords } from '../messages/words.ts';
import { folded } from './lines.ts';

interface ImportReport {
  readonly unread: readonly Unread[];
  /** The file of the manifest. Undefined if none was written. */
  readonly written?: string | undefined;
}

export function showImported(
  { items, hooks, manifest }: Imported,
  {
    unread,
    written,
    folder,
    grants,
    columns,
  }: ImportReport & {
    readonly folder: string;
    readonly grants: readonly Grant[];
    readonly columns: number;
  },
): string {
  const theirs = items.filter((item) => !isOurs(item));
  const leftOut = theirs.filter((item) => item.leftOut).length;
  const lines = [
    ...unread.map((file) => messages.handUnread(placeOf(file), sentence(file.why))),
    ...theirs.flatMap(itemLines),
    theirs.length === 0
      ? messages.handNone
      : messages.handSum(theirs.length, hooks.length, leftOut),
    ...(theirs.length < items.length ? [messages.handOurs(items.length - theirs.length)] : []),
  ];
  const shown = (some: readonly string[]) =>
    `${some.flatMap((line) => inColumns(line, columns)).join('\n')}\n`;
  if (manifest === undefined) return shown(lines);
  const hasFiles = hooks.some(({ command }) => command?.some((word) => word.includes('/')));
  return shown([
    ...lines,
    ...(written === undefined && hasFiles ? [messages.handFolder(folder)] : []),
    messages.handNext(written === undefined ? '<file>' : quoted(written), grants),
    messages.handTwice,
  ]);
}

/** A note about an entry is indented, and so are its continuation lines. */
function inColumns(line: string, columns: number): string[] {
  const [indent = ''] = /^ */.exec(line) ?? [];
  return folded([line.slice(indent.length)], columns, indent);
}

/** Entries that mcp-hooks installed, which are not hand-written. `list` shows them. */
const isOurs = ({ leftOut }: Item): boolean => leftOut?.code === 'hand-ours';

const placeOf = ({ shown, line, column }: Unread): string =>
  placeIn(inLine(shown, 500), line, column);

function itemLines(item: Item): string[] {
  const { file, line, column, native, matcher, hook, leftOut, differences } = item;
  const what = hookInWords(inLine(native, 100), matcher);
  const place = placeIn(inLine(file, 500), line, column);
  const became = leftOut ? messages.handLeftOut(sentence(leftOut)) : `hook ${hook}`;
  return [`${place}: ${what}: ${became}`, ...differences.map((one) => `    ${sentence(one)}`)];
}

/** `written`: the absolute path of the manifest. */
export function importedJson(
  { items, hooks, manifest }: Imported,
  { unread, written }: ImportReport,
) {
  return {
    file: written,
    manifest: manifest === undefined ? undefined : JSON.parse(manifest),
    grants: grantsOf(hooks),
    entries: items.map(({ client, leftOut, differences, at: _, ...item }) => ({
      ...item,
      client: client.id,
      ...(leftOut && { leftOut: { code: leftOut.code, message: sentence(leftOut) } }),
      notes: differences.map((one) => ({ code: one.code, message: sentence(one) })),
    })),
    problems: unread.map((file) => `${placeOf(file)}: ${sentence(file.why)}`),
  };
}
