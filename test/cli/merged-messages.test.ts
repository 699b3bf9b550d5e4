// Messages that differ only in their clients or hooks are merged.
import { expect, test } from 'vitest';
import { grouped, merged, sameIn } from '../../src/present/messages/several.ts';
import { canonical } from '../../src/system/fingerprint.ts';

const of = (client: string, hooks: readonly number[], server = 'notes') => ({
  ...{ code: 'server-missing', server, client, hooks },
});
const ALL = [of('B', [2]), of('B', [1], 'maps'), of('A', [2, 3]), of('B', [3])];

test('a group is the messages that differ only in clients and hooks, ordered by its first', () => {
  const groups = grouped(ALL, (one) => canonical(sameIn(one)));
  expect(groups).toEqual([[ALL[0], ALL[2], ALL[3]], [ALL[1]]]);
});

test('a merged message has each client and each hook once', () => {
  expect(merged([of('B', [2]), of('A', [2, 3]), of('B', [3])])).toEqual({
    ...{ code: 'server-missing', server: 'notes' },
    ...{ client: ['B', 'A'], hooks: [2, 3] },
  });
});

test('a fact that no message has is not in the merged one, either', () => {
  expect(Object.keys(merged([{ code: 'quiet' }, { code: 'quiet' }]))).toEqual(['code']);
});
