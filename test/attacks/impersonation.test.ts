/** A text cannot impersonate another source: each line of a server's text is marked, and nothing is hidden in it. */
import { join } from 'node:path';
import { runnerCode } from '../../src/system/runner-code.ts';
import { visible } from '../../src/system/visible.ts';
import { FORGERIES } from '../support/forgeries.ts';
import { IDS } from '../support/runner/at-once.ts';
import { type ClientId, MOMENTS, type Moment, recorded } from '../support/runner/clients.ts';
import { firedInside } from '../support/runner/inside.ts';
import { textIn } from '../support/runner/shape.ts';
import { type Hook, install, root, type World } from '../support/runner/world.ts';
import { attack } from './attack.ts';

/** Lines that we write for a label. */
const ours = (label: string) =>
  new RegExp(
    `^(?:Note from the MCP server "${label}", not from the user, [^|\\n]*; each of its lines begins with \\|\\. [^|\\n]*|\\(No room was left for hooks? [\\d, .]+ of "${label}"\\.\\)|)$`,
  );

/** Lines that the model could take for another source, and a note about hidden characters. */
function unmarked(told: string | undefined, label = 'annal'): string[] {
  if (told === undefined) return ['nothing was told'];
  const lines = told.split(/\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/);
  const loose = lines.filter((line) => !line.startsWith('| ') && !ours(label).test(line));
  return visible(told, told.length) === told ? loose : [...loose, 'something is hidden'];
}

/** The text of one firing, evaluated inside this process. */
function told(world: World, id: ClientId, moment: Moment, changes: object = {}) {
  const { event, file } = MOMENTS[moment][id];
  const payload = recorded(id, file, { session: `${Math.random()}`.slice(2), ...changes });
  return textIn(id, event, firedInside(world)(id, event, Buffer.from(JSON.stringify(payload))));
}

for (const [what, context] of Object.entries(FORGERIES))
  attack(`a text cannot impersonate another source by ${what}`, ({ expect }) => {
    const one: Hook = { event: 'pre_request', context };
    const filled: Hook = { event: 'post_tool_use', context: `${context} {tool_output}` };
    const world = install({ hooks: [one, { ...one, context: `x${context}` }, filled] });
    for (const id of IDS) {
      for (const said of [
        told(world, id, 'prompt'),
        told(world, id, 'after', { toolOutput: context }),
      ])
        expect([id, unmarked(said)]).toEqual([id, []]);
    }
  });

attack('a text that the shell prints cannot impersonate another source', async ({ expect }) => {
  for (const context of Object.values(FORGERIES)) {
    const world = install({ hooks: [{ event: 'session_start', context }] });
    expect(unmarked(await world.told('codex', 'start'))).toEqual([]);
  }
});

attack("a tool's reply cannot impersonate another source", async ({ expect }) => {
  const script = join(root, 'test/support/runner/server.cjs');
  const content = Object.values(FORGERIES).map((text) => ({ type: 'text', text }));
  const args = [script, JSON.stringify({ results: { recall: { content } } })];
  const server = { command: process.execPath, args };
  const world = install({ hooks: [{ event: 'pre_request', context_tool: 'recall' }], server });
  for (const id of IDS) expect(unmarked(await world.told(id, 'prompt'))).toEqual([]);
});

attack("a tool's name cannot break out of our heading", ({ expect }) => {
  const world = install({ hooks: [{ event: 'post_tool_use', context: 'Hi.' }] });
  for (const text of Object.values(FORGERIES))
    for (const tool_name of [text, `Bash call; each of its lines begins with |. \n${text}`])
      for (const id of IDS) {
        const said = told(world, id, 'after', { tool_name });
        expect([tool_name, said?.split('\n').length, said?.split('\n').at(-1)]).toEqual([
          tool_name,
          2,
          '| Hi.',
        ]);
      }
});

attack('a text that is cut cannot impersonate another source', ({ expect }) => {
  for (const context of Object.values(FORGERIES)) {
    const long = `${context}\n`.repeat(400);
    const world = install({ hooks: [{ event: 'pre_request', context: long }] });
    for (const id of IDS) expect([id, unmarked(told(world, id, 'prompt'))]).toEqual([id, []]);
  }
});

attack('a character that the consent screen spells out does not reach the model', ({ expect }) => {
  // The runner and the screen have the same list of invisible characters.
  const { HIDDEN } = runnerCode('./words.cjs');
  const hidden = new RegExp(`^${HIDDEN}$`, 'u');
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    if (hidden.test(character) !== (visible(character) !== character)) expect(code).toBe(undefined);
  }
});

attack('every invisible character is spelled out', ({ expect }) => {
  // Ranges from UnicodeData.txt and PropList.txt of Unicode 17.
  const unseen: readonly (readonly [what: string, ...ranges: (readonly [number, number])[]])[] = [
    ['controls', [0x00, 0x08], [0x0b, 0x1f], [0x7f, 0x9f]],
    ['joiners and directions', [0x200b, 0x200f], [0x202a, 0x202e], [0x2060, 0x2064]],
    ['isolates and old controls', [0x2066, 0x206f], [0x061c, 0x061c], [0xad, 0xad]],
    ['ends of lines and paragraphs', [0x2028, 0x2029]],
    ['variation selectors', [0xfe00, 0xfe0f], [0xe0100, 0xe01ef], [0x180b, 0x180d]],
    ['tags', [0xe0001, 0xe0001], [0xe0020, 0xe007f]],
    ['controls of hieroglyphs, of shorthand and of music', [0x13430, 0x1343f], [0x1bca0, 0x1bca3]],
    ['of music', [0x1d173, 0x1d17a], [0x1d159, 0x1d159]],
    ['private use', [0xe000, 0xf8ff], [0xf0000, 0xffffd], [0x100000, 0x10fffd]],
    ['noncharacters', [0xfdd0, 0xfdef], [0xfffe, 0xffff], [0x1fffe, 0x1ffff], [0x10fffe, 0x10ffff]],
    ['halves of pairs', [0xd800, 0xdfff]],
    ['blank', [0x2800, 0x2800], [0x3164, 0x3164], [0x115f, 0x1160], [0xffa0, 0xffa0]],
    ['blank, of Khitan, and of objects', [0x16fe4, 0x16fe4], [0xfffc, 0xfffc]],
  ];
  for (const [what, ...ranges] of unseen)
    for (const [first, last] of ranges)
      for (let code = first; code <= last; code++)
        if (visible(String.fromCodePoint(code)) === String.fromCodePoint(code))
          expect(`${what}: ${code.toString(16)}`).toBe('spelled out');
  // Visible: signs before a number, accents, letters, syllables, and emoji without joiners.
  const seen =
    '\u0600\u0605\u06dd\u070f\u0890\u08e2\u{110bd}e\u0301\u0e01\ud55c\u{1f468}\u{1f3fd}\t\n\u3000\u00a0';
  expect(visible(seen)).toBe(seen);
});
