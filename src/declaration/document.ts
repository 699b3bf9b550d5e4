/** A JSON or JSONC file written by hand: its value, and its problems with their places. */

import type { Node, ParseError } from 'jsonc-parser';
import { findNodeAtLocation, parseTree, printParseErrorCode } from 'jsonc-parser';
import { placeOf, position } from '../edit/edit.ts';
import { outline, withoutExtras } from '../edit/outline.ts';
import { withoutBom } from '../edit/text.ts';
import type { Message } from '../system/errors.ts';
import type { KeyPath, Problem } from './declared.ts';
import { DEPTH } from './limits.ts';
import type { DeclarationMessage } from './messages.ts';
import { hookAt } from './where.ts';

export interface Document {
  /** The plain value; undefined: the text is not JSON. */
  readonly value: unknown;
  readonly problems: readonly Problem[];
  /** Adds line and column to problems that have a path, and sorts them. */
  readonly place: (problems: readonly Problem[]) => Problem[];
}

/** Reads JSON with comments and trailing commas, with or without a byte order mark. */
export function readDocument(
  text: string,
  words: { readonly tooDeep: Message; readonly empty: Message },
): Document {
  const source = withoutBom(text);
  const errors: ParseError[] = [];
  const { extras, tooDeep } = outline(source, false, DEPTH);
  const deep = tooDeep !== undefined;
  const root = deep ? undefined : parseTree(source, errors, { allowTrailingComma: true });
  const [broken] = errors;
  if (broken || !root) {
    const message = deep
      ? words.tooDeep
      : source.trim() === ''
        ? words.empty
        : mistake(broken?.error ?? 0);
    const at = position(source, broken?.offset ?? 0);
    const problems = [{ level: 'error', message, path: [], ...at } as const];
    return { value: undefined, problems, place: (more) => [...more] };
  }
  return {
    // Not built from the tree: for JSON.parse, `__proto__` is an ordinary key.
    value: JSON.parse(withoutExtras(source, extras)),
    problems: duplicates(root, source),
    place: (problems) => place(source, root, problems),
  };
}

/** Adds to each problem the place of the wrong key, or of the value that lacks a key. */
function place(text: string, root: Node, problems: readonly Problem[]): Problem[] {
  const placed = problems.map((problem): Problem => {
    if (problem.line !== undefined) return problem;
    const path = [...problem.path] as (string | number)[];
    while (path.length > 0 && !findNodeAtLocation(root, path)) path.pop();
    const value = findNodeAtLocation(root, path) ?? root;
    const whole = path.length === problem.path.length;
    const node = whole && value.parent?.type === 'property' ? value.parent : value;
    return { ...problem, ...position(text, node.offset) };
  });
  return placed.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

export const locate = (path: string, problems: readonly Problem[]): DeclarationMessage[] =>
  problems.map(({ level, message, ...found }) => {
    const number = found.line === undefined || isInside(message) ? hookAt(found.path) : undefined;
    return {
      code: 'problem-in-file',
      path,
      ...placeOf(found),
      level,
      problem: message,
      ...(number !== undefined && { hook: number }),
    };
  });

/** Whether it is about part of a field or about no field, so that readers need the hook's number first. */
const isInside = (message: Message): boolean =>
  'key' in message ? /[.[]/.test(String(message.key)) : message.code === 'wrong-type';

/** @param error One of the parser's codes. */
const mistake = (error: number): DeclarationMessage => ({
  code: 'json-mistake',
  mistake: printParseErrorCode(error),
});

/** Keys that occur twice in one object. A person may read the one that we ignore. */
function duplicates(node: Node, text: string, path: KeyPath = []): Problem[] {
  const seen = new Set<unknown>();
  return (node.children ?? []).flatMap((child, index): Problem[] => {
    if (node.type === 'array') return duplicates(child, text, [...path, index]);
    const [name, value] = child.children ?? [];
    const key = String(name?.value);
    const at = [...path, key];
    const inner = value ? duplicates(value, text, at) : [];
    if (!seen.has(key)) {
      seen.add(key);
      return inner;
    }
    const message: DeclarationMessage = { code: 'key-twice', key };
    return [{ level: 'error', message, path: at, ...position(text, child.offset) }, ...inner];
  });
}
