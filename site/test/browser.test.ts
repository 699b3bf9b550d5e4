// What a reader sees: pages of the built site in Debian's Chromium, on a phone and on a desk. The screenshots are in
// site/test/screenshots.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DIST, fileFor, HTML } from './built.ts';

const PROGRAM = process.env.MCP_HOOKS_CHROMIUM ?? '/usr/bin/chromium';
const SCREENSHOTS = join(import.meta.dirname, 'screenshots');
const WIDTHS = [360, 1280];
const PAGES: readonly (readonly [string, string])[] = [
  ['', 'mcp-hooks'],
  ['how-it-works', 'How it works'],
  ['clients/codex', 'Codex CLI'],
  ['codes/gives-orders', 'gives-orders'],
  ['security/attacks', 'Attacks that were tried'],
];

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

let server: Server;
let site = '';
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** Addresses that the pages asked for, and what they wrote to the console as errors. */
let asked: string[] = [];
let errors: string[] = [];

const there = existsSync(PROGRAM);
if (!there)
  console.warn(
    `The browser's tests are skipped: there is no ${PROGRAM}. Install Debian's chromium, or name another one in MCP_HOOKS_CHROMIUM.`,
  );

describe.skipIf(!there)('in Chromium', () => {
  beforeAll(async () => {
    mkdirSync(SCREENSHOTS, { recursive: true });
    server = createServer(({ url = '/' }, answer) => {
      const path = decodeURIComponent(new URL(url, 'http://site').pathname).slice(1);
      const file = fileFor(path);
      answer.writeHead(file === undefined ? 404 : 200, {
        'content-type': TYPES[extname(file ?? '')] ?? 'application/octet-stream',
      });
      answer.end(file === undefined ? '' : readFileSync(join(DIST, file)));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    site = `http://127.0.0.1:${address.port}`;
    browser = await chromium.launch({
      executablePath: PROGRAM,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  /** Keys and clicks count from then on. */
  const hydrated = () =>
    page.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}));

  const open = async (width: number, path: string) => {
    context = await browser.newContext({ viewport: { width, height: 800 } });
    page = await context.newPage();
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('response', (response) => {
      if (response.status() >= 400) errors.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(`${site}/${path}`, { waitUntil: 'networkidle' });
    await hydrated();
  };

  beforeEach(() => {
    asked = [];
    errors = [];
  });

  afterEach(async () => {
    await context?.close();
    expect(errors).toEqual([]);
    const elsewhere = asked.filter((url) => !url.startsWith(site) && !url.startsWith('data:'));
    expect(elsewhere).toEqual([]);
    expect(asked.length).toBeGreaterThan(0);
  });

  const shows = () =>
    page.evaluate(() => ({
      heading: document.querySelector('h1')?.firstChild?.textContent?.trim(),
      wide: document.documentElement.scrollWidth,
      dark: document.documentElement.classList.contains('dark'),
      background: getComputedStyle(document.body).backgroundColor,
      scrolling: [...document.querySelectorAll('.vp-doc table')].filter(
        (table) => table.scrollWidth > table.clientWidth,
      ).length,
    }));

  for (const width of WIDTHS)
    test.for(PAGES)(`/%s is readable at ${width} pixels`, async ([path, heading]) => {
      await open(width, path);
      const shown = await shows();
      expect(shown).toMatchObject({ heading, wide: width });
      const name = path.replaceAll('/', '-') || 'start';
      await page.screenshot({ path: join(SCREENSHOTS, `${name}-${width}.png`) });
    });

  test('no page is wider than a phone', async () => {
    await open(360, '');
    const wide: string[] = [];
    for (const name of HTML) {
      await page.goto(`${site}/${name}`);
      if ((await shows()).wide !== 360) wide.push(name);
    }
    expect(wide).toEqual([]);
    expect(HTML.length).toBeGreaterThan(100);
  });

  test('a wide table scrolls by itself', async () => {
    await open(360, 'clients/');
    expect(await shows()).toMatchObject({ wide: 360, scrolling: expect.any(Number) });
    expect((await shows()).scrolling).toBeGreaterThan(3);
  });

  test.for(WIDTHS)('the search finds a heading and leads to it at %i pixels', async (width) => {
    await open(width, '');
    await page.keyboard.press('Control+k');
    await page.locator('#localsearch-input').fill('A hook was skipped');
    const found = page.locator('.VPLocalSearchBox .result', { hasText: 'A hook was skipped' });
    await found.first().waitFor();
    await page.screenshot({ path: join(SCREENSHOTS, `search-${width}.png`) });
    await page.keyboard.press('Enter');
    await page.waitForURL('**/troubleshooting#a-hook-was-skipped');
  });

  test.for(WIDTHS)('the reader switches to dark and back at %i pixels', async (width) => {
    await open(width, 'how-it-works');
    const light = await shows();
    // On a phone the switch is in the menu.
    const toggle = async (dark: boolean) => {
      if (width < 768) await page.locator('.VPNavBarHamburger').click();
      await page.locator('.VPSwitchAppearance:visible').first().click();
      await page.waitForFunction(
        (isDark) => document.documentElement.classList.contains('dark') === isDark,
        dark,
      );
    };
    await toggle(true);
    await page.reload({ waitUntil: 'networkidle' });
    await hydrated();
    const dark = await shows();
    await page.screenshot({ path: join(SCREENSHOTS, `dark-${width}.png`) });
    await toggle(false);
    const back = await shows();
    expect([light.dark, dark.dark, back.dark]).toEqual([false, true, false]);
    expect(dark.background).not.toBe(light.background);
    expect(back.background).toBe(light.background);
  });
});
