// Each real client reads a settings file exactly if our own reader does: comments, commas, byte order marks and the rest. Our
// reader checks the result of every edit, so it must be neither more lenient nor stricter. The clients also read the files that
// an update and an uninstall left after the user typed into them.
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Placed, Refusal } from '../../src/edit/edit.ts';
import { FORMATS } from '../../src/edit/formats.ts';
import { type Arrangement, arrange } from '../../src/edit/reconcile.ts';
import { keeping, smallJson, smallToml, smallTomlWith, whose } from '../edit/arbitraries.ts';
import { ROWS } from '../edit/layouts.ts';
import { type Edit, edited, TYPED } from '../edit/others.ts';
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

/** Most clients are started for each text, which takes seconds each time while other tests run. */
const SLOW = { timeout: 300_000 };
const JSON_FILES = Object.entries(READERS).filter(([, { file }]) => file.format === 'json');

test.each(JSON_FILES)('%s is read as we read it', SLOW, async (_, reader) => {
  const { file, event, group } = reader;
  const hooks = `"hooks":${JSON.stringify({ [event]: [group(marking(place))] })}`;
  const texts = TEXTS.map((text) => text.replace('H', () => hooks));
  const ours = texts.map((text) => {
    try {
      FORMATS[file.format].read(text, file.dialect, file.layout);
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

/** The file of one user: an install, the user's edits, an update and an uninstall. */
interface History {
  readonly source: string;
  readonly edits: readonly Edit[];
}

/** The same histories every time. */
const histories = (
  small: fc.Arbitrary<{ source: string }>,
  typed: readonly string[],
  count: number,
): History[] =>
  fc.sample(
    fc.record({
      source: small.map(({ source }) => source),
      edits: fc.array(fc.record({ what: fc.constantFrom(...typed), n: fc.nat(99_999) }), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
    { seed: 27, numRuns: count },
  );

/** Starting an app-server costs once; any other client is started for each text. */
const FEW = 6;
const MANY = 60;

test.each(Object.entries(READERS))(
  '%s is read after the user typed into it',
  SLOW,
  async (_, reader) => {
    const { event, group, positional, isFast, takes } = reader;
    const hasRows = reader.file.layout.kind === 'rows';
    const file = hasRows ? { ...reader.file, layout: ROWS } : reader.file;
    const format = FORMATS[file.format];
    const kind = {
      name: '',
      ...file,
      format,
      file: fc.constant(NOTHING),
      small: fc.constant(NOTHING),
    };
    const want = (words: string): Placed[] =>
      ['PostToolUse', 'Stop'].map((of) => ({
        event: of,
        group: { hooks: [{ type: 'command', command: `/r/annal/${of}${words}`, timeout: 3 }] },
      }));
    const isToml = file.format === 'toml';
    // The user's hook comes first, so a comma of the user precedes ours.
    const witness = `"${event}": [${JSON.stringify(group(marking(place)))}],`;
    const isFree = ({ source }: { readonly source: string }) =>
      !source.includes(`"${event}"`) && (takes?.(source) ?? true);
    const toml = hasRows ? smallTomlWith(ROWS) : smallToml;
    const small = (isToml ? toml : smallJson(file.dialect)).filter(isFree);
    const all = histories(small, TYPED[isToml ? 'toml' : 'json'], isFast ? MANY : FEW);
    const texts = all.flatMap(({ source, edits }, n) => {
      let { text, record }: Arrangement = { text: source, record: null };
      const set = (placed: readonly Placed[]) => {
        const { dialect, layout } = file;
        const base = {
          format,
          dialect,
          layout,
          ...whose(),
          ...keeping(positional),
          label: 'annal',
        };
        try {
          const given = { ...base, want: placed, record: record ?? undefined };
          ({ text, record } = arrange(text, given));
        } catch (error) {
          // The user typed into an entry of ours, so the file stays as it is.
          if (!(error instanceof Refusal && error.message === 'not-ours-inside')) throw error;
        }
        return text ?? '';
      };
      const typed = set(want('')).replace(/("hooks"\s*:\s*\{)/, isToml ? '$1' : `$1${witness}`);
      text = edits.reduce((out, edit) => {
        const next = edited(kind, out, edit);
        return takes && !takes(next) ? out : next;
      }, typed);
      // An update writes our entries anew, so every other uninstall comes without one.
      return [text, ...(n % 2 === 0 ? [] : [set(want('2'))]), set([])];
    });
    expect(texts.some((text) => /[^\s{]/.test(text))).toBe(true);
    const read = await verdicts(reader, place, texts);
    expect(texts.filter((_, n) => !read[n])).toEqual([]);
  },
);

const NOTHING = { source: '', value: {} };
