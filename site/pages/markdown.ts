/** Reading the repository's pages: their tables, their headings, and the text outside of code. */

/** The anchor of a heading, as GitHub makes it. So a link to a heading works there and on the site. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

/** Applies a change to everything but fenced code. */
export const outsideCode = (text: string, change: (prose: string) => string): string =>
  text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('');

export interface Section {
  readonly title: string;
  /** What is below the heading, up to the next one of the same level or above. */
  readonly body: string;
}

/** The sections of a level. A line of code is no heading. */
export function sectionsOf(text: string, level: number): Section[] {
  const sections: { title: string; lines: string[] }[] = [];
  let isCode = false;
  let open: string[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const [, marks = '', title = ''] = (isCode ? null : /^(#{1,6}) (.*)/.exec(line)) ?? [];
    const isHeading = marks !== '' && marks.length <= level;
    if (!isHeading) open.push(line);
    else open = []; // of nothing, unless a section begins here
    if (marks.length === level) sections.push({ title, lines: open });
  }
  return sections.map(({ title, lines }) => ({ title, body: lines.join('\n').trim() }));
}

interface Table {
  /** The name in the marker before it: `<!-- table: name -->`. */
  readonly name: string;
  /** The cells of its first line. */
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const cellsOf = (line: string): string[] =>
  line
    .slice(1, line.lastIndexOf('|'))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/** The tables of a page that a marker names. */
export const tablesOf = (text: string): Table[] =>
  [...text.matchAll(/<!-- table: ([\w-]+) -->\n((?:\|.*\n)+)/g)].map(
    ([, name = '', lines = '']) => {
      const [head = '', , ...rows] = lines.trimEnd().split('\n');
      return { name, head: cellsOf(head), rows: rows.map(cellsOf) };
    },
  );

/** A table of the given cells. */
export const table = (rows: readonly (readonly string[])[]): string => {
  const [head = [], ...rest] = rows;
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return line(head) + line(head.map(() => '---')) + rest.map(line).join('');
};
