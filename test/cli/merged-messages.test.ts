// Messages that say the same of different clients or hooks become one.
import { expect, test } from 'vitest';
import { grouped, merged, sameIn } from '../../src/present/messages/several.ts';
import { canonical } from '../../src/system/fingerprint.ts';

const of = (client: string, hooks: readonly number[], server = 'notes') => ({
  ...{ code: 'server-missing', server, client, hooks },
});
const ALL = [of('B', [2]), of('B', [1], 'maps'), of('A', [2, 3]), of('B', [3])];

test('groups are the messages that differ in clients and hooks alone, in the order of the first of each', () => {
  const groups = grouped(ALL, (one) => canonical(sameIn(one)));
  expect(groups).toEqual([[ALL[0], ALL[2], ALL[3]], [ALL[1]]]);
});

test('one message has each client and each hook once', () => {
  expect(merged([of('B', [2]), of('A', [2, 3]), of('B', [3])])).toEqual({
    ...{ code: 'server-missing', server: 'notes' },
    ...{ client: ['B', 'A'], hooks: [2, 3] },
  });
});

test('a fact that a message does not have is not in the merged one, either', () => {
  expect(Object.keys(merged([{ code: 'quiet' }, { code: 'quiet' }]))).toEqual(['code']);
});
