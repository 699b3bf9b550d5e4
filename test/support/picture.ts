/** The picture of docs/how-it-works.md: steps from top to bottom, with the action before each. */

interface Panel {
  /** The action between the panel above and this one; absent for the first panel. */
  readonly by?: string;
  readonly title: string;
  readonly lines: readonly { readonly text: string; readonly strong?: boolean }[];
}

/** Narrow enough to be read on a phone. */
const COLUMNS = 48;
/** Pixels. */
const [WIDE, HIGH, PADDING, ARROW, TITLE] = [7.3, 17, 14, 44, 26];
const WIDTH = Math.ceil(COLUMNS * WIDE) + 2 * PADDING;

/** A line as rows: it breaks at spaces, and the rows after the first are indented by two more. */
function rowsOf(line: string): string[] {
  const [indent = ''] = /^ */.exec(line) ?? [];
  const rows: string[] = [];
  let rest = line;
  while (rest.length > COLUMNS) {
    const space = rest.lastIndexOf(' ', COLUMNS);
    const at = rest.slice(0, space).trim() === '' ? COLUMNS : space;
    rows.push(rest.slice(0, at));
    rest = `${indent}  ${rest.slice(at).trimStart()}`;
  }
  return [...rows, rest];
}

export function picture(panels: readonly Panel[]): string {
  const parts: string[] = [];
  let y = 0.5;
  for (const { by, title, lines } of panels) {
    if (by !== undefined) {
      const x = 2 * PADDING;
      parts.push(
        `<path class="arrow" d="M${x} ${y + 4}V${y + ARROW - 6}m-5 -6l5 6l5 -6"/>`,
        `<text class="by" x="${x + 14}" y="${y + ARROW / 2 + 4}">${escaped(by)}</text>`,
      );
      y += ARROW;
    }
    const rows = lines.flatMap(({ text, strong }) =>
      rowsOf(text).map((row) => ({ row, strong: strong === true })),
    );
    const height = TITLE + rows.length * HIGH + PADDING;
    parts.push(
      `<rect class="card" x="0.5" y="${y}" width="${WIDTH - 1}" height="${height}" rx="8"/>`,
      `<text class="title" x="${PADDING}" y="${y + 20}">${escaped(title)}</text>`,
      ...rows.map(
        ({ row, strong }, index) =>
          `<text${strong ? ' class="strong"' : ''} x="${PADDING}" y="${y + TITLE + (index + 1) * HIGH - 3}" xml:space="preserve">${escaped(row)}</text>`,
      ),
    );
    y += height;
  }
  const height = Math.ceil(y + 0.5);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title desc">
<title id="title">How a declaration reaches the model</title>
<desc id="desc">${escaped(panels.map(({ by, title }) => (by === undefined ? title : `${by}: ${title}`)).join('; '))}</desc>
<style>
text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; fill: #1f2328; }
.title, .by { font: 13px system-ui, sans-serif; }
.title { font-weight: 600; }
.by { fill: #59636e; }
.strong { fill: #1a7f37; }
.card { fill: #ffffff; stroke: #d1d9e0; }
.arrow { fill: none; stroke: #59636e; stroke-width: 1.5; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; }
  .by { fill: #9198a1; }
  .strong { fill: #3fb950; }
  .card { fill: #0d1117; stroke: #3d444d; }
  .arrow { stroke: #9198a1; }
}
</style>
${parts.join('\n')}
</svg>
`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
