/**
 * One member of an object in somebody's file, such as a server: added to the text, and taken out again.
 *
 * As long as our text is in the file verbatim, taking it out restores the rest to the byte. If somebody has reformatted the
 * file, the member is taken out by value. A member that somebody has edited is theirs.
 */

import { attempt } from '../system/errors.ts';
import {
  ANYTHING,
  isObject,
  type JsonObject,
  type JsonValue,
  Refusal,
  spansOf,
  splice,
  unsplice,
} from './edit.ts';
import { FORMATS } from './formats.ts';
import { cut, insertAt, isPlainAt } from './json.ts';
import type { EditMessage } from './messages.ts';
import { type Inserted, relocate, traceable, valueMark } from './record.ts';
import { cutTable, insertTable } from './toml.ts';
import { equal, isAsBegun } from './value.ts';

export interface Member {
  readonly format: 'json' | 'toml';
  /** The keys that lead to it, from the top of the document. */
  readonly at: readonly string[];
}

export interface AddedMember extends Member {
  /** A fingerprint of its value, whatever the order of its keys. */
  readonly value: string;
  readonly inserted: readonly Inserted[];
  /** Whether the file was there before, and whether we made the object that the member is in. */
  readonly existed: boolean;
  readonly made: boolean;
}

const read = (text: string, { format }: Member): JsonObject => FORMATS[format].read(text, ANYTHING);

function memberAt(document: JsonObject, at: readonly string[]): JsonValue | undefined {
  return at.reduce<JsonValue | undefined>(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    document,
  );
}

/**
 * @param begun By default, the file was there, and whether the object around the member was is seen in it.
 * @throws Refusal when there is something in its place, or the text cannot be edited.
 */
export function addMember(
  source: string,
  member: Member,
  value: JsonObject,
  begun: Partial<Pick<AddedMember, 'existed' | 'made'>>,
): { readonly text: string; readonly added: AddedMember } {
  const { format, at } = member;
  const document = read(source, member);
  const insertions =
    memberAt(document, at) !== undefined
      ? undefined
      : format === 'json'
        ? insertAt(source, at, value)
        : insertTable(source, at, value);
  const text = insertions && splice(source, insertions);
  const isRight = () =>
    text !== undefined && equal(read(text, member), withMember(document, at, value));
  if (!insertions || text === undefined || attempt(isRight) !== true)
    throw new Refusal<EditMessage>({ code: 'changes-too-much' });
  const inserted = traceable(text, spansOf(insertions));
  return {
    text,
    added: {
      ...{ ...member, value: valueMark(value), inserted, existed: begun.existed ?? true },
      made: begun.made ?? memberAt(document, at.slice(0, -1)) === undefined,
    },
  };
}

/** What has become of a member in a file: nothing, it was changed, or it is gone. */
export function stateOf(
  source: string | null,
  member: Member & Pick<AddedMember, 'value'>,
): 'as added' | 'changed' | 'gone' {
  const now = source === null ? undefined : memberAt(read(source, member), member.at);
  if (now === undefined) return 'gone';
  return valueMark(now) === member.value ? 'as added' : 'changed';
}

/**
 * The text without a member that is as we added it.
 *
 * @param start What the file began with when we made it.
 * @returns null: nothing is left of a file that we made.
 * @throws Refusal when anything else would change.
 */
export function takeOutMember(source: string, member: AddedMember, start?: string): string | null {
  const { format, at, inserted, made, existed } = member;
  const document = read(source, member);
  // In TOML an object is there only as long as something is in it.
  const left = [
    withoutMember(document, at, false),
    ...(made || format === 'toml' ? [withoutMember(document, at, true)] : []),
  ];
  const spans = relocate(source, inserted);
  const texts = [
    () => spans && unsplice(source, spans),
    () =>
      format === 'toml'
        ? cutTable(source, at)
        : isPlainAt(source, at)
          ? cut(source, at, made)
          : undefined,
  ];
  for (const make of texts) {
    const text = make();
    const value = text === undefined ? undefined : attempt(() => read(text, member));
    if (text === undefined || !value || !left.some((one) => equal(one, value))) continue;
    return !existed && isAsBegun(text, start) ? null : text;
  }
  throw new Refusal<EditMessage>({ code: 'changes-too-much' });
}

function withMember(document: JsonObject, at: readonly string[], value: JsonValue): JsonObject {
  const [key = '', ...rest] = at;
  const inner = Object.hasOwn(document, key) ? document[key] : undefined;
  const next = rest.length === 0 ? value : withMember(isObject(inner) ? inner : {}, rest, value);
  return { ...document, [key]: next };
}

/** @param prunes Without the objects that are empty then, too. */
function withoutMember(document: JsonObject, at: readonly string[], prunes: boolean): JsonObject {
  const [key = '', ...rest] = at;
  const { [key]: inner, ...others } = document;
  if (rest.length === 0 || !isObject(inner)) return others;
  const next = withoutMember(inner, rest, prunes);
  return prunes && Object.keys(next).length === 0 ? others : { ...document, [key]: next };
}
