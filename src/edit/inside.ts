/** What somebody else has written inside a group of ours. It must not go with the group. */
import type { ItemPath, JsonValue, Path } from './edit.ts';
import { ANYTHING } from './edit.ts';
import type { Options } from './record.ts';
import { refusal } from './text.ts';
import { elementAt } from './value.ts';

/** Where a group is, or with `item` one of the handlers in it. */
export interface Spot {
  readonly event: string;
  readonly index: number;
  readonly item?: ItemPath | undefined;
}

/** Whether each key in a group is one that we write. */
export function hasOurKeysOnly(
  value: JsonValue,
  isOurKey: Options['isOurKey'],
  path: Path = [],
): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    return isOurKey(at) && hasOurKeysOnly(inner, isOurKey, at);
  });
}

/** Why a group of ours has to stay as it is; undefined: all of it is ours. */
export function whyKept(
  source: string,
  { item, ...spot }: Spot,
  { format, layout, isOurKey }: Pick<Options, 'format' | 'layout' | 'isOurKey'>,
) {
  const { event } = spot;
  const isEvent = ([key, ...more]: Path) =>
    layout.kind === 'rows' && key === layout.eventKey && more.length === 0;
  const strange = (path: Path) =>
    isEvent(path) ? -1 : path.findIndex((_, at) => !isOurKey(path.slice(0, at + 1)));
  const document = format.read(source, ANYTHING, layout);
  const found = format
    .inside(source, elementAt(document, spot, layout), item)
    .map(({ offset, path }) => ({ offset, key: path?.[strange(path)], isComment: !path }))
    .filter(({ key, isComment }) => key !== undefined || isComment);
  const [first] = found;
  if (!first) return undefined;
  const keys = [...new Set(found.flatMap(({ key }) => (key === undefined ? [] : [String(key)])))];
  const { hasTables } = format;
  return refusal(source, first.offset, { code: 'not-ours-inside', event, keys, hasTables });
}
