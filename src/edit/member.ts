/**
 * Adds one member of an object, such as a server, to a file of the user, and removes it again.
 *
 * As long as our text is in the file verbatim, removing it restores the rest to the byte. If the file was reformatted, the
 * member is removed by value. A member that was edited belongs to the user.
 */

import { attempt } from '../system/errors.ts';
import {
  ANYTHING,
  isObject,
  type JsonObject,
  type JsonValue,
  memberAt,
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
  /** The keys that point to the member, from the top of the document. */
  readonly at: readonly string[];
}

export interface AddedMember extends Member {
  /** A fingerprint of its value that ignores the order of keys. */
  readonly value: string;
  readonly inserted: readonly Inserted[];
  /** `existed`: the file existed before. `made`: we created the object that contains the member. */
  readonly existed: boolean;
  readonly made: boolean;
}

const read = (text: string, { format }: Member): JsonObject => FORMATS[format].read(text, ANYTHING);

/** Its value in a file; undefined: it is not there. */
export const memberIn = (source: string, member: Member): JsonValue | undefined =>
  memberAt(read(source, member), member.at);

/**
 * @param begun By default, the file existed, and the text shows whether the object around the member did.
 * @throws Refusal when another value is in its place, or when the text cannot be edited.
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

/** The state of a member in a file. */
export function stateOf(
  source: string | null,
  member: Member & Pick<AddedMember, 'value'>,
): 'as added' | 'changed' | 'gone' {
  const now = source === null ? undefined : memberIn(source, member);
  if (now === undefined) return 'gone';
  return valueMark(now) === member.value ? 'as added' : 'changed';
}

/**
 * The text without a member that is unchanged since we added it.
 *
 * @param start The initial content of the file if we created it.
 * @returns null if nothing is left of a file that we created.
 * @throws Refusal when anything else would change.
 */
export function takeOutMember(source: string, member: AddedMember, start?: string): string | null {
  const { format, at, inserted, made, existed } = member;
  const document = read(source, member);
  // In TOML, an object exists only as long as it has members.
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

/** @param prunes Also removes the objects that become empty. */
function withoutMember(document: JsonObject, at: readonly string[], prunes: boolean): JsonObject {
  const [key = '', ...rest] = at;
  const { [key]: inner, ...others } = document;
  if (rest.length === 0 || !isObject(inner)) return others;
  const next = withoutMember(inner, rest, prunes);
  return prunes && Object.keys(next).length === 0 ? others : { ...document, [key]: next };
}
