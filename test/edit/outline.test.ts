/** The positions of a text's parts are the same as in jsonc-parser's complete tree. */
import fc from 'fast-check';
import { type Node, parseTree } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { outline, type Part } from '../../src/edit/outline.ts';
import { character } from '../support/characters.ts';
import { jsoncFile, jsonFile } from './arbitraries.ts';

const numRuns = Number(process.env.MCP_HOOKS_PROPERTY_RUNS ?? 300);

/** The part of a tree that an outline has: nothing inside an event's items. */
function outer(node: Node, level = 0): object {
  const { type, offset, length, children = [] } = node;
  const isObject = type === 'object' && level < 3;
  return {
    type,
    start: offset,
    end: offset + length,
    members: !isObject
      ? []
      : children.map(({ offset: start, colonOffset = -1, children: [key, value] = [] }) => ({
          key: key?.value,
          start,
          colon: colonOffset + 1,
          value: value && outer(value, level + 1),
        })),
    items: type === 'array' && level < 3 ? children.map((item) => outer(item, level + 1)) : [],
  };
}

const agree = (text: string, strict: boolean) => {
  const tree = parseTree(text, [], { allowTrailingComma: true, allowEmptyContent: true });
  const { root } = outline(text, strict);
  expect(root as Part | undefined).toEqual(tree && outer(tree));
};

test('JSON with comments and commas', () => {
  fc.assert(
    fc.property(jsoncFile, ({ source }) => agree(source.replace(/^\uFEFF/, ''), false)),
    { numRuns },
  );
});

test('strict JSON with skipped inner parts', () => {
  fc.assert(
    fc.property(jsonFile, ({ source }) => {
      const text = source.replace(/^\uFEFF/, '');
      if (text.trim() === '') return;
      agree(text, true);
      agree(text, false);
    }),
    { numRuns },
  );
});

test('any JSON value with all kinds of strings', () => {
  fc.assert(
    fc.property(
      fc.json({ depthSize: 'large', maxDepth: 6 }),
      fc.string({ unit: character }),
      (json, text) => {
        const source = JSON.stringify(
          { hooks: { [text]: [JSON.parse(json), text] }, text },
          null,
          1,
        );
        agree(source, true);
        agree(source, false);
      },
    ),
    { numRuns },
  );
});
