/** The recording at the top of the README: what a terminal of 80 by 24 shows in a real run, as an animated picture. */
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { runLine } from '../../src/cli/main.ts';
import { findClient } from '../../src/clients/registry.ts';
import { wrap } from '../../src/system/terminal.ts';
import { NO_TERMINAL, PATIENT, type World } from './world.ts';

const [COLUMNS, ROWS] = [80, 24];
/** Pixels. */
const [WIDE, HIGH, PADDING] = [8.4, 18, 16];
/** Seconds: how long a command's output stays before the next is typed, and how long a whole turn takes. */
const TURN = 20;

interface Step {
  /** The typed line. */
  readonly typed: string;
  readonly shown: readonly string[];
}

/** Runs the command lines one after the other, as `mcp-hooks` in a terminal. */
export async function record(world: World, lines: readonly (readonly string[])[]): Promise<Step[]> {
  const steps: Step[] = [];
  for (const line of lines) {
    let said = '';
    const say = (text: string) => {
      said += text;
    };
    const code = await runLine(line, {
      terminal: { ...NO_TERMINAL, columns: COLUMNS, out: say, err: say },
      env: { ...world.env(), PATH: process.env.PATH ?? '' },
      cwd: () => realpathSync(world.work),
      version: '0.0.0',
      patience: PATIENT,
    });
    if (code !== (line[0] === 'diff' ? 1 : 0))
      throw new Error(`${line.join(' ')}: exit ${code}\n${said}`);
    const shown = world
      .tidy(said)
      .replace(/\b\d+ ms\b/g, '40 ms') // differs from run to run
      .trimEnd()
      .split('\n');
    steps.push({
      typed: `mcp-hooks ${line
        .filter((word) => word !== '--yes')
        .map(quoted)
        .join(' ')}`,
      shown,
    });
  }
  return steps;
}

/** The file that `test/real-clients/received.test.ts` records. */
export const RECEIVED = join(import.meta.dirname, '../../fixtures/transcripts/received.json');

export interface Received {
  readonly client: string;
  readonly version: string;
  readonly messages: readonly {
    readonly from: 'user' | 'model' | 'shell' | 'hook';
    readonly text: string;
  }[];
}

/** A session of a real client, as its model reads it. */
export function received(): Step {
  const { client, version, messages }: Received = JSON.parse(readFileSync(RECEIVED, 'utf8'));
  const { name, executable } = findClient(client) ?? { name: client, executable: client };
  const [asked] = messages;
  const indent = ' '.repeat(7);
  const shown = messages.flatMap(({ from, text }) =>
    text.split('\n').flatMap((line, index) => {
      const first = index === 0 ? from.padEnd(indent.length) : indent;
      return wrap(line, COLUMNS, indent, first).split('\n');
    }),
  );
  return {
    typed: `${executable} -p ${quoted(asked?.text ?? '')}`,
    shown: [`(${name} ${version} with a scripted model: what the model reads)`, ...shown],
  };
}

/** A terminal continues long lines in the next row. */
const wrapped = (line: string): string[] => line.match(new RegExp(`.{1,${COLUMNS}}`, 'g')) ?? [''];

const quoted = (word: string) => (/[^\w@./:=-]/.test(word) ? `'${word}'` : word);

const styleOf = (line: string) =>
  line.startsWith('+') ? 'added' : line.startsWith('-') ? 'taken' : 'plain';

/** A cover moves down row by row. When the screen is full, all rows move up; at the end it starts again. */
export function recording(steps: readonly Step[]): string {
  const width = COLUMNS * WIDE + 2 * PADDING;
  const height = ROWS * HIGH + 2 * PADDING;
  const rows = steps.flatMap(({ typed, shown }, step) => [
    ...wrapped(`$ ${typed}`).map((text) => ({ text, step, style: 'typed' })),
    ...[...shown, ''].flatMap((line) =>
      wrapped(line).map((text) => ({ text, step, style: styleOf(line) })),
    ),
  ]);
  // A step's rows share its time, so long output scrolls faster.
  const share = TURN / steps.length;
  const times = rows.map(({ step }, row) => {
    const first = rows.findIndex((one) => one.step === step);
    const count = rows.filter((one) => one.step === step).length;
    return step * share + ((row - first) / count) * share * 0.5;
  });
  const percent = (seconds: number) => `${((seconds / TURN) * 100).toFixed(2)}%`;
  const texts = rows.map(({ text, style }, row) => {
    const y = PADDING + (row + 0.75) * HIGH;
    return `<text x="${PADDING}" y="${y}" class="${style}">${escaped(text)}</text>`;
  });
  const scrolls = rows.flatMap((_, row) =>
    row < ROWS
      ? []
      : [`${percent(times[row] ?? 0)} { transform: translateY(${-(row + 1 - ROWS) * HIGH}px); }`],
  );
  const covers = times.map(
    (seconds, row) => `${percent(seconds)} { transform: translateY(${(row + 1) * HIGH}px); }`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title desc">
<title id="title">mcp-hooks in a terminal</title>
<desc id="desc">${escaped(steps.map(({ typed }) => typed).join('; '))}</desc>
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; fill: #1f2328; }
.typed { font-weight: 600; }
.added { fill: #1a7f37; }
.taken { fill: #cf222e; }
.card { fill: #ffffff; stroke: #d1d9e0; }
.screen { animation: scroll ${TURN}s step-end infinite; }
.cover { fill: #ffffff; animation: uncover ${TURN}s step-end infinite; }
@keyframes scroll {
0% { transform: translateY(0); }
${scrolls.join('\n')}
}
@keyframes uncover {
${covers.join('\n')}
}
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; }
  .added { fill: #3fb950; }
  .taken { fill: #f85149; }
  .card { fill: #0d1117; stroke: #3d444d; }
  .cover { fill: #0d1117; }
}
@media (prefers-reduced-motion: reduce) {
  .screen { animation: none; }
  .cover { display: none; }
}
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" class="card"/>
<clipPath id="screen"><rect width="${width}" y="${PADDING}" height="${ROWS * HIGH}"/></clipPath>
<g clip-path="url(#screen)">
<g class="screen" xml:space="preserve">
${texts.join('\n')}
<rect class="cover" x="${PADDING / 2}" y="${PADDING}" width="${width - PADDING}" height="${(rows.length + ROWS) * HIGH}"/>
</g>
</g>
</svg>
`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
