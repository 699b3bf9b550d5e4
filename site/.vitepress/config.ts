import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defineConfig } from 'vitepress';
import { collect, ROOT } from '../pages/collect.ts';
import { anchorOf } from '../pages/markdown.ts';
import { sidebarOf } from './navigation.ts';

const files = collect();
const pages = join(ROOT, 'site/.pages');
rmSync(pages, { recursive: true, force: true });
for (const { path, text } of files) {
  const file = join(pages, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const has = (page: string) => files.some(({ path }) => path === page);

export default defineConfig({
  title: 'mcp-hooks',
  description: 'Write a hook once, and run it in every coding agent.',
  lang: 'en',
  // GitHub Pages has a project's site below the project's name.
  base: process.env.MCP_HOOKS_SITE_BASE ?? '/',
  srcDir: '.pages',
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  cleanUrls: true,
  vite: { publicDir: join(ROOT, 'site/public') },
  head: [['link', { rel: 'icon', href: `${process.env.MCP_HOOKS_SITE_BASE ?? '/'}icon.svg` }]],
  markdown: { anchor: { slugify: anchorOf } },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/getting-started' },
      ...(has('cookbook.md') ? [{ text: 'Cookbook', link: '/cookbook' }] : []),
      { text: 'Playground', link: '/playground' },
      { text: 'Clients', link: '/clients/' },
      { text: 'Security', link: '/security/' },
      { text: 'Reference', link: '/cli' },
    ],
    sidebar: sidebarOf(files),
    outline: [2, 3],
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: 'https://github.com/mcp-hooks/mcp-hooks' }],
  },
});
