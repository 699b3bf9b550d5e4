/** The site's navigation. A page that no group names is at the end of the guides. */

import type { DefaultTheme } from 'vitepress';
import type { SiteFile } from '../pages/collect.ts';

type Item = DefaultTheme.SidebarItem;

/** The pages of each group, in order; one that the repository does not have is left out. `folder/` is all others in it. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Start: ['index', 'getting-started', 'how-it-works', 'playground', 'cookbook', 'faq'],
  Guides: ['declaration', 'sources', 'import', 'moving', 'troubleshooting'],
  Clients: ['clients/index', 'clients/'],
  'Authors and vendors': ['authors', 'vendors', 'engine'],
  Security: ['security/index', 'security/attacks'],
  Reference: ['cli', 'json', 'codes/index', 'files', 'performance', 'api/index', 'api/'],
};

/** Too many for a list: their index has them all. */
const UNLISTED = /^codes\/(?!index$)/;

/** Pages that the navigation calls something else than their heading. */
const TITLES: Readonly<Record<string, string>> = {
  index: 'Overview',
  playground: 'Playground',
  'api/index': 'Library',
};

const titleOf = ({ text }: SiteFile): string =>
  /^# (.*)$/m.exec(text)?.[1]?.replace(/[`*]/g, '') ?? '';

export function sidebarOf(files: readonly SiteFile[]): Item[] {
  const pages = new Map(
    files
      .filter(({ path }) => path.endsWith('.md'))
      .map((file) => [file.path.slice(0, -'.md'.length), file]),
  );
  const named = new Set(Object.values(GROUPS).flat());
  const within = (name: string): string[] =>
    name.endsWith('/')
      ? [...pages.keys()].filter((page) => page.startsWith(name) && !named.has(page))
      : [name];
  const listed = (names: readonly string[]): Item[] =>
    names.flatMap(within).flatMap((name) => {
      const page = pages.get(name);
      const link = `/${name.replace(/(^|\/)index$/, '$1')}`;
      return page ? [{ text: TITLES[name] ?? titleOf(page), link }] : [];
    });
  const covered = new Set([...named].flatMap(within));
  const others = [...pages.keys()].filter((page) => !covered.has(page) && !UNLISTED.test(page));
  return Object.entries(GROUPS).map(([text, names]) => ({
    text,
    collapsed: text === 'Clients' || text === 'Reference',
    items: listed(text === 'Guides' ? [...names, ...others] : names),
  }));
}
