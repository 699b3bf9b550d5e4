/**
 * The pages of the site. They are the repository's own pages, as they are: only their links are led to the site or to GitHub,
 * and long lists become a page for each part.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { CLIENTS } from '../../src/clients/list.ts';
import { clientPage } from './clients.ts';
import { anchorOf, outsideCode, sectionsOf } from './markdown.ts';

export const ROOT = join(import.meta.dirname, '../..');
const REPOSITORY = 'https://github.com/mcp-hooks/mcp-hooks';

/** A page or picture below the root of the site. */
export interface SiteFile {
  /** Such as `clients/index.md`. */
  readonly path: string;
  readonly text: string;
}

/** A page while it is made: its links are still those of a file in the repository. */
interface Page extends SiteFile {
  /** The file that its links start from, such as `docs/clients.md`. */
  readonly source: string;
  /** What leads to this page in the repository: a file, or a file with an anchor. */
  readonly replaces?: string;
}

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Where a page of the repository is on the site. */
const siteOf = (file: string): string =>
  file.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md');

const CODES = 'docs/codes.md';
const SECURITY = 'docs/security.md';
const TABLES = 'docs/clients.md';
const ATTACKS = 'Attacks that were tried';

/** A page that is not in the navigation has no page before and after it. */
const ALONE = '---\nprev: false\nnext: false\n---\n\n';

/** Says of each example of a code what its marker says. */
const labelled = (text: string): string =>
  text
    .replace(/^(<!-- lint: wrong .*)$/gm, 'Reported:\n\n$1')
    .replace(/^(<!-- lint: right .*)$/gm, 'Accepted:\n\n$1');

/** docs/codes.md without its sections, and a page for each of them. */
function codePages(text: string): Page[] {
  const codes = sectionsOf(text, 3);
  const items = codes.reduce(
    (rest, { title, body }) =>
      rest.replace(
        `### ${title}\n\n${body}\n`,
        () => `* [\`${title}\`](#${title}): ${body.split('.')[0]}\n`,
      ),
    text,
  );
  const list = items.replace(/^(\* .*\n)\n(?=\* )/gm, '$1');
  return [
    { path: 'codes/index.md', text: list, source: CODES, replaces: CODES },
    ...codes.map(({ title, body }) => ({
      path: `codes/${title}.md`,
      text: `${ALONE}# ${title}\n\n${labelled(body)}\n\n[Everything that validate finds](codes.md)\n`,
      source: CODES,
      replaces: `${CODES}#${title}`,
    })),
  ];
}

/** docs/security.md without its table of attacks, and a page for that. */
function securityPages(text: string): Page[] {
  const attacks = sectionsOf(text, 2).find(({ title }) => title === ATTACKS)?.body;
  if (attacks === undefined) throw new Error(`${SECURITY} has no section "${ATTACKS}".`);
  const anchor = anchorOf(ATTACKS);
  return [
    {
      path: 'security/index.md',
      text: text.replace(attacks, `They are on [a page of their own](#${anchor}).`),
      source: SECURITY,
      replaces: SECURITY,
    },
    {
      path: 'security/attacks.md',
      text: `# ${ATTACKS}\n\n${attacks}\n`,
      source: SECURITY,
      replaces: `${SECURITY}#${anchor}`,
    },
  ];
}

/** docs/clients.md, which names the page of each client, and these pages. */
function clientPages(text: string): Page[] {
  const links = CLIENTS.map(({ id, name }) => `[${name}](/clients/${id}.md)`).join(' · ');
  const named = text.replace(/^# .*\n/, (head) => `${head}\nA page for each: ${links}.\n`);
  return [
    { path: 'clients/index.md', text: named, source: TABLES, replaces: TABLES },
    ...CLIENTS.map((client) => ({
      path: `clients/${client.id}.md`,
      text: clientPage(client, text, read('docs/sources.md')),
      source: TABLES,
    })),
  ];
}

const SPLIT: Readonly<Record<string, (text: string) => Page[]>> = {
  [CODES]: codePages,
  [SECURITY]: securityPages,
  [TABLES]: clientPages,
};

const sources = (): string[] => [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.md'))
    .sort(),
];

/** Where a picture is on the site. */
const pictureOf = (file: string): string => file.replace(/^docs\//, '');

/** Leads the links of a page to the site, or to GitHub if the site does not have what they lead to. */
function linked(
  { source, text, path: page }: Page,
  pages: ReadonlyMap<string, string>,
  pictures: Set<string>,
): string {
  const lead = (target: string): string => {
    if (/^(?:[a-z]+:|\/)/.test(target)) return target;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? source : posix.normalize(posix.join(posix.dirname(source), path));
    const hash = anchor === undefined ? '' : `#${anchor}`;
    const part = pages.get(`${file}${hash}`);
    if (part !== undefined) return `/${part}`;
    const whole = pages.get(file);
    if (whole !== undefined) return `/${whole}${hash}`;
    if (/\.(?:svg|png)$/.test(file)) {
      pictures.add(file);
      return `./${posix.relative(posix.dirname(page), pictureOf(file))}`;
    }
    const there = statSync(join(ROOT, file), { throwIfNoEntry: false });
    if (there === undefined) throw new Error(`${source} has a link to a missing file: ${target}`);
    const kind = there.isDirectory() ? 'tree' : 'blob';
    return `${REPOSITORY}/${kind}/main/${file}${hash}`;
  };
  return outsideCode(text, (prose) =>
    prose.replace(/\]\(([^)\s]+)\)/g, (_all, target: string) => `](${lead(target)})`),
  );
}

/** All pages of the site, and the pictures in them. */
export function collect(): SiteFile[] {
  const pages = sources().flatMap((source): Page[] => {
    const text = read(source);
    const whole = { path: siteOf(source), text, source, replaces: source };
    return SPLIT[source]?.(text) ?? [whole];
  });
  const places = new Map(
    pages.flatMap(({ path, replaces }) => (replaces === undefined ? [] : [[replaces, path]])),
  );
  const pictures = new Set<string>();
  return [
    ...pages.map((page) => ({ path: page.path, text: linked(page, places, pictures) })),
    { path: 'playground.md', text: read('site/playground.md') },
    ...[...pictures].map((file) => ({ path: pictureOf(file), text: read(file) })),
  ];
}
