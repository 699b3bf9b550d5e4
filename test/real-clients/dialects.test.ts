// Each real client reads a settings file exactly when our own reading of it does: comments, commas, byte order marks and the
// rest. What an edit leaves behind is checked by that reading, so it may be neither more lenient nor more strict.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Refusal } from '../../src/edit/edit.ts';
import { FORMATS } from '../../src/edit/formats.ts';
import { marking, READERS, verdicts } from './readers.ts';
import { type Scratch, scratch } from './scratch.ts';

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => place.remove());

/** `H` becomes a key with a hook, by which a client shows that it has read the file. */
const TEXTS = [
  '{H}',
  '\r\n{\r\n\t H \r}\n\n',
  '{H,}',
  '{"description": "x",H ,\n}',
  '{H // c\n}',
  '{/* , */H}',
  '{H // c\r}',
  '{H // c\r\n}',
  '{H /* c }',
  '{H} // c',
  '{H}\u0000',
  '\uFEFF{H}',
  '\uFEFF\uFEFF{H}',
  '{\uFEFFH}',
  '{\u00a0H}',
  '{\fH}',
  '{\u2028H}',
  '{H,,"description":"x"}',
  '{H "description":"x"}',
  "{H,'description':'x'}",
  '{H,description:"x"}',
  '{H,"description":"\t"}',
  '{H,"description":"\u2028"}',
  '{H}}',
  '{H',
];

const JSON_FILES = Object.entries(READERS).filter(([, { file }]) => file.format === 'json');

test.each(JSON_FILES)('%s is read as we read it', async (_, reader) => {
  const { file, event, group } = reader;
  const hooks = `"hooks":${JSON.stringify({ [event]: [group(marking(place))] })}`;
  const texts = TEXTS.map((text) => text.replace('H', () => hooks));
  const ours = texts.map((text) => {
    try {
      FORMATS[file.format].read(text, file.dialect);
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  });
  const theirs = await verdicts(reader, place, texts);
  const named = (all: readonly boolean[]) =>
    all.flatMap((one, n) => (reader.isLaxer && !ours[n] ? [] : [[TEXTS[n], one]]));
  expect(named(theirs)).toEqual(named(ours));
});
